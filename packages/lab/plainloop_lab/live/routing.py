"""Replays of routing alone: a turn ends where its worker would begin, so no answer is bought."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.state import END, START_NODE, AgentState
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.packs.prompts import change_workers
from plainloop.agent.store.records import StepCommit, StepInfo
from plainloop.agent.types import Update
from plainloop_lab.replay.sources.recording import RecordedStep
from plainloop_lab.replay.sources.stored import FAST_NODES

# A value of a fast path's request: its intent or entity, its query, or None.
RequestPart = str | dict[str, Any] | None
# The node in which each role that routes requests calls its model.
NODES: Final = {"classifier": START_NODE, "router": "agent_router"}
_REQUEST: Final = ("fast_intent", "entity_type", "query")


def end_at_workers(pack: Pack, table: NodeTable) -> NodeTable:
    """Return the node table with workers that end the turn without calling a model.

    A replay of only the routing uses it.
    """
    ends = {spec.name: _end for spec in pack.workers if spec.name in table.nodes}
    return NodeTable({**table.nodes, **ends}, table.start)


def drop_checks(pack: Pack) -> Pack:
    """Return the pack without the checks of its workers' answers.

    A replay of only the routing has no answers to check.
    """
    return change_workers(pack, lambda worker: replace(worker, check=None))


def list_queries(steps: Iterable[StepCommit | StepInfo | RecordedStep]) -> list[list[RequestPart]]:
    """List the queries of a turn's fast paths (answers without a model), in order.

    Each is [intent, entity, query].
    """
    state: dict[str, Any] = dict.fromkeys(_REQUEST)
    requests: list[list[RequestPart]] = []
    for step in steps:
        if step.node in FAST_NODES:
            requests.append([*state.values()])
        update: dict[str, Any] = {**step.update}
        state |= {key: update[key] for key in _REQUEST if key in update}
    return requests


async def _end(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    return {}, END
