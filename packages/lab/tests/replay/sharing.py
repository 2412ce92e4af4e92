"""A replay in this process whose models are functions, over the real store: what it buys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, ModelInfo, StreamDelta
from plainloop_lab.live.lane import Lane
from plainloop_lab.live.plan import LanePlan, LivePlan
from plainloop_lab.report.live_report import report_replay
from plainloop_lab.service.lanes import fit_lanes
from plainloop_lab.service.worker import NewItem, ReplayWorker, create_replay
from plainloop_lab.store import replays as store_replays
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import ScriptedModels, text

SENT = create_provider("openai", "no-key", "gpt-4o-mini")


@dataclass
class Brain:
    """A model that is a function; `build_sent` is the real one of OpenAI's protocol."""

    think: Callable[[ChatRequest], LLMResponse | Exception] = lambda request: text("ok")
    provider: str = "openai"
    model: str = "gpt-4o-mini"
    sent: Any = SENT
    requests: list[ChatRequest] = field(default_factory=list[ChatRequest])

    def build_sent(self, request: ChatRequest) -> Any:
        return self.sent.build_sent(request)

    async def generate(self, request: ChatRequest) -> LLMResponse:
        self.requests.append(request)
        found = self.think(request)
        if isinstance(found, Exception):
            raise found
        return found

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        found = await self.generate(request)
        yield StreamDelta(text=found.text)
        yield found

    async def list_models(self) -> list[ModelInfo]:
        return []


def make_models(*brains: Brain) -> Any:
    chain: Any = brains
    return ScriptedModels(*chain)


@dataclass
class Replayed:
    """A replay that has ended. brains: by lane, who was asked."""

    info: store_replays.ReplayInfo
    summary: Mapping[str, Any]
    brains: Mapping[str, Brain]

    @property
    def bought(self) -> dict[str, int]:
        return {lane: len(brain.requests) for lane, brain in self.brains.items()}


async def replay_threads(
    run: Machine,
    thread_ids: list[str],
    plan: LivePlan,
    think: Mapping[str, Callable[[ChatRequest], LLMResponse | Exception]],
    *,
    replay_id: str | None = None,
    concurrency: int = 2,
) -> Replayed:
    """think: by lane; the drift lanes' is `drift`. replay_id: one to go on with."""
    store, settings = run.store, run.service.settings
    if replay_id is None:
        items = [NewItem(thread_id=thread_id) for thread_id in thread_ids]
        replay_id = await create_replay(store, TENANT, USER, items, plan, "test", None)
    info = await store_replays.load_replay(store.read(TENANT), None, replay_id)
    brains = {name: Brain(think[name.partition("_")[0]]) for name in plan.all_lanes}
    pack = run.service.pack
    lanes = {
        name: Lane(name, settings, make_models(brain), {pack.name: pack}, None, lane.prompts)
        for (name, lane), brain in zip(plan.all_lanes.items(), brains.values(), strict=True)
    }
    lanes = fit_lanes(plan, lanes)
    await ReplayWorker(store, TENANT, info, lanes).run(concurrency)
    info = await store_replays.load_replay(store.read(TENANT), None, replay_id)
    report = await report_replay(store, TENANT, info, None)
    return Replayed(info, report["summary"], brains)


def make_plan(
    *, baseline: bool, drift: float = 0.0, prompts: Mapping[str, str] | None = None
) -> LivePlan:
    first = {"baseline": LanePlan()} if baseline else {}
    return LivePlan({**first, "candidate": LanePlan(prompts=dict(prompts or {}))}, drift=drift)
