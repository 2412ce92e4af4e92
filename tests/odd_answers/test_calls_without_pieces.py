"""Hazard: calls of a stream get each other's arguments, or are lost, as servers' events differ.

Source: danny-avila/LibreChat #260 (heads first, then pieces that name their call), plexus #691
(`arguments.done` without a delta, and an empty output at the end).
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.odd_answers.five_wires import open_model
from tests.providers.asking import ask
from tests.providers.documented import EVENT_STREAM, to_sse
from tests.providers.local_server import Reply, run_local

BAKER, MILLER = '{"title": "Baker"}', '{"title": "Miller"}'


def make_chunk(call_id: str | None, name: str | None, arguments: str, index: int = 0) -> Any:
    function = {"name": name, "arguments": arguments}
    call = {"index": index, "id": call_id, "type": "function", "function": function}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]}


async def read(wire: str, *events: Any) -> list[tuple[str, Any]]:
    reply = Reply(to_sse(*events, named=wire == "responses"), headers=EVENT_STREAM)
    async with run_local(reply) as local:
        answer = await ask(open_model(wire, local.url), stream=True)
    return [(call["name"], call["arguments"]) for call in answer.tool_calls]


@pytest.mark.parametrize("order", [("call_a", "call_b"), ("call_b", "call_a")])
async def test_argument_pieces_are_joined_to_the_call_they_name(order: tuple[str, str]) -> None:
    arguments = {"call_a": BAKER, "call_b": MILLER}
    pieces = [
        make_chunk(call_id, None, piece)
        for call_id in order
        for piece in (arguments[call_id][:7], arguments[call_id][7:])
    ]
    end = {"id": "c1", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    heads = [make_chunk("call_a", "add", ""), make_chunk("call_b", "add", "")]

    called = await read("compatible", *heads, *pieces, end, "data: [DONE]")

    assert called == [("add", {"title": "Baker"}), ("add", {"title": "Miller"})]


async def test_arguments_sent_only_as_a_whole_are_read() -> None:
    def item(n: int) -> Any:
        made = {"type": "function_call", "id": f"fc_{n}", "call_id": f"call_{n}", "name": "add"}
        return {**made, "arguments": "", "status": "in_progress"}

    begun = [
        {"type": "response.output_item.added", "output_index": n, "item": item(n)} for n in range(3)
    ]
    done = [
        {
            "type": "response.function_call_arguments.done",
            "output_index": n,
            "item_id": f"fc_{n}",
            "arguments": json.dumps({"title": f"T{n}"}),
        }
        for n in (2, 0, 1)
    ]
    end = {"id": "resp_1", "status": "completed", "output": []}
    events = [{"type": "response.created", "response": {"id": "resp_1"}}, *begun, *done]

    called = await read("responses", *events, {"type": "response.completed", "response": end})

    assert called == [("add", {"title": f"T{n}"}) for n in range(3)]


async def test_text_sent_only_as_a_whole_is_shown() -> None:
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": []}
    place = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    events = [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_text.done", **place, "text": "Good day"},
        {"type": "response.completed", "response": {"id": "resp_1", "status": "completed"}},
    ]
    async with run_local(Reply(to_sse(*events, named=True), headers=EVENT_STREAM)) as local:
        answer = await ask(open_model("responses", local.url), stream=True)

    assert answer.text == "Good day"
