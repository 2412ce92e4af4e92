"""Σ ledger = Σ wire: with retries, cut streams, fallbacks and cancellations, bucket by bucket.

What the wire server could not tell (it was cut, or the client went away) is listed as estimated or
missing; it is in no row as a provider's number, and never 0.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.lifetimes import Mode, Pauses
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.store import Store
from plainloop.agent.types import INPUT_BUCKETS, ChatRequest
from plainloop.agent.usage.report import UsageRow, summarize_usage
from plainloop_wire.faults import Fault, Faults
from tests.core.model_calls import Caller, make_caller
from tests.wire_fixtures import StartWire, WireServer

CALLS = int(os.environ.get("AGENT_LEDGER_CALLS") or 54)
MODES: tuple[Mode, ...] = ("short", "long", "auto")
MODEL = "gpt-6.1-terra"
BOOKS = "You keep the books of a small company and answer briefly. " * 120
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


def list_whole(server: WireServer) -> list[dict[str, Any]]:
    """The usage of the answers that reached their end."""
    return [
        entry["usage"]
        for entry in server.requests
        if entry["usage"]
        and not entry["disconnected"]
        and not (entry["stream"] and "fault" in entry)  # only streams are cut
    ]


def add_up(server: WireServer) -> dict[str, int]:
    """Of the answers that reached their end: what the server said."""
    names = {
        "input_tokens": "input_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "ephemeral_5m_input_tokens",
        "cache_write_long_tokens": "ephemeral_1h_input_tokens",
        "output_tokens": "output_tokens",
    }
    whole = [{**said, **said["cache_creation"]} for said in list_whole(server)]
    return {ours: sum(said.get(theirs) or 0 for said in whole) for ours, theirs in names.items()}


def get_buckets(rows: list[UsageRow]) -> dict[str, int]:
    names = (*INPUT_BUCKETS, "output_tokens")
    return {name: sum(getattr(row, name) or 0 for row in rows) for name in names}


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "in one piece"])
async def test_every_ledger_bucket_equals_the_wires(
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
    seen = len(server.requests)
    cancelled = asyncio.create_task(ours.call(stream=stream))
    while len(server.requests) == seen:
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


async def test_the_request_id_is_stored_while_the_answer_streams(
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


async def test_calls_with_both_cache_lifetimes_sum_to_the_wires_usage(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    """Two providers, short, long and chosen lifetimes, cuts and retries; prompts that expire."""
    now = [1_000_000.0]
    servers = [await wire_server(clock=lambda: now[0]) for _ in range(2)]
    chats = [
        create_provider("anthropic", "any", "claude-sonnet-5-5", servers[0].base_url),
        create_provider(
            "openai", "any", MODEL, f"{servers[1].base_url}/v1", protocol="openai_responses"
        ),
    ]
    callers: list[tuple[WireServer, Caller]] = []
    for mode in MODES:
        for server, chat in zip(servers, chats, strict=True):
            pauses = Pauses(mode, lambda: now[0])
            ours = await make_caller(store, settings, chat, model_attempts=2, pauses=pauses)
            callers.append((server, ours))
    for n in range(CALLS):
        server, ours = callers[n % len(callers)]
        turn = n // len(callers)
        fault = FAULTS[turn % len(FAULTS)][1]
        server.wire.faults.load(Faults(series=(fault,) if fault else ()))
        now[0] += (20.0, 700.0, 4_000.0)[turn // 3 % 3]
        said = [make_text_message("user", f"{i}: {BOOKS[:900]}") for i in range(turn // 3 % 5 + 1)]
        asked = ChatRequest(f"{turn // 24} {BOOKS}", said, cache_key=ours.ctx.thread_id)
        with suppress(ModelError):
            await ours.call(asked, stream=bool(turn % 3))
    rows = await summarize_usage(store.read("acme"), ["provider", "status"])
    told = {tuple(row.keys.values()): row for row in rows}
    sums = [get_buckets([told[name, "succeeded"]]) for name in ("anthropic", "openai")]
    assert sums == [add_up(servers[0]), add_up_openai(servers[1])]
    written = ("cache_read_tokens", "cache_write_tokens", "cache_write_long_tokens")
    assert all(each[name] for each in sums for name in written)
    print(f"\nledger = wire over {sum(row.calls for row in rows)} attempts: {sums}")


def add_up_openai(server: WireServer) -> dict[str, int]:
    """The same of Responses, whose input includes what is cached."""
    sums = dict.fromkeys((*INPUT_BUCKETS, "output_tokens"), 0)
    for said in list_whole(server):
        given = said["input_tokens_details"]
        read, split = given["cached_tokens"], given["cache_write_tokens_details"]
        sums["input_tokens"] += said["input_tokens"] - read - given["cache_write_tokens"]
        sums["cache_read_tokens"] += read
        sums["cache_write_tokens"] += split["ttl_30m_tokens"]
        sums["cache_write_long_tokens"] += split["ttl_12h_tokens"]
        sums["output_tokens"] += (
            said["output_tokens"] - said["output_tokens_details"]["reasoning_tokens"]
        )
    return sums
