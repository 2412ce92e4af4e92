"""What a model, a user or a page says is shown and never run."""

from __future__ import annotations

from playwright.async_api import expect

from tests.console.conftest import Look
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, ask, begin, until
from tests.server.replays import finish, post

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=https://evil.example/a.png>",
    "![beacon](https://evil.example/b.png)",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt:alert(1))",
    "[click](data:text/html,<script>alert(1)</script>)",
    "[click](//evil.example/c)",
    "[by reference][r]\n\n[r]: javascript:alert(1)",
    "<a href='javascript:alert(1)'>click</a>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<style>@import 'https://evil.example/d.css';</style>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<form action='https://evil.example/'><button>send</button></form>",
    "<details open ontoggle=alert(1)>",
    "<!-- --><img src=x onerror=alert(1)> -->",
    "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
    "```html\n<script>alert(1)</script>\n```",
    "`<script>alert(1)</script>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202eevil\u202c <object data='javascript:alert(1)'></object>",
    "<https://evil.example/e> and <javascript:alert(1)>",
    '__proto__ {"dangerouslySetInnerHTML": {"__html": "<img src=x onerror=alert(1)>"}}',
)
OPEN_ALL = "document.querySelectorAll('details').forEach((item) => { item.open = true; })"
DANGEROUS = (
    "iframe, object, embed, form[action], base, main script, main style, main img,"
    " main svg:not(.chart svg, .icon, .axis)"
)


async def test_script_payloads_in_displayed_data_never_run(serve: Serve, look: Look):
    everything = "\n\n".join(PAYLOADS)
    arguments = {"status": everything, "dangerouslySetInnerHTML": {"__html": PAYLOADS[1]}}
    script = [triage("crm_worker"), tools(("c1", "list_jobs", arguments)), text(everything)]
    served = await serve(*script, auth=False)
    local = await served.client()
    conversation = await begin(local, PAYLOADS[0] + PAYLOADS[1])
    viewer = await look(served, f"/#/chat/{conversation}")
    page = viewer.page

    await viewer.say(everything)
    await expect(page.locator(".message.assistant .foot")).to_be_visible()
    await page.evaluate(OPEN_ALL)
    assert await page.locator(DANGEROUS).count() == 0
    for link in await page.locator(".prose a").all():
        assert (await link.get_attribute("href") or "").startswith(("http:", "https:", "mailto:"))
        assert await link.get_attribute("rel") == "noopener noreferrer nofollow"
    run_id = (await local.get(f"/api/chat/conversations/{conversation}/runs")).json()["runs"][0]
    for address, shown in (
        ("#/history", "1 message"),
        (f"#/runs/{run_id['id']}", "What happened"),
        (f"#/runs/{run_id['id']}?tab=raw", "plainloop replay recorded"),
    ):
        await viewer.go(address)
        await expect(page.locator("main")).to_contain_text(shown)
        if shown == "What happened":
            for place in range(await page.locator("button.trace-row").count()):
                await page.locator("button.trace-row").nth(place).click()
                assert await page.locator(DANGEROUS).count() == 0
            await page.locator("button.trace-row.model").first.click()  # its request is asked for
            for part in ("JSON", "Tools", "Prompt"):
                await page.get_by_role("button", name=part, exact=True).click()
                assert await page.locator(DANGEROUS).count() == 0
            await expect(page.locator("main")).to_contain_text("Rebuilt from the ledger")
        await page.evaluate(OPEN_ALL)
        assert await page.locator(DANGEROUS).count() == 0


async def test_script_payloads_in_replays_and_approvals_never_run(serve: Serve, look: Look):
    everything = "\n\n".join(PAYLOADS)
    served = await serve(auth=False)
    local = await served.client()
    job = {"company": PAYLOADS[1], "title": PAYLOADS[5]}
    await local.post("/api/jobs", json=job)
    run_id = (await ask(local, await begin(local), everything))["run_id"]
    made = await post(local, baseline=False)
    await finish(local, made["id"])
    waiting = await ask(local, await begin(local), "delete job 1")
    assert waiting["approvals"]
    denied = await ask(local, await begin(local), "delete job 1")
    [asked] = denied["approvals"]
    path = f"/api/runs/{denied['run_id']}/approvals/{asked['approval_id']}"
    reason = {"approve": False, "reason": "\n".join((*PAYLOADS[:8], PAYLOADS[-1]))}
    assert (await local.post(path, json=reason)).status_code == 200
    viewer = await look(served)
    page = viewer.page

    for address, shown in (
        (f"#/lab.experiments/{made['id']}", "All measures"),
        (f"#/lab.experiments/{made['id']}?n=0", "evil.example"),
        (f"#/lab.compare?a={run_id}&b={run_id}", "Tool calls"),
        ("#/approvals", "onerror"),
        (f"#/runs/{denied['run_id']}?tab=approvals", "because"),
    ):
        await viewer.go(address)
        await expect(page.locator("main")).to_contain_text(shown)
        await page.evaluate(OPEN_ALL)
        assert await page.locator(DANGEROUS).count() == 0


async def test_the_csp_refuses_html_created_from_text(serve: Serve, look: Look):
    viewer = await look(await serve(auth=False))
    await viewer.page.wait_for_selector("h1", state="attached")

    refused = await viewer.page.evaluate(
        "(() => { try { document.body.innerHTML = '<b>x</b>'; } catch (e) { return e.name; } })()"
    )

    async def is_told() -> bool:
        return len(viewer.troubles) == 1

    await until(is_told)
    assert (refused, "TrustedHTML" in viewer.troubles.pop()) == ("TypeError", True)
