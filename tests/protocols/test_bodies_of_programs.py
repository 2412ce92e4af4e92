"""Bodies as chat programs, frameworks and low-code tools send them: all of them are answered.

Written after their request types and public reports of November 2026; the users have set nothing.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import MODEL
from packages.frontends.tests.test_wishes import FORMAT, Person
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text, tools, triage
from tests.protocols import agent_bodies as agents
from tests.protocols import more_bodies as more
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.program_bodies import CHAT, MESSAGES, RESPONSES
from tests.protocols.test_equal_conversations import ROOM
from tests.runs.effects_pack import World
from tests.wire_fixtures import StartWire

HI: Any = {"role": "user", "content": "please do it"}
TOOL: Any = {"type": "function", "function": {"name": "get_place", "strict": True}}
THOUGHT = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "text", "text": "One."},
]
BODIES: dict[str, dict[str, Any]] = {
    "aider": {"temperature": 0, "stream": False, "max_tokens": None},
    "mastra": {"temperature": 0, "top_p": 1, "tool_choice": "auto", "tools": [TOOL]},
    "llama-index": {"temperature": 0.1, "seed": 1, "stop": None, "logprobs": None},
    "lm-eval": {"temperature": 0, "seed": 1234, "stop": ["\n\n", "Q:"], "max_tokens": 256},
    "deepeval": {"temperature": 0.0, "response_format": FORMAT, "n": 1},
    "smolagents": {"stop": ["Observation:", "Calling tools:"], "temperature": 0.5},
    "litellm": {"drop_params": True, "user": "u", "metadata": {"a": "b"}, "temperature": 0.2},
    "open webui": {
        "chat_id": "c",
        "session_id": "s",
        "id": "i",
        "params": {},
        "tool_ids": None,
        "features": {"web_search": False},
        "variables": {},
        "background_tasks": {},
        "model_item": {"id": MODEL},
    },
    "librechat": {
        "user": "64f",
        "temperature": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
        "promptPrefix": "",
        "endpoint": "plainloop",
    },
    "sillytavern": {
        "temperature": 0.9,
        "top_k": 0,
        "min_p": 0.1,
        "repetition_penalty": 1.1,
        "top_a": 0,
        "seed": -1,
        "chat_completion_source": "custom",
        "user_name": "A",
        "logit_bias": {},
    },
    "n8n": {"temperature": 0.7, "timeout": 60000, "maxRetries": 2, "model_kwargs": None},
    "a search that is off": {"web_search": False, "enable_search": False, "plugins": []},
    "dify": {"temperature": 0.7, "top_p": 1, "presence_penalty": 0, "user": "abc-123"},
    "vllm's clients": {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20},
    "openrouter's clients": {"provider": {"order": ["a"]}, "transforms": [], "usage": {}},
    "a switch of providers": {
        "messages": [HI, {"role": "assistant", "content": THOUGHT}, {**HI, "content": "and?"}]
    },
    "reasoning kept": {
        "messages": [HI, {"role": "assistant", "content": "One.", "reasoning_content": "hm"}, HI]
    },
    "arguments as an object": {
        "messages": [
            HI,
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c9", "type": "function", "function": {"name": "f", "arguments": {}}}
                ],
            },
            {"role": "tool", "tool_call_id": "c9", "content": "x"},
            HI,
        ]
    },
}


PATHS = {"": "/v1/chat/completions", "R": "/v1/responses", "M": "/anthropic/v1/messages"}
ALL: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (PATHS[""], {"messages": [HI], **body}) for name, body in (BODIES | CHAT).items()},
    **{f"{name}, Responses": (PATHS["R"], body) for name, body in RESPONSES.items()},
    **{
        f"{name}, Messages": (PATHS["M"], {"messages": [HI], "max_tokens": 500, **body})
        for name, body in MESSAGES.items()
    },
}
ALL |= {
    **{f"{name}, more": (PATHS[""], {"messages": [HI], **it}) for name, it in more.CHAT.items()},
    **{f"{name}, more Responses": (PATHS["R"], it) for name, it in more.RESPONSES.items()},
    **{
        f"{name}, more Messages": (PATHS["M"], {"messages": [HI], "max_tokens": 500, **it})
        for name, it in more.MESSAGES.items()
    },
}
ALL |= {
    **{
        f"{name}, agents": (PATHS[""], {"messages": [HI], **it}) for name, it in agents.CHAT.items()
    },
    **{f"{name}, agents Responses": (PATHS["R"], it) for name, it in agents.RESPONSES.items()},
    **{
        f"{name}, agents Messages": (PATHS["M"], {"messages": [HI], "max_tokens": 500, **it})
        for name, it in agents.MESSAGES.items()
    },
    "Cursor's agent": (PATHS[""], agents.CURSOR),
}
RECORDED = [
    json.loads(line)
    for line in Path(__file__).with_name("program_bodies.jsonl").read_text("utf-8").splitlines()
]
ALL |= {f"{it['program']} {n}": (it["path"], it["body"]) for n, it in enumerate(RECORDED)}
# `AGENT_TEST_BODIES=all` sends them to the others' default models as well.
OTHERS = ("openai", "kimi", "gemini", "deepseek", "glm", "minimax")
DEFAULTS = ("anthropic", *(OTHERS if os.environ.get("AGENT_TEST_BODIES") == "all" else ()))


OURS = {tool.name for tool in World().make_pack().tools}


class Obedient(Person):
    """Calls the first of a client's tools where a call is asked for, by a field or in words."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        own = [tool for tool in request.tools if tool.name not in OURS]
        choice = request.tool_choice
        is_told = get_text(request.messages[-1]).endswith(" now.")
        if own and (is_told or (choice is not None and choice.mode == "required")):
            name = (choice and choice.name) or own[0].name
            return tools(("c1", name, {"name": "Ann", "age": 41, "answer": "x"}))
        return super().answer(request)


@pytest.mark.parametrize("provider", DEFAULTS)
async def test_recorded_program_bodies_are_answered_by_each_default_model(
    provider: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Obedient())
    known = PROVIDER_DEFAULTS[provider]
    is_openai = known.protocol == "openai_chat"
    url = server.openai_url if is_openai else server.base_url
    served = await serve(
        wire_url=url, wire=provider, wire_model=known.default_model, **ROOM, client_tools=100
    )
    client = await served.client()
    wrong: dict[str, str] = {}
    for name, (path, body) in ALL.items():
        if "picture" in name and not known.quirks.files:
            continue
        answer = await client.post(path, json={**body, "model": MODEL})
        if answer.status_code != 200 or '"error":{' in answer.text:
            wrong[name] = answer.text[:300]

    assert wrong == {}
    assert len(ALL) >= 220


@pytest.mark.parametrize("provider", ["kimi", "gemini"])
async def test_a_large_seed_survives_storing_the_run(
    provider: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    known, server = PROVIDER_DEFAULTS[provider], await wire_server(Obedient())
    url = server.openai_url if known.protocol == "openai_chat" else server.base_url
    served = await serve(wire_url=url, wire=provider, wire_model=known.default_model)
    client = await served.client()
    said = [{**HI, "content": "call it now."}]
    body = {"model": MODEL, "seed": 7, "top_p": 1, "tools": [TOOL], "messages": said}
    first = (await client.post("/v1/chat/completions", json=body)).json()
    called = first["choices"][0]["message"]
    [call] = called["tool_calls"]
    given = {"role": "tool", "tool_call_id": call["id"], "content": "Oslo"}
    rest = await client.post(
        "/v1/chat/completions", json={**body, "messages": [*said, called, given]}
    )

    assert rest.status_code == 200, rest.text


TYPES = "tools.custom, tools.web_search, tools.namespace, tools.image_generation"


async def test_in_mixed_tool_lists_only_functions_are_offered(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("One."))
    body = {"model": MODEL, "input": "hi", "tools": agents.MIXED}
    answer = await (await served.client()).post("/v1/responses", json=body)
    names = {tool.name for tool in get_model(served).requests[-1].tools}

    assert names - OURS == {"shell"}
    assert answer.headers["x-plainloop-ignored"] == TYPES


async def test_settings_can_refuse_unsupported_tool_types(serve: ServeNotes) -> None:
    served = await serve(server={"preferences": "refuse"})
    body = {"model": MODEL, "input": "hi", "tools": agents.MIXED}
    answer = await (await served.client()).post("/v1/responses", json=body)

    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "tools.custom")


async def test_results_of_vendor_tools_are_read(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("One."))
    body = {"model": MODEL, "input": [HI, *agents.PATCHED]}
    await (await served.client()).post("/v1/responses", json=body)
    said = [get_text(item) for item in get_model(served).requests[-1].messages]

    assert said[:2] == ["please do it", "apply_patch gave: patched a.txt"]


async def test_a_responses_body_at_chat_completions_is_answered(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "shell", {"command": "ls"})))
    body = {**agents.CURSOR, "model": MODEL, "instructions": "Be.", "max_output_tokens": 77}
    answer = await (await served.client()).post("/v1/chat/completions", json=body)
    asked = get_model(served).requests[-1]

    assert '"object":"chat.completion.chunk"' in answer.text and '"name":"shell"' in answer.text
    assert answer.text.endswith("data: [DONE]\n\n")
    assert (asked.max_tokens, asked.effort) == (77, "medium")
    assert "Be.\n\nYou are a coding assistant." in asked.system


async def test_a_bare_prompt_field_is_the_users_message(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("One."))
    prompts = [{"role": "system", "content": f"{n}. Say one."} for n in (1, 2)]
    body = {"model": MODEL, "messages": prompts}
    answer = await (await served.client()).post("/v1/chat/completions", json=body)
    asked = get_model(served).requests[-1]

    assert answer.json()["choices"][0]["message"]["content"] == "One."
    assert [get_text(item) for item in asked.messages] == ["2. Say one."]
    assert "1. Say one." in asked.system and "2. Say one." not in asked.system


@pytest.mark.parametrize("name", ["_a\r\nset-cookie: b", "_日本", "_a\ud800", "_" + "a" * 9_000])
async def test_ignored_fields_are_listed_in_a_header(name: str, serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("One."))
    body = {"model": MODEL, "messages": [HI], name: 1, **{f"_{n}": 1 for n in range(500)}}
    raw = json.dumps(body).encode()
    head = {"content-type": "application/json"}
    answer = await (await served.client()).post("/v1/chat/completions", content=raw, headers=head)
    told = answer.headers["x-plainloop-ignored"]

    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    assert told.isascii() and told.isprintable() and len(told) <= 2_010
    assert told.endswith(", ...")


async def test_reasoning_of_other_providers_is_dropped_from_histories(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Two."))
    body = {"model": MODEL, **BODIES["a switch of providers"]}
    await (await served.client()).post("/v1/chat/completions", json=body)
    said = [item["parts"][0] for item in get_model(served).requests[-1].messages]

    assert [part["text"] for part in said if part["type"] == "text"] == [
        "please do it",
        "One.",
        "and?",
    ]
