"""Answers that a provider's batch brought are read as live ones are: empty, refused, cut."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from plainloop.agent.errors import EmptyAnswer
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.reading.answer_reader import AnswerReader
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.records import CallSettled
from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_lab.batches.api import Outcome
from plainloop_lab.batches.opening import open_batch_api
from plainloop_lab.batches.settlement import settle_outcome
from plainloop_lab.store.batches import OpenRequest, ProviderBatch

MODELS = {
    "anthropic": ("anthropic", "claude-haiku-5-5", None),
    "chat": ("openai", "gpt-6-luna", "openai_chat"),
    "responses": ("openai", "gpt-6-luna", "openai_responses"),
}
LOOK = ToolSchema("look_up", "Looks up.", {"type": "object", "properties": {}})


def open_model(wire: str) -> ModelHandle:
    provider, model, protocol = MODELS[wire]
    chat = create_provider(provider, "key", model, protocol=protocol)
    return ModelHandle(provider, model, chat)


def bring(wire: str, text: str, *, call: str | None = None, stop: str | None = None) -> Outcome:
    """The outcome of one request of a batch, as this API words it."""
    body: dict[str, Any]
    if wire == "anthropic":
        content: list[Any] = [{"type": "text", "text": text}] if text else []
        if call:
            content.append({"type": "tool_use", "id": "t1", "name": call, "input": {}})
        usage = {"input_tokens": 100, "output_tokens": 5}
        body = {"type": "message", "content": content, "stop_reason": stop or "end_turn"}
        body["usage"] = usage
    elif wire == "chat":
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if call:
            function = {"name": call, "arguments": "{}"}
            message["tool_calls"] = [{"id": "t1", "type": "function", "function": function}]
        choice = {"index": 0, "message": message, "finish_reason": stop or "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
        body = {"choices": [choice], "usage": usage}
    else:
        output: list[Any] = []
        if text:
            part = {"type": "output_text", "text": text, "annotations": []}
            output.append({"type": "message", "role": "assistant", "content": [part]})
        if call:
            made = {"type": "function_call", "call_id": "t1", "name": call, "arguments": "{}"}
            output.append(made)
        usage = {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105}
        body = {"status": "completed", "output": output, "usage": usage}
        if stop:
            body |= {"status": "incomplete", "incomplete_details": {"reason": stop}}
    return {"kind": "succeeded", "status": 200, "request_id": "r1", "body": body}


def settle(wire: str, outcome: Outcome) -> tuple[dict[str, Any], CallSettled]:
    handle = open_model(wire)
    api = open_batch_api(handle.chat)
    where = {"lane": "candidate", "role": "worker", "worker": None, "place": 0}
    batch = ProviderBatch(
        *("b1", 1, handle.provider, handle.model, api.endpoint, where),
        *("ended", "pb1", 1, 1, datetime.now(UTC), None),
    )
    return settle_outcome(batch, OpenRequest(0, "c1", 90), outcome, api, handle, "acme")


@pytest.mark.parametrize("wire", MODELS)
def test_an_empty_batch_answer_is_an_error_with_its_cost(wire: str) -> None:
    row, call = settle(wire, bring(wire, ""))

    assert (row["status"], call.status, call.error_code) == ("failed", "cut", "EMPTY_ANSWER")
    assert (call.usage.input_total, call.usage.output_total) == (100, 5)
    assert call.cost_usd not in (None, "0")


@pytest.mark.parametrize("wire", MODELS)
def test_a_batch_answer_with_text_succeeds(wire: str) -> None:
    row, call = settle(wire, bring(wire, "Good day"))

    assert (row["status"], call.status, call.error_code) == ("succeeded", "succeeded", None)


@pytest.mark.parametrize("wire", MODELS)
@pytest.mark.parametrize("odd", ["\ud83d", "\x00"])
def test_a_batch_answer_is_stored_without_unstorable_characters(odd: str, wire: str) -> None:
    row, call = settle(wire, bring(wire, f"Room 8{odd} is free"))

    assert call.status == "succeeded"
    assert b"\\u0000" not in orjson.dumps(row)
    assert b"Room 8" in orjson.dumps(row)


@pytest.mark.parametrize(("wire", "stop"), [("anthropic", "refusal"), ("chat", "content_filter")])
def test_a_tool_call_in_a_refused_batch_answer_is_never_made(wire: str, stop: str) -> None:
    _, call = settle(wire, bring(wire, "", call="look_up", stop=stop))

    assert call.status == "succeeded"
    assert any("look_up" in note for note in call.notes)


@pytest.mark.parametrize("wire", MODELS)
def test_a_batch_answers_tool_call_is_read_like_a_live_one(wire: str) -> None:
    handle = open_model(wire)
    api, request = open_batch_api(handle.chat), ChatRequest("", [], tools=(LOOK,))

    answer = api.read(bring(wire, "", call="functions.look_up"), request)
    read = AnswerReader(request, handle).finish(answer)

    assert [call["name"] for call in read.tool_calls] == ["look_up"]
    with pytest.raises(EmptyAnswer):
        AnswerReader(request, handle).finish(api.read(bring(wire, ""), request))
