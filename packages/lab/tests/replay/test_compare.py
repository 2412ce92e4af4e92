"""Two replays of the same conversations, held against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from packages.lab.tests.replay.test_live import Candidate, answer, be_curious, write_rooms
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.server.replays import ROOMS
from tests.wire_fixtures import StartWire


async def report_rooms(plainloop: Command, folder: Path, *names: str) -> Any:
    """Recorded replays of the same conversation. Returns: the last one's report."""
    (folder / "rooms.jsonl").write_bytes(ROOMS)
    for name in names:
        await plainloop("replay", "recorded", "--from", "rooms.jsonl", "--report", name)
    return orjson.loads((folder / names[-1] / "report.json").read_bytes())


async def test_comparing_recorded_reports_of_equal_code_shows_no_difference(
    plainloop: Command, tmp_path: Path
) -> None:
    await report_rooms(plainloop, tmp_path, "before", "after")
    done = await plainloop("replay", "compare", "before", "after")
    assert (done.code, done.out) == (0, "1 conversation compared, 0 differ\n"), done


async def test_compare_lists_differences_in_paths_and_requests(
    plainloop: Command, tmp_path: Path
) -> None:
    report = await report_rooms(plainloop, tmp_path, "before")
    turns = report["conversations"][0]["turns"]
    turns[0]["path"].append("react.evaluator")
    turns[1]["requests"][0] = "f" * 64
    extra = {"conversation_id": "castles", "repairs": [], "turns": []}
    report["conversations"].append(extra)
    (tmp_path / "after.json").write_bytes(orjson.dumps(report))
    done = await plainloop("replay", "compare", "before", "after.json")
    assert done.code == 1, done
    first, path, request, only, last = done.out.splitlines()
    assert (first, only) == ("rooms", "only in the second: 1 conversation, such as castles")
    assert path.endswith("react → react.tools → react, now react → react.tools → react → "
                         "react.evaluator")  # fmt: skip
    assert request.startswith("  turn 2: request 1: ") and request.endswith("now ffffffffffff")
    assert last == "1 conversation compared, 1 differ"


async def test_compare_shows_a_divergence_without_its_consequences(
    plainloop: Command, tmp_path: Path
) -> None:
    report = await report_rooms(plainloop, tmp_path, "before")
    found = {"kind": "update", "step": 1, "node": "react.tools", "diff": ["-a", "+b"]}
    first, second, *_ = report["conversations"][0]["turns"]
    first |= {"outcome": "diverged", "path": ["react"], "divergence": found}
    second |= {"outcome": "skipped", "path": [], "requests": []}
    (tmp_path / "after.json").write_bytes(orjson.dumps(report))
    done = await plainloop("replay", "compare", "before", "after.json")
    assert (done.code, done.out.splitlines()) == (
        1,
        [
            "rooms",
            "  turn 1: now differs from its recording: different update at step 1, react.tools",
            "    -a",
            "    +b",
            "1 conversation compared, 1 differ",
        ],
    )
    back = await plainloop("replay", "compare", "after.json", "before")
    assert "  turn 1: no longer differs from its recording" in back.out


async def test_comparing_live_replays_shows_only_the_candidates_answers(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    one = await wire_server(Candidate(be_curious))
    other = await wire_server(Candidate(lambda request: answer("Taken.")))
    arguments = write_rooms(tmp_path)
    environ = point_at("anthropic", one.base_url)
    await plainloop(*arguments, "--report", "before", **environ)
    moved = ("--set", f"AGENT_API_BASE={other.base_url}")
    await plainloop(*arguments, *moved, "--report", "after", **environ)
    ids = [
        orjson.loads((tmp_path / name / "report.json").read_bytes())["replay_id"]
        for name in ("before", "after")
    ]
    by_id = await plainloop("replay", "compare", *ids)
    by_folder = await plainloop("replay", "compare", "before", "after")
    assert (by_id.code, by_folder.code) == (1, 1)
    assert by_id.out == by_folder.out
    assert "turn 1: candidate path: react → react.tools → react, now react" in by_id.out
    assert "baseline" not in by_id.out
    assert (await plainloop("replay", "compare", ids[0], "before")).code == 0


async def test_compare_refuses_files_that_are_not_reports(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "report.json").write_text("[]")
    for one, told in (
        ("report.json", "is not a replay report"),
        (".", "is not a replay report"),
        ("nowhere", "no replay has an id"),
        ("%", "no replay has an id"),
        ("a" * 300, "no replay has an id"),
    ):
        done = await plainloop("replay", "compare", one, "report.json")
        assert (done.code in (2, 3), told in done.err) == (True, True), done
