"""Append-only requests, measured: six small threads to the block, and a longer one in its goals."""

from __future__ import annotations

import os

import pytest

from plainloop.agent.base.shown.trimming import KEPT_SHARE

pytest.importorskip("plainloop_lab")

from scripts.benchmarks.append import CHANGES, VENDORS, measure_cases, measure_threads, misses_goal

# Threads of each cell; the decision page has three of each. Of small windows one is too few for the
# goals, which are means.
THREADS = int(os.environ.get("AGENT_APPEND_THREADS") or 0)


async def test_six_simulated_threads_keep_all_thinking_valid():
    """Simulated by hand and by program before anything was built, to the block."""
    cases = await measure_cases()
    counted = {
        name: (case["requests"], case["invalid"], case["breaks in turns"], case["kept"])
        for name, case in cases.items()
    }
    assert counted == {
        "workers in turn": (8, 0, 0, 3),
        "another profile": (8, 0, 0, 7),
        "a review's retry": (7, 0, 0, 4),
        "a small window": (24, 0, 0, 7),
        "a turn beyond the window": (8, 0, 0, 7),
        "three workers": (24, 0, 0, 7),
    }
    read = {name: (case["read"], case["written"]) for name, case in cases.items()}
    for name, simulated in {
        "workers in turn": (21_440, 11_520),
        "another profile": (34_670, 8_690),
        "a review's retry": (18_390, 9_250),
        "a small window": (114_050, 21_390),
        "a turn beyond the window": (40_770, 13_010),
        "three workers": (148_110, 38_130),
    }.items():
        assert read[name] == pytest.approx(simulated, rel=0.01), name


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("window", [6_000, 24_000])
async def test_threads_of_three_workers_stay_within_their_token_goals(window: int, change: float):
    threads = THREADS or (3 if window == 6_000 else 1)
    row = await measure_threads(window, change, 40, threads, kept=KEPT_SHARE)
    assert (row["invalid now"], row["breaks in turns now"]) == (0, 0)
    assert row["invalid before"] > row["requests"] / 2
    missed = {vendor for vendor in VENDORS if misses_goal(row, vendor)}
    # Of a small window Gemini keeps hardly a prefix: 0.93 where 0.91 was simulated.
    assert missed <= ({"gemini-3.8-flash"} if (window, change) == (6_000, 0.5) else set())


async def test_a_thread_of_one_worker_costs_no_more_tokens_than_noted():
    row = await measure_threads(10**6, 0.0, 12, 1, workers=1)
    assert [vendor for vendor in VENDORS if misses_goal(row, vendor)] == []
