"""Chat Completions that no recording has, as vendors document them and issues describe them."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelAuthError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelQuotaError,
    ModelRequestError,
    RateLimited,
)
from tests.providers.asking import summarise
from tests.providers.documented import (
    EVENT_STREAM,
    called,
    fail,
    read_stream,
    read_whole,
    say,
    to_json,
    to_sse,
    tokens,
)
from tests.providers.local_server import Reply

DONE = "data: [DONE]"
CALLED = {"stop": "tool_use", "stop_raw": "tool_calls"}
KNOWN = tokens(20, 9)


def chunk(fin: str | None = None, /, top: Any = None, beside: Any = None, **delta: Any) -> Any:
    """One chunk. top: further fields of it; beside: further fields of its choice."""
    choice = {"index": 0, "delta": delta, "finish_reason": fin, **(beside or {})}
    return {"id": "c", "model": "m", "choices": [choice], "usage": None, **(top or {})}


def calls(*pieces: Any) -> Any:
    return chunk(tool_calls=list(pieces))


def piece(index: int | None, call_id: str | None, name: str | None, arguments: Any) -> Any:
    """A piece of a call, without what is None."""
    function = {"name": name, "arguments": arguments}
    given = {"index": index, "id": call_id}
    return {
        **{key: value for key, value in given.items() if value is not None},
        "type": "function",
        "function": {key: value for key, value in function.items() if value is not None},
    }


def usage(**more: Any) -> Any:
    stated = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29, **more}
    return {"id": "c", "model": "m", "choices": [], "usage": stated}


BOTH = [called("c1", "f", a=1), called("c2", "g", b=2)]
# Name → provider, events, what they say.
STREAMS: dict[str, tuple[str, list[Any], dict[str, Any]]] = {
    "azure's first chunk has no choice": (
        "openai",
        [
            {"choices": [], "model": "", "prompt_filter_results": [{"prompt_index": 0}]},
            chunk(role="assistant", content="", refusal=None),
            chunk(content="a", beside={"content_filter_results": {}, "logprobs": None}),
            chunk("stop"),
            usage(prompt_tokens_details=None, completion_tokens_details=None),
            DONE,
        ],
        {"text": "a", "usage": KNOWN},
    ),
    "usage behind the end": (
        "openai",
        [chunk("stop", content="a"), DONE, usage(prompt_tokens_details={"cached_tokens": 5})],
        {"text": "a", "usage": {**KNOWN, "cache_read": 5}},
    ),
    "a refusal in pieces": (
        "openai",
        [chunk(content=None, refusal="I "), chunk(refusal="no"), chunk("stop"), usage(), DONE],
        {"refusal": "I no", "stop": "refusal", "usage": KNOWN},
    ),
    "a filter in the middle": (
        "openai",
        [chunk(content="ab"), chunk("content_filter"), DONE],
        {"text": "ab", "stop": "content_filter", "stop_raw": "content_filter"},
    ),
    "calls that take turns": (
        "openai",
        [
            calls(piece(0, "c1", "f", ""), piece(1, "c2", "g", "")),
            calls(piece(1, None, None, '{"b"')),
            calls(piece(0, None, None, '{"a"')),
            calls(piece(0, None, None, ":1}"), piece(1, None, None, ":2}")),
            chunk("tool_calls"),
            DONE,
        ],
        {"tool_calls": BOTH, **CALLED},
    ),
    "calls that take turns without an index": (
        "compatible",
        [
            calls(piece(None, "c1", "f", '{"a"')),
            calls(piece(None, "c2", "g", '{"b"')),
            calls(piece(None, "c1", None, ":1}")),
            calls(piece(None, "c2", None, ":2}")),
            chunk("tool_calls"),
        ],
        {"tool_calls": BOTH, **CALLED},
    ),
    "calls without an index, each whole": (
        "compatible",
        [
            calls(piece(None, "c1", "f", '{"a":1}')),
            calls(piece(None, "c2", "g", '{"b":2}')),
            chunk("stop"),
        ],
        {"tool_calls": BOTH, "stop": "tool_use"},
    ),
    "calls without an index, the id said once": (
        "compatible",
        [
            calls(piece(None, "c1", "f", "")),
            calls(piece(None, None, None, '{"a":1}')),
            calls(piece(None, "c2", "g", "")),
            calls(piece(None, None, None, '{"b":2}')),
            chunk("tool_calls"),
        ],
        {"tool_calls": BOTH, **CALLED},
    ),
    "the id and the name with every piece": (
        "compatible",
        [
            calls(piece(0, "c1", "f", "")),
            calls(piece(0, "c1", "f", '{"a"')),
            calls(piece(0, "", "", ":1}")),
            chunk("tool_calls"),
        ],
        {"tool_calls": [called("c1", "f", a=1)], **CALLED},
    ),
    "the name in pieces": (
        "compatible",
        [
            calls(piece(0, "c1", "get_", None)),
            calls(piece(0, None, "weather", None)),
            calls(piece(0, None, None, '{"a":1}')),
            chunk("tool_calls"),
        ],
        {"tool_calls": [called("c1", "get_weather", a=1)], **CALLED},
    ),
    "one index for calls without arguments": (
        "compatible",
        [calls(piece(0, "c1", "f", "")), calls(piece(0, "c2", "f", "")), chunk("tool_calls")],
        {"tool_calls": [called("c1", "f"), called("c2", "f")], **CALLED},
    ),
    "arguments null": (
        "compatible",
        [
            calls({"index": 0, "id": "c1", "function": {"name": "f", "arguments": None}}),
            chunk("tool_calls"),
        ],
        {"tool_calls": [called("c1", "f")], **CALLED},
    ),
    "arguments as an object": (
        "compatible",
        [calls(piece(0, "c1", "f", {"a": 1})), chunk("tool_calls")],
        {"tool_calls": [called("c1", "f", a=1)], **CALLED},
    ),
    "an answer between the calls' keep-alive comments": (
        "compatible",
        [
            ": OPENROUTER PROCESSING",
            chunk(content="a"),
            ": OPENROUTER PROCESSING",
            chunk("stop", content="", beside={"native_finish_reason": "STOP"}),
            chunk("stop", content="", top={"usage": usage()["usage"]}),
            DONE,
        ],
        {"text": "a", "usage": KNOWN},
    ),
    "thinking as a piece of the content": (
        "compatible",
        [
            chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]),
            chunk(content=[{"type": "text", "text": "a"}]),
            chunk("stop", content="b"),
        ],
        {"reasoning": "hm", "text": "ab"},
    ),
    "reasoning that the completion leaves out": (
        "compatible",
        [
            chunk(reasoning_content="hm"),
            chunk("stop", content="a"),
            usage(total_tokens=34, completion_tokens_details={"reasoning_tokens": 5}),
        ],
        {"reasoning": "hm", "text": "a", "usage": {**KNOWN, "output": 14, "reasoning": 5}},
    ),
    "a model's window is full": (
        "compatible",
        [chunk(content="a"), chunk("model_length"), DONE],
        {"text": "a", "stop": "length", "stop_raw": "model_length"},
    ),
    "kimi's usage in the choice": (
        "kimi",
        [
            chunk(reasoning_content="hm"),
            chunk("stop", beside={"usage": {**usage()["usage"], "cached_tokens": 3}}),
            DONE,
        ],
        {"reasoning": "hm", "usage": {**KNOWN, "cache_read": 3}},
    ),
    "deepseek's cache hits": (
        "deepseek",
        [
            ": keep-alive",
            chunk(content=None, reasoning_content="hm"),
            chunk(content="a", reasoning_content=None),
            chunk("stop", content="", top=usage(prompt_cache_hit_tokens=4) | {"choices": []}),
            chunk("stop", top={"usage": usage(prompt_cache_hit_tokens=4)["usage"]}),
            DONE,
        ],
        {"reasoning": "hm", "text": "a", "usage": {**KNOWN, "cache_read": 4}},
    ),
    "glm's filter": (
        "glm",
        [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}]},
            chunk("sensitive", content="", top={"usage": usage()["usage"]}),
            DONE,
        ],
        {"text": "a", "stop": "content_filter", "stop_raw": "sensitive", "usage": KNOWN},
    ),
    "minimax says it all again at its end": (
        "minimax",
        [
            chunk(content="", reasoning_content="h", reasoning_details=[{"index": 0, "text": "h"}]),
            chunk(content="x"),
            chunk("stop", content="y"),
            {
                "object": "chat.completion",
                "choices": [{"finish_reason": "stop", "message": {"content": "xy"}}],
                "usage": usage()["usage"],
                "base_resp": {"status_code": 0, "status_msg": ""},
            },
        ],
        {"reasoning": "h", "text": "xy", "usage": KNOWN},
    ),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_documented_streams_are_parsed_as_documented(name: str):
    provider, events, said = STREAMS[name]
    assert summarise(await read_stream(provider, to_sse(*events))) == say(**said)


@pytest.mark.parametrize("given", ["one_index", "own_index", "function_call"])
async def test_chat_tool_calls_without_an_id_get_a_generated_one(given: str):
    if given == "function_call":
        legacy = [{"name": "f", "arguments": ""}, {"arguments": '{"a":1}'}]
        events = [*(chunk(function_call=one) for one in legacy), chunk("function_call")]
        expected = [{"a": 1}]
    else:
        second = 0 if given == "one_index" else 1
        pieces = [piece(0, None, "f", '{"a":1}'), piece(second, None, "f", '{"a":2}')]
        events = [*(calls(one) for one in pieces), chunk("tool_calls")]
        expected = [{"a": 1}, {"a": 2}]
    answer = await read_stream("compatible", to_sse(*events))
    assert [one["arguments"] for one in answer.tool_calls] == expected
    assert len({one["id"] for one in answer.tool_calls} - {""}) == len(expected)
    assert answer.stop == "tool_use"


async def test_reasoning_details_are_joined_by_index():
    details = [
        {"type": "reasoning.text", "text": "x", "index": 0, "signature": None},
        {"type": "reasoning.text", "text": "y", "index": 0},
        {"type": "reasoning.text", "signature": "S", "index": 0},
        {"type": "reasoning.encrypted", "data": "E", "index": 1},
    ]
    events = [*(chunk(reasoning_details=[one]) for one in details), chunk("stop", content="a")]
    answer = await read_stream("compatible", to_sse(*events))
    state: Any = answer.message["parts"][0]
    assert (state["text"], state["provider_state"]["value"]["details"]) == (
        "xy",
        [{**details[0], "text": "xy", "signature": "S"}, details[3]],
    )


# Provider → body of a 200 without an answer, what it is. The same as an event in a stream.
NO_ANSWERS: list[tuple[str, Any, type[ModelError]]] = [
    ("compatible", {"object": "error", "message": "m", "code": 400}, ModelRequestError),
    ("compatible", {"code": 500, "msg": "404 NOT_FOUND", "success": False}, ModelOverloaded),
    ("compatible", {"error": {"message": "m", "code": 429, "metadata": {}}}, RateLimited),
    ("compatible", {"error": {"code": "server_error"}}, ModelOverloaded),
    (
        "compatible",
        {"choices": [{"finish_reason": "error", "error": {"code": 402, "message": "m"}}]},
        ModelQuotaError,
    ),
    ("glm", {"error": {"code": "1301", "message": "m"}}, ContentFiltered),
    ("glm", {"error": {"code": "1000", "message": "m"}}, ModelAuthError),
    ("glm", {"error": {"code": "1312", "message": "m"}}, ModelOverloaded),
    ("glm", {"error": {"code": "1311", "message": "m"}}, ModelQuotaError),
    ("glm", {"error": {"code": "1222", "message": "m"}}, ModelNotFoundError),
    ("kimi", {"error": {"type": "rate_limit_reached_error", "message": "m"}}, RateLimited),
    ("minimax", {"choices": None, "base_resp": {"status_code": 1027}}, ContentFiltered),
    ("minimax", {"choices": None, "base_resp": {"status_code": 1042}}, ModelRequestError),
    ("minimax", {"choices": None, "base_resp": {"status_code": 9999}}, ModelOverloaded),
]


@pytest.mark.parametrize(("provider", "body", "kind"), NO_ANSWERS)
async def test_errors_inside_a_200_are_raised(provider: str, body: Any, kind: type[ModelError]):
    whole = await fail(provider, Reply(to_json(body)), stream=False)
    events = to_sse(chunk(content="x"), body, DONE)
    within = await fail(provider, Reply(events, headers=EVENT_STREAM), stream=True)
    assert (type(whole), type(within)) == (kind, kind)
    assert within.partial.text == "x"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (429, "usage limit exceeded, 5-hour limit of the plan (2056)", ModelQuotaError),
        (429, "the plan does not hold this model (2062)", ModelQuotaError),
        (429, "rate limit exceeded(RPM) (1002)", RateLimited),
        (402, "insufficient balance (1008)", ModelQuotaError),
        (400, "invalid params, unknown model (2013)", ModelRequestError),
        (400, "invalid params, context window exceeds limit (2013)", ContextTooLong),
        (500, "unknown error, 999 (1000)", ModelOverloaded),
    ],
)
async def test_minimax_error_codes_are_read_from_the_message(
    status: int, message: str, kind: type[ModelError]
):
    stated = {"type": "rate_limit_error", "message": message, "http_code": str(status)}
    body = {"type": "error", "error": stated, "request_id": "r9"}
    error = await fail("minimax", Reply(to_json(body), status), stream=True)
    assert (type(error), error.request_id) == (kind, "r9")


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": None}, {"detail": "Not Found"}])
async def test_a_chat_body_without_choices_is_an_error(body: Any):
    error = await fail("compatible", Reply(to_json(body)), stream=False)
    assert type(error) is ModelOverloaded
    assert error.message.removeprefix("openai: ") in ("HTTP 200 without a message", "Not Found")


@pytest.mark.parametrize("content_type", ["text/event-stream", "text/plain", "application/json"])
async def test_streams_and_json_are_recognised_with_any_content_type(content_type: str):
    headers = {"content-type": content_type}
    quota = to_json({"error": {"message": "m", "code": "insufficient_quota"}})
    error = await fail("compatible", Reply(b"\n" + quota, headers=headers), stream=True)
    assert type(error) is ModelQuotaError
    page = Reply(b"<html><title>502 Bad Gateway</title></html>", headers=headers)
    assert "502 Bad Gateway" in (await fail("compatible", page, stream=True)).message
    whole = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}
    for body in (to_json(whole), to_sse(chunk("stop", content="a"), DONE)):
        answer = await read_stream("compatible", body, headers)
        assert summarise(answer) == say(text="a")


async def test_a_whole_legacy_call_is_read():
    message = {"content": None, "function_call": {"name": "f", "arguments": '{"a":1}'}}
    body = {"choices": [{"message": message, "finish_reason": "function_call"}]}
    answer = await read_whole("compatible", body)
    assert (answer.stop, answer.tool_calls[0]["arguments"]) == ("tool_use", {"a": 1})
