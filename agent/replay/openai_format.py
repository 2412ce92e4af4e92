"""Conversations as JSON lines of OpenAI chat messages, in and out.

One conversation a line: `{"conversation_id"?, "messages": [{"role": "system" | "developer" |
"user" | "assistant" | "tool", …}]}`. Source: the API reference of Chat Completions; datasets of
agent trajectories use the same form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
import orjson

from agent.core.history import get_text, list_calls, make_text_message, repair_history
from agent.core.text import clean_text
from agent.errors import InputError
from agent.providers.types import FunctionCall, FunctionResponse, Message, MessagePart
from agent.replay.conversations import Conversation, split_turns

LINE_BYTES: Final = 16 * 2**20  # one conversation
_PROMPT_ROLES: Final = ("system", "developer")


class _Function(msgspec.Struct):
    name: str
    arguments: str | dict[str, Any] = ""


class _ToolCall(msgspec.Struct):
    id: str
    function: _Function


class _Part(msgspec.Struct):
    type: str
    text: str | None = None
    refusal: str | None = None


class _Message(msgspec.Struct):
    role: str
    content: str | list[_Part] | None = None
    tool_calls: list[_ToolCall] | None = None
    tool_call_id: str | None = None
    function_call: Any = None
    refusal: str | None = None


class _Line(msgspec.Struct):
    messages: list[_Message]
    conversation_id: str | int | None = None
    id: str | int | None = None


def read_conversations(lines: Iterable[bytes], *, repair: bool = False) -> Iterator[Conversation]:
    """The conversations of a JSONL file, one at a time; empty lines are passed over.

    repair: mend an invalid history (a call without its result, a result without its call …) and
    say so in `repairs`; without it such a line is refused.

    Raises: InputError that names line and message, also for an id that a line before had.
    """
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = parse_conversation(line, number, repair=repair)
        if found.conversation_id in seen:
            raise _refuse(number, f"the id {found.conversation_id!r} stands on a line before")
        seen.add(found.conversation_id)
        yield found


def parse_conversation(line: bytes, number: int, *, repair: bool = False) -> Conversation:
    """Raises: InputError that names line and message."""
    if len(line) > LINE_BYTES:
        raise _refuse(number, f"longer than {LINE_BYTES // 2**20} MiB")
    try:
        read = msgspec.json.decode(line, type=_Line)
    except msgspec.ValidationError as error:
        raise _refuse(number, _place_error(str(error))) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refuse(number, f"not JSON: {error}") from error
    system, rest = _split_prompt(read.messages, number)
    messages = _to_messages(rest, number, len(read.messages) - len(rest))
    # The recording may end inside a call: that is its end, not a fault.
    end = [m for m in messages[-1:] if list_calls(m)]
    repaired, notes = repair_history(messages[: len(messages) - len(end)])
    repaired += end
    if notes and not repair:
        raise InputError(
            f"line {number}: {notes[0]}",
            hint="--repair mends such histories and says what it mended.",
        )
    first = next((i for i, m in enumerate(repaired) if m["role"] == "user"), None)
    if first is None:
        raise _refuse(number, "no user message")
    name = read.conversation_id if read.conversation_id is not None else read.id
    conversation_id = clean_text(str(name)) if name is not None else f"line-{number}"
    turns, opening = split_turns(repaired), tuple(repaired[:first])
    return Conversation(conversation_id, system, turns, opening, tuple(notes))


def to_openai(conversation: Conversation) -> dict[str, Any]:
    """One line of such a file, as `read_conversations` takes it."""
    prompt = [{"role": "system", "content": conversation.system}] if conversation.system else []
    messages = [item for message in conversation.messages for item in to_openai_messages(message)]
    return {
        "conversation_id": conversation.conversation_id,
        "messages": [*prompt, *messages],
    }


def to_openai_messages(message: Message) -> list[dict[str, Any]]:
    """One message of ours; a `tool` message is one for each of its results."""
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
    text = get_text(message)
    said: dict[str, Any] = {"role": message["role"], "content": text if text or not calls else None}
    return [{**said, "tool_calls": calls}] if calls else [said]


def to_result_text(result: Any) -> str:
    """A tool's result as the text that a model sees."""
    return result if isinstance(result, str) else orjson.dumps(result).decode()


def _split_prompt(messages: list[_Message], number: int) -> tuple[str, list[_Message]]:
    """(the prompt at the head, the rest). Raises: InputError for a prompt in the middle."""
    count = 0
    while count < len(messages) and messages[count].role in _PROMPT_ROLES:
        count += 1
    for position, message in enumerate(messages[count:], count + 1):
        if message.role in _PROMPT_ROLES:
            text = f"a {message.role} message after the conversation began"
            raise _refuse(number, f"message {position}: {text}")
    texts = [_read_text(message, number, i) for i, message in enumerate(messages[:count], 1)]
    return "\n\n".join(text for text in texts if text), messages[count:]


def _to_messages(items: Sequence[_Message], number: int, before: int) -> list[Message]:
    """The neutral messages; results that follow each other become one `tool` message."""
    messages: list[Message] = []
    names: dict[str, tuple[str, str]] = {}  # the file's id → the newest call's own id and its name
    used: set[str] = set()
    for position, item in enumerate(items, before + 1):
        if item.role == "user":
            messages.append(make_text_message("user", _read_text(item, number, position)))
        elif item.role == "assistant":
            _add_answer(messages, _to_answer(item, names, used, number, position))
        elif item.role == "tool":
            result = _to_result(item, names, number, position)
            if messages and messages[-1]["role"] == "tool":
                messages[-1]["parts"].append(result)
            else:
                messages.append({"role": "tool", "parts": [result]})
        else:
            raise _refuse(number, f"message {position}: unknown role {item.role!r}")
    return messages


def _add_answer(messages: list[Message], answer: Message) -> None:
    """Two answers in a row are one: a turn of ours ends with its answer."""
    if not messages or messages[-1]["role"] != "assistant" or list_calls(messages[-1]):
        messages.append(answer)
        return
    gap: list[MessagePart] = [{"type": "text", "text": "\n\n"}]
    said = messages[-1]["parts"]
    said += [*gap, *answer["parts"]] if said and answer["parts"] else answer["parts"]


def _to_answer(
    item: _Message,
    names: dict[str, tuple[str, str]],
    used: set[str],
    number: int,
    position: int,
) -> Message:
    if item.function_call is not None:
        text = "function_call is the API of 2023; give tool_calls with ids"
        raise _refuse(number, f"message {position}: {text}")
    text = _read_text(item, number, position)
    parts: list[MessagePart] = [{"type": "text", "text": text}] if text.strip() else []
    for call in item.tool_calls or []:
        own = _make_unique(call.id, used)
        names[call.id] = (own, call.function.name)
        parts.append(_to_call(call, own))
    return {"role": "assistant", "parts": parts}


def _to_call(call: _ToolCall, own_id: str) -> FunctionCall:
    """Arguments that are no JSON object are kept as they came; such a call is never executed."""
    raw = call.function.arguments
    arguments: Any = raw
    if isinstance(raw, str):
        try:
            arguments = orjson.loads(raw or "{}")
        except orjson.JSONDecodeError:
            arguments = None
    made: FunctionCall = {
        "type": "tool_call",
        "id": own_id,
        "name": call.function.name,
        "arguments": arguments if isinstance(arguments, dict) else {},
    }
    if not isinstance(arguments, dict):
        made["invalid_arguments"] = clean_text(str(raw))
    return made


def _to_result(
    item: _Message, names: dict[str, tuple[str, str]], number: int, position: int
) -> FunctionResponse:
    if item.tool_call_id is None:
        raise _refuse(number, f"message {position}: a tool message without tool_call_id")
    own_id, name = names.get(item.tool_call_id, (item.tool_call_id, "unknown"))
    return {
        "type": "tool_result",
        "id": own_id,
        "name": name,
        "result": _read_text(item, number, position),
        "is_error": False,
    }


def _make_unique(call_id: str, used: set[str]) -> str:
    """Ids may repeat from turn to turn in such files; in a thread of ours they may not."""
    own, count = call_id, 1
    while own in used:
        count += 1
        own = f"{call_id}-{count}"
    used.add(own)
    return own


def _read_text(item: _Message, number: int, position: int) -> str:
    if item.content is None:
        return clean_text(item.refusal or "")
    if isinstance(item.content, str):
        return clean_text(item.content)
    strange = [part.type for part in item.content if part.type not in ("text", "refusal")]
    if strange:
        raise _refuse(number, f"message {position}: only text can be replayed, not {strange[0]!r}")
    return clean_text("".join(part.text or part.refusal or "" for part in item.content))


def _place_error(text: str) -> str:
    """The library's `$.messages[3].role` in words."""
    head, _, path = text.partition(" - at `$")
    place = path.rstrip("`").lstrip(".")
    return f"{head[0].lower()}{head[1:]} at {place}" if place else head


def _refuse(number: int, text: str) -> InputError:
    return InputError(
        f"line {number}: {text}",
        hint='One conversation a line: {"conversation_id": …, "messages": [OpenAI messages]}.',
    )
