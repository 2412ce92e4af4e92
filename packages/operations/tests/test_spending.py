"""The usage page beside its tables: is today normal, what got no answer, what a chat costs."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from plainloop.agent.store.store import Store
from tests.browsers import chromium as chromium
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.server.conftest import Serve, ask, begin
from tests.server.conftest import serve as serve

JUDGED = """async ([cost, costs]) => {
    const { judge } = await import("/console/operations/spending.js");
    return judge(cost, costs).slice(0, 2);
}"""
# The chats' calls, three weeks in a row at this time of the day.
WEEKS = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, role,
    provider, model, estimated_input_tokens, created_at, status, usage_source, input_tokens,
    output_tokens, cost_usd, duration_ms)
select tenant_id, gen_random_uuid(), user_id, thread_id, run_id, step, 1, node, role, 'openai',
    'dear-1', 10, now() - make_interval(days => days, mins => 1), 'succeeded', 'provider', 100, 10,
    cost, 900
from (select * from llm_calls where run_id is not null limit 1) as one,
    (values (0, 0.50), (7, 0.10), (14, 0.12), (21, 0.14)) as told (days, cost)
"""


@pytest.mark.parametrize(
    ("cost", "costs", "judged"),
    [
        (0.20, [0.15, 0.30, 0.22], ["normal", "good"]),
        (0.60, [0.15, 0.30, 0.20], ["2.0 times the highest usual cost", "bad"]),
        (0.05, [0.15, 0.30, 0.20], ["less than usual", "good"]),
        (0.33, [0.25, 0.30, 0.31], ["a little more than usual", "warn"]),
        (0.0058, [0.0, 0.0001, 0.0], ["normal", "good"]),  # less than a cent is no alarm
        (
            0.9,
            [0.1, 0.1, 0.1, 0.1, 9.0],
            ["9.0 times the highest usual cost", "bad"],
        ),  # one day is an outlier
    ],
)
async def test_a_days_cost_is_judged_by_the_same_weekdays(
    serve: Serve, look: Look, cost: float, costs: list[float], judged: list[str]
):
    page = (await look(await serve(auth=False))).page
    assert await page.evaluate(JUDGED, [cost, costs]) == judged


async def test_the_usage_page_says_whether_today_is_normal(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    told = viewer.page.locator(".normal")
    await expect(told).to_contain_text("There is no earlier usage to compare it with.")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(WEEKS)
    await viewer.page.reload()
    await expect(told).to_have_text(
        re.compile(
            r"^Today \$0\.50.* by .*\. A usual \w+day is at \$0\.10 to \$0\.14 by then: "
            r"3\.6 times the highest usual cost\. From the 3 \w+days before\.$"
        )
    )
    months = viewer.page.get_by_role("group", name="months side by side")
    await expect(months.locator("tbody tr")).to_have_count(3)
    await viewer.page.get_by_role("link", name="This month").click()
    compare = viewer.page.get_by_role("button", name="Compare with")
    await expect(compare).to_have_accessible_name(
        re.compile(r"Compare with [A-Z][a-z]{2} 1 to \d+$")
    )
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []


async def test_a_single_day_of_use_makes_no_usual_weekday(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        old = WEEKS.replace("(0, 0.50), (7, 0.10), (14, 0.12), (21, 0.14)", "(0, 0.50), (50, 0.1)")
        await tx.execute(old)
    viewer = await look(served, "/#/usage")
    told = viewer.page.locator(".normal")
    await expect(told).to_contain_text(re.compile(r"with too few \w+days since to say"))
    judged = await viewer.page.evaluate(JUDGED, [0.5, [0, 0, 0]])
    assert judged == ["more than usual", "warn"], "twice nothing is not a little more"


async def test_a_budget_that_running_calls_may_use_up_is_not_within_it(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    for scope in ("tenant", "user"):
        await local.put("/api/budgets", json={"scope": scope, "limit_usd": "5"})
    viewer = await look(served)
    page = viewer.page

    async def hold(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        for item in data["budgets"]:
            item |= {"used_usd": "4.5", "reserved_usd": "0.6", "forecast_usd": "4.6"}
        await route.fulfill(response=answer, json=data)

    await page.route("**/api/budgets", hold)
    for address in ("#/usage", "#/settings/prices"):
        await page.goto(f"{served.url}/{address}")
        firm = page.locator(".budget", has_text="Everyone together")
        await expect(firm).to_contain_text("Running calls may use it up.")
        await expect(firm).to_contain_text("At this pace $4.60")
        await expect(firm).not_to_contain_text("Within budget")
        # One pace of the month, beside the budget that it is measured by.
        await expect(page.locator(".budgets > p", has_text="At this pace")).to_have_count(0)
    row = page.locator(".budget", has_text="Each person").get_by_role("row", name="Local user")
    await expect(row.get_by_role("cell").nth(2)).to_have_text("$0.60")


async def test_chats_are_compared_with_a_usual_one(serve: Serve, store: Store):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    ann = await served.client("ann")
    for client in (ann, ann, boss, boss):
        await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    few = (await boss.get("/api/usage/chats?user_id=*")).json()
    assert few["usual"] is None, "four chats say nothing of a usual one"
    dear = await begin(ann)
    for text in ("add a job: Cook at Cafe Due", "add a job: Cook at Cafe Tre"):
        run = (await ask(ann, dear, text))["run_id"]
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.01, model_answered = null, model = 'a'")
        await tx.execute(
            "update llm_calls set cost_usd = 0.5, model = 'b' where run_id = $1::uuid", run
        )
    found = (await boss.get("/api/usage/chats?user_id=ann")).json()

    assert len(found["chats"]) == 3
    first = found["chats"][0]
    assert (first["chat"], first["answers"], first["models"][0]) == (dear, 2, "b")
    assert (found["usual"]["chats"], found["usual"]["answers"]) == (5, 1)
    assert found["usual"]["model"] == "a"
    own = (await ann.get("/api/usage/chats")).json()
    assert (len(own["chats"]), own["usual"]) == (3, None), "others' chats are not for a user"
    assert (await ann.get("/api/usage/chats?user_id=*")).status_code == 403


async def test_a_dear_answer_stands_beside_a_usual_one(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client("ann")
    chat = await begin(ann)
    for text in ("add a job: Cook at Uno", "add a job: Cook at Due", "add a job: Cook at Tre"):
        run = (await ask(ann, chat, text))["run_id"]
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.01")
        await tx.execute("update llm_calls set cost_usd = 0.12 where run_id = $1", run)
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    budget = {"scope": "tenant", "limit_usd": "9", "period": "month"}
    boss = await served.client("boss", is_admin=True)
    assert (await boss.put("/api/budgets", json=budget)).is_success
    await viewer.go("#/usage?by=run&everybody=1&days=7")

    rows = viewer.page.locator(".went tbody tr")
    await expect(rows).to_have_count(3)
    await expect(rows.first).to_contain_text("12× a usual answer")
    await expect(rows.nth(1)).not_to_contain_text("usual")
    await expect(viewer.page.locator(".went")).to_contain_text("A usual answer costs $0.03")
    cost = viewer.page.locator(".tile").first
    await expect(cost).to_contain_text("Left this month: $8.58")


async def test_a_chats_answers_say_what_they_were_and_what_their_cost_comes_from(
    serve: Serve, look: Look
):
    served = await serve()
    ann = await served.client("ann")
    chat = await begin(ann)
    for text in ("add a job: Cook at Cafe Uno", "add a job: Cook at Cafe Due"):
        run = (await ask(ann, chat, text))["run_id"]
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.01, model_answered = null, model = 'a'")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)

    async def pause(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        for row in data["usage"]:
            row["pause_loss_usd"] = "0.005" if row["run"] == run else None
        await route.fulfill(response=answer, json=data)

    await viewer.page.route(re.compile("/api/usage[?].*by=run%2Cfeature"), pause)
    await viewer.go(f"#/usage?by=run&everybody=1&chat_id={chat}")
    rows = viewer.page.locator(".went tbody tr")

    await expect(rows).to_have_count(2)
    second, first = (rows.filter(has_text=f"Answer {n}, ") for n in (2, 1))
    await expect(second).to_contain_text("$0.0050 of it because it came after a pause")
    await expect(first).to_contain_text(re.compile(r"^(?!.*pause).* tokens read, .* written"))
    for row in (first, second):
        await expect(row.locator(".what")).to_have_text(re.compile(r"^\w.* · a$"))
    await expect(viewer.page.get_by_text("Only ann can read them.")).to_be_visible()
    assert await viewer.list_barriers() == []


async def test_a_past_month_says_nothing_of_today_and_this_months_pace(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(
            "update llm_calls set created_at = date_trunc('month', now()) - interval '1d'"
        )
    await local.put("/api/budgets", json={"scope": "tenant", "limit_usd": "5"})
    page = (await look(served, "/#/usage")).page
    await expect(page.locator(".normal")).to_be_visible()
    await expect(page.locator(".budget")).to_be_visible()
    await page.get_by_role("link", name="Last month").click()

    await expect(page.get_by_role("heading", name="Month by month")).to_be_visible()
    await expect(page.locator(".normal, .budget, .budgets .large")).to_have_count(0)


async def test_messages_without_an_answer_are_counted(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client("ann")
    for _ in range(3):
        await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("acme") as tx:
        one = "(select run_id from runs order by run_id limit 1)"
        await tx.execute(f"update runs set status = 'failed' where run_id = {one}")
        await tx.execute("update llm_calls set status = 'failed' where role = 'worker'")
    boss = await served.client("boss", is_admin=True)
    found = (await boss.get("/api/usage/outcomes?user_id=*")).json()
    assert found["by_status"] == {"failed": 1, "succeeded": 2}
    assert (found["messages"], found["deleted_chats"]) == (3, 0)
    assert [item["user_id"] for item in found["unanswered"]] == ["ann"]
    assert (await boss.get("/api/usage/outcomes")).json()["messages"] == 0
    assert (await ann.get("/api/usage/outcomes?user_id=boss")).status_code == 403

    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage?everybody=1&by=status")
    row = viewer.page.get_by_role("row", name="Messages without an answer")
    await expect(row).to_contain_text("1 of 3")
    await expect(row).to_contain_text("33%")
    await expect(viewer.page.get_by_text("Only ann can open it")).to_be_visible()
    assert await viewer.list_barriers() == []


async def test_calls_that_a_person_stopped_are_no_failures(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set cost_usd = 0, attempt = 1")
        calls = await tx.fetch("select call_id from llm_calls order by call_id limit 2")
        for call, status, usd in zip(calls, ("failed", "cancelled"), ("0.25", "0.5"), strict=True):
            change = f"status = '{status}', cost_usd = {usd}"
            await tx.execute(f"update llm_calls set {change} where call_id = $1", call["call_id"])
    viewer = await look(served, "/#/usage")
    await viewer.page.get_by_role("link", name="1 failed or cut: $0.25").click()
    for name, cost in (("Failed calls", "$0.25"), ("Cut calls", "$0"), ("stopped by", "$0.50")):
        row = viewer.page.get_by_role("row", name=name)
        await expect(row.get_by_role("cell").nth(3)).to_have_text(cost)
    total = viewer.page.get_by_role("row", name="each call once")
    await expect(total).to_contain_text("$0.25 failed or cut + $0 repeated")
    await expect(total.get_by_role("cell").nth(3)).to_have_text("$0.25")


async def test_a_deleted_chat_is_named_and_figures_say_that_they_lack_it(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client("ann")
    boss = await served.client("boss", is_admin=True)
    gone, kept = await begin(ann), await begin(ann)
    for chat in (gone, kept):
        await ask(ann, chat, "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set created_at = created_at - interval '3 hours'")
    await boss.get("/api/usage?user_id=*")  # adds the hour up
    assert (await ann.delete(f"/api/chat/conversations/{gone}")).status_code < 300
    found = (await boss.get("/api/usage/outcomes?user_id=*")).json()
    assert (found["messages"], found["deleted_chats"]) == (1, 1)
    assert "Deleted chat" in (await boss.get("/api/usage?user_id=*&by=chat&format=csv")).text

    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage?everybody=1&by=chat")
    main = viewer.page.get_by_role("main")
    await main.get_by_role("link", name="Deleted chat").click()
    row = main.get_by_role("row", name="Answer of a deleted chat")
    await expect(row).to_contain_text("Only what it cost is kept")
    await expect(row.get_by_role("link")).to_have_count(0)
    assert gone not in await main.inner_text()
    for query in ("by=status", "by=run&sort=lost"):
        await viewer.go(f"#/usage?everybody=1&{query}")
        await expect(main.locator(".told")).to_contain_text("Without a deleted chat")
        assert await viewer.list_barriers() == []


async def test_an_edited_budget_may_warn_in_place_of_refusing(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    for scope in ("tenant", "user"):
        await local.put("/api/budgets", json={"scope": scope, "limit_usd": "5"})
    viewer = await look(served, "/#/settings/prices")
    page = viewer.page
    each = page.locator(".budget", has_text="Each person, per month")
    await expect(each.locator("tbody tr")).to_have_count(1)
    await expect(each.get_by_role("row", name="Local user")).to_contain_text("$5.00")
    firm = page.locator(".budget", has_text="Everyone together")
    await firm.get_by_role("button", name="Edit").click()
    await firm.get_by_label("Limit").fill("30")
    await firm.get_by_label("When it is used up").select_option("Warn only")
    await firm.get_by_role("button", name="Save").click()
    await expect(firm).to_contain_text("It only warns")

    kept = (await local.get("/api/budgets")).json()["budgets"]
    found = {item["scope"]: (item["limit_usd"], item["is_hard"]) for item in kept}
    assert found == {"tenant": ("30", False), "user": ("5", True)}
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_menus_link_keeps_the_period_and_menus_stay_in_the_window(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    page = viewer.page
    month = page.get_by_role("link", name="This month")
    await month.click()
    await expect(month).to_have_attribute("aria-current", "true")
    await page.get_by_role("navigation").get_by_role("link", name="Usage").click()
    await page.wait_for_url(re.compile("#/usage$"))
    await expect(month).to_have_attribute("aria-current", "true")
    await page.get_by_role("link", name="30 days").click()
    await expect(month).not_to_have_attribute("aria-current", "true")

    more = page.locator("summary", has_text="More")
    await page.set_viewport_size({"width": 1440, "height": 420})
    await more.scroll_into_view_if_needed()
    await more.click()
    card = page.locator(".menu[open] > .card")
    await expect(card).to_be_visible()
    box = await card.bounding_box()
    assert box and box["y"] >= 0 and box["y"] + box["height"] <= 420


async def test_a_list_is_sorted_anew_once_its_figures_are_there(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    page, release = viewer.page, asyncio.Event()
    of_losses = re.compile("/api/usage.*caches=true.*by=model")

    async def hold(route: Route) -> None:
        await release.wait()
        await route.continue_()

    await expect(page.locator(".went tbody tr")).not_to_have_count(0)
    await page.route(of_losses, hold)
    async with page.expect_request(of_losses):
        await viewer.go("#/usage?sort=lost")
    await expect(page.locator(".went th.cost")).to_have_count(1)
    await expect(page.locator(".went th.lost")).to_have_count(0)
    release.set()
    await expect(page.locator(".went th.lost")).to_have_count(1)
