"""Nodes that a pack puts between a worker's answer and what judges it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from plainloop.agent.base.messages import make_text_message
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.state import AgentState
from plainloop.agent.types import Update
from tests.machine.notes_pack import make_pack
from tests.machine.scripted import text, triage, verdict


async def test_a_packs_node_runs_between_the_answer_and_its_judge(machine: Any):
    async def sign(state: AgentState, ctx: RunView) -> Update:
        return {"messages": [make_text_message("assistant", "Roses. – The poet")]}

    pack = make_pack()
    poet = pack.get_worker("poet")
    assert poet is not None
    workers = (*(w for w in pack.workers if w is not poet), replace(poet, after={"sign": sign}))
    run = await machine(
        triage("poet"), text("Roses."), verdict("pass"), pack=replace(pack, workers=workers)
    )

    told = await run.ask("a poem")

    walked = [(end["node"], end["next"]) for end in told.list_events("node_end")][-3:]
    assert walked == [
        ("poet", "poet.sign"),
        ("poet.sign", "poet.evaluator"),
        ("poet.evaluator", "END"),
    ]
    assert told.answer == "Roses. – The poet"
