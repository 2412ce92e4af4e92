"""How requests were built before history was cut at turns: the old rules, kept to compare with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from plainloop.agent.base.messages.contents import (
    count_thread_tokens,
    list_exchange_starts,
    make_text_message,
)
from plainloop.agent.base.shown.notices import FEEDBACK
from plainloop.agent.base.tokens.estimate import estimate_message_tokens
from plainloop.agent.core.history import repair_history
from plainloop.agent.types import ChatRequest, Message
from scripts.benchmarks.threads.playing import Played, fill, make_worker
from scripts.benchmarks.threads.scripts import Script


def build_old_requests(played: Played, script: Script, window: int) -> list[ChatRequest]:
    """Build every request of the thread again: today's profile in the prompt, the cut of each call,
    feedback at the end, drafts left out.
    """
    requests: list[ChatRequest] = []
    for asking in played.asked:
        spec = make_worker(script, int(asking.worker.removeprefix("worker")))
        context = fill(script.profile, f"Profile {asking.profile}.") if script.profile else ""
        messages, _ = repair_history(cut_at_each_call(asking.messages, window))
        words = FEEDBACK.format(text=asking.feedback) if asking.feedback else ""
        extra = [make_text_message("user", words)] if words else []
        requests.append(
            replace(
                asking.request,
                system="\n\n".join(filter(None, (spec.prompt, context))),
                messages=[*messages, *extra],
                is_newest_passing=bool(extra),
            )
        )
    return requests


def cut_at_each_call(messages: Sequence[Message], window: int) -> list[Message]:
    """Cut in steps of half a window, wherever a turn has come to."""
    excess = count_thread_tokens(messages) - window
    if excess <= 0:
        return [*messages]
    step = max(1, window // 2)
    floor = math.ceil(excess / step) * step
    seen, place = messages[0].get("offset", 0), 0
    for start in list_exchange_starts(messages):
        seen += sum(map(estimate_message_tokens, messages[place:start]))
        place = start
        if seen >= floor:
            break
    return [*messages[place:]]
