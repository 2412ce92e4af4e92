"""A worker whose answers are objects, end to end: the console, our own API, the terminal and
OpenAI's API have the same one, and what is exported has it as data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from plainloop.agent.config.settings import Settings
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_wire.serving import build_environ
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.console.conftest import Look
from tests.machine.scripted import text
from tests.server.conftest import ask, begin, serving
from tests.wire_fixtures import StartWire

PACK = """
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.types import JsonSchema

PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string", "title": "Town"}},
    "required": ["city"],
}
PERSON = {
    "title": "A person",
    "type": "object",
    "properties": {
        "full_name": {"type": "string", "title": "Name", "description": "as in the passport"},
        "years_old": {"type": "integer"},
        "is_new": {"type": "boolean", "title": "New here"},
        "note": {"type": "string", "title": "Note"},
        "places": {"type": "array", "title": "Places", "items": PLACE},
    },
    "required": ["full_name", "years_old", "is_new", "note", "places"],
}


def make_pack():
    reader = WorkerSpec("reader", "reads", "Read.", (), output=JsonSchema("person", PERSON))
    return Pack("people", "People", (reader,), "reader", ())
"""
ANN: dict[str, Any] = {
    "full_name": "<b>Ann</b>",
    "years_old": 41,
    "is_new": True,
    "note": "",
    "places": [{"city": "Rome"}, {"city": "Oslo"}],
}
SHOWN = "Name <b>Ann</b> Years old 41 New here yes Note none Places Town Rome Town Oslo"
SAID = "Ann is 41"


class Reader:
    """A model that reads Ann out of everything."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        return text(json.dumps(ANN))


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "people.py").write_text(PACK, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "people"


async def test_a_structured_answer_has_equal_json_over_every_protocol(
    people: str, settings: Settings, wire_server: StartWire, look: Look, plainloop: Command
):
    pytest.importorskip("plainloop_frontends")
    wire = await wire_server(Reader())
    environ = build_environ("openai", wire.base_url) | {"AGENT_PACKS": people}
    told = await plainloop("ask", SAID, **environ)
    local = replace(settings, agent=replace(settings.agent, packs=(people,)), provider="offline")
    scripted = [text(json.dumps(ANN)) for _ in range(3)]
    async with serving(local, *scripted) as served:
        client = await served.client()
        conversation = await begin(client)
        own = await ask(client, conversation, SAID)
        stored = (await client.get(f"/api/chat/conversations/{conversation}")).json()
        body: dict[str, Any] = {
            "model": "people/default",
            "messages": [{"role": "user", "content": SAID}],
        }
        openai = (await client.post("/v1/chat/completions", json=body)).json()
        viewer = await look(served)
        page = viewer.page
        await viewer.say(SAID)
        card = page.get_by_label("A person")
        await expect(card).to_have_count(1)
        await expect(card).to_be_visible()
        await page.reload()  # as it comes, and as it is stored
        await expect(card).to_have_count(1)
        shown = " ".join((await card.inner_text()).split())
        barriers = await viewer.list_barriers()
    exported = await plainloop("export", **environ)

    assert json.loads(told.out.splitlines()[0]) == ANN, told.err
    assert (own["output"], json.loads(own["content"])) == (ANN, ANN)
    assert [message["output"] for message in stored["messages"]] == [None, ANN]
    assert json.loads(openai["choices"][0]["message"]["content"]) == ANN
    assert (shown, barriers) == (SHOWN, [])
    lines = [json.loads(line) for line in exported.out.splitlines()]
    assert len(lines) == 4
    assert [line["messages"][-1]["parsed"] for line in lines] == [ANN] * 4
