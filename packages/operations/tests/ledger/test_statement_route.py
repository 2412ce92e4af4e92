"""`GET /api/usage/statement`: a month of the tenant as a page."""

from __future__ import annotations

import re

from tests.server.conftest import Serve, ask, begin


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
    assert [name for name, _ in rows] == [day, "total"], "a day without calls has no row"
    assert rows[0][1] == rows[1][1] != "0"
    assert "ann" not in others.text
    assert (await ann.get(path)).status_code == 403
    assert (await boss.get("/api/usage/statement?month=now")).status_code == 400
    assert (await boss.get("/api/usage/statement?markup=-1")).status_code == 422
    assert (await boss.get("/api/usage/statement")).status_code == 200
