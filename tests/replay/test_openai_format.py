"""Conversations as JSON lines: what is read, what is mended, what is refused and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given

from agent.errors import InputError
from agent.providers.types import Message
from agent.replay.conversations import Conversation, split_turns
from agent.replay.openai_format import parse_conversation, read_conversations, to_openai
from tests.core.conversations import conversations

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "airline_conversations.jsonl"


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def ask_tool(call_id: str, name: str = "find", arguments: Any = "{}") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def tell(call_id: str, content: str = "found") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": "find", "content": content}


def line(*messages: dict[str, Any], **more: Any) -> bytes:
    return orjson.dumps({"messages": messages, **more})


def test_a_conversation_is_read_by_turns_with_its_prompt_apart() -> None:
    raw = line(
        {"role": "system", "content": "Be kind."},
        user("Hi"),
        ask_tool("a", arguments='{"x": 1}'),
        tell("a"),
        {"role": "assistant", "content": "Done."},
        user("Bye"),
        conversation_id="c1",
    )
    call = {"type": "tool_call", "id": "a", "name": "find", "arguments": {"x": 1}}
    result = {"type": "tool_result", "id": "a", "name": "find", "result": "found"}
    found = parse_conversation(raw, 1)
    assert (found.conversation_id, found.system, found.repairs) == ("c1", "Be kind.", ())
    assert [turn.is_answered for turn in found.turns] == [True, False]
    assert found.turns[0].recorded == (
        {"role": "assistant", "parts": [call]},
        {"role": "tool", "parts": [{**result, "is_error": False}]},
        {"role": "assistant", "parts": [{"type": "text", "text": "Done."}]},
    )


def test_call_ids_that_repeat_in_later_turns_are_told_apart() -> None:
    one = (ask_tool("a"), tell("a", "1"), {"role": "assistant", "content": "ok"})
    two = (ask_tool("a"), tell("a", "2"), {"role": "assistant", "content": "ok"})
    found = parse_conversation(line(user("x"), *one, user("y"), *two), 1)
    results = [m["parts"][0] for m in found.messages if m["role"] == "tool"]
    assert [(part["id"], part["result"]) for part in results] == [("a", "1"), ("a-2", "2")]


def test_a_recording_that_ends_inside_a_call_is_whole() -> None:
    found = parse_conversation(line(user("x"), ask_tool("a")), 1)
    assert (len(found.turns[0].recorded), found.turns[0].is_answered) == (1, False)


def test_arguments_that_are_no_object_are_kept_as_they_came() -> None:
    found = parse_conversation(line(user("x"), ask_tool("a", arguments="{oops"), tell("a")), 1)
    call = found.turns[0].recorded[0]["parts"][0]
    assert call == {
        "type": "tool_call",
        "id": "a",
        "name": "find",
        "arguments": {},
        "invalid_arguments": "{oops",
    }


REFUSED = {
    "half an object": (b'{"messages": [', "not JSON"),
    "not UTF-8": (b"\xff\xfe", "not JSON"),
    "a list": (b"[]", "expected `object`, got `array`"),
    "no messages": (b"{}", "missing required field `messages`"),
    "messages of a wrong shape": (line({"content": "x"}), "at messages[0]"),
    "no user message": (line({"role": "assistant", "content": "x"}), "no user message"),
    "an unknown role": (line(user("x"), {"role": "critic"}), "message 2: unknown role 'critic'"),
    "a picture": (
        line({"role": "user", "content": [{"type": "image_url"}]}),
        "message 1: only text can be replayed, not 'image_url'",
    ),
    "a late prompt": (
        line(user("x"), {"role": "system", "content": "y"}),
        "message 2: a system message after the conversation began",
    ),
    "the API of 2023": (
        line(user("x"), {"role": "assistant", "function_call": {"name": "f"}}),
        "message 2: function_call is the API of 2023",
    ),
    "a result of nothing": (line(user("x"), {"role": "tool", "content": "y"}), "tool_call_id"),
    "a call without result": (line(user("x"), ask_tool("a"), user("y")), "open call a"),
    "a result without call": (line(user("x"), tell("z")), "result z that answers no call"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_line_and_place(name: str) -> None:
    raw, told = REFUSED[name]
    with pytest.raises(InputError) as caught:
        parse_conversation(raw, 12)
    assert caught.value.message.startswith("line 12: ")
    assert told.casefold() in caught.value.message.casefold()
    assert caught.value.hint


def test_an_invalid_history_is_mended_on_request_and_says_so() -> None:
    found = parse_conversation(line(user("x"), ask_tool("a"), user("y")), 1, repair=True)
    assert found.repairs == ("answered the open call a as interrupted",)
    assert [m["role"] for m in found.messages] == ["user", "assistant", "tool", "user"]


def test_an_id_that_stands_twice_in_a_file_is_refused() -> None:
    lines = [line(user("x"), id="same"), b"\n", line(user("y"), id="same")]
    with pytest.raises(InputError, match="line 3: the id 'same' stands on a line before"):
        list(read_conversations(lines))


def test_lines_without_an_id_are_named_by_their_number() -> None:
    found = read_conversations([line(user("x")), b"", line(user("y"))])
    assert [item.conversation_id for item in found] == ["line-1", "line-3"]


@given(conversations(least=1))
def test_what_is_written_is_read_again(messages: list[Message]) -> None:
    written = Conversation("c", "Be kind.", split_turns(messages))
    first = parse_conversation(orjson.dumps(to_openai(written)), 1, repair=True)
    again = parse_conversation(orjson.dumps(to_openai(first)), 1)
    assert (again.system, again.turns) == (first.system, first.turns)


@pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")
def test_the_recorded_airline_conversations_are_read_and_written_whole() -> None:
    with SAMPLE.open("rb") as lines:
        found = list(read_conversations(lines))
    assert (len(found), sum(len(item.turns) for item in found)) == (100, 860)
    assert [parse_conversation(orjson.dumps(to_openai(item)), 1) for item in found] == found
