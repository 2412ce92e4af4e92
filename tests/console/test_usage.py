"""Usage: charts with axes, every bar and row of which leads to its runs."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Route, expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, Served, ask, begin

TILES = ".tile"
# A dear call today, and one of a third of its cost ten days ago.
EARLIER = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, role,
    provider, model, estimated_input_tokens, created_at, status, usage_source, input_tokens,
    output_tokens, cost_usd, duration_ms)
select tenant_id, gen_random_uuid(), user_id, thread_id, run_id, step, 1, node, role, 'openai',
    'dear-1', 10, now() - make_interval(days => days), 'succeeded', 'provider', 100, 10, cost, 900
from (select * from llm_calls where tenant_id = 'local' and run_id is not null limit 1) as one,
    (values (0, 0.30), (10, 0.10)) as told (days, cost)
"""
# A call whose model has no known price, and one that still runs.
UNPRICED = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, role,
    provider, model, estimated_input_tokens, created_at, status, usage_source, input_tokens,
    output_tokens, cost_usd, duration_ms)
select tenant_id, gen_random_uuid(), user_id, thread_id, run_id, step, 1, node, role, 'openai',
    model, 10, now(), status, 'provider', 100, 10, null, 900
from (
    select tenant_id, user_id, thread_id, run_id, step, node, role from llm_calls
    where tenant_id = 'local' and run_id is not null limit 1
) as one, (values ('unheard-1', 'succeeded'), ('unheard-2', 'started')) as told (model, status)
"""
# Between each value and its line, of those that have room for one.
GAPS = """() => [...document.querySelectorAll(".tile b:has(.spark)")].flatMap((value) => {
    const [line, words] = [value.querySelector(".spark"), document.createRange()];
    words.selectNode(value.firstChild);
    const [a, b, box] = [words, line, value].map((item) => item.getBoundingClientRect());
    return b.top < box.bottom ? [b.left - a.right] : [];
})"""


async def test_usage_charts_have_axes_and_link_to_runs(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    await local.put("/api/budgets", json={"scope": "tenant", "limit_tokens": 50_000})
    (row,) = (await local.get("/api/usage", params={"by": "day"})).json()["usage"]
    viewer = await look(served, "/usage")
    page = viewer.page

    await expect(page.locator(TILES).nth(2)).to_contain_text(f"Model calls{row['calls']}")
    await expect(page.locator("main")).to_contain_text("50,000 tokens")
    await page.get_by_role("link", name="Time", exact=True).click()
    await expect(page.locator(".chart circle")).to_have_count(2)
    await page.locator(".chart").get_by_role("group").focus()
    await page.keyboard.press("ArrowLeft")
    status = page.get_by_role("status").filter(has_text="Typical")
    await expect(status).to_contain_text(re.compile(r"\d m?s"))
    await page.get_by_role("link", name="Tokens", exact=True).first.click()
    tokens = page.locator(".chart")
    await expect(tokens.locator("text.left").first).to_have_text("0")
    await page.click("summary[title='Split by']")
    await page.get_by_role("link", name="Assistant").click()
    names = re.compile("Crm worker|Sorting and reading of files")
    await expect(page.locator(".went td.name").first).to_have_text(names)
    bars = tokens.locator("rect.c0")
    await expect(bars).to_have_count(1)
    await expect(tokens.locator("rect.open")).to_have_count(1)  # over the colours, which stay
    await expect(bars).to_have_css("opacity", "1")
    await bars.click()  # the day, as it was split
    await expect(page.locator(".chip")).to_contain_text("Day:")
    await expect(page.locator(".went th.name").first).to_have_text("Assistant")
    await bars.click()  # an hour
    await page.click(f"a[href='#/runs/{told['run_id']}']")

    await expect(page.locator("h1")).to_contain_text("“")


async def test_shorter_requests_do_not_count_as_avoided_calls(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    avoided = (await local.get("/api/usage", params={"by": "day"})).json()["avoided"]
    calls = sum(item["calls"] for item in avoided if item["role"] != "tools")
    assert calls > 0

    async def add_shorter(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        shorter = {"role": "tools", "reason": "9 tools of other workers were not sent"}
        data["avoided"].append({**shorter, "calls": 40, "tokens": 8000, "cost_usd": None})
        await route.fulfill(response=answer, json=data)

    page = (await look(served)).page
    await page.route("**/api/usage?*", add_shorter)
    await page.goto(f"{served.url}/#/usage")
    await expect(page.locator(TILES).last).to_contain_text(f"Calls avoided{calls}")
    await expect(page.locator("main")).to_contain_text("Tools of other workers left out")


async def test_a_usage_figures_chart_line_does_not_overlap_its_value(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
    page = (await look(served, "/#/usage")).page
    await expect(page.locator(".spark")).to_have_count(4)

    for width in (1440, 1366, 1120, 800):
        await page.set_viewport_size({"width": width, "height": 900})
        gaps = await page.evaluate(GAPS)
        assert gaps
        assert min(gaps) >= 8, width


async def test_usages_chart_fills_its_card_and_its_bar_two_rows_on_a_phone(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    budget = {"scope": "tenant", "limit_usd": "5"}
    for period in ("month", "day", "hour"):
        assert (await local.put("/api/budgets", json={**budget, "period": period})).is_success
    page = (await look(served, "/#/usage?days=1")).page
    await expect(page.locator(".budget")).to_have_count(2)
    await expect(page.get_by_role("link", name="Prices and all 3 budgets")).to_be_visible()
    canvas, card = (page.locator(name) for name in (".chart .canvas", ".card:has(> .chart)"))
    ends = "(item) => item.getBoundingClientRect().bottom"
    below = await card.evaluate(ends) - await canvas.evaluate(ends)
    assert below < 80, "only the table's summary is below the chart"
    await expect(canvas.locator("> svg")).to_have_attribute("height", re.compile("^[2-9]..$"))

    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(canvas.locator("> svg")).to_have_attribute("height", "200")
    bar = page.locator(".screen-head > .row > *")
    boxes = [box for item in await bar.all() if (box := await item.bounding_box())]
    assert len({round((box["y"] + box["height"] / 2) / 20) for box in boxes}) == 2


async def test_a_user_sees_first_what_is_left_of_the_budget(serve: Serve, look: Look):
    served = await serve()
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    for scope, limit, period in (
        ("user", "4", "day"),
        ("user", "90", "month"),
        ("tenant", "1", "day"),
    ):
        budget = {"scope": scope, "limit_usd": limit, "period": period}
        assert (await boss.put("/api/budgets", json=budget)).is_success
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("ann")
    page = viewer.page
    await viewer.go("#/usage?days=7")

    await expect(page.locator(TILES).first).to_have_text(
        re.compile(r"^Left today\$4(\.00)?of \$4\.00$")
    )
    await expect(page.locator(TILES)).to_have_count(
        4
    )  # and no slowest calls, caches or avoided ones
    await expect(page.locator(".tiles")).not_to_contain_text("Slowest")
    compare = page.get_by_role("button", name="Compare with the 7 days before")
    await expect(compare).to_have_attribute("aria-pressed", "false")
    await compare.click()
    await expect(compare).to_have_attribute("aria-pressed", "true")


async def test_hours_are_compared_with_those_a_week_before(served: Served, look: Look):
    page = (await look(served)).page
    async with page.expect_request(lambda it: "until=" in it.url and "latency" in it.url) as sent:
        await page.evaluate("location.hash = '#/usage?days=1'")
    await expect(page.get_by_role("button", name="Compare with a week before")).to_be_visible()
    query = dict(parse_qsl(urlsplit((await sent.value).url).query))
    since, until = (datetime.fromisoformat(query[name]) for name in ("since", "until"))
    assert timedelta(days=7, hours=22) < datetime.now(UTC) - since < timedelta(days=8)
    assert timedelta(days=7) <= datetime.now(UTC) - until < timedelta(days=7, minutes=5)


async def test_days_are_listed_from_the_newest_on_without_a_change(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
    page = (await look(served, "/#/usage?by=day&days=30")).page
    costs = page.locator(".went td.cost")
    await expect(costs).to_have_text(["$0.30", "$0.10"])
    await expect(page.locator(".went td.name").first).to_have_text(
        re.compile(r"^\w{3} \d+, \d{4}$")
    )
    await expect(page.locator(".went th.changed")).to_have_count(0)
    for name in ("calls", "cost"):
        await page.locator(f".went th.{name} a").click()
        await expect(page).to_have_url(re.compile(f"sort={name}"))


async def test_shares_are_of_the_whole_period_not_of_the_listed_rows(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
    page = (await look(served)).page

    async def cut(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        if data["by"] == ["model"] and "limit=100" in route.request.url:
            data["usage"] = data["usage"][:1]
            data["usage"][0]["cost_usd"] = "0.10"
        await route.fulfill(response=answer, json=data)

    await page.route("**/api/usage?*", cut)
    await page.evaluate("location.hash = '#/usage?days=30&compare=0'")
    await expect(page.locator(".went td.share span").first).to_have_text("25%")


async def test_the_usage_screen_shows_users_only_their_own_usage(serve: Serve, look: Look):
    served = await serve()
    ann, bob = await served.client("ann"), await served.client("bob")
    for client, times in ((ann, 1), (bob, 2)):
        for _ in range(times):
            await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    calls = [(await client.get("/api/usage")).json()["usage"][0]["calls"] for client in (ann, bob)]
    owns = await look(served, "/#/usage")
    await owns.page.fill("#token", served.token("ann"))
    await owns.page.click("button:text('Sign in')")
    await expect(owns.page.locator(TILES).nth(2)).to_contain_text(f"Model calls{calls[0]}")
    await expect(owns.page.locator("main")).not_to_contain_text("Everyone")

    admins = await look(served, "/#/usage?by=user")
    await admins.page.fill("#token", served.token("boss", is_admin=True))
    await admins.page.click("button:text('Sign in')")
    await expect(admins.page.locator(TILES).nth(2)).to_contain_text(f"Model calls{sum(calls)}")
    await expect(admins.page.locator(".went td.name")).to_have_text(
        [re.compile("ann|bob"), re.compile("ann|bob")]
    )
    await admins.page.click("summary[title='Export']")
    async with admins.page.expect_download() as download:
        await admins.page.click("a:text('CSV')")
    assert (await (await download.value).path()).read_text().startswith("user,calls,")


async def test_an_admin_sees_whose_usage_and_budget_it_is(serve: Serve, look: Look):
    served = await serve()
    ann, bob = await served.client("ann"), await served.client("bob")
    for client in (ann, bob):
        await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
    boss = await served.client("boss", is_admin=True)
    each = {"scope": "user", "period": "month", "limit_usd": "5"}
    assert (await boss.put("/api/budgets", json=each)).is_success
    page = (await look(served, "/#/usage?by=run")).page
    await expect(page.locator(".failure")).to_have_count(0)  # nothing was tried yet
    await page.fill("#token", served.token("boss", is_admin=True))
    await page.click("button:text('Sign in')")
    runs = page.locator(".went td.name")
    await expect(
        page.get_by_text("Each can be read only by the person who wrote it.")
    ).to_be_visible()
    await expect(runs.get_by_role("link")).to_have_count(0)

    whose = page.locator("summary[title='Whose usage']")
    await whose.click()
    await page.get_by_label("Person").fill("ann")
    await page.click("button:text('Show usage')")
    await expect(runs).to_have_count(1)
    await expect(page.get_by_text("Only ann can read them.")).to_be_visible()
    await page.locator(".chip").click()
    await expect(whose).to_have_text("Everyone")
    await expect(runs).to_have_count(2)

    await page.get_by_role("link", name="Person").click()
    await expect(page.locator(".chart figcaption")).to_contain_text(re.compile("ann.*bob|bob.*ann"))
    await page.get_by_role("link", name="Prices and").click()
    await expect(page.locator("h1")).to_have_text("Prices and budgets")  # Usage names them too
    titles = page.locator(".budget > p:first-child")
    await expect(titles).to_have_text("Each person, per month")
    people = page.get_by_role("group", name="what each person used").locator("tbody td.name")
    await expect(people).to_have_text([re.compile("^(ann|bob)$")] * 2)
    await expect(page.get_by_role("button", name="Remove")).to_have_count(1)


async def test_the_usage_screen_compares_periods_and_sorts_by_columns(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
    viewer = await look(served, "/#/usage?days=7")
    page = viewer.page

    cost = page.locator(TILES).first
    await expect(cost).to_have_text(re.compile(r"^Cost\$0\.30\+200% from \$0\.10$"))
    await expect(cost.locator(".bad")).to_have_count(1)  # dearer: bad, whichever way an arrow goes
    await expect(page.locator(".chart polyline.dashed")).to_have_count(1)
    change = page.locator(".went tr", has_text="dear-1").locator("td.cost + td")
    await expect(change).to_have_text("+200%")
    await page.get_by_role("link", name="Calls", exact=True).last.click()
    await expect(page.locator("th[aria-sort=descending]")).to_have_text("Calls")
    await expect(page.locator(".went td.name a").first).to_have_text("offline-rules")
    await page.get_by_role("button", name="Compare with the 7 days before").click()
    await expect(cost).to_have_text("Cost$0.30")
    await page.get_by_text("Custom", exact=True).click()
    await page.fill("input[name=from]", "2001-01-01")
    await page.fill("input[name=to]", "2001-01-31")
    await page.click("button:text('Show it')")
    await expect(page.locator("main")).to_contain_text("No model calls in this period.")


async def test_loading_usage_comparisons_causes_no_layout_shift(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
    page = (await look(served)).page
    await expect(page.get_by_role("navigation", name="Today")).to_be_visible()  # has its figures
    known, asked = asyncio.Event(), list[str]()

    async def hold_before(route: Route) -> None:
        asked.append(route.request.url)
        if "until=" in route.request.url:  # of the period before: this one has no end yet
            await known.wait()
        await route.continue_()

    await page.route(re.compile(r"/api/(usage|budgets)"), hold_before)
    await page.evaluate("location.hash = '#/usage?days=7&sort=calls'")
    row = page.locator(".went tr", has_text="dear-1")
    await expect(row.locator("td.cost")).to_have_text("$0.30")
    # A browser has six connections: what is seen first needs no more, beside the stream of changes.
    assert len([url for url in asked if "until=" not in url]) <= 6
    boxes = "(all) => all.map((it) => [it.className, it.offsetTop, it.offsetHeight])"
    cards = page.locator(f"{TILES}, main .card:not(.choices), .went tr")
    before = await cards.evaluate_all(boxes)
    known.set()

    await expect(row.locator("td.cost + td")).to_have_text("+200%")
    await expect(page.locator(TILES).first.locator(".bad")).to_have_count(1)
    assert await cards.evaluate_all(boxes) == before


async def test_the_first_screens_modules_load_before_the_session_is_known(
    served: Served, look: Look
):
    context = (await look(served)).page.context
    page, known = await context.new_page(), asyncio.Event()

    async def hold(route: Route) -> None:
        await known.wait()
        await route.continue_()

    await page.route("**/api/session", hold)
    async with page.expect_request("**/usage_data.js"):  # of its modules the deepest
        await page.goto(f"{served.url}/#/usage", wait_until="commit")
    assert await page.locator(".frame").count() == 0
    known.set()

    await expect(page.locator("h1")).to_have_text("Usage")


async def test_a_usage_period_can_be_chosen_by_mouse_and_by_keys(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/usage?from=2001-03-10&to=2001-03-20")
    page = viewer.page
    calendar = page.locator(".calendar")
    held = calendar.locator("button[tabindex='0']")
    await page.locator("summary[title='Another period']").click()

    # Two months, and which days they are.
    await expect(calendar.get_by_role("group")).to_have_count(2)
    await expect(calendar.get_by_role("group", name="February 2001")).to_be_visible()
    zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    await expect(calendar).to_contain_text(re.compile(rf"Days are UTC: .* in {zone}"))
    await expect(calendar.locator("[aria-pressed=true]")).to_have_text(["10", "20"])
    await expect(calendar.locator(".within")).to_have_count(11)
    for width in (1440, 768, 390):  # all of it is within the page
        await page.set_viewport_size({"width": width, "height": 900})
        await expect(page.locator("form.period")).to_be_in_viewport(ratio=1)
    # A phone has room for one month: that of the days that are chosen.
    await expect(calendar.get_by_role("group")).to_have_count(1)
    await expect(calendar.get_by_role("group", name="March 2001")).to_be_visible()
    await page.set_viewport_size({"width": 1440, "height": 900})
    await calendar.get_by_role("button", name="5 February 2001", exact=True).click()
    await expect(page.locator("input[name=to]")).to_have_value("2001-02-05")  # a day by itself
    await expect(held).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await expect(page.locator("input[name=from]")).to_have_value("2001-02-05")
    await expect(page.locator("input[name=to]")).to_have_value("2001-02-13")
    assert await viewer.list_barriers() == []
    await calendar.get_by_role("button", name="Next month").click()
    await expect(calendar.get_by_role("group", name="April 2001")).to_be_visible()
    await page.click("button:text('Show it')")

    await expect(page).to_have_url(re.compile(r"from=2001-02-05&to=2001-02-13"))
    chosen = page.locator("summary[title='Another period']")
    await expect(chosen).to_have_text("Feb 5, 2001 to Feb 13, 2001")
    await chosen.click()
    for day in ("20 February 2001", "9 February 2001"):  # the later one first
        await calendar.get_by_role("button", name=day, exact=True).click()
    await expect(page.locator("input[name=from]")).to_have_value("2001-02-09")
    await expect(page.locator("input[name=to]")).to_have_value("2001-02-20")
    month = datetime.now(UTC).date().replace(day=1)
    for name in ("This month", "Last month"):
        link = page.get_by_role("link", name=name, exact=True)
        await link.click()
        await expect(link).to_have_attribute("aria-current", "true")
        await expect(chosen).to_have_text("Custom")
    last = month - timedelta(days=1)
    await expect(page).to_have_url(re.compile(f"from={last.replace(day=1)}&to={last}"))


async def test_usage_menus_stay_within_a_phones_screen(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await ask(boss, await begin(boss), "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage")
    await viewer.look_as(390, "light")
    for title in ("Whose usage", "Export", "Split by", "Another period"):
        menu = viewer.page.locator(f"summary[title='{title}']")
        await menu.click()
        await expect(menu.locator("+ .card")).to_be_in_viewport(ratio=1)
        await viewer.page.keyboard.press("Escape")


async def test_usage_of_one_chat_names_it_without_a_chart_of_the_month(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "A job in Oslo")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/usage?chat_id={chat}")).page
    month = page.locator(".chart, .budgets")
    chip = page.locator(".chip")

    await expect(chip).to_contain_text("Chat: A job in Oslo")
    await expect(page.locator(".went td.cost")).to_have_count(1)
    await expect(month).to_have_count(0)
    await chip.click()
    await expect(chip).to_have_count(0)
    await expect(month).to_have_count(2)


async def test_a_model_keeps_its_colour_where_another_one_is_the_largest(
    served: Served, look: Look
):
    drawn = await (await look(served)).page.evaluate(
        """async () => {
            const { colourOf } = await import("/console/usage_chart.js");
            const many = [..."gfedcba"];
            return [[["a", "b"], "a"], [["b", "a"], "a"], [["b", "a"], "b"],
                [many, "g"], [many, "c"], [many, "a"], [["y", "z"], "z"], [["z"], "z"],
            ].map((given) => colourOf(...given));
        }"""
    )
    assert drawn == ["c0", "c0", "c1", "c4", "c0", "rest", "c1", "c1"]


async def test_usage_by_run_is_paged_with_labels_of_one_line(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served)).page
    address = re.compile(r"/api/usage\?.*by=run")

    async def repeat(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        [row], [run] = data["usage"], data["threads"]
        ids = [f"{n:08d}{row['run'][8:]}" for n in range(25)]
        data["usage"] = [row | {"run": it, "cost_usd": "0.01"} for it in ids]
        data["threads"] = [run | {"id": it, "title": "Nora " * 40} for it in ids]
        data["threads"][0] |= {"kind": "parse", "title": "Nora nora@example.org"}
        await route.fulfill(response=answer, json=data)

    await page.route(address, repeat)
    await page.goto(f"{served.url}/#/usage?by=run&days=7")
    names = page.locator(".went tbody td.name > a")
    await expect(names).to_have_count(20)
    texts = await names.all_inner_texts()
    assert max(map(len, texts)) <= 81 and texts[1].endswith("…")
    assert texts[0].startswith("Reading of a file of local")
    await page.locator(".went").get_by_role("button", name="Show more").click()
    await expect(names).to_have_count(25)


async def test_the_dearest_features_have_the_charts_own_colours(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served)).page

    async def split(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        row = data["usage"][0]
        data["usage"] = [
            row | {"feature": f"part {n}", "cost_usd": f"0.0{n}", "input_tokens": 9000 // n}
            for n in range(1, 9)
        ]
        await route.fulfill(response=answer, json=data)

    await page.route(re.compile(r"/api/usage\?.*by=day(,|%2C)feature"), split)
    await page.goto(f"{served.url}/#/usage?by=feature&days=7")
    await expect(page.locator(".chart")).to_contain_text("Part 8")
    await expect(page.locator(".chart")).not_to_contain_text("Part 1")
    await page.get_by_text("Show as table").click()
    table = page.get_by_role("group", name="usage by day")
    assert await table.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0


async def test_usage_by_chat_shows_titles_and_leads_to_its_runs(serve: Serve, look: Look):
    served = await serve()
    boss, ann = await served.client("boss", is_admin=True), await served.client("ann")
    chat, others = await begin(boss, "A job in Oslo"), await begin(ann, "Not for others")
    for client, thread in ((boss, chat), (ann, others)):
        await ask(client, thread, "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage?by=chat&everybody=1")
    page = viewer.page
    own, other = (page.locator(".went tr", has_text=name) for name in ("A job in Oslo", "of ann"))

    await expect(page.locator(".went tbody tr")).to_have_count(2)
    await expect(other.locator("td.name")).to_have_text(re.compile(r"^Chat of ann, \d"))
    assert chat not in await page.inner_text("main")
    assert others not in await page.inner_text("main")
    await own.get_by_role("link", name="A job in Oslo").click()
    await expect(page.locator("main .chip").first).to_contain_text("Chat: A job in Oslo")
    await expect(page.locator(".went tbody tr")).to_have_count(1)
    await expect(page.locator(".went td.name a")).to_have_text("add a job: Cook at Cafe Uno")
    await page.go_back()
    await own.get_by_role("link", name="Open chat").click()
    await expect(page).to_have_url(re.compile(f"#/chat/{chat}$"))


async def test_chats_and_runs_of_one_title_are_told_apart_by_their_time(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(2):
        await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    move = "update {} set created_at = created_at - interval '70 minutes' where {}_id = (select"
    async with served.service.store.transaction("local") as tx:
        for name in ("thread", "run"):
            table = f"{name}s"
            await tx.execute(f"{move.format(table, name)} min({name}_id::text)::uuid from {table})")
    page = (await look(served, "/#/usage?by=chat&days=7")).page
    for by in ("chat", "run"):
        await page.goto(f"{served.url}/#/usage?by={by}&days=7")
        rows = page.locator(".went td.name", has_text="add a job: Cook at Cafe Uno")
        await expect(rows).to_have_count(2)
        times = [re.findall(r"\d+:\d\d", text) for text in await rows.all_inner_texts()]
        assert [len(found) for found in times] == [1, 1]
        assert times[0] != times[1]


async def test_the_usage_screen_remembers_whose_usage_was_chosen(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client("ann")
    await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go("#/usage")
    page, whose = viewer.page, viewer.page.locator("summary[title='Whose usage']")
    await expect(whose).to_have_text("Everyone")
    await expect(page.locator(TILES).nth(2)).to_contain_text("Model calls")
    await viewer.go("#/history")
    await viewer.go("#/usage")
    await expect(whose).to_have_text("Everyone")
    await whose.click()
    await page.get_by_role("button", name="Mine").click()
    await viewer.go("#/history")
    await viewer.go("#/usage")
    await expect(whose).to_have_text("Mine")


async def test_the_local_user_finds_everyone_as_it_was_left(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    page, whose = viewer.page, viewer.page.locator("summary[title='Whose usage']")
    month = page.locator(".budgets h2")
    await expect(month).to_contain_text("· Mine")
    await whose.click()
    await page.get_by_role("button", name="Everyone").click()
    await expect(month).to_contain_text("· Everyone")
    await viewer.go("#/history")
    await viewer.go("#/usage")
    await expect(whose).to_have_text("Everyone")


async def test_usage_rows_open_as_a_whole_and_menus_within_the_window(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set run_id = null where role <> 'worker'")
    page = (await look(served, "/#/usage?by=run", width=1280)).page
    await page.get_by_text("Show as table").click()
    table = page.get_by_role("group", name="usage by day")
    assert await table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0

    more = page.locator("summary[title='Split by']")
    top = await more.evaluate("(it) => it.getBoundingClientRect().top + scrollY")
    await page.set_viewport_size({"width": 1280, "height": int(top) + 60})
    await more.click()
    await expect(more.locator("+ .card")).to_be_in_viewport(ratio=1)
    await page.keyboard.press("Escape")
    await page.locator(".went tr.opens td.tokens").first.click()
    await expect(page).to_have_url(re.compile(f"#/runs/{told['run_id']}"))


async def test_a_chats_head_names_the_cost_of_other_versions(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "A job in Oslo")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "add a job: Cook at Cafe Due")
    branches = f"/api/chat/conversations/{chat}/branches"
    other = (await local.post(branches, json={"before": 2})).json()["id"]
    await ask(local, other, "add a job: Cook at Cafe Tre")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.01 where tenant_id = 'local'")
    (row,) = (await local.get("/api/usage", params={"chat_id": chat})).json()["usage"]
    page = (await look(served, f"/#/chat/{other}")).page

    total = page.locator(".head .total")
    await expect(total).to_contain_text(f"${row['cost_usd']}")
    await expect(total).to_have_text(f"${row['cost_usd']} with other versions")
    await expect(total).to_have_attribute("title", re.compile("[$]0.06 of it in other versions"))
    name = page.locator(".head h1 button")
    assert await name.evaluate("name => name.scrollWidth <= name.clientWidth"), "it is cut"
    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(total).not_to_be_in_viewport()  # there is no room: the menu has it
    await page.click("summary[title='More for this chat']")
    await page.get_by_role("link", name=f"Cost: ${row['cost_usd']}").click()
    await expect(page.locator(".went tbody tr")).to_have_count(3)


async def test_calls_without_a_known_price_are_named_and_lead_to_their_runs(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(UNPRICED)
    page = (await look(served, "/#/usage")).page

    await expect(page.locator(".budgets")).to_contain_text(
        "1 call without a known price (unheard-1)", use_inner_text=True
    )
    await expect(page.locator(TILES).nth(2)).to_contain_text("1 still running")
    await page.get_by_role("link", name="1 call without a known price").click()
    await expect(page.locator(TILES).first).to_contain_text("unknown")
    await expect(page.locator(TILES).last).to_contain_text("of all usage, worth about")
    await expect(page.locator(".went td.name")).to_have_text([re.compile("unheard-1")])
    await page.get_by_role("link", name="unheard-1").last.click()
    await page.click(f"a[href='#/runs/{told['run_id']}']")
    await expect(page.locator("h1")).to_contain_text("“")


async def test_what_was_spent_outside_chats_is_split_by_purpose(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    outside = "thread_id = null, run_id = null, step = null, worker = 'titles', node = role"
    async with served.service.store.transaction("local") as tx:
        await tx.execute(EARLIER)
        await tx.execute(f"update llm_calls set {outside} where model = 'dear-1'")
    page = (await look(served, "/#/usage?by=chat")).page

    await page.get_by_role("link", name="Without a chat").click()
    await expect(page.locator(".went th.name").first).to_have_text("Purpose")
    names = page.locator(".went td.name")
    await expect(names).to_have_text([re.compile("Titles"), re.compile("Chats")])
    await names.first.get_by_role("link").click()
    await expect(page.get_by_role("button", name="Remove purpose: Titles")).to_be_visible()
    await expect(page.locator(".went td.name")).to_have_text([re.compile("dear-1")])


async def test_experiments_are_a_row_of_their_own_by_feature_and_chat(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await ask(boss, await begin(boss), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute(EARLIER.replace("'local'", "'acme'"))
        outside = "thread_id = null, run_id = null, step = null, replay_id = gen_random_uuid()"
        await tx.execute(f"update llm_calls set {outside} where model = 'dear-1'")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    page = viewer.page
    for by in ("chat", "run", "feature"):
        await viewer.go(f"#/usage?by={by}&days=7")
        row = page.locator(".went tbody tr").first
        await expect(row.locator("td.name a")).to_have_text("Experiments")
        await expect(row.locator("td.cost")).to_have_text("$0.30")
        await expect(row.locator("td.share span")).to_have_text("100%")
        await expect(row.locator("td.share span")).to_be_in_viewport()
        if by != "run":
            await expect(row.locator("td.slow")).to_have_text("900 ms")
        file = page.get_by_role("link", name="This table (CSV)", include_hidden=True)
        table = await boss.get(await file.get_attribute("href") or "")
        assert table.text.splitlines()[-1].startswith("Experiments,")
    await expect(page.locator(".chart figcaption")).to_contain_text("Experiments")
    # The other rows are without experiments, and so are their runs.
    await page.locator(".went tbody tr").nth(1).locator("td.name a").click()
    chip = page.get_by_role("button", name="Remove origin: All but experiments")
    await expect(chip).to_be_visible()
    await expect(page.locator(TILES).first).to_contain_text("Cost$0")
    await viewer.go("#/usage?by=feature&days=7")
    await expect(row.locator("td.name a")).to_have_text("Experiments")  # not the rows before
    await row.locator("td.name a").click()
    await expect(page.locator("h1")).to_have_text("Experiments")


# A call, and a second later one whose prompt had changed: the cache held nothing of it.
CHANGED = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, role,
    provider, model, estimated_input_tokens, created_at, status, usage_source, input_tokens,
    cache_read_tokens, output_tokens, cost_usd, duration_ms)
select tenant_id,
    overlay(plainloop_first_id(now() + make_interval(secs => n))::text placing '7' from 15)::uuid,
    user_id, thread_id, run_id, step, 1, node, 'editor',
    'anthropic', 'claude-haiku-4-5-20251001', 10, now() + make_interval(secs => n), 'succeeded',
    'provider', 100000 * n, 100000 * (1 - n), 10, 0.1, 900
from (
    select tenant_id, user_id, thread_id, run_id, step, node from llm_calls
    where tenant_id = 'local' and run_id is not null and step is not null limit 1
) as one, (values (0), (1)) as calls (n)
order by n
"""


async def test_what_changed_prompts_lost_leads_to_the_runs_that_lost_it(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(CHANGED)
    page = (await look(served, "/#/usage")).page
    await page.get_by_role("link", name="lost: $0.09").click()

    heading = page.get_by_role("heading", name="What caches lost")
    await expect(heading).to_be_focused()
    row = page.locator(".went tbody tr").first
    await expect(page.locator("th[aria-sort=descending]")).to_have_text("Lost")
    lost = "$0.09 not served from the cache"
    await expect(row.locator("td.lost")).to_have_text(lost)
    await row.locator(f"td.name a[href='#/runs/{told['run_id']}']").click()
    await expect(page.locator(".figures .lost")).to_have_text(f"Lost by caches{lost}")
    step = page.locator("button.trace-row", has_text=f"lost {lost}")
    await expect(step).to_have_count(1)
    await step.click()
    await page.get_by_role("button", name="Prompt").click()
    chosen = page.get_by_role("complementary", name="The chosen row")
    await expect(chosen).to_contain_text("The provider’s cache did not supply them all")
    await expect(chosen).not_to_contain_text("NaN")
    await expect(chosen).to_contain_text(f"Lost: {lost}.")
    await expect(chosen).not_to_contain_text("which a provider's cache can hold")


async def test_a_phone_leads_to_the_lost_cache_rows_and_says_their_order(
    served: Served, local: AsyncClient, look: Look
):
    for text in ("add a job: Cook at Cafe Uno", "list my jobs"):
        await ask(local, await begin(local), text)
    async with served.service.store.transaction("local") as tx:
        await tx.execute(CHANGED)
    viewer = await look(served, "/#/usage", width=390)
    page = viewer.page
    await page.get_by_role("link", name="lost: $0.09").click()
    heading = page.get_by_role("heading", name="What caches lost")
    await expect(heading).to_be_focused()
    await expect(heading).to_be_in_viewport(ratio=1)
    order = page.get_by_label("Largest first by")
    await expect(order).to_have_value("lost")
    few = page.locator(".went td.share small.few").first
    await expect(few).to_be_in_viewport()
    await expect(few).to_have_text(re.compile("^[$]0.09 not served from the cache, of [$]0.20 · "))
    await expect(page.locator(".went td.cost").first).to_have_text("$0.09")  # what one looks for
    assert await viewer.list_barriers() == []
    await order.select_option("Calls")
    await page.wait_for_url(re.compile("sort=calls"))
    await expect(few).to_have_text(re.compile(r"^\d calls · "))
    await page.set_viewport_size({"width": 1440, "height": 900})
    await expect(order).to_be_hidden()
    await expect(page.locator("th[aria-sort=descending]")).to_have_text("Calls")


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("pause", "Nor were the same ones cached any more. The pause was longer"),
        ("prefix", "2 after them cannot come from a cache. Lost: $0.05 not served"),
    ],
)
async def test_a_trace_says_a_changed_prompt_and_a_pause_in_one_voice(
    served: Served, local: AsyncClient, look: Look, cause: str, said: str
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    prefix = {
        "before_call_id": "c", "before_run_id": "r", "broken_in": "messages", "message": 3,
        "before": "old", "now": "new", "shared_tokens": 8, "behind_tokens": 2,
    }  # fmt: skip

    async def lose(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        if "steps" in data:
            call = next(call for step in data["steps"] for call in step["calls"])
            call |= {f"{cause}_loss_usd": "0.05", "input_tokens": 10, "cache_read_tokens": 0}
        else:
            data["prefix"] = prefix
        await route.fulfill(response=answer, json=data)

    page = (await look(served)).page
    await page.route("**/api/runs/*/steps*", lose)
    await page.route("**/api/runs/*/calls/*", lose)
    await page.goto(f"{served.url}/#/runs/{told['run_id']}")
    await page.locator("button.trace-row", has_text="lost $0.05").click()
    await page.get_by_role("button", name="Prompt").click()
    chosen = page.get_by_role("complementary", name="The chosen row")
    await expect(chosen).to_contain_text("from message 4 on")
    await expect(chosen).to_contain_text(said)


async def test_steps_are_named_as_in_traces_and_a_phone_has_all_figures(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set node = 'scribe.evaluator' where role = 'worker'")
    page = (await look(served, "/#/usage?by=node")).page
    names = page.locator(".went td.name a")
    await expect(names.filter(has_text="Checked the answer · Scribe")).to_have_count(1)
    await expect(names.filter(has_text="Sorted the request")).to_have_count(1)
    async with served.service.store.transaction("local") as tx:
        outside = "case role when 'worker' then '' else 'react' end"
        await tx.execute(f"update llm_calls set node = {outside}")
    await page.reload()
    await expect(names.filter(has_text="Outside of runs")).to_have_count(1)
    await expect(names.filter(has_text="Imported answers")).to_have_count(1)
    few, bar = page.locator(".went td.share small").first, page.locator(".went .share-bar").first
    await expect(few).to_be_hidden()
    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(few).to_have_text(re.compile(r"^\d calls? · [\d.]+ ?k? tokens · \d+% cached$"))
    await expect(few).to_be_visible()
    await expect(bar).to_be_visible()
    list_, chart = page.locator(".went"), page.locator(".chart")
    places = [box["y"] for one in (list_, chart) if (box := await one.bounding_box())]
    assert places == sorted(places), "the list comes before the chart"


async def test_usage_states_its_time_and_is_refreshed(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    first = datetime.now(UTC).strftime("%Y-%m-01")
    page = (await look(served, f"/#/usage?from={first}")).page
    cost, month = page.locator(TILES).first, page.locator(".budgets .large").first
    await expect(page.get_by_role("link", name="This month")).to_have_attribute(
        "aria-current", "true"
    )
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update llm_calls set cost_usd = 0.25 where tenant_id = 'local'")
        calls = await tx.fetchval("select count(*) from llm_calls where tenant_id = 'local'")

    async def add_later(route: Route) -> None:
        """Answer as if calls had ended between the period's sums and the month's."""
        answer = await route.fetch()
        data = await answer.json()
        if data["pace"]:
            data["pace"]["month_usd"] = "77"
        await route.fulfill(response=answer, json=data)

    await page.route("**/api/usage?*", add_later)
    await page.get_by_role("button", name=re.compile(r"As of \d{1,2}:\d\d\s[AP]M")).click()
    await expect(cost).to_contain_text(f"${calls * 0.25:.2f}")
    await expect(month).to_have_text(f"${calls * 0.25:.2f}")
    await expect(page.locator(".budgets")).to_contain_text("same weekday did in the last 7 days")


async def test_a_user_is_told_of_a_budget_without_a_link_to_settings(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    limit = {"scope": "tenant", "limit_tokens": 1, "is_hard": False}
    await boss.put("/api/budgets", json=limit)
    ann = await served.client("ann")
    chat = await begin(ann)
    await ask(ann, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("ann")
    await viewer.go(f"#/chat/{chat}")
    over = viewer.page.locator(".head .over")
    await expect(over).to_contain_text("Over budget of everyone")
    await expect(over).to_have_attribute("title", re.compile("You can go on"))
    await expect(viewer.page.get_by_role("link", name="Over budget")).to_have_count(0)


async def test_a_budget_that_only_warns_is_named_in_the_chats_it_applies_to(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    soft = {"scope": "user", "user_id": "local", "limit_tokens": 1, "is_hard": False}
    await local.put("/api/budgets", json=soft)
    await local.put("/api/budgets", json={**soft, "user_id": "ann", "limit_tokens": 2})
    page = (await look(served, f"/#/chat/{chat}")).page
    for _ in range(2):
        over = page.locator(".head").get_by_role("link", name="Over budget")
        await expect(over).to_have_text(re.compile(r"^Over budget: [\d,]+ of 1 token$"))
        await expect(over).to_have_attribute("title", re.compile("of the user local per month"))
        await page.reload()
    await over.press("Enter")
    await expect(page.locator(".budget").first).to_be_visible()
    await local.put("/api/budgets", json={**soft, "limit_tokens": 10**9})
    await page.goto(f"{served.url}/#/chat/{chat}")
    await page.reload()
    await expect(page.locator(".head .total")).to_be_visible()
    await expect(over).to_have_count(0)
    await local.put("/api/budgets", json={"scope": "tenant", "limit_tokens": 1, "is_hard": False})
    await page.reload()
    await expect(over).to_have_text(re.compile(r"^Over budget of everyone: [\d,]+ of 1 token$"))
