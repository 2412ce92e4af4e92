"""After a switch, live traffic is compared with what the advice promised."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import orjson
import pytest

from plainloop.agent.store.store import Store
from plainloop_lab.advise.watching import watch_switch
from plainloop_lab.store.workers import WorkerRuns
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
