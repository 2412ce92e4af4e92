"""Work that is done again while the database is away, and what the log says of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import pytest

from plainloop.agent.errors import LeaseLost, StoreError
from plainloop.agent.store import outages
from plainloop.agent.store.outages import Outage, keep_trying, stop_trying, try_once

AWAY, FULL = StoreError("away"), StoreError("full", code="STORE_FULL")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(outages, "PAUSES_S", (0.0, 0.0))
    caplog.set_level(logging.WARNING)


def failing(*errors: Exception) -> Callable[[], Awaitable[str]]:
    """Work that raises these errors, one each time, and then is done."""
    left = list(errors)

    async def work() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return work


async def test_work_is_retried_until_the_database_is_back(caplog: pytest.LogCaptureFixture):
    assert await keep_trying(failing(AWAY, AWAY)) == "done"
    assert caplog.messages == ["database_away", "database_back"]


async def test_retries_end_when_the_database_stays_unreachable(caplog: pytest.LogCaptureFixture):
    with pytest.raises(StoreError, match="full"):
        await keep_trying(failing(AWAY, AWAY, FULL))
    assert caplog.messages == ["database_away", "database_away"]


async def test_work_that_succeeds_at_once_logs_nothing(caplog: pytest.LogCaptureFixture):
    assert await keep_trying(failing()) == "done"
    assert await try_once("looking", failing()()) is True
    assert caplog.messages == []


async def test_a_lost_lease_ends_the_work_at_once(caplog: pytest.LogCaptureFixture):
    with pytest.raises(LeaseLost):
        await keep_trying(failing(AWAY, LeaseLost("lost"), AWAY))
    assert caplog.messages == ["database_away", "database_back"]


async def test_a_non_outage_error_ends_the_outage(caplog: pytest.LogCaptureFixture):
    with pytest.raises(RuntimeError):
        await keep_trying(failing(AWAY, RuntimeError("a bug")))
    assert caplog.messages == ["database_away", "database_back"]


async def test_an_exception_that_is_no_outage_is_not_retried():
    with pytest.raises(RuntimeError):
        await keep_trying(failing(RuntimeError("a bug"), AWAY))


async def test_periodic_work_is_tried_once_per_round_during_an_outage(
    caplog: pytest.LogCaptureFixture,
):
    work = failing(AWAY, AWAY, RuntimeError("a bug"))
    assert [await try_once("looking", work()) for _ in range(4)] == [False, False, False, True]
    assert caplog.messages == ["database_away", "looking_failed", "database_back"]


async def test_stopped_work_does_not_log_the_databases_return(caplog: pytest.LogCaptureFixture):
    assert await try_once("looking", failing(AWAY)()) is False
    stop_trying("looking", "never begun")
    assert await try_once("writing", failing()()) is True
    assert caplog.messages == ["database_away", "database_back"]


def test_the_return_is_logged_when_the_last_waiter_succeeds(caplog: pytest.LogCaptureFixture):
    outage = Outage()
    for who, error in (("a", AWAY), ("b", AWAY), ("c", FULL)):
        outage.begin(who, error)
    told = [(record.__dict__["code"], record.__dict__["reason"]) for record in caplog.records]
    assert told == [("STORE_UNAVAILABLE", "away"), ("STORE_FULL", "full")]
    caplog.clear()
    outage.end("a")
    outage.end("b")
    assert caplog.messages == []
    outage.end("c")
    outage.end("c")
    assert caplog.messages == ["database_back"]


def test_outage_waiters_that_never_retry_are_dropped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    outage = Outage()
    monkeypatch.setattr(outages, "FORGET_S", -1.0)
    outage.begin("gone", AWAY)
    monkeypatch.undo()
    caplog.set_level(logging.WARNING)
    outage.begin("a", AWAY)
    outage.end("a")
    assert caplog.messages == ["database_away", "database_away", "database_back"]
