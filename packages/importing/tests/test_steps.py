"""Tool calls of Vercel's AI SDK (UI messages, model messages) and of Gemini keep their results.

Shapes: vercel/ai packages/ai/src/ui/ui-messages.ts, its version 4's convert-to-core-messages.ts;
googleapis/python-genai types.py (FunctionCall, FunctionResponse).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.config.settings import Settings
from plainloop_importing.messages import MessageReader, build_messages
from plainloop_importing.steps import from_gemini

from .conftest import read_all, show
from .test_bodies import make_observation
from .test_files import write

DONE = {"state": "output-available", "input": {"city": "Bonn"}, "output": {"degrees": 7}}
PARIS = {"toolCallId": "c2", "input": {"city": "Paris"}}
UI = [
    {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "How warm?"}]},
    {
        "id": "m2",
        "role": "assistant",
        "parts": [
            {"type": "step-start"},
            {"type": "reasoning", "text": "Look.", "state": "done"},
            {"type": "text", "text": "I look.", "state": "done"},
            {"type": "tool-get-weather", "toolCallId": "c1", **DONE},
            {"type": "dynamic-tool", "toolName": "find", "state": "output-error"}
            | {"errorText": "no such city", **PARIS},
            {"type": "step-start"},
            {"type": "source-url", "sourceId": "s", "url": "https://example.org"},
            {"type": "data-chart", "data": {"n": 1}},
            {"type": "text", "text": "7 degrees."},
        ],
    },
]
BONN, FIND = ("get-weather", {"city": "Bonn"}), ("find", {"city": "Paris"})
TURN = [
    ("user", "How warm?", []),
    ("assistant", "I look.", [BONN, FIND]),
    ("tool", '{"degrees":7}'),
    ("tool", "no such city"),
    ("assistant", "7 degrees.", []),
]


def build(settings: Settings, items: list[Any]) -> tuple[list[Any], list[str]]:
    reader = MessageReader(settings)
    messages, _ = build_messages(reader.read(items), reader.note)
    return messages, reader.list_notes()


def list_results(messages: list[Any]) -> list[tuple[str, str, str, bool]]:
    parts = [part for message in messages for part in message["parts"]]
    results = [part for part in parts if part["type"] == "tool_result"]
    return [(part["id"], part["name"], part["result"], part["is_error"]) for part in results]


def test_an_ai_sdk_message_is_imported_as_its_steps_and_calls(settings: Settings) -> None:
    messages, notes = build(settings, UI)
    assert show(messages) == TURN
    assert list_results(messages) == [
        ("c1", "get-weather", '{"degrees":7}', False),
        ("c2", "find", "no such city", True),
    ]
    assert notes == [
        "a part of type source-url, which no model was sent: left out",
        "a part of type data-chart, which no model was sent: left out",
    ]


async def test_ui_messages_that_a_trace_recorded_keep_their_calls(
    settings: Settings, tmp_path: Path
) -> None:
    output = {"role": "assistant", "content": [{"type": "text", "text": "Bye."}]}
    asked = {"role": "user", "parts": [{"type": "text", "text": "Thanks."}]}
    path = write(tmp_path, make_observation(input={"messages": [*UI, asked]}, output=output))
    (one,) = await read_all(settings, "langfuse", path)
    assert show(one.messages) == [*TURN, ("user", "Thanks.", []), ("assistant", "Bye.", [])]
    assert one.gaps == []


OPEN: dict[str, dict[str, Any]] = {
    "running": {"state": "input-available"},
    "awaiting approval": {"state": "approval-requested", "approval": {"id": "a"}},
    "approved": {"state": "approval-responded", "approval": {"id": "a", "approved": True}},
    "preliminary": {"state": "output-available", "preliminary": True, "output": "so far"},
}


@pytest.mark.parametrize("name", OPEN)
def test_an_imported_tool_call_without_a_result_stays_open(settings: Settings, name: str) -> None:
    part = {"type": "tool-stock", "toolCallId": "c1", "input": {"sku": "K"}, **OPEN[name]}
    messages, _ = build(settings, [{"role": "assistant", "parts": [part]}])
    assert show(messages) == [("assistant", "", [("stock", {"sku": "K"})])]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool-stock", "toolCallId": "c", "state": "input-streaming", "input": {"s": "K"}},
        {
            "type": "tool-invocation",
            "toolInvocation": {"state": "partial-call", "toolCallId": "c", "toolName": "stock"},
        },
    ],
)
def test_an_imported_call_with_half_its_arguments_is_never_executed(
    settings: Settings, part: Any
) -> None:
    messages, notes = build(settings, [{"role": "assistant", "parts": [part]}])
    (call,) = list_calls(messages[0])
    assert (call["name"], call.get("is_cut")) == ("stock", True)
    assert notes == ["a call whose arguments were not complete: imported as cut"]


def test_an_imported_call_with_invalid_json_keeps_its_arguments_text(settings: Settings) -> None:
    part = {"type": "tool-stock", "toolCallId": "c", "state": "output-error", "rawInput": '{"s": '}
    told = [{"role": "assistant", "parts": [{**part, "errorText": "Invalid input"}]}]
    messages, _ = build(settings, told)
    (call,) = list_calls(messages[0])
    assert call.get("invalid_arguments") == '{"s": '
    assert list_results(messages) == [("c", "stock", "Invalid input", True)]


@pytest.mark.parametrize("state", ["output-denied", "approval-responded"])
def test_a_denied_call_has_the_reason_as_its_error(settings: Settings, state: str) -> None:
    approval = {"id": "a", "approved": False, "reason": "not today"}
    part = {"type": "tool-pay", "toolCallId": "c", "state": state, "input": {}}
    told = [{"role": "assistant", "parts": [{**part, "approval": approval}]}]
    messages, _ = build(settings, told)
    assert list_results(messages) == [("c", "pay", "not today", True)]


def test_an_error_of_an_mcp_tool_stays_an_error(settings: Settings) -> None:
    output = {"content": [{"type": "text", "text": "no"}], "isError": True}
    part = {"type": "dynamic-tool", "toolName": "find", **PARIS, "state": "output-available"}
    messages, _ = build(settings, [{"role": "assistant", "parts": [{**part, "output": output}]}])
    (result,) = list_results(messages)
    assert result[3] is True


def make_invocation(step: int | None, call_id: str, **more: Any) -> dict[str, Any]:
    told = {"state": "result", "toolCallId": call_id, "toolName": "stock", "args": {"sku": call_id}}
    return {**told, "result": 3, **({} if step is None else {"step": step}), **more}


def test_tool_invocations_of_ai_sdk_4_are_imported_in_step_order(settings: Settings) -> None:
    calls = [make_invocation(1, "b"), make_invocation(0, "a")]
    told = {"role": "assistant", "content": "Both: 3.", "toolInvocations": calls}
    messages, _ = build(settings, [told])
    assert show(messages) == [
        ("assistant", "", [("stock", {"sku": "a"})]),
        ("tool", "3"),
        ("assistant", "", [("stock", {"sku": "b"})]),
        ("tool", "3"),
        ("assistant", "Both: 3.", []),
    ]


def test_a_tool_invocation_without_a_step_follows_the_messages_text(settings: Settings) -> None:
    call = make_invocation(None, "a", state="call")
    told = {"role": "assistant", "content": "I look.", "toolInvocations": [call]}
    messages, _ = build(settings, [told])
    assert show(messages) == [("assistant", "I look.", [("stock", {"sku": "a"})])]


def test_a_tool_invocation_stored_twice_in_a_message_is_one_call(settings: Settings) -> None:
    call = make_invocation(0, "a")
    parts = [
        {"type": "step-start"},
        {"type": "tool-invocation", "toolInvocation": call},
        {"type": "step-start"},
        {"type": "text", "text": "3."},
    ]
    told = {"role": "assistant", "content": "3.", "toolInvocations": [call], "parts": parts}
    messages, _ = build(settings, [told])
    assert show(messages) == [
        ("assistant", "", [("stock", {"sku": "a"})]),
        ("tool", "3"),
        ("assistant", "3.", []),
    ]


OUTPUTS: dict[str, tuple[dict[str, Any], str, bool]] = {
    "text": ({"output": {"type": "text", "value": "7"}}, "7", False),
    "json": ({"output": {"type": "json", "value": {"n": 7}}}, '{"n":7}', False),
    "error": ({"output": {"type": "error-text", "value": "no"}}, "no", True),
    "denied": ({"output": {"type": "execution-denied", "reason": "no"}}, "no", True),
    "content": (
        {
            "output": {
                "type": "content",
                "value": [{"type": "text", "text": "7"}, {"type": "image-data", "data": "…"}],
            }
        },
        "7\n[image-data]",
        False,
    ),
    "version 4": ({"result": [{"text": "7", "url": "u"}]}, '[{"text":"7","url":"u"}]', False),
    "version 4, an error": ({"result": "no", "isError": True}, "no", True),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_model_message_keeps_parallel_calls_and_results(settings: Settings, name: str) -> None:
    told, text, is_error = OUTPUTS[name]
    ids = ("c1", "c2")
    calls = [{"type": "tool-call", "toolCallId": c, "toolName": "t", "input": {}} for c in ids]
    results = [{"type": "tool-result", "toolCallId": c, "toolName": "t", **told} for c in ids]
    items = [{"role": "assistant", "content": calls}, {"role": "tool", "content": results}]
    messages, _ = build(settings, items)
    assert show(messages)[0] == ("assistant", "", [("t", {}), ("t", {})])
    assert list_results(messages) == [("c1", "t", text, is_error), ("c2", "t", text, is_error)]


RESPONSES: dict[str, tuple[dict[str, Any], str, bool]] = {
    "output": ({"output": "7"}, "7", False),
    "result": ({"result": {"n": 7}}, '{"n":7}', False),
    "whole": ({"n": 7, "unit": "C"}, '{"n":7,"unit":"C"}', False),
    "error": ({"error": "no such city"}, "no such city", True),
    "no error": ({"error": None, "n": 7}, '{"error":null,"n":7}', False),
}


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("form", ["camel", "snake"])
def test_gemini_contents_keep_their_calls(settings: Settings, name: str, form: str) -> None:
    response, text, is_error = RESPONSES[name]
    call, answer = ("functionCall", "functionResponse")
    if form == "snake":
        call, answer = ("function_call", "function_response")
    items = [
        {"role": "user", "parts": [{"text": "How warm?"}]},
        {
            "role": "model",
            "parts": [
                {"text": "I look.", "thought": True},
                {call: {"name": "warm", "args": {"city": "Bonn"}}, "thoughtSignature": "…"},
                {call: {"name": "find", "args": {}, "id": "f"}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {answer: {"name": "find", "id": "f", "response": {"output": "here"}}},
                {answer: {"name": "warm", "response": response}},
            ],
        },
        {"role": "model", "parts": [{"text": "So."}]},
    ]
    messages, _ = build(settings, items)
    assert show(messages) == [
        ("user", "How warm?", []),
        ("assistant", "", [("warm", {"city": "Bonn"}), ("find", {})]),
        ("tool", "here"),
        ("tool", text),
        ("assistant", "So.", []),
    ]
    results = list_results(messages)
    assert [(result[1], result[3]) for result in results] == [("find", False), ("warm", is_error)]
    assert messages[1]["parts"][0] == {"type": "reasoning", "text": "I look."}


async def test_a_gemini_request_and_its_candidate_are_read(
    settings: Settings, tmp_path: Path
) -> None:
    asked = {"role": "user", "parts": [{"text": "How warm?"}]}
    call = {"functionCall": {"name": "warm", "args": {"city": "Bonn"}}}
    output = {
        "candidates": [{"content": {"role": "model", "parts": [call]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 4},
    }
    told = {"systemInstruction": {"parts": [{"text": "Be brief."}]}, "contents": [asked]}
    path = write(tmp_path, make_observation(input=told, output=output))
    (one,) = await read_all(settings, "langfuse", path)
    assert one.system == "Be brief."
    assert show(one.messages) == [
        ("user", "How warm?", []),
        ("assistant", "", [("warm", {"city": "Bonn"})]),
    ]


@pytest.mark.parametrize(
    "told",
    [
        {"parts": [{"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,X"}]},
        {
            "content": "Look.",
            "experimental_attachments": [
                {"contentType": "image/png", "url": "data:image/png;base64,X"}
            ],
        },
        {"parts": [{"inlineData": {"mimeType": "image/png", "data": "X"}}]},
    ],
)
def test_pictures_of_each_message_format_are_imported_as_files(
    settings: Settings, told: dict[str, Any]
) -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    png += "rkJggg=="
    told = json.loads(json.dumps(told).replace("X", png))
    messages, notes = build(settings, [{"role": "user", **told}])
    assert [part["type"] for part in messages[0]["parts"]][-1] == "file"
    assert notes == []


def test_files_of_a_gemini_tool_result_are_noted_as_left_out() -> None:
    notes: list[str] = []
    image = {"inlineData": {"mimeType": "image/png", "data": "AA=="}}
    answer = {"name": "draw", "id": "c1", "response": {"output": "Done"}, "parts": [image]}
    (result,) = from_gemini({"functionResponse": answer}, notes.append)
    assert (result["tool_use_id"], notes) == ("c1", ["files of a tool result: left out"])
