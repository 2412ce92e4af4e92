"""What a gate knows of shared answers: before anything is bought, and of a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.sharing import Brain, make_models, make_plan
from packages.lab.tests.replay.test_measures import make_item, make_turn
from packages.lab.tests.replay.test_report import HEAD, write_live
from packages.lab.tests.replay.test_sharing import record, work
from plainloop_lab.decide.touching import find_touched
from plainloop_lab.live.lane import Lane
from plainloop_lab.live.plan import CANDIDATE
from plainloop_lab.service.lanes import fit_lanes
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.machine.conftest import machine as machine
from tests.machine.running import TENANT, Machine

RULES = '[[rule]]\nmeasure = "same_tools"\nmargin = "5pp"\n'


@pytest.fixture
async def recorded(machine: Any) -> Machine:
    return await machine(models=make_models(Brain(work)))


@pytest.mark.parametrize(("prompt", "touched"), [("", 0), ("Note with care.", 2)])
async def test_a_gates_plan_counts_turns_affected_by_a_changed_prompt(
    prompt: str, touched: int, recorded: Machine
) -> None:
    threads = await record(recorded, 2)
    brain, settings, pack = Brain(work), recorded.service.settings, recorded.service.pack
    prompts = {pack.workers[0].name: prompt} if prompt else {}
    plan = make_plan(baseline=False, drift=1.0, prompts=prompts)
    lanes = {
        name: Lane(name, settings, make_models(brain), {pack.name: pack}, None, lane.prompts)
        for name, lane in plan.all_lanes.items()
    }
    lane = fit_lanes(plan, lanes)[CANDIDATE]
    found = await find_touched(recorded.store, TENANT, threads, plan, lane)
    assert brain.requests == []
    assert (found.conversations, found.touched) == (2, touched)
    calls = len(recorded.provider.requests)
    assert found.shared_calls == calls - 2 * touched, "who answers is found out as it was"
    assert found.bought_calls == 2 * touched
    assert found.shared_tokens == 15 * found.shared_calls


def write_report(folder: Path, *, is_drifted: bool, tasks: int = 60) -> None:
    """A candidate whose every call was taken from the recording."""
    shared: Any = {"calls": 1, "tokens": 10, "cost_usd": "0.01"}
    taken: Any = {**make_turn(), "calls": 1, "shared": shared}
    today = make_turn(text="What an odd thing to say") if is_drifted else make_turn()
    drift = make_item([today])
    lanes = {"candidate": make_item([taken]), "drift": drift, "drift_again": drift}
    head = {**HEAD, "lanes": {"candidate": HEAD["lanes"]["candidate"]}}
    write_live(folder, [lanes] * tasks, head)


async def test_a_gate_of_shared_answers_is_undecided_after_provider_drift(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    same = "no difference; 0 of 60 conversations used the change"
    void = "answers shared with the recording are not valid"
    for drifted, code, verdict, told in ((False, 0, "passed", same), (True, 10, "undecided", void)):
        write_report(tmp_path / "report", is_drifted=drifted)
        done = await plainloop("gate", "rules.toml", "-c", "report")
        assert (done.code, done.out.splitlines()[-1]) == (code, f"verdict: {verdict}"), done
        assert told in done.out


async def test_a_gate_needs_fewer_tasks_if_a_change_affects_few_turns(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES.replace("same_tools", "reward"))
    talks = [
        {
            "conversation_id": f"t{n}",
            "reward": n % 2,
            "cost_usd": 0.01,
            "messages": [
                {"role": "user", "content": f"{n}"},
                {"role": "assistant", "content": "x"},
            ],
        }
        for n in range(100)
    ]
    (tmp_path / "then.jsonl").write_bytes(b"\n".join(map(orjson.dumps, talks)))
    asked = ("gate", "rules.toml", "--plan", "-b", "then.jsonl")
    whole, little = [(await plainloop(*asked, *more)).out for more in ((), ("--touched", "0.11"))]
    tasks = [int(told.splitlines()[1].split()[-3].replace(",", "")) for told in (whole, little)]
    assert tasks[1] < tasks[0] / 3, (whole, little)
    assert "the candidate changes 11% of the conversations" in little
