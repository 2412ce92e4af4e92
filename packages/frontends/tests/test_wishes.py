"""What a client's developer demands is held or refused by name; what it prefers is honoured where
the model takes it, else ignored and reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import openai
import pytest

from packages.frontends.tests.test_openai_chat import MODEL, USER, connect, list_threads, stream
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.base.shown.notices import CONTEXT_CHANGED, NOTHING
from plainloop.agent.config.settings import RoleSettings
from plainloop.agent.providers.defaults import (
    PROVIDER_DEFAULTS,
    choose_protocol,
    find_effort_offer,
    quirks_for,
)
from plainloop.agent.providers.defaults import WIRES as WIRE_SPECS
from plainloop.agent.types import EFFORT, ChatRequest, JsonSchema, LLMResponse, ToolChoice
from plainloop_frontends.anthropic.shapes import MessagesBody
from plainloop_frontends.openai.parameters import PARAMETERS, SAMPLING
from plainloop_frontends.openai.shapes import ChatRequestBody, ResponseBody
from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.replaying import load_stored, replay_stored
from tests.runs.effects_pack import World
from tests.server.conftest import Served
from tests.wire_fixtures import StartWire, WireServer

SYSTEM: Any = {"role": "system", "content": "Answer like a pirate."}
SHAPE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "person", "schema": SHAPE}}
BODIES: dict[str, Any] = {
    "chat": ChatRequestBody,
    "Responses": ResponseBody,
    "Messages": MessagesBody,
}
ANN = '{"name":"Ann","age":41}'
PLACE = {
    "name": "get_place",
    "description": "Where the user is.",
    "parameters": {"type": "object", "properties": {}},
}
TOOLS: Any = [{"type": "function", "function": PLACE}]


class Person:
    """A model behind a wire: sends everything to one worker, which answers in JSON."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        wanted = request.json_schema.schema if request.json_schema else {}
        return triage("note_writer") if "worker" in wanted.get("properties", {}) else text(ANN)


WIRES: dict[str, dict[str, Any]] = {
    "anthropic": {"wire": "anthropic", "wire_model": "claude-sonnet-4-6"},
    "chat": {"wire": "openai", "wire_model": "gpt-4.1", "protocol": "chat"},
    "responses": {"wire": "openai", "wire_model": "gpt-6.1-terra", "protocol": "responses"},
    "gemini": {"wire": "gemini", "wire_model": "gemini-3.8-flash"},
    "ollama": {"wire": "ollama", "wire_model": "llama3.1"},
}
# How each wire says a wish: keys of the body, and what stands there.
SAID: dict[str, dict[str, Any]] = {
    "anthropic": {
        "max_tokens": 77,
        "stop_sequences": ["END"],
        "output_config.format.type": "json_schema",
        "tool_choice": {"type": "none"},
    },
    "chat": {
        "max_completion_tokens": 77,
        "temperature": 0.3,
        "stop": ["END"],
        "response_format.type": "json_schema",
        "tool_choice": "none",
        "parallel_tool_calls": False,
    },
    "responses": {
        "max_output_tokens": 77,
        "text.format.type": "json_schema",
        "tool_choice": "none",
        "parallel_tool_calls": False,
    },
    "gemini": {
        "generationConfig.maxOutputTokens": 77,
        "generationConfig.temperature": 0.3,
        "generationConfig.stopSequences": ["END"],
        "generationConfig.responseMimeType": "application/json",
        "toolConfig.functionCallingConfig.mode": "NONE",
    },
    "ollama": {
        "options.num_predict": 77,
        "options.temperature": 0.3,
        "options.stop": ["END"],
        "tools": None,
    },
}
ASKED: dict[str, Any] = {
    "max_completion_tokens": 77,
    "temperature": 0.3,
    "stop": ["END"],
    "response_format": FORMAT,
    "tools": TOOLS,
    "tool_choice": "none",
    "parallel_tool_calls": False,
}
IGNORED = {"anthropic": "temperature", "responses": "temperature"}


def get(body: Any, path: str) -> Any:
    for key in path.split("."):
        body = body.get(key) if isinstance(body, dict) else None
    return body


async def serve_wire(name: str, serve: ServeNotes, server: WireServer) -> Served:
    url = server.openai_url if WIRES[name]["wire"] == "openai" else server.base_url
    return await serve(wire_url=url, **WIRES[name])


@pytest.mark.parametrize("name", WIRES)
async def test_each_request_parameter_reaches_the_worker_or_is_reported(
    name: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    served = await serve_wire(name, serve, server)
    client = connect(served)
    raw = await client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[SYSTEM, USER], **ASKED
    )
    done = raw.parse()

    sorting, working = [entry["body"] for entry in server.requests]
    assert raw.headers.get("x-plainloop-ignored") == IGNORED.get(name)
    assert done.choices[0].message.content == ANN
    assert {path: get(working, path) for path in SAID[name]} == SAID[name]
    assert SYSTEM["content"] in json.dumps(working)
    assert SYSTEM["content"] not in json.dumps(sorting)
    assert "END" not in json.dumps(sorting)


class Caller(Person):
    """Calls the client's tool where it is offered."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        offered = any(tool.name == "get_place" for tool in request.tools)
        return tools(("c1", "get_place", {})) if offered else super().answer(request)


# What each wire says where any tool must be called, and where this one: key, and both values.
FORCED: dict[str, tuple[str, Any, Any]] = {
    "anthropic": ("tool_choice", {"type": "any"}, {"type": "tool", "name": "get_place"}),
    "chat": ("tool_choice", "required", {"type": "function", "function": {"name": "get_place"}}),
    "responses": ("tool_choice", "required", {"type": "function", "name": "get_place"}),
    "gemini": (
        "toolConfig.functionCallingConfig",
        {"mode": "ANY"},
        {"mode": "ANY", "allowedFunctionNames": ["get_place"]},
    ),
}


@pytest.mark.parametrize("name", FORCED)
async def test_forced_calls_use_the_providers_own_parameter(
    name: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Caller())
    served = await serve_wire(name, serve, server)
    send: Callable[..., Any] = connect(served).chat.completions.create
    key, any_tool, this_one = FORCED[name]
    choice: Any = {"type": "function", "function": {"name": "get_place"}}
    for asked, said in (("required", any_tool), (choice, this_one)):
        done = await send(model=MODEL, messages=[USER], tools=TOOLS, tool_choice=asked)
        [call] = done.choices[0].message.tool_calls or []

        assert get(server.requests[-1]["body"], key) == said
        assert call.type == "function" and call.function.name == "get_place"


class Talker(Caller):
    """Answers in words first, and calls the client's tool once it is told to, if ever."""

    def __init__(self, *, obeys: bool) -> None:
        self.obeys = obeys

    def answer(self, request: ChatRequest) -> LLMResponse:
        is_told = "Call one of the tools now" in json.dumps(request.messages[-1])
        if any(tool.name == "get_place" for tool in request.tools) and not (self.obeys and is_told):
            return text("You are in Oslo.")
        return super().answer(request)


UNFORCED = {
    "ollama": WIRES["ollama"],
    "kimi": {"wire": "kimi", "wire_model": "kimi-k3.1-pro"},
    "anthropic": {"wire": "anthropic", "wire_model": "claude-sonnet-5-5"},  # while it thinks
}


@pytest.mark.parametrize("name", UNFORCED)
async def test_an_unenforced_forced_call_is_retried_once(
    name: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Talker(obeys=True))
    url = server.openai_url if name == "kimi" else server.base_url
    served = await serve(wire_url=url, **UNFORCED[name])
    done = await connect(served).chat.completions.create(
        model=MODEL, messages=[USER], tools=TOOLS, tool_choice="required"
    )
    again = server.requests[-1]["body"]

    assert done.choices[0].finish_reason == "tool_calls"
    assert "tool_choice" not in again and again["tools"]
    assert len(server.requests) == 3


LIST = ("list_notes", {})
ADD = ("add_note", {"text": "milk"})
PROGRESS = [("add_note", {"text": word}) for word in ("milk", "eggs", "rice")]


@pytest.mark.parametrize(
    ("own", "limits", "open_turns"),
    [
        ([LIST, LIST], {}, 2),  # a third equal call would end the run
        ([LIST, ADD, LIST], {"worker_turns": 4}, 3),  # the last turn
        (PROGRESS, {}, 4),  # every call differs: the worker goes on with its own tools
    ],
)
async def test_a_required_call_must_be_one_of_the_clients_tools(
    own: list[Any], limits: dict[str, int], open_turns: int, serve: ServeNotes
) -> None:
    calls = [tools((f"c{n}", name, said)) for n, (name, said) in enumerate(own)]
    served = await serve(
        triage("note_writer"), *calls, tools(("c9", "get_place", {})), text("Oslo."), **limits
    )
    done = await connect(served).chat.completions.create(
        model=MODEL, messages=[USER], tools=TOOLS, tool_choice="required"
    )
    [call] = done.choices[0].message.tool_calls or []
    asked = get_model(served).requests[1:]
    offered = [[tool.name for tool in request.tools] for request in asked]

    assert call.type == "function" and call.function.name == "get_place"
    assert all("list_notes" in names for names in offered[:open_turns])
    assert all(names == ["get_place"] for names in offered[open_turns:])
    assert {request.tool_choice for request in asked} == {ToolChoice("required")}


@pytest.mark.parametrize("is_stream", [False, True])
async def test_text_instead_of_a_forced_call_fails_after_two_tries(
    is_stream: bool, serve: ServeNotes
) -> None:
    script = [triage("note_writer"), text("You are in Oslo."), text("Oslo, I said.")]
    served = await serve(*script)
    send: Callable[..., Any] = connect(served).chat.completions.create
    shown: list[str] = []
    with pytest.raises(openai.APIError) as failed:
        done = await send(
            model=MODEL, messages=[USER], tools=TOOLS, tool_choice="required", stream=is_stream
        )
        async for chunk in done:
            shown += [choice.delta.content or "" for choice in chunk.choices]

    assert failed.value.code == "OUTPUT_INVALID"
    assert "".join(shown) == ""
    assert getattr(failed.value, "status_code", 422) == 422
    assert len(get_model(served).requests) == 3


async def test_a_temperature_of_one_is_not_sent(serve: ServeNotes, wire_server: StartWire) -> None:
    server = await wire_server(Person())
    client = connect(await serve_wire("anthropic", serve, server))
    await client.chat.completions.create(model=MODEL, messages=[USER], temperature=1)

    assert "temperature" not in server.requests[-1]["body"]


async def test_an_agents_temperature_applies_if_the_request_has_none(
    serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    own = {"note_writer": RoleSettings(temperature=0.4)}
    served = await serve(wire_url=server.openai_url, agents=own, **WIRES["chat"])
    send: Callable[..., Any] = connect(served).chat.completions.create
    await send(model=MODEL, messages=[USER])
    await send(model=MODEL, messages=[USER], temperature=0.9)

    asked = [entry["body"].get("temperature") for entry in server.requests]
    assert asked == [None, 0.4, None, 0.9]


async def test_a_workers_output_schema_shapes_its_answer(serve: ServeNotes) -> None:
    pack = World().make_pack()
    shaped = [replace(spec, output=JsonSchema("person", SHAPE)) for spec in pack.workers]
    script = (triage("note_writer"), text("Ann is 41."), text(ANN))
    served = await serve(*script, pack=replace(pack, workers=tuple(shaped)))
    client = await served.client()
    thread = (await client.post("/api/chat/conversations", json={})).json()
    asked = await client.post(
        f"/api/chat/conversations/{thread['id']}/messages",
        json={"content": "who is it?"},
        headers={"accept": "application/json"},
    )
    [done] = [
        event["data"]
        for event in await served.service.store.load_events("acme", asked.json()["run_id"])
        if event["event"] == "done"
    ]

    assert (asked.json()["content"], asked.json()["output"]) == (ANN, json.loads(ANN))
    assert done == {"content": ANN, "output": json.loads(ANN)}


async def test_request_parameters_apply_only_to_the_worker(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "get_place", {})))
    await connect(served).responses.create(
        model=MODEL,
        instructions="Answer like a pirate.",
        input=[{"role": "developer", "content": "Say arr."}, {"role": "user", "content": "hi"}],
        temperature=0.5,
        top_p=0.4,
        max_output_tokens=50,
        tools=cast(Any, [{"type": "function", **PLACE}]),
        tool_choice={"type": "function", "name": "get_place"},
    )
    sorting, working = get_model(served).requests

    assert "pirate" not in sorting.system
    assert working.system.index("pirate") > working.system.index("<wishes>") > 0
    assert working.system.rstrip().endswith("Say arr.\n</wishes>")
    assert (working.temperature, working.max_tokens) == (0.5, 50)
    assert (working.sampling, sorting.sampling) == ({"top_p": 0.4}, {})
    assert working.tool_choice == ToolChoice("required", "get_place")
    assert (sorting.temperature, sorting.tool_choice) == (None, None)


NOT_SERVED: dict[str, Any] = {
    "n": 2,
    "logprobs": True,
    "top_logprobs": 3,
    "modalities": ["text", "audio"],
    "audio": {"voice": "alloy", "format": "wav"},
    "functions": [{"name": "f"}],
    "best_of": 3,
    "guided_json": {"type": "object"},
    "web_search": True,
    "temprature": 0.2,
    "tools": [{"type": "web_search"}],
    "tool_choice": "required",
    "response_format": {"type": "grammar"},
    "stop": [""],
    "max_tokens": 0,
    "temperature": 3,
    "top_p": "much",
    "messages": [],
}


async def test_unsupported_required_parameters_are_400_by_name(serve: ServeNotes) -> None:
    served = await serve(messages_per_minute=1_000)
    client = await served.client()
    named: dict[str, str] = {}
    for name, value in NOT_SERVED.items():
        body = {"model": MODEL, "messages": [USER], name: value}
        answer = await client.post("/v1/chat/completions", json=body)
        told = answer.json()["error"]
        assert (answer.status_code, told["type"]) == (400, "invalid_request_error"), answer.text
        named[name] = told["param"]

    assert named == {name: name for name in NOT_SERVED}
    assert get_model(served).requests == []


async def test_a_mistyped_body_field_is_refused_with_the_nearest_name(serve: ServeNotes) -> None:
    client = await (await serve()).client()
    body = {"model": MODEL, "messages": [USER], "temprature": 0.2}
    told = (await client.post("/v1/chat/completions", json=body)).json()["error"]

    assert told["code"] == "unknown_parameter"
    assert "Did you mean `temperature`?" in told["message"]


# What programs send with every request, whoever uses them.
DEFAULTS: dict[str, Any] = {
    "temperature": 0,
    "top_p": 0.5,
    "top_k": 40,
    "seed": 1234,
    "frequency_penalty": 0.2,
    "presence_penalty": 0.2,
    "logit_bias": {"50256": -100},
    "user": "u1",
    "service_tier": "flex",
    "reasoning_effort": "high",
    "store": True,
    "chat_id": "c1",
    "chat_template_kwargs": {"enable_thinking": False},
    "litellm_call_id": "1",
    "unheard_of": None,
}
TAKEN: dict[str, set[str]] = {
    "anthropic": {"reasoning_effort"},
    "chat": {"temperature", "top_p", "seed", "frequency_penalty", "presence_penalty"},
    "responses": {"reasoning_effort"},
    "gemini": {
        *("temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty"),
        "reasoning_effort",
    },
    "ollama": {
        *("temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty"),
        "reasoning_effort",
    },
    "kimi": {"seed", "reasoning_effort"},
}
# How the wires name it; what Ollama's model does unasked is not sent.
EFFORTS: dict[str, Any] = {
    "anthropic": ("output_config", {"effort": "high"}),
    "responses": ("reasoning", {"effort": "high"}),
    "gemini": ("thinkingConfig", {"thinking_level": "HIGH"}),
    "ollama": ("think", None),
    "kimi": ("reasoning_effort", "high"),
    "chat": ("reasoning_effort", None),
}


@pytest.mark.parametrize("name", TAKEN)
async def test_preferences_are_sent_if_supported_else_reported(
    name: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    told = {**WIRES, **UNFORCED}[name]
    is_compatible = told["wire"] in ("openai", "kimi")
    served = await serve(wire_url=server.openai_url if is_compatible else server.base_url, **told)
    client = await served.client()
    body = {"model": MODEL, "messages": [USER], **DEFAULTS}
    answer = await client.post("/v1/chat/completions", json=body)
    ignored = answer.headers["x-plainloop-ignored"].split(", ")
    sent = server.requests[-1]["body"]
    whole = {**sent, **sent.get("options", {}), **sent.get("generationConfig", {})}
    run_id = answer.json()["id"].removeprefix("chatcmpl-")
    steps = (await client.get(f"/api/runs/{run_id}/steps")).json()["steps"]

    assert answer.status_code == 200
    assert {*ignored} == {*DEFAULTS} - TAKEN[name] - {"unheard_of"}
    kinds = {key.lower().replace("_", "") for key in whole}
    sampling = TAKEN[name] - {"reasoning_effort"}
    assert {key for key in sampling if key.replace("_", "") in kinds} == sampling
    field, level = EFFORTS[name]
    assert whole.get(field) == level
    assert f"ignored: {', '.join(ignored)}" in steps[0]["notes"][0]


async def test_settings_can_make_unsupported_preferences_an_error(
    serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    url, told = server.base_url, WIRES["anthropic"]
    served = await serve(wire_url=url, server={"preferences": "refuse"}, **told)
    for name in ("temperature", "seed", "user", "chat_id"):
        more: Any = {name: DEFAULTS[name]}
        with pytest.raises(openai.BadRequestError) as refused:
            await connect(served).chat.completions.create(
                model=MODEL, messages=[USER], extra_body=more
            )
        assert (refused.value.code, refused.value.param) == ("unsupported_parameter", name)

    assert server.requests == [] and await list_threads(served) == []


STOPPED = "One two END three four. " * 5


@pytest.mark.parametrize("is_stream", [False, True])
@pytest.mark.parametrize("name", ["anthropic", "responses", "kimi"])
async def test_stop_sequences_work_with_every_model(
    name: str, is_stream: bool, serve: ServeNotes, wire_server: StartWire
) -> None:
    class Speaker(Person):
        def answer(self, request: ChatRequest) -> LLMResponse:
            told = super().answer(request)
            return text(STOPPED) if told.text == ANN else told

    server = await wire_server(Speaker())
    told = {**WIRES, **UNFORCED}[name]
    is_compatible = told["wire"] in ("openai", "kimi")
    served = await serve(wire_url=server.openai_url if is_compatible else server.base_url, **told)
    send: Callable[..., Any] = connect(served).chat.completions.create
    for stop, said in (("END", "One two "), ([" th", "zero"], "One two END"), ("\n", STOPPED)):
        done = await send(model=MODEL, messages=[USER], stop=stop, stream=is_stream)
        if is_stream:
            chunks = [chunk async for chunk in done]
            whole = "".join(item.delta.content or "" for c in chunks for item in c.choices)
            ends = [item.finish_reason for c in chunks for item in c.choices]
        else:
            whole, ends = done.choices[0].message.content, [done.choices[0].finish_reason]

        assert whole.strip() == said.strip()
        assert ends[-1] == "stop"


async def test_usage_of_an_answer_that_ended_at_a_stop_sequence_is_settled(
    serve: ServeNotes, wire_server: StartWire
) -> None:
    class Speaker(Person):
        def answer(self, request: ChatRequest) -> LLMResponse:
            told = super().answer(request)
            return text(STOPPED) if told.text == ANN else told

    server = await wire_server(Speaker())
    served = await serve_wire("responses", serve, server)
    done = await connect(served).chat.completions.create(model=MODEL, messages=[USER], stop="END")
    client = await served.client()
    run_id = done.id.removeprefix("chatcmpl-")
    steps = (await client.get(f"/api/runs/{run_id}/steps")).json()["steps"]
    call = steps[-1]["calls"][-1]

    assert (call["status"], call["usage_source"]) == ("succeeded", "estimated")
    assert call["input_tokens"] > 0 and call["output_tokens"] > 0


async def test_model_lists_state_the_supported_parameters(
    serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    client = await (await serve_wire("anthropic", serve, server)).client()
    [model, *_] = (await client.get("/v1/models")).json()["data"]

    assert {"stop", "tools", "tool_choice", "response_format"} <= {*model["supported_parameters"]}
    assert not {"temperature", "seed", "user", "n"} & {*model["supported_parameters"]}


async def test_an_agent_is_listed_under_each_of_its_model_names(serve: ServeNotes) -> None:
    names = ("notes/react", "react", "gpt-4o")
    script = [text("Hi.") for _ in names]
    served = await serve(*script, server={"model_names": ("gpt-4o=notes/react",)})
    for name in names:
        done = await connect(served).chat.completions.create(model=name, messages=[USER])
        assert (done.model, done.choices[0].message.content) == (name, "Hi.")
        assert (await connect(served).models.retrieve(name)).id == name
    listed = [item.id async for item in connect(served).models.list()]

    assert "gpt-4o" in listed


UNREAD: dict[str, tuple[str, dict[str, Any]]] = {
    "a function's role": (
        "chat/completions",
        {"messages": [USER, {"role": "function", "name": "f", "content": "42"}, USER]},
    ),
    "a picture of another tool": (
        "responses",
        {"input": [USER, {"type": "computer_call_output", "call_id": "c", "output": {"a": 1}}]},
    ),
    "a reference to nothing": (
        "responses",
        {"input": [{"type": "item_reference", "id": "msg_elsewhere"}, USER]},
    ),
}


async def test_unreadable_conversation_fields_are_refused(serve: ServeNotes) -> None:
    served = await serve()
    client = await served.client()
    for name, (path, body) in UNREAD.items():
        answer = await client.post(f"/v1/{path}", json={"model": MODEL, **body})
        assert answer.status_code in (400, 422), (name, answer.text)

    assert get_model(served).requests == []


async def test_parameters_with_default_values_are_accepted(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Hello."))
    known = {*ChatRequestBody.__struct_fields__} - {"extras"}
    nothing = {name: it.nothing[0] for name, it in PARAMETERS.items() if it.nothing}
    empty = dict.fromkeys(known - {"model", "messages"} - {*nothing})
    body = {**empty, **{name: nothing[name] for name in nothing if name in known}}
    answer = await (await served.client()).post(
        "/v1/chat/completions", json={**body, "model": MODEL, "messages": [USER]}
    )

    assert answer.json()["choices"][0]["message"]["content"] == "Hello."
    assert "x-plainloop-ignored" not in answer.headers


# Fields whose treatment depends on the model, by the names that `Quirks.refuses` has for them.
BY_MODEL = {
    **{name: name for name in SAMPLING},
    "stop": "stop",
    "stop_sequences": "stop",
    "tool_choice": "tool_choice",
    EFFORT: EFFORT,
}


def list_default_models() -> dict[str, frozenset[str]]:
    """What the default model of each provider does not take."""
    found: dict[str, frozenset[str]] = {}
    for name, item in PROVIDER_DEFAULTS.items():
        quirks = quirks_for(name, item.default_model, item.base_url)
        wire = choose_protocol(name, item.default_model, item.base_url)
        unknown = () if find_effort_offer(quirks.efforts, item.default_model) else (EFFORT,)
        refused = (*quirks.refuses, *WIRE_SPECS[wire].refuses, *unknown)
        found[item.default_model] = frozenset(refused)
    return found


def build_table() -> str:
    """The table of docs/protocols.md: python -m packages.frontends.tests.test_wishes prints it."""
    models = list_default_models()
    head = ["field", *BODIES, "kind", "treatment", *(f"`{name}`" for name in models)]
    rows: dict[tuple[str, ...], list[str]] = {}  # fields that are treated alike share a row
    for name, known in PARAMETERS.items():
        marks = ["x" if name in body.__struct_fields__ else "" for body in BODIES.values()]
        told = known.note
        if not told:
            but = ", ".join(f"`{json.dumps(value)}`" for value in known.nothing)
            told = f"refused, except {but}" if but else "refused"
        kind = "requirement" if known.kind == "demand" else known.kind
        without = "met" if known.kind == "demand" else "ignored"
        cells = [
            ("" if name not in BY_MODEL else without if BY_MODEL[name] in refused else "sent")
            for refused in models.values()
        ]
        row = (*marks, kind, told, *(cells if any(cells) else ()))
        rows.setdefault(row, []).append(f"`{name}`" if name != "extras" else "others")
    body = [f"| {' | '.join((', '.join(names), *row))} |" for row, names in rows.items()]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *body])


def test_the_documentation_contains_the_parameter_table() -> None:
    page = Path(__file__).parents[3] / "docs" / "protocols.md"

    assert build_table() in page.read_text(encoding="utf-8")


def test_the_parameter_table_lists_exactly_the_fields() -> None:
    fields = {name for body in BODIES.values() for name in body.__struct_fields__}

    assert fields == {*PARAMETERS}


async def ask_json(served: Served, **more: Any) -> Any:
    return await connect(served).chat.completions.create(
        model=MODEL, messages=[USER], response_format=FORMAT, **more
    )


async def test_json_of_the_wrong_shape_is_retried_once(serve: ServeNotes) -> None:
    wrong = text('{"name": "Ann", "age": -1}')
    served = await serve(triage("note_writer"), wrong, text(f"Here: ```json\n{ANN}\n```"))
    done = await ask_json(served)
    again = get_model(served).requests[-1]

    assert done.choices[0].message.content == ANN
    assert "age" in again.messages[-1]["parts"][0]["text"]  # pyright: ignore[reportGeneralTypeIssues, reportTypedDictNotRequiredAccess]
    assert again.tools == ()


async def test_json_wrong_twice_is_an_error_that_says_so(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("No."), text('{"name": "Ann"}'))
    with pytest.raises(openai.UnprocessableEntityError) as failed:
        await ask_json(served)

    assert failed.value.code == "OUTPUT_INVALID"
    assert "twice" in failed.value.message
    assert failed.value.response.headers["x-should-retry"] == "false"


async def test_a_streamed_json_answer_contains_no_other_text(serve: ServeNotes) -> None:
    call = tools(("c1", "list_notes", {}), said="Let me look.")
    served = await serve(triage("note_writer"), call, text("Well."), text(ANN))
    done = await stream(connect(served), [USER], response_format=FORMAT)

    assert done.choices[0].message.content == ANN


async def test_requests_for_json_use_no_fast_path(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text('{"notes": 0}'))
    asked: Any = {"role": "user", "content": "how many notes do I have?"}
    done = await connect(served).chat.completions.create(
        model=MODEL, messages=[asked], response_format={"type": "json_object"}
    )

    assert json.loads(done.choices[0].message.content or "") == {"notes": 0}


async def test_a_cut_answer_is_reported_as_cut(serve: ServeNotes) -> None:
    served = await serve(
        *(triage("note_writer"), text("Once upon", stop="length")),
        *(triage("note_writer"), text("Once upon", stop="length")),
    )
    client = connect(served)
    streaming = await client.chat.completions.create(
        model=MODEL, messages=[USER], max_tokens=3, stream=True
    )
    told = [chunk async for chunk in streaming]
    given = await client.responses.create(model=MODEL, input="a tale", max_output_tokens=3)

    assert told[-1].choices[0].finish_reason == "length"
    assert given.status == "incomplete"
    assert given.incomplete_details and given.incomplete_details.reason == "max_output_tokens"


async def test_parallel_tool_calls_false_keeps_one_call(serve: ServeNotes) -> None:
    both = tools(("c1", "list_notes", {}), ("c2", "list_notes", {}))
    served = await serve(triage("note_writer"), both, text("None."))
    await connect(served).chat.completions.create(
        model=MODEL, messages=[USER], parallel_tool_calls=False
    )
    [thread_id] = await list_threads(served)
    stored = await served.service.store.load_messages("acme", thread_id)
    calls = [part for item in stored for part in item["parts"] if part["type"] == "tool_call"]

    assert [call["id"] for call in calls] == ["c1"]


async def test_a_request_with_tool_results_uses_its_own_parameters(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), tools(("c1", "get_place", {})), text("Oslo."))
    client = connect(served)
    asked = await client.chat.completions.create(
        model=MODEL, messages=[SYSTEM, USER], tools=TOOLS, tool_choice="required"
    )
    said: Any = asked.choices[0].message
    [call] = said.tool_calls
    told: Any = {"role": "tool", "tool_call_id": call.id, "content": "Oslo"}
    done = await client.chat.completions.create(
        model=MODEL, messages=[USER, said, told], tools=TOOLS, temperature=0.1
    )
    first, second = get_model(served).requests[1:]

    assert done.choices[0].message.content == "Oslo."
    assert (first.tool_choice, second.tool_choice) == (ToolChoice("required"), None)
    assert (first.temperature, second.temperature) == (None, 0.1)
    # The prompt stays as the thread began; that the wish is gone is said once, at the end.
    assert "pirate" in first.system and second.system == first.system
    assert get_text(second.messages[-1]).endswith(CONTEXT_CHANGED + NOTHING)


async def test_an_idempotency_key_covers_the_requests_parameters(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("One."))
    client = connect(served)
    key = {"extra_headers": {"Idempotency-Key": "k1"}}
    send: Callable[..., Any] = client.chat.completions.create
    await send(model=MODEL, messages=[USER], temperature=0.1, **key)
    with pytest.raises(openai.ConflictError) as other:
        await send(model=MODEL, messages=[USER], temperature=0.9, **key)
    assert other.value.code == "IDEMPOTENCY_REUSED"


async def check_replay(served: Served) -> Any:
    """The only thread, which a replay does again."""
    [thread_id] = await list_threads(served)
    thread = await load_stored(served.service.store, "acme", thread_id)
    packs = {pack.name: pack for pack in served.service.packs}
    replayed = await replay_stored(thread, packs, served.settings)
    assert [turn.outcome for turn in replayed.turns] == ["same"], replayed.divergence
    return thread


async def test_a_run_with_parameters_replays_without_divergence(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("No."), text(ANN))
    await ask_json(served, temperature=0.2, stop="END")
    await check_replay(served)


async def test_a_run_with_changed_parameters_replays_without_divergence(serve: ServeNotes) -> None:
    """What held of its first steps is kept with what holds now, also of a third request."""
    more = [tools((f"c{n}", "get_place", {})) for n in (1, 2)]
    served = await serve(triage("note_writer"), *more, text(ANN))
    client = connect(served)
    asked: list[Any] = [USER]
    wishes: tuple[dict[str, Any], ...] = (
        {"tool_choice": "required", "temperature": 0.9, "response_format": FORMAT},
        {"temperature": 0.1, "max_tokens": 50},
        {"response_format": FORMAT, "stop": "END"},
    )
    for number, wished in enumerate(wishes):
        messages = [SYSTEM, *asked] if number == 0 else asked
        done = await client.chat.completions.create(
            model=MODEL, messages=messages, tools=TOOLS, **wished
        )
        said: Any = done.choices[0].message
        asked.append(said)
        for call in said.tool_calls or ():
            asked.append({"role": "tool", "tool_call_id": call.id, "content": "Oslo"})
    assert said.content == ANN
    [turn] = (await check_replay(served)).turns
    assert [item.wishes.temperature for item in turn.wished] == [0.9, 0.1]


if __name__ == "__main__":
    print(build_table())
