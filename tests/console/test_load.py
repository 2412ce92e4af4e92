"""Much of everything: what is shown stays a screenful, and the rest is a step away.

Sizes by the environment; times are printed (`-s`), never asserted.
"""

from __future__ import annotations

import os

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.server.conftest import Serve, ask, begin

MESSAGES = int(os.environ.get("PLAINLOOP_CONSOLE_MESSAGES", "300"))  # issue 15 asks for 5,000
STEPS = int(os.environ.get("PLAINLOOP_CONSOLE_STEPS", "300"))  # and 10,000
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
