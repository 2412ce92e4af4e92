"""A request as the brain reads it, and the moves that answer it: only what every wire carries.

Text, tool calls with their results, and what the system prompt says; ids are used to pair calls
with results and for nothing else.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.base.text.tables import from_tables
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.types import ChatRequest, Message

_FEEDBACK: Final = re.compile(r"^[#*\s]{0,20}(?:reviewer(?:'s)? )?feedback\b[^\n:]*:", re.I | re.M)
_WRAPPERS: Final = frozenset({"result", "output", "content"})
_MAX_CHARS: Final = 200_000
RULE_CHARS: Final = 1000  # requests are short; a long text is material, not a request


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the conversation, with the role that said it."""

    role: str  # user | assistant
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """A tool call with its result. `result` is JSON, or None when there was none."""

    name: str
    arguments: dict[str, Any]
    result: Any

    @property
    def error(self) -> str | None:
        """Return why the call failed, or None."""
        result = as_object(self.result)
        if result.get("error"):
            return str(result["error"])
        if result.get("status") == "error":
            return str(result.get("message") or "the tool reported an error")
        return None


Event = Said | Done


@dataclass(frozen=True, slots=True)
class Reading:
    """Holds a conversation as the brain reads it. request: the newest user text. turn: what came
    after it. before: what came before it.
    """

    system: str
    request: str
    turn: tuple[Event, ...]
    before: tuple[Event, ...]

    @property
    def calls(self) -> list[Done]:
        """Return the finished tool calls of this turn, in order."""
        return [event for event in self.turn if isinstance(event, Done)]

    @property
    def last_answer(self) -> str:
        """Return the assistant's last text before the user's request.

        "" if there is none.
        """
        said = (get_said(event, "assistant") for event in reversed(self.before))
        return next(filter(None, said), "")


def cut_reading(reading: Reading) -> Reading:
    """Cut a conversation's texts to the length that the rules read.

    The length bounds the time that the rules take.
    """
    return replace(
        reading,
        request=reading.request[:RULE_CHARS],
        before=tuple(
            Said(event.role, event.text[:RULE_CHARS]) if isinstance(event, Said) else event
            for event in reading.before
        ),
    )


def get_said(event: Event, role: str) -> str:
    """Return the text of an event that this role wrote.

    "" for any other event.
    """
    return event.text if isinstance(event, Said) and event.role == role else ""


def build_reading(request: ChatRequest) -> Reading:
    """Split a conversation into the user's newest request and what came before.

    Messages with a reviewer's feedback to a rejected answer are no requests.
    """
    events = list_events(request.messages)
    asked = [i for i, event in enumerate(events) if get_said(event, "user")]
    while len(asked) > 1 and _FEEDBACK.match(get_said(events[asked[-1]], "user")):
        asked.pop()
    at = asked[-1] if asked else -1
    return Reading(
        system=request.system,
        request=get_said(events[at], "user") if asked else "",
        turn=tuple(events[at + 1 :]),
        before=tuple(events[: max(at, 0)]),
    )


def list_events(messages: list[Message]) -> list[Event]:
    """List the texts and the finished tool calls of messages, in order.

    A call is listed where its result is.
    """
    events: list[Event] = []
    open_calls: list[tuple[str, str, dict[str, Any]]] = []
    for message in messages:
        for part in message["parts"]:
            if part["type"] == "text" and part["text"].strip():
                role = "assistant" if message["role"] == "assistant" else "user"
                events.append(Said(role, cut_text(part["text"], _MAX_CHARS)))
            elif part["type"] == "tool_call":
                open_calls.append((part["id"], part["name"], part["arguments"]))
            elif part["type"] == "tool_result":
                call = next((c for c in open_calls if c[0] == part["id"]), None)
                if call is not None:
                    open_calls.remove(call)
                name = call[1] if call else part["name"]
                result = parse_result(part["result"], part["is_error"])
                events.append(Done(name, call[2] if call else {}, result))
    return events


def parse_result(value: Any, is_error: bool = False) -> Any:
    """Parse a tool's result as JSON, removing the envelope that a provider's format adds."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"error": value} if is_error else value
    if isinstance(value, dict):
        inner = as_object(value)
        only = next(iter(inner.values())) if len(inner) == 1 and set(inner) <= _WRAPPERS else None
        is_json = isinstance(only, str) and only.lstrip()[:1] in ("{", "[")
        if is_json or isinstance(only, dict | list):
            return parse_result(only, is_error)
        return from_tables(inner)
    return {"error": str(value)} if is_error else from_tables(value)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """The brain's next step: tool calls to make, or else a text."""

    calls: tuple[Call, ...] = ()
    text: str = ""


def take_call(queue: list[Done], name: str) -> Done | None:
    """Remove and return the queue's first call of this tool."""
    for i, done in enumerate(queue):
        if done.name == name:
            return queue.pop(i)
    return None
