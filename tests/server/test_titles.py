"""A conversation gets its title from the small model, in the background, once, and only over the
first words."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ModelAuthError
from plainloop.agent.service.settings import TitleSettings
from plainloop.agent.service.titles import Titles
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.running import TENANT
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, triage
from tests.server.conftest import HEADERS, Serve, Served, ask, begin
from tests.server.test_tenants import load_everything

SAID = "Could you please write a letter to Contoso for me?"
ANSWERED = (triage("crm_worker"), text("Dear team, I build platforms."))
TITLE = text(json.dumps({"title": "“Letter to Contoso.”"}))
CALLS = "select role, worker, response, status from llm_calls where worker = 'titles'"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.change(TitleSettings, titles=True)


def set_script(served: Served, *script: Any, provider: str = "openai") -> ScriptedProvider:
    scripted = ScriptedProvider(*script)
    scripted.provider = provider
    served.service.models = ScriptedModels(scripted)  # type: ignore[assignment]
    return scripted


async def finish_titles(served: Served) -> None:
    (titles,) = [host for host in served.replica.hosts if isinstance(host, Titles)]
    if titles.tasks:
        await asyncio.wait(titles.tasks)


async def read_title(client: httpx2.AsyncClient, chat: str) -> str:
    return (await client.get(f"/api/chat/conversations/{chat}")).json()["conversation"]["title"]


async def rename(client: httpx2.AsyncClient, chat: str, title: str) -> None:
    path = f"/api/chat/conversations/{chat}"
    assert (await client.patch(path, json={"title": title}, headers=HEADERS)).status_code == 200


async def test_a_title_replaces_the_first_words_after_the_first_answer_only(
    served: Served, ann: httpx2.AsyncClient
):
    model = set_script(served, *ANSWERED, TITLE, *ANSWERED)
    chat = await begin(ann)
    await ask(ann, chat, SAID)
    await finish_titles(served)
    await ask(ann, chat, "And one to Fabrikam, a little shorter?")
    await finish_titles(served)
    calls = await served.service.store.read(TENANT).fetch(CALLS)
    used = (await ann.get("/api/usage", params={"by": "feature"})).json()["usage"]

    assert await read_title(ann, chat) == "Letter to Contoso"
    request = model.requests[2]
    shown = request.messages[0]["parts"][0]["text"]
    assert (request.effort, SAID in shown, "I build platforms" in shown) == ("low", True, True)
    assert model.script == [] and len(model.requests) == 5
    assert [dict(row) for row in calls] == [
        {"role": "classifier", "worker": "titles", "response": None, "status": "succeeded"}
    ]
    assert {row["feature"]: row["calls"] for row in used} == {"crm_worker": 4, "titles": 1}


async def test_conversations_of_other_protocols_get_no_model_title(
    served: Served, ann: httpx2.AsyncClient
):
    pytest.importorskip("plainloop_frontends")
    model = set_script(served, *ANSWERED)
    body = {"model": "tracker/default", "messages": [{"role": "user", "content": SAID}]}
    answer = await ann.post("/v1/chat/completions", json=body)
    await finish_titles(served)
    chats = (await ann.get("/api/chat/conversations")).json()["conversations"]

    assert answer.status_code == 200
    assert [chat["title"] for chat in chats] == [SAID]
    assert len(model.requests) == 2
    assert await served.service.store.read(TENANT).fetch(CALLS) == []


async def test_a_title_that_a_user_set_is_not_replaced_by_a_model(
    served: Served, ann: httpx2.AsyncClient
):
    model = set_script(served, *ANSWERED)
    named = await begin(ann, "Mine")
    await ask(ann, named, SAID)
    await finish_titles(served)
    assert (await read_title(ann, named), len(model.requests)) == ("Mine", 2)

    chat = await begin(ann)

    async def rename_meanwhile(_: ChatRequest) -> LLMResponse:
        await rename(ann, chat, "Mine, too")
        return TITLE

    set_script(served, *ANSWERED, rename_meanwhile)
    await ask(ann, chat, SAID)
    await finish_titles(served)
    assert await read_title(ann, chat) == "Mine, too"


async def test_a_failed_title_request_leaves_the_first_words_as_title(
    served: Served, ann: httpx2.AsyncClient
):
    for answers in (
        [ModelAuthError("no")],
        [text("no JSON"), text("no JSON")],
        [text(json.dumps({"title": " ”“ "}))],
    ):
        set_script(served, *ANSWERED, *answers)
        chat = await begin(ann)
        told = await ask(ann, chat, SAID)
        await finish_titles(served)

        assert told["content"] == "Dear team, I build platforms."
        assert await read_title(ann, chat) == SAID


async def test_a_chat_erased_during_its_title_request_stays_erased(
    served: Served, ann: httpx2.AsyncClient
):
    chat = await begin(ann)

    async def erase(_: ChatRequest) -> LLMResponse:
        path = f"/api/chat/conversations/{chat}"
        assert (await ann.delete(path, headers=HEADERS)).status_code == 204
        return text(json.dumps({"title": "Zyzzyva"}))

    model = set_script(served, *ANSWERED, erase)
    await ask(ann, chat, SAID)
    await finish_titles(served)

    assert model.script == []
    assert b"Zyzzyva" not in await load_everything(served.service.store, TENANT)


@pytest.mark.parametrize(("titles", "provider"), [(False, "openai"), (True, "offline")])
async def test_without_a_model_or_the_setting_no_title_is_requested(
    serve: Serve, settings: Settings, titles: bool, provider: str
):
    served = await serve()
    served.service.settings = settings.change(TitleSettings, titles=titles)
    model = set_script(served, *ANSWERED, provider=provider)
    ann = await served.client("ann")
    chat = await begin(ann)
    await ask(ann, chat, SAID)
    await finish_titles(served)

    assert (await read_title(ann, chat), len(model.requests)) == (SAID, 2)
