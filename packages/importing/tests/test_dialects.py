"""Spans of instrumentations beside the GenAI conventions, and spans in JSON that is not OTLP.

Sources: those that `otel/dialects.py` and `otel/plain.py` name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings

from .conftest import read_all, show

TRACE = "0" * 31 + "1"
MODEL = "gpt-5-mini"
USER = {"role": "user", "content": [{"type": "text", "text": "Which keys?"}]}
SDK = {"gen_ai.system": "openai.responses", "gen_ai.request.model": MODEL}
COUNTS = {"gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 5}
CALLED = [("user", "Which keys?", []), ("assistant", "", [("stock", {"item": "key"})])]
WHOLE = [*CALLED, ("tool", "12 left"), ("assistant", "Twelve.", [])]
PLAIN = [("user", "Which keys?", []), ("assistant", "Blue.", [])]


def to_value(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"arrayValue": {"values": [to_value(one) for one in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def list_attributes(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": to_value(value)} for key, value in attributes.items()]


def make_span(
    number: int, attributes: dict[str, Any], events: Any = (), parent: int = 0, name: str = "span"
) -> dict[str, Any]:
    return {
        "traceId": TRACE,
        "spanId": f"{number:016x}",
        "parentSpanId": f"{parent:016x}" if parent else "",
        "name": name,
        "startTimeUnixNano": str(1_795_000_000_000_000_000 + number),
        "endTimeUnixNano": str(1_795_000_001_000_000_000 + number),
        "attributes": list_attributes(attributes),
        "events": [{"name": name, "attributes": list_attributes(told)} for name, told in events],
    }


async def read(settings: Settings, folder: Path, *spans: dict[str, Any]) -> Any:
    path = folder / "traces.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), "utf-8")
    (found,) = await read_all(settings, "otel", str(path))
    return found


async def test_the_ai_sdks_own_spans_become_a_conversation(settings: Settings, tmp_path: Path):
    sent = json.dumps([{"role": "system", "content": "You keep a kiosk."}, USER])
    calls = json.dumps([{"toolCallId": "c1", "toolName": "stock", "input": '{"item": "key"}'}])
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "stock", "input": {"item": "key"}}
    result = {"type": "tool-result", "toolCallId": "c1", "toolName": "stock"}
    result["output"] = {"type": "text", "value": "12 left"}  # type: ignore[assignment]
    more = [
        *json.loads(sent),
        {"role": "assistant", "content": [call]},
        {"role": "tool", "content": [result]},
    ]
    tool = json.dumps({"type": "function", "name": "stock", "inputSchema": {"type": "object"}})
    first = {**SDK, **COUNTS, "ai.operationId": "ai.streamText.doStream"}
    first |= {"ai.prompt.messages": sent, "ai.response.toolCalls": calls, "ai.prompt.tools": [tool]}
    first |= {"ai.usage.cachedInputTokens": 10, "ai.telemetry.metadata.chatId": "kiosk-1"}
    last = {**SDK, **COUNTS, "ai.operationId": "ai.streamText.doStream"}
    last |= {"ai.prompt.messages": json.dumps(more), "ai.response.text": "Twelve."}
    whole = {"ai.operationId": "ai.streamText", "ai.usage.inputTokens": 60}

    found = await read(
        settings,
        tmp_path,
        make_span(1, whole | {"ai.telemetry.metadata.chatId": "kiosk-1"}),
        make_span(2, first, parent=1),
        make_span(3, last, parent=1),
    )

    assert (found.name, found.system, show(found.messages)) == (
        "kiosk-1",
        "You keep a kiosk.",
        WHOLE,
    )
    assert found.gaps == []
    usage = [placed.call.usage for placed in found.calls]
    assert [(one.input_total, one.cache_read_tokens) for one in usage] == [(30, 10), (30, None)]
    assert found.calls[0].call.tools[0]["name"] == "stock"


CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": MODEL, **COUNTS}
BARE = {"gen_ai.request.model": MODEL, **COUNTS}
TEXT = json.dumps([{"text": "Which keys?"}])
USE = json.dumps([{"toolUse": {"toolUseId": "c1", "name": "stock", "input": {"item": "key"}}}])
RESULT = {"toolUseId": "c1", "status": "success", "content": [{"text": "12 left"}]}
DETAILS = {
    "gen_ai.input.messages": json.dumps(
        [{"role": "user", "parts": [{"type": "text", "content": "Which keys?"}]}]
    ),
    "gen_ai.output.messages": json.dumps(
        [{"role": "assistant", "parts": [{"type": "text", "content": "Blue."}]}]
    ),
}
IN_MESSAGES = "gen_ai.input.messages"
ASKED = {"role": "user", "content": "Which keys?"}
SAYS = {"role": "assistant", "content": "Blue."}
PARTS = [{"role": "user", "parts": [{"text": "Which keys?"}]}]
ADK = {
    "gcp.vertex.agent.llm_request": json.dumps(
        {"model": MODEL, "config": {"system_instruction": "You keep a kiosk."}, "contents": PARTS}
    ),
    "gcp.vertex.agent.llm_response": json.dumps(
        {"content": {"role": "model", "parts": [{"text": "Blue."}]}}
    ),
}
SPANS: dict[str, tuple[dict[str, Any], list[tuple[str, Any]], list[Any]]] = {
    "Strands": (
        CHAT,
        [
            ("gen_ai.user.message", {"content": TEXT}),
            ("gen_ai.assistant.message", {"content": USE}),
            ("gen_ai.tool.message", {"content": json.dumps([{"toolResult": RESULT}])}),
            ("gen_ai.choice", {"message": json.dumps([{"text": "Twelve."}])}),
        ],
        WHOLE,
    ),
    "Strands, today's conventions": (
        CHAT,
        [
            ("gen_ai.client.inference.operation.details", {name: value})
            for name, value in DETAILS.items()
        ],
        PLAIN,
    ),
    "Azure": (
        CHAT,
        [
            ("gen_ai.user.message", {"gen_ai.event.content": json.dumps(ASKED)}),
            ("gen_ai.choice", {"gen_ai.event.content": json.dumps({"message": SAYS})}),
        ],
        PLAIN,
    ),
    "OpenLIT": (
        CHAT,
        [
            ("gen_ai.content.prompt", {"gen_ai.prompt": "Which keys?"}),
            ("gen_ai.content.completion", {"gen_ai.completion": "Blue."}),
        ],
        PLAIN,
    ),
    "Pydantic AI's events": (
        CHAT
        | {
            "events": json.dumps(
                [
                    {"event.name": "gen_ai.user.message", **ASKED},
                    {"event.name": "gen_ai.choice", "index": 0, "message": SAYS},
                ]
            )
        },
        [],
        PLAIN,
    ),
    "LangSmith": (
        CHAT
        | {
            "gen_ai.prompt": json.dumps({"messages": [[ASKED]]}),
            "gen_ai.completion": json.dumps(
                {"generations": [[{"text": "Blue.", "message": {"kwargs": SAYS, "lc": 1}}]]}
            ),
        },
        [],
        PLAIN,
    ),
    "Axiom": (
        CHAT | {"gen_ai.prompt": json.dumps([ASKED]), "gen_ai.completion": json.dumps([SAYS])},
        [],
        PLAIN,
    ),
    "Logfire": (
        BARE
        | {
            "request_data": json.dumps({"model": MODEL, "messages": [ASKED]}),
            "response_data": json.dumps({"message": SAYS}),
        },
        [],
        PLAIN,
    ),
    "Google's ADK": (BARE | ADK, [], PLAIN),
}


@pytest.mark.parametrize("name", SPANS)
async def test_a_span_is_read_with_its_words(name: str, settings: Settings, tmp_path: Path):
    attributes, events, said = SPANS[name]

    found = await read(settings, tmp_path, make_span(1, attributes, events))

    assert (show(found.messages), found.gaps) == (said, [])
    assert found.calls[0].call.usage.input_total == 30
    assert found.system == ("You keep a kiosk." if name == "Google's ADK" else "")


async def test_a_call_that_two_spans_describe_is_one_call(settings: Settings, tmp_path: Path):
    inner = {"gen_ai.operation.name": "generate_content", **BARE}

    found = await read(settings, tmp_path, make_span(1, BARE | ADK), make_span(2, inner, parent=1))

    assert show(found.messages) == PLAIN
    assert len(found.calls) == 1


INFERENCE = {
    "llm.model_name": MODEL,
    "llm.input_messages": [{"message.role": "user", "message.content": "Which keys?"}],
    "llm.output_messages": [{"message.role": "assistant", "message.content": "Blue."}],
    "llm.token_count.prompt": 30,
    "session.id": "kiosk-1",
}
TIMES = {"start_time": "2026-11-18T11:06:40.5Z", "end_time": "2026-11-18T11:06:41Z"}
CONTEXT = {"trace_id": TRACE, "span_id": "1" * 16}
NUMBERED = {
    "llm.model_name": MODEL,
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "Which keys?",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "Blue.",
    "session.id": "kiosk-1",
}
GENAI = {**CHAT, **DETAILS, "gen_ai.conversation.id": "kiosk-1"}
SNAKE = [{"key": key, "value": {"string_value": value}} for key, value in NUMBERED.items()]
OF_MODEL = {"key": "openinference.span.kind", "value": {"string_value": "LLM"}}
FILES: dict[str, Any] = {
    "Phoenix's API": {
        "data": [
            {"name": "c", "context": CONTEXT, "span_kind": "LLM", **TIMES, "status_code": "OK",
             "attributes": NUMBERED}
        ],
        "next_cursor": None,
    },
    "Phoenix's API, nested": {
        "data": [
            {"name": "c", "context": CONTEXT, "span_kind": "LLM", **TIMES, "status_code": "OK",
             "attributes": {"llm": {key[4:]: value for key, value in INFERENCE.items()
                                    if key.startswith("llm.")}, "session": {"id": "kiosk-1"}}}
        ]
    },
    "Phoenix's API, OTLP": {
        "data": [
            {"trace_id": TRACE, "span_id": "1" * 16, "name": "c", "attributes": [*SNAKE, OF_MODEL],
             "start_time_unix_nano": 1_795_000_000_500_000_000}
        ]
    },
    "Phoenix's data frame": [
        {"name": "c", "context.trace_id": TRACE, "context.span_id": "1" * 16, "span_kind": "LLM",
         **TIMES, "parent_id": None, "status_code": "OK",
         **{f"attributes.{key}": value for key, value in INFERENCE.items()}}
    ],
    "the console exporter": [
        {"name": "chat", "context": {"trace_id": f"0x{TRACE}", "span_id": "0x1"}, **TIMES,
         "kind": "SpanKind.CLIENT", "parent_id": None, "status": {"status_code": "UNSET"},
         "attributes": GENAI, "events": [], "resource": {"attributes": {}}}
    ],
    "Jaeger": {
        "data": [
            {"traceID": TRACE, "processes": {}, "spans": [
                {"traceID": TRACE, "spanID": "1" * 16, "operationName": "chat", "references": [],
                 "startTime": 1_795_000_000_500_000, "duration": 500_000, "logs": [],
                 "tags": [{"key": key, "type": "string", "value": value}
                          for key, value in GENAI.items()]}]}
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
async def test_spans_outside_otlp_are_imported(name: str, settings: Settings, tmp_path: Path):
    path = tmp_path / "spans.json"
    text = json.dumps(FILES[name], indent=4)
    path.write_text(text[1:-1] if name == "the console exporter" else text, "utf-8")

    (found,) = await read_all(settings, "otel", str(path))

    assert (found.name, show(found.messages), found.gaps) == ("kiosk-1", PLAIN, [])
    assert found.calls[0].call.started_at.isoformat() == "2026-11-18T11:06:40.500000+00:00"


async def test_a_picture_by_address_is_named_in_the_message(settings: Settings, tmp_path: Path):
    part = {"type": "uri", "modality": "image", "uri": "https://kiosk.example/key.png"}
    sent = json.dumps([{"role": "user", "parts": [part]}])

    found = await read(settings, tmp_path, make_span(1, CHAT | DETAILS | {IN_MESSAGES: sent}))

    assert show(found.messages)[0] == ("user", "[https://kiosk.example/key.png]", [])
    assert any("a file was not imported" in note for note in found.notes)
