"""Pictures of every screen, by a browser over a service with rows: `./scripts/pictures` makes them.

It stands on the tests' fixtures, so pytest is what calls each `make_…` here.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
from playwright.async_api import Page, Route, expect

from packages.documents.tests.samples import LINES, make_pdf
from plainloop.agent.config.settings import Settings
from plainloop_memory.settings import MemorySettings
from tests.console.conftest import Look, Viewer, try_cheaper
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage, verdict
from tests.server.conftest import HEADERS, Serve, Served, ask, begin, serving
from tests.server.replays import finish, post

FOLDER = Path(os.environ["PLAINLOOP_CONSOLE_PICTURES"])
WIDTHS = (390, 768, 1440, 1920)
SCHEMES = ("light", "dark")
PACKS = (
    "staff_onboarding",
    "packages.retrieval.tests.answering",
    "packages.retrieval.tests.shipping",
)
NEW = (
    *("chat", "history", "approvals", "usage", "health"),
    *("lab.experiments", "lab.compare"),
    *("careers.tracker", "careers.letters", "careers.profile"),
    *("memory.memories", "knowledge.documents"),
    *("settings/people", "settings/automation", "settings/prices", "settings/tools"),
)
pytest_plugins = ["tests.console.conftest"]

JOBS = [
    ("Cafe Uno", "Cook", "Lisbon", "saved", 28_000, None, "food, mornings"),
    ("Northwind Traders", "Backend Engineer", "Berlin", "applied", 85_000, 105_000, "python"),
    ("Contoso", "Platform Engineer (m/f/d), Observability and Cost", "remote", "interviewing",
     92_000, 118_000, "python, postgres, remote"),
    ("Fabrikam", "Data Engineer", "Hamburg", "applied", 78_000, None, "sql"),
    ("Adventure Works", "Staff Engineer", "Zürich", "offer", 140_000, 165_000, "lead"),
    ("Tailspin Toys", "Engineering Manager", "Munich", "rejected", None, None, ""),
    ("Litware", "Site Reliability Engineer", "remote", "saved", 80_000, 95_000, "go, remote"),
    ("Wide World Importers", "Python Developer", "Vienna", "applied", 62_000, 74_000, "python"),
    ("Proseware", "Technical Writer", "Dublin", "saved", 55_000, None, "docs"),
]  # fmt: skip
SAID = [
    ("Jobs in Berlin", "list my jobs"),
    ("How many applications are open?", "how many jobs do I have?"),
    ("Contoso: what I know of them", "list my contacts"),
    ("Add the cook's job", "add a job: Barista at Cafe Due"),
    ("", "how many companies do I know?"),
]
LETTER = """Dear hiring team at Contoso,

your platform keeps **3,000 services** observable; I have run one such for six years.

1. At Northwind I cut the cost of traces by 41 %.
2. I moved 120 dashboards to one query language.

| year | services | cost of traces |
|---|---:|---:|
| 2023 | 900 | 310,000 |
| 2024 | 1,400 | 184,000 |

```python
def keep(span):
    return span.error or span.duration_ms > 500
```

I would like to talk about how [your team](https://contoso.example/platform) samples today.

Kind regards
Ann"""
MORE_CALLS = """
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, worker,
    role, provider, model, estimated_input_tokens, created_at, status, usage_source, input_tokens,
    cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_usd,
    first_token_ms, duration_ms, error_code)
select tenant_id, gen_random_uuid(), user_id, thread_id, run_id, step, 1, node,
    case n % 4 when 0 then 'crm_worker' when 1 then 'cover_letter' when 2 then 'job_search' end,
    role,
    case n % 3 when 0 then 'anthropic' when 1 then 'openai' else 'gemini' end,
    case n % 3 when 0 then 'claude-sonnet-4-5' when 1 then 'gpt-5-mini' else 'gemini-2.5-flash' end,
    800, now() - make_interval(days => n / 8, hours => n % 8),
    case when n % 23 = 0 then 'failed' else 'succeeded' end, 'provider',
    400 + (n * 37) % 900, 600 + (n * 53) % 1700, (n * 11) % 200, 80 + (n * 29) % 400, (n * 7) % 90,
    (0.002 + ((n * 31) % 70) / 4000.0)::numeric, 200 + (n * 17) % 600, 900 + (n * 41) % 4200,
    case when n % 23 = 0 then 'RATE_LIMITED' end
from (select * from llm_calls where tenant_id = 'local' and run_id is not null
    order by call_id limit 1) as one, generate_series(1, 260) as n
"""

MORE_REPLICAS = """
insert into replicas (owner, is_draining, seen_at, started_at) values
    ('web-7f9c4.b0.1/7/1', false, now() - interval '3 seconds', now() - interval '3 hours'),
    ('web-2b81e.b0.1/7/1', true, now() - interval '8 seconds', now() - interval '2 days'),
    ('web-90a3d.b0.1/7/1', false, now() - interval '11 minutes', now() - interval '2 days')
"""


HANDBOOK = """# Holidays

Every employee has 30 days of holiday. Book them two weeks ahead in the calendar.

# Equipment

A broken laptop is replaced within a day by the service desk.
"""
MORE_DELIVERIES = """
insert into webhook_deliveries (tenant_id, webhook_id, event, data, attempts, status, answer)
select tenant_id, webhook_id, 'run.ended', '{"run_id": "x"}', 3, 500, 'no' from webhooks
"""


async def fill(served: Served, local: httpx2.AsyncClient) -> dict[str, str]:
    """What somebody has after some weeks. Returns: the screens' addresses by a name for each."""
    for company, title, location, status, least, most, tags in JOBS:
        body: dict[str, Any] = {"company": company, "title": title, "location": location}
        body |= {"status": status, "tags": tags, "salary_currency": "EUR"}
        body |= {"salary_min": least, "salary_max": most}
        answer = await local.post("/api/jobs", json={k: v for k, v in body.items() if v})
        assert answer.status_code == 201, answer.text
    for title, said in SAID * 2:
        await ask(local, await begin(local, title), said)
    file = {"file": ("cv.pdf", make_pdf(*LINES), "application/pdf")}
    assert (await local.post("/api/resume", files=file)).status_code < 300
    letter = await begin(local, "A letter for Contoso")
    await ask(local, letter, "write a cover letter for the Contoso job")
    [claimed] = (await local.get("/api/documents")).json()["documents"]
    models = served.service.models
    written = await begin(local, "A letter that was written twice")
    served.service.models = ScriptedModels(  # type: ignore[assignment]
        ScriptedProvider(
            triage("cover_letter"),
            tools(
                ("call-1", "list_jobs", {"status": "interviewing"}), said="I look at the job first."
            ),
            text("Dear sir or madam, I am very motivated."),
            verdict("retry", "Names neither the company nor one thing that was done.", 0.3),
            text(LETTER),
            text(LETTER),  # what it claims is nowhere: that is seen without a model
            text(LETTER),
            verdict("pass", score=0.9),
        )
    )
    retried = await ask(local, written, "Write a letter to Contoso, with numbers from my résumé.")
    served.service.models = models
    body = {"title": "Letter to Contoso", "content": "Dear team, I cook well.", "kind": "other"}
    answer = await local.post("/api/documents", json=body)
    assert answer.status_code == 201, answer.text
    document = answer.json()["document_id"]
    await local.post(f"/api/documents/{document}/versions", json={"content": LETTER})
    first = await ask(local, await begin(local, "Two jobs"), "add a job: Waiter at Cafe Tre")
    second = await ask(local, await begin(local, "Two jobs"), "add a job: Cook at Cafe Quattro")
    made = await post(local, max_cost_usd=5)
    await finish(local, made["id"])
    one = f"/api/replays/{made['id']}"
    for n, said in enumerate(("better", "worse", "same", "better")):
        await local.put(f"{one}/conversations/{n}/verdict", json={"verdict": said, "note": "terse"})
    others = {
        name: await try_cheaper(served, local, count, failing)
        for name, count, failing in (("passed", 9, 3), ("undecided", 3, 1), ("failed", 9, 60))
    }
    await local.put("/api/budgets", json={"scope": "tenant", "limit_usd": "5", "period": "month"})
    await local.put("/api/budgets", json={"scope": "user", "limit_tokens": 900_000})
    for job in ("1", "2"):
        asked = await begin(local, f"Delete job {job}")
        await ask(local, asked, f"delete job {job}")
    async with served.service.store.transaction("local") as tx:
        await tx.execute(MORE_CALLS)
    async with served.service.store.database.operate() as tx:
        await tx.execute(MORE_REPLICAS)
    return {
        "chat-empty": "#/chat",
        "chat": f"#/chat/{written}",
        "chat-letter": f"#/chat/{letter}",
        "chat-waiting": f"#/chat/{asked}",
        "threads": "#/history",
        "threads-none": "#/history?text=nothing+has+this",
        "approvals": "#/approvals",
        "run": f"#/runs/{retried['run_id']}",
        "run-raw": f"#/runs/{retried['run_id']}?tab=raw",
        "usage": "#/usage",
        "usage-custom": "#/usage?from=2026-10-12&to=2026-11-05",
        "palette": f"#/chat/{asked}?",
        "usage-model": "#/usage?by=model&split=worker",
        "replays": "#/lab.experiments",
        "replay": f"#/lab.experiments/{made['id']}",
        "replay-passed": f"#/lab.experiments/{others['passed']}",
        "replay-failed": f"#/lab.experiments/{others['failed']}",
        "replay-undecided": f"#/lab.experiments/{others['undecided']}",
        "replay-new": "#/lab.experiment",
        "replay-one": f"#/lab.experiments/{made['id']}?n=3",
        "compare": f"#/lab.compare?a={first['run_id']}&b={second['run_id']}",
        "compare-empty": "#/lab.compare",
        "tracker": "#/careers.tracker",
        "tracker-table": "#/careers.tracker?view=table",
        "tracker-job": "#/careers.tracker?job=2",
        "tracker-add": "#/careers.tracker?add=saved",
        "interview": "#/careers.profile",
        "letters": "#/careers.letters",
        "letter": f"#/careers.letters/{document}",
        "letter-claims": f"#/careers.letters/{claimed['document_id']}",
        "system": "#/health",
        "settings": "#/settings",
        "settings-tools": "#/settings/tools",
        "settings-prices": "#/settings/prices",
        "settings-all": "#/settings/all",
        "settings-automation": "#/settings/automation",
        "settings-people": "#/settings/people",
        "settings-audit": "#/settings/audit",
        "settings-clients": "#/settings/clients",
        "missing": "#/runs/none",
    }


async def fill_packages(served: Served, local: httpx2.AsyncClient) -> dict[str, str]:
    """What packages without a worker of their own show, and the settings that grow."""
    long = "Is called Ann, lives in Lisbon, and wants letters that begin with what the firm needs; "
    for said in ("Likes tea", long * 3, "https://contoso.example/" + "platform" * 20):
        await _create(local, "/api/memories", {"text": said})
    for name, is_outside in (("handbook.md", ""), (f"travel-{'rules-' * 12}2026.md", "true")):
        file = {"file": (name, HANDBOOK.encode(), "text/markdown")}
        answer = await local.post("/api/knowledge", files=file, data={"is_outside": is_outside})
        assert answer.status_code < 300, answer.text
    for name in ("nightly report", f"the{' very' * 14} long name of a key"):
        made = await _create(local, "/api/keys", {"name": name})
    await local.delete(f"/api/keys/{made['key_id']}")
    said = "How many jobs have I applied to, and which of them did not answer for two weeks?"
    for name, cron in (("Morning mail", "30 7 * * MON-FRI"), ("Often", "*/20 8-18 1-7 */2 *")):
        await _create(local, "/api/schedules", {"name": name, "cron": cron, "message": said})
    for url in ("https://hooks.example/agent", f"https://hooks.example/{'deep/' * 30}"):
        await _create(local, "/api/webhooks", {"url": url, "events": ["run.ended"]})
    async with served.service.store.transaction("local") as tx:
        await tx.execute(MORE_DELIVERIES)
    await local.put("/api/budgets", json={"scope": "user", "user_id": "ann", "limit_tokens": 5})
    for said in (("Ada Lovelace", "E-1", "keyboard"), ("Alan Turing",)):
        begun = await _create(local, "/api/chat/onboarding/kick", {"new": True})
        for answer in said:
            await ask(local, begun["conversation_id"], answer)
    return {
        "memory": "#/memory.memories",
        "documents": "#/knowledge.documents",
        "colleagues": "#/staff_onboarding.colleagues",
        "full-people": "#/settings/people",
        "full-automation": "#/settings/automation",
        "full-audit": "#/settings/audit",
        "full-prices": "#/settings/prices",
        "full-tools": "#/settings/tools",
        "settings-appearance": "#/settings/appearance",
        "settings-keyboard": "#/settings/keyboard",
        "settings-data": "#/settings/data",
    }


async def _create(local: httpx2.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = await local.post(path, json=body, headers=HEADERS)
    assert answer.status_code < 300, answer.text
    return answer.json()


async def choose_call(page: Page) -> None:
    await page.click("button.trace-row.model >> nth=1")


async def search_documents(page: Page) -> None:
    await page.fill("#search", "holiday")
    await page.keyboard.press("Enter")


async def jump(page: Page) -> None:
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="Search or jump to")).to_be_focused()
    await page.keyboard.type("con")


async def choose_period(page: Page) -> None:
    await page.click("summary[title='Another period']")


# What is done on a screen before its picture is made.
ACTS = {
    "run": choose_call,
    "documents": search_documents,
    "palette": jump,
    "usage-custom": choose_period,
}


async def photograph(served: Served, look: Look, addresses: dict[str, str]) -> None:
    wanted = os.environ.get("PLAINLOOP_CONSOLE_SCREENS", "").split()
    for width in WIDTHS:
        for scheme in SCHEMES:
            viewer = await look(served, width=width, scheme=scheme)
            for name, address in addresses.items():
                if wanted and name not in wanted:
                    continue
                await viewer.go(address)
                await expect(viewer.page.locator("h1").first).to_be_attached()
                await asyncio.sleep(1.0)  # what changes is streamed: the network is never idle
                if name in ACTS:
                    await ACTS[name](viewer.page)
                    await asyncio.sleep(0.5)
                path = FOLDER / f"{name}-{width}-{scheme}.png"
                await viewer.page.screenshot(path=path, full_page=True)
                await viewer.page.keyboard.press("Escape")


async def make_pictures_of_every_screen(serve: Serve, look: Look):
    served = await serve(auth=False, packs=("careers",))
    await photograph(served, look, await fill(served, await served.client()))


async def make_pictures_of_what_packages_bring(settings: Settings, look: Look):
    async with serving(with_packages(settings)) as served:
        await photograph(served, look, await fill_packages(served, await served.client()))


async def make_pictures_of_screens_where_nothing_is_there_yet(settings: Settings, look: Look):
    async with serving(with_packages(settings, "careers")) as served:
        await photograph(served, look, name_new("none"))


async def make_pictures_of_screens_where_the_service_does_not_answer(
    settings: Settings, look: Look
):
    async def fail(route: Route) -> None:
        await route.abort()

    async def open_failing(*given: Any, **more: Any) -> Viewer:
        viewer = await look(*given, **more)
        await viewer.page.wait_for_selector("#said")
        await viewer.page.route("**/api/**", fail)
        return viewer

    async with serving(with_packages(settings, "careers")) as served:
        await photograph(served, open_failing, name_new("fails"))


def name_new(state: str) -> dict[str, str]:
    return {f"{state}-{name.replace('/', '-')}": f"#/{name}" for name in NEW}


def with_packages(settings: Settings, *packs: str) -> Settings:
    agent = replace(settings.agent, packs=(*packs, *PACKS), onboarding="staff_onboarding")
    tables = {**settings.tables, MemorySettings: MemorySettings(workers=("*",))}
    return replace(settings, provider="offline", agent=agent, tables=tables)
