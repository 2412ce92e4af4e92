"""Advice on models: planned, begun and read on one screen; models that end are told of."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.async_api import Page, Request, Route, expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, Served, ask, begin

ENDS = """
[[endings]]
provider = "offline"
models = ["offline-rules"]
ends = 2027-01-14
successor = "offline-rules-2"
"""
SWITCHED = """
update advices set result = (result::jsonb || jsonb_build_object(
    'verdict', 'passed', 'saves_usd', 12.5, 'workers', jsonb_build_array(
        (result::jsonb #> '{workers,0}') || '{"kind": "switch", "reason": "", "candidate":
            "offline:offline-rules-2@low", "saves_usd": 12.5, "today_usd": 20, "conversations": 240,
            "cost_ratio": 0.4, "cost_ratio_half": 0.1}'
    )))::json
where tenant_id = 'local'
"""


async def test_the_card_of_an_ending_model_links_to_advice(
    serve: Serve, look: Look, tmp_path: Path
):
    (tmp_path / "endings.toml").write_text(ENDS)
    served = await serve(auth=False, endings_file=tmp_path / "endings.toml")
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/usage")
    page = viewer.page
    told = re.compile(r"100 % of your calls end on Jan 14, 2027 .*: offline:offline-rules")
    await expect(page.get_by_role("heading", name="offline-rules")).to_be_visible()
    await expect(page.get_by_text(told)).to_be_visible()
    assert await viewer.list_barriers() == []
    await viewer.go("#/health")
    await expect(page.get_by_text(told)).to_be_visible()
    await page.get_by_role("link", name="Try offline-rules-2").click()
    await expect(page.get_by_role("group", name="plan")).to_contain_text("offline-rules-2")
    # One stored conversation decides nothing: said with what is missing, and not offered.
    await expect(page.get_by_role("status")).to_contain_text(
        "Nothing can be decided with these settings"
    )
    await expect(page.get_by_role("group", name="plan")).to_contain_text("more conversations")
    await expect(page.get_by_role("button", name="Start advice")).to_be_disabled()
    assert await viewer.list_barriers() == []
    body = {"max_cost_usd": 5, "successor": True, "user_id": "*"}
    begun = await local.post("/api/advice", json=body)
    await viewer.go(f"#/lab.advice/{begun.json()['advice']['id']}")
    verdict = page.get_by_role("region", name="Verdict")
    await expect(verdict).to_contain_text("Undecided")
    await expect(page.get_by_role("group", name="workers")).to_contain_text(
        "the margin needs at least"
    )
    await expect(page.get_by_text("Settings to paste")).to_have_count(0)

    async with served.service.store.transaction("local") as tx:
        await tx.execute(SWITCHED)
    for width, scheme in ((1440, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        await page.reload()
        await expect(verdict).to_contain_text("May switch Crm worker: saves about $12.50 a month")
        await expect(page.locator("pre")).to_contain_text('model = "offline-rules-2"')
        await expect(page.get_by_role("group", name="after the switch")).to_contain_text(
            "not switched"
        )
        await expect(
            page.get_by_role("listitem").filter(has_text="today's cost a month: $20.00")
        ).to_be_visible()
        await expect(verdict).to_contain_text("at most 5 of 100 more conversations fail, or use")
        cell = page.get_by_role("group", name="workers").get_by_text("May switch", exact=True)
        await expect(cell).to_be_in_viewport(ratio=1)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.body.scrollWidth <= innerWidth")
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="Rules for a gate").click()
    assert (await saved.value).suggested_filename == "rules.toml"
    assert "[[rule]]" in Path(await (await saved.value).path()).read_text()
    await viewer.go("#/lab.advice")
    listed = page.get_by_role("listitem").get_by_role("link", name="Switch Crm worker")
    await expect(listed).to_contain_text("May switch Crm worker")
    assert await viewer.list_barriers() == []


async def test_advice_without_a_known_candidate_takes_named_models(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    viewer = await look(served, "/#/lab.advice?new=1")
    page = viewer.page
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("There is no candidate model to try")
    for word in ("terminal", "HTTP", "INVALID_INPUT", "--candidate"):
        await expect(page.locator("main")).not_to_contain_text(word)
    await alert.get_by_role("button", name="Name other models").click()

    def names_models(sent: Request) -> bool:
        return sent.url.endswith("/plan") and bool(sent.post_data_json["candidates"])

    async with page.expect_request(names_models) as sent:
        await page.get_by_label("Models to try").fill("offline-rules-2, offline-rules-3@low")
        await page.get_by_label("Models to try").blur()
    body = (await sent.value).post_data_json
    assert body["candidates"] == ["offline-rules-2", "offline-rules-3@low"]
    assert await viewer.list_barriers() == []
    limit = page.get_by_label("Spending limit (USD)")
    await limit.fill("1")  # and another field changes before this one is left
    await page.get_by_label("May get worse").select_option("at most 20 of 100")
    await expect(limit).to_have_value("1")
    await viewer.go("#/settings/models")
    await expect(page.get_by_text("No shutdown, price change or replacement")).to_be_visible()


async def test_advice_is_planned_for_one_worker_and_starts_where_it_can_decide(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    local = await served.client()
    await ask(local, await begin(local), "add a job: Cook at Cafe Uno")
    planned: list[Any] = []

    async def answer(route: Route) -> None:
        planned.append(body := route.request.post_data_json)
        names = body["workers"] or ["notes_worker", "general"]
        needed = 4 if body["margin"] == "20pp" else 400
        workers = [
            {
                "worker": name,
                "conversations": 12,
                "today": "anthropic:claude-sonnet-5-5@high",
                "candidates": ["anthropic:claude-haiku-5-5@low", "anthropic:claude-haiku-5-5"],
                "refused": {},
                "cost_usd": 0.5,
                "needed": needed,
                "saves_usd": 7.5,
            }
            for name in names
        ]
        limit = {"estimate_usd": 0.5, "max_cost_usd": body["max_cost_usd"], "lines": []}
        await route.fulfill(json={"workers": workers, **limit})

    viewer = await look(served)
    page = viewer.page
    await page.route("**/api/advice/plan", answer)
    await viewer.go("#/lab.advice?new=1")
    plan = page.get_by_role("group", name="plan")
    await expect(plan).to_contain_text("claude-haiku-5-5 (effort low)")
    await expect(plan).to_contain_text("388 more conversations")
    await expect(page.get_by_label("Conversations per worker")).to_have_value("300")
    await expect(page.get_by_text("12 are stored, and no worker has more")).to_be_visible()
    await page.locator("select[name=worker]").select_option("Notes worker")
    await expect(plan.get_by_role("row")).to_have_count(2)
    await expect(page.get_by_role("button", name="Start advice")).to_be_disabled()
    monthly = page.get_by_role("button", name="Repeat every month")
    await expect(monthly).to_have_count(0)
    await page.locator("select[name=margin]").select_option("at most 20 of 100")
    await expect(page.get_by_role("button", name="Start advice")).to_be_enabled()
    await expect(monthly).to_be_visible()
    await expect(page.get_by_role("status")).to_contain_text(
        "It costs at most $0.50 by its estimate, and stops at $5.00."
    )
    assert planned[-1]["workers"] == ["notes_worker"]
    await viewer.go("#/lab.experiments")
    await viewer.go("#/lab.advice?new=1&worker=general&margin=20")  # as somebody kept it
    await expect(page.locator("select[name=margin]")).to_have_value("20")
    await expect(page.locator("select[name=worker]")).to_have_value("general")
    await expect(page.get_by_role("button", name="Start advice")).to_be_enabled()
    assert await viewer.list_barriers() == []


async def test_the_form_begins_with_what_the_stored_conversations_can_decide(
    serve: Serve, look: Look
):
    """All workers need more; triage alone has enough for 20 of 100, the other for nothing."""
    viewer = await look(await serve(auth=False))
    page = viewer.page

    async def answer(route: Route) -> None:
        body = route.request.post_data_json
        if body["candidates"] == ["haiku"]:
            why = "there is no candidate model to try (haiku: costs as much as today's model)"
            error = {"code": "NO_CANDIDATE", "message": why, "hint": "in a terminal: --candidate"}
            await route.fulfill(status=400, json={"error": error})
            return
        is_alone = bool(body["workers"])
        alone = {"5pp": 91, "10pp": 44, "20pp": 21}
        stored = {"triage": 22, "general": 12}
        workers = [
            {
                "worker": name,
                "conversations": stored[name],
                "today": "anthropic:sonnet@low",
                "candidates": ["anthropic:haiku@none"],
                "refused": {},
                "cost_usd": 0.5,
                "needed": alone[body["margin"]] if is_alone else 105,
                "alone": alone,
                "saves_usd": 7.5,
            }
            for name in body["workers"] or stored
        ]
        await route.fulfill(json={"workers": workers, "estimate_usd": 0.5, "max_cost_usd": 5})

    prices = {"sonnet": (3, 15), "haiku": (1, 5), "opus": (15, 75)}
    models = [{"id": i, "input_usd": a, "output_usd": b} for i, (a, b) in prices.items()]
    await page.route("**/api/config/models", answer_with(models))
    await page.route("**/api/advice/plan", answer)
    await viewer.go("#/lab.advice?new=1")
    start = page.get_by_role("button", name="Start advice")
    await expect(start).to_be_enabled()
    await expect(page.locator("select[name=worker]")).to_have_value("triage")
    await expect(page.locator("select[name=margin]")).to_have_value("20")
    await expect(page.locator("main")).to_contain_text("Sorting of requests, at most 20 of 100.")
    assert await viewer.list_barriers() == []

    # Back to all: each worker says what is missing, and one of them how to go on.
    await page.locator("select[name=worker]").select_option("all workers")
    await expect(start).to_be_disabled()
    rows = page.get_by_role("group", name="plan").locator("tbody tr")
    await expect(rows.nth(1)).to_contain_text("alone and with at most 20 of 100: 9 more")
    status = page.get_by_role("status")
    await expect(status).to_contain_text("right: try one worker alone, or use")
    await page.locator("select[name=worker]").select_option("general")
    await expect(rows.nth(0)).to_contain_text("9 more conversations")
    await expect(rows.nth(0)).not_to_contain_text("alone")
    await expect(status).to_contain_text("must be right: use the service and import conversations.")
    await page.locator("select[name=worker]").select_option("all workers")
    await page.locator("select[name=margin]").select_option("at most 5 of 100")
    await expect(status).to_contain_text("try one worker alone, raise “May get worse”, or use")
    await rows.nth(0).get_by_role("button", name="Try it alone, at most 20 of 100").click()
    await expect(start).to_be_enabled()

    await page.locator("select[name=what]").select_option("haiku")
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("costs as much as today's model")
    await expect(alert).not_to_contain_text("terminal")
    buttons = alert.get_by_role("button")
    await expect(buttons).to_have_text(
        ["Try haiku (effort none)", "Try haiku", "Name other models"]
    )
    for width, scheme in ((1280, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
    await buttons.first.click()
    await expect(start).to_be_enabled()


async def test_a_plan_says_when_it_pays_and_that_the_same_was_asked_before(
    serve: Serve, look: Look
):
    viewer = await look(await serve(auth=False))
    page = viewer.page
    names = {"worker": "triage", "today": "a:b@low", "candidates": ["a:b@none"]}
    worker = {**names, "needed": 20, "conversations": 25, "saves_usd": 0.0003}
    now = datetime.now(UTC).isoformat()
    headline = "Switch nothing: a:b@none is as good for triage, but not cheaper"
    earlier = {"id": "a", "headline": headline, "workers": [names], "created_at": now}
    await page.route("**/api/advice", answer_with({"advice": [earlier]}))
    status = page.get_by_role("status")
    asked = page.locator(".notice", has_text="The same was asked")
    for estimate, says in (
        (0.0056, "It pays for itself after 19 months at best."),
        (0.5, "What it can save never pays for it."),
        (0.0006, "and stops at $5.00."),
    ):
        plan = {"workers": [worker], "estimate_usd": estimate, "max_cost_usd": 5, "lines": []}
        await page.route("**/api/advice/plan", answer_with(plan))
        await viewer.go("#/lab.advice")
        await viewer.go("#/lab.advice?new=1")
        await expect(status).to_contain_text(says)
    await expect(asked.get_by_role("link")).to_have_attribute("href", "#/lab.advice/a")


PASSED = {
    "p1": {"models": {"triage": "a:luna"}, "prompts": {"triage": "Be short."}},
    "p2": {"models": {"crm_worker": "a:luna"}, "prompts": {}},
    "p3": {"models": {"crm_worker": "a:d"}, "prompts": {}},  # older
    "p4": {"models": {"general": "a:c"}, "prompts": {}},  # answers today
}
CRM_PROVEN = "Already proven: luna passed on Nov 24, 2025, 10:00 AM"


async def tell_passed(page: Page) -> None:
    """Let experiments have passed: of a model alone, with a prompt, and of today's model."""
    common = {"verdict": "passed", "advice_id": None, "ended_at": "2025-11-24T10:00:00Z"}
    listed = [{"id": name, **common} for name in PASSED]
    await page.route("**/api/replays?limit=200", answer_with({"replays": listed}))
    for name, candidate in PASSED.items():
        await page.route(
            f"**/api/replays/{name}?report=false", answer_with({"candidate": candidate})
        )


async def test_the_page_of_advice_says_what_it_last_found_and_what_it_costs(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    viewer = await look(served)
    page = viewer.page
    told = make_result(is_judged=False)["advice"]
    names = {"worker": "triage", "today": "a:b@low", "candidates": ["a:b@none"]}
    told["headline"] = "Switch nothing: a:b@none is as good for triage, but not cheaper"
    last = {
        **told,
        "workers": [names],
        "id": "a",
        "verdict": "failed",
        "created_at": told["ended_at"],
        "error": None,
    }
    worker = {"candidates": ["a:b"], "needed": 20, "saves_usd": 1.0, "today": "a:c"}
    alone = {"10pp": 7}
    workers = [
        {**worker, "worker": "triage", "conversations": 25, "cost_usd": 0.4},
        {**worker, "worker": "crm_worker", "conversations": 9, "cost_usd": None},
        {**worker, "worker": "general", "conversations": 9, "alone": alone, "cost_usd": 0.1},
        {**worker, "worker": "react", "conversations": 9, "candidates": [], "saves_usd": None},
    ]
    plan = {"workers": workers, "estimate_usd": 0.5, "max_cost_usd": 5, "lines": []}
    await page.route("**/api/advice", answer_with({"advice": [last]}))
    await page.route("**/api/advice/plan", answer_with(plan))
    await tell_passed(page)
    await viewer.go("#/lab.advice")
    card = page.locator("main section.card").first
    kept = "Switch nothing: b (effort none) is as good for triage, but not cheaper"
    await expect(card).to_contain_text(f"Last found: {kept}")
    listed = page.get_by_role("listitem").filter(
        has_text="Sorting of requests: b (effort low) → b (effort none)"
    )
    await expect(listed).to_contain_text("Keep today's")
    # What can be decided alone leads; all at once can decide one of four.
    sorting = "Sorting of requests"
    await expect(card).to_contain_text(f"{sorting} can save the most: up to $1.00 a month.")
    await expect(card).to_contain_text("To find out costs at most $0.40.")
    main = card.locator(".accent")
    await expect(main).to_have_text(f"Begin with {sorting}")
    await expect(main).to_have_attribute("href", "#/lab.advice?new=1&worker=triage")
    await expect(card).to_contain_text("All at once cost at most $0.50.")
    await expect(card).to_contain_text("Of 4 workers 1 can be decided so")
    await expect(page.get_by_role("link", name="All workers at once")).to_have_count(1)
    # The tolerance is said once, each worker has one state, and what passed is not paid for again.
    said = page.get_by_role("region", name="Workers")
    await expect(said).to_contain_text("at most 10 of 100 conversations may get worse")
    live = said.get_by_role("link", name="Go live: luna for Crm worker")
    await expect(live).to_have_attribute("href", "#/lab.experiments/p2")
    await expect(said.get_by_role("link", name="Get advice: Crm worker")).to_have_count(0)
    rows = said.locator("tbody tr")
    for n, cells in enumerate(
        (
            [sorting, "c", "Can be decided now", "up to $1.00", "Get advice"],
            ["Crm worker", "c", CRM_PROVEN, "up to $1.00", "Go live"],
            ["General", "c", "Can be decided now", "up to $1.00", "Get advice"],
            ["React", "c", "No cheaper model known", "–", "Settings"],
        )
    ):
        shown = await rows.nth(n).locator("td").all_inner_texts()
        assert [" ".join(cell.split()) for cell in shown] == cells
    for name, worker in ((sorting, "triage"), ("General", "general")):
        one = page.get_by_role("link", name=f"Get advice: {name}")
        await expect(one).to_have_attribute("href", f"#/lab.advice?new=1&worker={worker}")
    for width, scheme in ((1280, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_running_advice_shows_a_share_of_its_estimate_never_above_it(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    viewer = await look(served)
    page = viewer.page
    worker = {
        "worker": "general",
        "today": "a:b",
        "candidates": ["a:c"],
        "saves_usd": None,
        "conversations": 21,
        "needed": 19,
    }
    running = {
        **make_result(is_judged=False),
        "advice": {"status": "running", "ended_at": None, "error": None, "max_cost_usd": 5},
        "plan": {"workers": [worker], "estimate_usd": 0.02, "max_cost_usd": 5},
        "result": None,
        "spent_usd": 0.03,
        "steps": [{"name": "general a:c 0-3", "replay_id": "a"}],
    }
    await page.route("**/api/advice/a", answer_with(running))
    await viewer.go("#/lab.advice/a")
    bar = page.get_by_role("progressbar")
    await expect(bar).to_have_attribute("value", "1")
    card = page.locator("main section.card")
    await expect(card).to_contain_text("1 of 1 worker begun, 1 experiment, $0.03 spent")
    await expect(card).to_contain_text("21 stored")
    await expect(card).not_to_contain_text("21 of 19")


def make_rule(measure: str, difference: float, at_worst: float) -> dict[str, Any]:
    return {
        "measure": measure,
        "needed": True,
        "tasks": 17,
        "difference": difference,
        "at_worst": at_worst,
    }


def make_result(*, is_judged: bool) -> dict[str, Any]:
    """What the service says of advice with one worker that may switch."""
    worker = {
        "worker": "crm_worker",
        "role": "worker",
        "kind": "switch",
        "reason": "",
        "today": "anthropic:claude-sonnet-5-5",
        "candidate": "anthropic:claude-haiku-5-5@none",
        "conversations": 17,
        "saves_usd": 12.5,
        "rules": [make_rule("failed", 1 / 17, 0.16), make_rule("same_arguments", -2 / 17, -0.204)],
        "tried": [{"candidate": "anthropic:claude-haiku-5-5@none", "conversations": 3}],
    }
    demands = [{"measure": "failed", "margin": "25pp"}]
    demands += [{"measure": "judged", "margin": "25pp"}] if is_judged else []
    headline = "Switch crm_worker: saves about $12.50 a month"
    name = "crm_worker anthropic:claude-haiku-5-5@none"
    steps = [{"name": f"{name} 0-3", "replay_id": "a"}, {"name": f"{name} 3-20", "replay_id": "b"}]
    return {
        "advice": {"status": "succeeded", "headline": headline, "ended_at": "2026-11-30T10:00:00Z"},
        "plan": None,
        "result": {"verdict": "passed", "workers": [worker], "demands": demands},
        "steps": [*steps, {"name": "other anthropic:claude-haiku-5-5@none 0-9", "replay_id": "c"}],
        "spent_usd": 0.05,
        "money": [],
        "settings": "",
        "watched": [],
        "doubts": ["requests unlike the drawn ones were not judged"],
    }


def answer_with(told: Any) -> Callable[[Route], Awaitable[None]]:
    async def answer(route: Route) -> None:
        await route.fulfill(json=told)

    return answer


async def test_an_advices_result_begins_with_its_main_doubt_and_links_its_evidence(
    served: Served, look: Look
):
    viewer = await look(served)
    page = viewer.page
    for is_judged in (False, True):
        told = make_result(is_judged=is_judged)
        told["advice"] |= {"unread": not is_judged}
        await page.route(f"**/api/advice/{is_judged}", answer_with(told))
        await viewer.go(f"#/lab.advice/{is_judged}")
        verdict = page.get_by_role("region", name="Verdict")
        unread = verdict.get_by_text("What the answers say was not compared")
        row = page.get_by_role("group", name="workers").locator("tbody tr")
        await expect(row).to_contain_text("2 of 17 worse, at worst 20 of 100")
        await expect(row).to_contain_text("3 other conversations chose this model to try")
        await row.get_by_text("Read the answers, in 2 experiments").click()
        links = {item: await item.get_attribute("href") for item in await row.locator("a").all()}
        assert [*links.values()] == ["#/lab.experiments/a", "#/lab.experiments/b"]
        assert [await link.inner_text() for link in links] == [
            "Conversations 1 to 3",
            "Conversations 4 to 20",
        ]
        title = verdict.get_by_role("heading")
        saved = "Crm worker: saves about $12.50 a month"
        if is_judged:
            await expect(title).to_have_text(f"Switch {saved}")
            await expect(unread).to_have_count(0)
        else:
            await expect(title).to_have_text(f"May switch {saved}")
            await expect(verdict.locator("p").first).to_contain_text("was not compared")
            await expect(page.locator(".verdict.warn")).to_be_visible()
            read = verdict.get_by_role("link", name="Read the answers")
            await expect(read).to_have_attribute("href", "#/lab.experiments/b")
        for width, scheme in ((1280, "light"), (390, "dark")):
            await viewer.look_as(width, scheme)
            assert await viewer.list_barriers() == []
            assert await page.evaluate("document.body.scrollWidth <= innerWidth")


async def test_an_advices_result_says_what_to_do_now(served: Served, look: Look):
    viewer = await look(served)
    page = viewer.page
    told = make_result(is_judged=True)
    [worker] = told["result"]["workers"]
    told["doubts"] = ["triage: tried to choose a candidate: a:b@none on 4 conversations"]
    cases = [
        ("keep", "failed", None, "Nothing: today's models stay."),
        ("undecided", "undecided", 9, "About 9 more conversations would decide it: collect them"),
        ("not_judged", "undecided", None, "To decide it, collect more conversations"),
        ("switch", "passed", None, "Paste the settings below into plainloop.toml"),
    ]
    for n, (kind, verdict, more, says) in enumerate(cases):
        rules = [{**rule, "needs": {"conversations": more}} for rule in worker["rules"]]
        found = {**worker, "kind": kind, "rules": rules}
        result = {**told["result"], "verdict": verdict, "workers": [found]}
        await page.route(f"**/api/advice/{n}", answer_with({**told, "result": result}))
        await viewer.go(f"#/lab.advice/{n}")
        await expect(page.get_by_role("region", name="What to do now")).to_contain_text(says)
        await expect(page.locator(".verdict.bad")).to_have_count(0)
        doubt = (
            "Sorting of requests: tried to choose a candidate: b (effort none) on 4 conversations."
        )
        await expect(page.get_by_text(doubt)).to_have_count(1)
        again = page.get_by_role("link", name="ask again with other settings")
        await expect(again).to_have_count(1 if kind in ("undecided", "not_judged") else 0)
    undecided = {**worker, "kind": "undecided", "rules": []}
    names = ("triage", "general", "crm_worker")
    result = {**told["result"], "workers": [{**undecided, "worker": name} for name in names]}
    await page.route("**/api/advice/several", answer_with({**told, "result": result}))
    await viewer.go("#/lab.advice/several")
    await expect(page.get_by_role("region", name="What to do now").locator("p")).to_have_text(
        re.compile(r"^\S.*, .* and .* keep their models for now\. To decide it, collect")
    )
    for width, scheme in ((1280, "light"), (390, "dark")):
        await viewer.look_as(width, scheme)
        assert await viewer.list_barriers() == []
        assert await page.evaluate("document.body.scrollWidth <= innerWidth")
