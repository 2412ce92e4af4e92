"""What prompt caches saved and lost, computed from the ledger's rows when a report is made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from plainloop.agent.store.store import Store
from plainloop.agent.usage.caches import add_cache_amounts
from plainloop.agent.usage.report import UsageFilter, UsageRow, summarize_usage

NOW = datetime.now(UTC) - timedelta(hours=4)
# Calls of one thread: seconds since the first, tokens read from the cache, written for the shorter
# lifetime, and written for the longer.
CALL = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, node, worker, role, attempt,
    provider, model, status, estimated_input_tokens, usage_source, input_tokens, cache_read_tokens,
    cache_write_tokens, cache_write_long_tokens, created_at)
values ('acme', overlay(plainloop_first_id($1)::text placing '7' from 15)::uuid, $2, $3, 'worker',
    'clerk', 'worker', 1, $4, $5, 'succeeded', 2000, 'provider', 0, $6, $7, $8, $1)
"""
THREAD = "01a20264-c24c-7000-8000-000000000000"


async def save_calls(
    store: Store, *calls: tuple[int, int, int, int], model: str = "anthropic:claude-sonnet-5-5"
) -> None:
    provider, _, name = model.partition(":")
    async with store.transaction("acme") as tx:
        for at_s, *tokens in calls:
            at = NOW + timedelta(seconds=at_s)
            await tx.execute(CALL, at, "ann", THREAD, provider, name, *tokens)


async def read_amounts(
    store: Store, *by: str, only: UsageFilter | None = None
) -> list[tuple[str | None, str | None, str | None]]:
    db, only = store.read("acme"), only or UsageFilter()
    rows: list[UsageRow] = await summarize_usage(db, by, only)
    rows = await add_cache_amounts(rows, db, by, only)
    return [(row.cache_saved_usd, row.pause_loss_usd, row.prefix_loss_usd) for row in rows]


async def test_cache_losses_are_reported_by_cause(store: Store) -> None:
    await save_calls(store, (0, 0, 2_000, 0), (10, 2_000, 0, 0), (910, 0, 2_000, 0))
    await save_calls(store, (920, 0, 2_000, 0))

    # Each write costs $0.001 more than plain input, the read $0.0038 less.
    assert await read_amounts(store) == [("0.0008", "0.0048", "0.0048")]
    assert await read_amounts(store, "user", "day") == [("0.0008", "0.0048", "0.0048")]
    assert await read_amounts(store, only=UsageFilter({"model": "other"})) == [(None, None, None)]


async def test_a_cache_miss_within_its_lifetime_is_a_broken_prefix(store: Store) -> None:
    await save_calls(store, (0, 0, 0, 2_000), (900, 0, 0, 2_000), (9_000, 0, 0, 2_000))

    ((_, pause, prefix),) = await read_amounts(store)
    assert (pause, prefix) == ("0.0078", "0.0078")


async def test_short_prompts_and_unknown_prices_count_as_no_loss(store: Store) -> None:
    await save_calls(store, (0, 0, 900, 0), (900, 0, 900, 0))
    await save_calls(store, (1_000, 0, 5_000, 0), (2_000, 0, 5_000, 0), model="own:unlisted")

    assert [losses for _, *losses in await read_amounts(store)] == [[None, None]]


@pytest.mark.parametrize(
    "change", ["tools_hash = '\\x01'", "system_hash = '\\x01'", "first_position = 4"]
)
async def test_a_pause_is_no_cause_where_the_request_begins_otherwise(store: Store, change: str):
    await save_calls(store, (0, 0, 2_000, 0), (910, 0, 2_000, 0))
    async with store.transaction("acme") as tx:
        await tx.execute(f"update llm_calls set {change} where created_at > $1", NOW)

    assert await read_amounts(store) == [("-0.002", None, "0.0048")]
