"""A judge that looks at the place is named so, and decides nothing."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.replay.test_measures import make_item, make_turn
from packages.lab.tests.replay.test_report import report_all, write_live
from plainloop.agent.errors import InputError
from plainloop_lab.commands.files import write_json
from plainloop_lab.comparing.judge import decide
from plainloop_lab.decide.judges import calibrate, read_labels, render_calibration
from plainloop_lab.decide.labelling import list_questions
from plainloop_lab.replay.report.report_files import REPORT_FILE, list_report
from tests.cli.conftest import Command

RULES = '[[rule]]\nmeasure = "judged"\nmargin = 0.1\n'


def write_judged(folder: Path, answers: list[tuple[str, str]]) -> Path:
    whole = make_item([make_turn()])
    judged: list[Any] = [
        {"turn": 0, "winner": decide(*said), "reasons": [], "answers": list(said)}
        for said in answers
    ]
    lanes = ({"baseline": whole, "candidate": whole, "judge": make_item([one])} for one in judged)
    return write_live(folder, lanes)


@pytest.mark.parametrize(
    ("answers", "doubt"),
    [
        ([("A", "A")] * 30, 'the judge says "A" whatever the answers are'),
        ([("tie", "tie")] * 200, 'the judge says "tie" whatever the answers are'),
        (
            [("A", "A")] * 20 + [("B", "A")] * 10,
            "the judge's verdict depends on the order of the answers in 67% of turns, "
            "mostly in favour of A",
        ),
        (
            [("B", "A")] * 9,
            "the judge was called for 9 turns only: with fewer than 10, it is unknown whether it "
            "prefers a position",
        ),
        (
            [("B", "A"), ("A", "B")] * 45 + [("B", "")] * 10,
            "the judge gave no readable verdict in 10 of 100 turns",
        ),
    ],
)
def test_an_unreliable_judge_is_reported_with_the_reason(
    answers: list[tuple[str, str]], doubt: str, tmp_path: Path
) -> None:
    found = calibrate(write_judged(tmp_path, answers))
    told = render_calibration(found)
    unread = sum("" in said for said in answers)
    assert (found.doubt, told[-1]) == (doubt, doubt)
    assert (f"unreadable: {unread} turns · not judged: 0" in told) == bool(unread)


async def test_unreadable_judge_answers_count_for_no_side(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    write_judged(tmp_path / "mute", [("", "")] * 200)
    done = await plainloop("gate", "rules.toml", "-c", "mute")
    told = "undecided: the judge gave no readable verdict in 200 of 200 turns"
    assert (done.code, told in done.out) == (10, True), done


def test_a_judge_is_compared_with_human_labels(tmp_path: Path) -> None:
    report = write_judged(tmp_path / "r", [("B", "A")] * 20 + [("A", "B")] * 20)
    winners = {n: "candidate" if n < 20 else "reference" for n in range(0, 40, 2)}
    lines = [
        f'{{"conversation_id": "t{n}", "turn": 0, "winner": "{winner}"}}'
        for n, winner in winners.items()
    ]
    (tmp_path / "good.jsonl").write_text("\n".join(lines))
    good = calibrate(report, read_labels(tmp_path / "good.jsonl"))
    assert (good.labelled, good.matched, good.kappa, good.doubt) == (20, 20, 1.0, "")
    other = [line.replace("reference", "candidate") for line in lines]
    (tmp_path / "bad.jsonl").write_text("\n".join(other))
    bad = calibrate(report, read_labels(tmp_path / "bad.jsonl"))
    assert bad.kappa == 0.0
    assert "not proven that the judge agrees with people" in bad.doubt
    (tmp_path / "odd.jsonl").write_text('{"conversation_id": "t1", "turn": 0, "winner": "me"}')
    with pytest.raises(InputError, match="line 1: Invalid enum value 'me'"):
        read_labels(tmp_path / "odd.jsonl")


async def test_a_gate_does_not_decide_by_an_unreliable_judge(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    write_judged(tmp_path / "place", [("A", "A")] * 120)
    write_judged(tmp_path / "answers", [("B", "A"), ("A", "B")] * 300)
    done = await plainloop("gate", "rules.toml", "-c", "place")
    assert (done.code, 'the judge says "A" whatever the answers are' in done.out) == (10, True), (
        done
    )
    done = await plainloop("judge", "place")
    assert (done.code, done.out.splitlines()[-1][:18]) == (1, 'the judge says "A"')
    assert (await plainloop("judge", "answers")).code == 0


def test_calibrating_a_judge_refuses_a_report_without_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no turn of .* was judged"):
        calibrate(write_judged(tmp_path, []))


async def test_label_does_not_reveal_which_side_gave_an_answer(
    plainloop: Command, tmp_path: Path
) -> None:
    ways = {"baseline": "one way", "candidate": "another way"}
    lanes = (
        {name: make_item([make_turn(text=f"{way} {n}", tools=[])]) for name, way in ways.items()}
        for n in range(12)
    )
    report = write_live(tmp_path / "report", lanes)
    first = await plainloop("label", "report", stdin=b"1\n1\nwhat\n0\nq\n")
    assert first.code == 0, first
    assert "baseline" not in first.out and "1 of 12" in first.out
    rest = await plainloop("label", "report", stdin=b"\n2\n")
    assert rest.code == 0 and "1 of 9" in rest.out, rest
    labels = read_labels(tmp_path / "labels.jsonl")
    assert len(labels) == 4
    questions = {q.conversation_id: q for q in list_questions(report, {})}
    for (name, _), winner in [*labels.items()][:2]:
        better = "another" if winner == "candidate" else "one"
        assert questions[name].first.startswith(better), "the first of both was said to be better"
    assert {question.is_swapped for question in questions.values()} == {True, False}


async def test_files_that_are_not_utf8_are_refused_with_their_line(
    plainloop: Command, tmp_path: Path
) -> None:
    write_judged(tmp_path / "report", [("A", "B")] * 12)
    (tmp_path / "labels.jsonl").write_bytes(
        b'\n{"conversation_id": "\xff", "turn": 0, "winner": "tie"}\n'
    )
    done = await plainloop("judge", "report", "--labels", "labels.jsonl")
    assert (done.code, "labels.jsonl, line 2: " in done.err) == (2, True), done


async def test_a_report_whose_name_is_not_utf8_can_be_compared(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    folder = tmp_path / os.fsdecode(b"r\xff")
    write_judged(folder, [("A", "B")] * 12)
    compared = await plainloop("compare", folder.name, "--report", "told")
    assert (compared.code, len([*(tmp_path / "told").iterdir()])) == (0, 2), compared
    files = ("--json", "told/a.json", "--html", "told/a.html", "--markdown", "told/a.md")
    judged = await plainloop("gate", "rules.toml", "-c", folder.name, *files)
    assert (judged.code, len([*(tmp_path / "told").iterdir()])) == (1, 5), judged


def test_results_are_written_through_pipes_and_links(tmp_path: Path) -> None:
    """`--json /dev/stdout` is a link to a pipe: a file in its place would stay there for others."""
    place, link = tmp_path / "results" / "a.json", tmp_path / "latest.json"
    write_json(place, {})
    link.symlink_to(place)
    write_json(link, {"verdict": "passed"})
    assert (link.is_symlink(), place.read_bytes()) == (True, b'{\n  "verdict": "passed"\n}\n')
    reader, writer = os.pipe()
    write_json(Path(f"/dev/fd/{writer}"), [1])
    os.close(writer)
    with open(reader, "rb") as pipe:  # noqa: PTH123 - a descriptor
        assert pipe.read() == b"[\n  1\n]\n"
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["latest.json", "results"]


async def test_ctrl_c_ends_label_at_its_question(plainloop: Command, tmp_path: Path) -> None:
    """What was said before is kept."""
    ways = {"baseline": "one way", "candidate": "another way"}
    lanes = (
        {name: make_item([make_turn(text=f"{way} {n}", tools=[])]) for name, way in ways.items()}
        for n in range(3)
    )
    write_live(tmp_path / "report", lanes)
    process = await plainloop.start("label", "report")
    process.stdin.write(b"1\n")
    await process.stdin.drain()
    told = b""
    while told.count(b"q: quit > ") < 2:
        told += await process.stdout.read(4096)
    process.send_signal(signal.SIGINT)
    async with asyncio.timeout(60):
        assert await process.wait() == 130, await process.stderr.read()
    assert len(read_labels(tmp_path / "labels.jsonl")) == 1


def test_verdicts_from_the_console_can_calibrate_a_judge(tmp_path: Path) -> None:
    write_judged(tmp_path / "judged", [("A", "B"), ("B", "A")] * 10)
    talks = list_report(tmp_path / "judged" / REPORT_FILE)[1]
    said = [{**talk, "people": "better" if n % 2 else "worse"} for n, talk in enumerate(talks)]
    report_all(tmp_path, said)  # type: ignore[arg-type]
    found = calibrate(tmp_path)
    assert (found.labelled, found.matched, found.kappa) == (20, 20, 1.0)
