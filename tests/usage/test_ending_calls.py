"""Which share of the calls ends on which day, and the command that tries the successor."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from plainloop.agent.providers.endings import Ending, Endings, get_today
from plainloop.agent.store.store import Store
from plainloop.agent.usage.ending_calls import describe_ending_calls, list_ending_calls
from plainloop.agent.usage.report import UsageFilter
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
)
from tests.usage.ledger import move_run

SOON = get_today() + timedelta(days=48)
MADE = Endings(
    [
        Ending("anthropic", ("m-1", "m-2"), SOON, "m-9"),
        Ending("anthropic", ("m-3",), date(2020, 1, 1)),
    ]
)


async def add_calls(store: Store, *models: str, tenant: str = "acme", days: int = 0) -> None:
    """One call of each model, so many days ago."""
    run = await begin_run(store, await create_thread(store, tenant), tenant_id=tenant)
    starts = [make_call_start(run, model=model) for model in models]
    for start in starts:
        await store.record_call_start(start)
    settled = tuple(make_settled(start, model_answered=start.model) for start in starts)
    await store.record_steps(run, [make_step(calls=settled)])
    if days:
        await move_run(store, run, datetime.now(UTC) - timedelta(days=days))


async def test_usage_shows_the_share_of_calls_to_ending_models(store: Store) -> None:
    await add_calls(store, "m-1", "m-1", "m-2", "m-5", "m-5", "m-5", "m-5", "m-3")
    found = await list_ending_calls(store.read("acme"), MADE)

    assert [(item.models, item.calls, item.all_calls) for item in found] == [
        (("m-3",), 1, 8),
        (("m-1", "m-2"), 3, 8),
    ]
    when = f"{SOON.day} {SOON:%B %Y}"
    assert [*describe_ending_calls(found)] == [
        "12 % of your calls went to models that ended on 1 January 2020: anthropic:m-3",
        "  try a successor: plainloop replay live --provider anthropic --model SUCCESSOR",
        f"38 % of your calls end on {when} (in 48 days): anthropic:m-1, anthropic:m-2",
        "  try m-9: plainloop replay live --provider anthropic --model m-9",
    ]
    record = found[1].to_record()
    assert (record["ends"], record["share"], record["calls"]) == (SOON.isoformat(), 0.375, 3)


async def test_old_calls_and_other_tenants_calls_do_not_count_as_ending(store: Store) -> None:
    await add_calls(store, "m-1", days=40)
    await add_calls(store, "m-1", tenant="umbrella")
    await add_calls(store, "m-5")
    db = store.read("acme")

    assert await list_ending_calls(db, MADE) == []
    since = UsageFilter(since=datetime.now(UTC) - timedelta(days=60))
    assert [item.calls for item in await list_ending_calls(db, MADE, since)] == [1]
