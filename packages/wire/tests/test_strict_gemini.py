"""Each request that Gemini would refuse is refused, in its words."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import errors

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop_wire.call import Rules

MODEL = "gemini-2.5-flash"
HEADERS = {"x-goog-api-key": "any"}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts) or [{"text": "Hi"}]}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def call(name: str = "get_weather") -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {"city": "Oslo"}}}


def response(name: str = "get_weather") -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"result": 3}}}


def talk(*contents: dict[str, Any]) -> dict[str, Any]:
    return {"contents": list(contents)}


def declare(**changes: Any) -> dict[str, Any]:
    declared = {"name": "get_weather", "parametersJsonSchema": TOOL, **changes}
    return {"tools": [{"functionDeclarations": [declared]}]}


def generation(**config: Any) -> dict[str, Any]:
    return {"generationConfig": config}


TURN = "Please ensure that function call turn comes immediately after a user turn"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("unknown field", {"foo": 1}, 'Unknown name "foo": Cannot find field.'),
    (
        "unknown part field",
        talk(user({"text": "x", "foo": 1})),
        "Unknown name \"foo\" at 'contents[0].parts[0]': Cannot find field.",
    ),
    ("no contents", talk(), "contents: contents is not specified"),
    ("no parts", talk({"role": "user", "parts": []}), "contents[0].parts"),
    ("empty part", talk(user({})), "required oneof field 'data' must have one initialized field"),
    ("empty text", talk(user({"text": ""})), "required oneof field 'data'"),
    ("two data in a part", talk(user({"text": "x", **response()})), "already set"),
    ("wrong role", talk({"role": "assistant", "parts": [{"text": "x"}]}), "valid role"),
    ("model last", talk(user(), model({"text": "x"})), "end with a user turn"),
    ("call first", talk(model(call()), user(response())), TURN),
    (
        "call after the model's own turn",
        talk(user(), model({"text": "x"}), model(call()), user(response())),
        TURN,
    ),
    (
        "orphaned result",
        talk(user(response())),
        "function response turn comes immediately after a function call turn",
    ),
    (
        "call without result",
        talk(user(), model(call()), user()),
        "number of function response parts is equal to the number of function call parts",
    ),
    (
        "one of two results missing",
        talk(user(), model(call(), call()), user(response())),
        "number of function response parts",
    ),
    (
        "result of another tool",
        talk(user(), model(call()), user(response("other"))),
        "names match",
    ),
    (
        "nameless result",
        talk(user(), model(call()), user({"functionResponse": {"response": {}}})),
        "function_response.name: Name cannot be empty",
    ),
    ("tool name", declare(name="get weather"), "Invalid function name"),
    ("tool name long", declare(name="x" * 65), "Invalid function name"),
    (
        "tools alike",
        {"tools": [*declare()["tools"], *declare()["tools"]]},
        "Duplicate function declaration found: get_weather",
    ),
    (
        "JSON Schema where OpenAPI is meant",
        declare(parametersJsonSchema=None, parameters={**TOOL, "$schema": "x"}),
        'Unknown name "$schema"',
    ),
    (
        "array without items",
        declare(parametersJsonSchema={"properties": {"tags": {"type": "array"}}}),
        "array schema missing items",
    ),
    ("temperature", generation(temperature=3), "temperature"),
    ("limit zero", generation(maxOutputTokens=0), "max_output_tokens must be positive"),
    ("schema without JSON", generation(responseJsonSchema=SCHEMA), "response_mime_type"),
    (
        "JSON beside tools on an old model",
        {**declare(), **generation(responseMimeType="application/json")},
        "Function calling with a response mime type: 'application/json' is unsupported",
    ),
    (
        "two schemas",
        generation(
            responseMimeType="application/json",
            responseJsonSchema=SCHEMA,
            responseSchema={"type": "OBJECT"},
        ),
        "Only one of response_schema and response_json_schema",
    ),
    (
        "signature that is no base64",
        talk(user(), model({**call(), "thoughtSignature": "%"}), user(response()))
        | {"__model": "gemini-3-flash-preview"},
        "Base64 decoding failed",
    ),
]


@pytest.mark.parametrize(
    ("changes", "message"),
    [pytest.param(changes, message, id=name) for name, changes, message in REFUSED],
)
async def test_a_wrong_request_is_a_400_that_says_why(wire_server, http, changes, message):
    server = await wire_server(CityBrain())
    body = {"contents": [user()], **changes}
    name = body.pop("__model", MODEL)
    answer = await http.post(
        f"{server.base_url}/v1beta/models/{name}:generateContent", headers=HEADERS, json=body
    )
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert message in error["message"]


async def test_a_good_long_tool_conversation_is_accepted_in_both_spellings(wire_server, http):
    server = await wire_server(CityBrain())
    body = {
        "system_instruction": {"parts": [{"text": "Kind."}]},
        "contents": [
            user(),
            model({"text": "a"}, call(), {"function_call": {"name": "other"}}),
            user(response(), {"function_response": {"name": "other", "response": {}}}),
            model(call()),
            {"role": "function", "parts": [response()]},
            model({"text": "", "thoughtSignature": "QUJD"}),
            user(),
        ],
        "generation_config": {"max_output_tokens": 100, "stopSequences": None},
    }
    answer = await http.post(
        f"{server.base_url}/v1beta/models/{MODEL}:generateContent", headers=HEADERS, json=body
    )
    assert answer.status_code == 200


async def test_a_missing_key_is_a_403_and_a_wrong_one_a_400_with_a_reason(
    wire_server, connect, http
):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    url = f"{server.base_url}/v1beta/models/{MODEL}:generateContent"
    missing = await http.post(url, json={"contents": [user()]})
    assert (missing.status_code, missing.json()["error"]["status"]) == (403, "PERMISSION_DENIED")
    with pytest.raises(errors.ClientError) as caught:
        await connect(server, key="wrong").gemini.models.generate_content(
            model=MODEL, contents="Hi"
        )
    assert caught.value.code == 400
    details: Any = caught.value.details
    assert details["error"]["details"][0]["reason"] == "API_KEY_INVALID"


async def test_an_unknown_model_is_a_404_under_strict_models(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(strict_models=True))).gemini
    with pytest.raises(errors.ClientError, match="models/gpt-4o is not found") as caught:
        await client.models.generate_content(model="gpt-4o", contents="Hi")
    assert caught.value.code == 404


async def test_a_prompt_longer_than_the_window_is_refused(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(context_tokens=50))).gemini
    with pytest.raises(errors.ClientError, match="exceeds the maximum number of tokens"):
        await client.models.generate_content(model=MODEL, contents="word " * 60)
