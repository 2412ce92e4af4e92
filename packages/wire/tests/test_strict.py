"""Each request that a provider would refuse is refused, in its words; what it takes is taken.

`refused/DIALECT.jsonl`, a request in each line: what is wrong with it, what its refusal says (and
OpenAI's code of it), and its body.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.wire.tests.brains import CityBrain
from plainloop_wire.call import Rules

FOLDER = Path(__file__).with_name("refused")
PATHS = {
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/{model}:generateContent",
    "openai_chat": "/v1/chat/completions",
    "openai_responses": "/v1/responses",
}
MODELS = {"anthropic": "claude-sonnet-4-6", "gemini": "gemini-2.5-flash"}
KEYS = {
    "anthropic": {"x-api-key": "any", "anthropic-version": "2023-06-01"},
    "gemini": {"x-goog-api-key": "any"},
}
USER = {"role": "user", "content": "Hi"}


def make_body(dialect: str, text: str = "Hi", model: str = "") -> dict[str, Any]:
    """A request that is right."""
    if dialect == "gemini":
        return {"contents": [{"role": "user", "parts": [{"text": text}]}]}
    model = model or MODELS.get(dialect, "gpt-4o")
    if dialect == "openai_responses":
        return {"model": model, "input": text}
    messages = [{"role": "user", "content": text}]
    more = {"max_tokens": 9} if dialect == "anthropic" else {}
    return {"model": model, "messages": messages, **more}


async def send(
    http: Any, server: Any, dialect: str, body: Any, headers: Any = None, model: str = ""
) -> Any:
    path = PATHS[dialect].format(model=model or MODELS["gemini"])
    if headers is None:
        headers = KEYS.get(dialect, {"authorization": "Bearer any"})
    given = {"content": body} if isinstance(body, bytes) else {"json": body}
    return await http.post(f"{server.base_url}{path}", headers=headers, **given)


def is_refused(dialect: str, answer: Any, case: dict[str, Any]) -> bool:
    error = answer.json()["error"]
    says = case["says"] in error["message"]
    if dialect == "gemini":
        told = (answer.status_code, error["code"], error["status"])
        return says and told == (400, 400, "INVALID_ARGUMENT")
    says = says or (case["says"] in (error.get("param") or "") and dialect == "openai_responses")
    allowed = (400, 404) if dialect == "openai_responses" else (400,)
    is_known = dialect != "anthropic" or answer.json()["type"] == "error"
    return (
        says
        and is_known
        and answer.status_code in allowed
        and (error["type"], error.get("code")) == ("invalid_request_error", case.get("code"))
    )


@pytest.mark.parametrize("dialect", PATHS)
async def test_the_strict_server_refuses_an_invalid_request_with_the_reason(
    wire_server, http, dialect
):
    server = await wire_server(CityBrain())
    passed: dict[str, str] = {}
    for line in (FOLDER / f"{dialect}.jsonl").read_bytes().splitlines():
        case = json.loads(line)
        answer = await send(http, server, dialect, case["body"], model=case.get("model", ""))
        if not is_refused(dialect, answer, case):
            passed[case["case"]] = f"{answer.status_code} {answer.text}"
    assert passed == {}


CALL = {"type": "tool_use", "name": "get_weather", "input": {"city": "Oslo"}}
WEATHER = {"name": "get_weather", "input_schema": {"type": "object"}}
ANSWERED = {"functionResponse": {"name": "get_weather", "response": {"result": 3}}}
CALLED = {"functionCall": {"name": "get_weather", "args": {"city": "Oslo"}}}


def use(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{**CALL, "id": i} for i in ids]}


def give(*ids: str, text: str = "") -> dict[str, Any]:
    results: list[Any] = [{"type": "tool_result", "tool_use_id": i, "content": "3"} for i in ids]
    return {"role": "user", "content": results + ([{"type": "text", "text": text}] if text else [])}


def call(*ids: str, arguments: str = "{}") -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": arguments}
    made = [{"id": i, "type": "function", "function": function} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(*ids: str) -> list[dict[str, Any]]:
    return [{"role": "tool", "tool_call_id": i, "content": "3"} for i in ids]


def item(kind: str, call_id: str) -> dict[str, Any]:
    given: Any = {"output": "3"} if kind.endswith("output") else {"name": "w", "arguments": "{}"}
    return {"type": kind, "call_id": call_id, **given}


TAKEN: dict[str, dict[str, Any]] = {
    "anthropic": {
        "messages": [USER, use("a", "b"), give("b", "a", text="so?"), use("c"), give("c")],
        "tools": [WEATHER],
    },
    "gemini": {
        "system_instruction": {"parts": [{"text": "Kind."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Hi"}]},
            {"role": "model", "parts": [CALLED, {"function_call": {"name": "other"}}]},
            {
                "role": "user",
                "parts": [ANSWERED, {"function_response": {"name": "other", "response": {}}}],
            },
            {"role": "model", "parts": [CALLED]},
            {"role": "function", "parts": [ANSWERED]},
            {"role": "model", "parts": [{"text": "", "thoughtSignature": "QUJD"}]},
            {"role": "user", "parts": [{"text": "Hi"}]},
        ],
        "generation_config": {"max_output_tokens": 100, "stopSequences": None},
    },
    "openai_chat": {
        "messages": [
            *({"role": "system", "content": "Kind."}, USER, call("a", "b"), *result("b", "a")),
            {"role": "assistant", "content": [{"type": "text", "text": "So."}]},
            *(USER, call("c"), *result("c")),
        ]
    },
    # A result may stand apart from its call.
    "openai_responses": {
        "input": [
            *(USER, item("function_call", "a"), item("function_call", "b")),
            *(item("function_call_output", "b"), item("function_call_output", "a"), USER),
        ]
    },
}


@pytest.mark.parametrize("dialect", PATHS)
async def test_the_strict_server_accepts_a_valid_long_tool_conversation(wire_server, http, dialect):
    server = await wire_server(CityBrain())
    body = {**make_body(dialect), **TAKEN[dialect]}
    answer = await send(http, server, dialect, body)
    assert answer.status_code == 200, answer.text


LATEST = {"x-api-key": "right", "anthropic-version": "2026-10-21"}
KEYED: list[tuple[str, dict[str, str], int, str]] = [
    ("anthropic", {"anthropic-version": "2023-06-01"}, 401, "x-api-key header is required"),
    ("anthropic", {**LATEST, "x-api-key": "wrong"}, 401, "invalid x-api-key"),
    ("anthropic", {"authorization": "Bearer right"}, 400, "anthropic-version: header is required"),
    ("anthropic", {**LATEST, "anthropic-version": "1999"}, 400, "is not a valid version"),
    ("anthropic", LATEST, 200, "end_turn"),
    ("gemini", {}, 403, "PERMISSION_DENIED"),
    ("gemini", {"x-goog-api-key": "wrong"}, 400, "API_KEY_INVALID"),
    ("openai_chat", {}, 401, '"code":null'),
    ("openai_chat", {"authorization": "Bearer"}, 401, '"code":null'),
    ("openai_chat", {"authorization": "Bearer no"}, 401, '"code":"invalid'),
    ("openai_responses", {}, 401, ""),
    ("openai_responses", {"authorization": "Bearer wrong-key"}, 401, "Incorrect API key"),
]


async def test_the_strict_server_requires_key_and_api_version(wire_server, http):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    for dialect, headers, status, told in KEYED:
        answer = await send(http, server, dialect, make_body(dialect), headers)
        assert (answer.status_code, told in answer.text) == (status, True), answer.text


UNKNOWN = {
    "anthropic": (404, "model: nobody-1"),
    "gemini": (404, "models/nobody-1 is not found"),
    "openai_chat": (404, '"code":"model_not_found"'),
    "openai_responses": (400, '"param":"model","code":"model_not_found"'),
}
TOO_LONG = {
    "anthropic": " > 100 maximum",
    "gemini": "exceeds the maximum number of tokens",
    "openai_chat": '"code":"context_length_exceeded"',
    "openai_responses": '"code":"context_length_exceeded"',
}


@pytest.mark.parametrize("dialect", PATHS)
async def test_the_strict_server_refuses_unknown_models_and_too_long_prompts(
    wire_server, http, dialect
):
    server = await wire_server(CityBrain(), rules=Rules(strict_models=True, context_tokens=100))
    body = make_body(dialect, model="nobody-1")
    unknown = await send(http, server, dialect, body, model="nobody-1")
    status, told = UNKNOWN[dialect]
    assert (unknown.status_code, told in unknown.text) == (status, True), unknown.text
    long = await send(http, server, dialect, make_body(dialect, "word " * 200))
    assert (long.status_code, TOO_LONG[dialect] in long.text) == (400, True), long.text


async def test_newer_anthropic_versions_refuse_sampling_parameters(wire_server, http):
    server = await wire_server(CityBrain())
    body = {**make_body("anthropic"), "temperature": 0.5}
    new = await send(http, server, "anthropic", body, {**LATEST, "x-api-key": "any"})
    assert "temperature: Extra inputs" in new.json()["error"]["message"]
    assert (await send(http, server, "anthropic", body)).status_code == 200


async def test_a_request_body_that_is_no_json_object_is_a_400(wire_server, http):
    server = await wire_server(CityBrain())
    for body in (b"", b"{", b"[]", b'{"model": "\xff"}'):
        answer = await send(http, server, "anthropic", body)
        assert (answer.status_code, answer.json()["type"]) == (400, "error")


async def test_invalid_json_in_tool_arguments_is_kept_as_invalid_arguments(wire_server, http):
    brain = CityBrain()
    messages = [USER, call("a", arguments='{"city": "Os'), *result("a")]
    body = {**make_body("openai_chat"), "messages": messages}
    await send(http, await wire_server(brain), "openai_chat", body)
    (part,) = brain.requests[0].messages[1]["parts"]
    assert part == {
        "type": "tool_call",
        "id": "a",
        "name": "get_weather",
        "arguments": {},
        "invalid_arguments": '{"city": "Os',
    }
