"""A run that waits for a provider's rate: neither its time nor that of its tools passes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from packages.operations.tests.rates.test_provider_rates import count_questions, make_start
from plainloop.agent.base.time.work_time import WorkLimit, get_waited_s
from plainloop.agent.config.rates import ProviderRate
from plainloop.agent.errors import RatesFull
from plainloop.agent.store.store import Store
from tests.machine.running import Machine
from tests.machine.scripted import text, tools, triage

RATES = {"scripted": ProviderRate(requests_per_minute=600)}
LONG_S = 1000.0  # more than a run and its tools may take
PAUSE = """
insert into provider_rates (rate, paused_until) values ('scripted', now() + '400 seconds')
on conflict (rate) do update set paused_until = excluded.paused_until
"""
GO_ON = "update provider_rates set paused_until = now()"


async def order(store: Store, sql: str) -> None:
    async with store.database.operate() as tx:
        await tx.execute(sql)


async def wait_until_told(answered: list[str]) -> None:
    """Until the database has said that there is no room."""
    async with asyncio.timeout(60):
        while not answered:
            await asyncio.sleep(0.01)
    answered.clear()


async def test_waiting_for_a_rate_does_not_use_up_the_runs_time(
    machine: Any, pass_s: Callable[[float], None]
) -> None:
    run: Machine = await machine(
        triage("note_writer"),
        tools(("c1", "add_note", {"text": "kept"})),
        text("Done."),
        rates=RATES,
        rate_wait_s=2 * LONG_S,
    )
    await order(run.store, PAUSE)
    answered = count_questions(run.store)
    asked = asyncio.create_task(run.ask())
    await wait_until_told(answered)
    await order(run.store, GO_ON)
    pass_s(LONG_S)
    told = await asked
    assert (told.answer, told.error) == ("Done.", None)
    info = await run.load_run(told)
    steps = await run.store.load_steps("acme", info.run_id)
    assert sum(step.duration_ms for step in steps) < LONG_S * 1000


async def test_a_run_that_waits_too_long_for_a_rate_names_the_limit(machine: Any) -> None:
    run: Machine = await machine(rates=RATES, rate_wait_s=0.01)
    await order(run.store, PAUSE)
    told = await run.ask()
    assert told.last[1]["code"] == "RATES_FULL"
    assert run.provider.requests == []
    assert await run.store.list_calls("acme", (await run.load_run(told)).run_id) == []


async def test_the_rate_wait_limit_is_shared_by_all_calls_of_a_run(
    machine: Any, pass_s: Callable[[float], None]
) -> None:
    store = (await machine(rates=RATES)).store
    answered = count_questions(store)
    async with WorkLimit(1):
        for passed_s in (500.0, 150.0):
            await order(store, PAUSE)
            call = asyncio.create_task(store.rates.take(make_start(), 600))
            await wait_until_told(answered)
            if passed_s == 500:
                await order(store, GO_ON)
            pass_s(passed_s)
            ended = (await asyncio.gather(call, return_exceptions=True))[0]
            answered.clear()
        assert isinstance(ended, RatesFull)
        assert 650 <= get_waited_s() < 750


async def test_parallel_waits_for_a_rate_count_once(pass_s: Callable[[float], None]) -> None:
    async with WorkLimit(50) as run:
        async with WorkLimit(5) as tool:
            run.stop()
            tool.stop()
            pass_s(40)
            run.stop()
            pass_s(40)
            run.go_on()
            tool.go_on()
            run.go_on()
            await asyncio.sleep(0)
        assert (round(run.waited_s), round(tool.waited_s)) == (80, 80)


async def test_after_a_rate_wait_the_time_limit_applies_again(
    pass_s: Callable[[float], None],
) -> None:
    limit = WorkLimit(50)
    with pytest.raises(TimeoutError):
        async with limit:
            limit.stop()
            pass_s(1000)
            limit.go_on()
            await asyncio.sleep(0)
            pass_s(51)
            await asyncio.Event().wait()
    assert limit.expired()
