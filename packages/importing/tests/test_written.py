"""What an import leaves in the database: threads that go on, recordings, the ledger; once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from packages.importing.tests.checkpoints import Saver, ai, human, tool
from packages.importing.tests.conftest import KIOSKS, Bring, find_public, read_all, show
from packages.importing.tests.test_traces import CASES, KIOSK
from plainloop.agent.config.settings import Settings
from plainloop.agent.store.budgets import delete_budget, list_budget_usage, save_budget
from plainloop.agent.store.records import Budget, Period
from plainloop.agent.store.store import Store
from plainloop_lab.replay.engine.stored import replay_stored
from plainloop_lab.replay.sources.stored import IMPORTED, load_stored
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

PERIODS: tuple[Period, ...] = ("hour", "month", "total")
OTEL, LANGFUSE = str(KIOSKS["otel"]), str(KIOSKS["langfuse"])
USAGE = {"input_tokens": 30, "output_tokens": 5, "total_tokens": 35}
# Spans of the trace that bounded memory is tried with; 1,000,000 takes some minutes.
SPANS = int(os.environ.get("AGENT_TEST_IMPORT_SPANS", "4000"))
MOST_MB = 400


async def count(store: Store, table: str, where: str = "true") -> int:
    async with store.transaction("local") as tx:
        return await tx.fetchval(f"select count(*) from {table} where {where}")


async def list_threads(store: Store, user: str = "ann") -> list[str]:
    return [one.thread_id for one in await store.list_threads("local", user, limit=1_000)]


@pytest.mark.parametrize("source", KIOSKS)
async def test_a_trace_becomes_a_thread_with_runs_steps_and_calls(
    source: str, bring: Bring, store: Store
):
    report = await bring(source, str(KIOSKS[source]))

    (thread_id,) = await list_threads(store)
    assert show(await store.load_messages("local", thread_id)) == KIOSK
    (run,) = await store.list_runs("local", thread_id)
    steps = await store.load_steps("local", run.run_id)
    calls = await store.list_calls("local", run.run_id)
    assert (run.status, run.pack) == ("succeeded", IMPORTED)
    assert [step.node for step in steps] == ["react", "react.tools", "react"]
    assert [call.usage.input_total for call in calls] == [40, 64]
    assert run.created_at.year == 2026
    assert report.outcomes == {"new": 1}


async def test_budgets_count_imported_calls_in_the_period_in_which_they_were_made(
    bring: Bring, store: Store
):
    async def make_budgets() -> None:
        async with store.transaction("local") as tx:
            for period in PERIODS:
                await save_budget(tx, Budget("tenant", period, 1_000_000, None))

    async def list_used() -> dict[str, int]:
        found = await list_budget_usage(store.read("local"))
        return {item.budget.period: item.used_tokens for item in found}

    await make_budgets()
    await bring("otel", OTEL)
    used = await list_used()
    async with store.transaction("local") as tx:
        for item in await list_budget_usage(tx):
            await delete_budget(tx, item.budget.budget_id)
    await make_budgets()

    assert used == await list_used()
    assert used["hour"] == 0 < used["total"]


async def test_imported_costs_are_the_sources_or_else_from_the_price_list(
    bring: Bring, store: Store
):
    stated = await bring("langfuse", LANGFUSE)
    priced = await bring("otel", OTEL)

    async with store.transaction("local") as tx:
        rows = await tx.fetch("select cost_usd, price_version from llm_calls")
    versions = {row["price_version"]: row["cost_usd"] for row in rows}
    assert stated.money.stated_usd == Decimal("0.75")
    assert priced.money.stated_usd == 0 < priced.money.priced_usd
    assert versions.pop("as reported by langfuse") in (Decimal("0.5"), Decimal("0.25"))
    assert len(versions) == 1 and all(cost > 0 for cost in versions.values())


async def test_missing_usage_of_imported_calls_is_estimated_and_marked(
    bring: Bring, store: Store, tmp_path: Path
):
    trace = json.loads(KIOSKS["langfuse"].read_text("utf-8"))
    for one in trace["observations"]:
        one["usageDetails"] = {}
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(trace), encoding="utf-8")

    report = await bring("langfuse", str(path))

    assert report.money.estimated == 2
    assert await count(store, "llm_calls", "usage_source = 'estimated' and input_tokens > 0") == 2


@pytest.mark.parametrize("kind", ["traces", "checkpoints"])
async def test_importing_the_same_source_twice_adds_nothing(
    kind: str, bring: Bring, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("t-1", [human("h1", "Hi"), ai("a1", "Hello", usage=USAGE)])
    source = ("otel", OTEL)
    source = ("langgraph", str(saver.path)) if kind == "checkpoints" else source
    tables = ("threads", "messages", "runs", "steps", "llm_calls", "tool_calls", "client_threads")

    await bring(*source)
    before = [await count(store, table) for table in tables]
    report = await bring(*source)

    assert [await count(store, table) for table in tables] == before
    assert report.outcomes == {"same": 1}


async def test_imported_threads_are_invisible_to_other_users_and_tenants(
    bring: Bring, store: Store
):
    await bring("otel", OTEL)

    assert await list_threads(store, "bo") == []
    assert await store.list_threads("other", "ann", limit=10) == []


KEY = "sk-live-0123456789"


@pytest.mark.parametrize("source", KIOSKS)
async def test_secrets_beside_the_messages_are_not_imported(
    source: str, bring: Bring, store: Store, tmp_path: Path
):
    """Parameters, metadata, resources: a client notes its environment down beside what was said."""
    path = tmp_path / "with-keys.jsonl"
    lines = KIOSKS[source].read_text("utf-8").splitlines()
    path.write_text("".join(json.dumps(plant_keys(json.loads(line))) + "\n" for line in lines))
    assert path.read_text().count(KEY) > 2

    report = await bring(source, str(path))

    async with store.transaction("local") as tx:
        tables = await tx.fetch(
            "select table_name::text as name from information_schema.columns "
            "where table_schema = 'public' and column_name = 'tenant_id'"
        )
        held = [
            row["name"]
            for row in tables
            if await tx.fetchval(
                f"select exists (select from {row['name']} as it where it::text like $1)",
                f"%{KEY}%",
            )
        ]
    assert (report.outcomes, held) == ({"new": 1}, [])


def plant_keys(value: Any) -> Any:
    """The same, with a key in each place that is about the call and not of what was said."""
    if isinstance(value, list):
        return [plant_keys(item) for item in value]
    if not isinstance(value, dict):
        return value
    planted = {name: plant_keys(item) for name, item in value.items()}
    for name in ("metadata", "invocation_params", "runtime", "modelParameters", "extra"):
        if isinstance(planted.get(name), dict):
            planted[name]["api_key"] = KEY
            planted[name]["default_headers"] = {"authorization": f"Bearer {KEY}"}
    for span in planted.get("spans", []):
        span.setdefault("attributes", []).append(
            {"key": "http.request.header.authorization", "value": {"stringValue": KEY}}
        )
    if "attributes" in planted.get("resource", {}):
        planted["resource"]["attributes"].append(
            {"key": "process.environment.OPENAI_API_KEY", "value": {"stringValue": KEY}}
        )
    if "observations" in planted or "run_type" in planted or planted.get("type") == "GENERATION":
        planted.setdefault("metadata", {"api_key": KEY})
        planted.setdefault("extra", {}).setdefault("env", {"OPENAI_API_KEY": KEY})
    return planted


async def test_a_second_import_adds_the_sources_new_messages(
    bring: Bring, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    said = [human("h1", "Book it"), ai("a1", "", ("c1", "book", {"n": 1}), usage=USAGE)]
    saver.put("t-1", said)
    await bring("langgraph", str(saver.path))
    said += [tool("r1", "c1", "done"), ai("a2", "Booked."), human("h2", "Thanks")]
    saver.put("t-1", [*said, ai("a3", "Welcome.", usage=USAGE)])

    report = await bring("langgraph", str(saver.path))

    (thread_id,) = await list_threads(store)
    assert report.outcomes == {"grown": 1}
    assert show(await store.load_messages("local", thread_id)) == [
        ("user", "Book it", []),
        ("assistant", "", [("book", {"n": 1})]),
        ("tool", "done"),
        ("assistant", "Booked.", []),
        ("user", "Thanks", []),
        ("assistant", "Welcome.", []),
    ]
    runs = await store.list_runs("local", thread_id)
    assert [run.status for run in runs] == ["succeeded", "succeeded"]
    assert await count(store, "llm_calls") == 2


def make_turn(name: str, sent: list[Any], answer: Any, *, system: str = "") -> str:
    head = [{"role": "system", "content": system}] if system else []
    tools = [] if system else [{"type": "function", "function": {"name": "look"}}]
    run = {
        "id": name, "trace_id": name, "run_type": "llm", "extra": {"metadata": {"thread_id": "t"}},
        "start_time": f"2026-11-01T00:00:{int(name):02}Z", "outputs": {"choices": [answer]},
        "inputs": {"messages": [*head, *sent], "model": "gpt-4o-mini", "tools": tools},
    }  # fmt: skip
    return json.dumps({**run, "end_time": run["start_time"]})


async def test_a_second_import_adds_calls_beside_the_conversation(
    bring: Bring, store: Store, tmp_path: Path
):
    asked = {"role": "user", "content": "Which keys?"}
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    looks = {"role": "assistant", "content": "", "tool_calls": [call]}
    found = {"role": "tool", "tool_call_id": "c1", "content": "blue"}
    said, rated = ({"role": "assistant", "content": text} for text in ("Blue.", "5"))
    judge = [{"role": "user", "content": "Rate this."}]
    runs = [
        make_turn("1", [asked], {"message": looks}),
        make_turn("2", judge, {"message": rated}, system="Judge."),
        make_turn("3", judge, {"message": rated}, system="Judge again."),
        make_turn("4", [asked, looks, found], {"message": said}),
    ]
    outcomes: list[tuple[str, int]] = []
    for lines in (runs[:2], runs[:3], runs, runs):
        (tmp_path / "runs.jsonl").write_text("\n".join(lines), encoding="utf-8")
        report = await bring("langsmith", str(tmp_path / "runs.jsonl"))
        outcomes.append((next(iter(report.outcomes)), await count(store, "llm_calls")))

    assert outcomes == [("new", 2), ("same", 3), ("grown", 4), ("same", 4)]


async def test_an_imported_thread_continued_here_is_not_changed_by_imports(
    bring: Bring, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("t-1", [human("h1", "Hi"), ai("a1", "Hello")])
    await bring("langgraph", str(saver.path))
    (thread_id,) = await list_threads(store)
    message: Any = {"role": "user", "parts": [{"type": "text", "text": "Here"}]}
    await store.save_message("local", thread_id, None, message)
    saver.put("t-1", [human("h1", "Hi"), ai("a1", "Hello"), human("h2", "There"), ai("a2", "Yes")])

    report = await bring("langgraph", str(saver.path))

    assert report.outcomes == {"apart": 1}
    assert len(await store.load_messages("local", thread_id)) == 3


async def test_a_deleted_import_can_be_imported_again_completely(bring: Bring, store: Store):
    await bring("otel", OTEL)
    (thread_id,) = await list_threads(store)
    async with store.transaction("local") as tx:
        from plainloop.agent.store.threads import delete_thread

        await delete_thread(tx, "ann", thread_id)

    report = await bring("otel", OTEL)

    assert report.outcomes == {"new": 1}
    assert await count(store, "llm_calls", "run_id is not null") == 2
    assert await count(store, "llm_calls") == 2


@pytest.mark.parametrize(("source", "name", "files", "less"), CASES)
async def test_a_recorded_replay_of_an_import_has_no_divergence(
    source: str,
    name: str,
    files: tuple[str, ...],
    less: set[str],
    bring: Bring,
    store: Store,
    settings: Settings,
):
    await bring(source, *(find_public(f"{source}/{name}.{file}.gz") for file in files))

    outcomes: set[str] = set()
    for thread_id in await list_threads(store):
        replayed = await replay_stored(await load_stored(store, "local", thread_id), {}, settings)
        outcomes |= {turn.outcome for turn in replayed.turns}

    assert outcomes <= {"same", "partial", "unanswered"}


async def test_a_replay_of_an_import_shows_a_changed_prompt(
    bring: Bring, store: Store, settings: Settings
):
    await bring("otel", OTEL)
    (thread_id,) = await list_threads(store)
    async with store.transaction("local") as tx:  # a recording that nobody could have made
        await tx.execute(
            'update messages set parts = \'[{"type": "text", "text": "Eleven."}]\''
            " where role = 'tool' or position = 3"
        )
    stored = await load_stored(store, "local", thread_id)

    replayed = await replay_stored(stored, {}, settings)

    assert replayed.diverged_turn == 0


async def test_an_imported_interrupt_creates_an_approval_for_each_open_call(
    bring: Bring, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put(
        "w", [human("h1", "Book"), ai("a1", "", ("c1", "book", {"n": 1}), ("c2", "look", {}))]
    )
    saver.interrupt("w", {"question": "Book 1?"})

    report = await bring("langgraph", str(saver.path))

    async with store.transaction("local") as tx:
        rows = await tx.fetch("select tool_name, question, status from approvals order by 1")
    assert [tuple(row.values()) for row in rows] == [
        ("book", "Book 1?", "pending"),
        ("look", "Book 1?", "pending"),
    ]
    assert await count(store, "runs", "status = 'waiting' and owner is null") == 1
    assert report.waiting == 1


async def test_tool_results_in_langgraphs_pending_writes_are_imported(
    settings: Settings, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("p", [human("h1", "Both"), ai("a1", "", ("c1", "book", {}), ("c2", "book", {}))])
    saver.write("p", "task-2", 0, "messages", [tool(None, "c2", "second")])

    (found,) = await read_all(settings, "langgraph", str(saver.path))

    assert show(found.messages)[-1] == ("tool", "second")
    assert found.gaps == ["a call without a result"]


async def test_pickled_langgraph_threads_are_refused_by_name(
    bring: Bring, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("good", [human("h1", "Hi"), ai("a1", "Hello")])
    saver.put("bad", [])
    saver._db.execute("update checkpoints set type = 'pickle' where thread_id = 'bad'")
    saver._db.commit()

    report = await bring("langgraph", str(saver.path))

    assert report.outcomes == {"new": 1}
    assert list(report.refused) == [
        "bad: the channel 'checkpoint' is stored as pickle, which is not supported"
    ]


async def test_an_approved_call_of_an_imported_thread_is_executed_here(
    plainloop: Command, store: Store, tmp_path: Path
):
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("w", [human("h1", "delete my job"), ai("a1", "", ("c1", "list_jobs", {}))])
    saver.interrupt("w", "May I look?")
    brought = await plainloop("import", "langgraph", str(saver.path))
    listed = await plainloop("approvals")
    async with store.transaction("local") as tx:
        approval = await tx.fetchval("select approval_id from approvals")

    decided = await plainloop("approve", str(approval)[-12:], AGENT_PROVIDER="offline")

    assert "1 are waiting for approval" in brought.out, brought.err
    assert "May I look?" in listed.out
    assert decided.code == 0, decided.err
    assert await count(store, "runs", "status = 'succeeded'") == 1
    assert await count(store, "tool_calls", "name = 'list_jobs' and status = 'succeeded'") == 1


async def test_plainloop_import_prints_its_counts_and_the_thread_can_be_shown(
    plainloop: Command, tmp_path: Path
):
    told = await plainloop(*("import", "otel", OTEL, "--report", "report.json"))
    again = await plainloop("import", "otel", OTEL)
    replayed = await plainloop("replay", "recorded")
    used = await plainloop("usage")

    assert told.code == 0, told.err
    assert told.out.splitlines()[:2] == ["1 conversation · 4 messages · 1 tool call", "  1 taken"]
    assert "1 here already" in again.out
    assert "1 conversation, 0 diverged" in replayed.out
    assert "2 model calls" in used.out
    assert json.loads((tmp_path / "report.json").read_text())["outcomes"] == {"new": 1}


async def test_an_import_can_be_replayed_live_with_its_source_prompt(
    plainloop: Command, tmp_path: Path
):
    await plainloop("import", "langfuse", LANGFUSE)

    told = await plainloop("replay", "live", "--report", "report", AGENT_PROVIDER="offline")

    assert told.code == 0, told.err
    report = json.loads((tmp_path / "report" / "report.json").read_bytes())
    assert report["summary"]["unfinished"] == {}
    assert report["summary"]["turns"] == 1


async def test_invalid_imported_tools_do_not_stop_a_replay(
    bring: Bring, store: Store, settings: Settings, tmp_path: Path
):
    trace = json.loads(KIOSKS["langfuse"].read_text("utf-8"))
    for one in trace["observations"]:
        one["input"]["tools"] = [{"function": 7}]
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(trace), encoding="utf-8")
    await bring("langfuse", str(path))
    (thread_id,) = await list_threads(store)

    replayed = await replay_stored(await load_stored(store, "local", thread_id), {}, settings)

    assert [turn.outcome for turn in replayed.turns] == ["same"]


async def test_an_import_dry_run_stores_nothing(plainloop: Command, store: Store):
    told = await plainloop("import", "otel", OTEL, "--dry-run")

    assert (told.code, told.out.splitlines()[0]) == (0, "nothing was written: --dry-run")
    assert await count(store, "threads") == 0


def write_spans(path: Path, spans: int) -> int:
    """A trace of that many model calls, four of a conversation, each with a long text."""
    text = "lorem ipsum " * 60
    with path.open("w", encoding="utf-8") as file:
        for n in range(spans):
            talk, turn = divmod(n, 4)
            said: list[Any] = []
            for i in range(turn + 1):
                said.append({"role": "user", "parts": [{"type": "text", "content": f"{i} {text}"}]})
                said.append({"role": "assistant", "parts": [{"type": "text", "content": f"a {i}"}]})
            attributes = {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": "gpt-4o-mini",
                "gen_ai.provider.name": "openai",
                "gen_ai.conversation.id": f"talk-{talk}",
                "gen_ai.input.messages": json.dumps(said[:-1]),
                "gen_ai.output.messages": json.dumps(said[-1:]),
            }
            start = 1_795_000_000_000_000_000 + n * 1_000_000
            span = {
                "traceId": f"{talk:032x}",
                "spanId": f"{n + 1:016x}",
                "startTimeUnixNano": str(start),
                "endTimeUnixNano": str(start + 1000),
                "attributes": [
                    {"key": k, "value": {"stringValue": v}} for k, v in attributes.items()
                ],
            }
            request = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
            file.write(json.dumps(request) + "\n")
    return path.stat().st_size


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
async def test_memory_use_of_an_import_is_independent_of_trace_length(
    plainloop: Command, tmp_path: Path
):
    size = write_spans(tmp_path / "large.jsonl", SPANS)
    program = (
        "import re, sys\n"
        "from plainloop.agent.cli.app import run\n"
        "code = run(sys.argv[1:])\n"
        # Not ru_maxrss: that of a new process begins with what its parent had.
        "peak = re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())\n"
        "print(int(peak[1]) // 1024, file=sys.stderr)\n"
        "sys.exit(code)\n"
    )

    process = await plainloop.start(
        *("import", "otel", "large.jsonl", "--dry-run"), program=(sys.executable, "-c", program)
    )
    out, err = await process.communicate()

    assert f"{SPANS // 4:,} taken" in out.decode(), err
    peak_mb = int(err.decode().strip().splitlines()[-1])
    assert peak_mb < MOST_MB, f"{peak_mb} MB for a file of {size // 2**20} MB"
    print(f"{peak_mb} MB for {size // 2**20} MB", *err.decode().splitlines()[:-1], sep="\n")


async def test_a_killed_import_resumes_where_it_stopped(
    plainloop: Command, store: Store, tmp_path: Path
):
    write_spans(tmp_path / "large.jsonl", 400)
    process = await plainloop.start("import", "otel", "large.jsonl")
    while await count(store, "threads") < 5:
        assert process.returncode is None
        await asyncio.sleep(0)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    half = await count(store, "threads")

    told = await plainloop("import", "otel", "large.jsonl")

    assert half < 100
    assert told.code == 0, told.err
    assert (await count(store, "threads"), await count(store, "messages")) == (100, 800)
    assert await count(store, "llm_calls") == 400
