"""Cutting rarely and deeply keeps the provider's cached prefix: measured, in small."""

from __future__ import annotations

import os

import pytest

from plainloop.agent.providers.http.clients import close_clients
from scripts.benchmarks.caching import POLICIES, build_thread, run_thread
from scripts.benchmarks.pauses import describe_sums, measure_pauses

THREADS = int(os.environ.get("AGENT_PAUSING_THREADS") or 12)


async def test_the_history_cut_is_the_cheapest_with_caching():
    # Where a read costs a twentieth, the whole of a thread is cheaper up to some 25 turns.
    thread = build_thread(30)
    counts = {
        name: await run_thread(thread, "anthropic", policy, 2_000)
        for name, policy in POLICIES.items()
    }
    await close_clients()
    ours = counts["ours"]
    by_price = {name: count.at_cached_price for name, count in counts.items()}
    assert min(by_price, key=lambda name: by_price[name]) == "ours"
    assert ours.sent < counts["last 6k, whole turns"].sent
    assert ours.cached / ours.sent > 0.8


# Three real distributions of pauses and one of threads that never pause: of what an oracle would
# have read at least this share, at most this much dearer than the better fixed lifetime.
@pytest.mark.parametrize("lifts", [False, True], ids=["own lifetime", "lifted"])
@pytest.mark.parametrize(
    ("names", "of_short"),
    [
        (("dust",), 0.75),
        (("fazer",), 1.06),
        (("coding",), 1.06),
        (("never",), 1.0),
        (("dust", "fazer"), 1.0),
    ],
    ids=["assistant", "contact", "coding", "never pauses", "each its own"],
)
async def test_chosen_cache_lifetimes_follow_the_pauses(
    names: tuple[str, ...], of_short: float, lifts: bool
) -> None:
    found = describe_sums(await measure_pauses(names, threads=THREADS, turns=24, lifts=lifts))
    assert found["of the oracle's reads"] >= 0.96
    assert found["cost / better fixed"] <= 1.06
    assert found["cost / short"] <= of_short
