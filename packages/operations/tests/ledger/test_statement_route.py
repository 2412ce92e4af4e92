"""`GET /api/usage/statement`: a month of the tenant as a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.config.zones import UTC_ZONE, find_zone
from plainloop.agent.types import INPUT_BUCKETS
from plainloop.agent.usage.report import UsageRow
from plainloop_operations.ledger.statement import Statement, format_day, render_statement
from tests.browsers import chromium as chromium
from tests.protocols.pages import browse
from tests.server.conftest import Serve, ask, begin

SIZE = "(cell) => parseFloat(getComputedStyle(cell).fontSize)"
TAGS = ("th", "td")
# The audit trail's entries once more, at another time.
EARLIER = """
insert into audit_entries
    (tenant_id, entry_id, at, actor, via, key_id, action, target, about, details)
select tenant_id, gen_random_uuid(), $1, actor, via, key_id, action, target, about, details
from audit_entries
"""
LONG = "a-name-as-long-as-an-address-of-mail@example.org"


async def test_only_admins_of_the_tenant_get_its_monthly_statement(serve: Serve):
    served = await serve()
    ann = await served.client("ann")
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    boss = await served.client("boss", is_admin=True)
    stranger = await served.client("boss", "umbrella", is_admin=True)
    day = (await boss.get("/api/usage?by=day&user_id=*")).json()["usage"][0]["day"]
    path = f"/api/usage/statement?month={day[:7]}"
    page, others = await boss.get(path), await stranger.get(path)

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    name = f"usage-acme-{day[:7]}.html"
    assert page.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}"
    marked = await boss.get(f"{path}&markup=10")
    assert f"usage-acme-{day[:7]}-with-10-percent.html" in marked.headers["content-disposition"]
    assert "Usage statement" in page.text
    assert "<td>ann</td>" in page.text
    by_day = page.text.split("<h2>By day</h2>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>\n<td>(.*?)</td><td>(\d+)</td>", by_day)
    calls = dict(rows)
    days = [format_day(f"{day[:8]}{n:02}") for n in range(1, int(day[8:]) + 1)]
    assert [*calls] == [*days, "total"]
    assert calls[days[-1]] == calls["total"] != "0"
    assert "<h2>By feature</h2>" in page.text and "<h2>Cost per day</h2>" in page.text
    shown = await boss.get(f"{path}&inline=true&user_id=ann")
    assert shown.headers["content-disposition"].startswith("inline; ")
    assert f"usage-acme-ann-{day[:7]}.html" in shown.headers["content-disposition"]
    assert "only ann" in shown.text and "By person" not in shown.text
    nobody = await boss.get(f"{path}&user_id=bob")
    assert "There are no calls" in nobody.text
    assert "ann" not in others.text
    assert (await ann.get(path)).status_code == 403
    assert (await boss.get("/api/usage/statement?month=now")).status_code == 400
    assert (await boss.get("/api/usage/statement?markup=-1")).status_code == 422
    assert (await boss.get("/api/usage/statement")).status_code == 200


async def test_a_budgets_share_is_of_the_cost_without_the_markup(serve: Serve):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await ask(boss, await begin(boss), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0")
        one = "(select call_id from llm_calls limit 1)"
        await tx.execute(f"update llm_calls set cost_usd = 2 where call_id = {one}")
    await boss.put("/api/budgets", json={"scope": "tenant", "limit_usd": "8", "is_hard": False})
    path = f"/api/usage/statement?month={datetime.now(find_zone(UTC_ZONE)):%Y-%m}"
    plain, marked = [(await boss.get(f"{path}&markup={percent}")).text for percent in (0, 50)]
    assert "$2.00" in plain and ">25% of it<" in plain
    assert "$3.00" in marked and ">25% of it, counted without the mark-up<" in marked


async def test_a_past_month_is_compared_with_the_budgets_of_that_time(serve: Serve):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await ask(boss, await begin(boss), "add a job: Cook at Cafe Uno")
    month, daily = {"scope": "tenant", "is_hard": False}, {"scope": "user", "period": "day"}
    old = {**month, "limit_usd": "8"}, {**daily, "limit_usd": "4"}
    for made in old:
        await boss.put("/api/budgets", json=made)
    now = datetime.now(find_zone(UTC_ZONE))
    past = (now.replace(day=1) - timedelta(days=1)).replace(day=1)
    async with served.service.store.transaction("acme") as tx:
        await tx.execute(EARLIER, past - timedelta(days=1))
    await boss.put("/api/budgets", json={**month, "limit_usd": "31"})

    async def load(at: datetime, **more: str) -> str:
        query = {"month": f"{at:%Y-%m}", **more}
        return (await boss.get("/api/usage/statement", params=query)).text

    then, own = await load(past), await load(past, user_id="boss")
    assert "<b>$8.00</b>" in then and "$31.00" not in then
    assert "Each person: $4.00 a day, further calls are refused" in then
    assert "<b>$4.00</b>" in own and "of it on the dearest day" in own
    assert "<b>$31.00</b>" in await load(now)
    before = await load(past - timedelta(days=40))
    assert "the audit trail has none of that time" in before and "$8.00" not in before


def read_lines(page: str, heading: str) -> tuple[list[Decimal], list[Decimal]]:
    """Read a table's amounts on the first page, and in the details with the total as the last."""
    first, details = [part.split("</table>")[0] for part in page.split(f"<h2>{heading}</h2>")[1:3]]

    def read(part: str) -> list[Decimal]:
        cells = re.findall(r"<td>(&lt;)?\$([\d.,]+)\*?</td>", part)
        return [Decimal() if less else Decimal(it) for less, it in cells]

    return read(first), read(details)


@pytest.mark.parametrize("markup", [0, 15])
@pytest.mark.parametrize(
    "costs",
    [  # each rounded by itself adds up to 0.70, of 0.69 in all; to 0.03 of 0.02; with a rest
        ["0.3348", "0.2258", "0.09146", "0.0353", "0.00534"],
        ["0.00651", "0.00651", "0.00651"],
        ["1.11549"] * 8,
        ["0.25", "0.00003"],
    ],
)
def test_the_lines_of_a_statement_add_up_to_its_total(costs: list[str], markup: int):
    rows = [_make_row({"model": f"m{n}", "provider": "p"}) for n in range(len(costs))]
    priced = [replace(row, cost_usd=cost) for row, cost in zip(rows, costs, strict=True)]
    total = replace(_make_row({}), cost_usd=str(sum(map(Decimal, costs))))
    month = datetime(2025, 10, 1, tzinfo=find_zone(UTC_ZONE))
    groups = {"By model": priced}
    page = render_statement(Statement("acme", month, Decimal(markup), total, groups, [], []))
    tile = Decimal(re.findall(r"<span>Total</span><b>\$([\d.]+)", page)[0])
    first, (*lines, whole) = read_lines(page, "By model")
    assert sum(first) == tile
    assert (
        sum(lines) == whole == (Decimal(total.cost_usd or 0) * (100 + markup) / 100).quantize(whole)
    )
    shares = [int(it) for it in re.findall(r">(\d+)%<", page)]
    assert sum(shares) == 100


def test_a_statement_names_the_services_own_features_as_the_console_does():
    rows = [_make_row({"feature": name}) for name in ("parser", "fast path", "a_feature")]
    month = datetime(2025, 10, 1, tzinfo=find_zone(UTC_ZONE))
    groups = {"By feature": rows}
    statement = Statement("acme", month, Decimal(), _make_row({}), groups, [], [])
    page = render_statement(statement, {"a_feature": "Own"})
    assert ">Reading of files<" in page and ">Answered without a model<" in page
    assert ">Own<" in page and "Parser" not in page and "Fast path" not in page


@pytest.mark.parametrize("tenant", ["acme", ""])
async def test_a_statements_first_page_is_one_of_paper(chromium: str, tenant: str):
    def list_rows(*names: str) -> list[UsageRow]:
        return [_make_row(dict.fromkeys(names, f"{LONG}-{n}")) for n in range(9)]

    days = [_make_row({"day": f"2025-10-{n:02}"}) for n in range(1, 32)]
    groups = {
        "By feature": list_rows("feature"),
        "By model": list_rows("provider", "model"),
        "By person": list_rows("tenant", "user"),
        **({} if tenant else {"By tenant": list_rows("tenant")}),
        "By day": days,
    }
    month = datetime(2025, 10, 1, tzinfo=find_zone(UTC_ZONE))
    total = _make_row({}, unpriced_calls=3, bounded_calls=2)
    page = Statement(tenant, month, Decimal(20), total, groups, days, [], before=total)
    async with browse(chromium) as tabs:
        sheet = await tabs.new_page()
        await sheet.set_content(render_statement(page))
        await sheet.emulate_media(media="print")
        head, cell = [await sheet.locator(f".details {name}").first.evaluate(SIZE) for name in TAGS]
        await sheet.locator(".details").evaluate("(details) => details.remove()")
        paper = await sheet.pdf(prefer_css_page_size=True)
    assert head <= cell, "the heads of tables are not larger than their text"
    pages = len(re.findall(rb"/Type\s*/Page\b", paper))
    assert pages == 1


def _make_row(keys: Mapping[str, str | None], **more: int) -> UsageRow:
    counts = ("unsuccessful", "retries", "estimated", "unreported", "unpriced", "bounded")
    none = {name if name == "retries" else f"{name}_calls": 0 for name in counts}
    usd = dict.fromkeys(("cost_usd", "unsuccessful_cost_usd", "retry_cost_usd", "at_most_usd"), "1")
    tokens: dict[str, Any] = dict.fromkeys([*INPUT_BUCKETS, "output_tokens", "reasoning_tokens"], 9)
    return UsageRow({**keys}, 12, **{**none, **more}, **tokens, **usd)
