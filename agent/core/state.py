"""The state of a run: one plain dict, JSON to the last leaf, changed only by `merge_state`.

A node returns an update; the recorded list of `(node, update, next_node)` is the complete history
of a run, and the state at any step is `fold_steps` of what was recorded before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NotRequired, TypedDict

from ..base.messages.contents import make_user_message
from ..types import FastIntent, FastQuery, Message, Tokens, Update

END: Final = "END"
START_NODE: Final = "intent_classifier"


class AgentState(TypedDict):
    """The data of a run. A node changes it only by returning an update."""

    messages: list[Message]  # appended; the part of the thread that this run loaded, oldest first
    route_to: str  # the next node, or END
    success_criteria: str  # what a good answer must hold, for the evaluator; "" when not triaged
    feedback: str  # the evaluator's wish for the next try; "" when there is none
    done: bool
    fast_intent: FastIntent | None
    entity_type: str | None  # an entity's name, with fast_intent
    query: FastQuery | None  # with fast_intent
    result: Any  # what a fast path found; None otherwise
    tokens: Tokens  # added up over the run: all input, all output
    data: dict[str, Any]  # the pack's declared fields, kept per thread


class StepRecord(TypedDict):
    """A stored step with what `fold_steps` needs to rebuild the state."""

    n: int
    node: str
    update: Update
    next_node: str
    avoided: NotRequired[list[dict[str, Any]]]
    notes: NotRequired[list[str]]


_REPLACED: Final = frozenset(
    {
        "route_to",
        "success_criteria",
        "feedback",
        "done",
        "fast_intent",
        "entity_type",
        "query",
        "result",
    }
)


def initialize_state(
    messages: str | Sequence[Message] = (),
    data: Mapping[str, Any] | None = None,
    start: str = START_NODE,
) -> AgentState:
    """Create the state with which a run begins.

    messages: the thread with the message to answer at its end, or that message's words. data: the
    pack's fields as the thread has them. start: the first node.
    """
    return {
        "messages": [make_user_message(messages)] if isinstance(messages, str) else [*messages],
        "route_to": start,
        "success_criteria": "",
        "feedback": "",
        "done": False,
        "fast_intent": None,
        "entity_type": None,
        "query": None,
        "result": None,
        "tokens": {"in": 0, "out": 0},
        "data": dict(data or {}),
    }


def merge_state(state: AgentState, update: Mapping[str, Any], node: str = "?") -> AgentState:
    """Return a copy of the state that includes a node's update.

    `messages` are appended, `tokens` added, `data` merged key by key, all else replaced.

    >>> before = initialize_state()
    >>> merge_state(before, {"tokens": {"in": 3, "out": 1}}, "x")["tokens"]
    {'in': 3, 'out': 1}

    Raises: KeyError naming node and key when the key is not part of the state.
    """
    merged: Any = dict(state)
    for key, value in update.items():
        if key == "messages":
            merged[key] = [*state["messages"], *value]
        elif key == "tokens":
            old = state["tokens"]
            merged[key] = {"in": old["in"] + value["in"], "out": old["out"] + value["out"]}
        elif key == "data":
            merged[key] = {**state["data"], **value}
        elif key in _REPLACED:
            merged[key] = value
        else:
            raise KeyError(f"the node {node!r} returned the unknown state key {key!r}: use `data`")
    return merged


def apply_step(
    state: AgentState, node: str, update: Mapping[str, Any], next_node: str
) -> AgentState:
    """Return the state after one step, with its update merged and the next node set."""
    moved = {**update, "route_to": next_node, "done": next_node == END}
    return merge_state(state, moved, node)


def fold_steps(initial: AgentState, steps: Iterable[StepRecord]) -> AgentState:
    """Return the initial state with the recorded steps applied, in order."""
    state = initial
    for step in steps:
        state = apply_step(state, step["node"], step["update"], step["next_node"])
    return state
