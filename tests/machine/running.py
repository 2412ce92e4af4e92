"""A service whose models are scripted, over the real store; and what a client sees of a run."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import Any, get_args, get_type_hints

import msgspec
import orjson

from plainloop.agent import events
from plainloop.agent.base.messages.contents import (
    get_text,
    make_last_words,
    make_text_message,
    seal_messages,
)
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.context import Node, RequestContext
from plainloop.agent.core.state import AgentState, fold_steps, initialize_state
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.events import TERMINAL, Event
from plainloop.agent.service.service import RunOutcome, Service
from plainloop.agent.store.records import CallInfo, RunInfo, StepInfo, ToolCallRecord
from plainloop.agent.types import Message, RunRequest, Update
from tests.fixtures import change_table
from tests.machine.scripted import ScriptedProvider

TENANT, USER = "acme", "ann"


AGENT_KEYS = ("design", "triage", "remember", "reasoning", "fetch_more", "offered_tools")
# What each event's data is.
SHAPES: dict[str, Any] = {
    get_args(told["event"])[0]: told["data"]
    for told in map(get_type_hints, get_args(events.RunEvent))
}


def check_shape(event: Event) -> None:
    """The event's data is what `agent/events.py` says, no key more or less."""
    shape = SHAPES[event["event"]]
    given = set(event["data"])
    assert shape.__required_keys__ <= given <= set(get_type_hints(shape)), event
    msgspec.convert(event["data"], shape)


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
        for event in self.events:
            check_shape(event)


class Machine:
    """One thread of a service."""

    def __init__(self, service: Service, thread_id: str, provider: ScriptedProvider) -> None:
        self.service = service
        self.store = service.store
        self.thread_id = thread_id
        self.provider = provider  # the first of the chain

    async def ask(self, text: str = "please do it") -> Told:
        """Run one message; errors that a run ends with are kept, not raised."""
        return await self.ask_table(await self._build_table(), text)

    async def ask_watched(self, text: str) -> Told:
        """The same; a node that changes the state that it is given fails the run."""
        table = await self._build_table()
        watched = {name: watch_node(name, node) for name, node in table.nodes.items()}
        return await self.ask_table(NodeTable(watched, table.start), text)

    async def _build_table(self) -> NodeTable:
        thread = await self.store.load_thread(TENANT, USER, self.thread_id)
        start = self.service.make_start(thread, RunRequest(None))
        return self.service.build_run_table(start, thread.kind)

    async def ask_table(self, table: NodeTable, text: str) -> Told:
        """The same with another node table."""
        told = Told()
        try:
            told.outcome = await self.service.run_table(
                table, TENANT, USER, self.thread_id, text, told.events.append
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

    async def fold(self, run_id: str, before: list[Message], text: str, data: Any) -> AgentState:
        """The state as the recorded steps give it."""
        asked = seal_messages(before, [make_text_message("user", text)])
        state = initialize_state([*before, *asked], data, self.service_start())
        steps = await self.store.load_steps(TENANT, run_id)
        return fold_steps(
            state,
            [
                {"n": s.n, "node": s.node, "update": s.update, "next_node": s.next_node}
                for s in steps
            ],
        )

    async def check_records(
        self,
        run_id: str,
        text: str,
        before: list[Message] | None = None,
        data: dict[str, Any] | None = None,
    ) -> AgentState:
        """However the run ended, the thread is the fold of its steps and then its last words.

        before, data: the thread's until then. Returns the state that all of it amounts to.
        """
        stored = await self.load_messages()
        state = await self.fold(run_id, before or [], text, data or {})
        folded = state["messages"]
        assert stored[: len(folded)] == folded
        rest = stored[len(folded) :]
        said = get_text(rest[-1]) if rest and rest[-1]["role"] == "assistant" else ""
        assert rest == make_last_words(
            folded, said, self.service.get_registry(self.service.pack).undone
        )
        assert not (state["done"] and rest)
        assert await self.load_data() == state["data"]
        assert orjson.loads(orjson.dumps(state)) == state, "JSON to the last leaf"
        return {**state, "messages": stored}

    def service_start(self) -> str:
        agent = self.service.make_agent(self.thread_id)
        return agent.build_nodes(self.service.pack).start


def watch_node(name: str, node: Node) -> Node:
    async def watched(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        before = copy.deepcopy(state)
        try:
            return await node(state, ctx)
        finally:
            assert state == before, f"{name} changed the state that it was given"

    return watched


def change_settings(settings: Settings, **changes: Any) -> Settings:
    """Settings with other limits; AGENT_KEYS are the agent's own, `agents`, `route_table`
    and `rates` the top ones.
    """
    agent = {key: changes.pop(key) for key in AGENT_KEYS if key in changes}
    top = {key: changes.pop(key) for key in ("agents", "route_table", "rates") if key in changes}
    settings = change_table(settings, "limits", **changes)
    return replace(settings, **top, agent=replace(settings.agent, **agent))
