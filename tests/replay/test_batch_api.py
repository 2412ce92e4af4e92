"""Live replay by providers' batch APIs: wave by wave, at half price, each wave bought once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent.core.persistence import Store
from agent.core.pricing import Prices
from agent.providers.types import Usage
from server.wire.faults import Faults
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.replay.test_live import (
    ROOMS,
    Candidate,
    be_curious,
    load_results,
    write_rooms,
)
from tests.wire_fixtures import StartWire, WireServer

WIRES = ("anthropic", "openai", "openai_responses")
MODELS = {"anthropic": "claude-haiku-4-5", "openai": "gpt-4o-mini", "openai_responses": "gpt-4o"}
QUICK = {
    "AGENT_LIMITS_BATCH_POLL_S": "0.1",
    "AGENT_LIMITS_LEASE_S": "3",
    "AGENT_LIMITS_HEARTBEAT_S": "0.3",
}


def write_talks(folder: Path, count: int) -> tuple[str, ...]:
    """So many conversations; how to replay them by batches, without a baseline."""
    arguments = write_rooms(folder)
    line = orjson.loads(ROOMS)
    lines = [orjson.dumps({**line, "conversation_id": f"r{n}"}) for n in range(count)]
    (folder / "rooms.jsonl").write_bytes(b"\n".join(lines))
    return (*arguments, "--no-baseline", "--batch-api")


def make_environ(wire: str, server: WireServer) -> dict[str, str]:
    return {**point_at(wire, server.base_url), **QUICK, "AGENT_MODEL": MODELS[wire]}


def list_created(server: WireServer) -> list[Any]:
    """The requests that created a batch."""
    return [
        entry
        for entry in server.requests
        if entry["method"] == "POST" and entry["path"].endswith("/batches")
    ]


def list_lines(server: WireServer) -> list[Any]:
    """The requests inside of batches that were worked on."""
    return [entry for entry in server.requests if "batch" in entry]


async def load_calls(store: Store) -> list[dict[str, Any]]:
    found = await store.read("local").fetch(
        "select status, processing, usage_raw, cost_usd, price_version, error_code, attempt, "
        "input_tokens, output_tokens from llm_calls where tenant_id = 'local' order by call_id"
    )
    return [dict(row) for row in found]


async def load_waves(store: Store) -> list[tuple[int, str, int, int]]:
    """(number, status, requests, answered) of each."""
    found = await store.read("local").fetch(
        "select n, status, requests, answered from replay_waves where tenant_id = 'local' "
        "order by n"
    )
    return [(row["n"], row["status"], row["requests"], row["answered"]) for row in found]


@pytest.mark.parametrize("wire", WIRES)
async def test_each_conversations_next_call_joins_the_next_wave_at_half_price(
    wire: str, plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(be_curious))
    done = await plainloop(*write_talks(tmp_path, 5), **make_environ(wire, server))
    assert done.code == 0, done
    assert "wave 4: 5/5 answered" in done.err
    assert await load_waves(store) == [(n, "ended", 5, 5) for n in (1, 2, 3, 4)]
    assert [item.status for item in await load_results(store)] == ["succeeded"] * 5
    calls = await load_calls(store)
    assert {(call["status"], call["processing"]) for call in calls} == {("succeeded", "batch")}
    check_prices(wire, calls)
    told = Counter(orjson.dumps(entry["usage"]) for entry in list_lines(server))
    kept = Counter(orjson.dumps(call["usage_raw"]) for call in calls)
    assert kept == told, "the ledger has what the provider told, line by line"
    assert len(list_created(server)) == 4
    outside = [e for e in server.requests if e["usage"] and "batch" not in e]
    assert outside == [], "nothing was asked at full price"


def check_prices(wire: str, calls: Sequence[dict[str, Any]]) -> None:
    provider = wire.partition("_")[0]
    for call in calls:
        usage = Usage(input_tokens=call["input_tokens"], output_tokens=call["output_tokens"])
        full = Prices().price(provider, MODELS[wire], usage).amount
        assert full is not None
        assert call["cost_usd"] == (full / 2).quantize(Decimal("1e-8")), call
        assert call["price_version"].endswith(", batch")
