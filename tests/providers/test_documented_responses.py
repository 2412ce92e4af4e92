"""Answers of the Responses API that no recording has, made from OpenAI's SDK types."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelError,
    ModelOverloaded,
    ModelQuotaError,
    ModelRequestError,
    ModelTimeout,
    RateLimited,
)
from tests.providers.asking import summarise
from tests.providers.documented import (
    EVENT_STREAM,
    called,
    cut_call,
    fail,
    read_stream,
    read_whole,
    say,
    to_json,
    to_sse,
    tokens,
)
from tests.providers.local_server import Reply

STATED = {
    "input_tokens": 20,
    "input_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 2},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 4},
}
USAGE = tokens(20, 9, read=5, write=2, reasoning=4)


def response(status: str, *output: Any, **more: Any) -> dict[str, Any]:
    return {"id": "r", "status": status, "model": "m", "output": list(output), **more}


CREATED = {"type": "response.created", "response": response("in_progress", usage=None)}


def end(*output: Any, status: str = "completed", **more: Any) -> dict[str, Any]:
    body = response(status, *output, usage=STATED, **more)
    return {"type": f"response.{status}", "response": body}


def stop_short(reason: str, *output: Any) -> dict[str, Any]:
    return end(*output, status="incomplete", incomplete_details={"reason": reason})


def message(*contents: Any) -> dict[str, Any]:
    return {"type": "message", "id": "m1", "role": "assistant", "content": list(contents)}


def text(said: str) -> dict[str, Any]:
    return {"type": "output_text", "text": said, "annotations": []}


def call(call_id: str, name: str, arguments: str = "") -> dict[str, Any]:
    item = {"id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": arguments}
    return {"type": "function_call", **item}


def added(index: int, item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int, item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(kind: str, index: int, piece: str) -> dict[str, Any]:
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": piece}


def spoken(index: int, said: str) -> list[dict[str, Any]]:
    """A message item as it streams."""
    pieces = [delta("output_text", index, piece) for piece in said]
    return [added(index, message()), *pieces, done(index, message(text(said)))]


REFUSAL = {"type": "refusal", "refusal": "I no"}
LOOKED = {"type": "search", "query": "q"}
SEARCH = {"type": "web_search_call", "id": "ws", "action": LOOKED}
SUMMARY = [{"type": "summary_text", "text": "**A**"}, {"type": "summary_text", "text": "**B**"}]
THOUGHT = {"type": "reasoning", "id": "rs", "summary": SUMMARY, "encrypted_content": "E"}
OPEN = {"type": "reasoning", "id": "rs", "summary": []}
SPOKEN_THOUGHT = {**OPEN, "content": [{"type": "reasoning_text", "text": "hm"}]}
# Name → events after the first, what they say.
STREAMS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "the limit falls into the text": (
        [*spoken(0, "Grü"), stop_short("max_output_tokens", message(text("Grü")))],
        {"text": "Grü", "stop": "length", "stop_raw": "incomplete:max_output_tokens"},
    ),
    "a filter": (
        [*spoken(0, "a"), stop_short("content_filter", message(text("a")))],
        {"text": "a", "stop": "content_filter", "stop_raw": "incomplete:content_filter"},
    ),
    "the limit falls into a call": (
        [
            added(0, call("c1", "f")),
            delta("function_call_arguments", 0, '{"a'),
            done(0, call("c1", "f", '{"a')),
            stop_short("max_output_tokens", call("c1", "f", '{"a')),
        ],
        {
            "tool_calls": [cut_call("c1", "f", '{"a')],
            "stop": "length",
            "stop_raw": "incomplete:max_output_tokens",
        },
    ),
    "a refusal": (
        [
            added(0, message()),
            delta("refusal", 0, "I "),
            delta("refusal", 0, "no"),
            done(0, message(REFUSAL)),
            end(message(REFUSAL)),
        ],
        {"refusal": "I no", "stop": "refusal"},
    ),
    "summaries, then a call": (
        [
            added(0, OPEN),
            {"type": "response.reasoning_summary_part.added", "output_index": 0},
            delta("reasoning_summary_text", 0, "**A**"),
            {"type": "response.reasoning_summary_part.added", "output_index": 0},
            delta("reasoning_summary_text", 0, "**B**"),
            done(0, THOUGHT),
            added(1, call("c1", "f")),
            delta("function_call_arguments", 1, '{"a":1}'),
            done(1, call("c1", "f", '{"a":1}')),
            end(THOUGHT, call("c1", "f", '{"a":1}')),
        ],
        {"reasoning": "**A****B**", "tool_calls": [called("c1", "f", a=1)], "stop": "tool_use"},
    ),
    "reasoning in the open": (
        [
            added(0, OPEN),
            delta("reasoning_text", 0, "hm"),
            done(0, SPOKEN_THOUGHT),
            *spoken(1, "a"),
            end(SPOKEN_THOUGHT, message(text("a"))),
        ],
        {"reasoning": "hm", "text": "a"},
    ),
    "calls that take turns, and an end without them": (
        [
            added(0, call("c1", "f")),
            added(1, call("c2", "g")),
            delta("function_call_arguments", 1, '{"b":'),
            delta("function_call_arguments", 0, '{"a":'),
            delta("function_call_arguments", 1, "2}"),
            delta("function_call_arguments", 0, "1}"),
            end(),
        ],
        {"tool_calls": [called("c1", "f", a=1), called("c2", "g", b=2)], "stop": "tool_use"},
    ),
    "a search between two messages": (
        [
            *spoken(0, "a"),
            added(1, {**SEARCH, "action": None}),
            {"type": "response.web_search_call.searching", "output_index": 1, "item_id": "ws"},
            done(1, SEARCH),
            *spoken(2, "b"),
            end(message(text("a")), SEARCH, message(text("b"))),
        ],
        {"text": "ab", "server_tool_calls": [called("ws", "web_search_call", **LOOKED)]},
    ),
    "kinds that came later": (
        [
            {"type": "keepalive"},
            {"type": "response.hologram.turned", "angle": 1},
            *spoken(0, "a"),
            end(message(text("a"))),
            "data: [DONE]",
        ],
        {"text": "a"},
    ),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_documented_streams_are_parsed_as_documented(name: str):
    events, said = STREAMS[name]
    events = [
        {**event, "sequence_number": at} if isinstance(event, dict) else event
        for at, event in enumerate([CREATED, *events])
    ]
    answer = await read_stream("responses", to_sse(*(_named(event) for event in events)))
    assert summarise(answer) == say(**{"stop_raw": "completed", "usage": USAGE, **said})


FAILURES: list[tuple[str, type[ModelError]]] = [
    ("server_error", ModelOverloaded),
    ("rate_limit_exceeded", RateLimited),
    ("insufficient_quota", ModelQuotaError),
    ("context_length_exceeded", ContextTooLong),
    ("invalid_prompt", ContentFiltered),
    ("bio_policy", ContentFiltered),
    ("cyber_policy", ContentFiltered),
    ("image_content_policy_violation", ContentFiltered),
    ("data_residency_mismatch", ModelRequestError),
    ("vector_store_timeout", ModelTimeout),
]


@pytest.mark.parametrize("form", ["flat", "nested", "failed"])
@pytest.mark.parametrize(("code", "kind"), FAILURES)
async def test_every_kind_of_responses_failure_keeps_the_partial_answer(
    code: str, kind: type[ModelError], form: str
):
    stated = {"code": code, "message": "m"}
    event = {
        "flat": {"type": "error", **stated, "param": None},
        "nested": {"type": "error", "error": stated},
        "failed": end(status="failed", error=stated),
    }[form]
    body = to_sse(CREATED, *spoken(0, "a"), event)
    headers = {**EVENT_STREAM, "x-request-id": "req_1"}
    error = await fail("responses", Reply(body, headers=headers), stream=True)
    assert (type(error), error.message, error.request_id) == (kind, "openai: m", "req_1")
    assert error.partial.text == "a"
    assert error.partial.usage.input_total == (20 if form == "failed" else None)


@pytest.mark.parametrize("status", ["failed", "cancelled", "queued", "in_progress"])
async def test_an_unfinished_response_is_an_error(status: str):
    body = response(status, message(text("a")), usage=STATED, error=None)
    error = await fail("responses", Reply(to_json(body)), stream=False)
    assert type(error) is ModelOverloaded
    assert error.partial.usage.input_total == 20


async def test_a_responses_answer_may_lack_usage_or_its_details():
    bare = {"input_tokens": 3, "output_tokens": 2, "input_tokens_details": None}
    body = response("completed", message(text("a")), usage=bare)
    said = summarise(await read_whole("responses", body))
    assert said["usage"] == tokens(3, 2)
    body["usage"] = None
    assert (await read_whole("responses", body)).usage.source == "missing"


def _named(event: Any) -> str:
    """The event with its name before it, as OpenAI sends it."""
    if isinstance(event, str):
        return event
    return f"event: {event['type']}\n{to_sse(event).decode().strip()}"
