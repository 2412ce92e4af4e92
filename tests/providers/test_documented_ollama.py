"""Replies of Ollama's native API that no recording has, made from its documents and sources."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import ContextTooLong, ModelError, ModelOverloaded, StreamCut
from tests.providers.asking import summarise
from tests.providers.documented import (
    LINES,
    called,
    cut_call,
    fail,
    read_stream,
    read_whole,
    say,
    to_json,
    to_ndjson,
    tokens,
)
from tests.providers.local_server import Reply

COUNTS = {"prompt_eval_count": 20, "eval_count": 9, "total_duration": 1}
USAGE = tokens(20, 9)


def reply(content: str = "", **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": content, **message}
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": said, "done": False}


def end(reason: str | None = "stop", content: str = "", **counts: Any) -> dict[str, Any]:
    why = {"done_reason": reason} if reason else {}
    return {**reply(content), "done": True, **why, **(counts or COUNTS)}


def call(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}, **more}


# Name → lines, what they say.
STREAMS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "thinking, then text": (
        [reply(thinking="h"), reply(thinking="m"), reply("Grü"), reply("ße"), end()],
        {"reasoning": "hm", "text": "Grüße"},
    ),
    "calls beside and behind text": (
        [
            reply("I call", tool_calls=[call("f", {"a": 1}, id="call_1")]),
            reply(tool_calls=[{"id": "call_2", "function": {"index": 1, "name": "g"}}]),
            end(),
        ],
        {
            "text": "I call",
            "tool_calls": [called(None, "f", a=1), called(None, "g")],
            "stop": "tool_use",
        },
    ),
    "arguments as text": (
        [reply(tool_calls=[call("f", '{"a":1}', id="call_1")]), end()],
        {"tool_calls": [called(None, "f", a=1)], "stop": "tool_use"},
    ),
    "arguments that are none": (
        [reply(tool_calls=[call("f", '{"a', id="call_1")]), end("length")],
        {"tool_calls": [cut_call(None, "f", '{"a')], "stop": "length", "stop_raw": "length"},
    ),
    "a call in words stays words": (
        [reply('<tool_call>{"name": "f"}</tool_call>'), end()],
        {"text": '<tool_call>{"name": "f"}</tool_call>'},
    ),
    "words in the last reply": ([reply("a"), end(content="b")], {"text": "ab"}),
    "the model was only loaded": (
        [end("load", load_duration=1)],
        {"stop_raw": "load", "usage": None},
    ),
    "a cached prompt is not counted": (
        [reply("a"), end(eval_count=3)],
        {"text": "a", "usage": {**USAGE, "input_total": None, "output": 3}},
    ),
    "no reason, no message": ([reply("a"), {"model": "m", "done": True, **COUNTS}], {"text": "a"}),
    "a line behind the end": ([reply("a"), end(), {"status": "bye"}], {"text": "a"}),
}


@pytest.mark.parametrize("name", STREAMS)
async def test_documented_streams_are_parsed_as_documented(name: str):
    lines, said = STREAMS[name]
    answer = await read_stream("ollama", to_ndjson(*lines), LINES)
    found = summarise(answer)
    found["tool_calls"] = [{**one, "id": None} for one in found["tool_calls"]]
    assert found == say(**{"usage": USAGE, **said})


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("content_type", ["application/x-ndjson", "application/json", ""])
async def test_ollama_lines_are_read_with_any_content_type(content_type: str, line_end: bytes):
    body = to_ndjson(reply("a"), end()).replace(b"\n", line_end)
    answer = await read_stream("ollama", body, {"content-type": content_type})
    assert summarise(answer) == say(text="a", usage=USAGE)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("an error was encountered while running the model: unexpected EOF", ModelOverloaded),
        ("error parsing tool call: raw='{', err=unexpected end of JSON input", ModelOverloaded),
        ("the input length exceeds the context length", ContextTooLong),
    ],
)
async def test_an_ollama_error_line_keeps_the_partial_answer(message: str, kind: type[ModelError]):
    body = to_ndjson(reply("a"), {"error": message})
    error = await fail("ollama", Reply(body, headers=LINES), stream=True)
    assert (type(error), error.message) == (kind, f"ollama: {message}")
    assert error.partial.text == "a"


async def test_unfinished_ollama_replies_and_html_pages_are_errors():
    assert type(await fail("ollama", Reply(to_json(reply("a"))), stream=False)) is StreamCut
    plain = Reply(b"Ollama is running", headers={"content-type": "text/plain"})
    assert type(await fail("ollama", plain, stream=False)) is ModelOverloaded


async def test_a_complete_ollama_reply_is_read_completely():
    calls = [call("f", {"a": 1}, id="call_1")]
    message = {"role": "assistant", "content": "a", "thinking": "t", "tool_calls": calls}
    said = summarise(await read_whole("ollama", {**end(), "message": message}))
    assert said == say(
        text="a",
        reasoning="t",
        tool_calls=[called("call_1", "f", a=1)],
        stop="tool_use",
        usage=USAGE,
    )
