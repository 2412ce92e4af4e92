"""A page of usage by thread or run adds up the calls of its own threads or runs, however many there
are.

PLAINLOOP_USAGE_CALLS (3,000) is how many calls the ledger has, each of a run of its own.
"""

from __future__ import annotations

import os
import time

import pytest

from plainloop.agent.store.store import Store
from plainloop.agent.usage.dimensions import build_summary
from plainloop.agent.usage.report import FIRST, LAST, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from scripts.benchmarks.ledger.rows import FILL_CALLS
from tests.core.store_samples import explain

CALLS = int(os.environ.get("PLAINLOOP_USAGE_CALLS", "3000"))
PAGE = 20
CALLS_OF_A_THREAD = 10
# Of one tenant; a call is a run.
FILL = FILL_CALLS.replace("n / 4 as run", "n as run").replace("run % 2 = 0", "true")


@pytest.mark.parametrize("by", ["run", "thread"])
async def test_a_usage_page_reads_only_its_own_runs(store: Store, by: str) -> None:
    async with store.database.connection() as connection:
        await connection.execute(FILL, 0, CALLS, CALLS, timeout=900)
        rolled = await roll_up_usage(store)
        await connection.execute("vacuum analyze llm_calls, usage_runs", timeout=900)
        began = time.perf_counter()
        found = await summarize_usage(store.read("acme"), [by], limit=PAGE)
        took_ms = 1000 * (time.perf_counter() - began)
        sql = build_summary([by], (), by_cost=False, is_page=True)
        values = ("acme", FIRST, LAST, FIRST, rolled, PAGE, 0)
        nodes = await explain(connection, sql, *values)
    print(f"usage by {by}, {CALLS:,} calls: {took_ms:.0f} ms")
    whole = await summarize_usage(store.read("acme"), [by])
    looked_up = [n for n in nodes if n.get("Index Name") == f"usage_runs_by_{by}"]
    read = [n for n in nodes if n.get("Relation Name") == "usage_runs" and n["Actual Loops"]]

    assert found == whole[:PAGE]
    assert looked_up
    # Once all of them, for their sizes; the rest of the sums is read of those that are shown.
    most = PAGE * (1 if by == "run" else CALLS_OF_A_THREAD)
    fewest, all_of_them = sorted(n["Actual Rows"] for n in read)
    assert fewest <= most < all_of_them
