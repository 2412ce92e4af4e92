"""What is stored, as `show`, `explain`, `usage` and `threads` tell it."""

from __future__ import annotations

import csv
import io
import json
import re

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.cli.terminal.rendering import render_thread
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message
from plainloop_wire.faults import Fault, Faults
from tests.cli.conftest import Command, point_at
from tests.wire_fixtures import StartWire


async def test_show_prints_messages_and_tool_calls(plainloop: Command):
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    done = await plainloop("show", "last")

    assert done.code == 0
    assert re.findall(r"^\[\d\] \w+", done.out, re.MULTILINE) == [
        "[0] user",
        "[1] assistant",
        "[2] tool",
        "[3] assistant",
    ]
    assert re.search(r"→ create_job \{.*\"company\":\"Cafe Uno\"", done.out)
    assert re.search(r"← create_job \{\"job\":\{.*\"status\":\"saved\"", done.out)
    document = json.loads((await plainloop("show", "last", "--json")).out)
    assert (document["title"], document["pack"]) == ("add a job: Cook at Cafe Uno", "tracker")
    roles = [message["role"] for message in document["messages"]]
    assert roles == ["user", "assistant", "tool", "assistant"]


async def test_show_marks_drafts_that_a_review_replaced(store: Store):
    thread = await store.create_thread("local", "local", pack="tracker", title="a letter")
    call: Message = {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "1", "name": "read_resume", "arguments": {}}],
    }
    messages = [
        make_text_message("user", "write"),
        call,
        make_text_message("assistant", "draft"),
        make_text_message("assistant", "final"),
    ]

    heads = [line for line in render_thread(thread, messages) if line.startswith("[")]
    assert heads == [
        "[0] user",
        "[1] assistant",
        "[2] assistant (draft, replaced)",
        "[3] assistant",
    ]


async def test_explain_shows_which_steps_used_rules_and_which_a_model(plainloop: Command):
    await plainloop("ask", "list my jobs")
    rule = await plainloop("explain", "last")
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    model = await plainloop("explain", "last")

    assert "rule 'english.list' is certain" in rule.out
    assert "no classifier call: " in rule.out
    assert "3 steps · no model call\n" in rule.out
    assert "classifier call to offline:offline-rules: succeeded · in " in model.out
    assert 'calls create_job {"company":"Cafe Uno","title":"Cook"' in model.out
    assert re.search(r"tool create_job: succeeded, write, \d+ ms", model.out)
    assert "no evaluator call: evaluator skipped: never" in model.out


async def test_explain_accepts_a_run_a_thread_or_a_prefix(plainloop: Command, store: Store):
    await plainloop("ask", "list my jobs")
    (thread,) = await store.list_threads("local", "local", limit=1)
    (run,) = await store.list_runs("local", thread.thread_id)
    texts = {
        (await plainloop("explain", name)).out
        for name in ("last", run.run_id, run.run_id[:23], thread.thread_id, thread.thread_id[:23])
    }

    (text,) = texts
    assert text.startswith(f"run {run.run_id} · succeeded")


async def test_explain_shows_failed_attempts_and_why_a_run_ended(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server(faults=Faults(series=(Fault(status=529), Fault(status=401))))
    asked = await plainloop("ask", "tell me a joke", **point_at("anthropic", server.base_url))
    done = await plainloop("explain", "last")

    assert asked.code == 7
    assert asked.err.startswith("error[MODEL_AUTH]: ")
    assert "· failed ·" in done.out
    assert "ended by MODEL_AUTH" in done.out
    assert "failed with MODEL_OVERLOADED: anthropic: " in done.out
    assert "attempt 2: failed" in done.out
    assert re.search("failed with MODEL_AUTH: anthropic: .", done.out)

    listed = await plainloop("failures")
    assert listed.out.startswith("1 run of 1 user · MODEL_AUTH · anthropic:"), listed.out
    assert "    anthropic: " in listed.out
    assert "    plainloop explain " in listed.out
    assert "no run has failed since" in (await plainloop("failures", "--tenant", "other")).out


async def test_usage_sums_calls_by_model_and_node_and_lists_avoided_ones(plainloop: Command):
    nothing = await plainloop("usage")
    first, second = nothing.out.splitlines()
    assert first == "0 model calls, 0 of them failed or cut · 0 in + 0 out tokens · $0"
    assert second.startswith("today: $0 · this month: $0, $0 by ")
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    await plainloop("ask", "list my jobs")
    overview = await plainloop("usage")
    table = await plainloop("usage", "--by", "node")
    rows = await plainloop("usage", "--by", "model,node", "--format", "csv")
    document = json.loads((await plainloop("usage", "--by", "role", "--format", "json")).out)

    assert overview.out.startswith("3 model calls, 0 of them failed or cut · ")
    assert "tokens estimated by plainloop: 100 % of the calls" in overview.out
    assert "avoided: " in overview.out
    first_column = [line.split()[0] for line in table.out.splitlines()]
    assert first_column == ["node", "crm_worker", "intent_classifier"]
    read = [*csv.DictReader(io.StringIO(rows.out))]
    assert [(row["model"], row["node"], row["calls"]) for row in read] == [
        ("offline-rules", "crm_worker", "2"),
        ("offline-rules", "intent_classifier", "1"),
    ]
    assert {row["keys"]["role"]: row["calls"] for row in document["rows"]} == {
        "worker": 2,
        "classifier": 1,
    }
    assert {row["role"] for row in document["avoided"]} >= {"classifier", "evaluator"}


async def test_show_explain_and_usage_hide_records_of_other_tenants(plainloop: Command):
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    asked = await plainloop("ask", "list my jobs", "--tenant", "other")
    threads = await plainloop("threads", "--tenant", "other")
    usage = await plainloop("usage", "--tenant", "other")

    assert asked.out == "You have no jobs.\n"
    assert len(threads.out.splitlines()) == 1
    assert usage.out.startswith("0 model calls")


async def test_the_threads_command_lists_the_newest_first_up_to_a_limit(plainloop: Command):
    for question in ("list my jobs", "how many jobs do I have?", "list my contacts"):
        await plainloop("ask", question)
    done = await plainloop("threads", "--limit", "2")

    titles = [line.split("  ")[-1] for line in done.out.splitlines()]
    assert titles == ["list my contacts", "how many jobs do I have?"]
