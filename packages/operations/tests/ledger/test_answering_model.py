"""Exports and reconciliation name the model that answered and the one that was requested."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.records import CallInfo
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import FIRST, LAST
from plainloop_operations.commands.ledger import render_comparison
from plainloop_operations.ledger.focus import list_ledger_rows, to_focus
from plainloop_operations.ledger.reconcile import Comparison, compare_usage
from plainloop_operations.ledger.stated import Account, Stated
from plainloop_wire.call import Rules
from tests.core.model_calls import make_caller
from tests.wire_fixtures import StartWire


@pytest.fixture
async def call(store: Store, settings: Settings, wire_server: StartWire) -> CallInfo:
    """A call of gemini-2.5-pro that gemini-3.8-flash answered."""
    server = await wire_server(rules=Rules(reroutes={"gemini-2.5-pro": "gemini-3.8-flash"}))
    chat = create_provider("gemini", "any", "gemini-2.5-pro", server.base_url)
    ours = await make_caller(store, settings, chat)
    await ours.call()
    (row,) = await ours.list_rows()
    return row


async def test_focus_charges_the_model_that_answered_and_names_both(
    store: Store, call: CallInfo
) -> None:
    rows = list_ledger_rows(store.read("acme"), FIRST, LAST)
    (exported,) = [to_focus(row) async for row in rows]

    assert exported["SkuId"] == "gemini:gemini-3.8-flash"
    assert exported["x_RequestedModel"] == "gemini-2.5-pro"
    assert exported["x_ModelAnswered"] == "gemini-3.8-flash"
    assert exported["BilledCost"] == call.cost_usd


@pytest.mark.parametrize("billed", ["gemini-2.5-pro", "gemini-3.8-flash"])
async def test_reconcile_matches_either_model_name(
    store: Store, call: CallInfo, billed: str
) -> None:
    usage, day = call.usage, call.created_at.strftime("%Y-%m-%d")
    stated = Stated(day, billed, usage.input_total, output_tokens=usage.output_total)
    (same,) = await compare_usage(store.read("acme"), Account("gemini", [stated]))
    more = replace(stated, output_tokens=(stated.output_tokens or 0) + 5)
    (other,) = await compare_usage(store.read("acme"), Account("gemini", [more]))

    assert (same.model, same.differs, same.rerouted) == (billed, False, ("gemini-2.5-pro",))
    assert (other.token_gaps, other.is_running) == ({"output": 5}, True)
    assert other.guess() == (
        "more tokens than in the ledger: calls made elsewhere with this key, or not recorded,"
        " includes answers to requests for gemini-2.5-pro"
    )


def test_reconcile_reports_an_export_whose_input_excludes_cached_tokens() -> None:
    ours = Stated("2026-11-02", "m-1", 1000, 600, 150, 40)
    apart = replace(ours, input_tokens=250)
    without = replace(apart, cache_read_tokens=None, cache_write_tokens=None)
    other = replace(ours, input_tokens=251)
    reason = "its input leaves out cached and written tokens, ours includes them"

    assert not Comparison("2026-11-02", "m-1", apart, ours).differs, "the same tokens"
    assert Comparison("2026-11-02", "m-1", without, ours).guess() == reason
    assert Comparison("2026-11-02", "m-1", other, ours).guess() == ""


def test_reconcile_names_cached_tokens_for_which_the_file_has_no_column() -> None:
    ours = Stated("2026-11-02", "m-1", 55_000, 300, 54_569, 40)
    no_writes = replace(ours, input_tokens=431, cache_write_tokens=None)
    no_reads = replace(ours, input_tokens=54_700, cache_read_tokens=None)
    reason = "its input leaves out {} the cache: the file has no column for them"

    written = Comparison("2026-11-02", "m-1", no_writes, ours)
    assert written.token_gaps == {"input": -54_569}
    assert written.guess() == reason.format("54,569 tokens written to")
    read = Comparison("2026-11-02", "m-1", no_reads, ours)
    assert read.guess() == reason.format("300 tokens read from")


def test_the_rendered_cost_differences_add_up_to_their_total() -> None:
    pairs = (("m-1", "1.0133", "1"), ("m-2", "0.5", "0.4954"), ("m-3", "2", "1.9954"))
    rows = [
        Comparison(
            "2026-11-02",
            model,
            Stated("2026-11-02", model, cost_usd=Decimal(theirs)),
            Stated("2026-11-02", model, cost_usd=Decimal(ours)),
            has_tokens=False,
        )
        for model, theirs, ours in pairs
    ]
    lines = [*render_comparison(rows)]

    assert any("m-1" in line and "+0.0133" in line for line in lines)
    total = "cost difference in total: +0.0225, +0.0092 of it in rows that match"
    assert lines[-1] == total


def test_a_running_day_does_not_explain_another_cost_of_the_same_tokens() -> None:
    ours = Stated("2026-11-30", "m-1", 1000, 0, 0, 40, Decimal("0.02"))
    dearer, more = replace(ours, cost_usd=Decimal("0.05")), replace(ours, input_tokens=1100)

    assert Comparison("2026-11-30", "m-1", dearer, ours, is_running=True).guess() == (
        "another price: the tokens are the same"
    )
    fewer = replace(ours, input_tokens=900)
    assert "still running" in Comparison("2026-11-30", "m-1", fewer, ours, is_running=True).guess()
    fewer = replace(fewer, cost_usd=Decimal("0.05"))
    assert Comparison("2026-11-30", "m-1", fewer, ours, is_running=True).guess() == (
        "another price: a higher cost for fewer tokens"
    )
    assert Comparison("2026-11-30", "m-1", more, ours, is_running=True).guess() == (
        "more tokens than in the ledger: calls made elsewhere with this key, or not recorded"
    )
