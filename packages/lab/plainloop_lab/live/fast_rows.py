"""Rows that fast paths found in a recorded turn, for a replay that asks for them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, cast

from plainloop.agent.core.context import Node, RequestContext
from plainloop.agent.core.state import START_NODE, AgentState
from plainloop.agent.intents.remembered.memory import RULE
from plainloop.agent.types import Update
from plainloop_lab.replay.sources.recording import RecordedStep
from plainloop_lab.replay.sources.stored import FAST_NODES


class FastRows(NamedTuple):
    """A recorded result. by_rule: a rule asked, which may be wrong; else a model's triage did."""

    query: list[Any]  # intent, entity, query
    by_rule: bool
    result: dict[str, Any]

    @property
    def is_missed(self) -> bool:
        """Whether the recorded database query found nothing."""
        return "missed" in self.result


def collect_fast_rows(steps: Sequence[RecordedStep]) -> dict[str, list[FastRows]]:
    """Collect what fast paths (answers without a model) read from the database in a turn.

    Returns their results by node, in order.
    """
    found: dict[str, list[FastRows]] = {}
    state: dict[str, Any] = dict.fromkeys(("fast_intent", "entity_type", "query", "result"))
    for step in steps:
        if step.node in FAST_NODES and "result" in step.update:
            rows = FastRows(*_read_request(state), step.update["result"])
            found.setdefault(step.node, []).append(rows)
        state |= {key: step.update[key] for key in state if key in step.update}
    return found


def collect_remembered(steps: Sequence[RecordedStep]) -> dict[int, tuple[Update, str]]:
    """Collect the recorded routes that triage took from learned sentences, without a model.

    Keys count the start node's visits from 0. Each is (the update, the next node).
    """
    found: dict[int, tuple[Update, str]] = {}
    for visit, step in enumerate(step for step in steps if step.node == START_NODE):
        result: Any = step.update.get("result") or {}
        if isinstance(result, dict) and str(result.get("rule", "")).startswith(RULE):  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            found[visit] = cast(Update, step.update), step.next_node
    return found


def make_remembering_node(node: Node, remembered: Mapping[int, tuple[Update, str]]) -> Node:
    """Wrap the start node, so that it repeats the recorded routes from learned sentences.

    Today it may be forgotten, and the compared variant would pay for triage that nobody paid for.
    """
    visits = count()

    async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        known = remembered.get(next(visits))
        return await node(state, ctx) if known is None else known

    return answer


def make_fast_node(node: Node, recorded: Sequence[FastRows]) -> Node:
    """Make a fast-path node (answers without a model) that repeats recorded rows.

    Only a query that is as recorded gets them. A further equal query gets the last rows
    again; another query, or one without a match, reads today's.
    """
    left = [*recorded]

    def take(query: list[Any], by_rule: bool) -> FastRows | None:
        same = [rows for rows in left if rows.query == query]
        # What a rule missed sends the turn to triage: given to triage's own query, it would do so
        # without end (`test_a_replayed_fast_path_without_a_result_goes_to_triage_once`).
        alike = [rows for rows in same if rows.by_rule == by_rule]
        for rows in [*alike, *(rows for rows in same if not rows.is_missed)]:
            left.remove(rows)
            return rows
        spent = [rows for rows in recorded if rows.query == query and not rows.is_missed]
        return spent[-1] if spent else None

    async def answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        rows = take(*_read_request(state))
        if rows is None:
            return await node(state, ctx)
        return {"result": rows.result}, START_NODE if rows.is_missed else "format_result"

    return answer


def _read_request(state: Any) -> tuple[list[Any], bool]:
    """Return (the query of a fast path, whether a rule chose it) from a run's state."""
    result: Any = state["result"]
    query = [state["fast_intent"], state["entity_type"], state["query"]]
    return query, isinstance(result, dict) and "rule" in result
