"""Conversations as JSON lines of OpenAI chat messages, in and out.

One conversation a line: `{"conversation_id"?, "messages": [{"role": "system" | "developer" |
"user" | "assistant" | "tool", …}]}`. Source: the API reference of Chat Completions; datasets of
agent trajectories use the same form.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

import msgspec
import orjson

from plainloop.agent.base.messages.contents import get_output, get_words, list_calls
from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import InputError
from plainloop.agent.types import Message

from .conversations import Conversation, TurnRating, split_turns
from .openai_messages import ONE_A_LINE, HistoryReader, RawMessage, make_refusal
from .tool_schemas import convert_tools

# One conversation. A recording has its files, 10 MB each by default, as base64
# (test_a_recording_with_large_files_is_read).
LINE_BYTES: Final = 256 * 2**20
_MESSAGE: Final = re.compile(r"^(?:\.messages)?\[(\d+)\]")
_MAKE_LINES: Final = (
    "`jq -c . FILE` puts each conversation on one line; for a single list, use `jq -c '.[]' FILE`."
)


class _Line(msgspec.Struct):
    messages: list[RawMessage]
    conversation_id: str | int | None = None
    id: str | int | None = None
    tools: Any = None
    functions: Any = None  # of 2023
    ratings: list[TurnRating] = []


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file.

    A line above LINE_BYTES is cut just after that length.
    """
    while found := file.readline(LINE_BYTES + 1):
        yield found


def number_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line) for each line that is not empty."""
    for number, line in enumerate(lines, 1):
        if text := clean_line(number, line):
            yield number, text


def clean_line(number: int, line: bytes) -> bytes:
    """Drop the byte order mark of the first line, and replace a blank line by b""."""
    text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
    return b"" if text.isspace() else text


def parse_conversations(
    lines: Iterable[tuple[int, bytes]], *, repair: bool = False
) -> Iterator[Conversation]:
    """Parse numbered lines to conversations, one at a time.

    repair: mend an invalid history (a call without its result, a result without its call …) and
    say so in `repairs`; without it such a line is refused.

    Raises: InputError that names line and message, also for an id that a line before had.
    """
    seen: set[str] = set()
    for number, line in lines:
        found = parse_conversation(line, number, repair=repair)
        if found.conversation_id in seen:
            raise refuse_second(number, found.conversation_id)
        seen.add(found.conversation_id)
        yield found


def refuse_second(number: int, conversation_id: str) -> InputError:
    """Make the error for a conversation id that occurs on an earlier line."""
    told = f"the conversation id {conversation_id!r} is used on an earlier line"
    return make_refusal(number, told, "Give each line its own `conversation_id`.")


def parse_conversation(line: bytes, number: int, *, repair: bool = False) -> Conversation:
    """Parse a line of OpenAI messages to a conversation with a valid history.

    Raises: InputError that names line and message.
    """
    read = _decode(line, number)
    reader = HistoryReader(number, repair)
    system, messages = reader.read(read.messages)
    # The recording may end inside a call: that is its end, not a fault.
    end = [message for message in messages[-1:] if list_calls(message)]
    valid, notes = repair_history(messages[: len(messages) - len(end)])
    valid += end
    first = next((i for i, message in enumerate(valid) if message["role"] == "user"), None)
    if first is None:
        raise make_refusal(number, "no user message: add one or remove the line")
    try:  # what the line declares, in today's form or that of 2023
        tools = (*convert_tools(read.tools), *convert_tools(read.functions))
    except msgspec.ValidationError as error:
        raise make_refusal(number, f"invalid tools: {_place_error(str(error))}") from error
    name = read.conversation_id if read.conversation_id is not None else read.id
    conversation_id = clean_text(str(name)) if name is not None else f"line-{number}"
    return Conversation(
        conversation_id,
        system,
        split_turns(valid),
        tuple(valid[:first]),
        (*reader.notes, *notes),
        tools,
        tuple(read.ratings),
    )


def to_openai(conversation: Conversation) -> dict[str, Any]:
    """Convert a conversation to a line in OpenAI's format, as `parse_conversations` reads it."""
    prompt = [{"role": "system", "content": conversation.system}] if conversation.system else []
    messages = [item for message in conversation.messages for item in to_openai_messages(message)]
    line: dict[str, Any] = {
        "conversation_id": conversation.conversation_id,
        "messages": [*prompt, *messages],
    }
    rated = msgspec.to_builtins(conversation.ratings)
    return {**line, "ratings": rated} if rated else line


def to_openai_messages(message: Message) -> list[dict[str, Any]]:
    """Convert a message to messages in OpenAI's format.

    A `tool` message becomes one message for each of its results. A user message without text, which
    only made the agent speak, is left out.
    """
    if message["role"] == "tool":
        return [
            {
                "role": "tool",
                "tool_call_id": part["id"],
                "name": part["name"],
                "content": to_result_text(part["result"]),
            }
            for part in message["parts"]
            if part["type"] == "tool_result"
        ]
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {
                "name": call["name"],
                "arguments": call.get("invalid_arguments")
                or orjson.dumps(call["arguments"]).decode(),
            },
        }
        for call in list_calls(message)
    ]
    text = get_words(message)
    if message["role"] == "user" and not text:
        return []
    said: dict[str, Any] = {"role": message["role"], "content": text if text or not calls else None}
    if (output := get_output(message)) is not None:
        said["parsed"] = output  # as OpenAI's library calls it
    return [{**said, "tool_calls": calls}] if calls else [said]


def to_result_text(result: Any) -> str:
    """Convert a tool's result to the text that a model sees."""
    return result if isinstance(result, str) else orjson.dumps(result).decode()


def _decode(line: bytes, number: int) -> _Line:
    """Decode a line to its object; a bare list of messages counts as a conversation."""
    if len(line) > LINE_BYTES:
        told = f"the line is longer than {LINE_BYTES // 2**20} MiB"
        raise make_refusal(number, told, "Remove it, or shorten its messages.")
    is_list = line.lstrip()[:1] == b"["
    try:
        if is_list:
            return _Line(msgspec.json.decode(line, type=list[RawMessage]))
        return msgspec.json.decode(line, type=_Line)
    except msgspec.ValidationError as error:
        hint = _MAKE_LINES if is_list else ONE_A_LINE
        raise make_refusal(number, _place_error(str(error)), hint) from error
    except RecursionError as error:
        raise make_refusal(number, "the line is nested too deeply", "Remove it.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if "truncated" in str(error):
            raise make_refusal(number, "the JSON is incomplete", _MAKE_LINES) from error
        raise make_refusal(number, f"not JSON: {error}") from error


def _place_error(text: str) -> str:
    """Reword a decoding error for people, who count messages from 1.

    >>> _place_error("Expected `str`, got `int` - at `$.messages[3].role`")
    'expected `str`, got `int` at message 4, role'
    """
    head, _, path = text.partition(" - at `$")
    place = _MESSAGE.sub(lambda found: f"message {int(found[1]) + 1}, ", path.rstrip("`"))
    place = place.lstrip(".").rstrip(", ").replace(", .", ", ")
    told = f"{head[0].lower()}{head[1:]}"
    return f"{told} at {place}" if place else told
