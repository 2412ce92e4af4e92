"""What a model thinks before it answers: told to who asks for it, in each protocol's own words."""

from __future__ import annotations

from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import MODEL, connect
from packages.frontends.tests.test_openai_responses import stream
from plainloop.agent.events import Event
from plainloop.server.ws.frames import to_frame
from tests.machine.scripted import text, thought, triage
from tests.protocols.conftest import ServeNotes
from tests.protocols.posting import make_body, make_input
from tests.server.conftest import Served

SCRIPT = (triage("note_writer"), thought("Ada is polite.", text("Hello, Ada.")))


async def ask(served: Served, **more: Any) -> list[tuple[str, Any]]:
    """The events of a message by our own API."""
    client = await served.client()
    thread_id = (await client.post("/api/chat/conversations", json={})).json()["id"]
    path = f"/api/chat/conversations/{thread_id}"
    told = await client.post(f"{path}/messages", json={"content": "please do it", **more})
    again = await client.get(f"{path}/stream", params={"after": 0})
    assert [line for line in again.text.splitlines() if not line.startswith(":")] == [
        line for line in told.text.splitlines() if not line.startswith(":")
    ]
    names = [line[7:] for line in told.text.splitlines() if line.startswith("event: ")]
    data = [line[6:] for line in told.text.splitlines() if line.startswith("data: ")]
    return list(zip(names, data, strict=True))


def list_thoughts(events: list[tuple[str, Any]]) -> list[str]:
    return [data for name, data in events if name == "reasoning_delta"]


@pytest.mark.parametrize(
    ("setting", "asked", "is_told"),
    [
        (False, {}, False),
        (False, {"reasoning": True}, True),
        (True, {}, True),
        (True, {"reasoning": False}, False),
    ],
)
async def test_reasoning_is_sent_and_stored_on_request(
    setting: bool, asked: dict[str, Any], is_told: bool, serve: ServeNotes
) -> None:
    served = await serve(*SCRIPT, reasoning=setting)
    thoughts = list_thoughts(await ask(served, **asked))

    assert thoughts == (['{"content":"Ada is polite."}'] if is_told else [])


def test_a_websocket_sends_reasoning_frames() -> None:
    event: Event = {"seq": 3, "event": "reasoning_delta", "data": {"content": "Hm."}}

    assert to_frame(event, "t", None) == {"type": "reasoning", "content": "Hm."}


async def test_chat_completions_sends_reasoning_beside_the_content(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT, *SCRIPT)
    said: Any = [{"role": "user", "content": "please do it"}]
    wanted = {"include_reasoning": True}
    create = connect(served).chat.completions.create
    whole: Any = await create(model=MODEL, messages=said, extra_body=wanted)
    chunks: Any = await create(model=MODEL, messages=said, extra_body=wanted, stream=True)
    deltas = [choice.delta async for chunk in chunks for choice in chunk.choices]

    assert whole.choices[0].message.reasoning_content == "Ada is polite."
    assert whole.choices[0].message.content == "Hello, Ada."
    assert "".join(getattr(item, "reasoning_content", "") for item in deltas) == "Ada is polite."
    assert "".join(item.content or "" for item in deltas) == "Hello, Ada."


async def test_responses_sends_reasoning_as_an_item_with_a_summary(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT, *SCRIPT)
    client = connect(served)
    done = await stream(client, "please do it", reasoning={"summary": "auto"})
    again = await client.responses.retrieve(done.id)
    plain = await stream(client, "please do it")

    assert [item.type for item in done.output] == ["reasoning", "message"]
    assert done.output[0].summary[0].text == "Ada is polite."
    assert again.output[0] == done.output[0] and done.output_text == "Hello, Ada."
    assert [item.type for item in plain.output] == ["message"]


@pytest.mark.parametrize(
    ("path", "body", "frames"),
    [
        (
            "/api/ui/default/chat",
            {**make_body("c", "please do it"), "sendReasoning": True},
            ["reasoning-start", "reasoning-delta", "reasoning-end", "text-start"],
        ),
        (
            "/api/agui/default",
            {**make_input(), "forwardedProps": {"reasoning": True}},
            [
                *("REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"),
                *("REASONING_MESSAGE_END", "REASONING_END", "TEXT_MESSAGE_START"),
            ],
        ),
    ],
)
async def test_ag_ui_and_ai_sdk_get_reasoning_before_the_text(
    path: str, body: dict[str, Any], frames: list[str], serve: ServeNotes
) -> None:
    client = await (await serve(*SCRIPT)).client()
    told = (await client.post(path, json=body)).text
    lines = [line[6:] for line in told.splitlines() if line.startswith('data: {"type"')]
    kinds = [line.split('"')[3] for line in lines]
    begin = kinds.index(frames[0])

    assert kinds[begin : begin + len(frames)] == frames
    assert any("Ada is polite." in line for line in lines[begin : begin + len(frames)])
