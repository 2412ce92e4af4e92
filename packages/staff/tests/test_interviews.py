"""Several interviews of one user, a colleague each: over HTTP and in a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from playwright.async_api import expect

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.server.settings import AuthSettings
from plainloop_staff.settings import get_export_dir
from tests.console.conftest import Look
from tests.console.conftest import look as look
from tests.server.conftest import HEADERS, SECRET, Served, ask, serving
from tests.server.test_contract_answers import Contract
from tests.server.test_websocket import open_socket, receive_run, send

KICK = "/api/chat/onboarding/kick"
LIST = "/api/staff/interviews"
ANSWERS = ("{name}", "E-{n}", "keyboard", "nothing", "yes", "yes")


@pytest.fixture
async def replicas(settings: Settings) -> AsyncIterator[list[Served]]:
    own = replace(
        settings.change(AuthSettings, jwt_secret=Secret(SECRET)),
        provider="offline",
        agent=replace(settings.agent, onboarding="staff_onboarding"),
    )
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(serving(own)) for _ in range(2)]


async def begin(client: httpx2.AsyncClient) -> str:
    answer = await client.post(KICK, json={"new": True}, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    return answer.json()["conversation_id"]


async def test_each_replica_can_continue_an_interview_begun_elsewhere(replicas: list[Served]):
    one, other = [await replica.client("hr") for replica in replicas]
    first, second = await begin(one), await begin(other)

    for said in ANSWERS:  # the older one, at both replicas in turn
        await ask(one, first, said.format(name="Ada Lovelace", n=1))
        one, other = other, one
    await ask(other, second, "Alan Turing")
    listed = (await one.get(LIST)).json()["interviews"]
    export = await other.get(f"{LIST}/{first}/export")
    early = await other.get(f"{LIST}/{second}/export")
    contract = Contract((await other.get("/openapi.json")).json())
    for answer in (await other.get(LIST), early):
        await contract.check(answer)
    assert contract.wrong == []

    told = {item["fields"]["employee_name"]: item for item in listed}
    assert told.keys() == {"Ada Lovelace", "Alan Turing"}
    assert (told["Ada Lovelace"]["missing"], told["Ada Lovelace"]["is_exported"]) == ([], True)
    assert "employee_id" in told["Alan Turing"]["missing"]
    assert (export.json()["employee_id"], export.json()["starter_kit"]) == ("E-1", "keyboard")
    assert early.json()["error"]["code"] == "FIELDS_MISSING"
    (path,) = get_export_dir(replicas[0].settings).iterdir()
    assert path.stem == first
    assert (await one.delete(f"/api/chat/conversations/{first}")).status_code == 204
    assert list(get_export_dir(replicas[0].settings).iterdir()) == []


async def test_a_socket_can_start_further_interviews(replicas: list[Served]):
    served = replicas[0]
    conversation = (await (await served.client()).post("/api/chat/conversations")).json()["id"]
    ends: list[dict[str, Any]] = []
    async with open_socket(served, "/ws/onboarding") as socket:
        for frame in (
            {"type": "kick"},
            {"type": "kick", "new": True},
            {"content": "Ada Lovelace"},  # the newest one goes on
            {"content": "Alan Turing", "conversation_id": conversation},
        ):
            await send(socket, **frame)
            ends.append((await receive_run(socket))[-1])

    first, second, third, fourth = [end["conversation_id"] for end in ends]
    assert len({first, second, fourth}) == 3
    assert (third, fourth) == (second, conversation)


async def test_all_interviews_are_listed_whatever_the_page_size(replicas: list[Served]):
    own = replace(replicas[0].settings, limits=replace(replicas[0].settings.limits, page_rows=2))
    async with serving(own) as served:
        client = await served.client("hr")
        begun = [await begin(client) for _ in range(4)]
        listed = (await client.get(LIST)).json()["interviews"]

    assert [item["conversation_id"] for item in listed] == begun[::-1]


async def test_interviews_are_invisible_to_other_users(replicas: list[Served]):
    own = await replicas[0].client("hr")
    conversation = await begin(own)
    for stranger in (await replicas[0].client("bob"), await replicas[0].client("hr", "other")):
        assert (await stranger.get(LIST)).json() == {"interviews": []}
        assert (await stranger.get(f"{LIST}/{conversation}/export")).status_code == 404


async def test_the_browser_can_start_an_interview_of_a_second_colleague(
    replicas: list[Served], look: Look
):
    local = await replicas[0].client("hr")
    first = await begin(local)
    await ask(local, first, "Ada <img src=x onerror=alert(1)>")
    viewer = await look(replicas[0], width=390)
    await viewer.sign_in("hr")
    page = viewer.page
    await viewer.go("#/staff_onboarding.colleagues")
    await expect(page.locator("main section")).to_have_count(1)
    await expect(page.locator("main")).to_contain_text("Ada <img")

    await page.click("text=Interview a colleague")
    await expect(page.locator(".message.assistant")).to_contain_text("employee name")
    await viewer.say("Alan Turing")
    await expect(page.locator(".message.assistant").last).to_contain_text("employee id")
    await viewer.go("#/staff_onboarding.colleagues")

    await expect(page.locator("main section")).to_have_count(2)
    await expect(page.locator("main section").first).to_contain_text("Alan Turing")
    assert await viewer.list_barriers() == []


@pytest.mark.parametrize("held", [None, "staff_onboarding"])
async def test_the_staff_screen_is_shown_only_if_its_interview_is_served(
    settings: Settings, look: Look, held: str | None
):
    pytest.importorskip("plainloop_careers")  # whose interview is the first of all packs
    agent = replace(settings.agent, packs=("careers", "staff_onboarding"), onboarding=held)
    async with serving(replace(settings, provider="offline", agent=agent)) as served:
        local = await served.client()
        told = (await local.get("/api/config")).json()
        shown = {pack["pack"]: pack["screens"] for pack in told["screens"]}
        viewer = await look(served, "/#/staff_onboarding.colleagues")
        await expect(viewer.page.locator("h1")).to_have_count(1)
        links = await viewer.page.get_by_role("link", name="New colleagues").count()
        begun = await local.post(KICK, json={"new": True})

    assert told["onboarding"] == (held or "careers")
    assert bool(shown["staff_onboarding"]) == bool(links) == (held is not None)
    assert begun.status_code == (200 if held else 400), begun.text
