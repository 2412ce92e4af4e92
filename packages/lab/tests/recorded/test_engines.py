"""What spreads a recorded replay: any engine and any number of processes give the same bytes."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.recorded.test_shards import write_talks
from plainloop.agent.config.settings import load_settings
from plainloop_lab.engines.ray import open_ray
from plainloop_lab.replay.engines.local import open_local
from plainloop_lab.replay.engines.shards import ReplayPlan, replay_shards, survey_shards
from plainloop_lab.replay.engines.tasks import drop_secrets, run_task
from plainloop_lab.replay.sources.line_ranges import LineRange, index_lines, read_range
from plainloop_lab.replay.sources.openai_format import number_lines, parse_conversations
from plainloop_lab.replay.sources.survey import Survey
from plainloop_lab.replay.sources.tool_inference import infer_tools
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop


def make_plan(path: Path) -> ReplayPlan:
    with path.open("rb") as lines:
        shapes = infer_tools(parse_conversations(number_lines(lines)))
    settings = drop_secrets(load_settings({"AGENT_API_KEY": "sk-1"}))
    return ReplayPlan(index_lines(str(path)), "a file", settings, shapes, repair=False)


async def test_a_restarted_replay_repeats_no_finished_work(tmp_path: Path) -> None:
    write_talks(tmp_path / "talks.jsonl", 40)
    tasks = make_plan(tmp_path / "talks.jsonl").build_tasks(range(40))
    ran: list[int] = []

    def run(work: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for place, task in enumerate(tasks):
            ran.append(task.head.number)
            yield place, work(task)

    parts = tmp_path / "parts"
    parts.mkdir()
    replays = replay_shards(run, tasks, parts)
    first = [await anext(replays) for _ in range(10)]
    stopped_at = len(ran)
    whole = [replay async for replay in replay_shards(run, tasks, parts)]
    assert (whole[:10], len(whole)) == (first, 40)
    assert ran == [task.head.number for task in tasks]
    assert 0 < stopped_at < len(tasks)


@dataclass(frozen=True)
class DyingTask:
    """Dies as if by kill -9 when it is run for the first time."""

    lines: LineRange
    place: int
    marks: Path

    def run(self) -> int:
        mark = self.marks / str(self.place)
        if self.place == 2 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.place * 10


@pytest.mark.parametrize("open_engine", [open_local, open_ray])
def test_another_process_does_the_work_of_a_killed_replay_process(
    open_engine: Any, tmp_path: Path
) -> None:
    if open_engine is open_ray:
        pytest.importorskip("ray", reason="pip install 'plainloop-lab[ray]'")
    lines = LineRange(str(tmp_path / "none"), 0, 0, 1)
    tasks = [DyingTask(lines, place, tmp_path) for place in range(5)]
    with open_engine(None, 2) as run:
        assert sorted(run(run_task, tasks)) == [(n, n * 10) for n in range(5)]
    assert (tmp_path / "2").exists()


def test_no_thread_of_the_pool_outlives_an_error(tmp_path: Path) -> None:
    lines = LineRange(str(tmp_path / "none"), 0, 0, 1)
    before = {*threading.enumerate()}
    with pytest.raises(ZeroDivisionError), open_local(None, 2) as run:
        for _ in run(run_task, [DyingTask(lines, place, tmp_path) for place in range(2)]):
            raise ZeroDivisionError
    assert {*threading.enumerate()} - before == set()


async def test_ray_waits_for_the_first_processor_of_its_cluster(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="pip install 'plainloop-lab[ray]'")
    cluster_utils: Any = pytest.importorskip("ray.cluster_utils")
    head = {"num_cpus": 0, "include_dashboard": False}
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
    lines = LineRange(str(tmp_path / "none"), 0, 0, 1)
    tasks = [DyingTask(lines, place, tmp_path) for place in (0, 1, 3)]
    try:
        with open_ray(cluster.address, 1) as run:
            work = asyncio.create_task(asyncio.to_thread(lambda: sorted(run(run_task, tasks))))
            cluster.add_node(num_cpus=1)  # not in a thread: it sets a signal's handler
            assert await work == [(0, 0), (1, 10), (2, 30)]
    finally:
        cluster.shutdown()


def test_a_byte_range_yields_its_lines_with_their_file_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"\xef\xbb\xbfone\n\n  \ntwo\nthree\n\nfour")
    index = index_lines(str(path))
    assert [*read_range(index.get_range(range(4)))] == [
        (1, b"one\n"),
        (4, b"two\n"),
        (5, b"three\n"),
        (7, b"four"),
    ]
    assert [*read_range(index.get_range([1, 2]))] == [(4, b"two\n"), (5, b"three\n")]
    assert [*read_range(index.get_range([1, 3]))] == [(4, b"two\n"), (7, b"four")]


def test_a_recording_is_read_from_a_url_as_from_a_file(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    with fsspec.open("memory://talks.jsonl", "wb") as file:
        file.write(b"one\ntwo\nthree\n")
    index = index_lines("memory://talks.jsonl")
    assert [*read_range(index.get_range([1, 2]))] == [(2, b"two\n"), (3, b"three\n")]


async def test_tasks_for_replay_workers_contain_no_secret(tmp_path: Path) -> None:
    write_talks(tmp_path / "talks.jsonl", 2)
    (task, _) = make_plan(tmp_path / "talks.jsonl").build_tasks(range(2))
    assert (task.settings.api_key, task.settings.get_env("AGENT_API_KEY")) == (None, None)


def test_merged_surveys_of_shards_equal_a_survey_of_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    write_talks(path, 40)
    index = index_lines(str(path))
    with open_local(None, 1) as run:
        surveys = [*survey_shards(run, index, repair=False)]
    assert len(surveys) == 16
    whole = Survey()
    for survey in surveys:
        whole.merge(survey)
    assert whole.ids[:2] == ["rooms 0", "rooms 1"]
    with path.open("rb") as lines:
        assert whole.tools.to_shapes() == infer_tools(parse_conversations(number_lines(lines)))


async def test_an_unreadable_line_is_named_with_any_number_of_processes(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl", 30)
    lines = (tmp_path / "talks.jsonl").read_bytes().splitlines()
    asked = ("replay", "recorded", "--from", "talks.jsonl", "--processes")
    (tmp_path / "talks.jsonl").write_bytes(b"\n".join([*lines[:25], b"{", *lines[26:]]))
    broken = await plainloop(*asked, "2")
    assert (broken.code, "line 26: the JSON is incomplete" in broken.err) == (2, True), broken
    (tmp_path / "talks.jsonl").write_bytes(b"\n".join([*lines, lines[3]]))
    twice = await plainloop(*asked, "1")
    assert (twice.code, "line 31: the conversation id 'rooms 3' is used" in twice.err) == (
        2,
        True,
    ), twice


async def test_an_unknown_replay_engine_is_refused_with_the_known_ones(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl")
    done = await plainloop("replay", "recorded", "--from", "talks.jsonl", "--engine", "loca")
    assert (done.code, "did you mean 'local'?" in done.err) == (2, True), done.err
