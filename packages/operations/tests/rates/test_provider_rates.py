"""What a provider allows in a minute holds for all replicas together, and tenants take turns."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from plainloop.agent.base.sharing.fair_queue import act_for
from plainloop.agent.config.rates import ProviderRate
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import ConfigError, RateLimited, StoreError
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.budgets import Budget, list_budget_usage, save_budget
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.rates import provider_rates as core_rates
from plainloop.agent.store.rates.provider_rates import NO_RATES, make_rates
from plainloop.agent.store.records import CallStart, Reserved, Run
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop_operations.rates import provider_rates
from tests.core.model_calls import make_caller
from tests.core.store_samples import make_call_start, make_settled
from tests.machine.scripted import ScriptedProvider, text

BEGIN = 1_800_000_000.25  # a moment that the tests of the database's part begin at
MINUTE_S = 60.0
MAX_CALLS = 100  # calls of a tenant that a replica asks for at once


def make_start(tenant_id: str = "acme", tokens: int = 0) -> CallStart:
    nobody = Run(tenant_id, "ann", "", "", "me/1/1", 1, 1, "default", "tracker", -1)
    ids: dict[str, Any] = dict.fromkeys(("thread_id", "run_id", "last_position"))
    model = {"provider": "scripted", "model": "scripted-1", "estimated_input_tokens": tokens}
    return make_call_start(nobody, reserved=Reserved(tokens, None), **ids, **model)


class Asking:
    """Replicas as the database sees them: what each asks for, at moments that a test names."""

    def __init__(self, connection: Any, requests: int | None, tokens: int | None = None) -> None:
        self._connection = connection
        self._limits = (requests, tokens)
        self.gone: list[tuple[float, str, int]] = []  # when, whose, tokens

    async def ask(self, at_s: float, replica: str, waiting: dict[str, list[int]]) -> dict[str, int]:
        """How many of each tenant's calls (their tokens) may go; they are taken off the lists."""
        asked = [
            {"tenant_id": tenant_id, "n": n, "tokens": tokens}
            for tenant_id, own in waiting.items()
            for n, tokens in enumerate(own[:MAX_CALLS])
        ]
        moment = datetime.fromtimestamp(BEGIN + at_s, UTC).isoformat()
        requests, tokens = self._limits
        named = {"rate": "r", "replica": replica, "requests": requests, "tokens": tokens}
        rows = await self._connection.fetch(
            "select whose, taken from plainloop_take_rate($1) where whose is not null",
            {"tenant_id": "", "rights": "none", **named, "asked": asked, "moment": moment},
        )
        for whose, taken in rows:
            self.gone += [(at_s, whose, tokens) for tokens in waiting[whose][:taken]]
            del waiting[whose][:taken]
        return dict(rows)

    def find_fullest(self, seconds: float) -> tuple[int, int]:
        """The most requests, and the most tokens, that any so many seconds hold."""
        windows = [
            [tokens for at_s, _, tokens in self.gone if begin <= at_s < begin + seconds]
            for begin, _, _ in self.gone
        ]
        return max(map(len, windows)), max(map(sum, windows))


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[Any]:
    from orjson import dumps, loads

    opened: Any = await asyncpg.connect(database_url)
    await opened.set_type_codec(
        "json", schema="pg_catalog", encoder=lambda value: dumps(value).decode(), decoder=loads
    )
    yield opened
    await opened.close()


async def test_calls_per_minute_never_exceed_the_provider_rate(connection: Any) -> None:
    asking = Asking(connection, 30)
    waiting = {"one": {"acme": [0] * 100}, "two": {"acme": [0] * 100}}
    for tick in range(260):  # each replica once a second, for more than two minutes
        replica = ("one", "two")[tick % 2]
        await asking.ask(tick * 0.5, replica, waiting[replica])
    assert asking.find_fullest(MINUTE_S)[0] <= 30
    assert asking.find_fullest(10)[0] <= 5
    # Of what is allowed in 130 seconds nothing much is left: 5 in any 11 of the database's.
    assert len(asking.gone) >= 55


async def test_tokens_per_minute_never_exceed_the_provider_rate(connection: Any) -> None:
    asking = Asking(connection, None, 6000)
    waiting = {
        "one": {"acme": [200, 900, 2500, 100] * 10},
        "two": {"umbrella": [700, 50, 5900] * 10},
    }
    for tick in range(300):
        replica = ("one", "two")[tick % 2]
        await asking.ask(tick * 0.5, replica, waiting[replica])
    assert asking.find_fullest(MINUTE_S)[1] <= 6000
    assert sum(tokens for _, _, tokens in asking.gone) >= 0.6 * 6000 * 2.5


async def test_a_call_with_more_tokens_than_the_rate_runs_alone(connection: Any) -> None:
    asking = Asking(connection, None, 1000)
    small = {"acme": [10]}
    await asking.ask(0, "one", small)
    large = {"acme": [5000, 10]}
    for at_s in range(1, 130):
        await asking.ask(at_s, "one", large)
    times = [at_s for at_s, _, _ in asking.gone]
    assert [tokens for _, _, tokens in asking.gone] == [10, 5000, 10]
    assert times[1] >= MINUTE_S
    assert times[2] - times[1] >= MINUTE_S


@pytest.mark.parametrize("is_same_replica", [True, False])
async def test_a_busy_tenant_leaves_others_their_share_of_a_rate(
    connection: Any, is_same_replica: bool
) -> None:
    asking = Asking(connection, 60)
    many, few = {"acme": [0] * 1000}, dict[str, list[int]]()
    for at_s in range(80):
        if at_s == 30:
            few["umbrella"] = [0] * 20
        if is_same_replica:
            await asking.ask(at_s, "one", {**many, **few})
        else:  # the one with many always asks first
            await asking.ask(at_s, "one", many)
            await asking.ask(at_s + 0.5, "two", few)
    since = [whose for at_s, whose, _ in asking.gone if at_s >= 30]
    both = since[: len(since) - since[::-1].index("umbrella")]
    counts = Counter(both)
    assert counts["umbrella"] == 20
    # Turn by turn. What may go in ten seconds is gone when it was given before the other replica
    # had said that somebody waits there.
    assert counts["acme"] <= 20 + 10
    assert both.index("umbrella") <= 10


async def test_a_vanished_replica_reserves_no_share_of_a_rate(connection: Any) -> None:
    asking = Asking(connection, 6)
    await asking.ask(0, "gone", {"umbrella": [0] * 50})
    mine = {"acme": [0] * 10}
    for at_s in range(1, 40):
        await asking.ask(at_s, "here", mine)
    assert len(mine["acme"]) <= 7


async def test_an_idle_tenant_accumulates_no_rate(connection: Any) -> None:
    asking = Asking(connection, 60)
    await asking.ask(0, "one", {"umbrella": [0]})
    many = {"acme": [0] * 1000}
    for at_s in range(1, 60):
        await asking.ask(at_s, "one", many)
    few = {"umbrella": [0] * 100}
    before = len(asking.gone)
    for at_s in range(60, 90):
        await asking.ask(at_s, "one", {**many, **few})
    counts = Counter(whose for _, whose, _ in asking.gone[before:])
    assert abs(counts["acme"] - counts["umbrella"]) <= 2


@pytest.fixture
def limited(settings: Settings) -> Settings:
    """One call a minute: who waits does so for as long as a test may take."""
    return replace(settings, rates={"scripted": ProviderRate(requests_per_minute=1)})


@pytest.fixture
async def stores(limited: Settings) -> AsyncIterator[list[Store]]:
    """Of two replicas."""
    opened = [await connect_store(limited, migrate=False) for _ in range(2)]
    yield opened
    for store in opened:
        await store.close()


async def wait_until_asked(store: Store, calls: int | None = None) -> None:
    """Until the database knows that so many wait; None: that some do."""
    sql = "select coalesce(sum(calls), 0)::int as calls from provider_rate_lines"
    async with asyncio.timeout(60):
        while True:
            async with store.database.operate() as tx:
                waiting = await tx.fetchval(sql)
            if waiting and calls in (None, waiting):
                return
            await asyncio.sleep(0.01)


def count_questions(store: Store) -> list[str]:
    """What the database is asked from now on, when it has answered."""
    rates: Any = store.rates
    db = rates._db
    call, answered = db.call, list[str]()

    async def count(function: str, **given: Any) -> Any:
        rows = await call(function, **given)
        answered.append(function)
        return rows

    db.call = count
    return answered


async def test_simultaneous_calls_reserve_their_rate_in_one_statement(settings: Settings) -> None:
    rated = replace(settings, rates={"scripted": ProviderRate(requests_per_minute=600)})
    store = await connect_store(rated, migrate=False)
    answered = count_questions(store)
    await asyncio.gather(*(store.rates.take(make_start()) for _ in range(50)))
    await store.close()
    assert len(answered) == 1


async def test_without_configured_rates_calls_send_no_rate_statement(store: Store) -> None:
    assert store.rates is NO_RATES
    await store.rates.take(make_start())
    async with store.database.operate() as tx:
        assert await tx.fetch("select * from provider_rates") == []


async def test_a_cancelled_wait_for_a_rate_uses_nothing(stores: list[Store]) -> None:
    first, second = stores
    await first.rates.take(make_start())
    waiting = [asyncio.create_task(first.rates.take(make_start())) for _ in range(3)]
    await wait_until_asked(second, 3)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with second.database.operate() as tx:
        assert await tx.fetchval("select sum(requests)::int from provider_rate_uses") == 1


async def test_users_of_a_tenant_share_its_provider_rate_in_turn(settings: Settings) -> None:
    rated = replace(settings, rates={"scripted": ProviderRate(requests_per_minute=600)})
    store = await connect_store(rated, migrate=False)
    gone: list[str] = []

    async def call(user_id: str) -> None:
        act_for("acme", user_id)
        await store.rates.take(make_start())
        gone.append(user_id)

    flood = [asyncio.create_task(call("ann")) for _ in range(60)]
    await asyncio.gather(*flood, asyncio.create_task(call("bob")))
    await store.close()
    assert gone.index("bob") == 1, gone


async def test_a_call_waiting_for_a_rate_reserves_no_budget(
    stores: list[Store], limited: Settings
) -> None:
    store = stores[0]
    async with store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "day", 1_000_000, None))
    await store.rates.take(make_start())
    caller = await make_caller(store, limited, ScriptedProvider(text("hello")))
    call = asyncio.create_task(caller.call())
    await wait_until_asked(stores[1], 1)
    async with store.transaction("acme") as tx:
        (usage,) = await list_budget_usage(tx)
    assert (usage.reserved_tokens, await caller.list_rows()) == (0, [])
    call.cancel()
    assert isinstance((await asyncio.gather(call, return_exceptions=True))[0], BaseException)


async def test_a_retry_after_pauses_all_calls_to_the_provider(settings: Settings) -> None:
    rated = replace(settings, rates={"scripted": ProviderRate(requests_per_minute=600)})
    stores = [await connect_store(rated, migrate=False) for _ in range(3)]
    busy = RateLimited("busy", retry_after_s=3600)
    caller = await make_caller(stores[0], rated, ScriptedProvider(busy))
    with pytest.raises(RateLimited):
        await caller.call()
    other = await make_caller(stores[1], rated, provider := ScriptedProvider(text("hello")))
    answered = count_questions(stores[1])
    call = asyncio.create_task(other.call())
    async with asyncio.timeout(60):
        while not answered:
            await asyncio.sleep(0.01)
    assert (provider.requests, call.done()) == ([], False)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    async with stores[1].database.operate() as tx:  # the hour is over
        await tx.execute("update provider_rates set paused_until = now()")
    again = await make_caller(stores[2], rated, ScriptedProvider(text("hello")))
    assert (await again.call()).text == "hello"
    for store in stores:
        await store.close()


async def test_actual_usage_replaces_the_estimate_in_a_rate(settings: Settings) -> None:
    rated = replace(settings, rates={"scripted:scripted-1": ProviderRate(None, 60_000)})
    store = await connect_store(rated, migrate=False)
    start = make_start(tokens=3000)
    await store.rates.take(start)
    store.rates.settle([make_settled(start, usage=Usage(input_tokens=400, output_tokens=100))])
    await store.rates.take(make_start(tokens=70))
    async with store.database.operate() as tx:
        counted = await tx.fetchval("select sum(tokens)::int from provider_rate_uses")
    await store.close()
    assert counted == 570


async def test_a_failed_rate_request_loses_no_settled_tokens(settings: Settings) -> None:
    rated = replace(settings, rates={"scripted:scripted-1": ProviderRate(None, 60_000)})
    store = await connect_store(rated, migrate=False)
    start = make_start(tokens=300)
    await store.rates.take(start)
    store.rates.settle([make_settled(start, usage=Usage(input_tokens=900, output_tokens=100))])
    rename = "alter function {}(json) rename to {}"
    async with store.database.connection() as connection:
        await connection.execute(rename.format("plainloop_take_rate", "moved"))
        with pytest.raises(StoreError):
            await store.rates.take(make_start(tokens=70))
        await connection.execute(rename.format("moved", "plainloop_take_rate"))
    await store.rates.take(make_start(tokens=70))
    async with store.database.operate() as tx:
        counted = await tx.fetchval("select sum(tokens)::int from provider_rate_uses")
    await store.close()
    assert counted == 1070


async def test_a_calls_tokens_count_towards_a_rate_for_one_minute(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated = replace(settings, rates={"scripted:scripted-1": ProviderRate(None, 60_000)})
    store = await connect_store(rated, migrate=False)
    old, new = make_start(tokens=3000), make_start(tokens=70)
    await store.rates.take(old)
    monkeypatch.setattr(provider_rates, "KEPT_S", -1)  # as if a minute had passed
    await store.rates.take(new)
    took = Usage(input_tokens=400, output_tokens=100)
    store.rates.settle([make_settled(old, usage=took), make_settled(new, usage=took)])
    await store.rates.take(make_start(tokens=5))
    async with store.database.operate() as tx:
        counted = await tx.fetchval("select sum(tokens)::int from provider_rate_uses")
    await store.close()
    assert counted == 3000 + 500 + 5


def take_until_told(environ: dict[str, str], rate: int, started: Any, gone: Any) -> None:
    """A replica of its own process: 1,000 calls; each that may go is told."""

    async def work() -> None:
        rates = {"scripted": ProviderRate(requests_per_minute=rate)}
        store = await connect_store(replace(load_settings(environ), rates=rates), migrate=False)

        async def take() -> None:
            await store.rates.take(make_start())
            gone.put(1)

        started.release()
        await asyncio.gather(*(take() for _ in range(1000)))

    asyncio.run(work())


async def test_two_processes_share_one_rate(settings: Settings, store: Store) -> None:
    url = settings.get_table(DatabaseSettings).url
    assert url is not None
    environ = {"DATABASE_URL": url.reveal(), "AGENT_DATA_DIR": str(settings.data_dir)}
    context = multiprocessing.get_context("spawn")
    started, gone = context.Semaphore(0), context.Queue()
    rate = 360
    processes = [
        context.Process(target=take_until_told, args=(environ, rate, started, gone), daemon=True)
        for _ in range(2)
    ]
    for process in processes:
        process.start()
    try:
        for _ in processes:
            assert await asyncio.to_thread(started.acquire, timeout=120)
        for _ in range(rate // 6):
            await asyncio.to_thread(gone.get, timeout=120)
        await wait_until_asked(store)
        async with store.database.operate() as tx:
            uses = await tx.fetch("select second, requests from provider_rate_uses")
    finally:
        for process in processes:
            process.kill()
            process.join()
    in_any_ten = [
        sum(row["requests"] for row in uses if 0 <= row["second"] - first["second"] < 10)
        for first in uses
    ]
    assert sum(row["requests"] for row in uses) >= rate // 6
    assert max(in_any_ten) <= rate // 6


def test_rates_are_read_from_the_settings_file(tmp_path: Any) -> None:
    path = tmp_path / "plainloop.toml"
    path.write_text(
        "[rates.openai]\nrequests_per_minute = 500\n"
        '[rates."openai:gpt-4o"]\ntokens_per_minute = 30000\n'
    )
    assert load_settings({}, path).rates == {
        "openai": ProviderRate(500, None),
        "openai:gpt-4o": ProviderRate(None, 30_000),
    }


@pytest.mark.parametrize(
    "line", ["requests_per_minute = 0", "tokens = 5", "tokens_per_minute = 1.5", ""]
)
def test_an_invalid_rate_is_refused(tmp_path: Any, line: str) -> None:
    path = tmp_path / "plainloop.toml"
    path.write_text(f"[rates.openai]\n{line}\n")
    with pytest.raises(ConfigError, match="rates"):
        load_settings({}, path)


async def test_a_rate_for_an_unknown_provider_is_refused(settings: Settings) -> None:
    wrong = replace(settings, rates={"opnai": ProviderRate(5)})
    with pytest.raises(ConfigError, match="opnai"):
        async with open_service(wrong, loads_sdk=False):
            pass


async def test_rates_without_their_package_are_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_rates, "load_hook", {}.get)
    with pytest.raises(ConfigError, match="needs plainloop-operations") as refused:
        make_rates(store.read(""), {"scripted": ProviderRate(5)})
    assert refused.value.hint and "remove `[rates]`" in refused.value.hint
