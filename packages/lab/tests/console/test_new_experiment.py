"""An experiment begins with its price, and with today's prompt beside the edited one."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from httpx2 import AsyncClient
from playwright.async_api import Route, expect

from plainloop.agent.packs.prompts import change_prompts
from tests.console.conftest import Look, try_cheaper
from tests.machine.scripted import Hang, text, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.replays import TALK, finish, post

GOODBYE = "Say goodbye to people who have no further question."
NOTHING = r"About\s*\$0\s*At most\s*\$0\s*For 1 conversation on both sides"
FRENCH = "Write each answer in French, with at least two examples."


async def test_a_disliked_answer_links_to_an_experiment_with_an_estimate(serve: Serve, look: Look):
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    chat = await begin(boss, "A chat")
    await ask(boss, chat, "tell me a story about work")
    viewer = await look(served, "/")
    page = viewer.page
    await viewer.sign_in("boss", is_admin=True)
    await viewer.go(f"#/chat/{chat}")
    await page.get_by_role("button", name="Bad answer").click()
    await page.get_by_placeholder("What was wrong?").fill("Too long")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await page.get_by_role("link", name="Try another model or prompt").click()

    await expect(page).to_have_url(re.compile(f"chat={chat}$"))
    await expect(page.get_by_text("An answer was rated bad: “Too long”")).to_be_visible()
    listed = (
        await boss.post("/api/config/models", json={"provider": "offline", "prices": True})
    ).json()
    # The part that wrote the answer is what one will change.
    await expect(page.get_by_label("Prompt to change")).to_have_value("crm_worker")
    model = page.get_by_label("Model")
    # Besides them: the same as now, and another name.
    await expect(model.get_by_role("option")).to_have_count(len(listed) + 2)
    assert (listed[0]["input_usd"], listed[0]["output_usd"]) == ("0", "0")
    told = page.locator(".tried").get_by_role("status")
    await expect(told).to_contain_text(re.compile(NOTHING))
    await model.select_option(f"{listed[0]['id']}: $0.00 in, $0.00 out, per million tokens")
    await model.select_option("another name…")
    await model.fill("unknown-model")
    await expect(page.get_by_text("Not in the list of models")).to_be_visible()
    await model.fill(f"{listed[0]['id']}@low")
    await expect(page.get_by_text("Not in the list of models")).to_have_count(0)
    await expect(told).to_contain_text(re.compile(NOTHING))
    await expect(page.get_by_role("button", name="Start experiment")).to_be_enabled()
    assert await viewer.list_barriers() == []
    await viewer.look_as(390, "dark")
    assert await viewer.list_barriers() == []

    await page.get_by_role("button", name="Start experiment").click()
    again = page.get_by_role("link", name="Change and run again")
    await expect(again).to_have_attribute("href", re.compile(f"like=.*&chat={chat}$"))
    await expect(page.get_by_label("Verdict").first).to_contain_text(
        "Not repaired: the new answer is the same as the one that was rated bad"
    )
    await expect(page.get_by_label("Verdict").first).to_contain_text("The complaint: “Too long”")
    await again.click()
    await expect(page.locator("form")).to_contain_text("a candidate answer “A chat” again")


async def test_an_edited_prompt_can_be_compared_and_tried_within_a_cost_limit(
    served: Served, local: AsyncClient, look: Look
):
    chat = await begin(local, "A chat")
    await ask(local, chat, "tell me a story about work")
    lines = ["You help with what comes up.", *(f"Rule {n}." for n in range(9)), GOODBYE]
    today = "\n".join(lines)
    packs = served.service.packs
    served.service.packs = tuple(change_prompts(pack, {"general": today}) for pack in packs)
    edited = "\n".join([f"{lines[0]} Be brief.", *lines[1:-1], FRENCH])
    page = (viewer := await look(served, f"/#/lab.experiment?chat={chat}")).page
    chosen, editor = page.get_by_label("Prompt to change"), page.get_by_label("Edited prompt")
    changes = page.get_by_role("list", name="Changes from today's prompt")
    await chosen.select_option("general")
    await expect(editor).to_have_value(today)
    await expect(changes).to_have_count(0)
    await expect(page.get_by_text("The same as today")).to_be_visible()

    await editor.fill(edited)
    await expect(page.get_by_text("2 lines changed")).to_have_count(2)  # beside the start, too
    signs = await changes.locator("b").all_text_contents()
    assert signs == ["±", "", "", "⋮", "", "", "−", "+"], "a sign for each kind of change"
    await expect(changes.get_by_role("insertion")).to_have_text(["Be brief.", FRENCH])
    await expect(changes.get_by_role("deletion")).to_have_text([lines[-1]])
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width

    await page.get_by_role("button", name="Undo all changes").click()
    await expect(editor).to_have_value(today)
    await editor.fill(edited)
    estimate = page.locator("form [role=status]", has_text=re.compile(NOTHING))
    await expect(estimate).to_be_visible()
    await page.get_by_label("Spending limit").fill("0.5")
    async with page.expect_response("**/api/replays") as sent:
        await page.get_by_role("button", name="Start experiment").click()
    answer = await sent.value
    assert answer.request.post_data_json == {
        "name": "“A chat”",
        "provider": None,
        "model": None,
        "sample": None,
        "max_cost_usd": 0.5,
        "prompts": {"general": edited},
        "threads": {"ids": [chat]},
    }
    made = await answer.json()
    await expect(page).to_have_url(re.compile(f"/lab.experiments/{made['id']}$"))
    found = await finish(local, made["id"])
    assert (found["replay"]["status"], made["max_cost_usd"]) == ("succeeded", "0.5")
    assert found["report"]["lanes"]["candidate"]["prompts"] == ["general"]
    await page.reload()
    await expect(page.get_by_text(", $0.50 allowed")).to_be_visible()
    await page.get_by_text("Changed prompt: General").click()
    boxes = [
        await page.locator(part).bounding_box()
        for part in (".crumbs .menu summary", "details:has(.edits)", "main > p.row.soft")
    ]
    ends = [at for box in boxes if box for at in (box["y"], box["y"] + box["height"])]
    assert len(ends) == 6
    assert ends == sorted(ends), "Report hides no changed line and no state"
    await expect(changes.get_by_role("insertion")).to_have_text(["Be brief.", FRENCH])
    assert await viewer.list_barriers() == []


async def test_a_rewritten_line_is_shown_old_and_new_and_all_prompts_are_undone_at_once(
    served: Served, look: Look
):
    page = (await look(served, "/#/lab.experiment")).page
    chosen, editor = page.get_by_label("Prompt to change"), page.get_by_label("Edited prompt")
    changes = page.get_by_role("list", name="Changes from today's prompt")
    packs = served.service.packs
    today = "You help the user find work, and compare what is there."
    served.service.packs = tuple(change_prompts(pack, {"general": today}) for pack in packs)
    await page.reload()
    await chosen.select_option("crm_worker")
    tracker = await editor.input_value()
    await editor.fill("Sort it.")
    undo = page.get_by_role("button", name="Undo this prompt")
    await expect(undo).to_have_count(0)
    await chosen.select_option("general")
    await editor.fill("Answer in German, and do it in one sentence, compare nothing.")
    assert await changes.locator("b").all_text_contents() == ["−", "+"]
    await undo.click()
    await expect(editor).to_have_value(today)
    await page.get_by_role("button", name="Undo all changes").click()
    await chosen.select_option("crm_worker")
    await expect(editor).to_have_value(tracker)


async def test_a_left_draft_is_offered_and_never_mixed_into_another_trial(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "hello")
    viewer = await look(served, "/#/lab.experiment")
    page, form = viewer.page, "#/lab.experiment"
    chosen, editor = page.get_by_label("Prompt to change"), page.get_by_label("Edited prompt")
    tried = page.get_by_label("What is tried")
    kept = page.get_by_text("You left a draft: prompt of General")

    async def leave() -> None:
        await viewer.go("#/lab.experiments")
        await expect(page.get_by_role("link", name="New experiment")).to_be_visible()

    await chosen.select_option("general")
    await editor.fill("Be brief.")
    await expect(tried).to_contain_text("Prompt of General")
    await leave()
    await viewer.go(form)
    await expect(kept).to_be_visible()
    await expect(chosen).to_have_value("")
    await page.get_by_label("Model", exact=True).select_option("offline-rules")
    await expect(tried).to_contain_text("→ offline-rules")
    await expect(tried).not_to_contain_text("Prompt of")
    await page.get_by_role("button", name="Go on with your draft").click()
    await expect(editor).to_have_value("Be brief.")
    await expect(tried).not_to_contain_text("offline-rules")
    await expect(kept).to_have_count(0)
    await leave()
    await viewer.go(form)
    assert await viewer.list_barriers() == []
    await page.get_by_role("button", name="Start fresh").click()
    await expect(kept).to_have_count(0)
    await leave()
    await viewer.go(form)
    await chosen.select_option("general")
    await expect(kept).to_have_count(0)
    await editor.fill("Be brief.")
    await page.get_by_role("button", name="Start experiment").click()
    await expect(page).to_have_url(re.compile("/lab.experiments/[^?]+$"))
    await viewer.go(form)
    await expect(chosen).to_have_value("")
    await expect(kept).to_have_count(0)


async def test_an_experiment_can_be_limited_to_one_workers_conversations_and_model(
    served: Served, local: AsyncClient, look: Look
):
    for said in ("tell me a story about work", "tell me two", "add a job: Cook at Cafe Uno"):
        await ask(local, await begin(local), said)
    packs = served.service.packs
    served.service.packs = tuple(change_prompts(pack, {"triage": "Sort it."}) for pack in packs)
    prompts = (await local.get("/api/prompts")).json()["prompts"]
    of = {item["name"]: item["conversations"] for item in prompts}
    assert (of["crm_worker"], of["general"]) == (2, 1)
    assert of["triage"] is None, "a prompt of no worker"
    viewer = await look(served, "/#/lab.experiment")
    page = viewer.page
    tried = page.get_by_label("What is tried")
    scope = page.get_by_label("Conversations", exact=True)
    await scope.select_option("Crm worker: 2 conversations")
    await page.get_by_label("Model", exact=True).select_option("offline-rules")
    await expect(tried).to_contain_text("Model of Crm worker")
    await expect(tried).to_contain_text("2 Crm worker conversations")
    await expect(tried).to_contain_text("For 2 conversations on both sides")
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    async with page.expect_response("**/api/replays") as sent:
        await page.get_by_role("button", name="Start experiment").click()
    body = (await sent.value).request.post_data_json
    assert (body["threads"], body["models"], body["model"]) == (
        {"worker": "crm_worker"},
        {"crm_worker": "offline:offline-rules"},
        None,
    )
    made = (await (await sent.value).json())["id"]
    await finish(local, made)

    budget = {"scope": "user", "limit_usd": "4", "period": "day"}
    assert (await local.put("/api/budgets", json=budget)).is_success
    await viewer.go("#/lab.experiment")
    await expect(tried).to_contain_text("$4.00 left of the budget of each user per day: $4")
    await scope.select_option("Crm worker: 2 conversations")
    await page.get_by_label("Model", exact=True).select_option("offline-rules")
    before = page.get_by_text("Tried before:")
    await expect(before).to_contain_text("(2 conversations)")
    await expect(before.get_by_role("link")).to_have_attribute("href", f"#/lab.experiments/{made}")

    await viewer.go(f"#/lab.experiment?like={made}&sample=1")
    await expect(page.get_by_label("Conversations", exact=True)).to_have_value("crm_worker")
    await expect(page.get_by_label("Model", exact=True)).to_have_value("offline-rules")
    await expect(tried).to_contain_text("→ offline-rules")


async def test_a_models_price_is_related_to_todays(served: Served, look: Look):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { sayRelation } = await import("/console/lab/experiment.js");
            const price = (id, input, output) => ({ id, input_usd: input, output_usd: output });
            const today = price("large", "2", "10");
            return [["large", 2, 10], ["small", 0.1, 0.5], ["newer", 1.4, 7], ["same", 2, 10],
                ["huge", 4, 20], ["free", 0, 0]].map((one) => sayRelation(price(...one), today));
        }"""
    )
    assert told == [
        "today's",
        "about 1/20 of today's price",
        "about 70% of today's price",
        "about today's price",
        "about 2 times today's price",
        "",
    ]


async def test_the_form_draws_no_more_conversations_than_are_stored(
    served: Served, local: AsyncClient, look: Look
):
    for said in ("hello", "good morning"):
        await ask(local, await begin(local), said)
    await begin(local, "Nothing is answered in this one")
    page = (await look(served, "/#/lab.experiment")).page
    wanted = page.get_by_label("Number of conversations")
    await expect(wanted).to_have_value("2")
    await wanted.fill("1")
    await expect(page.get_by_text("for 1 conversation on both sides")).to_be_visible()
    await expect(page.get_by_text("Only 2 exist")).to_have_count(0)
    await wanted.fill("31")
    await expect(wanted).to_have_value("2")
    await expect(page.get_by_text("Only 2 exist: all are answered again.")).to_be_visible()
    await expect(page.get_by_text("For 2 conversations on both sides")).to_be_visible()


async def test_another_provider_has_models_of_its_own(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "hello")
    viewer = await look(served)
    page = viewer.page

    async def list_models(route: Route) -> None:
        name = "large" if route.request.post_data_json["provider"] == "openai" else "small"
        rates = {"input_usd": "2", "output_usd": "10"}
        await route.fulfill(json=[{"id": f"{name}-{n}", **rates} for n in (1, 2)])

    provider = {"has_key": True, "is_active": False}
    known = [{"id": name, **provider} for name in ("anthropic", "openai")]
    await page.route("**/api/config/providers", lambda it: it.fulfill(json={"providers": known}))
    await page.route("**/api/config/models", list_models)
    await viewer.go("#/lab.experiment")
    await page.get_by_label("Provider").select_option("anthropic")
    model = page.get_by_label("Model", exact=True)
    await model.select_option("small-2")
    await page.get_by_label("Provider").select_option("openai")

    await expect(model.locator("option")).to_contain_text(
        ["default", "large-1", "large-2", "another"]
    )
    await expect(model).to_have_value("")
    await model.select_option("large-2")
    await expect(page.locator(".rates-beside")).to_contain_text("large-2")


async def test_an_experiment_that_changes_nothing_is_not_started(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "hello")
    page = (viewer := await look(served, "/#/lab.experiment")).page
    tried = page.get_by_label("What is tried")
    await expect(tried).to_contain_text("nothing yet: choose a model, or edit a prompt")
    await expect(page.get_by_role("button", name="Start experiment")).to_be_disabled()
    assert await viewer.list_barriers() == []

    await page.get_by_label("Model", exact=True).select_option("offline-rules")
    await page.get_by_role("button", name="Start experiment").click()
    await expect(page).to_have_url(re.compile("/lab.experiments/[^?]+$"))


async def test_the_form_says_why_there_is_no_estimate_and_what_limit_is_too_low(
    served: Served, look: Look
):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const [{ Estimate }, { html }, { render }] = await Promise.all(
                ["lab/experiment", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const place = document.createElement("div");
            const found = { about_usd: "0.05", most_usd: "0.16", least_usd: "0.003",
                low_usd: "0.04", high_usd: "0.09", basis: "unknown",
                conversations: 32, touched: 10, unpriced: [] };
            const tell = (more, ceiling, isSame) => {
                render(html`<${Estimate} found=${{ ...found, ...more }} ceiling=${ceiling}
                    isSame=${isSame} />`, place);
                const texts = [...place.querySelectorAll("dt, dd, p, span")];
                return (texts.length ? texts : [place]).map((one) =>
                    one.textContent.replace(/\\s+/g, " ").trim()).join(" ");
            };
            const none = { about_usd: null, most_usd: null, least_usd: null };
            return [tell({}, 5), tell({}, "0.1"), tell({}, "0.04"), tell({}, "0.001"),
                tell({ basis: "paired" }, 5, true), tell({ needed: 29 }, 5), tell(none, 5),
                tell({ ...none, unpriced: ["anthropic:new-model"] }, 5)];
        }"""
    )
    sums = "About $0.05 Roughly $0.04 to $0.09 At most $0.16 For 32 conversations on both sides; "
    known = f"{sums}10 of them use the change. How long its answers will be is not known yet: "
    known += "after a first small run it is."

    def capped(limit: str) -> str:
        return known.replace("At most $0.16", f"At most {limit} (your limit)")

    assert told == [
        known,
        f"{capped('$0.10')} It may stop at the spending limit; you can then continue it.",
        f"{capped('$0.04')} It stops at the spending limit, after about 25 of 32 conversations; "
        "you can then continue it.",
        f"{capped('$0.0010')} The limit is too low: one conversation may need $0.0030.",
        f"{sums.replace('Roughly', 'Likely')}change the model or a prompt first.",
        known + " Too few to decide: it takes 29 conversations that use the change, "
        "even if none gets worse.",
        "No estimate: no conversation has used a model yet.",
        "No estimate: the price of anthropic:new-model is not known, so no spending limit can hold."
        ' Add it to plainloop.toml: [prices."anthropic:new-model"].',
    ]


async def test_a_running_experiment_can_be_stopped(serve: Serve, look: Look):
    served = await serve(Hang(), auth=False)
    local = await served.client()
    made = await post(local, conversations=[TALK], baseline=False)
    viewer = await look(served, f"/#/lab.experiments/{made['id']}")
    page = viewer.page
    progress = page.get_by_label("Progress", exact=True)
    await expect(progress.get_by_role("heading")).to_have_text("0 of 1 conversation done")
    await expect(progress).to_contain_text("Not known yet")
    await expect(progress).to_contain_text("You can leave this page: it goes on")
    for label in ("Verdict", "The rules"):
        await expect(page.get_by_label(label, exact=True)).to_have_count(0)
    await viewer.look_as(390, "dark")
    assert await viewer.list_barriers() == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await page.get_by_role("button", name="Stop").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    found = (await local.get(f"/api/replays/{made['id']}")).json()
    assert found["replay"]["status"] == "cancelled"
    await expect(page.get_by_text("0 of 1 conversation compared").first).to_be_visible()
    await expect(page.get_by_text("1 answer still being finished")).to_be_visible()
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update replay_items set status = 'cancelled'")
    await expect(
        page.get_by_text("Pays only for the 1 conversation that is missing")
    ).to_be_visible(timeout=20_000)
    async with page.expect_response("**/resume") as sent:
        await page.get_by_role("button", name="Continue").click()
    assert (await (await sent.value).json())["status"] == "running"
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()


async def test_a_running_experiments_cost_is_projected_from_what_is_done(
    served: Served, look: Look
):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { projectCost } = await import("/console/lab/running.js");
            const replay = { done: 4, conversations: 40, cost_usd: "0.06", estimate_usd: "0.3" };
            return [{}, { done: 2 }, { cost_usd: null }, { done: 0, estimate_usd: null }].map(
                (more) => projectCost({ ...replay, ...more }));
        }"""
    )
    estimated = [0.3, "as estimated"]
    assert told == [[0.6, "as those done so far"], estimated, estimated, None]


async def test_a_running_experiment_that_stood_still_says_how_long_it_was_at_work(
    served: Served, look: Look
):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const { findWorked } = await import("/console/lab/running.js");
            const at = "2026-11-30T10:00:00Z";
            const items = { succeeded: 6, queued: 56, running: 2 };
            const replay = { left_s: 4060, items, created_at: at };
            const tell = (minutes, more) =>
                findWorked({ ...replay, ...more }, Date.parse(at) + 60_000 * minutes);
            const unknown = [{ left_s: null }, { items: {} }].map((more) => tell(240, more));
            return [tell(240), tell(8), tell(16), ...unknown];
        }"""
    )
    assert told == [420, None, None, None, None]


async def test_a_running_experiment_shows_what_is_done_and_reads_early_only_of_enough(
    served: Served, look: Look
):
    told = await (await look(served)).page.evaluate(
        """async () => {
            const [{ Running, sayLeft }, { html }, { render }] = await Promise.all(
                ["lab/running", "html", "vendor"].map((name) => import(`/console/${name}.js`)));
            const replay = { id: "1", name: "Mine", conversations: 40, done: 14, left_s: 130,
                items: { failed: 2 }, cost_usd: "0.02", estimate_usd: "0.06", max_cost_usd: "0.5",
                created_at: "2026-11-30T10:00:00Z" };
            const decision = { rules: [{ name: "worse", limit: 0.1 }] };
            const place = document.createElement("div");
            document.body.append(place);
            const tell = (compared, worse) => {
                const summary = { conversations: compared, uncompared: 0,
                    worse: { conversations: worse }, better: { conversations: 1 } };
                const report = { summary, decision };
                render(html`<${Running} replay=${replay} report=${report} />`, place);
                const bar = place.querySelector("progress");
                return [`${bar.value} of ${bar.max}`, place.innerText.replace(/\\s+/g, " ")];
            };
            return [tell(9, 9), tell(13, 4), tell(13, 5), [4, 42, 130, 6000, 9000].map(sayLeft)];
        }"""
    )
    few, open_, lost, left = told
    for bar, shown in (few, open_, lost):
        assert bar == "14 of 40"
        for part in (
            "14 of 40 conversations done",
            "Time left About 2 minutes",
            "Cost so far $0.02",
            "of $0.50 allowed; about $0.0571 in all, as those done so far",
            "Answers that failed 2",
        ):
            assert part in shown
    assert "No result yet: an early reading needs 10 compared conversations" in few[1]
    early = "4 of the first 13 got worse by the measures, 1 got better. That may change"
    assert early in open_[1]
    assert "it cannot pass any more: stopping now saves about $0.0371" in lost[1]
    assert left == [
        "A few seconds",
        "About 40 seconds",
        "About 2 minutes",
        "About 2 hours",
        "About 3 hours",
    ]


async def test_several_changed_prompts_have_a_name_and_a_list_that_fit_a_phone(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "hello")
    names = ("crm_worker", "general", "triage", "route", "react")
    prompts = {name: f"Answer as {name}, in one long sentence." for name in names}
    made = await post(local, prompts=prompts)
    await finish(local, made["id"])
    viewer = await look(served, f"/#/lab.experiments/{made['id']}", width=390)
    page = viewer.page
    title = re.compile("^New prompts for .*, .*, .*, 2 others against the setup of ")
    await expect(page.locator("h1")).to_have_text(title)
    changed = page.locator("summary", has_text="Changed prompts: ")
    await expect(changed).to_have_count(1)
    await changed.click()
    lists = page.get_by_role("list", name="Changes from today's prompt")
    await expect(lists).to_have_count(5)
    await expect(page.get_by_role("heading", name="Sorting of requests")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    assert await viewer.list_barriers() == []


async def test_a_new_limit_has_room_for_what_the_next_request_may_cost(serve: Serve, look: Look):
    served = await serve(Hang(), auth=False)
    local = await served.client()
    made = await post(local, conversations=[TALK], baseline=False)
    await local.post(f"/api/replays/{made['id']}/cancel")
    found = (await local.get(f"/api/replays/{made['id']}")).json()
    reason = "the next request may cost up to $0.0810, but only $0.0200 of the limit was left"
    found["replay"] |= {"status": "stopped", "max_cost_usd": 0.05, "cost_usd": "0.03"}
    found["replay"] |= {"reason": reason, "estimate_usd": None, "items": {}}
    viewer = await look(served)
    address = f"**/api/replays/{made['id']}?report=false"
    await viewer.page.route(address, lambda route: route.fulfill(json=found))
    await viewer.go(f"#/lab.experiments/{made['id']}")

    await expect(viewer.page.get_by_label("New limit (USD)")).to_have_value("0.17")


async def test_a_stopped_experiment_can_be_tried_again_with_its_settings(serve: Serve, look: Look):
    served = await serve(triage("general"), text("Hi"), Hang(), auth=False)
    local = await served.client()
    await ask(local, await begin(local), "hello")
    tried = {"prompts": {"general": "Be brief."}, "sample": 1, "name": "Brief"}
    made = await post(local, **tried)
    await local.post(f"/api/replays/{made['id']}/cancel")
    page = (await look(served, f"/#/lab.experiments/{made['id']}")).page
    await page.get_by_role("link", name="Change and run again").click()

    await expect(page.get_by_label("Edited prompt")).to_have_value("Be brief.")
    await expect(page.get_by_label("Number of conversations")).to_have_value("1")
    await expect(page.get_by_label("Name")).to_have_value("Brief")


async def test_trying_again_with_more_conversations_keeps_model_and_prompts(
    served: Served, local: AsyncClient, look: Look
):
    for job in ("Cook at Cafe Uno", "Waiter at Cafe Due"):
        await ask(local, await begin(local), f"add a job: {job}")
    prompts = {"general": "Be brief.", "triage": "Sort it."}
    models = {"classifier": "offline:offline-rules"}
    tried = await try_cheaper(
        served, local, 10, 0, prompts=prompts, models=models, max_cost_usd=0.4
    )
    for _ in range(27):  # 29 are stored then: 20 were compared, and 9 more would decide
        await ask(local, await begin(local), "hello")
    page = (await look(served, f"/#/lab.experiments/{tried}")).page

    await page.get_by_role("link", name="Try again with 29 conversations").click()
    await page.reload()
    await expect(page.get_by_label("Model")).to_have_value("offline-rules")
    chosen, editor = page.get_by_label("Prompt to change"), page.get_by_label("Edited prompt")
    await expect(editor).to_have_value("Be brief.")
    await chosen.select_option("triage")
    await expect(editor).to_have_value("Sort it.")
    await editor.fill("Sort it well.")
    await expect(chosen.get_by_role("option", name="General (edited)")).to_be_attached()
    async with page.expect_response("**/api/replays") as sent:
        await page.get_by_role("button", name="Start experiment").click()

    body = (await sent.value).request.post_data_json
    assert body.pop("sample") == 29
    assert body == {
        "provider": None,
        "model": "offline-rules",
        "models": models,
        "design": None,
        "only_routing": False,
        "max_cost_usd": 0.4,
        "prompts": {**prompts, "triage": "Sort it well."},
        "threads": {},
        "like": tried,
    }


OTHER_SETUP = """
update replays set source = jsonb_set(source::jsonb, array['setup', 'today''s worker model'],
    '"anthropic:claude-old@low"')::json where replay_id = $1
"""


async def test_a_stopped_experiment_does_not_mix_two_setups_and_starts_anew_in_one_press(
    serve: Serve, look: Look
):
    served = await serve(triage("general"), text("Hi"), Hang(), Hang(), auth=False)
    local = await served.client()
    await ask(local, await begin(local), "hello")
    made = await post(local, prompts={"general": "Be brief."}, sample=1, name="Brief")
    await local.post(f"/api/replays/{made['id']}/cancel")
    async with served.service.store.transaction("local") as tx:
        await tx.execute("update replay_items set status = 'cancelled'")
        await tx.execute(OTHER_SETUP, made["id"])
    page = (await look(served, f"/#/lab.experiments/{made['id']}")).page
    await page.get_by_role("button", name="Continue").click()
    told = page.get_by_role("alert")
    await expect(told).to_contain_text("today's worker model (anthropic:claude-old@low, now ")
    await expect(told).to_contain_text("REPLAY_CHANGED")
    async with page.expect_response(re.compile("/api/replays$")) as sent:
        await page.get_by_role("button", name="Start anew with the same settings").click()
    body = (await sent.value).request.post_data_json
    assert (body["prompts"], body["sample"]) == ({"general": "Be brief."}, 1)
    begun = await (await sent.value).json()
    await expect(page).to_have_url(re.compile(f"/lab.experiments/{begun['id']}$"))
    await expect(page.get_by_label("Progress", exact=True)).to_be_visible()


async def test_comparing_two_texts_gives_a_minimal_number_of_edits(served: Served, look: Look):
    page, drawn = (await look(served)).page, random.Random(7)
    pairs = [[drawn.choices("abc", k=drawn.randrange(9)) for _ in "ab"] for _ in range(200)]
    apart = [["x"] * 500, ["y"] * 500]  # more edits than are looked for
    compared: list[list[dict[str, Any]]] = await page.evaluate(
        """async (pairs) => {
            const { compare } = await import("/console/diffs.js");
            return pairs.map(([a, b]) => compare(a, b));
        }""",
        [*pairs, apart],
    )
    for (a, b), parts in zip([*pairs, apart], compared, strict=True):
        assert join(parts, "added") == a
        assert join(parts, "removed") == b
        edits = sum(len(part["tokens"]) for part in parts if part["kind"] != "same")
        assert edits == len(a) + len(b) - 2 * count_common(a, b)


def join(parts: list[dict[str, Any]], without: str) -> list[str]:
    return [token for part in parts if part["kind"] != without for token in part["tokens"]]


def count_common(a: list[str], b: list[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for item in a:
        before = row
        row = [0]
        for at, other in enumerate(b):
            row.append(before[at] + 1 if item == other else max(row[at], before[at + 1]))
    return row[-1]


async def test_each_experiment_is_named_by_its_candidate_and_date(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    prompts = (await local.get("/api/prompts")).json()["prompts"]
    [today] = [item["text"] for item in prompts if item["name"] == "general"]
    tried = [
        {"model": "offline-rules"},
        {"provider": "offline"},
        {"prompts": {"general": f"{today}\n\nAnswer in one sentence."}},
        {
            "prompts": {
                "general": f"{today}\n\nAnswer in French, whatever the language of the user."
            }
        },
        {"prompts": {"triage": "Sort it."}},
    ]
    made = list[Any]()
    for body in tried:
        made.append(await post(local, **body))
        found = await finish(local, made[-1]["id"])
        assert found["replay"]["name"] == made[-1]["name"]
    page = (await look(served, "/#/lab.experiments")).page

    await expect(page.locator("main li b")).to_contain_text(
        [
            "new prompt for Triage (“Sort it.”)",
            "new prompt for General (“Answer in French, whatever the language …”)",
            "new prompt for General (“Answer in one sentence.”)",
            "offline",
            "offline-rules",
        ]
    )


async def test_an_experiments_name_uses_the_consoles_names_of_workers(
    served: Served, local: AsyncClient, tmp_path: Path
):
    words = {"crm_worker": "Tracker", "classifier": "Sorting"}
    (tmp_path / "screens.json").write_text(json.dumps({"words": words}))
    served.service.packs = tuple(replace(it, screens=tmp_path) for it in served.service.packs)
    await ask(local, await begin(local), "hello")
    models = {"classifier": "offline:offline-rules"}
    made = await post(local, prompts={"crm_worker": "Be brief."}, models=models)

    assert made["name"].startswith("offline-rules for Sorting, new prompt for Tracker (“")


async def test_an_experiments_name_does_not_reveal_todays_prompt_to_a_user(serve: Serve):
    served = await serve()
    ann, boss = await served.client("ann"), await served.client("boss", is_admin=True)
    prompts = (await boss.get("/api/prompts")).json()["prompts"]
    [today] = [item["text"] for item in prompts if item["name"] == "general"]
    guess = f"{today[:200]} or not"
    for client, quoted in ((ann, " ".join(guess.split())[:40]), (boss, "or not")):
        await ask(client, await begin(client), "add a job: Cook at Cafe Uno")
        made = await post(client, prompts={"general": guess})
        assert made["name"].startswith(f"new prompt for General (“{quoted}")


async def test_what_runs_counts_thirty_days_and_names_other_models_share(
    served: Served, local: AsyncClient, look: Look
):
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served)
    page = viewer.page

    async def tell(route: Route) -> None:
        answer = await route.fetch()
        data = await answer.json()
        row = data["usage"][0] | {"worker": "crm_worker", "role": "worker", "calls": 1}
        data["usage"] = [
            row | {"model": "offline-rules", "cost_usd": "0.25"},
            row | {"model": "dear-1", "cost_usd": "0.75"},
        ]
        await route.fulfill(response=answer, json=data)

    async def connect(route: Route) -> None:  # offline nothing runs
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "is_offline": False})

    await page.route("**/api/config", connect)
    await page.reload()
    counted = re.compile(r"/api/usage\?by=worker.*since=")
    await page.route(counted, tell)
    async with page.expect_request(counted) as sent:
        await viewer.go("#/settings/models")
    assert "origin=own" in (await sent.value).url
    row = page.locator(".what-runs tr", has_text="Crm worker")
    await expect(row).to_contain_text("2 calls, $1.00")
    await expect(row).to_contain_text("$0.75 of it by dear-1")
