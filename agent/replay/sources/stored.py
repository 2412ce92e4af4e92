"""Stored threads as recordings: every run with its steps, answers, results, and what it knew then.

What a node learns from outside is part of the recording: model answers, tool results, the rows of
a fast path, the findings of an evaluator's check, what prompts said of the user. So a replay
needs the data of then, not today's.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from ...config.settings import Settings
from ...core.context import Node, RequestContext
from ...core.spec import Check, Pack, WorkerSpec
from ...core.state import AgentState
from ...core.tools import Tool
from ...designs.base import NodeTable, load_design, make_agent
from ...designs.react import read_prompt
from ...errors import ConfigError
from ...store.recordings import RecordedCall, list_recorded_calls
from ...store.records import RunInfo, StepInfo
from ...store.store import Store
from ...types import FunctionResponse, Message, Update
from ..engine.divergence import to_visible
from ..engine.recorded import ConversationReplay, TurnReplay, replay_turn
from ..engine.recorded_models import make_recorded_tool
from ..engine.turn_check import TurnCheck
from .recording import RecordedAnswer, RecordedStep, RecordedTurn

FAST_NODES: Final = ("fast_lookup", "fast_count", "fast_list")


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One run. position: of its user message. data: the pack's fields before it."""

    position: int
    design: str
    pack: str
    recorded: RecordedTurn
    steps: tuple[StepInfo, ...]
    system: str  # a worker's whole prompt then; "" when no worker was asked
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredThread:
    thread_id: str
    user_id: str  # whose it is; "" when nothing was asked in it
    messages: tuple[Message, ...]  # sealed
    turns: tuple[StoredTurn, ...]


async def load_stored(store: Store, tenant_id: str, thread_id: str) -> StoredThread:
    """A thread with all its runs. Queued ones, which did nothing yet, are left out."""
    messages = await store.load_messages(tenant_id, thread_id)
    turns: list[StoredTurn] = []
    data: dict[str, Any] = {}
    runs = await store.list_runs(tenant_id, thread_id)
    for run in runs:
        if run.status == "queued":
            continue
        steps = await store.load_steps(tenant_id, run.run_id)
        async with store.transaction(tenant_id) as tx:
            calls = await list_recorded_calls(tx, run.run_id)
        turns.append(_build_turn(run, run.input_position, steps, calls, messages, data))
        for step in steps:
            data = {**data, **step.update.get("data", {})}
    user_id = runs[0].user_id if runs else ""
    return StoredThread(thread_id, user_id, tuple(messages), tuple(turns))


async def replay_stored(
    thread: StoredThread, packs: Mapping[str, Pack], settings: Settings
) -> ConversationReplay:
    """Replay a stored thread under the designs that it was made with, to its first divergence.

    Raises: ConfigError for a pack or a design that is not there any more.
    """
    replays: list[TurnReplay] = []
    for turn in thread.turns:
        if any(replay.divergence for replay in replays):
            replays.append(TurnReplay("skipped"))
            continue
        pack = packs.get(turn.pack)
        if pack is None:
            raise ConfigError(f"the pack {turn.pack!r} is not served", hint="set AGENT_PACKS")
        history = list(thread.messages[: turn.position])
        replays.append(
            await replay_turn(
                turn.recorded,
                history,
                closed := close_pack(pack, turn),
                build_closed_table(closed, turn),
                TurnCheck(turn.recorded, history),
                settings,
                data=turn.data,
                prompt_context=find_prompt_context(pack, turn.system),
            )
        )
    return ConversationReplay(thread.thread_id, tuple(replays), ())


def close_pack(pack: Pack, turn: StoredTurn) -> Pack:
    """The pack with recorded tools and checks; nothing of it is stored."""
    results, problems = turn.recorded.results, turn.recorded.problems
    data = _find_call_data(turn)
    tools: list[Tool] = [make_recorded_tool(tool.schema, results, data) for tool in pack.tools]
    workers = [_close_worker(worker, problems) for worker in pack.workers]
    return replace(pack, tools=tuple(tools), workers=tuple(workers), load_prompt_context=None)


def build_closed_table(pack: Pack, turn: StoredTurn) -> NodeTable:
    """The design's node table, its fast paths answered from the recording.

    Raises: ConfigError for a design that runs as one step: it has no nodes to follow.
    """
    agent = make_agent(load_design(turn.design), None)
    if not hasattr(agent, "build_nodes"):
        raise ConfigError(
            f"the design {turn.design!r} has no nodes, so its runs cannot be replayed recorded",
            hint="Give it build_nodes (agent/designs/base.py), or replay live.",
        )
    table: NodeTable = agent.build_nodes(pack)
    fast = {
        name: _make_fast_node(node, turn)
        for name, node in table.nodes.items()
        if name in FAST_NODES
    }
    return NodeTable({**table.nodes, **fast}, table.start)


def find_prompt_context(pack: Pack, system: str) -> str:
    """What followed a worker's own prompt in its system prompt.

    Where that prompt is another now, it ends where it is most like one of today's.
    """
    prompts = [worker.prompt for worker in pack.workers] + [read_prompt()]
    for prompt in sorted(prompts, key=len, reverse=True):
        if system.startswith(prompt):
            return system.removeprefix(prompt).removeprefix("\n\n")
    parts = system.split("\n\n")
    heads = {count: "\n\n".join(parts[:count]) for count in range(1, len(parts) + 1)}
    best = max(heads, key=lambda n: max(_compare_texts(heads[n], p) for p in prompts), default=0)
    return "\n\n".join(parts[best:])


def _compare_texts(one: str, other: str) -> float:
    """How alike, 0 to 1, by their words."""
    return difflib.SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio()


def _build_turn(
    run: RunInfo,
    position: int,
    steps: Sequence[StepInfo],
    calls: Sequence[RecordedCall],
    messages: Sequence[Message],
    data: dict[str, Any],
) -> StoredTurn:
    results: dict[str, FunctionResponse] = {}
    for step in steps:
        for message in step.update.get("messages", []):
            results |= {p["id"]: p for p in message["parts"] if p["type"] == "tool_result"}
    recorded = RecordedTurn(
        user=messages[position],
        answers=tuple(_to_answer(call, messages) for call in calls),
        results=results,
        steps=tuple(RecordedStep(s.node, {**s.update}, s.next_node, True) for s in steps),
        is_complete=run.status in ("succeeded", "limit"),
        ends_by_limit=run.status == "limit",
        problems={step.n: _read_problems(step) for step in steps},
    )
    system = next((call.system for call in calls if call.worker and call.role == "worker"), "")
    return StoredTurn(position, run.design, run.pack, recorded, tuple(steps), system, data)


def _to_answer(call: RecordedCall, messages: Sequence[Message]) -> RecordedAnswer:
    shown: list[Message] = [*call.extra]
    if call.first_position is not None and call.last_position is not None:
        shown = [*messages[call.first_position : call.last_position + 1], *call.extra]
    request = {
        "system": call.system,
        "tools": orjson.loads(call.tools) if call.tools else [],
        "messages": to_visible(shown),
    }
    return RecordedAnswer(call.response, call.fingerprint, call.role, request, call.token_factor)


def _read_problems(step: StepInfo) -> tuple[str, ...]:
    """What an evaluator's check found: its verdict lists it where no model was asked."""
    found: dict[str, Any] = step.update.get("result") or {}
    verdicts: list[dict[str, Any]] = found.get("verdicts", [])
    is_judged = any(avoided.role == "evaluator" for avoided in step.avoided)
    if not step.node.endswith(".evaluator") or not verdicts or not is_judged:
        return ()
    feedback: str = verdicts[-1]["feedback"]
    return tuple(line.removeprefix("- ") for line in feedback.splitlines())


def _find_call_data(turn: StoredTurn) -> dict[str, dict[str, Any]]:
    """What each step's calls set in the pack's fields: told by its last call that succeeded."""
    found: dict[str, dict[str, Any]] = {}
    for step in turn.steps:
        calls = [
            part["id"]
            for message in step.update.get("messages", [])
            for part in message["parts"]
            if part["type"] == "tool_result" and not part["is_error"]
        ]
        data = step.update.get("data")
        if calls and data:
            found[calls[-1]] = data
    return found


def _close_worker(worker: WorkerSpec, problems: Mapping[int, tuple[str, ...]]) -> WorkerSpec:
    async def check(state: AgentState, ctx: RequestContext) -> Check:
        return Check(problems.get(ctx.journal.step, ()))

    return replace(worker, check=check if worker.check else None, accept=None)


def _make_fast_node(node: Node, turn: StoredTurn) -> Node:
    """The node's recorded result, where the recording took this way too."""

    async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        recorded = turn.steps[ctx.journal.step] if ctx.journal.step < len(turn.steps) else None
        if recorded is None or "result" not in recorded.update:
            return await node(state, ctx)
        return {"result": recorded.update["result"]}, recorded.next_node

    return answer
