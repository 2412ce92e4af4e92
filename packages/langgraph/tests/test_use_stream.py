"""A page with `useStream` in Chromium, unmodified: in the version that npm calls the latest, and in
2.0.0.
"""

# pyright: basic

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from tests.machine.scripted import Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.node_clients import require_node
from tests.protocols.pages import bundle, open_page, write_page
from tests.protocols.proxying import Proxy, proxying
from tests.runs.test_detached import Gate
from tests.server.conftest import Served, until

from .conftest import ADD, BURN

ROUTE = triage("note_writer")
QUESTION = "please do it for me"
SDK = "@langchain/langgraph-sdk"
versions = pytest.mark.parametrize("package", [SDK, f"{SDK}-2"])
Open = Callable[..., AbstractAsyncContextManager[tuple[Page, Proxy]]]


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    """The page's program with each version, made once."""
    return {}


@pytest.fixture
def opened(chromium: str, programs: dict[str, str], tmp_path: Path) -> Open:
    """`async with opened(served, package, with_history=True) as (page, proxy)`."""

    @asynccontextmanager
    async def open_one(
        served: Served, package: str = SDK, *, with_history: bool = False
    ) -> AsyncIterator[tuple[Page, Proxy]]:
        if package not in programs:
            for needed in (package, "@langchain/core", "react-dom", "esbuild"):
                require_node(needed)
            options = [f"--alias:{SDK}={package}"] if package != SDK else []
            target = tmp_path / "page.js"
            programs[package] = await bundle(target, "langgraph_page.jsx", *options)
        told = {"token": served.token(), "question": QUESTION, "withHistory": with_history}
        content = write_page(programs[package], chat=told)
        async with (
            proxying(served.url) as line,
            open_page(chromium, f"{line.url}/page", content) as page,
        ):
            yield page, line

    return open_one


async def wait_for(page: Page, title: str) -> None:
    await page.wait_for_function(f"document.title === {title!r}")


async def list_shown(page: Page) -> list[tuple[str, str]]:
    """What the page shows, as kind and text; without its buttons."""
    found = await page.eval_on_selector_all(
        "p:not(.question)", "all => all.map(p => [p.className, p.firstChild?.data ?? ''])"
    )
    return [(kind, said) for kind, said in found]


async def list_failures(page: Page) -> Any:
    return await page.evaluate("window.failures")


@versions
async def test_use_stream_shows_tools_and_decides_an_approval(
    package: str, serve: ServeNotes, opened: Open
) -> None:
    served = await serve(ROUTE, tools(ADD, said="I note it."), BURN, text("So be it."))
    async with opened(served, package) as (page, _):
        await page.locator("#ask").click()
        await page.locator("#approve").wait_for()
        await wait_for(page, "waiting")
        question = await page.locator(".question").inner_text()
        calls = await page.locator("code").all_inner_texts()
        await page.locator("#approve").click()
        await page.get_by_text("So be it.").wait_for()
        await wait_for(page, "ready")
        shown, failures = await list_shown(page), await list_failures(page)

    assert (question, calls) == ("Burn all of your 1 notes?", ["add_note", "burn_notes"])
    assert shown == [
        ("human", QUESTION),
        ("ai", "I note it."),
        ("tool", '{"note":{"note_id":1,"text":"milk","stars":0}}'),
        ("ai", "I would burn them."),
        ("tool", '{"burnt":1}'),
        ("ai", "So be it."),
    ]
    assert failures == []


@versions
async def test_a_new_message_abandons_the_pending_interrupt(
    package: str, serve: ServeNotes, opened: Open
) -> None:
    served = await serve(ROUTE, BURN, ROUTE, text("As you like."), ROUTE, text("Again."))
    async with opened(served, package, with_history=True) as (page, _):
        await page.locator("#ask").click()
        await wait_for(page, "waiting")
        for answer in ("As you like.", "Again."):  # it makes up results at each message
            await page.locator("#instead").click()
            await page.get_by_text(answer).wait_for()
            await wait_for(page, "ready")
        shown, failures = await list_shown(page), await list_failures(page)
        asked = await page.locator("#approve").count()

    assert [said for kind, said in shown if kind != "tool"] == [
        *(QUESTION, "I would burn them."),
        *("write it instead", "As you like.", "write it instead", "Again."),
    ]
    assert (asked, failures) == (0, [])
    assert "Successfully" not in str(shown)


@versions
async def test_an_interrupt_can_be_ended_without_an_answer(
    package: str, serve: ServeNotes, opened: Open
) -> None:
    served = await serve(ROUTE, BURN)
    async with opened(served, package) as (page, _):
        await page.locator("#ask").click()
        await wait_for(page, "waiting")
        await page.locator("#resolve").click()
        await wait_for(page, "ready")
        failures = await list_failures(page)

    assert failures == []


@versions
@pytest.mark.parametrize("is_loaded_again", [False, True])
async def test_use_stream_resumes_after_a_cut_and_after_a_reload(
    package: str, is_loaded_again: bool, serve: ServeNotes, opened: Open
) -> None:
    gate = Gate(text("And the rest of it."))
    served = await serve(ROUTE, tools(ADD, said="I note it."), gate)
    async with opened(served, package) as (page, line):
        await page.locator("#ask").click()
        await page.locator(".tool").wait_for()
        if is_loaded_again:
            await page.reload()
            await page.locator(".tool").wait_for()
        else:
            line.cut()
            line.is_cut = False
        gate.open.set()
        await page.get_by_text("And the rest of it.").wait_for()
        await wait_for(page, "ready")
        shown, failures = await list_shown(page), await list_failures(page)

    assert [said for kind, said in shown if kind == "ai"] == ["I note it.", "And the rest of it."]
    assert (len(shown), failures) == (4, [])
    assert len(get_model(served).requests) == 3  # one run, however often it was looked at


@versions
async def test_an_edited_message_becomes_a_branch(
    package: str, serve: ServeNotes, opened: Open
) -> None:
    served = await serve(ROUTE, text("One."), ROUTE, text("Two."))
    async with opened(served, package, with_history=True) as (page, _):
        await page.locator("#ask").click()
        await page.get_by_text("One.").wait_for()
        await wait_for(page, "ready")
        await page.locator(".edit").click()
        await page.get_by_text("Two.").wait_for()
        await wait_for(page, "ready")
        shown, failures = await list_shown(page), await list_failures(page)

    assert shown == [("human", "say it otherwise"), ("ai", "Two.")]
    assert failures == []


async def test_stopping_in_use_stream_cancels_the_run(serve: ServeNotes, opened: Open) -> None:
    served = await serve(ROUTE, Hang("Half of it"))
    async with opened(served) as (page, _):
        await page.locator("#ask").click()
        await page.get_by_text("Half of it").wait_for()
        await page.locator("#stop").click()
        await wait_for(page, "ready")
        [thread] = await served.service.store.list_threads("acme", "ann", limit=9)

        async def has_ended() -> bool:
            found = await served.replica.runs.find_active("acme", "ann", thread.thread_id)
            return found is None

        await until(has_ended)
