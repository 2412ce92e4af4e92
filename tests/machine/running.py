"""A service whose models are scripted, over the real store; and what a client sees of a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from agent.config import Settings
from agent.core.history import make_text_message
from agent.core.policy import seal_messages
from agent.core.records import CallInfo, RunInfo, StepInfo, ToolCallRecord
from agent.core.state import AgentState, fold_steps, initialize_state
from agent.events import TERMINAL, Event
from agent.providers.types import Message
from agent.runner import RunOutcome, Service
from tests.machine.scripted import ScriptedProvider

TENANT, USER = "acme", "ann"


def fold_text(events: list[Event]) -> str:
    """The answer as a client builds it from the stream."""
    text = ""
    for event in events:
        if event["event"] == "text_delta":
            text += event["data"]["content"]
        elif event["event"] == "text_reset":
            text = ""
    return text


@dataclass
class Told:
    """One message's run as its viewer saw it."""

    events: list[Event] = field(default_factory=list)
    outcome: RunOutcome | None = None
    error: BaseException | None = None

    @property
    def answer(self) -> str:
        assert self.outcome is not None, self.error
        return self.outcome.answer

    @property
    def text(self) -> str:
        return fold_text(self.events)

    @property
    def last(self) -> tuple[str, dict[str, Any]]:
        return self.events[-1]["event"], self.events[-1]["data"]

    @property
    def nodes(self) -> list[str]:
        return [e["data"]["node"] for e in self.events if e["event"] == "node_start"]

    @property
    def run_id(self) -> str:
        return self.events[0]["data"]["run_id"]

    def list_events(self, *names: str) -> list[dict[str, Any]]:
        return [e["data"] for e in self.events if e["event"] in names]

    def check_stream(self) -> None:
        """Numbered from 1 without a gap; exactly one terminal event, the last."""
        assert [e["seq"] for e in self.events] == list(range(1, len(self.events) + 1))
        assert [e["event"] for e in self.events if e["event"] in TERMINAL] == [self.last[0]]


class Machine:
    """One thread of a service."""

    def __init__(self, service: Service, thread_id: str, provider: ScriptedProvider) -> None:
        self.service = service
        self.store = service.store
        self.thread_id = thread_id
        self.provider = provider  # the first of the chain

    async def ask(self, text: str = "please do it") -> Told:
        """Run one message; errors that a run ends with are kept, not raised."""
        told = Told()
        try:
            told.outcome = await self.service.answer(
                TENANT, USER, self.thread_id, text, told.events.append
            )
        except Exception as error:
            told.error = error
        return told

    async def load_messages(self) -> list[Message]:
        return await self.store.load_messages(TENANT, self.thread_id)

    async def load_plain(self) -> list[Message]:
        """The stored messages without their sizes."""
        return [
            {"role": message["role"], "parts": message["parts"]}
            for message in await self.load_messages()
        ]

    async def load_steps(self, told: Told) -> list[StepInfo]:
        return await self.store.load_steps(TENANT, told.run_id)

    async def load_run(self, told: Told) -> RunInfo:
        return await self.store.load_run(TENANT, USER, told.run_id)

    async def list_tool_calls(self, told: Told) -> list[ToolCallRecord]:
        return await self.store.list_tool_calls(TENANT, told.run_id)

    async def list_calls(self, told: Told) -> list[CallInfo]:
        return await self.store.list_calls(TENANT, told.run_id)

    async def load_data(self) -> dict[str, Any]:
        return (await self.store.load_thread(TENANT, USER, self.thread_id)).data

    async def list_notes(self) -> list[tuple[str, int]]:
        """The rows of the test pack, in order: text and stars."""
        rows = await self.store.read(TENANT).fetch(
            "SELECT text, stars FROM notes WHERE tenant_id = $1 ORDER BY note_id", TENANT
        )
        return [(row["text"], row["stars"]) for row in rows]

    async def fold(self, told: Told, before: list[Message], text: str, data: Any) -> AgentState:
        """The state as the recorded steps give it."""
        asked = seal_messages(before, [make_text_message("user", text)])
        start = self.service_start()
        state = initialize_state([*before, *asked], data, start)
        steps = await self.load_steps(told)
        return fold_steps(
            state,
            [
                {"n": s.n, "node": s.node, "update": s.update, "next_node": s.next_node}
                for s in steps
            ],
        )

    def service_start(self) -> str:
        agent = self.service.make_agent(self.thread_id)
        return agent.build_nodes(self.service.pack).start


def change_settings(settings: Settings, **changes: Any) -> Settings:
    """Settings with other limits; `design` and `triage` are the agent's own."""
    agent = {key: changes.pop(key) for key in ("design", "triage") if key in changes}
    return replace(
        settings,
        limits=replace(settings.limits, **changes),
        agent=replace(settings.agent, **agent),
    )
