"""`ask`: what goes to stdout, what beside it, and which thread it goes on with."""

from __future__ import annotations

import json
import re

import pytest

from plainloop.agent.store.store import Store
from plainloop_wire.faults import Fault, Faults
from tests.cli.conftest import Command, point_at
from tests.wire_fixtures import StartWire

THREAD = re.compile(r"thread ([0-9a-f]{8}-[0-9a-f]{4})\b")  # the part that tells it from others

# Triage passes; the answer breaks off once without its terminal event.
CUT_ANSWER = Faults(series=(Fault(cut_after_events=6, end="clean", skip=1, times=1),))


def get_thread(text: str) -> str:
    match = THREAD.search(text)
    assert match, text
    return match[1]


async def test_the_answer_alone_is_on_stdout_and_one_line_of_facts_on_stderr(plainloop: Command):
    done = await plainloop("ask", "how many jobs do I have?")

    assert (done.code, done.out) == (0, "You have no jobs.\n")
    facts = re.sub(r"\d+(\.\d+)? m?s", "TIME", THREAD.sub("THREAD", done.err))
    assert facts == "fast_count · no model call · TIME · THREAD\n"


async def test_tools_tokens_and_cost_of_a_worker_are_named(plainloop: Command):
    done = await plainloop("ask", "add a job: Web Developer at Hooli, remote")

    assert done.code == 0
    assert "Hooli" in done.out
    assert re.match(
        r"crm_worker · create_job · [\d,]+ in \+ [\d,]+ out tokens \(estimated\) · \$0\.0000 · ",
        done.err,
    )


async def test_words_need_no_quotes_and_a_dash_reads_stdin(plainloop: Command):
    words = await plainloop("ask", "how", "many", "jobs", "do", "I", "have?")
    piped = await plainloop("ask", "-", stdin=b"how many jobs do I have?\n")

    assert words.out == piped.out == "You have no jobs.\n"


async def test_json_gives_every_event_as_one_line_and_nothing_else(plainloop: Command):
    done = await plainloop("ask", "list my jobs", "--json")

    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["event"] == "run_start"
    assert events[-1]["event"] == "done"
    assert done.err == ""


async def test_a_thread_is_gone_on_with_by_id_by_its_beginning_and_as_the_last(
    plainloop: Command, store: Store
):
    first = get_thread((await plainloop("ask", "add a job: Web Developer at Hooli")).err)
    second = get_thread((await plainloop("ask", "list my jobs")).err)
    whole = next(
        thread.thread_id
        for thread in await store.list_threads("local", "local", limit=9)
        if thread.thread_id.startswith(first)
    )
    by_id = await plainloop("ask", "--thread", whole, "move it to applied")
    by_start = await plainloop("ask", "-t", second.upper(), "list my jobs")
    last = await plainloop("ask", "--last", "how many jobs do I have?")

    assert first != second
    assert [get_thread(done.err) for done in (by_id, by_start, last)] == [first, second, second]
    assert "applied" in by_id.out


async def test_several_threads_that_begin_alike_are_named(plainloop: Command):
    threads = [get_thread((await plainloop("ask", "list my jobs")).err) for _ in range(2)]
    done = await plainloop("show", threads[0][:4])

    assert done.code == 2
    assert done.err.startswith(
        f"error[AMBIGUOUS_ID]: several threads have ids that start with {threads[0][:4]}:"
    )
    assert all(thread in done.err for thread in threads)


async def test_a_closed_pipe_ends_quietly_and_the_run_is_kept(plainloop: Command, store: Store):
    process = await plainloop.start("ask", "list my jobs", "--json")
    assert process.stdout and process.stderr and process.stdin
    process.stdin.close()
    process.stdout._transport.close()  # type: ignore[attr-defined]
    code = await process.wait()

    assert (code, await process.stderr.read()) == (141, b"")
    thread = (await store.list_threads("local", "local", limit=1))[0]
    runs = await store.list_runs("local", thread.thread_id)
    assert [run.status for run in runs] == ["succeeded"]


async def test_in_a_terminal_a_retry_says_that_it_prints_again(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    environ = point_at("anthropic", server.base_url)
    server.wire.faults.load(CUT_ANSWER)
    terminal = await plainloop.open_terminal("ask", "tell me a joke", **environ, NO_COLOR="1")
    code = await terminal.wait()

    assert code == 0, terminal.shown
    assert "[the answer above is replaced: " in terminal.shown


async def test_in_a_pipe_a_retry_leaves_only_the_final_answer(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    environ = point_at("anthropic", server.base_url)
    whole = await plainloop("ask", "tell me a joke", **environ)
    server.wire.faults.load(CUT_ANSWER)
    retried = await plainloop("ask", "tell me a joke", **environ)

    assert (retried.code, retried.out) == (0, whole.out)


@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini"])
async def test_every_provider_answers_through_its_sdk(
    provider: str, plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    done = await plainloop(
        "ask", "add a job: Web Developer at Hooli, remote", **point_at(provider, server.base_url)
    )

    assert (done.code, done.out) == (0, "Added #1 Web Developer at Hooli (saved).\n")
    assert "crm_worker · create_job" in done.err


async def test_a_run_that_a_limit_ends_says_so_and_is_no_success(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server(faults=Faults(first_ms=60_000))
    done = await plainloop(
        "ask",
        "tell me a joke",
        AGENT_LIMITS_RUN_TIMEOUT_S="1.5",
        **point_at("anthropic", server.base_url),
    )

    assert (done.code, done.out) == (6, "")
    assert done.err.splitlines()[1] == "error[LIMIT_REACHED]: Max iterations reached"
