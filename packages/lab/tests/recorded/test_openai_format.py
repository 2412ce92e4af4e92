"""Conversations as JSON lines: what is read, what is mended, what is refused and how."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given

from plainloop.agent.errors import InputError
from plainloop.agent.types import Message
from plainloop_lab.replay.sources import openai_format
from plainloop_lab.replay.sources.conversations import Conversation, split_turns
from plainloop_lab.replay.sources.openai_format import (
    number_lines,
    parse_conversation,
    parse_conversations,
    read_lines,
    to_openai,
)
from plainloop_lab.replay.sources.tool_inference import infer_tools
from tests.core.conversations import conversations
from tests.openai_lines import ask_tool, line, tell, user

SAMPLE = Path(__file__).parents[5] / "shared" / "data" / "airline_conversations.jsonl"


def test_an_openai_conversation_is_split_into_prompt_and_turns() -> None:
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


def test_call_ids_repeated_in_later_turns_are_distinguished() -> None:
    one = (ask_tool("a"), tell("a", "1"), {"role": "assistant", "content": "ok"})
    two = (ask_tool("a"), tell("a", "2"), {"role": "assistant", "content": "ok"})
    found = parse_conversation(line(user("x"), *one, user("y"), *two), 1)
    results = [m["parts"][0] for m in found.messages if m["role"] == "tool"]
    assert [(part["id"], part["result"]) for part in results] == [("a", "1"), ("a-2", "2")]


def test_tool_arguments_that_are_no_object_are_imported_verbatim() -> None:
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
    "half an object": (b'{"messages": [', "the JSON is incomplete"),
    "not UTF-8": (b"\xff\xfe", "not JSON"),
    "no object": (b"7", "expected `object`, got `int`"),
    "a list of conversations": (
        b'[{"messages": []}]',
        "missing required field `role` at message 1",
    ),
    "a list of lists": (b"[[]]", "expected `object`, got `array` at message 1"),
    "no messages": (b"{}", "missing required field `messages`"),
    "too deep": (line({"role": "user", "content": 1}).replace(b"1", b"[" * 9_000), "nested too"),
    "messages of a wrong shape": (line({"content": "x"}), "at message 1"),
    "a call of a wrong shape": (
        line(user("x"), {"role": "assistant", "tool_calls": [{"id": "a"}]}),
        "missing required field `function` at message 2, tool_calls[0]",
    ),
    "no user message": (line({"role": "assistant", "content": "x"}), "no user message"),
    "an unknown role": (line(user("x"), {"role": "critic"}), "message 2: unknown role 'critic'"),
    "content of a wrong kind": (line({"role": "user", "content": 7}), "`content` must be a string"),
    "a part without a type": (line({"role": "user", "content": [{}]}), "needs a type"),
    "a tool of a wrong shape": (line(user("x"), tools=[{"function": {}}]), "invalid tools: object"),
}
# What is refused, and mended on request: the messages, the complaint, the roles that are left.
MENDED: dict[str, tuple[list[dict[str, Any]], str, list[str]]] = {
    "a picture": (
        [user("x"), {"role": "user", "content": [{"type": "image_url", "image_url": {}}]}],
        "message 2: only text can be replayed, not a part of type 'image_url'",
        ["user", "user"],
    ),
    "a voice": (
        [user("x"), {"role": "assistant", "audio": {"id": "a"}}],
        "message 2: only text can be replayed, not a part of type 'audio'",
        ["user", "assistant"],
    ),
    "a late prompt": (
        [user("x"), {"role": "system", "content": "y"}],
        "message 2: a system message after the conversation began",
        ["user"],
    ),
    "an empty answer": (
        [user("x"), {"role": "assistant", "content": ""}],
        "message 2: an empty assistant message",
        ["user"],
    ),
    "a call without result": (
        [user("x"), ask_tool("a"), user("y")],
        "message 2: the call 'a' of find has no result",
        ["user", "assistant", "tool", "user"],
    ),
    "one of two results": (
        [
            user("x"),
            {"role": "assistant", "tool_calls": [*ask_tool("a")["tool_calls"]] * 2},
            tell("a"),
        ],
        "message 2: the call 'a-2' of find has no result",
        ["user", "assistant", "tool"],
    ),
    "a result without call": (
        [user("x"), tell("z")],
        "message 2: the tool result 'z' answers no open call",
        ["user"],
    ),
    "a result of nothing": (
        [user("x"), {"role": "tool", "content": "y"}],
        "message 2: the tool result '' answers no open call",
        ["user"],
    ),
    "a result without id": (
        [user("x"), ask_tool("a"), {"role": "tool", "content": "y"}],
        "message 3: a tool message has no tool_call_id",
        ["user", "assistant", "tool"],
    ),
    "a call without id": (
        [user("x"), {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}, tell("a")],
        "message 2: a tool call has no id",
        ["user", "assistant", "tool"],
    ),
    "a name that no provider takes": (
        [
            user("x"),
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "a.b"}}]},
        ],
        "message 2: 'a.b' is not a valid tool name",
        ["user", "assistant"],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_unreadable_openai_lines_are_refused_with_line_and_field(name: str) -> None:
    raw, told = REFUSED[name]
    with pytest.raises(InputError) as caught:
        parse_conversation(raw, 12)
    assert caught.value.message.startswith("line 12: ")
    assert told.casefold() in caught.value.message.casefold()
    assert caught.value.hint


@pytest.mark.parametrize("name", MENDED)
def test_invalid_openai_histories_are_refused_or_repaired_with_a_note(name: str) -> None:
    messages, told, roles = MENDED[name]
    raw = line(*messages)
    with pytest.raises(InputError) as caught:
        parse_conversation(raw, 12)
    assert caught.value.message == f"line 12: {told}"
    assert "--repair" in (caught.value.hint or "")
    found = parse_conversation(raw, 12, repair=True)
    assert [note.rsplit("; ", 1)[0] for note in found.repairs] == [told]
    assert [message["role"] for message in found.messages] == roles
    assert parse_conversation(orjson.dumps(to_openai(found)), 1).repairs == ()


def test_function_calls_of_2023_are_read_as_tool_calls() -> None:
    legacy = [
        user("x"),
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "1"},
        {"role": "assistant", "content": "ok"},
    ]
    found = parse_conversation(line(*legacy, functions=[{"name": "f"}]), 1)
    today = [user("x"), ask_tool("call-2", "f"), tell("call-2", "1"), legacy[-1]]
    assert found.turns == parse_conversation(line(*today), 1).turns
    assert [shape.name for shape in found.tools] == ["f"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"b": 1}], '[{"b":1}]'),
        ({"b": None}, '{"b":null}'),
        ([{"type": "text", "text": "p"}, {"type": "text", "text": "q"}], "pq"),
    ],
)
def test_a_tool_results_content_may_be_any_json(content: Any, text: str) -> None:
    told = {"role": "tool", "tool_call_id": "a", "content": content}
    (part,) = parse_conversation(line(user("x"), ask_tool("a"), told), 1).messages[-1]["parts"]
    assert part.get("result") == text


def test_whole_numbers_beyond_64_bits_are_read() -> None:
    wei = 123_456_789_012_345_678_901_234
    asked, told = ask_tool("a", arguments={"n": 0}), {"role": "tool", "tool_call_id": "a"}
    raw = line(user("x"), asked, {**told, "content": {"n": 0}})
    found = parse_conversation(raw.replace(b'"n":0', b'"n":%d' % wei), 1)
    (call,), (result,) = (message["parts"] for message in found.messages[1:])
    assert (call.get("arguments"), result.get("result")) == ({"n": float(wei)}, f'{{"n":{wei}}}')


def test_results_of_parallel_calls_are_read_in_any_order() -> None:
    both = {
        "role": "assistant",
        "tool_calls": [*ask_tool("a")["tool_calls"], *ask_tool("b")["tool_calls"]],
    }
    found = parse_conversation(line(user("x"), both, tell("b", "2"), tell("a", "1")), 1)
    assert found.repairs == ()
    assert [(part.get("id"), part.get("result")) for part in found.messages[-1]["parts"]] == [
        ("a", "1"),
        ("b", "2"),
    ]


def test_voice_messages_are_read_by_their_transcript() -> None:
    said = {"role": "assistant", "content": None, "audio": {"id": "a", "transcript": "Hello."}}
    found = parse_conversation(line(user("x"), said), 1)
    assert found.turns[0].recorded[0]["parts"] == [{"type": "text", "text": "Hello."}]


def test_openai_messages_with_refusals_names_and_new_fields_are_read() -> None:
    said = {"role": "assistant", "content": None, "refusal": "No.", "annotations": [], "weight": 0}
    found = parse_conversation(line({**user("x"), "name": "ann"}, said, metadata={"a": 1}), 1)
    assert [m["parts"] for m in found.messages] == [
        [{"type": "text", "text": "x"}],
        [{"type": "text", "text": "No."}],
    ]


def test_declared_functions_are_read_and_provider_tools_skipped() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    declared = {"type": "function", "function": {"name": "find", "parameters": schema}}
    other = {"type": "function", "function": {"name": "never_called", "description": None}}
    talk = line(user("x"), ask_tool("a"), tools=[declared, other, {"type": "web_search"}])
    shapes = infer_tools([parse_conversation(talk, 1), parse_conversation(line(user("x")), 2)])
    assert [(shape.name, shape.parameters) for shape in shapes] == [
        ("find", schema),
        ("never_called", {"type": "object", "properties": {}}),
    ]


def read(lines: Iterable[bytes]) -> list[Conversation]:
    return list(parse_conversations(number_lines(lines)))


def test_openai_files_with_windows_line_ends_or_bare_lists_are_read() -> None:
    bare = orjson.dumps([user("y"), {"role": "assistant", "content": "z"}])
    found = read([b"\xef\xbb\xbf" + line(user("x")) + b"\r\n", b"\r\n", bare])
    assert [(item.conversation_id, len(item.messages)) for item in found] == [
        ("line-1", 1),
        ("line-3", 2),
    ]


def test_a_too_long_line_is_refused_without_loading_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openai_format, "LINE_BYTES", 2**20)
    file = BytesIO(b"x" * (3 * 2**20) + b"\n")
    assert max(len(text) for text in read_lines(file)) == 2**20 + 1
    file.seek(0)
    with pytest.raises(InputError, match="line 1: the line is longer than 1 MiB"):
        read(read_lines(file))


def test_a_conversation_id_used_twice_in_a_file_is_refused() -> None:
    lines = [line(user("x"), id="same"), b"\n", line(user("y"), id="same")]
    with pytest.raises(
        InputError, match="line 3: the conversation id 'same' is used on an earlier line"
    ):
        read(lines)


@given(conversations(least=1))
def test_an_exported_openai_file_can_be_imported_again(messages: list[Message]) -> None:
    written = Conversation("c", "Be kind.", split_turns(messages))
    first = parse_conversation(orjson.dumps(to_openai(written)), 1, repair=True)
    again = parse_conversation(orjson.dumps(to_openai(first)), 1)
    assert (again.system, again.turns) == (first.system, first.turns)


@pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")
def test_airline_conversations_are_equal_after_import_and_export() -> None:
    with SAMPLE.open("rb") as lines:
        found = read(lines)
    assert (len(found), sum(len(item.turns) for item in found)) == (100, 860)
    assert [parse_conversation(orjson.dumps(to_openai(item)), 1) for item in found] == found
