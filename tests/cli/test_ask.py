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


async def test_ask_prints_the_answer_to_stdout_and_facts_to_stderr(plainloop: Command):
    done = await plainloop("ask", "how many jobs do I have?")

    assert (done.code, done.out) == (0, "You have no jobs.\n")
    facts = re.sub(r"\d+(\.\d+)? m?s", "TIME", THREAD.sub("THREAD", done.err))
    assert facts == "fast_count · no model call · TIME · THREAD\n"


async def test_ask_prints_tools_tokens_and_cost(plainloop: Command):
    done = await plainloop("ask", "add a job: Web Developer at Hooli, remote")

    assert done.code == 0
    assert "Hooli" in done.out
    assert re.match(
        r"crm_worker · create_job · [\d,]+ in \+ [\d,]+ out tokens \(estimated\) · \$0\.0000 · ",
        done.err,
    )


async def test_ask_accepts_unquoted_words_and_reads_stdin_for_a_dash(plainloop: Command):
    words = await plainloop("ask", "how", "many", "jobs", "do", "I", "have?")
    piped = await plainloop("ask", "-", stdin=b"how many jobs do I have?\n")

    assert words.out == piped.out == "You have no jobs.\n"


async def test_ask_json_prints_one_event_per_line(plainloop: Command):
    done = await plainloop("ask", "list my jobs", "--json")

    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["event"] == "run_start"
    assert events[-1]["event"] == "done"
    assert done.err == ""


async def test_ask_continues_a_thread_by_id_prefix_or_last(plainloop: Command, store: Store):
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


async def test_an_ambiguous_thread_prefix_lists_the_threads(plainloop: Command):
    threads = [get_thread((await plainloop("ask", "list my jobs")).err) for _ in range(2)]
    done = await plainloop("show", threads[0][:4])

    assert done.code == 2
    assert done.err.startswith(
        f"error[AMBIGUOUS_ID]: several threads have ids that start with {threads[0][:4]}:"
    )
    assert all(thread in done.err for thread in threads)


async def test_ask_finishes_its_run_after_the_output_pipe_is_closed(
    plainloop: Command, store: Store
):
    process = await plainloop.start("ask", "list my jobs", "--json")
    assert process.stdout and process.stderr and process.stdin
    process.stdin.close()
    process.stdout._transport.close()  # type: ignore[attr-defined]
    code = await process.wait()

    assert (code, await process.stderr.read()) == (141, b"")
    thread = (await store.list_threads("local", "local", limit=1))[0]
    runs = await store.list_runs("local", thread.thread_id)
    assert [run.status for run in runs] == ["succeeded"]


async def test_ask_announces_a_replaced_draft_in_a_terminal(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    environ = point_at("anthropic", server.base_url)
    server.wire.faults.load(CUT_ANSWER)
    terminal = await plainloop.open_terminal("ask", "tell me a joke", **environ, NO_COLOR="1")
    code = await terminal.wait()

    assert code == 0, terminal.shown
    assert "[the answer above is replaced: " in terminal.shown


async def test_ask_prints_only_the_final_answer_into_a_pipe(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    environ = point_at("anthropic", server.base_url)
    whole = await plainloop("ask", "tell me a joke", **environ)
    server.wire.faults.load(CUT_ANSWER)
    retried = await plainloop("ask", "tell me a joke", **environ)

    assert (retried.code, retried.out) == (0, whole.out)


@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini"])
async def test_ask_gets_an_answer_from_every_provider_through_its_sdk(
    provider: str, plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    done = await plainloop(
        "ask", "add a job: Web Developer at Hooli, remote", **point_at(provider, server.base_url)
    )

    assert (done.code, done.out) == (0, "Added #1 Web Developer at Hooli (saved).\n")
    assert "crm_worker · create_job" in done.err


async def test_ask_fails_if_a_limit_ends_the_run(plainloop: Command, wire_server: StartWire):
    server = await wire_server(faults=Faults(first_ms=60_000))
    done = await plainloop(
        "ask",
        "tell me a joke",
        AGENT_LIMITS_RUN_TIMEOUT_S="1.5",
        **point_at("anthropic", server.base_url),
    )

    assert (done.code, done.out) == (6, "")
    assert done.err.splitlines()[1] == "error[LIMIT_REACHED]: Max iterations reached"
