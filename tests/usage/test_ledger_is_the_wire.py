"""Σ ledger = Σ wire: with retries, cut streams, fallbacks and cancellations, bucket by bucket.

What the wire server could not tell (it was cut, or the client went away) is listed as estimated or
missing; it is in no row as a provider's number, and never 0.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import UsageRow, summarize_usage
from plainloop_wire.faults import Fault, Faults
from tests.core.model_calls import make_caller
from tests.wire_fixtures import StartWire, WireServer

FAULTS: list[tuple[str, Fault | None]] = [
    ("fine", None),
    ("overloaded once", Fault(status=529)),
    ("overloaded for long", Fault(status=529, times=9)),
    ("cut in mid-stream", Fault(cut_after_events=4)),
    ("ends without its end", Fault(cut_after_events=4, end="clean")),
    ("an error inside", Fault(cut_after_events=4, end="error")),
    ("no answer", Fault(status=0)),
    ("refused", Fault(status=400)),
]


def add_up(server: WireServer) -> dict[str, int]:
    """Of the answers that reached their end: what the server said."""
    names = {
        "input_tokens": "input_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
        "output_tokens": "output_tokens",
    }
    whole = [
        entry["usage"]
        for entry in server.requests
        if entry["usage"]
        and not entry["disconnected"]
        and not (entry["stream"] and "fault" in entry)  # only streams are cut
    ]
    return {ours: sum(said.get(theirs) or 0 for said in whole) for ours, theirs in names.items()}


def get_buckets(rows: list[UsageRow]) -> dict[str, int]:
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    return {name: sum(getattr(row, name) or 0 for row in rows) for name in names}


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "in one piece"])
async def test_every_bucket_is_what_the_wire_said(
    store: Store, settings: Settings, wire_server: StartWire, stream: bool
) -> None:
    server, second = await wire_server(), await wire_server()
    chain = [
        create_provider("anthropic", "any", "claude-sonnet-4-5", each.base_url)
        for each in (server, second)
    ]
    ours = await make_caller(store, settings, *chain, model_attempts=3)
    for _, fault in FAULTS:
        server.wire.faults.load(Faults(series=(fault,) if fault else ()))
        try:
            await ours.call(stream=stream)
        except ModelError:
            continue
    server.wire.faults.load(Faults(first_ms=5_000))
    cancelled = asyncio.create_task(ours.call(stream=stream))
    while not any(row.status == "started" for row in await ours.list_rows()):
        await asyncio.sleep(0.01)
    cancelled.cancel()
    await asyncio.gather(cancelled, return_exceptions=True)

    rows = await summarize_usage(store.read("acme"), ["status"])
    by_status: dict[Any, UsageRow] = {row.keys["status"]: row for row in rows}
    first, other = add_up(server), add_up(second)
    assert get_buckets([by_status["succeeded"]]) == {
        name: first[name] + other[name] for name in first
    }
    assert by_status["succeeded"].estimated_calls == by_status["succeeded"].unreported_calls == 0
    # Every attempt is a row: what the servers saw, and the one that was cancelled.
    total = (await summarize_usage(store.read("acme")))[0]
    assert total.calls == len(await ours.list_rows())
    unsure = total.estimated_calls + total.unreported_calls
    # Refused and unreachable ones never began: they are known to have cost nothing.
    begun = sum(by_status[name].calls for name in ("cancelled", "cut") if name in by_status)
    assert (unsure, total.unpriced_calls) == (begun, 0)
    assert by_status["failed"].input_total is None
    assert by_status["cancelled"].estimated_calls == 1
    if stream:
        assert by_status["cut"].estimated_calls == by_status["cut"].calls > 0


async def test_the_servers_id_is_in_the_row_while_the_answer_is_still_coming(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server()
    chat = create_provider("anthropic", "any", "claude-sonnet-4-5", server.base_url)
    ours = await make_caller(store, settings, chat, model_attempts=1)
    server.wire.faults.load(Faults(delay_ms=10_000))
    answering = asyncio.create_task(ours.call(stream=True))
    async with asyncio.timeout(30):
        while not any(row.request_id for row in await ours.list_rows()):
            await asyncio.sleep(0.01)
    (row,) = await ours.list_rows()
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    (ended,) = await ours.list_rows()

    assert row.status == "started"
    assert (ended.status, ended.request_id) == ("cancelled", row.request_id)
