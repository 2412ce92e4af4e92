"""Answers of Gemini that no recording has, made from Google's documents and SDK types."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import ModelError, ModelOverloaded, RateLimited, StreamCut
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

PROMPT = {"promptTokenCount": 20, "totalTokenCount": 20}
STATED = {
    "promptTokenCount": 20,
    "toolUsePromptTokenCount": 3,
    "cachedContentTokenCount": 6,
    "candidatesTokenCount": 9,
    "thoughtsTokenCount": 4,
}
USAGE = tokens(23, 13, read=6, reasoning=4)
ONLY_PROMPT = tokens(20, 0)
SIGNATURE = "c2ln"


def chunk(*parts: Any, reason: str | None = None, usage: Any = PROMPT, **more: Any) -> Any:
    candidate = {"content": {"parts": list(parts), "role": "model"}, "index": 0, **more}
    if reason:
        candidate["finishReason"] = reason
    return {"candidates": [candidate], "usageMetadata": usage, "responseId": "r"}


def to_google(*chunks: Any) -> bytes:
    return to_sse(*chunks).replace(b"\n", b"\r\n")


def text(said: str, **more: Any) -> Any:
    return {"text": said, **more}


LAST = chunk(text(""), reason="STOP", usage=STATED)
GROUNDING = {"webSearchQueries": ["q"], "groundingChunks": [{"web": {"uri": "u", "title": "t"}}]}
# Name → chunks, what they say, the state of their parts.
STREAMS: dict[str, tuple[list[Any], dict[str, Any], list[Any]]] = {
    "thought, text, and a signature on an empty part": (
        [
            chunk(text("hm", thought=True)),
            chunk(text("a")),
            chunk(text("", thoughtSignature=SIGNATURE), reason="STOP", usage=STATED),
        ],
        {"reasoning": "hm", "text": "a"},
        [None, None, {"signature": SIGNATURE}],
    ),
    "a signed text stays a part of its own": (
        [chunk(text("a", thoughtSignature=SIGNATURE)), chunk(text("b")), LAST],
        {"text": "ab"},
        [{"signature": SIGNATURE}, None],
    ),
    "a part that is only a signature": (
        [chunk(text("a")), chunk({"thoughtSignature": SIGNATURE}), LAST],
        {"text": "a"},
        [None, {"part": {}, "signature": SIGNATURE}],
    ),
    "code that Google ran": (
        [
            chunk({"executableCode": {"language": "PYTHON", "code": "print(1)"}}),
            chunk({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}),
            chunk(text("a"), reason="STOP", usage=STATED),
        ],
        {
            "text": "a",
            "server_tool_calls": [
                called(None, "code_execution", language="PYTHON", code="print(1)")
            ],
        },
        [
            {"part": {"executable_code": {"language": "PYTHON", "code": "print(1)"}}},
            {"part": {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}},
            None,
        ],
    ),
    "a part that came later is not sent back empty": (
        [chunk({"hologram": {"angle": 1}}), chunk(text("a")), LAST],
        {"text": "a"},
        [None],
    ),
    "grounding beside the text": (
        [
            chunk(
                text("a"),
                reason="STOP",
                usage=STATED,
                groundingMetadata=GROUNDING,
                citationMetadata={"citationSources": []},
                safetyRatings=[{"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"}],
            )
        ],
        {"text": "a"},
        [None],
    ),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_documented_streams_are_parsed_as_documented(name: str):
    chunks, said, states = STREAMS[name]
    answer = await read_stream("gemini", to_google(*chunks))
    assert summarise(answer) == say(**{"stop_raw": "STOP", "usage": USAGE, **said})
    kept: list[Any] = [part.get("provider_state") for part in answer.message["parts"]]
    assert [state and state["value"] for state in kept] == states


async def test_gemini_calls_without_arguments_or_ids_are_read():
    signed = {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": SIGNATURE}
    chunks = [
        chunk(signed, {"functionCall": {"name": "g"}}),
        chunk({"functionCall": {"name": "h", "args": {}, "id": "id1"}}),
        LAST,
    ]
    answer = await read_stream("gemini", to_google(*chunks))
    calls = answer.tool_calls
    assert [(one["name"], one["arguments"]) for one in calls] == [
        ("f", {"a": 1}),
        ("g", {}),
        ("h", {}),
    ]
    assert calls[2]["id"] == "id1"
    assert len({one["id"] for one in calls}) == 3
    assert (answer.stop, answer.stop_raw) == ("tool_use", "STOP")


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("SAFETY", "content_filter"),
        ("RECITATION", "content_filter"),
        ("PROHIBITED_CONTENT", "content_filter"),
        ("MODEL_ARMOR", "content_filter"),
        ("ESCALATION", "content_filter"),
        ("MAX_TOKENS", "length"),
        ("CONTINUATION", "length"),
    ],
)
async def test_a_gemini_answer_without_content_reports_its_finish_reason(reason: str, stop: str):
    last = {"candidates": [{"finishReason": reason, "index": 0}], "usageMetadata": PROMPT}
    ended = say(stop=stop, stop_raw=reason, usage=ONLY_PROMPT)
    assert summarise(await read_whole("gemini", last)) == ended
    answer = await read_stream("gemini", to_google(chunk(text("a")), last))
    # Something was said, so no number of tokens is not 0.
    assert (answer.usage.input_total, answer.usage.output_total) == (20, None)
    assert summarise(answer) == {**ended, "text": "a", "usage": None}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "OTHER"]
)
async def test_gemini_answers_that_gave_up_are_retried(reason: str, stream: bool):
    body = {"candidates": [{"finishReason": reason, "index": 0}], "usageMetadata": PROMPT}
    raw = to_google(body) if stream else to_json(body)
    error = await fail("gemini", Reply(raw, headers=EVENT_STREAM), stream=stream)
    assert type(error) is ModelOverloaded
    assert reason in error.message
    assert error.partial.usage.input_total == 20


@pytest.mark.parametrize("reason", ["SAFETY", "OTHER", "PROHIBITED_CONTENT"])
async def test_a_blocked_gemini_prompt_is_content_filtered(reason: str):
    body = {"promptFeedback": {"blockReason": reason}, "usageMetadata": PROMPT}
    blocked = say(stop="content_filter", stop_raw=reason, usage=ONLY_PROMPT)
    assert summarise(await read_whole("gemini", body)) == blocked
    assert summarise(await read_stream("gemini", to_google(body))) == blocked


@pytest.mark.parametrize("body", [{}, {"candidates": []}, {"usageMetadata": PROMPT}])
async def test_a_gemini_body_without_candidates_is_an_error(body: Any):
    assert type(await fail("gemini", Reply(to_json(body)), stream=False)) is StreamCut


async def test_reasoning_can_use_up_geminis_token_limit():
    usage = {"promptTokenCount": 20, "thoughtsTokenCount": 50}
    candidate = {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}
    answer = await read_whole("gemini", {"candidates": [candidate], "usageMetadata": usage})
    counted = {**ONLY_PROMPT, "output": 50, "reasoning": 50}
    assert summarise(answer) == say(stop="length", stop_raw="MAX_TOKENS", usage=counted)


DETAILS = [
    {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "Minute"}]},
    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"},
]
RATE = {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": DETAILS}}
OVER = {"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "body", "kind", "pause_s"),
    [
        (429, RATE, RateLimited, 7.0),
        (429, [RATE], RateLimited, 7.0),
        (503, OVER, ModelOverloaded, None),
        (503, [OVER], ModelOverloaded, None),
    ],
)
async def test_gemini_errors_inside_a_list_are_read(
    status: int, body: Any, kind: type[ModelError], pause_s: float | None, stream: bool
):
    error = await fail("gemini", Reply(to_json(body), status), stream=stream)
    assert (type(error), error.message, error.retry_after_s) == (kind, "gemini: m", pause_s)


@pytest.mark.parametrize("is_event", [True, False])
async def test_gemini_errors_outside_an_event_are_read(is_event: bool):
    told = to_google(OVER) if is_event else json.dumps(OVER, indent=2).encode()
    body = to_google(chunk(text("a"))) + told
    error = await fail("gemini", Reply(body, headers=EVENT_STREAM), stream=True)
    assert (type(error), error.message) == (ModelOverloaded, "gemini: m")
    assert error.partial.text == "a"
