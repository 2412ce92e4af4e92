"""What usage is told apart by is written once: everything that names it names all of it."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop.agent.types import TOKEN_BUCKETS
from plainloop.agent.usage.days import fill_times
from plainloop.agent.usage.dimensions import (
    DIMENSIONS,
    MEASURES,
    PARAMETERS,
    TABLES,
    build_rollup,
    build_summary,
)
from plainloop.agent.usage.report import UsageFilter, UsageRow, summarize_usage
from plainloop.server.routes.shapes import UsageQuery
from tests.cli.conftest import Command
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
)

from .ledger import REPLAY

ROOT = Path(__file__).parents[2]
NUMBERS: Any = (*(0,) * 7, *(None,) * (len(fields(UsageRow)) - 9))
EMPTY = UsageRow({"hour": "2026-11-01T05:00Z"}, *NUMBERS)
CONSOLE = ROOT / "server" / "console" / "static" / "usage_data.js"


def test_the_usage_api_has_every_filter_and_measure() -> None:
    query = {field.name for field in msgspec.structs.fields(UsageQuery)}

    assert query >= {*PARAMETERS.values()}
    in_caches = ["cache_saved_usd", "pause_loss_usd", "prefix_loss_usd"]
    assert [*UsageRow.__dataclass_fields__][1:] == [*MEASURES, *in_caches, "sums"]
    assert {*TOKEN_BUCKETS} < {*MEASURES}


async def test_usage_sum_tables_have_every_summed_column(store: Store) -> None:
    async with store.database.connection() as connection:
        for table in TABLES:
            if table != "llm_calls":
                await connection.execute(f"prepare {table}_rollup as {build_rollup(table)}")


async def test_plainloop_usage_lists_all_dimensions(plainloop: Command) -> None:
    told = await plainloop("usage", "--help")

    assert all(name in told.out for name in DIMENSIONS)


def test_the_console_groups_by_existing_dimensions() -> None:
    text = CONSOLE.read_text()
    (groups,) = re.findall(r"^export const GROUPS = \[([^\]]*)\];$", text, re.MULTILINE)

    named = re.findall(r'"(\w+)"', groups)
    assert len(named) > 10
    assert {*named} <= {*DIMENSIONS}


async def test_an_unknown_usage_filter_is_refused(store: Store) -> None:
    for wrong in ({"colour": "red"}, {"origin": "elsewhere"}, {"day": "2026-11-01"}):
        with pytest.raises(InputError):
            await summarize_usage(store.read("acme"), (), UsageFilter(wrong))


def test_a_single_usage_row_is_not_extended_by_empty_days() -> None:
    assert fill_times([EMPTY]) == [EMPTY]


async def test_usage_by_chat_joins_the_threads_once(store: Store) -> None:
    sql = build_summary(("chat",), (), by_cost=True, is_page=True)
    db, now = store.read_late("local"), datetime.now(UTC)
    rows = await db.fetch(f"explain {sql}", "local", now, now, now, now, 10, 0)

    plan = "\n".join(text for row in rows for text in row.values())
    assert "threads" in plan
    assert "SubPlan" not in plan, "a search of threads for each call"


async def test_calls_are_grouped_by_purpose_and_by_whether_their_price_is_known(store: Store):
    run = await begin_run(store, await create_thread(store))
    outside: Any = {"run_id": None, "thread_id": None, "worker": None}
    starts = [
        make_call_start(run),
        make_call_start(run, replay_id=REPLAY),
        replace(make_call_start(run, node="parser", role="parser"), **outside),
        replace(make_call_start(run, node="classifier", role="classifier"), **outside),
        replace(make_call_start(run, node="general", role="worker"), **outside),
    ]
    for start in starts:
        await store.record_call_start(start)
    priced = [make_settled(start, cost_usd="0.5") for start in starts[:2]]
    unpriced = [make_settled(start, cost_usd=None) for start in starts[2:4]]
    await store.record_steps(run, [make_step(calls=(*priced, *unpriced))])
    db = store.read_late(run.tenant_id)

    async def count(by: str, **only: str) -> dict[str | None, int]:
        rows = await summarize_usage(db, (by,), UsageFilter(only))
        return {row.keys[by]: row.calls for row in rows}

    purposes = {"chats": 1, "replays": 1, "files": 1, "classifier": 1, "deleted chats": 1}
    assert await count("purpose") == purposes
    assert await count("price") == {"known": 2, "unknown": 2, "running": 1}
    assert await count("purpose", price="unknown") == {"files": 1, "classifier": 1}
    assert await count("price", purpose="chats") == {"known": 1}
