"""Experiments in the console: their list, verdicts and answers, and two runs compared."""

from __future__ import annotations

import asyncio
import re

import pytest
from httpx2 import AsyncClient
from playwright.async_api import Locator, Page, Route, expect

from plainloop.agent.base.ids import make_id
from tests.console.conftest import Look, try_cheaper
from tests.server.conftest import Served, ask, begin, until
from tests.server.replays import TALK, finish, post


def find_vote(page: Page, name: str) -> Locator:
    """Find the button of a verdict on the whole page, not on one of its answers."""
    return page.get_by_label("Your verdict").get_by_role("button", name=name)


async def test_each_differing_answer_of_a_replay_has_a_page_for_a_verdict(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page = viewer.page
    await (
        page.get_by_label("Read these before you decide")
        .locator("ol a[href*='turn=']")
        .first.click()
    )
    await expect(find_vote(page, "A is better")).to_be_visible()
    await expect(page.get_by_label("Differences")).to_have_count(0)
    await page.get_by_role("button", name="Reveal here").click()
    await expect(page.get_by_label("Differences")).to_contain_text("the candidate")
    await page.get_by_label("Why").fill("it found nothing")
    today = find_vote(page, "Today's")
    await today.click()
    await expect(today).to_have_attribute("aria-pressed", "true")
    await page.reload()
    said = page.get_by_label("Your verdict")
    await expect(said).to_contain_text(re.compile("You: .* – it found nothing · seen with names"))


OTHER_WORDS = """
update messages set parts = replace(parts::text, 'jobs', 'tasks')::json
where tenant_id = 'local' and role = 'assistant'
"""
COUNT = "how many jobs do I have?"  # answered without a model, so not by the recorded answer


async def differ(served: Served) -> None:
    """Let stored answers to COUNT have other words than the service gives now."""
    async with served.service.store.transaction("local") as tx:
        await tx.execute(OTHER_WORDS)


async def test_verdicts_given_side_by_side_count_in_the_report(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(2):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page = viewer.page
    people = page.locator(".tile", has_text="What people said")
    await expect(people).to_contain_text("Nobody yet")
    await expect(people).to_contain_text("2 conversations to judge")
    await expect(page.get_by_label("Read these")).to_contain_text("2 of 2 conversations differ.")

    await page.get_by_role("link", name="Start reading").click()
    await expect(page.locator("h1")).to_contain_text("Conversation 1 of the 2 that differ")
    await page.get_by_label("Why").fill("as good as before")
    await page.locator("main").focus()
    await page.keyboard.press("2")
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 2 that differ")
    said = page.get_by_label("Your verdict")
    await expect(said).to_contain_text("1 of 2 judgedNumber 1: The sameUndo number 1")
    await page.keyboard.press("k")
    await expect(page.locator("button[aria-pressed=true]")).to_contain_text("The same")
    await expect(said).to_contain_text("You: equally good – as good as before")
    await expect(page.locator("main")).not_to_contain_text("Candidate")
    await page.locator("main").focus()
    await page.keyboard.press("j")
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 2 that differ")
    await page.click(".crumbs a >> nth=1")

    await expect(page.locator("main .rows")).to_contain_text("people see no difference")
    await expect(people).to_contain_text("1 of 2 that differ judged")
    shown = {"Used the change": 0, "Judged by people": 1, "With answers that differ": 2}
    for name, count in shown.items():
        await page.get_by_label("Show").select_option(name)
        await expect(page.locator("main .rows li")).to_have_count(count)


async def test_a_conversation_that_is_the_same_on_both_sides_is_not_judged(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), COUNT)
    same = await begin(local)
    await ask(local, same, "add a job: Cook at Cafe Uno")
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    found = (await local.get(f"/api/replays/{made['id']}/conversations")).json()["conversations"]
    (n,) = [item["n"] for item in found if item["conversation_id"] == same]
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n={n}")
    page = viewer.page
    nothing = page.get_by_label("Nothing to judge")
    await expect(nothing).to_contain_text("counts as the same by itself")
    await expect(page.get_by_label("Your verdict")).to_have_count(0)
    await expect(page.locator("main")).to_contain_text("The same on both sides.")
    assert await viewer.list_barriers() == []
    await page.get_by_role("link", name="Go to one that differs").click()
    await expect(page.locator("h1")).to_have_text("The only conversation that differs")
    await expect(page.get_by_label("Your verdict")).to_be_visible()


async def test_a_verdict_given_without_names_is_marked_when_it_changes_after_they_are_shown(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    page = (await look(served, f"/#/lab.experiments/{made['id']}?n=0")).page
    said = page.get_by_label("Your verdict")
    await find_vote(page, "A is better").click()
    await expect(said).to_contain_text(re.compile("You: A is better.*judged without names"))
    await page.reload()
    await expect(said).to_contain_text(re.compile("You: A is better.*judged without names"))
    await expect(page.get_by_role("button", name="Reveal here")).to_be_visible()

    async with page.expect_response("**/verdict") as seen:
        await page.get_by_role("button", name="Reveal here").click()
    assert (await (await seen.value).json())["verdicts"][0]["seen"] == "revealed"
    await expect(page.get_by_text("Revealed here")).to_be_visible()
    await page.reload()
    await find_vote(page, "B is better").click()
    await expect(said).to_contain_text("changed after the names were shown")
    await page.click(".crumbs a >> nth=1")
    await expect(page.locator(".tiles")).to_contain_text("1 seen with names")


async def test_a_conversation_shows_its_answers_as_the_chat_does_and_the_chats_rating(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local)
    told = await ask(local, chat, "tell me a story about work")
    rating = {"rating": "down", "note": "Too long"}
    await local.put(f"/api/runs/{told['run_id']}/rating", json=rating)
    made = await post(local, threads={"ids": [chat]})
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n=0")
    page, turn = viewer.page, viewer.page.locator("main li.panel")

    await expect(turn.locator(".prose li").first).to_be_visible()
    await expect(turn).to_contain_text("Rated bad in the chat")
    await expect(page.get_by_text("An answer was rated bad: “Too long”")).to_be_visible()
    await expect(turn).to_contain_text("The same on both sides.")
    assert await viewer.list_barriers() == []


LONGER = """
update replay_items set result = jsonb_set(result::jsonb, '{turns,0,text}',
    to_jsonb(repeat(n || E' A long answer.\\n\\n', 120)))::json
where tenant_id = 'local' and lane = 'candidate'
"""


async def test_sides_stay_hidden_until_revealed_and_the_browser_keeps_the_choice(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    async with served.service.store.transaction("local") as tx:
        await tx.execute(LONGER)
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page, main = viewer.page, viewer.page.locator("main")
    await expect(main).to_contain_text("Nobody yet")
    await page.click(f".rows a[href$='{made['id']}?n=0']")
    box, said = page.get_by_label("Hide which side is which"), page.get_by_label("Your verdict")
    await expect(box).to_be_checked()
    first, second = page.get_by_label("Answer A").first, page.get_by_label("Answer B").first
    await expect(first.get_by_role("heading", name="Answer A")).to_be_visible()
    await expect(second.locator(".prose")).to_be_visible()
    await find_vote(page, "A is better").click()
    await expect(said).to_contain_text("You: A is better")
    await expect(main).not_to_contain_text(re.compile("candidate", re.I))
    await viewer.look_as(390, "dark")
    assert await viewer.list_barriers() == []
    await expect(second).to_be_hidden()
    await page.get_by_role("button", name="Answer B").first.click()
    await expect(second).to_be_visible()
    await expect(first).to_be_hidden()

    await viewer.look_as(1440, "light")
    await page.get_by_role("button", name="Reveal here").click()
    is_second = await page.locator(".answers h3").first.inner_text() == "Candidate"
    await expect(said).to_contain_text(f"You: {'the candidate' if is_second else 'today'}")
    await box.uncheck()
    await page.reload()
    await expect(box).not_to_be_checked()
    await box.check()
    await page.reload()
    await expect(said).to_contain_text("You: A is better")


async def test_votes_stay_in_view_below_long_answers_and_why_may_follow(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(2):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    async with served.service.store.transaction("local") as tx:
        await tx.execute(LONGER)
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n=0")
    page, said = viewer.page, viewer.page.get_by_label("Your verdict")
    for width in (1440, 390):
        await viewer.look_as(width, "light")
        await page.evaluate("scrollTo(0, 0)")
        for name in ("A is better", "The same", "B is better"):
            await expect(find_vote(page, name)).to_be_in_viewport(ratio=1)
        is_long = "document.documentElement.scrollHeight > 2 * innerHeight"
        if not await page.evaluate(is_long):  # a phone shows one answer, and this is the short one
            await page.get_by_role("button", name="Answer B").first.click()
        assert await page.evaluate(is_long)
        assert await viewer.list_barriers() == []
    await viewer.look_as(1440, "light")
    why = page.get_by_label("Why")
    assert (await why.bounding_box() or {})["width"] > 400
    await page.locator("main").focus()
    await page.keyboard.press("1")
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 2 that differ")
    await expect(said.get_by_role("button", name="Undo")).to_be_visible()
    await page.keyboard.press("u")
    await expect(page.locator("h1")).to_contain_text("Conversation 1 of the 2 that differ")
    # Keys judge what is shown, not what still loads.
    await expect(find_vote(page, "A is better")).to_be_visible()
    await expect(page.locator("button[aria-pressed=true]")).to_have_count(0)
    await page.keyboard.press("1")
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 2 that differ")
    await page.keyboard.press("k")
    await expect(said).to_contain_text("You: A is better")
    await why.fill("it is shorter")
    await why.press("Enter")
    await expect(said).to_contain_text("You: A is better – it is shorter")
    await said.get_by_role("link", name="Next").click()
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 2 that differ")
    await expect(page.get_by_label("Why")).to_have_value("")
    await page.locator("main").focus()
    await page.keyboard.press("3")
    await said.get_by_role("link", name="Back to the result").click()
    await expect(page.locator(".tiles")).to_contain_text("What people said")


async def test_what_u_takes_back_is_named_and_what_was_said_before_comes_back(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(3):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    report = (await local.get(f"/api/replays/{made['id']}")).json()["report"]
    first, second, _ = [item["n"] for item in report["worst"]]
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n={first}")
    page, said = viewer.page, viewer.page.get_by_label("Your verdict")
    for n in (1, 2):
        await expect(page.locator("h1")).to_contain_text(f"Conversation {n} of the 3")
        await expect(find_vote(page, "A is better")).to_be_visible()
        await page.keyboard.press("1")
    for n in (3, 2):
        await expect(page.locator("h1")).to_contain_text(f"Conversation {n} of the 3")
        await page.keyboard.press("k")
    await expect(page.locator("h1")).to_contain_text("Conversation 1 of the 3")
    # The button is of the conversation in view; the key takes back what was said last.
    await expect(said).to_contain_text("You: A is better")
    await expect(said).to_contain_text("2 of 3 judged")
    await expect(said.get_by_role("button", name="Undo")).to_have_text("Undo")
    await expect(said).not_to_contain_text("number 2")
    await page.keyboard.press("u")
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 3")
    await expect(find_vote(page, "A is better")).to_be_visible()
    await expect(page.locator("button[aria-pressed=true]")).to_have_count(0)

    async def read(n: int) -> list[str]:
        found = await local.get(f"/api/replays/{made['id']}/conversations/{n}")
        return [item["verdict"] for item in found.json()["verdicts"]]

    was = await read(first)
    assert (len(was), await read(second)) == (1, [])
    await page.keyboard.press("k")
    await expect(said).to_contain_text("You: A is better")
    await page.keyboard.press("2")
    await expect(said).to_contain_text("1 of 3 judgedNumber 1: The sameUndo number 1")
    assert await read(first) == ["same"]
    await page.keyboard.press("u")
    await expect(said).to_contain_text("You: A is better")
    assert await read(first) == was


async def test_of_several_answers_that_differ_each_can_be_judged_alone(
    served: Served, local: AsyncClient, look: Look
):
    talk = await begin(local)
    for _ in range(2):
        await ask(local, talk, COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n=0")
    page, said = viewer.page, viewer.page.get_by_label("Your verdict")
    await expect(said).to_contain_text("2 answers differ: which side is better?")
    alone = page.get_by_role("group", name="Only this answer")
    await expect(alone).to_have_count(2)
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    second = alone.nth(1).get_by_role("button", name="B is better")
    await second.click()
    await expect(second).to_have_attribute("aria-pressed", "true")
    await expect(said).to_contain_text("You: B is better")  # of all that is said so far
    path = f"/api/replays/{made['id']}/conversations/0"
    (told,) = (await local.get(path)).json()["verdicts"]
    assert list(told["turns"]) == ["1"]
    await second.click()
    await expect(second).to_have_attribute("aria-pressed", "false")
    assert (await local.get(path)).json()["verdicts"] == []


async def test_a_phone_gives_its_room_to_the_answers_that_are_judged(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(2):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}?n=0")
    page = viewer.page
    await expect(page.get_by_role("table", name="Words that differ")).to_be_visible()
    await viewer.look_as(390, "light")
    # One difference is read with both its sides in view; many would push the answers away.
    words = page.get_by_role("table", name="Words that differ")
    await expect(words).to_be_visible()
    await page.locator("summary", has_text="difference in the words").click()
    await expect(words).to_be_hidden()
    begins = await page.locator(".answers").bounding_box()
    ends = await page.get_by_label("Your verdict").bounding_box()
    assert begins
    assert ends
    assert begins["y"] + ends["height"] < 0.45 * await page.evaluate("innerHeight")
    await page.locator("summary", has_text="difference in the words").click()
    await expect(page.get_by_role("table", name="Words that differ")).to_be_visible()


async def test_judging_goes_on_at_the_first_that_nobody_judged(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(3):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page, said = viewer.page, viewer.page.get_by_label("Your verdict")
    await page.get_by_role("link", name="Start reading").click()
    await expect(said).to_contain_text("0 of 3 judged")
    await find_vote(page, "A is better").click()
    await expect(said).to_contain_text("1 of 3 judged")
    await page.reload()
    await expect(said).to_contain_text("1 of 3 judged")
    await page.click(".crumbs a >> nth=1")
    await page.get_by_role("link", name="Go on: 1 of 3 judged").click()
    await expect(page.locator("h1")).to_contain_text("Conversation 2 of the 3")
    await expect(said.get_by_role("button", name="Undo")).to_have_count(0)
    await page.keyboard.press("k")
    await viewer.look_as(390, "light")
    await said.get_by_role("button", name="Undo").click()
    await expect(said).to_contain_text("0 of 3 judged")
    await expect(page.locator("button[aria-pressed=true]")).to_have_count(0)


async def test_what_is_judged_is_counted_over_all_pages_of_the_services_answer(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(3):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    page = (await look(served)).page
    asked = list[str]()

    async def answer_one(route: Route) -> None:
        asked.append(route.request.url)
        await route.continue_(url=route.request.url.replace("limit=200", "limit=1"))

    await page.route("**/conversations?only=judged*", answer_one)
    await page.goto(f"{served.url}/#/lab.experiments/{made['id']}?n=0")
    for vote in ("A is better", "B is better"):
        await find_vote(page, vote).click()
        await page.keyboard.press("j")
    await page.goto("about:blank")
    asked.clear()
    await page.goto(f"{served.url}/#/lab.experiments/{made['id']}")

    await expect(page.get_by_role("link", name="Go on: 2 of 3 judged")).to_be_visible()
    assert len([url for url in asked if "cursor=" not in url]) == 1  # for all parts of the page


async def test_a_call_that_a_replay_does_not_execute_is_told_in_place_of_the_answer(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, "/#/history")
    page = viewer.page
    closed = "not executed: this is a replay, and its recording has no result of such a call"

    async def end_in_a_call(route: Route) -> None:
        answer = await route.fetch()
        found = await answer.json()
        turn = found["conversation"]["turns"][0]
        today, candidate = (turn["lanes"][name] for name in (found["reference"], "candidate"))
        call = {"name": "update_job", "served": "closed", "arguments": {"id": 1, "status": "sent"}}
        candidate.update(text=f"That did not work: {closed}.", tools=[call])
        done = {**call, "served": "recorded", "arguments": {"id": 22}}
        today.update(text="Done.", tools=[done])
        change = {"measure": "same_tools", "reference": 1.0, "candidate": 0.0}
        alike = {**turn, "turn": 9, "user": "Thanks", "worse": [], "better": []}
        alike["lanes"] = {name: {**today, "turn": 9} for name in turn["lanes"]}
        turn["worse"] = [change]
        alone = {**alike, "turn": 10, "user": "Bye", "lanes": {"candidate": {**today, "turn": 10}}}
        found["conversation"]["turns"] = [alike, turn, alone]
        await route.fulfill(response=answer, json=found)

    await page.route("**/conversations/0", end_in_a_call)
    await page.goto(f"{served.url}/#/lab.experiments/{made['id']}?n=0")
    main = page.locator("main")
    same = page.locator("main li", has_text="Thanks")
    await expect(same).to_contain_text("the same on both sides")
    assert (await same.bounding_box() or {})["height"] < 60
    await expect(main).to_contain_text("Today's side has no answer yet")
    await expect(main).not_to_contain_text("wanted to")  # it would name the candidate
    await page.get_by_role("button", name="Reveal here").click()
    candidate = page.get_by_role("group", name="Candidate")
    await expect(candidate).to_contain_text(
        re.compile(r"No answer: it wanted to .* \(.* 1, status sent\), which a replay does not do")
    )
    await expect(candidate.get_by_text(closed)).to_be_hidden()
    await expect(page.get_by_role("group", name="Today")).to_contain_text(re.compile(r"\(.* 22\)"))
    await expect(main.get_by_text("Worse: uses other tools")).to_be_visible()
    measured = main.get_by_text("Worse: Same tools")
    await expect(measured).to_be_hidden()
    await main.get_by_text("Path and measures").click()
    await expect(measured).to_be_visible()
    bottom = (await main.locator("li.panel").last.bounding_box() or {})["y"]
    assert bottom < (await page.get_by_label("First difference").bounding_box() or {})["y"]
    assert await viewer.list_barriers() == []
    await viewer.look_as(390, "light")
    for name in ("Today", "Candidate"):  # short ones stand one below the other
        await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    assert await viewer.list_barriers() == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390


async def test_texts_without_common_words_stand_beside_each_other_and_not_as_json(
    served: Served, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Calls }, { html }, { render }] = await Promise.all(
                ["lab/calls", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const tell = (a, b) => {
                const call = (given) => (given ? [{ name: "save_profile", arguments: given }] : []);
                render(html`<${Calls} a=${call(a)} b=${call(b)} names=${["Today", "Candidate"]} />`,
                    place);
                const count = (side) => place.querySelectorAll(`td:nth-child(${side}) mark`).length;
                return [count(2), count(3),
                    place.innerText.replace(/\\s+/g, " ")];
            };
            const one = "Cook with nine years in small kitchens, who likes early mornings. ";
            const other = "A developer of databases and queues; remote work, four days a week. ";
            return [
                tell({ profile: one.repeat(3) }, { profile: other.repeat(3) }),
                tell({ profile: one.repeat(3) }, null),
                tell({ profile: one }, { profile: one.replace("nine", "ten") }),
                tell({ note: one }, { note: one, jobs: [{ title: "Cook", is_open: true }] }),
            ];
        }"""
    )
    apart, alone, near, nested = told
    assert apart[:2] == [0, 0] and "Today" in apart[2] and "Candidate" in apart[2]
    assert alone[:2] == [0, 0] and "only in Today" in alone[2]
    assert near[:2] == [1, 1]
    assert nested[:2] == [0, 0] and "• Title: Cook Is open: yes" in nested[2]
    assert all("{" not in text for *_, text in told)


async def test_a_difference_names_tools_as_the_chat_does(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ sayDifference, sayExplained }, { learnWords }] = await Promise.all(
                ["lab/names", "words"].map((name) => import(`/console/${name}.js`)));
            learnWords([{ words: { salary_min: "Least pay", crm_worker: "Tracker" },
                tools: { create_job: { did: "Saved a job" } } }]);
            const first = "only today calls create_job (salary_min: 3), which may write";
            return [
                first,
                "create_job: title is “old_name” in today, “Chef” in the candidate",
                "today was answered by crm_worker, the candidate by general",
                "today says “it calls create_job” where the candidate says “no”",
            ].map(sayDifference).concat(
                sayExplained(`With crm_worker, turn 2 is the first that differs: ${first}.`));
        }"""
    )
    assert told == [
        "Only today: Saved a job (Least pay: 3), which may write",
        "Saved a job: title is “old_name” in today, “Chef” in the candidate",
        "Today was answered by Tracker, the candidate by general",
        "Today says “it calls create_job” where the candidate says “no”",
        "With Tracker, turn 2 is the first that differs: only today: Saved a job (Least pay: 3), "
        "which may write.",
    ]


async def test_a_reason_is_said_in_the_packs_words(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ sayPlainly }, { learnWords }] = await Promise.all(
                ["lab/names", "words"].map((name) => import(`/console/${name}.js`)));
            learnWords([{ words: { job_id: "Job number" },
                tools: { list_jobs: { did: "Looked up your jobs" } } }]);
            return [
                "update_job: job_id is 22 in today, 1 in the candidate",
                "only today calls list_jobs (limit: 50)",
                "only the candidate calls list_jobs (limit: 50), which may write",
                "today says “7” where the candidate says “8”",
                "only the candidate says “In short”",
                "only today says “Done”",
                "today ended well, the candidate ended by LIMIT",
            ].map(sayPlainly);
        }"""
    )
    assert told == [
        "Job number 1 instead of 22",
        "without “Looked up your jobs”",
        "also “Looked up your jobs”",
        "says “8” instead of “7”",
        "also says “In short”",
        "does not say “Done”",
        "today ended well, the candidate ended by LIMIT",
    ]


async def test_a_candidate_goes_live_by_settings_that_the_service_reads(served: Served, look: Look):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { listSettings } = await import("/console/lab/report.js");
            return [{ models: { crm_worker: "anthropic:small@low" } },
                { provider: "openai", model: "luna", models: {} }].map(listSettings);
        }"""
    )
    whole = '[agents.crm_worker]\nprovider = "anthropic"\nmodel = "small"\neffort = "low"'
    assert told == [whole, 'provider = "openai"\nmodel = "luna"']


async def test_a_great_ratio_is_said_in_times(served: Served, look: Look):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { sayShare } = await import("/console/lab/report.js");
            return [[1, 28.01], [1, 3.5], [1, 2.4], [2, 1]].map((pair) => sayShare(...pair));
        }"""
    )
    assert told == ["about 28 times as much", "about 3.5 times as much", "140% more", "50% less"]


async def test_what_repaired_one_answer_is_tried_on_more_conversations(served: Served, look: Look):
    page = (await look(served)).page
    links = await page.evaluate(
        """async () => {
            const [{ Repair }, { html }, { render }, { session }] = await Promise.all(
                ["lab/repair", "html", "vendor", "session"].map(
                    (name) => import(`/console/${name}.js`)));
            const side = (text) => ({ text, error: null });
            session.value = { user_id: "ann" };
            return ["better", "worse"].map((verdict) => {
                const place = document.createElement("div");
                const repair = { recording: side("84k"), candidate: side("64k"),
                    today: side("74k"), talk: { ratings: [] }, id: "7", turn: { user: "Pay?" },
                    verdicts: [{ user_id: "ann", verdict }] };
                render(html`<${Repair} repair=${repair} again="#/again" more="#/more" />`, place);
                return [[...place.querySelectorAll("a")].map((one) => one.getAttribute("href")),
                    place.textContent.includes("74k")];
            });
        }"""
    )
    judge = "#/lab.experiments/7?n=0"
    assert links == [[[judge, "#/more", "#/again"], True], [[judge, "#/again"], True]]


async def test_a_trial_of_a_bad_answer_says_whether_it_is_repaired(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const { sayRepair } = await import("/console/lab/repair.js");
            const side = (text, error = null) => ({ text, error });
            const bad = side("The pay is 84k.");
            return [[side("The pay  is 84k."), bad], [side("It is 64k."), bad],
                [side("It is 64k."), side("It is 64k.")], [side("", "LIMIT"), side("Other")]].map(
                ([candidate, today]) => sayRepair({ recording: bad, candidate, today }));
        }"""
    )
    judged = await page.evaluate(
        """async () => {
            const { sayRepair } = await import("/console/lab/repair.js");
            const { session } = await import("/console/session.js");
            session.value = { ...session.value, user_id: "me" };
            const sides = { recording: { text: "84k" }, candidate: { text: "64k" } };
            const tell = (user_id, verdict) =>
                sayRepair({ ...sides, verdicts: [{ user_id, verdict }] })[0];
            return [tell("me", "better"), tell("ann", "worse")];
        }"""
    )
    assert judged == [
        "Your comparison: the new answer is better",
        "A colleague's comparison: today's answer is better",
    ]
    still = "Today's setup still gives the bad answer, too."
    assert told == [
        ["Not repaired: the new answer is the same as the one that was rated bad", still],
        ["Changed: judge whether it is better", still],
        [
            "Changed: judge whether it is better",
            "Today's setup gives this other answer, too: the candidate changes nothing.",
        ],
        ["Not repaired: the candidate gave no answer", ""],
    ]


async def test_more_judged_than_differ_are_counted_without_a_share(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Figures }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const none = { conversations: 0 };
            const summary = { measures: [], worse: none, differing: none, conversations: 3,
                uncompared: 0, reference: "baseline", sharing: { shared_calls: 1, touched: 3 } };
            const people = { better: 0, worse: 0, same: 1, named: 0, p: 1 };
            const rules = [{ name: "worse", status: "open", high: null }];
            render(html`<${Figures} report=${{ summary, people }} decision=${{ rules }} />`, place);
            return place.innerText;
        }"""
    )
    assert "1 conversation judged" in told and "of 0" not in told


async def test_a_run_that_broke_off_is_not_called_like_a_bad_candidate(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Outcome }, { html }, { render }] = await Promise.all(
                ["lab/outcome", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            return [["succeeded", "failed"], ["failed", "failed"], ["failed", null],
                ["stopped", "undecided"], ["cancelled", null]].map(([status, verdict]) => {
                render(html`<${Outcome} of=${{ status, verdict }} />`, place);
                return [place.innerText.trim(), place.querySelector("svg").innerHTML];
            });
        }"""
    )
    assert [text for text, _ in told] == [
        "Worse",
        "Broke off",
        "Broke off",
        "Ended early",
        "Stopped",
    ]
    assert told[0][1] != told[1][1], "nor with the same sign"


async def test_continuing_says_what_is_answered_anew(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Head }, { html }, { render }] = await Promise.all(
                ["lab/experiments", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const replay = { id: "1", name: "haiku, today", source: "", status: "failed",
                created_at: "2026-11-30T10:00:00Z",
                items: {}, ended_at: "2026-11-30T10:00:00Z", conversations: 10, compared: 7,
                max_cost_usd: null, cost_usd: "0.02", estimate_usd: null, deleted: 0, changed: 2,
                reason: "a prompt, a setting, the code or the data has changed" };
            const place = document.createElement("div");
            render(html`<${Head} replay=${replay} shown=${replay} candidate=${{ prompts: {} }}
                again=${() => {}} />`, place);
            return place.innerText.replace(/\\s+/g, " ");
        }"""
    )
    assert "A prompt, a setting, the code or the data has changed" in told
    assert "the 3 conversations that are missing" in told
    assert "2 conversations of them are answered anew on both sides" in told


async def test_new_judgements_are_counted_before_any_number_of_them_is_shown(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    page = (await look(served, f"/#/lab.experiments/{made['id']}")).page
    people = page.locator(".tile", has_text="What people said")
    await expect(people).to_contain_text("Nobody yet")
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.click(f".rows a[href$='{made['id']}?n=0']")
    async with page.expect_response("**/verdict"):
        await find_vote(page, "The same").click()
    await page.route(re.compile(f"/api/replays/{made['id']}$"), hold)
    await page.click(".crumbs a >> nth=1")
    await expect(people).to_contain_text("Counting…")
    await expect(people).not_to_contain_text("Nobody yet")
    held.set()
    await expect(people).to_contain_text("0 better, 0 worse, 1 the same")


async def test_the_measures_keep_their_names_in_view_on_a_phone(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    await viewer.look_as(390, "light")
    await viewer.page.get_by_text("All measures").click()
    table = viewer.page.get_by_role("group", name="measures")
    name, value = (table.locator(f"tbody tr:first-child td:nth-child({n})") for n in (1, 2))
    before = [(await cell.bounding_box() or {})["x"] for cell in (name, value)]
    await table.evaluate("(table) => (table.scrollLeft = 80)")
    after = [(await cell.bounding_box() or {})["x"] for cell in (name, value)]
    assert after == [before[0], before[1] - 80]


async def test_a_conversation_without_an_answer_says_so_and_asks_for_no_judgement(
    served: Served, local: AsyncClient, look: Look
):
    silent, full = await begin(local), await begin(local)
    for thread_id in (silent, full):
        await ask(local, thread_id, "how many jobs do I have?")
    made = await post(local, threads={"ids": [silent, full]})
    await finish(local, made["id"])
    async with served.service.store.transaction("local") as tx:
        gone = "delete from messages where tenant_id = 'local' and thread_id = $1 and position > 0"
        await tx.execute(gone, silent)
    page = (await look(served, f"/#/lab.experiments/{made['id']}?outcome=empty")).page
    row = page.locator("main .rows li")
    await expect(row).to_have_text(re.compile("Nothing to compare"))
    await row.get_by_role("link").click()
    await expect(page.locator(".notice")).to_contain_text("no answer was recorded")
    await expect(page.get_by_label("Your verdict")).to_have_count(0)


async def test_a_stopped_experiment_says_what_the_rest_costs_and_proposes_a_limit_for_it(
    served: Served, look: Look
):
    page = (await look(served)).page
    found = await page.evaluate(
        """async () => {
            const [{ Head }, { html }, { render }] = await Promise.all(
                ["lab/experiments", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const replay = {
                id: "1", name: "Mine: haiku, today", source: "", status: "stopped", items: {},
                created_at: "2026-11-30T10:00:00Z",
                ended_at: "2026-11-30T10:00:00Z", conversations: 10, compared: 4,
                max_cost_usd: "0.02", cost_usd: "0.02", estimate_usd: "0.3",
                deleted: 1, reason: "the next request may cost up to $0.01" };
            const place = document.createElement("div");
            const candidate = { name: "Mine", prompts: {} };
            render(html`<${Head} replay=${replay} shown=${{ ...replay, compared: 3 }}
                candidate=${candidate} again=${() => {}} />`, place);
            return [place.innerText.replace(/\\s+/g, " "), place.querySelector("input").value];
        }"""
    )
    text, limit = found
    for part in (
        "haiku, today",
        "3 of 10 conversations compared, cost $0.02, estimated $0.30, $0.02 allowed",
        "1 conversation was deleted since this began",
        "The next request may cost up to $0.01",
        "the 6 conversations that are missing, about $0.18.",
    ):
        assert part in text
    assert limit == "0.26", "spent, a quarter more than the rest needs, room for a request"


# Of how many conversations how many fail, and what is said of it.
VERDICTS = (
    (45, 3, ".ok", ("gpt-6-luna can replace claude-sonnet-5-5", "costs 71% less", "At worst, 8")),
    (10, 1, "", ("Not proven yet", "up to 22 of 100", "more conversations")),
    (45, 30, ".bad", ("gpt-6-luna is worse", "30 of 90 conversations got worse")),
)


LATE_IN_A_DAY = """
update replays set created_at = date_trunc('day', now(), 'UTC') - interval '35 hours 2 minutes'
where tenant_id = 'local'
"""


async def test_the_list_of_experiments_shows_each_verdict(
    served: Served, local: AsyncClient, look: Look
):
    for job in ("Cook at Cafe Uno", "Waiter at Cafe Due"):
        await ask(local, await begin(local), f"add a job: {job}")
    wanted = {"Passed": (45, 3), "Undecided": (10, 1), "Worse": (45, 30)}
    made = {word: await try_cheaper(served, local, *sizes) for word, sizes in wanted.items()}

    async def are_known() -> bool:
        listed = (await local.get("/api/replays")).json()["replays"]
        return all(item["verdict"] for item in listed)

    await until(are_known)
    viewer = await look(served, "/#/lab.experiments")

    listed = viewer.page.locator(".experiments li > a")
    await expect(listed).to_have_count(3)
    left = "rows => rows.map((row) => row.querySelector('.status').getBoundingClientRect().x)"
    assert len(set(await listed.evaluate_all(left))) == 1, "the verdicts stand in one column"
    for n in range(3):  # of one name, the newest first
        await expect(listed.nth(n)).to_contain_text(f"Run {3 - n} of 3")
    for word, replay_id in made.items():
        row = viewer.page.locator(f".rows a[href='#/lab.experiments/{replay_id}']")
        await expect(row.locator(".status")).to_have_text(word)
    async with served.service.store.transaction("local") as tx:
        await tx.execute(LATE_IN_A_DAY)
    await viewer.page.reload()
    times = listed.locator("time")
    await expect(times.first).to_contain_text(", 12:")
    heights = "all => all.map((time) => time.getBoundingClientRect().height)"
    assert max(await times.evaluate_all(heights)) < 30, "a date stands in one line"
    await viewer.look_as(390, "light")
    assert (await listed.first.bounding_box() or {})["y"] < 260, "in view at once on a phone"


DUE = "update replays set verdict = null, verdict_due = {} where tenant_id = 'local'"


async def test_the_list_of_experiments_adds_a_verdict_computed_later(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    await finish(local, (await post(local))["id"])

    async def set_due(when: str) -> None:
        async with served.service.store.transaction("local") as tx:
            await tx.execute(DUE.format(when))

    await set_due("null")
    status = (await look(served, "/#/lab.experiments")).page.locator(".rows .status")
    await expect(status).to_have_text("✓ Completed")
    await set_due("clock_timestamp()")
    await expect(status).to_have_text("Passed")


ADVICE = """
insert into advices (tenant_id, advice_id, user_id, status, request, tasks, steps, result, ended_at)
values ('local', $1, 'local', 'succeeded', '{"max_cost_usd": 5}', '[]', '{}',
    '{"verdict": "passed", "saves_usd": 12.5, "workers": [
        {"worker": "crm_worker", "kind": "switch"}, {"worker": "general", "kind": "keep"}
    ]}', now())
"""
OF_ADVICE = """
update replays set source = (source::jsonb || jsonb_build_object('advice', $1::text))::json
where tenant_id = 'local' and replay_id = any($2::uuid[])
"""


async def test_the_experiments_of_one_advice_are_one_entry_of_the_list(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    made = [(await post(local, name=f"Number {n}"))["id"] for n in range(3)]
    for replay_id in made:
        await finish(local, replay_id)
    advice_id = make_id()
    async with served.service.store.transaction("local") as tx:
        await tx.execute(ADVICE, advice_id)
        await tx.execute(OF_ADVICE, advice_id, made[:2])
    page = (await look(served, "/#/lab.experiments")).page
    entries = page.locator("main > .rows > li")

    await expect(entries).to_have_count(2)
    await expect(entries.first).to_contain_text("Number 2")
    await expect(entries.first).to_contain_text("1 conversation$0")
    group = entries.last
    link = group.get_by_role("link", name="Advice: Switch 1 of 2 workers")
    await expect(link).to_have_attribute("href", f"#/lab.advice/{advice_id}")
    await expect(link).to_contain_text("2 experiments$0")
    await expect(group.get_by_text("Number 0")).to_be_hidden()
    await group.get_by_text("Experiments of this advice").click()
    await expect(group.get_by_role("link", name="Number 0")).to_be_visible()
    await page.get_by_label("Name").fill("number 2")
    await expect(entries).to_have_count(1)
    await page.get_by_label("Result").select_option("Worse")
    await expect(page.get_by_text("No experiment matches.")).to_be_visible()


async def test_an_experiments_page_states_its_verdict_in_one_sentence(
    served: Served, local: AsyncClient, look: Look
):
    for job in ("Cook at Cafe Uno", "Waiter at Cafe Due"):
        await ask(local, await begin(local), f"add a job: {job}")
    viewer = await look(served)

    for count, failing, kind, says in VERDICTS:
        await viewer.go(f"#/lab.experiments/{await try_cheaper(served, local, count, failing)}")
        for said in says:
            await expect(viewer.page.locator(f".verdict{kind}")).to_contain_text(said)
        await expect(viewer.page.locator(".tiles")).to_contain_text("$0.0213 → $0.0061")
        if kind == ".ok":
            await viewer.page.get_by_text("Go live").click()
            command = "plainloop canary start --share 10% --model offline-rules"
            await expect(viewer.page.locator(".crumbs pre.command")).to_have_text(command)
            settings = viewer.page.locator(".crumbs pre.settings")
            await expect(settings).to_have_text('model = "offline-rules"')


async def test_an_experiment_offers_no_more_conversations_than_are_stored(
    served: Served, local: AsyncClient, look: Look
):
    for job in ("Cook at Cafe Uno", "Waiter at Cafe Due"):
        await ask(local, await begin(local), f"add a job: {job}")
    replay_id = await try_cheaper(served, local, 10, 1)
    viewer = await look(served, f"/#/lab.experiments/{replay_id}")
    page, verdict = viewer.page, viewer.page.locator(".verdict")
    await expect(verdict).to_contain_text("more conversations: all that are stored were tried.")
    await expect(verdict.get_by_role("link")).to_have_count(0)

    replay_id = await try_cheaper(served, local, 10, 0)
    await viewer.go(f"#/lab.experiments/{replay_id}")
    for _ in range(23):  # of 25 that are stored then, 20 were compared
        await ask(local, await begin(local), "hello")
    await page.reload()
    await expect(verdict).to_contain_text("about 9 more conversations: only 5 more are stored.")
    await expect(verdict).to_contain_text("Run it again when about 4 more chats have been held")
    await expect(verdict.get_by_role("link")).to_have_count(0)  # they would decide nothing
    for _ in range(4):
        await ask(local, await begin(local), "hello")
    await page.reload()
    await expect(verdict).to_contain_text("It takes about 9 more conversations.")
    await expect(verdict).to_contain_text("About $0: the candidate's answers are paid for again")
    offer = verdict.get_by_role("link", name="Try again with 29 conversations")
    await expect(offer).to_have_attribute("href", f"#/lab.experiment?like={replay_id}&sample=29")

    # A part of advice decides nothing by itself, and leads back to the advice.
    async with served.service.store.transaction("local") as tx:
        await tx.execute(OF_ADVICE, "a1", [replay_id])
    await page.reload()
    back = verdict.get_by_role("link", name="Back to the advice")
    await expect(back).to_have_attribute("href", "#/lab.advice/a1")
    await expect(offer).to_have_count(0)
    crumb = page.locator(".crumbs").get_by_role("link", name="Advice")
    await expect(crumb).to_have_attribute("href", "#/lab.advice/a1")


async def test_a_change_that_may_be_chance_is_called_not_certain(
    served: Served, local: AsyncClient, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Figures }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const measure = (name, p_adjusted, mean = 500) => ({ name, difference: { p_adjusted },
                lanes: { baseline: { mean: 1000 }, candidate: { mean } } });
            const place = document.createElement("div");
            const tell = (...measures) => {
            const worse = { conversations: 0 };
            const counts = { conversations: 9, uncompared: 0, differing: worse };
            const sharing = { shared_calls: 1, touched: 9 };
            const summary = { measures, worse, sharing, reference: "baseline", ...counts };
            const report = { summary, people: { better: 0, worse: 0, same: 0 } };
            const rules = [{ name: "worse", status: "open", high: null }];
            render(html`<${Figures} report=${report} decision=${{ rules }} />`, place);
            return [...place.querySelectorAll(".tile")].slice(1, 3).map((tile) =>
                [tile.querySelectorAll("p")[1].className, tile.querySelectorAll("p")[1].innerText]);
            };
            return [...tell(measure("cost_usd", 0.01), measure("duration_ms", 0.3)),
                ...tell(measure("cost_usd", 0.03, 1000.4), measure("duration_ms", 0.3, 1000))];
        }"""
    )
    assert [(tone, text.strip()) for tone, text in told] == [
        ("good", "50% less"),
        ("soft", "50% less, not certain"),
        ("soft", "less than 0.1% more"),
        ("", "The same"),
    ]


async def test_times_are_compared_only_where_both_sides_were_timed_in_one_run(
    served: Served, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Figures, Verdict }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const tell = (reference, untimed, difference) => {
                const lane = (mean) => ({ mean });
                const lanes = { [reference]: lane(610), candidate: lane(1960) };
                const measures = [{ name: "duration_ms", unit: "ms", lanes, difference },
                    { name: "uncached_usd", difference: { p_adjusted: 0.01 },
                        lanes: { [reference]: lane(0.01), candidate: lane(0.0023) } }];
                const worse = { conversations: 0 };
                const summary = { measures, worse, models: {}, reference, conversations: 41,
                    uncompared: 0, differing: worse, answers: { compared: 65, untimed },
                    sharing: { shared_calls: 68, touched: 41 } };
                const report = { summary, people: { better: 0, worse: 0, same: 0 } };
                const rules = [{ name: "worse", status: "met", limit: 0.1, high: 0.07 }];
                const decision = { status: "passed", rules };
                render(html`<${Verdict} report=${report} decision=${decision} replay=${{}} />
                    <${Figures} report=${report} decision=${decision} />`, place);
                return place.textContent.replace(/\\s+/g, " ");
            };
            const sure = { p_adjusted: 0.001 };
            return [tell("baseline", 65, null), tell("recording", 65, null),
                tell("baseline", 12, sure), tell("baseline", 0, sure)];
        }"""
    )
    reused, recorded, partly, both = told
    for text in (reused, recorded):
        assert "Time to answer Not compared" in text and "slower" not in text
        assert "timed under other conditions" in text and "It costs 77% less." in text
    assert "Today's answers are from an earlier experiment" in reused
    assert "The recorded answers are from their chats" in recorded
    assert "mean of 53 answers; for the others, today's were timed in an earlier" in partly
    assert "answers 1.4 s slower" in partly and "answers 1.4 s slower" in both
    # What an answer costs is more than the run paid for it.
    assert "with 68 calls that were today's and not paid twice" in both
    assert "with 68 calls that were recorded and not paid twice" in recorded


async def test_what_to_read_comes_before_the_figures_on_a_phone(
    served: Served, local: AsyncClient, look: Look
):
    for _ in range(12):
        await ask(local, await begin(local), COUNT)
    await differ(served)
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page, held = viewer.page, asyncio.Event()
    rules, tiles = page.get_by_label("The rules"), page.locator(".tiles")
    read, rows = page.get_by_label("Read these"), page.locator("main .outcomes li")
    await expect(rules.get_by_role("table")).to_be_visible()
    await expect(rows).to_have_count(12)

    async def find_top(place: Locator) -> float:
        return (await place.bounding_box() or {})["y"]

    assert await find_top(tiles) < await find_top(read)
    assert await find_top(rules) == await find_top(read)
    await viewer.look_as(390, "light")

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route(re.compile(rf"/api/replays/{made['id']}$"), hold)
    await page.reload()
    # Until the report is there, nothing stands in its place that would be pushed away.
    await expect(page.get_by_text("Comparing the conversations…")).to_be_visible()
    await expect(page.get_by_role("heading", name="All conversations")).to_have_count(0)
    before = await find_top(page.locator(".verdict"))
    held.set()
    await expect(read.get_by_role("listitem")).to_have_count(3)
    assert await find_top(page.locator(".verdict")) == before
    assert await find_top(read) < await find_top(tiles) < await find_top(rules)
    await expect(rules.get_by_role("table")).to_be_hidden()
    await rules.get_by_text("The rules").click()
    await expect(rules.get_by_role("table")).to_be_visible()
    await expect(rows).to_have_count(8)
    await page.get_by_role("button", name="Show more").click()
    await expect(rows).to_have_count(12)
    assert await viewer.list_barriers() == []


async def test_a_price_is_said_as_it_is_at_the_next_look(served: Served, look: Look):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { formatAbout } = await import("/console/lab/amounts.js");
            return ["0.2675", "0.2646", "0.3", "0.0041234", "12.4", "0"].map(formatAbout);
        }"""
    )
    assert told == ["$0.27", "$0.27", "$0.30", "$0.0042", "$13.00", "$0"]


async def test_a_verdict_tells_what_it_proves_of_the_conversations_that_used_the_change(
    served: Served, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Verdict }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const tell = (rule) => {
                const summary = { measures: [], models: {}, reference: "baseline",
                    conversations: 36, uncompared: 0, worse: { conversations: 0 },
                    sharing: { shared_calls: 1, touched: 10, conversations: 36 } };
                const rules = [{ name: "worse", limit: 0.1, ...rule }];
                const decision = { status: rule.high > 0.1 ? "undecided" : "passed", rules };
                render(html`<${Verdict} report=${{ summary }} decision=${decision} replay=${{}} />`,
                    place);
                return place.querySelector("h2 + p").innerText;
            };
            return [
                tell({ status: "open", high: 0.26, high_all: 0.08, used: 10 }),
                tell({ status: "open", high: 0.26, high_all: null, used: 10 }),
                tell({ status: "met", high: 0.08, high_all: 0.08, used: null }),
                tell({ status: "open", high: 0.1032, high_all: null, used: 10 }),
            ];
        }"""
    )
    worse, used = "0 of 36 conversations got worse", "10 of the 36 used it; the others sent"
    open_ = f"{worse} so far, but up to 26 of 100 that use the change may get worse."
    open_ += " You allow 10 of 100."
    assert told == [
        f"{open_} {used} today's requests. Of all conversations, at worst 8 of 100 get worse.",
        f"{open_} {used} today's requests.",
        f"{worse}. At worst, 8 of 100 get worse; you allow 10.",
        f"{open_} {used} today's requests.".replace("26", "10.4"),
    ]


async def test_a_verdict_states_the_missing_users_of_the_change_and_what_people_judged(
    served: Served, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ Verdict }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const replay = { id: "1", status: "succeeded", ended_at: "2026-11-30T10:00:00Z" };
            const tell = async (people) => {
                const summary = { measures: [], models: {}, reference: "baseline",
                    conversations: 36, uncompared: 0, worse: { conversations: 0 },
                    sharing: { shared_calls: 1, touched: 18 } };
                const rules = [{ name: "worse", status: "open", limit: 0.1, high: 0.15, used: 18,
                    needed: 23 }, { name: "read", status: "met" }];
                const report = { summary, people, candidate: {}, replay, stored: 59 };
                render(html`<${Verdict} report=${report} replay=${replay}
                    decision=${{ status: "undecided", rules }} />`, place);
                while (place.innerText.includes("Counting what is stored"))
                    await new Promise(requestAnimationFrame);
                return place.innerText;
            };
            return [await tell({ better: 1, worse: 3, same: 2, p: 0.6 }),
                await tell({ better: 0, worse: 9, same: 0, p: 0.004 })];
        }"""
    )
    for text in told:
        assert "about 23 more conversations, of which 11 use the change." in text
        assert "Try again with 59 conversations" in text
        assert "By the measures, 0 of 36 conversations got worse" in text
    assert "Not proven yet: people found 3 worse, 1 better" in told[0]
    assert "People judged 6 conversations, 2 of them the same." in told[0]
    assert "Not proven yet: people clearly prefer today's answers" in told[1]


async def test_amounts_have_as_many_places_as_their_percentage_needs(served: Served, look: Look):
    page = (await look(served)).page
    pairs = [[0.00314, 0.003143], [0.00223, 0.00016], [0.0213, 0.0061], [0, 0.1], [1, 2]]
    written = await page.evaluate(
        """async (pairs) => {
            const { chooseCostFormat } = await import("/console/lab/amounts.js");
            return pairs.map((pair) => pair.map(chooseCostFormat(...pair)).join(" "));
        }""",
        pairs,
    )
    assert written == [
        "$0.003140 $0.003143",
        "$0.00223 $0.00016",
        "$0.0213 $0.0061",
        "$0 $0.10",
        "$1.00 $2.00",
    ]


async def test_the_sides_of_an_experiment_are_named_by_their_own_models(served: Served, look: Look):
    page = (await look(served)).page
    named = await page.evaluate(
        """async () => {
            const { nameSides } = await import("/console/lab/report.js");
            const models = { candidate: ["a:haiku", "a:haiku@low"],
                baseline: ["a:haiku@low", "a:sonnet"] };
            const same = { candidate: ["a:haiku"], baseline: ["a:haiku"] };
            const name = (models, prompts) =>
                nameSides({ summary: { models, reference: "baseline" }, candidate: { prompts } });
            const edited = { general: "Be brief.", triage: "Sort." };
            const one = { crm_worker: "a:haiku" };
            const moved = nameSides({ summary: { models: same, reference: "baseline" },
                candidate: { prompts: {}, models: one } });
            return [name(models, {}), name(models, edited), name(same, edited), name(same, {}),
                moved];
        }"""
    )
    prompts = "changed prompts of General, Triage"
    assert [(it["candidate"], it["reference"]) for it in named] == [
        ("haiku", "sonnet"),
        (f"haiku with the {prompts}", "sonnet"),
        (f"The {prompts}", "today's"),
        ("The candidate", "today's"),
        ("haiku for Crm worker", "today's"),
    ]


async def test_what_got_worse_is_not_called_the_same(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const { sayWorse } = await import("/console/lab/names.js");
            const titles = [{ name: "same_tools", title: "same tools" },
                { name: "failed", title: "ended in an error" }];
            return [sayWorse(["failed", "same_tools", "limit_hit"], titles), sayWorse([])];
        }"""
    )
    assert told == ["ended in an error, ended at a limit", ""]


async def test_the_list_says_what_exactly_decides_an_undecided_one(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const { sayOpen } = await import("/console/lab/report.js");
            const tell = (conversations, worse, read, people, stored) => sayOpen({
                candidate: {}, stored,
                report: { people, summary: { conversations, uncompared: 0 } },
                decision: { rules: [{ name: "worse", ...worse }, { name: "complete" },
                    { name: "read", ...read }] } }, []);
            const [open, met] = [{ status: "open", high: 0.2, needed: 17 }, { status: "met" }];
            const unread = { status: "open", needed: 9 };
            return [tell(12, open, unread), tell(12, open, met), tell(12, met, unread),
                tell(12, { ...open, needed: null }, unread), tell(1, open, unread),
                tell(1, open, met, { better: 1, worse: 0, same: 0 }),
                tell(12, open, unread, null, 12), tell(12, open, unread, null, 29)];
        }"""
    )
    more = "Needs about 17 more conversations"
    assert told == [
        f"{more}, then your comparison of the answers that differ",
        more,
        "Needs your comparison of 9 answers",
        "At this rate no number of conversations would prove it",
        "Your comparison of the answers decides",
        "Compared: the new answer is better",
        f"{more}, of which none is stored",
        f"{more}, then your comparison of the answers that differ",
    ]


async def test_a_failed_verdict_says_what_its_tools_did_otherwise(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const { sayMostChanged } = await import("/console/lab/names.js");
            const other = "save_job: id is 22 in today, 1 in the candidate";
            const found = [[0, other, "only today calls list_jobs (limit: 5)"], [1, other],
                [2, "save_job: place is “Bremen” in today, nothing in the candidate"],
                [3, "only today says “Done”"]];
            const answers = found.map(([n, ...differences]) =>
                ({ n, worse: ["same_tools"], differences }));
            const better = answers.map((answer) => ({ ...answer, worse: [] }));
            return [sayMostChanged(answers), sayMostChanged(better)];
        }"""
    )
    assert told == ["“Save job” with another id in 2, “Save job” without place in 1", ""]


async def test_a_failed_trial_is_read_with_the_names_of_its_sides(
    served: Served, local: AsyncClient, look: Look
):
    made = await post(local, conversations=[TALK], baseline=False)
    await finish(local, made["id"])
    viewer = await look(served, "/#/history")
    page, box = viewer.page, viewer.page.get_by_label("Hide which side is which")

    async def fail(route: Route) -> None:
        answer = await route.fetch()
        found = await answer.json()
        found["replay"]["verdict"] = "failed"
        await route.fulfill(response=answer, json=found)

    await page.route("**/api/replays/*?report=false", fail)
    await page.goto(f"{served.url}/#/lab.experiments/{made['id']}?n=0")
    await expect(box).not_to_be_checked()
    await expect(page.get_by_role("heading", name="Candidate").first).to_be_visible()
    await box.check()
    await expect(page.get_by_role("heading", name="Answer A").first).to_be_visible()


async def test_a_list_before_a_blind_pair_does_not_tell_the_sides(served: Served, look: Look):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const { sayNeutrally } = await import("/console/lab/names.js");
            return ["save_job: id is 22 in today, 1 in the candidate", "only today says “**Hm**”",
                "today says “b” where the candidate says “a”",
                "the evaluator passed today and sent back the candidate"].map(sayNeutrally);
        }"""
    )
    assert told == [
        "Id 1 or 22",
        "“Hm” on one side only",
        "“a” or “b”",
        "another end, route or check",
    ]


async def test_a_verdict_and_its_list_name_the_measure_that_decided(served: Served, look: Look):
    page = (await look(served)).page
    verdict, listed, saved = await page.evaluate(
        """async () => {
            const [{ Verdict }, { sayListed }, { html }, { render }] = await Promise.all(
                ["lab/report", "lab/names", "html", "vendor"].map(
                    (name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const measure = (name, better, worse, mean) => ({ name, lanes: {}, difference: {
                mean, conversations_better: better, conversations_worse: worse,
                p_adjusted: 0.1 } });
            const tell = (status, count, ...measures) => {
                const summary = { measures, models: {}, reference: "baseline", conversations: 9,
                    uncompared: 0, worse: { conversations: count }, sharing: {} };
                const rules = [{ name: "worse", status, limit: 0.1, high: 0.3, used: null }];
                const decision = { status: count ? "failed" : "undecided", rules };
                render(html`<${Verdict} report=${{ summary }} decision=${decision} replay=${{}} />`,
                    place);
                return place.querySelector("h2 + p").innerText;
            };
            const wording = ["only today says “**Before** that…”"];
            return [
                tell("failed", 9, measure("same_arguments", 0, 4, -0.4),
                    measure("same_path", 0, 9, -1), measure("calls", 0, 9, 2)),
                [sayListed({ worse: ["same_path"], differences: wording }, 2),
                    sayListed({ worse: ["same_tools"], differences: wording }, 2)],
                tell("open", 0, measure("same_path", 0, 0, 0), measure("calls", 9, 0, -1)),
            ];
        }"""
    )
    why = "Why: takes other steps in 9, gives tools other values in 4."
    assert verdict == f"9 of 9 conversations got worse; you allow 10 of 100. {why}" + (
        " It makes 2 model calls more per answer."
    )
    assert listed == [
        "takes other steps; does not say “Before that…”",
        "does not say “Before that…”",
    ]
    assert saved.endswith("You allow 10 of 100. It makes 1 model call fewer per answer.")


async def test_two_times_are_written_in_one_unit(served: Served, look: Look):
    page = (await look(served)).page
    pairs = [[1_300, 990], [300, 990], [2_300, 1_100], [65_000, 300]]
    written = await page.evaluate(
        """async (pairs) => {
            const { chooseTimeFormat } = await import("/console/lab/amounts.js");
            return pairs.map((pair) => pair.map(chooseTimeFormat(...pair)).join(" "));
        }""",
        pairs,
    )
    assert written == ["1.30 s 0.99 s", "300 ms 990 ms", "2.3 s 1.1 s", "1 min 5 s 300 ms"]


async def test_a_report_claims_nothing_of_conversations_that_are_not_compared(
    served: Served, local: AsyncClient, look: Look
):
    for said in ("hello", "good morning"):
        await ask(local, await begin(local), said)
    made = await post(local)
    await finish(local, made["id"])
    found = (await local.get(f"/api/replays/{made['id']}")).json()
    summary, decision = found["report"]["summary"], found["decision"]
    evaluated = next(item for item in summary["measures"] if item["name"] == "same_tools")
    page = (await look(served)).page

    async def tell(uncompared: int, today: float, mean: float) -> str:
        summary["uncompared"], summary["sharing"]["touched"] = uncompared, 1
        if uncompared == 2:
            rules = [
                it | {"status": "open", "value": None, "high": None} for it in decision["rules"]
            ]
            found["decision"] = {"status": "undecided", "rules": rules}
        else:
            found["decision"] = decision
        evaluated["lanes"]["baseline"] = {**evaluated["lanes"]["candidate"], "mean": today}
        evaluated["difference"] |= {"mean": mean, "turns": 1, "low": None, "high": None}
        return await page.evaluate(
            """async ({ report, ...rest }) => {
                const [{ Report }, { html }, { render }] = await Promise.all(
                    ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
                const place = document.createElement("div");
                render(html`<${Report} report=${{ ...report, ...rest }} />`, place);
                return place.textContent.replace(/\\s+/g, " ");
            }""",
            found,
        )

    nothing, half, whole = await tell(2, 1, 0), await tell(1, 0.8, 0), await tell(0, 0.8, 0.2)
    for claim in (
        "differs",
        "Nothing to judge",
        "rules met",
        "rule met",
        "the same on both",
        "0 of 0",
    ):
        assert claim not in nothing, claim
    assert "Nothing to judge yet" in half
    assert half.count("No answer of the 1 compared differs") == 2
    assert "no difference in 1 answer with both" in half
    assert "Nothing to judge yet" not in whole
    assert whole.count("No answer differs") == 2
    assert "20% more in 1 answer with both" in whole
    summary["worse"]["conversations"] = 1  # the candidate gave no answer
    lost = await tell(1, 1, 0)
    assert lost.count("Where both sides answered, nothing differs") == 2
    assert "All compared answers" not in lost


async def test_conversations_without_both_answers_do_not_count_as_the_same(
    served: Served, local: AsyncClient, look: Look
):
    page = (await look(served)).page
    told = await page.evaluate(
        """async () => {
            const [{ ToRead }, { html }, { render }] = await Promise.all(
                ["lab/report", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const [place, none] = [document.createElement("div"), { conversations: 0 }];
            const counts = { conversations: 3, uncompared: 3, differing: none };
            const report = { summary: { better: none, worse: none, ...counts }, worst: [] };
            render(html`<${ToRead} report=${report} replay=${{ id: "1" }} />`, place);
            const spans = [...place.querySelectorAll("p.spread span")];
            return [...spans.map((count) => count.innerText), place.textContent];
        }"""
    )
    assert told[:3] == ["0 better", "0 the same", "0 worse"]
    assert "No conversation has an answer on both sides." in told[3]


async def test_the_console_can_start_an_experiment(served: Served, local: AsyncClient, look: Look):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/lab.experiments")

    await viewer.page.click("text=New experiment")
    await viewer.page.get_by_label("Number of conversations").fill("1")
    await viewer.page.get_by_label("Model", exact=True).select_option("offline-rules")
    await viewer.page.click("text=Start experiment")

    await expect(viewer.page).to_have_url(re.compile("#/lab.experiments/[0-9a-f-]+$"))
    await expect(viewer.page.locator(".verdict")).to_contain_text("Nothing differs")
    await expect(viewer.page.locator(".tiles")).to_contain_text("No answer differs")
    await expect(viewer.page.get_by_text("Read these before you decide")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("replays", "Experiments"),
        ("experiments", "Experiments"),
        ("advice", "Advice"),
        ("compare", "Compare two runs"),
    ],
)
async def test_an_address_from_before_the_package_leads_to_its_screen(
    served: Served, look: Look, address: str, heading: str
):
    viewer = await look(served, f"/#/{address}")
    await expect(viewer.page.locator("h1")).to_have_text(heading)


async def test_the_styles_of_experiments_leave_a_traces_head_as_it_is(
    served: Served, local: AsyncClient, look: Look
):
    told = await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/lab.experiments")
    await expect(viewer.page.locator("h1")).to_have_text("Experiments")
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(viewer.page.locator("button.trace-row").first).to_be_visible()
    columns = await viewer.page.locator(".trace-row").evaluate_all(
        "rows => rows.slice(0, 2).map((row) => getComputedStyle(row).gridTemplateColumns)"
    )
    assert columns[0] == columns[1]
