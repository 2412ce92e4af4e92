"""Where the arguments of a replayed turn's calls came from, judged as a run of today would."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import orjson

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.core.taint import UNTRUSTED, Guard
from plainloop.agent.core.tools import Tool, ToolRegistry
from plainloop.agent.types import Message

from .tools import make_key


def note_origins(
    uses: Sequence[dict[str, Any]],
    messages: Sequence[Message],
    begin: int,
    prompt_context: str,
    tools: Sequence[Tool],
) -> bool:
    """Add to each tool use where its arguments come from (`origins`).

    Adds `asks` if the call needs an approval. uses: the turn's; messages: of the thread, those of
    the turn from `begin` on; tools: with what they declare, not closed. Returns: whether the turn
    has read text from outside.
    """
    registry, open_uses, is_tainted = ToolRegistry(tuple(tools)), [*uses], False
    messages = [*map(_read_marks, messages)]
    for end in range(begin, len(messages)):
        calls = list_calls(messages[end])
        guard = Guard(messages[:end], prompt_context, registry) if calls else None
        if guard is None or not guard.is_tainted:
            continue
        is_tainted = True
        for call in calls:
            tool, key = registry.get(call["name"]), make_key(call["name"], call["arguments"])
            use = next((u for u in open_uses if make_key(u["name"], u["arguments"]) == key), None)
            if tool is None or use is None:
                continue
            open_uses.remove(use)
            judged = guard.judge(call, tool)
            use["asks"] = judged.verdict == "asks"
            if judged.traced:
                use["origins"] = judged.list_origins()
    return is_tainted


def _read_marks(message: Message) -> Message:
    """Return a message whose JSON results with the mark of untrusted text are objects."""
    parts: list[Any] = []
    for part in message["parts"]:
        text: Any = part["result"] if part["type"] == "tool_result" else None
        found: Any = None
        if isinstance(text, str) and f'"{UNTRUSTED}"' in text:
            with suppress(orjson.JSONDecodeError):
                found = orjson.loads(text)
        parts.append({**part, "result": found} if isinstance(found, dict) else part)
    return {**message, "parts": parts}
