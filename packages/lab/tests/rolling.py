"""Replicas over one database that run a candidate beside what is served."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.service.variants import Variant
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.running import TENANT
from tests.machine.scripted import ScriptedProvider, text, triage
from tests.runs.conftest import Replica

PRICES = {"scripted:*": OwnPrice(input=Decimal(0), output=Decimal(100))}
PROMPT = "You are the candidate."
CANDIDATE = Variant(prompts={"note_writer": PROMPT})


def is_candidate(request: ChatRequest) -> bool:
    return PROMPT in request.system


def is_worker(request: ChatRequest) -> bool:
    return is_candidate(request) or "You keep notes." in request.system


def reply(request: ChatRequest) -> LLMResponse:
    """Who answers says so."""
    if not is_worker(request):
        return triage("note_writer")
    return text("the candidate" if is_candidate(request) else "as ever")


def is_drawn(salt: str, id_: str, share: float) -> bool:
    """What the database says of an id: written twice, so that it stays what it is."""
    return int(hashlib.md5((salt + id_).encode()).hexdigest()[:8], 16) / 2**32 < share


async def load_salt(replica: Replica) -> str:
    rows = replica.service.store.read(TENANT)
    return await rows.fetchval("select salt from rollouts order by created_at desc limit 1")


async def load_sides(replica: Replica) -> dict[str, set[str]]:
    """By thread, the sides that its runs had."""
    rows = replica.service.store.read(TENANT)
    found: dict[str, set[str]] = {}
    for row in await rows.fetch("select thread_id, side from rollout_runs"):
        found.setdefault(row["thread_id"], set()).add(row["side"])
    return found


async def say(replica: Replica, thread_id: str, words: str = "please do it") -> str:
    """The answer; of a run that failed the error's code."""
    events = await replica.collect(await replica.submit(thread_id, words))
    last = events[-1]
    return last["data"]["content"] if last["event"] == "done" else last["data"]["code"]


@dataclass
class PricedModels:
    """`ScriptedModels` whose every call has a price."""

    first: ScriptedProvider
    prices: Mapping[str, OwnPrice] = field(default_factory=lambda: PRICES)
    provider = "scripted"

    def __post_init__(self) -> None:
        prices = Prices(self.prices)
        self._handle = ModelHandle("scripted", "scripted-1", self.first, prices=prices)
        self.outputs = self._handle.outputs

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return (self._handle,)

    def resolve(self, role: str, worker: str | None = None) -> Any:
        return self._handle
