"""Recorded threads through the code of today, under the designs that they were made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, cast

from ...config.settings import Settings
from ...core.context import Node, RequestContext
from ...core.spec import Check, Pack
from ...core.state import START_NODE, AgentState
from ...core.tools import Tool
from ...designs.base import NodeTable, load_design, make_agent
from ...designs.react import read_prompt
from ...errors import ConfigError
from ...intents.remembered.memory import RULE
from ...types import Update
from ..sources.lent_tools import lend_tools
from ..sources.stored import FAST_NODES, StoredThread, StoredTurn
from .recorded import ConversationReplay, TurnReplay, replay_turn
from .recorded_models import make_recorded_tool
from .turn_check import TurnCheck


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
        pack = lend_tools(get_served_pack(turn.pack, packs), turn.lent)
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


def get_served_pack(name: str, packs: Mapping[str, Pack]) -> Pack:
    """Raises: ConfigError."""
    if name not in packs:
        raise ConfigError(f"the pack {name!r} is not served", hint="set AGENT_PACKS")
    return packs[name]


def close_pack(pack: Pack, turn: StoredTurn) -> Pack:
    """The pack with recorded tools and checks; nothing of it is stored."""
    results, problems = turn.recorded.results, turn.recorded.problems
    data = _find_call_data(turn)
    tools: list[Tool] = [
        make_recorded_tool(tool.schema, results, data, tool.effect) for tool in pack.tools
    ]

    async def check(state: AgentState, ctx: RequestContext) -> Check:
        return Check(problems.get(ctx.journal.step, ()))

    workers = [replace(w, check=check if w.check else None, accept=None) for w in pack.workers]
    return replace(pack, tools=tuple(tools), workers=tuple(workers), load_prompt_context=None)


def build_closed_table(pack: Pack, turn: StoredTurn) -> NodeTable:
    """The design's node table; its fast paths, and what was remembered of triage, answer from the
    recording.

    Raises: ConfigError for a design that runs as one step: it has no nodes to follow.
    """
    agent = make_agent(load_design(turn.design), None)
    if not hasattr(agent, "build_nodes"):
        raise ConfigError(
            f"the design {turn.design!r} has no nodes, so its runs cannot be replayed recorded",
            hint="Give it build_nodes (agent/designs/base.py), or replay live.",
        )
    table: NodeTable = agent.build_nodes(pack)
    steps = turn.recorded.steps

    def close(name: str, node: Node) -> Node:
        async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            recorded = steps[ctx.journal.step] if ctx.journal.step < len(steps) else None
            update = recorded.update if recorded else {}
            result: Any = update.get("result") or {}
            if recorded is None:
                return await node(state, ctx)
            if name != START_NODE and "result" in update:
                return {"result": update["result"]}, recorded.next_node
            # What was remembered of triage then may be forgotten by now.
            if name == START_NODE and str(result.get("rule", "")).startswith(RULE):
                return cast(Update, update), recorded.next_node
            return await node(state, ctx)

        return answer

    closed = {
        name: close(name, node)
        for name, node in table.nodes.items()
        if name in (*FAST_NODES, START_NODE)
    }
    return NodeTable({**table.nodes, **closed}, table.start)


def find_prompt_context(pack: Pack, system: str) -> str:
    """Find what followed a worker's own prompt in its system prompt.

    Where that prompt is another now, it ends where it is most like one of today's.
    """
    prompts = [worker.prompt for worker in pack.workers] + [read_prompt()]
    for prompt in sorted(prompts, key=len, reverse=True):
        if system.startswith(prompt):
            return system.removeprefix(prompt).removeprefix("\n\n")
    parts = system.split("\n\n")

    def rate(count: int) -> float:
        head = "\n\n".join(parts[:count]).split()
        matchers = (SequenceMatcher(None, head, p.split(), autojunk=False) for p in prompts)
        return max(matcher.ratio() for matcher in matchers)

    best = max(range(1, len(parts) + 1), key=rate)
    return "\n\n".join(parts[best:])


def _find_call_data(turn: StoredTurn) -> dict[str, dict[str, Any]]:
    """What each step's calls set in the pack's fields: told by its last call that succeeded."""
    found: dict[str, dict[str, Any]] = {}
    for step in turn.recorded.steps:
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
