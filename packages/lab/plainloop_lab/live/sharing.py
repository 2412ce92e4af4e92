"""What lanes share: a request that is the same in every byte for the provider is bought once.

The n-th equal request of a conversation takes the n-th answer, so that a retry, which sends the
same bytes on purpose, takes another one. Two conversations never share: trials of one task stay
independent of each other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

import orjson

from plainloop.agent.base.messages.requests import fingerprint_request, to_tools_text
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatProvider, ChatRequest

from ..store.recordings import list_recorded_calls
from ..store.replays import Item, PaidAnswer

RECORDING: Final = "recording"
# The lane's own routing key is the replay's, not the candidate's: the same for all here. Where a
# body marks what is to be cached, the marks stay: they change what is paid.
_ANY_KEY: Final = "lane"


@runtime_checkable
class Sending(Protocol):
    """A provider that tells what it would send."""

    def build_sent(self, request: ChatRequest) -> tuple[str, Any]:
        """Return (address, body) of the request as the provider would send it."""
        ...


def identify_request(chat: ChatProvider, request: ChatRequest) -> str:
    """Hash what the provider would receive, so that equal requests can share an answer.

    Of one that sends nothing (the offline provider) it hashes what an answer depends on.
    """
    sent: Any = fingerprint_request(request, to_tools_text(request))
    if isinstance(chat, Sending):
        sent = chat.build_sent(replace(request, cache_key=_ANY_KEY))
    whole = orjson.dumps([chat.provider, chat.model, sent], default=repr)
    return hashlib.sha256(whole).hexdigest()


def identify_recorded(label: str, fingerprint: str | None) -> str:
    """Build the key under which requests share a recorded answer.

    It is made of the model and the recorded request's fingerprint. label: `provider:model`. Only
    where the lane's settings send what today's do (`plan.choose_drift`) are these the bytes of
    then.
    """
    return f"{label} {fingerprint}"


@dataclass(slots=True)
class SharedAnswers:
    """One conversation's answers that need not be bought. source: the lane that has them."""

    source: str = ""
    answers: Mapping[str, Sequence[PaidAnswer]] = field(default_factory=dict[str, list[PaidAnswer]])
    _used: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def collect(cls, source: str, found: Iterable[tuple[str, PaidAnswer]]) -> SharedAnswers:
        """Collect answers that later requests may share, by key and in order.

        Skips answers that cannot be shared (key "").
        """
        answers: dict[str, list[PaidAnswer]] = {}
        for identity, answer in found:
            if identity:
                answers.setdefault(identity, []).append(answer)
        return cls(source, answers)

    def find(self, identity: str) -> PaidAnswer | None:
        """Return the shared answer to the next request with this key.

        None if it must be bought.
        """
        known, place = self.answers.get(identity, ()), self._used[identity]
        return known[place] if place < len(known) else None

    def note_answered(self, identity: str) -> None:
        """Count a request with this key, so that an equal one gets the next answer."""
        self._used[identity] += 1


async def load_recorded_answers(store: Store, tenant_id: str, item: Item) -> SharedAnswers:
    """Load the recorded answers that an item's variants may share.

    They are those of its thread, or of its one run. Only runs count that are replayed and that
    made something.
    """
    if item.thread_id is None:
        return SharedAnswers()
    alone = (item.conversation or {}).get("run_id")
    runs = [r for r in await store.list_runs(tenant_id, item.thread_id) if r.status != "queued"]
    messages = await store.load_messages(tenant_id, item.thread_id)
    ends = [*(run.input_position for run in runs[1:]), len(messages)]
    found: list[tuple[str, PaidAnswer]] = []
    for run, end in zip(runs, ends, strict=False):  # nobody has said anything
        if end - run.input_position < 2 or alone not in (None, run.run_id):
            continue
        if run.status != "succeeded":  # not replayed (`LiveTurn.is_whole`)
            continue
        for call in await list_recorded_calls(store.read(tenant_id), run.run_id):
            answer = PaidAnswer(0, "", call.response, duration_ms=call.duration_ms)
            found.append((identify_recorded(call.asked, call.fingerprint), answer))
    return SharedAnswers.collect(RECORDING, found)
