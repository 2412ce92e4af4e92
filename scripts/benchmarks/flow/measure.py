"""The measurements of `bench flows`: tokens on a cold cache, then CPU and log bytes interleaved."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final, cast

from plainloop.agent.providers.defaults import find_cache_offer
from plainloop.agent.providers.lifetimes import read_costs
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.types import ChatProvider
from scripts.benchmarks.flow.runs import MODEL, Contender
from scripts.benchmarks.flow.seed import reset_domain
from scripts.benchmarks.flow.texts import RIGHT, Flow
from scripts.benchmarks.rig.postgres import read_server_cpu, read_wal_position, sum_cpu_ms
from scripts.benchmarks.rig.wire import WireProcess

# Prices relative to an uncached input token, by the list.
_OFFER: Final = find_cache_offer("anthropic", MODEL)
assert _OFFER is not None
COSTS: Final = read_costs(ModelHandle("anthropic", MODEL, cast(ChatProvider, None)), _OFFER)
WARM_UP_ROUNDS: Final = 3  # a sentence said so often is remembered


@dataclass(slots=True)
class TokenCount:
    """What the wire server counted of one flow."""

    calls: int = 0
    input_tokens: int = 0  # cached or not
    cached_price: float = 0.0  # in uncached input tokens
    output_tokens: int = 0


@dataclass(slots=True)
class Samples:
    """One contender's runs of one flow."""

    cpu_ms: list[float] = field(default_factory=list[float])
    wall_ms: list[float] = field(default_factory=list[float])
    database_cpu_ms: list[float] = field(default_factory=list[float])
    wal_bytes: list[int] = field(default_factory=list[int])
    first_token_ms: list[float] = field(default_factory=list[float])


async def count_tokens(
    contender: Contender, flows: Sequence[Flow], wire: WireProcess, probe: Any
) -> dict[str, TokenCount]:
    """Every flow once, in order, on the provider's cache as the flows before left it: empty at
    first, and in the long thread holding the turn before.
    """
    wire.reset()
    counts: dict[str, TokenCount] = {}
    for flow in flows:
        await reset_domain(probe)
        thread_id = await contender.prepare(flow)
        before = len(wire.list_requests())
        told = await contender.run(thread_id, flow)
        check_answer(contender, flow, told.answer)
        counts[flow.name] = _add_up(wire.list_requests()[before:])
    return counts


async def run_rounds(
    contenders: Sequence[Contender], flows: Sequence[Flow], rounds: int, probe: Any
) -> dict[str, dict[str, Samples]]:
    """Samples by contender and flow. Each flow is run by all of them before the next one begins,
    and each round begins with another of them.
    """
    samples = {item.name: {flow.label: Samples() for flow in flows} for item in contenders}
    warm_up = WARM_UP_ROUNDS if rounds > 1 else 0
    gc.freeze()  # what was there before is looked through no more
    for number in range(warm_up + rounds):
        if number == warm_up:  # what autovacuum does within a minute of a table's first rows
            await probe.execute("analyze")
        first = number % len(contenders)
        for flow in flows:
            for contender in (*contenders[first:], *contenders[:first]):
                taken = await _run_once(contender, flow.word(number), probe)
                if number >= warm_up:
                    _keep(samples[contender.name][flow.label], *taken)
    return samples


def summarize(samples: Samples) -> dict[str, float | None]:
    """Medians, each over a contender's runs of one flow."""
    values = {
        "cpu_ms": samples.cpu_ms,
        "wall_ms": samples.wall_ms,
        "database_cpu_ms": samples.database_cpu_ms,
        "wal_bytes": samples.wal_bytes,
        "first_token_ms": samples.first_token_ms,
    }
    return {name: round(median(taken), 2) if taken else None for name, taken in values.items()}


def check_answer(contender: Contender, flow: Flow, answer: str) -> None:
    """A fast wrong answer is no result. Raises: RuntimeError."""
    wanted = {"count": "3", "lookup": "Northwind", "letter": RIGHT}.get(flow.name, flow.answer)
    if wanted not in answer:
        raise RuntimeError(f"{contender.name}, {flow.name}: unexpected answer {answer!r}")


async def _run_once(
    contender: Contender, flow: Flow, probe: Any
) -> tuple[float, float, float, int, float | None]:
    await reset_domain(probe)
    thread_id = await contender.prepare(flow)
    gc.collect()  # nobody pays for what the one before left behind
    logged = await read_wal_position(probe)
    before = await read_server_cpu(probe)
    cpu, wall = time.process_time(), time.perf_counter()
    told = await contender.run(thread_id, flow)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    database_cpu_ms = sum_cpu_ms(before, await read_server_cpu(probe))
    check_answer(contender, flow, told.answer)
    written = await read_wal_position(probe) - logged
    return cpu * 1000, wall * 1000, database_cpu_ms, written, told.first_token_ms


def _keep(
    samples: Samples,
    cpu_ms: float,
    wall_ms: float,
    database_cpu_ms: float,
    wal_bytes: int,
    first_ms: float | None,
) -> None:
    samples.cpu_ms.append(cpu_ms)
    samples.wall_ms.append(wall_ms)
    samples.database_cpu_ms.append(database_cpu_ms)
    samples.wal_bytes.append(wal_bytes)
    if first_ms is not None:
        samples.first_token_ms.append(first_ms)


def _add_up(requests: Sequence[dict[str, Any]]) -> TokenCount:
    count = TokenCount()
    for request in requests:
        usage = request["usage"] or {}
        fresh = usage.get("input_tokens", 0)
        read = usage.get("cache_read_input_tokens") or 0
        written = usage.get("cache_creation_input_tokens") or 0
        count.calls += 1
        count.input_tokens += fresh + read + written
        count.cached_price += fresh + read * COSTS.read + written * COSTS.write
        count.output_tokens += usage.get("output_tokens", 0)
    return count
