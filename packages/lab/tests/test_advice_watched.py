"""After a switch, live traffic is compared with what the advice promised."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import orjson
import pytest

from plainloop.agent.store.store import Store
from plainloop_lab.advise.watching import compare_failures, watch_switch
from plainloop_lab.store.workers import WorkerRuns, count_worker_runs
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

NOW = datetime(2026, 11, 28, tzinfo=UTC)
PROMISE = {
    "worker": "crm_worker",
    "kind": "switch",
    "today": "openai:gpt-6.1-terra",
    "candidate": "gpt-6-luna@none",
    "cost_ratio": 0.4,
    "cost_ratio_half": 0.05,
}


def count(runs: int, failed: int = 0, usd: str = "1", days: int = 3) -> WorkerRuns:
    return WorkerRuns(runs, failed, runs, Decimal(usd) * runs, NOW - timedelta(days=days))


@pytest.mark.parametrize(
    ("after", "state"),
    [
        (count(50, usd="0.4"), "as promised"),
        (count(50, usd="0.5"), "as promised"),
        (count(50, usd="0.6"), "not as promised"),
        (count(10, usd="0.4"), "too early"),
        (count(10, usd="0.4", days=7), "as promised"),
        (count(50, failed=6, usd="0.4"), "not as promised"),
        (WorkerRuns(0, 0, 0, None, None), "not switched"),
    ],
)
def test_advice_watch_compares_a_week_with_the_promise(after: WorkerRuns, state: str) -> None:
    assert watch_switch(PROMISE, count(100), after, NOW).state == state


def test_only_a_free_model_keeps_a_promised_cost_of_zero() -> None:
    free = {**PROMISE, "cost_ratio": 0.0, "cost_ratio_half": 0.0}
    assert watch_switch(free, count(100), count(50, usd="0"), NOW).state == "as promised"
    dear = watch_switch(free, count(100), count(50, usd="0.9"), NOW)
    assert (dear.state, "promised 0%" in dear.reason) == ("not as promised", True)
    unknown = watch_switch({**PROMISE, "cost_ratio": None}, count(100), count(50, usd="2"), NOW)
    assert unknown.reason.endswith("the cost is unknown"), "nothing was promised"


def test_failures_of_a_million_runs_are_compared_without_huge_numbers() -> None:
    before = WorkerRuns(1_000_000, 20_000, 0, None, None)
    assert compare_failures(before, WorkerRuns(100_000, 2_000, 0, None, None)) > 0.4
    assert compare_failures(before, WorkerRuns(100_000, 2_300, 0, None, None)) < 1e-6
    assert compare_failures(before, WorkerRuns(100_000, 0, 0, None, None)) > 0.999


async def test_live_runs_are_counted_by_user_effort_and_price(
    plainloop: Command, store: Store
) -> None:
    for _ in range(2):
        assert (await plainloop("ask", "add a job: Cook at Initech")).code == 0
    rows, since = store.read("local"), datetime.now(UTC) - timedelta(days=1)
    whose = ("offline:offline-rules", "worker", "crm_worker")
    both = await count_worker_runs(rows, since, *whose)
    assert (both.runs, both.cost_usd) == (2, Decimal(0))
    await rows.execute(
        "update llm_calls set effort = 'low', cost_usd = null, user_id = 'bob' "
        "where tenant_id = $1 and run_id = (select max(run_id::text) from llm_calls)::uuid",
        "local",
    )
    assert (await count_worker_runs(rows, since, *whose, "bob")).runs == 1
    unpriced = await count_worker_runs(rows, since, *whose)
    assert (unpriced.runs, unpriced.cost_usd) == (2, None), "a call without a price is not free"
    exact = await count_worker_runs(rows, since, *whose, is_exact=True)
    assert exact.runs == 1, "bob's had an effort"


async def test_advice_watch_compares_the_switched_models_calls(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    assert (await plainloop("ask", "add a job: Cook at Initech")).code == 0
    promise = {**PROMISE, "today": "offline:another", "candidate": "offline:offline-rules"}
    (tmp_path / "advice").mkdir()
    (tmp_path / "advice" / "result.json").write_bytes(orjson.dumps({"workers": [promise]}))

    early = await plainloop("advise", "--into", "advice", "--watch")
    assert (early.code, early.out) == (10, "crm_worker: too early: 1 run so far\n"), early
    missing = await plainloop("advise", "--into", "nowhere", "--watch")
    assert "Run `plainloop advise` first." in missing.err
    unlimited = await plainloop("advise", "--into", "advice")
    assert (unlimited.code, "--max-cost-usd" in unlimited.err) == (2, True), unlimited
