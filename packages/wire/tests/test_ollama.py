"""Ollama's native API over plain HTTP, as its own clients use it, and what it refuses."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain, FixedBrain, call, say, think
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, Message
from plainloop_wire.call import Rules

MODEL = "llama3.1"
THINKS = "qwen3:4b"
USER = {"role": "user", "content": "Hi"}
QUESTION = {"role": "user", "content": "Weather in Oslo and Rome?"}
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": TOOL}}]


def asked(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": MODEL, "messages": list(messages or [USER]), "stream": False, **more}


async def chat(http: Any, server: Any, body: dict[str, Any]) -> Any:
    return (await http.post(f"{server.base_url}/api/chat", json=body)).json()


async def read_stream(http: Any, server: Any, body: dict[str, Any]) -> list[dict[str, Any]]:
    answer = await http.post(f"{server.base_url}/api/chat", json={**body, "stream": True})
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [orjson.loads(line) for line in answer.text.splitlines()]


async def test_streamed_and_plain_answers_are_equal(wire_server, http):
    server = await wire_server(CityBrain())
    body = asked(QUESTION, tools=TOOLS)
    plain = await chat(http, server, body)
    lines = await read_stream(http, server, body)

    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    said = "".join(line["message"]["content"] for line in lines)
    calls = [made for line in lines for made in line["message"].get("tool_calls", [])]
    assert said == plain["message"]["content"] == "Let me look."
    assert calls == plain["message"]["tool_calls"]
    assert [made["function"] for made in calls] == [
        {"index": 0, "name": "get_weather", "arguments": {"city": "Oslo"}},
        {"index": 1, "name": "get_weather", "arguments": {"city": "Rome"}},
    ]
    counts = ("done_reason", "prompt_eval_count", "eval_count")
    assert [lines[-1][key] for key in counts] == [plain[key] for key in counts]
    assert plain["done_reason"] == "stop"


async def test_ollama_streams_unless_stream_is_false(wire_server, http):
    server = await wire_server(CityBrain())
    body = {"model": MODEL, "messages": [USER]}
    answer = await http.post(f"{server.base_url}/api/chat", json=body)

    assert len(answer.text.splitlines()) > 1


@pytest.mark.parametrize("has_ids", [False, True])
async def test_ollama_matches_results_to_calls_by_id_or_order(wire_server, http, has_ids):
    brain = CityBrain()
    server = await wire_server(brain)
    calls: list[Any] = [
        {"function": {"name": "get_weather", "arguments": {"city": city}}}
        for city in ("Oslo", "Rome")
    ]
    results = [
        {"role": "tool", "tool_name": "get_weather", "content": f'{{"degrees": {degrees}}}'}
        for degrees in (3, 20)
    ]
    if has_ids:
        for i, (made, result) in enumerate(zip(calls, results, strict=True)):
            made["id"] = result["tool_call_id"] = f"call_{i}"
        results.reverse()
    system = {"role": "system", "content": "Be kind."}
    said = {"role": "assistant", "content": "", "tool_calls": calls}
    await chat(http, server, asked(system, QUESTION, said, *results, tools=TOOLS))

    seen = brain.requests[-1]
    assert seen.system == "Be kind."
    assert [message["role"] for message in seen.messages] == ["user", "assistant", "tool"]
    cities = {part["id"]: part["arguments"]["city"] for part in seen.messages[1]["parts"]}
    degrees = {cities[part["id"]]: part["result"] for part in seen.messages[2]["parts"]}
    assert degrees == {"Oslo": {"degrees": 3}, "Rome": {"degrees": 20}}


async def test_ollama_thinking_is_separate_and_can_be_switched_off(wire_server, http):
    server = await wire_server(FixedBrain(think("Hm, well.", "Yes.")))
    thought = await chat(http, server, asked(model=THINKS))
    lines = await read_stream(http, server, asked(model=THINKS))
    silent = await chat(http, server, asked(model=THINKS, think=False))

    assert thought["message"] == {"role": "assistant", "content": "Yes.", "thinking": "Hm, well."}
    assert "".join(line["message"].get("thinking", "") for line in lines) == "Hm, well."
    assert silent["message"] == {"role": "assistant", "content": "Yes."}


@pytest.mark.parametrize("wanted", ["json", SCHEMA])
async def test_ollama_json_mode_takes_json_or_a_schema(wire_server, http, wanted):
    server = await wire_server(CityBrain())

    assert (await chat(http, server, asked(format=wanted)))["message"]["content"] == (
        '{"worker":"crm"}'
    )


async def test_ollama_sends_no_tool_call_cut_by_the_token_limit(wire_server, http):
    server = await wire_server(FixedBrain(call("Oslo")))
    cut = await chat(http, server, asked(tools=TOOLS, options={"num_predict": 5}))

    assert cut["done_reason"] == "length"
    assert "tool_calls" not in cut["message"]


async def test_ollama_silently_drops_the_oldest_messages(wire_server, http):
    brain = CityBrain()
    server = await wire_server(brain)
    old = [{"role": "user", "content": f"{i} " + "word " * 300} for i in range(10)]
    system = {"role": "system", "content": "Be kind."}
    body = asked(system, *old, USER)
    whole = await chat(http, server, {**body, "options": {"num_ctx": 16_384}})
    cut = await chat(http, server, {**body, "options": {"num_ctx": 1_000}})

    assert whole["prompt_eval_count"] > 3_000
    assert cut["prompt_eval_count"] <= 1_000
    kept = brain.requests[-1]
    assert kept.system == "Be kind."
    assert [part["text"][:2] for message in kept.messages for part in message["parts"]] == [
        "7 ",
        "8 ",
        "9 ",
        "Hi",
    ]


async def test_ollama_without_num_ctx_has_a_small_window(wire_server, http):
    server = await wire_server(CityBrain())
    answer = await chat(http, server, asked({"role": "user", "content": "word " * 20_000}))

    assert answer["prompt_eval_count"] == 4_096


async def test_ollama_drops_system_and_tools_if_a_message_fills_the_window(wire_server, http):
    brain = CityBrain()
    server = await wire_server(brain)
    system = {"role": "system", "content": "Be kind."}
    long = {"role": "user", "content": "word " * 3_000 + "end"}
    answer = await chat(http, server, asked(system, long, tools=TOOLS, options={"num_ctx": 500}))

    assert answer["prompt_eval_count"] == 500
    seen = brain.requests[-1]
    assert (seen.system, seen.tools) == ("", ())
    assert answer["message"]["content"].endswith("end")


@pytest.mark.parametrize("family_limit", ["llama2", "llama3.1"])
async def test_ollamas_num_ctx_is_bounded_by_model_and_server(wire_server, http, family_limit):
    server = await wire_server(CityBrain(), rules=Rules(context_tokens=5_000))
    long = {"role": "user", "content": "word " * 20_000}
    body = asked(long, model=family_limit, options={"num_ctx": 100_000})

    allowed = {"llama2": 4_096, "llama3.1": 5_000}[family_limit]
    assert (await chat(http, server, body))["prompt_eval_count"] == allowed


async def test_our_ollama_client_requests_a_large_enough_window(wire_server):
    brain = CityBrain()
    server = await wire_server(brain)
    messages: list[Message] = [
        {"role": "user", "parts": [{"type": "text", "text": f"{i} " + "word " * 900}]}
        for i in range(12)
    ]
    answer = await create_provider("ollama", None, None, server.base_url).generate(
        ChatRequest(system="Be kind.", messages=messages)
    )

    assert len(brain.requests[-1].messages) == 12
    assert (answer.usage.input_tokens or 0) > 10_000
    assert answer.notes == ()


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("no model", {"model": ""}, 400, "model is required"),
    ("tools", {"model": "gemma2", "tools": TOOLS}, 400, "gemma2:latest does not support tools"),
    ("own tools", {"model": "me/orca:1", "tools": TOOLS}, 400, "me/orca:1 does not support tools"),
    ("thinking", {"think": True}, 400, '"llama3.1:latest" does not support thinking'),
    ("chat", {"model": "nomic-embed-text"}, 400, "does not support chat"),
    ("option type", {"options": {"num_ctx": "8k"}}, 400, '"num_ctx" must be of type integer'),
    ("format", {"format": "xml"}, 500, 'expected "json" or a valid JSON Schema'),
    ("messages type", {"messages": "Hi"}, 400, "ChatRequest.messages of type slice"),
    (
        "arguments as text",
        asked(
            {"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]}
        ),
        400,
        "ChatRequest.messages.tool_calls.function.arguments of type map",
    ),
]


async def test_the_ollama_double_refuses_what_ollama_refuses(wire_server, http):
    server = await wire_server(CityBrain())
    for name, changes, status, text in REFUSED:
        answer = await http.post(f"{server.base_url}/api/chat", json={**asked(), **changes})
        assert (answer.status_code, list(answer.json())) == (status, ["error"]), name
        assert text in answer.json()["error"]


async def test_ollama_ignores_unknown_fields_and_options(wire_server, http):
    server = await wire_server(CityBrain())
    body = asked({**USER, "foo": 1}, foo=1, options={"foo": 1}, keep_alive="5m")

    assert (await chat(http, server, body))["message"]["content"] == "You said: Hi"


async def test_the_ollama_double_needs_a_key_only_if_one_is_set(wire_server, http):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    url = f"{server.base_url}/api/chat"
    bare = await http.post(url, json=asked())
    right = await http.post(url, json=asked(), headers={"authorization": "Bearer right"})

    assert (bare.status_code, right.status_code) == (401, 200)


async def test_strict_ollama_models_must_be_pulled(wire_server, http):
    server = await wire_server(FixedBrain(say("Yes.")), rules=Rules(strict_models=True))
    url = f"{server.base_url}/api"
    tags = (await http.get(f"{url}/tags")).json()
    names = [model["name"] for model in tags["models"]]
    missing = await http.post(f"{url}/chat", json=asked(model="mixtral"))

    assert "llama3.1:latest" in names
    assert (missing.status_code, missing.json()) == (404, {"error": "model 'mixtral' not found"})
