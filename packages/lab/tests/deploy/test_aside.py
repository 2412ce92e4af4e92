"""What stands back has a lower priority, and whoever waits for it has kept its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from plainloop_lab.deploy.aside import GROUP, RESTS, call_aside, rest, run_aside
from tests.cli.conftest import COMMAND, make_environ

NICE = 7
LOWERS = """
from plainloop_lab.deploy.aside import GROUP, set_group_nice
set_group_nice(7)
print(GROUP.read_text())
set_group_nice(0)
print(GROUP.read_text())
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="threads of Linux have priorities")


def get_nice() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


async def look() -> int:
    """Also that of threads that are begun by it."""
    return min(get_nice(), await asyncio.to_thread(get_nice))


async def test_only_background_work_runs_at_lower_priority() -> None:
    own = get_nice()
    lowered = max(own, NICE)
    assert call_aside(lowered, get_nice) == lowered
    assert await run_aside(lowered, look) == lowered
    assert get_nice() == own


def test_a_judged_replica_builds_its_pack_at_lower_priority(tmp_path: Path) -> None:
    told = """
import os, sys, threading
def make_pack():
    print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()), file=sys.stderr)
"""
    (tmp_path / "telling.py").write_text(told)
    lowered = str(max(get_nice(), NICE))
    environ = {"AGENT_PACKS": "telling", "AGENT_DEPLOY_JUDGE": "refuse"}
    done = subprocess.run(
        [*COMMAND, "serve", "--port", "0"],
        capture_output=True,
        text=True,
        env=make_environ(tmp_path) | environ | {"AGENT_DEPLOY_NICE": lowered},
        cwd=tmp_path,
    )
    assert done.stderr.splitlines()[0] == lowered
    assert "make_pack() of the pack 'telling' must return a Pack" in done.stderr


async def test_background_work_runs_under_batch_scheduling() -> None:
    own = os.sched_getscheduler(0)
    assert call_aside(NICE, lambda: os.sched_getscheduler(0)) == os.SCHED_BATCH
    assert os.sched_getscheduler(0) == own


async def test_background_work_pauses_in_proportion_to_its_work_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rested: list[float] = []

    async def note(seconds: float) -> None:
        rested.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", note)
    monkeypatch.setattr(time, "thread_time", iter((12.0, 12.0)).__next__)
    assert await rest(11.5) == 12.0
    assert rested == [0.5 * RESTS]


async def test_errors_of_background_work_reach_the_caller() -> None:
    async def fail() -> None:
        raise KeyError("aside")

    with pytest.raises(KeyError, match="aside"):
        await run_aside(NICE, fail)


async def test_a_cancellation_reaches_background_work() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def stay() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    running = asyncio.create_task(run_aside(NICE, stay))
    await asyncio.to_thread(begun.wait)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended.is_set()


def run_in_session(is_own: bool, code: str) -> list[int]:
    """The priorities of the session that it prints: none in one that began before any group."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, start_new_session=is_own)
    assert done.returncode == 0, done.stderr
    return [int(line.rpartition(" ")[2]) for line in done.stdout.splitlines() if line]


@pytest.mark.skipif(not GROUP.exists(), reason="this kernel does not group by session")
def test_the_cpu_weight_is_lowered_only_in_a_session_of_its_own() -> None:
    read = f"print(open({str(GROUP)!r}).read())"
    if not run_in_session(True, read):
        pytest.skip("this kernel gives a session no group")
    assert run_in_session(True, LOWERS) == [7, 0]
    assert run_in_session(False, LOWERS) == 2 * run_in_session(False, read)
