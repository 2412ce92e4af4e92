"""Every screen's main way, in a real browser."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from httpx2 import AsyncClient
from playwright.async_api import APIResponse, Route, expect

from plainloop.agent.errors import ModelTimeout
from tests.console.conftest import SAID, Look
from tests.machine.scripted import text, tools, triage, verdict
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.held import Held
from tests.server.test_models_of_conversations import OTHER
from tests.server.test_models_of_conversations import offered as offered

ROOM = "/api/chat/conversations"
ANSWER = ".message.assistant"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LOCKS = "navigator.locks.query().then(({ pending }) => pending.map((lock) => lock.name))"


async def test_the_console_can_rate_an_answer_and_remove_the_rating(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False))
    page = viewer.page
    await viewer.say("how many jobs do I have?")
    down = page.get_by_role("button", name="Bad answer")
    await down.click()
    await page.get_by_label("What was wrong").fill("too short")
    await page.get_by_label("What was wrong").blur()
    await expect(page.locator("[aria-live=polite]")).to_have_text("Saved")
    await page.wait_for_url(re.compile("#/chat/."))
    await expect(down).to_have_attribute("aria-pressed", "true")

    async def is_kept() -> bool:
        conversation = page.url.rpartition("/")[2]
        asked = f"fetch('{ROOM}/{conversation}').then((answer) => answer.json())"
        return [item["note"] for item in (await page.evaluate(asked))["ratings"]] == ["too short"]

    await until(is_kept)
    await page.reload()
    await expect(page.get_by_label("What was wrong")).to_have_value("too short")
    await down.click()
    await expect(down).to_have_attribute("aria-pressed", "false")


async def test_reloading_during_a_stream_restores_it_and_continues(serve: Serve, look: Look):
    held = Held()
    viewer = await look(await serve(*held.script, auth=False))
    page = viewer.page
    await viewer.say("tell me a story about work")
    await held.asked.wait()
    await page.wait_for_url(re.compile("#/chat/."))

    await page.reload()
    await expect(page.locator(".message.user .said")).to_have_text("tell me a story about work")
    await expect(page.locator(".live")).to_be_visible()
    held.open.set()

    await expect(page.locator(ANSWER)).to_have_text(re.compile("at last, all of it"))
    await expect(page.locator(".live")).to_have_count(0)


async def test_the_streamed_answer_stays_until_the_stored_one_is_loaded(serve: Serve, look: Look):
    viewer = await look(await serve(triage("general"), text("All of it."), auth=False))
    page = viewer.page
    is_asked, may_answer = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        is_asked.set()
        await may_answer.wait()
        await route.continue_()

    await page.route("**/api/chat/conversations/*?limit=*", hold)
    await viewer.say("tell me a story about work")
    await is_asked.wait()
    await page.evaluate(TWO_FRAMES)
    shown = await page.locator(ANSWER).all_inner_texts()
    may_answer.set()

    assert [words.strip() for words in shown] == ["All of it."]
    await expect(page.locator(f"{ANSWER} >> text=why")).to_be_visible()
    await expect(page.locator(ANSWER)).to_have_count(1)


async def test_a_pending_question_stays_while_the_previous_answer_streams(serve: Serve, look: Look):
    noted = tools(("c1", "create_job", {"company": "Cafe", "title": "Cook"})), text("Noted.")
    gone = tools(("d1", "delete_job", {"job_id": 1})), text("Gone.")
    script = triage("crm_worker"), *noted, triage("crm_worker"), *gone
    viewer = await look(await serve(*script, auth=False))
    page = viewer.page
    is_read, may_be_told = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        stored = await route.fetch()
        is_read.set()
        await may_be_told.wait()
        await route.fulfill(response=stored)

    await page.route("**/api/chat/conversations/*?limit=*", hold, times=1)
    await viewer.say("please note it")
    await is_read.wait()
    await viewer.say("please get rid of it")
    await expect(page.locator(".question")).to_have_count(1)
    async with page.expect_response("**/steps?*"):  # asked for once the answer before has been read
        may_be_told.set()
    await page.evaluate(TWO_FRAMES)

    assert await page.locator(".question").count() == 1
    assert await page.get_by_text("please get rid of it").count() >= 1
    await page.click(".question button.yes")
    await expect(page.locator(ANSWER).last).to_contain_text("Gone.")
    await expect(page.get_by_text("please get rid of it", exact=True)).to_have_count(1)


async def test_an_open_chat_follows_a_run_started_elsewhere(serve: Serve, look: Look):
    held = Held()
    more = [triage("general"), text("said to another client")]
    served = await serve(*held.script, *more, auth=False)
    local = await served.client()
    conversation = await begin(local)
    first = await look(served, f"/#/chat/{conversation}")
    second = await look(served, f"/#/chat/{conversation}", beside=first)
    page = second.page
    for viewer in (first, second):
        await expect(viewer.page.locator(".empty")).to_be_visible()

    await first.say("tell me a story about work")
    await expect(page.locator(".message.user .said")).to_have_text("tell me a story about work")
    await expect(page.locator(".live")).to_be_visible()
    await expect(page.locator(".timeline")).to_contain_text("General")
    body = {"content": "and now?", "when_busy": "enqueue"}  # by a client that is no browser
    other = asyncio.create_task(local.post(f"{ROOM}/{conversation}/messages", json=body))
    held.open.set()

    said = [re.compile("at last, all of it"), re.compile("said to another client")]
    for viewer in (first, second):
        await expect(viewer.page.locator(".message.user")).to_have_count(2)
        await expect(viewer.page.locator(ANSWER)).to_have_text(said)
        await expect(viewer.page.locator(".live")).to_have_count(0)
    assert (await other).status_code == 200


async def test_a_slow_reading_of_a_chat_replaces_no_newer_one(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    viewer = await look(served, f"/#/chat/{chat}")
    page, held = viewer.page, list[APIResponse]()
    release = asyncio.Event()

    async def hold_first(route: Route) -> None:
        if not held:
            held.append(await route.fetch())  # as it is now
            await release.wait()
            await route.fulfill(response=held[0])
        else:
            await route.continue_()

    await expect(page.locator("#said")).to_be_visible()
    await page.route(re.compile(rf"/conversations/{chat}\?limit="), hold_first)
    await ask(local, chat, "add a job: Cook at Cafe Uno")  # the page hears of it, and reads
    await until(lambda: bool(held))
    await viewer.say("add a job: Cook at Cafe Due")
    await expect(page.locator(ANSWER).last).to_contain_text("Added #2 Cook at Cafe Due")
    await expect(page.locator(ANSWER)).to_have_count(2)

    async with page.expect_response(re.compile(rf"/conversations/{chat}\?limit=")):
        release.set()
    await page.evaluate(TWO_FRAMES)
    await expect(page.locator(ANSWER).last).to_contain_text("Added #2 Cook at Cafe Due")
    assert await page.locator(ANSWER).count() == 2


async def test_a_lost_connection_is_shown_and_restored(serve: Serve, look: Look):
    held = Held()
    viewer = await look(await serve(*held.script, auth=False))
    page = viewer.page
    await viewer.say("tell me a story about work")
    await held.asked.wait()

    await page.context.set_offline(True)
    # What is open stays open to the emulation; a new stream cannot begin: as after a reload.
    await page.evaluate("location.hash = '#/history'; history.back()")
    await expect(page.get_by_text("Connection lost")).to_be_visible()
    held.open.set()
    await page.context.set_offline(False)

    await expect(page.locator(ANSWER)).to_have_text(re.compile("at last, all of it"))


async def test_an_approval_decided_in_one_tab_vanishes_in_the_other(served: Served, look: Look):
    first = await look(served)
    await first.say("add a job: Cook at Cafe Uno")
    await expect(first.page.locator(ANSWER).last).to_contain_text("Added #1")
    await first.say("delete the Cafe Uno job")
    question = first.page.locator(".question")
    await expect(question).to_contain_text("Delete #1 Cook at Cafe Uno?")
    await expect(question).to_contain_text("Current values")
    second = await look(served, "/#/approvals", beside=first)
    await expect(second.page).to_have_title("(1) Approvals · plainloop")

    await second.page.click("button:text('Approve')")

    await expect(second.page.locator(".question")).to_have_count(0)
    await expect(second.page.locator("main")).to_be_focused()
    await expect(question).to_have_count(0)
    await expect(first.page.locator(ANSWER).last).to_contain_text("Deleted")


@pytest.mark.parametrize(("answer", "left"), [("Approve: all 2", 0), ("Decline: all 2", 2)])
async def test_approvals_of_one_plan_are_decided_together_in_the_console(
    serve: Serve, look: Look, answer: str, left: int
):
    jobs = [(f"c{n}", "create_job", {"company": f"Cafe {n}", "title": "Cook"}) for n in (1, 2)]
    gone = [(f"d{n}", "delete_job", {"job_id": n}) for n in (1, 2)]
    made = triage("crm_worker"), tools(*jobs), text("Both are noted.")
    served = await serve(*made, triage("crm_worker"), tools(*gone), text("So be it."), auth=False)
    viewer = await look(served)
    await viewer.say("please note both of them")
    await expect(viewer.page.locator(ANSWER).last).to_contain_text("Both are noted.")
    await viewer.say("please get rid of both again")
    await expect(viewer.page.locator(".question")).to_have_count(2)

    await viewer.page.get_by_role("button", name=answer).click()

    await expect(viewer.page.locator(ANSWER).last).to_contain_text("So be it.")
    await expect(viewer.page.locator(".question")).to_have_count(0)
    db = served.service.store.read("local")
    assert await db.fetchval("select count(*) from tracker_jobs") == left


async def test_a_failed_load_of_approvals_shows_an_error_not_an_empty_list(
    served: Served, look: Look
):
    viewer = await look(served)
    page = viewer.page
    await page.wait_for_selector(SAID)
    await page.route("**/api/approvals*", lambda route: route.abort())
    await viewer.go("#/approvals")
    await expect(page.get_by_role("alert")).to_contain_text("the server does not answer")
    await expect(page.get_by_text("Nothing needs your approval")).to_have_count(0)
    await page.unroute("**/api/approvals*")
    await viewer.go("#/history")
    await viewer.go("#/approvals")

    await expect(page.get_by_text("Nothing needs your approval")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)


MOVED = """window.moved = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.moved += entry.value;
}).observe({ type: "layout-shift", buffered: true })"""


async def test_opening_a_chat_causes_no_layout_jump_when_its_run_loads(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    await ask(local, chat, "list my jobs")
    viewer = await look(served)
    page = await viewer.page.context.new_page()
    await page.add_init_script(MOVED)
    await page.goto(f"{served.url}/#/chat/{chat}")

    await expect(page.get_by_role("heading", name="This run")).to_be_visible()
    assert await page.evaluate("window.moved") < 0.02
    await page.get_by_role("link", name="Sorted the request").click()
    chosen = page.get_by_role("button", name="Sorted the request", pressed=True)
    await expect(chosen).to_be_visible()
    await page.set_viewport_size({"width": 390, "height": 900})
    await expect(page.locator(".trace button .took").first).to_be_visible()


async def test_a_phones_chosen_step_covers_neither_the_menu_nor_the_tabs(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    page = (await look(served, f"/#/runs/{told['run_id']}", width=390, touch=True)).page
    await expect(page.locator(".figures .good")).to_have_text(
        re.compile(r"Tokens saved\s*[\d,]+ in \d skipped calls( and by shorter requests)?$")
    )
    await page.locator("button.trace-row").last.click()
    panel = page.get_by_role("complementary", name="The chosen row")
    await page.locator(".tabs a").first.click(trial=True)
    await page.locator(".bar button").first.click()
    await page.locator(".side .foot a").last.click(trial=True)
    await page.keyboard.press("Escape")
    await expect(page.locator(".veil")).to_have_count(0)
    await expect(panel).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)


async def test_the_run_page_shows_the_reason_of_a_denied_call(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    waiting = await ask(local, await begin(local), "delete job 1")
    viewer = await look(served, "/#/approvals")
    page = viewer.page

    await page.clock.set_fixed_time(datetime.now() - timedelta(days=4))
    await expect(page.locator(".question header")).to_contain_text("4 days left")
    await page.click("button:text('Decline with a reason')")
    await page.fill(".question input", "that one stays\u202e")
    await page.click("button:text-is('Decline with this reason')")
    await expect(page.locator(".question")).to_have_count(0)
    done = page.locator(".done")
    await expect(done).to_contain_text("Delete #1 Cook at Cafe Uno?")
    await expect(done.get_by_role("link")).to_have_attribute("href", re.compile("#/chat/"))
    await viewer.go(f"#/runs/{waiting['run_id']}")

    await expect(page.locator("main")).to_contain_text("denied by local: “that one stays⟨U+202E⟩”")
    await page.click("text=Approvals 1")
    await expect(page.locator("main .panel pre").first).to_have_text("that one stays⟨U+202E⟩")


async def test_the_consoles_pure_functions_give_the_expected_results(serve: Serve, look: Look):
    page = (await look(await serve(auth=False))).page
    visible = await page.evaluate(
        """async ([text]) => (await import("/console/words.js")).makeVisible(text)""",
        ["safe\u202etxt.exe\u200b\u2066 \U000e0041 line\n\tpage ä 語 👍🏽"],
    )
    aligned = await page.evaluate(
        """async (given) => (await import("/console/diffs.js")).alignFields(...given)""",
        [{"title": "Cook", "status": "saved"}, {"title": "Cook", "status": "applied", "tags": "x"}],
    )
    costs = await page.evaluate(
        """async (all) => all.map((await import("/console/words.js")).formatCost)""",
        ["0", "8.9e-7", "0.0000058", "-0.00002", "0.00012", "-0.051", "1.5", None],
    )
    folded = await page.evaluate(
        """async () => {
            const { foldEvent, startRun } = await import("/console/fold.js");
            const events = [
                ["text_delta", { content: "wrong" }],
                ["text_reset", { reason: "evaluator" }],
                ["text_delta", { content: "right" }],
            ];
            const run = startRun();
            events.forEach(([event, data], i) => foldEvent(run, { seq: i + 1, event, data }));
            return [run.text, run.struck];
        }"""
    )

    assert visible == "safe⟨U+202E⟩txt.exe⟨U+200B⟩⟨U+2066⟩ ⟨U+E0041⟩ line\n\tpage ä 語 👍🏽"
    assert aligned == [
        {"name": "status", "a": "saved", "b": "applied"},
        {"name": "tags", "a": "", "b": "x"},
        {"name": "title", "a": "Cook", "b": "Cook"},
    ]
    assert costs[:4] == ["$0", "<$0.0001", "<$0.0001", "−<$0.0001"]
    assert costs[4:] == ["$0.0001", "−$0.0510", "$1.50", "unknown"]
    assert folded == ["right", [{"text": "wrong", "reason": "evaluator"}]]


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["0.1673", "0.0126"], ["$0.1673", "$0.0126", "$0.1799"]),
        (["12.3456", "0.0044", "0.25"], ["$12.3456", "$0.0044", "$0.25", "$12.60"]),
        (["1234.5", "99.99999"], ["$1,234.50", "$100.00", "$1,334.50"]),
    ],
)
async def test_amounts_of_one_page_can_be_added_up(
    served: Served, look: Look, parts: list[str], shown: list[str]
):
    told = await (await look(served)).page.evaluate(
        """async (all) => all.map((await import("/console/words.js")).formatCost)""",
        [*parts, str(sum(map(Decimal, parts)))],
    )

    assert told == shown
    if "," not in shown[0]:
        assert sum(Decimal(it[1:]) for it in told[:-1]) == Decimal(told[-1][1:])


async def test_a_menu_may_vanish_before_its_toggle_event_comes(served: Served, look: Look):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const [{ Menu }, { html }, { render }] = await Promise.all(
                ["parts", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.body.appendChild(document.createElement("div"));
            render(html`<${Menu} label="More"><button>Pin</button></${Menu}>`, place);
            const menu = place.firstElementChild;
            const toggled = new Promise((done) => menu.addEventListener("toggle", done));
            menu.open = true;
            render(null, place);
            await toggled;
            return place.childElementCount;
        }"""
    )

    assert told == 0  # an error of the page would fail the test when it ends


async def test_search_finds_conversations_and_links_to_their_runs(
    served: Served, local: AsyncClient, look: Look
):
    for title, said in (("the first", "add a job: Cook at Cafe Uno"), ("100%", "list my jobs")):
        await ask(local, await begin(local, title), said)
    viewer = await look(served, "/#/history")
    rows = viewer.page.locator("main li.entry")
    await expect(rows).to_have_count(2)

    await viewer.page.fill("#search", "cafe UNO")  # found while one types
    await expect(viewer.page).to_have_url(re.compile("text=cafe"))
    await expect(rows.locator(".title")).to_have_text(["100%", "the first"])
    await viewer.page.fill("#search", "0%")
    await expect(rows.locator(".title")).to_have_text(["100%"])
    await rows.get_by_title("More for").click()
    await rows.get_by_role("button", name="Show how its answers were made").click()
    await rows.get_by_role("link", name="Answer 1").click()

    await expect(viewer.page.locator("h1")).to_contain_text("list my jobs")


async def test_an_address_leads_to_the_chats_of_all_in_which_something_went_wrong(
    served: Served, local: AsyncClient, look: Look
):
    good = await ask(local, await begin(local, "good"), "add a job: Cook at Cafe Uno")
    bad = await ask(local, await begin(local, "bad"), "how many jobs do I have?")
    for run, rating in ((good, "up"), (bad, "down")):
        await local.put(f"/api/runs/{run['run_id']}/rating", json={"rating": rating})
    viewer = await look(served, "/#/history?problem=rating")
    page, titles = viewer.page, viewer.page.locator("main .title")
    await expect(titles).to_have_text(["bad"])
    await expect(page.locator(".entry")).to_contain_text("Rated bad")
    shown = page.get_by_role("navigation", name="Chats shown")
    await shown.get_by_role("link", name="A tool failed").click()
    await expect(page.locator("main")).to_contain_text("No chat matches.")
    await viewer.go("#/history?tool=no_such_tool")
    await expect(page.locator("main")).to_contain_text("“no_such_tool” is not known here")
    await page.get_by_role("button", name="Clear filters").click()
    await expect(titles).to_have_text(["bad", "good"])


async def test_a_tools_panel_shows_its_own_arguments(
    served: Served, local: AsyncClient, look: Look
):
    added = await ask(local, await begin(local), "add a job: Porter at Cafe Sei")
    viewer = await look(served, f"/#/runs/{added['run_id']}")
    panel = viewer.page.get_by_role("complementary", name="The chosen row")
    await viewer.page.locator("button.trace-row.tool").first.click()
    await expect(panel.get_by_text("Arguments")).to_be_visible()
    await expect(panel.locator("pre").first).to_contain_text("Porter")
    assert await viewer.list_barriers() == []


async def test_people_who_run_nothing_read_a_run_in_words_first(serve: Serve, look: Look):
    served = await serve()
    ann = await served.client("ann")
    told = await ask(ann, await begin(ann), "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    await viewer.sign_in("ann")
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(viewer.page.locator("main")).to_contain_text("What was done")
    await viewer.page.get_by_role("link", name="For developers").click()
    await expect(viewer.page.locator("button.trace-row").first).to_be_visible()


async def test_history_filters_persist_in_the_url_and_can_be_cleared(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local, "adds"), "add a job: Cook at Cafe Uno")
    await ask(local, await begin(local, "counts"), "how many jobs do I have?")
    viewer = await look(served, "/#/history")
    page, titles = viewer.page, viewer.page.locator("main .title")
    await expect(titles).to_have_text(["counts", "adds"])

    for name, value in (("Tool used", "Create job"), ("Status", "Completed")):
        await page.click("summary:has-text('Add filter')")
        menu = page.locator("details[open]")
        await menu.get_by_role("button", name=name, exact=True).click()
        await menu.get_by_role("button", name=value, exact=True).click()
        await expect(titles).to_have_text(["adds"])
    await expect(page).to_have_url(re.compile("tool=create_job"))
    await page.reload()
    await expect(titles).to_have_text(["adds"])
    await page.get_by_role("button", name="Remove Tool used: Create job").click()
    await expect(page).not_to_have_url(re.compile("tool="))
    await page.click("button:text('Clear filters')")

    await expect(titles).to_have_text(["counts", "adds"])


async def test_all_console_tabs_share_one_stream_of_changes(
    served: Served, local: AsyncClient, look: Look
):
    first = await look(served, "/#/history")
    second = await look(served, "/#/history", beside=first)
    streams: list[str] = []
    for viewer in (first, second):
        await expect(viewer.page.locator("main .empty")).to_be_visible()
    conversation = await begin(local, "made elsewhere")
    for viewer in (first, second):
        await expect(viewer.page.locator("main .title")).to_have_text("made elsewhere")
    await ask(local, conversation, "add a job: Cook at Cafe Uno")
    await ask(local, conversation, "delete job 1")
    for viewer in (first, second):
        await expect(viewer.page).to_have_title("(1) History · plainloop")
        streams += await viewer.page.evaluate(LOCKS)

    assert streams == ["plainloop-changes"] * 2  # both say that one tab waits to take over


async def test_a_runs_page_shows_model_requests_and_can_replay_them(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    told = await ask(local, chat, "add a job: Cook at Cafe Uno")
    await ask(local, chat, "list my jobs")
    viewer = await look(served, f"/#/runs/{told['run_id']}")
    page = viewer.page

    await expect(page.locator("h1")).to_have_text("“add a job: Cook at Cafe Uno”")
    way = page.locator(".crumbs")
    await expect(way).to_contain_text(re.compile("History›add a job: Cook at Cafe Uno›Run 1 of 2"))
    happened = page.get_by_role("region", name="What happened")
    await expect(happened).to_contain_text("part that answered: Crm worker.")
    await expect(happened).to_contain_text("It used create job.")
    await page.click(".trace-row.model:has-text('Assistant') >> nth=-1")
    asked = page.get_by_role("complementary", name="The chosen row")
    await expect(asked).to_contain_text(told["content"])
    await asked.get_by_role("button", name="Tools").click()
    await expect(asked).to_contain_text("create_job")
    await asked.get_by_role("button", name="JSON").click()
    await expect(asked).to_contain_text('"call_id"')
    await asked.get_by_role("button", name="Prompt").click()
    await expect(asked).to_contain_text("The request starts with all of the call before")
    shown = await asked.inner_text()
    first, rest = [int(n.replace(",", "")) for n in re.findall(r"about ([\d,]+)", shown)][:2]
    whole = re.search(r"^In\s+([\d,]+)", shown, re.M)
    assert whole and first + rest - int(whole[1].replace(",", "")) in (0, 1), shown
    await expect(asked).to_contain_text("add a job: Cook at Cafe Uno")
    await expect(asked).to_contain_text("Instructions")
    await page.locator("main").focus()
    await page.keyboard.press("k")
    await expect(asked.locator("h2")).to_have_text("Crm worker")
    await expect(page.locator(".trace-row[aria-pressed=true]")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(asked).to_have_count(0)
    await page.click("text=Only model calls")
    await expect(page.locator("button.trace-row")).to_have_count(3)
    await page.click("text=Raw data")
    await expect(page.locator("main")).to_contain_text("plainloop replay recorded --thread")
    pytest.importorskip("plainloop_lab")
    await page.click("text=Try another model")
    await page.get_by_label("Model", exact=True).select_option("offline-rules")
    await page.click("text=Start experiment")

    await expect(page).to_have_url(re.compile("#/lab.experiments/[0-9a-f]"))
    await expect(page.locator("main")).to_contain_text("The rules")


async def test_an_admin_sees_others_approvals_but_cannot_decide_them(serve: Serve, look: Look):
    served = await serve()
    bob = await served.client("bob")
    await ask(bob, await begin(bob), "add a job: Cook at Cafe Uno")
    await ask(bob, await begin(bob, "bob's"), "delete job 1")
    viewer = await look(served)
    await viewer.sign_in("boss", is_admin=True)
    page = viewer.page

    await viewer.go("#/approvals?user_id=*")
    await expect(page.locator(".question")).to_contain_text(
        re.compile(r"Waits for bob, asked (just|\d)")
    )
    await expect(page.locator(".question")).not_to_contain_text("bob's")
    await expect(page.locator(".question a")).to_have_count(0)
    await expect(page.locator(".question button")).to_have_count(0)
    await viewer.go("#/history?user_id=bob")

    await expect(page.locator("main .title")).to_have_text(["bob's", re.compile("Uno")])
    await expect(page.locator("main .line .chip")).to_have_text(["bob", "bob"])
    await expect(page.locator("main .title a, main a.title")).to_have_count(0)


async def test_a_chats_header_claims_no_success_for_an_unfulfilled_request(
    served: Served, look: Look
):
    viewer = await look(served)
    page = viewer.page
    await viewer.say("please water the moon")

    await expect(page.locator(ANSWER).last).to_contain_text("so I did nothing")
    await expect(page.locator(".head .status")).to_have_count(0)
    await expect(page.locator("main")).not_to_contain_text("Succeeded")


async def test_a_rejected_draft_is_struck_through_before_and_after_a_reload(
    serve: Serve, look: Look
):
    first, second = text("Dear sir or madam,"), text("Dear Ms Rivera,")
    checked = [verdict("retry", "name her"), second, verdict("pass")]
    served = await serve(triage("writer"), first, *checked, auth=False)
    local = await served.client()
    conversation = await begin(local)
    await ask(local, conversation, "write to her")
    viewer = await look(served, f"/#/chat/{conversation}")

    await expect(viewer.page.locator(ANSWER)).to_contain_text(["Dear Ms Rivera,"])
    await expect(viewer.page.locator(".struck")).to_contain_text("Dear sir or madam,")
    await expect(viewer.page.locator(".struck summary")).to_have_text(
        "A first draft did not pass the check"
    )
    await expect(viewer.page.locator(".struck p")).to_have_text("name her")


async def test_an_old_console_url_redirects_to_its_new_screen(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/threads?text=job")
    await expect(viewer.page.locator("h1")).to_have_text("History")
    await viewer.go("#/system")
    await expect(viewer.page.locator("h1")).to_have_text("Health")


async def test_health_counts_the_experiments_that_run(served: Served, look: Look):
    viewer = await look(served, "/#/chat")
    ends = (None, "2026-11-30T10:00:00Z")
    told = {"replays": [{"id": f"r{n}", "ended_at": end} for n, end in enumerate(ends)]}
    await viewer.page.route("**/api/replays?*", lambda route: route.fulfill(json=told))
    await viewer.go("#/health")

    tile = viewer.page.locator(".tile", has_text="experiment runs")
    await expect(tile.locator("b")).to_have_text("1")
    await expect(viewer.page.locator("main")).not_to_contain_text("Nothing is running")


async def test_an_unresponsive_replica_is_shown_first_with_a_warning(served: Served, look: Look):
    async with served.service.store.database.operate() as tx:
        await tx.execute(
            "insert into replicas (owner, is_draining, seen_at, started_at) values"
            " ('web-90a3d.b0.1/7/1', false, now() - interval '11 minutes', now())"
        )
    viewer = await look(served, "/#/health")

    await expect(viewer.page.locator(".verdict.warn")).to_contain_text("1 server not responding")
    light = viewer.page.locator("nav .dot.warn")
    await expect(light).to_have_accessible_name("needs attention")


async def test_a_question_that_waits_long_for_its_person_is_no_fault_of_the_service(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    await ask(local, await begin(local), "delete job 1")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update runs set created_at = now() - interval '42 days'")
    viewer = await look(served, "/#/health")
    page = viewer.page

    state = page.locator(".verdict.ok")
    await expect(state.get_by_role("heading")).to_have_text("Nothing is broken")
    await expect(state).to_contain_text("1 answer waits for people, the oldest for 42 days")
    await expect(page.locator("nav a[href='#/health'] .dot")).to_have_class(re.compile(r"\bok\b"))
    # Processes and settings are for whoever runs the server.
    await expect(page.get_by_text("serves this page")).to_be_hidden()
    await page.get_by_text("For whoever runs the server").click()
    await expect(page.get_by_text("serves this page")).to_be_visible()
    await expect(page.get_by_text("All checks passed")).to_be_visible()


async def test_health_keeps_the_verdicts_place_while_the_checks_run(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    are_done = asyncio.Event()

    async def wait(route: Route) -> None:
        await are_done.wait()
        await route.continue_()

    await page.route("**/api/system/doctor", wait)
    await viewer.go("#/health")
    title = page.get_by_role("heading", name="In progress")
    await expect(page.get_by_role("region", name="State")).to_contain_text("Checking")
    before = await title.bounding_box()
    are_done.set()
    await expect(page.get_by_role("region", name="State")).to_contain_text("All is well")
    assert await title.bounding_box() == before


async def test_a_user_sees_no_administrative_entries_or_settings(serve: Serve, look: Look):
    viewer = await look(await serve())
    await viewer.sign_in("ann")

    await expect(viewer.page.locator("nav.side a:has-text('Experiments')")).to_have_count(0)
    await viewer.page.click("nav.side summary:has-text('Usage and history')")
    await expect(viewer.page.locator("nav.side a:has-text('Usage')")).to_be_visible()
    await viewer.go("#/settings")
    await expect(viewer.page.locator("h1")).to_have_text("Account and data")
    await expect(viewer.page.get_by_role("button", name="Sign out")).to_be_visible()
    sections = viewer.page.get_by_role("navigation", name="Sections of the settings")
    own = ["Account and data", "Appearance and keys", "Tools and approvals"]
    own += ["Prices and budgets", "Schedules and webhooks", "API keys", "API and clients"]
    await expect(sections.get_by_role("link")).to_have_text(own)
    await viewer.look_as(390, "light")
    text = re.compile("Schedules and webhooks.*For developers.*API keys", re.DOTALL)
    await expect(sections).to_have_text(text)
    chosen = sections.get_by_role("link", name="Account and data")
    await expect(chosen).to_have_css("background-color", "rgba(0, 0, 0, 0)")  # none is open
    await sections.get_by_role("link", name="API keys").click()
    await expect(viewer.page.locator("h1")).to_have_text("API keys")
    for name in ("models", "no-such-page"):
        await viewer.go(f"#/settings/{name}")
        await expect(viewer.page.locator("h1")).to_have_text("Page not found")
        await expect(viewer.page.locator("main")).not_to_contain_text("Add key")


async def test_single_letter_shortcuts_can_be_switched_off(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/settings/keyboard")
    page, panel = viewer.page, viewer.page.get_by_role("complementary", name="The chosen row")

    await page.get_by_label("Single-key shortcuts").uncheck()
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(page.locator("button.trace-row").first).to_be_visible()
    await page.keyboard.press("j")
    await viewer.go("#/settings/keyboard")
    await page.get_by_label("Single-key shortcuts").check()
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(page.locator("button.trace-row").first).to_be_visible()
    await expect(panel).to_have_count(0)
    await page.keyboard.press("j")
    await expect(panel).to_be_visible()
    # They are off on all screens, until a reload: the words say that.
    await viewer.go("#/settings/keyboard")
    off = page.get_by_label("Single-key shortcuts (letters and digits), on again after a reload")
    await off.uncheck()
    await page.reload()
    await expect(off).to_be_checked()


async def test_decided_approvals_are_listed_on_the_approvals_screen(
    served: Served, local: AsyncClient, look: Look
):
    for n in (1, 2):
        await ask(local, await begin(local), f"add a job: Cook at Cafe {n}")
    for n in (1, 2):
        await ask(local, await begin(local, f"Job {n} goes"), f"delete job {n}")
    viewer = await look(served, "/#/approvals")
    page = viewer.page
    await expect(page.locator(".question")).to_have_count(2)
    await expect(page.locator(".question").first).to_contain_text("Job 1 goes")

    for key in ("j", "j", "d"):
        await page.keyboard.press(key)
    await expect(page.locator(".question")).to_have_count(1)
    await page.keyboard.press("j")
    await page.keyboard.press("a")
    await expect(page.locator(".done")).to_have_count(2)
    await page.click("main a:text('Decided')")

    await expect(page.locator(".question .status")).to_have_text(["⊘ Declined", "✓ Approved"])
    await expect(page.locator(".question button")).to_have_count(0)
    await expect(page.locator(".question").first).to_contain_text(
        re.compile(r"Decided (just now|\d+ min)")
    )
    decided = (await local.get("/api/approvals?status=decided")).json()["approvals"]
    told = [(item["title"], item["arguments"], item["status"]) for item in decided]
    assert told[0] == ("Job 2 goes", {"job_id": 2}, "denied")
    assert told[1] in [("Job 1 goes", {"job_id": 1}, status) for status in ("approved", "consumed")]


async def test_a_message_typed_offline_is_sent_once_when_online_again(
    served: Served, local: AsyncClient, look: Look
):
    viewer = await look(served)
    page = viewer.page
    await page.wait_for_selector(SAID)
    await page.context.set_offline(True)

    await viewer.say("add a job: Cook at Cafe Uno")
    await expect(page.locator("main")).to_contain_text("What you send waits here")
    await viewer.say("list my jobs")
    await expect(page.locator(".message.user")).to_have_count(2)
    assert (await local.get(ROOM)).json()["conversations"] == []
    await page.context.set_offline(False)

    await expect(page.locator(".message.assistant:not(.live)")).to_have_count(2)
    await expect(page.locator(".message.assistant").last).to_contain_text("Cook at Cafe Uno")
    [conversation] = (await local.get(ROOM)).json()["conversations"]
    told = (await local.get(f"{ROOM}/{conversation['id']}")).json()["messages"]
    said = [message["content"] for message in told if message["role"] == "user"]
    assert said == ["add a job: Cook at Cafe Uno", "list my jobs"]
    assert conversation["title"] == "add a job: Cook at Cafe Uno"
    await expect(page.locator(".side .chat").first).to_have_text(conversation["title"])


async def test_a_message_received_before_a_connection_loss_is_not_sent_twice(
    served: Served, local: AsyncClient, look: Look
):
    conversation = await begin(local)
    viewer = await look(served, f"/#/chat/{conversation}")
    page, sent = viewer.page, list[str | None]()
    await page.wait_for_selector(SAID)

    async def lose_the_answer(route: Route) -> None:
        sent.append(route.request.headers.get("idempotency-key"))
        if len(sent) == 1:
            await route.fetch()
            await route.abort("connectionreset")
        else:
            await route.continue_()

    await page.route(re.compile("/messages$"), lose_the_answer)
    await viewer.say("add a job: Cook at Cafe Uno")

    await expect(page.locator(".message.assistant:not(.live)")).to_contain_text("Added")
    told = (await local.get(f"{ROOM}/{conversation}")).json()["messages"]
    assert [message["content"] for message in told if message["role"] == "user"] == [
        "add a job: Cook at Cafe Uno"
    ]
    await until(lambda: len(sent) == 2)  # the answer may be read before it is asked for again
    assert sent[0] is not None and sent[0] == sent[1]
    assert (await local.get("/api/jobs")).json()["total"] == 1


async def test_a_message_during_a_run_queues_or_interrupts(serve: Serve, look: Look):
    held = Held()
    more = [triage("general"), text("after it")]
    viewer = await look(await serve(*held.script, *more, auth=False))
    page = viewer.page
    await viewer.say("tell me a story about work")
    await held.asked.wait()

    await page.fill(SAID, "and then?")
    await page.click("text=Send after this one")
    await expect(page.locator(".message.user").last).to_contain_text("In the queue")
    held.open.set()

    said = [re.compile("at last, all of it"), re.compile("after it")]
    await expect(page.locator(ANSWER)).to_have_text(said)
    await expect(page.locator(".message.user").last).not_to_contain_text("In the queue")


async def test_a_chat_shows_a_runs_steps_with_their_original_times(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    await viewer.say("add a job: Cook at Cafe Uno")
    await expect(page.locator(ANSWER).last).to_contain_text("Added #1 Cook at Cafe Uno")
    await expect(page.locator(".timeline")).to_contain_text("Used tools")
    await expect(page.locator(".timeline .tool")).to_contain_text("create_job")
    steps = page.locator(".timeline .took")
    await expect(page.locator(".timeline dd").first).to_have_text(re.compile(r"\d+ (ms|s)|\d s"))
    before = await steps.all_text_contents()
    await expect(page.locator(".head .total")).to_have_text(re.compile(r"^\$0 · [\d,]+ tokens$"))

    await page.reload()

    await expect(steps).to_have_text(before)
    await page.locator("main").focus()
    await page.keyboard.press(".")
    await expect(page.locator(".timeline")).to_have_count(0)
    await page.click("h1 button")
    await page.fill("h1 input", "The cook")
    await page.keyboard.press("Enter")
    await expect(page.locator(".side .chat").first).to_have_text("The cook")
    await page.click(f"{ANSWER} >> text=why")
    await expect(page.locator("main")).to_contain_text("part that answered:")


async def test_the_chats_model_menu_lists_only_allowed_models(offered: Served, look: Look):
    viewer = await look(offered)
    await viewer.sign_in("ann")
    page = viewer.page

    await page.click(".composer summary")
    await expect(page.locator(".choices button")).to_have_text(
        [re.compile("Offline"), re.compile(OTHER[7:])]
    )
    await page.click(f".choices button:has-text('{OTHER[7:]}')")
    await expect(page.locator(".composer summary")).to_contain_text(OTHER[7:])
    await viewer.say("tell me about work")

    await expect(page.locator(".timeline")).to_contain_text(OTHER[7:])
    await page.reload()
    await expect(page.locator(".composer summary")).to_contain_text(OTHER[7:])


async def test_the_chosen_theme_persists_and_keys_navigate(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False), "/#/settings/appearance", scheme="light")
    page = viewer.page
    ground = "getComputedStyle(document.body).backgroundColor"
    await page.get_by_label("Dark").check()
    assert await page.evaluate(ground) == "rgb(19, 21, 24)"

    await page.reload()
    await expect(page.get_by_label("Dark")).to_be_checked()
    assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert await page.evaluate(ground) == "rgb(19, 21, 24)"
    await page.get_by_label("System").check()
    assert await page.evaluate(ground) == "rgb(255, 255, 255)"

    # The chosen radio has the focus and takes no letters.
    for keys, heading in (("ga", "Approvals"), ("gu", "Usage"), ("gh", "History")):
        for key in keys:
            await page.keyboard.press(key)
        await expect(page.locator("h1")).to_have_text(heading)
    await page.keyboard.press("n")
    await expect(page.locator("#said")).to_be_visible()


async def test_the_setup_page_tests_a_key_without_showing_it(served: Served, look: Look):
    viewer = await look(served, "/#/settings/models")
    page = viewer.page

    async def answer(route: Route) -> None:
        assert route.request.post_data_json == {"provider": "gemini", "api_key": "AIza-secret-7Qk"}
        told = {"ok": True, "provider": "gemini", "model": "gemini-x", "duration_ms": 538}
        await route.fulfill(json=told)

    await page.route("**/api/config/test", answer)  # no provider is asked from here
    await page.locator(".providers li", has_text="Google Gemini").get_by_role("button").click()
    await page.get_by_label("Key", exact=True).fill("AIza-secret-7Qk")
    await page.click("text=Test the key")

    await expect(page.locator("main")).to_contain_text("The key works: gemini-x answered in 538 ms")
    await expect(page.locator("main pre")).to_have_text("GEMINI_API_KEY=AIza…7Qk")
    await expect(page.locator("main")).not_to_contain_text("secret")
    assert await viewer.list_barriers() == []


async def test_the_console_shows_the_line_breaks_of_an_answer(serve: Serve, look: Look):
    letter = "Dear team,\n\nI cook.\n\nKind regards\nAnn Lee\nLisbon"
    viewer = await look(await serve(triage("general"), text(letter), auth=False))
    await viewer.say("tell me a story about work")

    last = viewer.page.locator(f"{ANSWER}:not(.live) .prose p").last
    await expect(last.locator("br")).to_have_count(2)
    assert (await last.inner_text()).split("\n") == ["Kind regards", "Ann Lee", "Lisbon"]


async def test_the_console_shows_an_unreachable_model_with_a_remedy(serve: Serve, look: Look):
    failure = ModelTimeout("the model did not answer in 120 s")
    viewer = await look(await serve(triage("general"), *[failure] * 4, auth=False))
    page = viewer.page
    await viewer.say("tell me a story about work")

    await expect(page.get_by_role("alert")).to_contain_text("did not answer")
    await expect(page.locator(".message.user .said")).to_have_text("tell me a story about work")
    await expect(page.get_by_role("alert").get_by_role("button", name="Try again")).to_be_visible()
    await page.get_by_role("alert").get_by_role("link", name="Check providers").click()
    await expect(page.locator("h1")).to_have_text("Models and keys")


async def test_sidebar_and_run_panel_keep_their_state_after_a_reload(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "A job")
    await ask(local, chat, "add a job: Cook at Cafe Uno")
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    run = page.get_by_role("complementary", name="What the run does")
    side, root = page.get_by_role("button", name="Sidebar"), page.locator("html")
    await expect(run).to_be_visible()  # there is room
    await side.click()
    await page.keyboard.press(".")
    await expect(run).to_have_count(0)

    await page.reload()
    # Both come with the page: nothing is wide first and narrow then.
    await expect(root).to_have_attribute("data-side", "narrow")
    await expect(side).to_have_attribute("aria-expanded", "false")
    await expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    await expect(run).to_have_count(0)
    await side.click()
    await page.get_by_role("button", name="Run", exact=True).click()
    await expect(run).to_be_visible()

    await page.reload()
    await expect(side).to_have_attribute("aria-expanded", "true")
    await expect(run).to_be_visible()
    assert await page.evaluate("localStorage.length + sessionStorage.length") == 0
