"""Much of everything: what is shown stays a screenful, and the rest is a step away.

Sizes by the environment; times are printed (`-s`), never asserted.
"""

from __future__ import annotations

import os
import re

from playwright.async_api import expect

from tests.console.conftest import WAIT_MS, Look
from tests.replay.test_routes import TALK, finish, post
from tests.server.conftest import Serve, ask, begin

MESSAGES = int(os.environ.get("PLAINLOOP_CONSOLE_MESSAGES", "300"))  # issue 15 asks for 5,000
STEPS = int(os.environ.get("PLAINLOOP_CONSOLE_STEPS", "300"))  # and 10,000
CONVERSATIONS = int(os.environ.get("PLAINLOOP_CONSOLE_CONVERSATIONS", "120"))  # and 10,000
SECONDS = int(os.environ.get("PLAINLOOP_CONSOLE_SECONDS", "3"))  # and 60, of 200 tokens each
TEXT_BYTES = int(os.environ.get("PLAINLOOP_CONSOLE_TEXT_BYTES", "200000"))  # and 1,000,000
WATCH = """() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.longTasks.push(Math.round(entry.duration));
    }).observe({ type: "longtask", buffered: true });
}"""
ADD_MESSAGES = """
insert into messages (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
select tenant_id, thread_id, position + n, run_id, role,
    json_build_array(json_build_object('type', 'text', 'text',
        case when n = $3 then repeat($4, $5) else '**said** number ' || n end)), 1, 0
from (select * from messages where tenant_id = $1 and thread_id = $2
    order by position desc limit 1) as last, generate_series(1, $3) as n
"""
ADD_STEPS = """
insert into steps (tenant_id, run_id, n, node, update, next_node, started_at, duration_ms)
select tenant_id, run_id, steps.n + more.n, node, update, next_node, started_at, duration_ms
from steps, generate_series(1, $3) as more (n)
where tenant_id = $1 and run_id = $2
    and steps.n = (select max(n) from steps where tenant_id = $1 and run_id = $2)
"""
ADD_CONVERSATIONS = """
insert into replay_items (tenant_id, replay_id, user_id, n, lane, conversation, status, result)
select tenant_id, replay_id, user_id, more.n, lane,
    jsonb_set(jsonb_set(conversation::jsonb, '{conversation_id}', to_jsonb('no ' || more.n)),
        '{messages,1,content}', to_jsonb('question ' || more.n)),
    status,
    case when more.n = $3 and lane = 'candidate'
        then jsonb_set(result::jsonb, '{turns,0,error}', '"TOOL_FAILED"')::json else result end
from replay_items, generate_series(1, $3) as more (n)
where tenant_id = $1 and replay_id = $2 and replay_items.n = 0
"""


async def test_long_conversations_runs_and_messages_show_a_screenful(serve: Serve, look: Look):
    served = await serve(auth=False)
    local = await served.client()
    conversation = await begin(local)
    told = await ask(local, conversation, "add a job: Cook at Cafe Uno")
    word = "a word, *another* one; "
    async with served.service.store.transaction("local") as tx:
        amount = [MESSAGES, word, TEXT_BYTES // len(word)]
        await tx.execute(ADD_MESSAGES, "local", conversation, *amount)
        await tx.execute(ADD_STEPS, "local", told["run_id"], STEPS)
    viewer = await look(served)
    page = viewer.page
    await page.evaluate(WATCH)

    await viewer.go(f"#/chat/{conversation}")
    shown = page.locator(".message")
    await expect(shown).to_have_count(50)
    await page.click("text=Show earlier messages")
    await expect(shown).to_have_count(100)
    await viewer.go(f"#/runs/{told['run_id']}")
    await expect(page.locator("main li.panel")).to_have_count(200)
    await page.click("text=Show more")
    await expect(page.locator("main li.panel").nth(200)).to_be_visible()
    await viewer.go("#/chat")
    await expect(page.locator(".empty")).to_be_visible()

    print("long tasks, ms:", await page.evaluate("window.longTasks"))
    assert viewer.troubles == viewer.foreign == []


async def test_a_replay_of_many_conversations_is_paged_filtered_and_compared_once(
    serve: Serve, look: Look
):
    served = await serve(auth=False)
    local = await served.client()
    made = await post(local, conversations=[TALK])
    await finish(local, made["id"])
    async with served.service.store.transaction("local") as tx:
        await tx.execute(ADD_CONVERSATIONS, "local", made["id"], CONVERSATIONS)
    viewer = await look(served)
    page, asked = viewer.page, list[str]()
    page.on("request", lambda request: asked.append(request.url.removeprefix(served.url)))
    await page.evaluate(WATCH)

    one = f"/api/replays/{made['id']}"
    await viewer.go(f"#/replays/{made['id']}")
    rows = page.locator("main li.panel")
    await expect(rows).to_have_count(50)
    await page.click("text=Show more")
    await expect(rows).to_have_count(100)
    await expect(page.locator("main")).to_contain_text("Measures", timeout=WAIT_MS * 5)
    await page.select_option("select", "worse")
    await expect(rows).to_have_count(1, timeout=WAIT_MS * 5)
    await expect(rows).to_contain_text(f"question {CONVERSATIONS}")
    await page.select_option("select", "")
    await page.fill("#search", "question 77")
    await page.keyboard.press("Enter")
    await expect(rows.first).to_contain_text("question 77")
    await rows.first.locator("a").click()
    await expect(page.locator("h1")).to_have_text("Conversation, side by side")
    await page.click("text=Next (j)")
    await expect(page).to_have_url(re.compile(r"n=78$"))
    await expect(page.locator("main li.panel").first).to_contain_text("question 78")

    print("long tasks, ms:", await page.evaluate("window.longTasks"))
    reports = [path for path in asked if path == one]
    assert reports == [one], "who goes through conversations does not have all compared again"
    assert viewer.troubles == viewer.foreign == []
