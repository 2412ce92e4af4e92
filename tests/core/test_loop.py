"""The loop's own decisions: which node is called, and how much time a run has left."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core import loop
from plainloop.agent.core.context import NodeSpec
from plainloop.agent.core.loop import Progress, dispatch_node, get_step_limit, recorded_end
from plainloop.agent.core.state import initialize_state
from plainloop.agent.store.store import Store
from tests.core.model_calls import make_caller


async def answer(state: Any, ctx: Any) -> Any:
    return {"feedback": "seen"}, "END"


async def test_a_node_is_called_by_its_name_and_unknown_names_are_refused(
    store: Store, settings: Settings
):
    ours = await make_caller(store, settings)
    nodes: Any = {"first": answer, "second": NodeSpec(answer)}
    ctx = replace(ours.ctx, nodes=MappingProxyType(nodes))
    state = initialize_state("hello")
    for name in nodes:
        assert await dispatch_node(name, state, ctx) == ({"feedback": "seen"}, "END")
    with pytest.raises(KeyError) as raised:
        dispatch_node("third", state, ctx)
    assert raised.value.args == ("the design has no node 'third': return one of first, second",)


async def test_the_step_limit_follows_from_turn_limit_and_number_of_nodes(
    store: Store, settings: Settings
):
    turns = {"worker_turns": 3, "react_turns": 2, "onboarding_turns": 1}
    nodes: Any = MappingProxyType({"first": answer, "second": answer})
    limits: list[int] = []
    for more in ("worker_turns", "react_turns", "onboarding_turns"):
        ours = await make_caller(store, settings, **{**turns, more: 7})
        limits.append(get_step_limit(replace(ours.ctx, nodes=nodes)))
    assert limits == [16, 16, 16]


@pytest.mark.parametrize(
    ("used_s", "is_timed", "left_s"),
    [
        (0.0, True, 300.0),
        (100.5, True, 199.5),
        (300.0, True, 0.0),
        (900.0, True, 0.0),
        (900.0, False, None),
    ],
)
async def test_a_resumed_run_has_the_time_its_earlier_attempts_left(
    used_s: float,
    is_timed: bool,
    left_s: float | None,
    store: Store,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
):
    limits: list[float | None] = []
    real = loop.WorkLimit

    def watch(seconds: float | None) -> Any:
        limits.append(seconds)
        return real(None)

    monkeypatch.setattr(loop, "WorkLimit", watch)
    ours = await make_caller(store, settings, run_timeout_s=300.0)
    ctx = replace(ours.ctx, run=replace(ours.ctx.run, used_s=used_s))
    async with recorded_end(Progress(initialize_state("hello")), ctx, is_timed=is_timed):
        pass
    assert limits == [left_s]
