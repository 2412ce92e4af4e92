"""Cutting rarely and deeply keeps the provider's cached prefix: measured, in small."""

from __future__ import annotations

from plainloop.agent.providers.registry import close_clients
from scripts.benchmarks.caching import POLICIES, build_thread, run_thread


async def test_our_cut_costs_least_at_cached_price_and_sends_less_than_the_window_allows():
    thread = build_thread(18)
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
