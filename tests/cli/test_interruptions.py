"""Ctrl-C, hang-up, terminate and `kill -9` at any moment: what was said and done is there, and
the thread takes the next message."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal

import pytest

from plainloop.agent.base.messages.contents import get_text, list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.store.store import Store
from plainloop_wire.faults import Faults
from tests.cli.conftest import Command, point_at
from tests.wire_fixtures import StartWire

SLOW = Faults(first_ms=150, delay_ms=15)
MESSAGE = "add a job: Web Developer at Hooli, remote"
NEXT = "add a job: Data Engineer at Initech"
SEEDS = int(os.environ.get("AGENT_CRASH_SEEDS") or 4)


async def start_and_see(process: asyncio.subprocess.Process, event: str) -> str:
    """Read the process's JSON events until this one; returns the thread's id."""
    assert process.stdout
    thread_id = ""
    async for line in process.stdout:
        record = json.loads(line)
        thread_id = record["data"].get("thread_id", thread_id)
        if record["event"] == event:
            return thread_id
    raise AssertionError(f"ended without {event}")


async def check_thread(store: Store, thread_id: str, plainloop: Command, **environ: str) -> None:
    """The message is there, the stored history is valid, and the next message is answered."""
    messages = await store.load_messages("local", thread_id)
    assert get_text(messages[0]) == MESSAGE
    (run,) = await store.list_runs("local", thread_id)
    steps = await store.load_steps("local", run.run_id)
    assert [step.n for step in steps] == list(range(len(steps)))

    done = await plainloop("ask", "--thread", thread_id, NEXT, **environ)

    assert done.code == 0, done
    assert "Initech" in done.out
    messages = await store.load_messages("local", thread_id)
    assert repair_history(messages)[1] == []
    assert list_open_calls(messages) == []
    runs = await store.list_runs("local", thread_id)
    assert sorted(run.status for run in runs)[-1] == "succeeded"
    assert {run.status for run in runs} <= {"succeeded", "failed", "cancelled"}


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        (signal.SIGINT, 130, "cancelled"),
        (signal.SIGTERM, 143, "cancelled by SIGTERM"),
        (signal.SIGHUP, 129, "cancelled by SIGHUP"),
    ],
)
async def test_a_signal_cancels_the_commands_run_and_keeps_the_thread(
    number: int, code: int, says: str, plainloop: Command, wire_server: StartWire, store: Store
):
    server = await wire_server(faults=SLOW)
    environ = point_at("anthropic", server.base_url)

    async def stop_at(moment: str) -> str:
        process = await plainloop.start("ask", "--json", MESSAGE, **environ)
        assert process.stdout and process.stderr
        thread_id = await start_and_see(process, moment)
        process.send_signal(number)
        rest = (await process.stdout.read()).decode().splitlines()
        errors = (await process.stderr.read()).decode().splitlines()

        assert (moment, await process.wait()) == (moment, code)
        kept = f"stored in thread {thread_id}: `--thread {thread_id}` continues it"
        assert errors == [says, kept]
        last = json.loads(rest[-1])
        assert (last["event"], last["data"]["code"]) == ("error", "CANCELLED")
        (run,) = await store.list_runs("local", thread_id)
        assert run.status == "cancelled"
        return thread_id

    moments = ["run_start", "tool_start", "text_delta"]
    threads = await asyncio.gather(*(stop_at(moment) for moment in moments))
    server.wire.faults.load(Faults())
    await asyncio.gather(*(check_thread(store, id_, plainloop, **environ) for id_ in threads))


@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini"])
async def test_a_killed_command_loses_no_finished_step(
    provider: str, plainloop: Command, wire_server: StartWire, store: Store
):
    server = await wire_server(faults=SLOW)
    environ = point_at(provider, server.base_url)

    async def kill_one(seed: int) -> str:
        process = await plainloop.start("ask", "--json", MESSAGE, **environ)
        thread_id = await start_and_see(process, "run_start")
        # The moment is what is random here, not something waited for.
        await asyncio.sleep(random.Random(seed).uniform(0, 1.5))
        if process.returncode is None:
            process.kill()
        await process.wait()
        return thread_id

    threads = await asyncio.gather(*(kill_one(seed) for seed in range(SEEDS)))
    server.wire.faults.load(Faults())

    await asyncio.gather(*(check_thread(store, id_, plainloop, **environ) for id_ in threads))


async def test_a_killed_commands_tool_write_is_stored_only_with_its_step(
    plainloop: Command, wire_server: StartWire, store: Store
):
    """The tool's row and the record of its call commit together, whenever the process dies."""
    server = await wire_server(faults=SLOW)
    environ = point_at("anthropic", server.base_url)
    for seed in range(min(SEEDS, 4)):
        process = await plainloop.start(
            "ask", "--json", f"add a job: Cook at Cafe{seed}", **environ
        )
        thread_id = await start_and_see(process, "tool_start")
        await asyncio.sleep(random.Random(seed).uniform(0, 0.05))
        process.kill()
        await process.wait()
        (run,) = await store.list_runs("local", thread_id)
        steps = [step.node for step in await store.load_steps("local", run.run_id)]
        sql = "select count(*) from tracker_jobs where company = $1"
        jobs = await store.read("local").fetchval(sql, f"Cafe{seed}")
        assert jobs == ("crm_worker.tools" in steps), (steps, jobs)


async def test_a_closed_terminal_cancels_the_run_and_keeps_the_thread(
    plainloop: Command, wire_server: StartWire, store: Store
):
    server = await wire_server(faults=SLOW)
    environ = point_at("anthropic", server.base_url)
    terminal = await plainloop.open_terminal("ask", MESSAGE, **environ)
    await terminal.read_until("crm_worker")
    terminal.close()

    assert await terminal.wait() == 129
    thread = (await store.list_threads("local", "local", limit=1))[0]
    (run,) = await store.list_runs("local", thread.thread_id)
    assert run.status == "cancelled"
    server.wire.faults.load(Faults())
    await check_thread(store, thread.thread_id, plainloop, **environ)


async def test_a_second_message_to_a_busy_thread_is_refused(
    plainloop: Command, wire_server: StartWire, store: Store
):
    server = await wire_server(faults=SLOW)
    environ = point_at("anthropic", server.base_url)
    process = await plainloop.start("ask", "--json", MESSAGE, **environ)
    assert process.stdout
    thread_id = await start_and_see(process, "run_start")
    second = await plainloop("ask", "--thread", thread_id, NEXT, **environ)
    rest = (await process.stdout.read()).decode().splitlines()

    assert (second.code, second.out) == (4, "")
    assert second.err.startswith("error[THREAD_BUSY]: ")
    assert await process.wait() == 0
    assert json.loads(rest[-1])["event"] == "done"
    await check_thread(store, thread_id, plainloop, **environ)
