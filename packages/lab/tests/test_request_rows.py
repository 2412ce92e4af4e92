"""Reports as rows for a table of routes: the engine must find again what they are learnt by."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from packages.lab.tests.replay.test_measures import CALL, make_item, make_turn
from packages.lab.tests.replay.test_report import report_all
from plainloop.agent.errors import InputError
from plainloop_lab.comparing.comparison import Comparison, compare_conversation
from plainloop_lab.decide.request_rows import KNOWN, join_reports
from plainloop_lab.decide.routing import Outcomes, learn
from plainloop_lab.selection.features import is_known

SAID = {0: "Which room is free?", 1: "Take it."}


def compare(n: int, *, has_answer: bool = True) -> Comparison:
    """Two turns, of which the second calls no tool."""
    turns = [make_turn(), make_turn(turn=1, tools=[])]
    items = {"baseline": make_item(turns), "candidate": make_item(turns if has_answer else None)}
    return compare_conversation(n, f"t{n}", SAID, turns, items)


def write(folder: Path, *found: Comparison) -> Path:
    report_all(folder, found)
    return folder


def test_a_request_row_contains_only_features_known_before_the_turn(tmp_path: Path) -> None:
    found = compare(0)
    found["tags"] = ["vip"]
    reports = {"small": write(tmp_path, found)}
    rows = join_reports(reports, KNOWN, "failed", {"baseline": 10.0, "small": 0.0})
    assert rows.features == [
        ("clerk", "question", "english", "19", "1 turn", "none", "vip"),
        ("clerk", "request", "english", "8", "2–3 turns", CALL["name"], "vip"),
    ]
    assert rows.models == {"baseline": 10.0, "small": 0.0}
    assert rows.quality == {"baseline": [1.0, 1.0], "small": [1.0, 1.0]}
    assert len({*rows.tasks}) == 1
    assert [name for name in KNOWN if not is_known(name)] == []


def test_routing_counts_copies_of_a_conversation_as_one_task(tmp_path: Path) -> None:
    reports = {"small": write(tmp_path, compare(1), compare(2))}
    rows = join_reports(reports, ["worker"], "failed", {"baseline": 10.0, "small": 0.0})
    assert (len(rows), len({*rows.tasks})) == (4, 1)


def test_routing_scores_a_request_without_an_answer_worst(tmp_path: Path) -> None:
    reports = {"small": write(tmp_path, compare(0), compare(1, has_answer=False))}
    rows = join_reports(reports, ["worker"], "same_tools", {"small": 1.0})
    assert rows.quality["small"] == [1.0, 1.0, 0.0, 0.0]


def test_routing_reports_of_single_turns_refuse_features_of_earlier_ones(tmp_path: Path) -> None:
    found = compare(0)
    found["task"] = "a thread"
    reports = {"small": write(tmp_path, found)}
    with pytest.raises(InputError, match="without their earlier turns"):
        join_reports(reports, ["length"], "failed", {})
    assert join_reports(reports, ["intent"], "failed", {}).tasks == ["a thread", "a thread"]
    with pytest.raises(InputError, match="scores turns from 0 to 1"):
        join_reports(reports, ["intent"], "duration_ms", {})


def test_routing_counts_a_conversations_turns_as_one_observation() -> None:
    draw = random.Random(1)
    tasks = [f"t{n}" for n in range(8) for _ in range(100)]
    right = [float(draw.random() < 0.95) for _ in tasks]
    quality = {"large": right, "small": right}
    costs, features = {"large": 10.0, "small": 1.0}, [("x",)] * len(tasks)
    assert learn(Outcomes(costs, features, quality), ["by"], 0.02).routes
    assert not learn(Outcomes(costs, features, quality, tasks), ["by"], 0.02).routes
