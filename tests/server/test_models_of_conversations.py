"""A model of a conversation or a message: who may choose it, what answers, what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.server.settings import AuthSettings
from tests.server.conftest import SECRET, Served, ask, begin, serving
from tests.server.test_websocket import open_socket, receive, send
from tests.wire_fixtures import StartWire

PATH = "/api/chat/conversations"
INTERVIEW = "/api/chat/onboarding/messages"
OTHER = "ollama:llama3.1"


@pytest.fixture
async def offered(settings: Settings, wire_server: StartWire) -> AsyncIterator[Served]:
    """Rules answer by default; an Ollama is there, and users may choose one of its models."""
    wire = await wire_server()
    environ = {"OLLAMA_HOST": wire.base_url, "ANTHROPIC_API_KEY": "any"}
    auth = replace(
        settings.get_table(AuthSettings), jwt_secret=Secret(SECRET), user_models=(OTHER,)
    )
    chosen = replace(settings.with_tables(auth), provider="offline", _environ=environ)
    async with serving(chosen) as served:
        yield served


async def list_ids(client: httpx2.AsyncClient) -> list[str]:
    return [item["id"] for item in (await client.get("/api/models")).json()["models"]]


async def list_questions(served: Served, run_id: str) -> set[str]:
    """Which models a run really asked."""
    calls = await served.service.store.list_calls("acme", run_id)
    return {f"{call.provider}:{call.model}" for call in calls}


async def change(client: httpx2.AsyncClient, conversation: str, body: dict[str, Any]) -> Any:
    return await client.patch(f"{PATH}/{conversation}", json=body)


async def test_selectable_models_are_listed_with_the_current_one(offered: Served):
    ann = await offered.client("ann")
    boss = await offered.client("boss", is_admin=True)

    models = (await ann.get("/api/models")).json()["models"]

    assert [item["id"] for item in models] == ["offline:offline-rules", OTHER]
    assert [item["is_default"] for item in models] == [True, False]
    assert set(await list_ids(ann)) < set(await list_ids(boss))


async def test_a_conversations_model_applies_until_it_is_unset(offered: Served):
    ann = await offered.client("ann")
    made = (await ann.post(PATH, json={"title": "a", "model": OTHER})).json()

    chosen = await ask(ann, made["id"], "tell me about work")
    once = await ask(ann, made["id"], "and now?", model="offline:offline-rules")
    await change(ann, made["id"], {"model": None})
    own = await ask(ann, made["id"], "and then?")

    assert made["model"] == OTHER
    assert OTHER in await list_questions(offered, chosen["run_id"])
    assert await list_questions(offered, once["run_id"]) == {"offline:offline-rules"}
    assert await list_questions(offered, own["run_id"]) == {"offline:offline-rules"}
    read = (await ann.get(f"{PATH}/{made['id']}")).json()["conversation"]
    assert (read["model"], read["title"]) == (None, "a")


async def test_a_branch_inherits_its_conversations_model(offered: Served):
    ann = await offered.client("ann")
    conversation = await begin(ann)
    await ask(ann, conversation, "hello")
    await change(ann, conversation, {"model": OTHER, "title": "b"})

    made = await ann.post(f"{PATH}/{conversation}/branches", json={})

    assert (made.json()["model"], made.json()["title"]) == (OTHER, "b")


REFUSED = {
    "anthropic:claude-opus-4-5": (403, "MODEL_NOT_ALLOWED"),
    "openai:gpt-4o": (403, "MODEL_NOT_ALLOWED"),
    "nothing": (400, "CONFIG_INVALID"),
    "nobody:model": (400, "CONFIG_INVALID"),
}


async def test_forbidden_models_are_refused_and_not_stored(offered: Served):
    ann = await offered.client("ann")
    conversation = await begin(ann)
    messages = f"{PATH}/{conversation}/messages"
    for model, refusal in REFUSED.items():
        for answer in (
            await ann.post(PATH, json={"model": model}),
            await change(ann, conversation, {"model": model}),
            await ann.post(messages, json={"content": "hi", "model": model}),
        ):
            assert (answer.status_code, answer.json()["error"]["code"]) == refusal, model

    assert (await ann.get(f"{PATH}/{conversation}")).json()["messages"] == []
    assert len((await ann.get(PATH)).json()["conversations"]) == 1


async def test_a_websocket_and_an_interview_refuse_forbidden_models_too(offered: Served):
    ann = await offered.client("ann")
    conversation = await begin(ann)
    told: dict[str, Any] = {}
    async with open_socket(offered) as socket:
        for model, (_, code) in REFUSED.items():
            await send(socket, conversation_id=conversation, content="hi", model=model)
            told[model] = (await receive(socket))["code"], code
    for model, refusal in REFUSED.items():
        answer = await ann.post(INTERVIEW, json={"content": "hi", "model": model})
        assert (answer.status_code, answer.json()["error"]["code"]) == refusal, model

    assert all(code == expected for code, expected in told.values()), told
    assert (await ann.get(f"{PATH}/{conversation}")).json()["messages"] == []


async def test_a_refused_change_changes_nothing(offered: Served):
    ann = await offered.client("ann")
    conversation = await begin(ann, "As it was")
    refused = [
        await change(ann, conversation, {"title": "other", "model": "openai:gpt-4o"}),
        await change(ann, conversation, {"title": "other", "labels": [*"abcdefghijk"]}),
        await change(ann, conversation, {"model": OTHER, "labels": [*"abcdefghijk"]}),
    ]
    read = (await ann.get(f"{PATH}/{conversation}")).json()["conversation"]

    assert [answer.status_code for answer in refused] == [403, 400, 400]
    assert (read["title"], read["model"]) == ("As it was", None)


async def test_choosing_a_model_without_a_key_names_the_missing_key(offered: Served):
    boss = await offered.client("boss", is_admin=True)

    refused = await boss.post(PATH, json={"model": "openai:gpt-4o"})

    assert refused.status_code == 400
    assert "OPENAI_API_KEY" in refused.text


async def test_the_model_of_another_users_conversation_cannot_be_set(offered: Served):
    ann, eve = await offered.client("ann"), await offered.client("ann", "umbrella")
    conversation = await begin(ann)

    assert (await change(eve, conversation, {"model": None})).status_code == 404
