"""Every recorded exchange through `call_model`: the ledger's sums are what the wire stated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ModelError
from plainloop.agent.store.records import CallInfo
from plainloop.agent.store.store import Store
from tests.core.model_calls import FixedModels, make_caller
from tests.providers.test_wire_cases import CASES, connect_to_case, replay_url

__all__ = ["replay_url"]
BUCKETS = ("input_total", "cache_read", "cache_write", "output", "reasoning")

pytestmark = pytest.mark.skipif(not CASES, reason="the shared wire recordings are not here")


async def test_the_ledger_sums_to_what_the_wire_stated(
    store: Store, settings: Settings, replay_url: str
):
    ours = await make_caller(store, settings, model_attempts=1)
    ended: list[str] = []
    for case in CASES:
        models: Any = FixedModels(connect_to_case(case, replay_url))
        ours.ctx = replace(ours.ctx, models=models)
        try:
            await ours.call(stream=case["stream"])
            ended.append("succeeded")
        except ModelError as error:
            ended.append("cut" if error.partial is not None else "failed")
    rows = await ours.list_rows()
    assert [row.status for row in rows] == ended
    assert len(rows) == len(CASES)
    for row, case in zip(rows, CASES, strict=True):
        assert state_usage(row) == case["expect"]["usage"], case["name"]
    stated = [case["expect"]["usage"] for case in CASES if case["expect"]["usage"]]
    reported = [usage for row in rows if (usage := state_usage(row))]
    sums = {bucket: sum(usage[bucket] or 0 for usage in stated) for bucket in BUCKETS}
    assert {bucket: sum(usage[bucket] or 0 for usage in reported) for bucket in BUCKETS} == sums
    print(f"\nledger = wire over {len(rows)} exchanges, {len(stated)} with usage: {sums}")


def state_usage(row: CallInfo) -> dict[str, int | None] | None:
    """What the provider stated, as the cases say it; None where the numbers are our estimate."""
    usage = row.usage
    if usage.source != "provider":
        return None
    return {
        "input_total": usage.input_total,
        "cache_read": usage.cache_read_tokens,
        "cache_write": usage.written_total,
        "output": usage.output_total,
        "reasoning": usage.reasoning_tokens,
    }
