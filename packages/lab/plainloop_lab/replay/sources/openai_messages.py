"""Chat messages in OpenAI's format, as they are found in files, made a valid history of ours.

Besides today's form: `function_call` and the role `function` of 2023, content as parts or, of
tools, any JSON, arguments as text or object. What is not valid is refused or, on request, mended.
Source: the API reference of Chat Completions, with its deprecated fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, cast

import msgspec
import orjson

from plainloop.agent.base.messages.contents import list_calls, make_interrupted, make_text_message
from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.history import to_valid_name
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError
from plainloop.agent.types import FunctionCall, Message, MessagePart

ONE_A_LINE: Final = (
    'Write one conversation per line: {"conversation_id": …, "messages": [OpenAI messages]}.'
)
PROMPT_ROLES: Final = ("system", "developer")
_TEXT_PARTS: Final = ("text", "input_text", "output_text", "refusal")
_MENDING: Final = "--repair repairs such histories and reports each repair."


class RawFunction(msgspec.Struct):
    name: str
    arguments: str | dict[str, Any] | None = None


class RawCall(msgspec.Struct):
    function: RawFunction
    id: str | None = None


class RawMessage(msgspec.Struct):
    """One message as a file has it.

    role first: a message without one is invalid. content: text, parts, or a tool's own JSON.
    """

    role: str
    content: Any = None
    tool_calls: list[RawCall] | None = None
    tool_call_id: str | None = None
    function_call: RawFunction | None = None
    name: str | None = None
    refusal: str | None = None
    audio: dict[str, Any] | None = None


@dataclass(slots=True)
class _OpenCall:
    """A call that has no result yet. place: of its message. file_id: "" where it has none."""

    call: FunctionCall
    place: int
    file_id: str


@dataclass(slots=True)
class HistoryReader:
    """Reads one conversation's messages.

    repair: mend what is not valid, and note it in `notes`; without it that is an InputError which
    names line and message.
    """

    line: int
    repair: bool
    notes: list[str] = field(default_factory=list[str])
    _messages: list[Message] = field(default_factory=list[Message])
    _open: list[_OpenCall] = field(default_factory=list[_OpenCall])
    _used: set[str] = field(default_factory=set[str])
    _place: int = 0  # of the message that is read, from 1

    def read(self, items: Sequence[RawMessage]) -> tuple[str, list[Message]]:
        """Parse messages in OpenAI's format.

        Returns (the system prompt before them, the valid messages).

        Results that follow each other are one message.

        The recording may end inside a call: that is its end, not a fault. Raises: InputError.
        """
        prompts: list[str] = []
        for self._place, item in enumerate(items, 1):
            if item.role in PROMPT_ROLES:
                if self._messages:
                    self._mend(f"a {item.role} message after the conversation began", "left out")
                else:
                    prompts.append(self._read_text(item))
            elif item.role == "user":
                self._end_calls()
                if (text := self._read_text(item)).strip():
                    self._messages.append(make_text_message("user", text))
                else:
                    self._mend("an empty user message", "left out")
            elif item.role == "assistant":
                self._end_calls()
                self._add_answer(item)
            elif item.role in ("tool", "function"):
                self._add_result(item)
            else:
                self.refuse(f"unknown role {item.role!r}: use system, user, assistant or tool")
        if self._messages and not list_calls(self._messages[-1]):
            self._end_calls()
        return "\n\n".join(text for text in prompts if text), self._messages

    def refuse(self, text: str) -> NoReturn:
        """Raise the error that names the line and the current message.

        Raises: InputError.
        """
        raise make_refusal(self.line, f"message {self._place}: {text}")

    def _mend(self, problem: str, done: str, place: int = 0) -> None:
        """Note a repair of an invalid message, or refuse it if repairs are not wanted.

        place: 0 is the message that is read. Raises: InputError.
        """
        told = f"message {place or self._place}: {problem}"
        if not self.repair:
            raise InputError(f"line {self.line}: {told}", hint=_MENDING)
        self.notes.append(f"{told}; {done}")

    def _add_answer(self, item: RawMessage) -> None:
        """Add an assistant message; a second one in a row is joined to the first."""
        text = self._read_text(item)
        parts: list[MessagePart] = [{"type": "text", "text": text}] if text.strip() else []
        for given in item.tool_calls or []:
            if not given.id:
                self._mend("a tool call has no id", "its result was matched by position")
            parts.append(self._open_call(given.function, given.id))
        if item.function_call is not None:
            parts.append(self._open_call(item.function_call, None))
        if not parts:
            self._mend("an empty assistant message", "left out")
            return
        last = self._messages[-1] if self._messages else None
        if last is None or last["role"] != "assistant":
            self._messages.append({"role": "assistant", "parts": parts})
            return
        gap: list[MessagePart] = [{"type": "text", "text": "\n\n"}] if text.strip() else []
        last["parts"].extend([*gap, *parts])

    def _open_call(self, function: RawFunction, file_id: str | None) -> FunctionCall:
        """Add a tool call with an id that is unique in the thread; ids in files may repeat."""
        wanted = clean_text(file_id) if file_id else f"call-{self._place}"
        own, count = wanted, 1
        while own in self._used:
            count += 1
            own = f"{wanted}-{count}"
        self._used.add(own)
        call = _to_call(function, own)
        valid = to_valid_name(call["name"])
        if valid != call["name"]:
            self._mend(f"{call['name']!r} is not a valid tool name", f"renamed to {valid}")
            call["name"] = valid
        self._open.append(_OpenCall(call, self._place, file_id or ""))
        return call

    def _add_result(self, item: RawMessage) -> None:
        found = self._find_call(item)
        if found is None:
            named = repr(item.tool_call_id or item.name or "")
            self._mend(f"the tool result {named} answers no open call", "left out")
            return
        self._open.remove(found)
        part: MessagePart = {
            "type": "tool_result",
            "id": found.call["id"],
            "name": found.call["name"],
            "result": self._read_text(item),
            "is_error": False,
        }
        self._add_part(part)

    def _find_call(self, item: RawMessage) -> _OpenCall | None:
        """Find the call that a tool message answers: by its id, else by name, else by position."""
        if item.tool_call_id:
            same = [each for each in self._open if each.file_id == item.tool_call_id]
            if same:
                return same[0]
        loose = [each for each in self._open if not (item.tool_call_id and each.file_id)]
        name = to_valid_name(item.name or "")
        named = [each for each in loose if each.call["name"] == name]
        found = next(iter(named or loose), None)
        if found is not None and item.role == "tool" and not item.tool_call_id:
            self._mend("a tool message has no tool_call_id", "matched by position")
        return found

    def _add_part(self, part: MessagePart) -> None:
        if self._messages[-1]["role"] != "tool":
            self._messages.append({"role": "tool", "parts": []})
        self._messages[-1]["parts"].append(part)

    def _end_calls(self) -> None:
        """Mark the open calls, which have no result, as interrupted."""
        for each in self._open:
            call = each.call
            problem = f"the call {call['id']!r} of {call['name']} has no result"
            self._mend(problem, "marked as interrupted", each.place)
            self._add_part(make_interrupted(call))
        self._open = []

    def _read_text(self, item: RawMessage) -> str:
        content = item.content
        if item.audio is not None and not content:
            said = item.audio.get("transcript")
            return clean_text(said) if isinstance(said, str) else self._leave_out("audio")
        if content is None:
            return clean_text(item.refusal or "")
        if isinstance(content, str):
            return clean_text(content)
        is_tool = item.role in ("tool", "function")
        if isinstance(content, list):
            parts = cast(list[Any], content)
            kinds = [cast(Any, part).get("type") for part in parts if isinstance(part, dict)]
            are_parts = len(kinds) == len(parts) and all(isinstance(kind, str) for kind in kinds)
            if are_parts or not is_tool:
                return clean_text("".join(map(self._read_part, parts)))
        if not is_tool:
            self.refuse("`content` must be a string, a list of parts, or null")
        return clean_text(_to_text(content))

    def _read_part(self, part: Any) -> str:
        if isinstance(part, str):
            return part
        given = cast(dict[str, Any], part if isinstance(part, dict) else {})
        kind = given.get("type")
        if not isinstance(kind, str):
            self.refuse('each part of `content` needs a type, such as {"type": "text", "text": …}')
        text = given.get("refusal" if kind == "refusal" else "text")
        if kind in _TEXT_PARTS and isinstance(text, str):
            return text
        return self._leave_out(kind)

    def _leave_out(self, kind: str) -> str:
        """Replace content that is not text with its name, so that its message stays."""
        self._mend(
            f"only text can be replayed, not a part of type {kind!r}", f"replaced with [{kind}]"
        )
        return f"[{kind}]"


def make_refusal(line: int, text: str, hint: str = ONE_A_LINE) -> InputError:
    """Make the error for a line that cannot be read."""
    return InputError(f"line {line}: {text}", hint=hint)


def _to_call(function: RawFunction, own_id: str) -> FunctionCall:
    """Convert a call to ours; arguments that are not a JSON object are stored as they are.

    Such a call is never executed.
    """
    raw = function.arguments
    text = _to_text(raw) if isinstance(raw, dict) else raw
    arguments: Any = None
    if text is not None:
        try:
            arguments = orjson.loads(text or "{}")
        except orjson.JSONDecodeError:
            arguments = text
    made: FunctionCall = {
        "type": "tool_call",
        "id": own_id,
        "name": clean_text(function.name),
        "arguments": arguments if isinstance(arguments, dict) else {},
    }
    if raw is not None and not isinstance(arguments, dict):
        made["invalid_arguments"] = clean_text(str(raw))
    return made


def _to_text(value: Any) -> str:
    """Encode a JSON value as text; unlike orjson, with integers of any size."""
    return msgspec.json.encode(value).decode()
