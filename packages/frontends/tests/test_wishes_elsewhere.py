"""What clients of other protocols than OpenAI's say beside the user's words: honoured at the model,
or refused by name.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes, get_model

HELLO = {"parts": [{"type": "text", "text": "please do it"}], "id": "m2", "role": "user"}
SYSTEM = {"parts": [{"type": "text", "text": "Say arr."}], "id": "m1", "role": "system"}
CHAT: dict[str, Any] = {"id": "chat-1", "messages": [SYSTEM, HELLO]}
USER = {"id": "m2", "role": "user", "content": "please do it"}
RUN: dict[str, Any] = {"threadId": "t1", "runId": "r1", "messages": [USER]}
READABLE = {"description": "What is selected", "value": '{"note": 7}'}


async def test_assistant_uis_settings_reach_the_run(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Arr."))
    body = {**CHAT, "system": "You help pirates."}
    body["callSettings"] = {"temperature": 0.3, "maxTokens": 77, "topP": 0.5, "seed": 7}
    body["config"] = {"providerOptions": {"openai": {"store": False}}}
    told = await (await served.client()).post("/api/ui/default/chat", json=body)
    sorting, working = get_model(served).requests

    assert "Arr." in told.text
    assert "You help pirates.\n\nSay arr.\n</wishes>" in working.system
    assert (working.temperature, working.max_tokens) == (0.3, 77)
    assert working.sampling == {"top_p": 0.5, "seed": 7}
    assert told.headers["x-plainloop-ignored"] == "callSettings.providerOptions"
    assert "arr" not in sorting.system


async def test_copilotkits_properties_and_context_reach_the_run(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Arr."))
    said = [{"id": "m1", "role": "developer", "content": "Say arr."}, USER]
    more = {"context": [READABLE], "state": {"page": 3}, "messages": said}
    props = {"forwardedProps": {"temperature": 0.3, "authorization": "none of ours"}}
    told = await (await served.client()).post("/api/agui/default", json={**RUN, **more, **props})
    _, working = get_model(served).requests

    assert "Arr." in told.text
    for words in ("Say arr.", "What is selected", '{"note": 7}', 'page: {"page":3}'):
        assert words in working.system
    assert working.temperature == 0.3


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "callSettings.modelName": ("ui", {**CHAT, "config": {"modelName": "gpt-9"}}),
    "forwardedProps.model": ("agui", {**RUN, "forwardedProps": {"model": "gpt-9"}}),
    "forwardedProps.toolChoice": ("agui", {**RUN, "forwardedProps": {"toolChoice": "none"}}),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_unsupported_chat_options_of_a_page_are_refused_by_name(
    name: str, serve: ServeNotes
) -> None:
    served = await serve()
    protocol, body = REFUSED[name]
    path = "/api/ui/default/chat" if protocol == "ui" else "/api/agui/default"
    told = await (await served.client()).post(path, json=body)

    assert told.status_code == 400
    assert f"{name} is not supported" in told.text
    assert get_model(served).requests == []
