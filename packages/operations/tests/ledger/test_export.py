"""The ledger beside files: exports, a provider's own account, a month's statement."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.cli.talk.explain import render_call
from plainloop.agent.cli.usage.tables import format_cost
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import Reserved, Run
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.dimensions import FILTERS
from plainloop.agent.usage.report import FIRST, LAST, UsageFilter, UsageRow, summarize_usage
from plainloop_operations.commands.ledger import render_comparison
from plainloop_operations.ledger.focus import list_ledger_rows, to_focus
from plainloop_operations.ledger.parquet import open_parquet
from plainloop_operations.ledger.reconcile import Comparison, compare_usage
from plainloop_operations.ledger.recost import recost_calls
from plainloop_operations.ledger.stated import (
    ALL_MODELS,
    Account,
    Stated,
    list_columns,
    merge_stated,
    parse_columns,
    parse_export,
)
from plainloop_operations.ledger.statement import Statement, render_statement
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_settled
from tests.usage.ledger import fill_ledger


@pytest.fixture
async def run(store: Store) -> Run:
    return await begin_run(store, await create_thread(store))


async def test_a_ledger_export_has_each_call_once_and_the_ledgers_sums(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=2)
    total = (await summarize_usage(store.read("acme")))[0]
    rows = [row async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)]
    costs = [Decimal(row["cost_usd"]) for row in rows if row["cost_usd"] is not None]

    assert len({row["call_id"] for row in rows}) == len(rows) == total.calls
    assert sum(row["input_tokens"] or 0 for row in rows) == total.input_tokens
    assert sum(costs) == Decimal(total.cost_usd or 0)
    assert json.loads(json.dumps(rows)) == rows
    assert {row["tenant_id"] for row in rows} == {"acme"}


async def test_focus_rows_have_its_columns_and_no_invented_cost(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=2)
    rows = [to_focus(row) async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)]

    assert {row["x_IsCostKnown"] for row in rows} == {True, False}
    for row in rows:
        assert row["BilledCost"] is not None and row["BillingAccountName"] == "acme"
        assert row["BilledCost"] == row["EffectiveCost"] == row["ListCost"]
        assert row["BillingCurrency"] == "USD" and row["ConsumedUnit"] == "Tokens"
        assert row["BillingPeriodStart"] <= row["ChargePeriodStart"] < row["BillingPeriodEnd"]
        assert [*row] == [*rows[0]]


async def test_focus_marks_batches_and_leaves_the_invoice_empty(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=2)
    async with store.transaction("acme") as tx:
        sql = "update llm_calls set processing = 'batch' where status = 'succeeded'"
        assert await tx.execute(sql)
    rows = [to_focus(row) async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)]
    batches = [row for row in rows if row["SkuPriceId"].endswith(":batch")]
    assert 0 < len(batches) < len(rows)
    for row in rows:
        meter, way = ("Tokens, batch", "batch") if row in batches else ("Tokens", "single")
        assert (row["SkuMeter"], json.loads(row["SkuPriceDetails"])) == (
            meter,
            {"x_Processing": way},
        )
        assert row["SkuPriceId"].removesuffix(":batch") == row["SkuId"]
        assert (row["InvoiceId"], row["PricingCategory"]) == (None, "Standard")
        assert (row["PricingCurrency"], row["BillingCurrency"]) == ("USD", "USD")


async def test_a_focus_billing_period_is_the_zones_month_in_utc(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=2)
    rows = store.read("acme")
    (row, *_) = [row async for row in list_ledger_rows(rows, FIRST, LAST, "Europe/Berlin")]
    assert row["created_at"][-6:] in ("+01:00", "+02:00")
    row["created_at"] = "2026-11-01T00:30:00+01:00"  # October still, in UTC
    charge = to_focus(row, "Europe/Berlin")
    assert (charge["BillingPeriodStart"], charge["BillingPeriodEnd"]) == (
        "2026-10-31T23:00:00Z",
        "2026-11-30T23:00:00Z",
    )
    assert charge["ChargePeriodStart"] == "2026-10-31T23:00:00Z"
    assert to_focus(row)["BillingPeriodStart"] == "2026-10-01T00:00:00Z"


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"\xff\xfe", None),
        (b"{}", None),
        (b'{"data": [{"starting_at": "2026-01-01", "results": [{}]}]}', None),
        (b"a,b\n1,2\n", {"date": "a"}),
        (b"a,b\n1,2\n", {"date": "a", "model": "c"}),
        (b"a,b,c\n1,2,x\n", {"date": "a", "model": "b", "input": "c"}),
        (b"a,b\n1,2\n", {"date": "a", "model": "b", "colour": "b"}),
        (b"a,b,c\n2026-01-01,m,1\nTotal\n", {"date": "a", "model": "b", "cost": "c"}),
        (b"a,b,c\n2026-01-01,m,1E+999999999\n", {"date": "a", "model": "b", "input": "c"}),
        (b'{"data": [{"starting_at": "2026-01-01", "results": ["x"]}]}', None),
        (b"a,b,c\n2026-01-01,m,1E+999999999\n", {"date": "a", "model": "b", "cost": "c"}),
        (b"a,b,c\n2026-01-01,m,1E-999999999\n", {"date": "a", "model": "b", "cost": "c"}),
        (b"a,b,c\n2026-01-01,m,NaN\n", {"date": "a", "model": "b", "cost": "c"}),
        (b'{"data": [{"start_time": 1e300, "results": [{}]}]}', None),
    ],
)
def test_reconcile_reports_a_vendors_changed_export_format(content: bytes, columns: Any) -> None:
    with pytest.raises(InputError):
        parse_export(content, columns)


async def list_stated(store: Store) -> list[Stated]:
    """The account that a provider with the same numbers would give."""
    rows = await summarize_usage(store.read("acme"), ["day", "model"])
    return [
        Stated(
            row.keys["day"] or "",
            row.keys["model"] or "",
            row.input_total,
            row.cache_read_tokens or 0,
            None,
            row.output_total,
            None if row.cost_usd is None else Decimal(row.cost_usd),
        )
        for row in rows
    ]


async def test_reconcile_of_equal_ledgers_shows_no_difference(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    found = await compare_usage(store.read("acme"), Account(None, await list_stated(store)))

    assert found and all(not item.token_gaps for item in found)
    assert all(item.has_same_money is not False for item in found)
    assert next(render_comparison(found)).startswith("tokens: ")


async def test_reconcile_lists_token_and_cost_differences_separately(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    stated = await list_stated(store)
    changed = next(row for row in stated if row.cost_usd)
    changed.input_tokens = (changed.input_tokens or 0) + 7
    changed.cost_usd = (changed.cost_usd or Decimal(0)) - 1
    gone, foreign = stated.pop(), Stated(changed.day, "unheard-of", 5, 0, None, 1)
    found = await compare_usage(store.read("acme"), Account(None, [*stated, foreign]))
    by_key = {(item.day, item.model): item for item in found}
    lines = [*render_comparison(found)]

    mine = by_key[changed.day, changed.model]
    assert (mine.token_gaps, mine.money_gap) == ({"input": 7}, Decimal(-1))
    assert by_key[foreign.day, "unheard-of"].token_gaps == {"input": 5, "output": 1}
    if (gone.day, gone.model) in by_key:
        assert by_key[gone.day, gone.model].theirs is None
    assert any("does another program use the same key" in line for line in lines)
    assert isinstance(mine, Comparison)


async def test_a_statement_page_loads_nothing_and_names_unknown_costs(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=2)
    only = UsageFilter(since=now - timedelta(days=9))
    db = store.read("acme")
    total = (await summarize_usage(db, (), only))[0]
    page = render_statement(
        Statement(
            "acme <script>",
            now,
            Decimal(10),
            total,
            {
                "By model": await summarize_usage(db, ["provider", "model"], only),
                "By person": await summarize_usage(db, ["user"], only),
            },
            await summarize_usage(db, ["day"], only),
            [],
        )
    )
    assert isinstance(total, UsageRow) and total.unpriced_calls
    assert "acme &lt;script&gt;" in page and page.count("<script") == 1 and "://" not in page
    assert f"{total.unpriced_calls:,} calls have no known price" in page
    assert f"{Decimal(total.cost_usd or 0) * Decimal('1.1'):,.4f}*" in page
    assert "@page" in page


ANTHROPIC_DAY = {"starting_at": "2026-11-02T00:00:00Z"}
OPENAI_DAY = {"start_time": 1793577600}
CONSOLE_COSTS = """usage_date_utc,model,workspace,api_key,token_type,cost_usd,cost_type
2026-11-02,Claude Haiku 4.5,Default,key,input_no_cache,0.05,token
2026-11-02,Claude Haiku 4.5,Default,key,output,0.02,token
"""
CONSOLE_USAGE = """usage_date_utc,model_version,usage_input_tokens_no_cache,\
usage_input_tokens_cache_write_5m,usage_input_tokens_cache_read,usage_output_tokens
2026-11-02,claude-haiku-4-5-20251001,10,20,30,4
"""
ANY_CSV = 'Day,Model,In,USD\n2026-11-02,m,"1,000",$0.50\n2026-11-02,m,2,0.25\n'
COLUMNS = {"date": "Day", "model": "Model", "input": "In", "cost": "USD"}


def make_report(day: dict[str, Any], *results: dict[str, Any]) -> dict[str, Any]:
    return {"data": [{**day, "results": [*results]}]}


def make_openai_costs(*items: tuple[str | None, object], currency: str = "usd") -> dict[str, Any]:
    amounts = [({"value": value, "currency": currency}, name) for name, value in items]
    results = [{"amount": amount, "line_item": name} for amount, name in amounts]
    return make_report(OPENAI_DAY, *results)


ANTHROPIC_USAGE = make_report(
    ANTHROPIC_DAY,
    {
        "uncached_input_tokens": 100,
        "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 5},
        "cache_read_input_tokens": 200,
        "output_tokens": 40,
        "model": "claude-sonnet-4-5-20250929",
    },
)
ANTHROPIC_COSTS = make_report(
    ANTHROPIC_DAY,
    {"currency": "USD", "amount": "123.45", "model": "claude-a", "cost_type": "tokens"},
    {"currency": "USD", "amount": "1000", "model": None, "cost_type": "web_search"},
)
OPENAI_USAGE = make_report(
    OPENAI_DAY,
    {
        "input_tokens": 300,
        "input_cached_tokens": 200,
        "output_tokens": 40,
        "num_model_requests": 2,
        "model": "gpt-4o-2024-11-20",
    },
)
OPENAI_COSTS = make_openai_costs(
    ("gpt-4o-2024-11-20, input", 0.5), ("gpt-4o-2024-11-20, cached input", "0.25")
)
# As OpenAI's dashboard exports them: days without usage have a row, counts have a point.
DASHBOARD_USAGE = (
    "start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,model,batch,"
    "input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens\n"
    f"{OPENAI_DAY['start_time']},,2026-11-02T00:00:00+00:00,,p,2.0,gpt-5-mini,FALSE,"
    "592.0,106.0,57.0,535.0\n1795824000,,2026-11-28T00:00:00+00:00,,,,,,,,,\n"
)
DASHBOARD_COSTS = "".join(
    f"{OPENAI_DAY['start_time']}\t\t2026-11-02T00:00:00+00:00\t\t{row}\n"
    for row in ("0.75\tusd\tgpt-5-mini, input\tp", "0.06\tusd\t\tp", "\t\t\t")
)
DASHBOARD_COSTS = (
    "start_time\tend_time\tstart_time_iso\tend_time_iso\tamount_value\tamount_currency\tline_item"
    f"\tproject_id\n{DASHBOARD_COSTS}"
)


def cost(model: str, usd: str) -> Stated:
    return Stated("2026-11-02", model, cost_usd=Decimal(usd))


@pytest.mark.parametrize(
    ("content", "provider", "rows"),
    [
        (
            *(ANTHROPIC_USAGE, "anthropic"),
            [Stated("2026-11-02", "claude-sonnet-4-5-20250929", 335, 200, 35, 40, None, 5)],
        ),
        (
            *([OPENAI_USAGE, OPENAI_USAGE], "openai"),
            [Stated("2026-11-02", "gpt-4o-2024-11-20", 600, 400, None, 80)],
        ),
        (ANTHROPIC_COSTS, "anthropic", [cost("claude-a", "1.2345"), cost("web_search", "10")]),
        (CONSOLE_COSTS, "anthropic", [cost("Claude Haiku 4.5", "0.07")]),
        (
            *(CONSOLE_USAGE, "anthropic"),
            [Stated("2026-11-02", "claude-haiku-4-5-20251001", 60, 30, 20, 4)],
        ),
        (OPENAI_COSTS, "openai", [cost("gpt-4o-2024-11-20", "0.75")]),
        (*(DASHBOARD_USAGE, "openai"), [Stated("2026-11-02", "gpt-5-mini", 592, 57, None, 106)]),
        (DASHBOARD_COSTS, "openai", [cost(ALL_MODELS, "0.06"), cost("gpt-5-mini", "0.75")]),
        (make_openai_costs((None, 0.06)), "openai", [cost(ALL_MODELS, "0.06")]),
        (ANY_CSV, None, [Stated("2026-11-02", "m", 1002, cost_usd=Decimal("0.75"))]),
    ],
)
def test_reconcile_detects_the_provider_of_a_vendors_export(
    content: Any, provider: str | None, rows: list[Stated]
) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    columns = COLUMNS if provider is None else None
    assert parse_export(text.encode(), columns) == Account(provider, rows)


HEADS = "Date,Model,Input tokens,Output tokens,Cached tokens,Cost (USD)"


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (
            f"{HEADS}\n2026-11-30,m,500,20,300,0.42\n",
            Stated("2026-11-30", "m", 500, 300, None, 20, Decimal("0.42")),
        ),
        (
            f"{HEADS}\n2026-11-30,m,200,20,300,0.42\n",  # more cached ones than all: counted apart
            Stated("2026-11-30", "m", 500, 300, None, 20, Decimal("0.42")),
        ),
        (
            f"{HEADS.replace(',', ';')}\n30.11.2026;m;1500;20;300;1.234,5\n",
            Stated("2026-11-30", "m", 1500, 300, None, 20, Decimal("1234.5")),
        ),
        (  # OpenRouter's activity
            "generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_reasoning,"
            "tokens_cached,model_permaslug\ng,2026-11-30 10:00:00,0.42,500,20,5,300,m\n",
            Stated("2026-11-30", "m", 500, 300, None, 20, Decimal("0.42")),
        ),
        (  # OpenRouter's activity by day; after 0error-ob/ai-eng-audit: reasoning is output, too
            "Date,Slug,Usage,BYOK Usage,Requests,Prompt Tokens,Completion Tokens,Reasoning Tokens\n"
            '"2026-11-30 00:00:00","m","0.42","0","4115","500","20","5"\n',
            Stated("2026-11-30", "m", 500, None, None, 20, Decimal("0.42")),
        ),
        (  # Google's cost table
            "Invoice number,5131\nCurrency,USD\n\nProject name,Service description,SKU description,"
            "Usage start date,Usage end date,Unrounded Cost ($),Cost ($)\np,Gemini API,"
            "Generate content input token count gemini 2.5 flash lite short input text,"
            "2026-11-30,2026-11-30,0.004,0.00\n",
            Stated("2026-11-30", "gemini-2.5-flash-lite", cost_usd=Decimal("0.004")),
        ),
        (
            "Day\tMODEL\tCost\n2026-11-30\tm\t$0.42\n",
            Stated("2026-11-30", "m", cost_usd=Decimal("0.42")),
        ),
    ],
)
def test_reconcile_reads_a_spreadsheets_headers_and_numbers(content: str, stated: Stated) -> None:
    assert parse_export(content.encode()).rows == [stated]


# As Cloud Billing exports it, after the tests of 75asu/ducat (August 2026) and
# saross/map-reader-llm scripts/derive_gemini_spend_by_sku.py (October 2026): rows of a month, of
# all services, and a total.
COST_TABLE = (
    "Invoice number,1234567890,\nInvoice date,2026-06-30,\nDue date,2026-07-30,\n"
    "Billing ID,0000-0000-0000,\nBilling account ID,0A0A0A,\nCurrency,USD,\n"
    "Currency exchange rate,1,\nTotal amount due,$5.72,\n"
    "Billing account name,Billing account ID,Project name,Project ID,Project hierarchy,"
    "Service description,Service ID,SKU description,SKU ID,Consumption model description,"
    "Credit type,Cost type,Usage start date,Usage end date,Usage amount,Usage unit,"
    "Unrounded Cost ($),Cost ($)\n"
    "a,0A,p,p,o,Compute Engine,6F81,E2 Instance Core running in Las Vegas,A,Default,,Usage,"
    '2026-06-01,2026-06-30,"6,282.708",hour,1000.005,1000.01\n'
    "a,0A,p,p,o,Gemini API,AE7D,Generate content input token count gemini 3.7 flash text,B,Default,"
    ',Usage,2026-06-01,2026-06-30,"46,546,000",count,0.5,0.50\n'
    "a,0A,p,p,o,Gemini API,AE7D,Generate content output token count gemini 3.7 flash text,C,Default"
    ",,Usage,2026-06-02,2026-06-30,9,count,0.25,0.25\n"
    "a,0A,p,p,o,Gemini API,AE7D,Generate content output token count gemini 3.7 flash text,C,Default"
    ",Promotional credit,Usage,2026-06-02,2026-06-30,,,-0.05,-0.05\n"
    ",,,,,,,,,,,Rounding error,,,,,-0.003441,-0.00\n,,,,,,,,,,,Total,,,,,1000.70,1000.71\n"
)


def test_reconcile_reads_googles_cost_table_of_a_month() -> None:
    row = Stated("2026-06-01", "gemini-3.7-flash", cost_usd=Decimal("0.70"))
    assert parse_export(COST_TABLE.encode()) == Account("gemini", [row], "2026-06-30")


def test_reconcile_refuses_googles_cost_table_in_another_currency() -> None:
    # Its column is still named "Cost ($)".
    with pytest.raises(InputError, match="AUD"):
        parse_export(COST_TABLE.replace("Currency,USD", "Currency,AUD").encode())


async def test_reconcile_compares_an_export_by_month_with_the_months_sum(
    store: Store, run: Run
) -> None:
    for cost in ("0.30", "0.40"):
        start = make_call_start(run, model="gemini-3.7-flash", provider="gemini")
        await store.record_call_start(start)
        await store.settle_calls("acme", [make_settled(start, cost_usd=cost)])
    now = datetime.now(UTC)
    first, last = (f"{day:%Y-%m-%d}" for day in (now - timedelta(days=29), now))
    text = COST_TABLE.replace('2026-06-30,"', f'{last},"').replace("2026-06-01", first)
    text = text.replace("2026-06-02,2026-06-30", f"{last},{last}")
    account = parse_export(text.encode())

    (found,) = await compare_usage(store.read("acme"), account)

    assert (found.day, found.model) == (f"{first} to {last}", "gemini-3.7-flash")
    assert (found.money_gap, found.is_running) == (Decimal(0), True)


@pytest.mark.parametrize("content", ["Date;Cost;Model\n2026-11-02;0,75;m\n", OPENAI_COSTS])
def test_reconcile_reads_files_that_begin_with_a_byte_order_mark(content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    rows = parse_export(text.encode("utf-8-sig")).rows
    assert [row.cost_usd for row in rows] == [Decimal("0.75")]


def test_reconcile_refuses_a_part_of_a_token() -> None:
    with pytest.raises(InputError, match="'1.5' is not a whole number of tokens"):
        parse_export(b"day,model,input\n2026-11-30,m,1.5\n")


def test_reconcile_refuses_a_column_of_another_currency() -> None:
    with pytest.raises(InputError, match="in €"):
        parse_export("Day,Model,Cost (€)\n2026-11-30,m,1\n".encode())


def test_reconcile_reports_an_invoice_in_another_currency() -> None:
    costs = make_openai_costs(("gpt-4o, input", 1), currency="eur")
    with pytest.raises(InputError, match="eur"):
        parse_export(json.dumps(costs).encode())


async def list_costs(store: Store, name: str | None = None) -> list[Stated]:
    rows = [row for row in await list_stated(store) if row.cost_usd is not None]
    return [Stated(row.day, name or row.model, cost_usd=row.cost_usd) for row in rows]


async def test_reconcile_compares_an_export_without_tokens_by_cost(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    stated = await list_costs(store)
    same = await compare_usage(store.read("acme"), Account("anthropic", stated))
    assert not any(item.differs for item in same)
    stated[0].cost_usd = (stated[0].cost_usd or Decimal(0)) + 2
    other = await compare_usage(store.read("acme"), Account("anthropic", stated))

    assert [item.money_gap for item in other if item.differs] == [Decimal(2)]
    assert any("the export contains none" in line for line in render_comparison(other))


async def test_reconcile_compares_an_export_without_models_by_day(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    account = Account("anthropic", merge_stated(await list_costs(store, ALL_MODELS)))
    found = await compare_usage(store.read("acme"), account)

    assert found and not any(item.differs for item in found)


async def test_reconcile_understands_vendor_console_model_names(store: Store, run: Run) -> None:
    start = make_call_start(run, model="claude-haiku-4-5")
    answered = "claude-haiku-4-5-20251001"
    await store.record_call_start(start)
    await store.settle_calls(
        "acme", [make_settled(start, model_answered=answered, cost_usd="0.07")]
    )
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    account = parse_export(CONSOLE_COSTS.replace("2026-11-02", day).encode())
    found = await compare_usage(store.read("acme"), account)

    assert [(item.model, item.money_gap) for item in found] == [("Claude Haiku 4.5", Decimal(0))]


async def test_reconcile_ignores_calls_of_other_providers(store: Store, run: Run) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    found = await compare_usage(store.read("acme"), Account("openai", await list_costs(store)))

    assert found and all(item.ours is None for item in found)


# FOCUS 1.2 and 1.3, the columns that must be there.
FOCUS_MANDATORY = """BilledCost BillingAccountId BillingAccountName BillingAccountType
BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeClass ChargeDescription
ChargePeriodEnd ChargePeriodStart ContractedCost EffectiveCost InvoiceIssuerName ListCost
PricingQuantity PricingUnit ProviderName PublisherName ServiceCategory ServiceName
HostProviderName ServiceProviderName""".split()


async def test_focus_rows_have_every_mandatory_column(store: Store, run: Run) -> None:
    start = make_call_start(run)
    await store.record_call_start(start)
    missing = Usage(source="missing")
    await store.settle_calls("acme", [make_settled(start, status="cut", usage=missing)])
    rows = [to_focus(row) async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)]

    assert {name for name in FOCUS_MANDATORY if rows[0].get(name) is None} == {"ChargeClass"}


async def test_exports_give_a_call_refused_before_it_began_zero_cost(
    store: Store, run: Run
) -> None:
    refused, silent = make_call_start(run), make_call_start(run)
    failed = {"status": "failed", "usage": Usage(source="missing"), "cost_usd": None}
    for start, code in ((refused, "RATE_LIMITED"), (silent, "MODEL_TIMEOUT")):
        await store.record_call_start(start)
        await store.settle_calls("acme", [make_settled(start, **failed, error_code=code)])
    rows = {
        row["call_id"]: row["cost_usd"]
        async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)
    }
    total = (await summarize_usage(store.read("acme")))[0]

    assert rows == {refused.call_id: "0", silent.call_id: None}
    assert (total.unpriced_calls, total.unreported_calls) == (1, 1)


async def test_recosting_sets_the_cost_of_calls_that_never_began_to_zero(
    store: Store, run: Run
) -> None:
    start = make_call_start(run)
    await store.record_call_start(start)
    async with store.transaction("acme") as tx:
        await tx.execute("update llm_calls set status = 'failed', error_code = 'MODEL_OVERLOADED'")
        done = await recost_calls(tx, Prices(), FIRST, LAST)

    assert (done.changed, done.newly_known) == (1, 1)
    assert (await summarize_usage(store.read("acme")))[0].unpriced_calls == 0


async def test_a_killed_calls_cost_is_bounded_by_its_reservation(store: Store, run: Run) -> None:
    most = Reserved(9_000, Decimal("0.13"))
    await store.record_call_start(replace(make_call_start(run), reserved=most))
    async with store.transaction("acme") as tx:
        await tx.execute("update llm_calls set status = 'cut'")
    total = (await summarize_usage(store.read("acme")))[0]
    (call,) = await store.list_calls("acme", run.run_id)
    page = render_statement(Statement("acme", datetime.now(UTC), Decimal(10), total, {}, [], []))

    assert format_cost(total) == "$0 and at most $0.13 more"
    assert "at most $0.13" in next(render_call(call))
    assert "1 call is still running, or ended without a report" in page and "0.1430" in page
    assert "calls is unknown" not in page and "call is unknown" not in page


async def test_a_parquet_export_has_the_rows_of_the_other_formats(
    store: Store, tmp_path: Path
) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    await fill_ledger(store, datetime.now(UTC), days=2)
    db = store.read_late("acme")
    rows = [row async for row in list_ledger_rows(db, FIRST, LAST)]
    with open_parquet(tmp_path / "ledger.parquet") as add:
        for row in rows:
            add(row)
    found = parquet.read_table(tmp_path / "ledger.parquet").to_pylist()
    assert [row["call_id"] for row in found] == [row["call_id"] for row in rows]
    assert [row["input_tokens"] for row in found] == [row["input_tokens"] for row in rows]
    costs = [None if row["cost_usd"] is None else Decimal(row["cost_usd"]) for row in rows]
    assert [row["cost_usd"] for row in found] == costs
    assert found[0]["created_at"] == datetime.fromisoformat(rows[0]["created_at"])
    assert found[0]["tags"] == rows[0]["tags"]


async def test_a_parquet_export_rounds_costs_of_more_decimals(store: Store, tmp_path: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    await fill_ledger(store, datetime.now(UTC), days=1)
    [row, *_] = [row async for row in list_ledger_rows(store.read_late("acme"), FIRST, LAST)]
    path = tmp_path / "ledger.parquet"
    with open_parquet(path) as add:  # as an import has it from a source that adds floats
        add({**row, "cost_usd": "0.000012345678901234567"})
    [found] = parquet.read_table(path).to_pylist()
    assert found["cost_usd"] == Decimal("0.000012345678901235")


async def test_ledger_exports_have_every_usage_dimension(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=1, runs=2)
    rows = [row async for row in list_ledger_rows(store.read("acme"), FIRST, LAST)]
    named = {item.column for item in FILTERS.values() if not item.condition}

    assert named <= {*rows[0]}
    shown = {f"x_{name.title().replace('_', '')}" for name in named - {"tags"}}
    assert {*shown, "Tags"} <= {*to_focus(rows[0])}


def test_columns_of_a_file_are_listed_with_those_that_are_known_by_name() -> None:
    assert list_columns(b'Day;Cost (USD);"Tokens; in"\n') == (
        ["Day", "Cost (USD)", "Tokens; in"],
        {"date": "Day", "cost": "Cost (USD)"},
    )
    assert list_columns(b'{"data": []}') == list_columns(b"\xff\xfe") == ([], {})
    assert list_columns(CONSOLE_COSTS.encode()) == ([], {})
    chosen = parse_columns('{"date": "Day", "input": "Tokens, in"}', "map")
    assert chosen == {"date": "Day", "input": "Tokens, in"}
    with pytest.raises(InputError):
        parse_columns('{"date": 1}', "map")
