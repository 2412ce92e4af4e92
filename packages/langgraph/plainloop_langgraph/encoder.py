"""A run as the events of LangGraph's streams, and the writer that gives them their ids.

A frame has the same number whatever a client asked for, so that a stream is taken up again by
another mode's reader as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from plainloop.agent.errors import RunCancelled
from plainloop.agent.events import TERMINAL, WAITING, Event
from plainloop.server.protocols.encoder import ShownText

from .interrupts import Question, to_interrupt
from .messages import Shown, make_ai, make_answer_id, make_call, make_tool_message

MODES: Final = ("values", "updates", "messages-tuple", "custom")
ALWAYS: Final = ""
# What is told of a run beside its state, as `custom`.
_CUSTOM: Final = frozenset({"queued", "node_start", "usage", "budget", "onboarding_complete"})
_TOOLS: Final = ".tools"
_LAST: Final = 1_000_000  # above the number of any frame of an event


class Cursor(NamedTuple):
    """A frame's position in its run: the event it was made of, and its number there."""

    seq: int
    number: int = _LAST


BEGINNING: Final = Cursor(0)


class StreamFrame(NamedTuple):
    """A frame of a stream, and the stream mode that it belongs to."""

    mode: str
    event: str
    data: Any


class RunEncoder:
    """Encodes one run's events as LangGraph's stream.

    names: of the run, its thread and its assistant, for the metadata.

    history: the messages before those of the run, as JSON; to be given before the run's start.
    """

    def __init__(
        self, names: dict[str, str], modes: Sequence[str], *, tells_stop: bool = True
    ) -> None:
        self._tells_stop = tells_stop
        self.history: list[orjson.Fragment] = []
        self._names = names
        self._modes = modes
        self._has_begun = False
        self._shown = ShownText()
        self._messages: list[Shown] = []  # that this run has brought
        self._rounds = 0  # of tools
        self._calls: set[str] = set()
        self._questions: dict[str, Question] = {}
        self._place: dict[str, Any] = {}  # the step that is being done
        self._told: set[str] = set()  # messages that updates have told, by their ids
        self._held = ""  # the node whose update waits for its calls
        self._has_news = False  # that no `values` has told

    def encode(self, event: Event) -> list[StreamFrame]:
        """Encode the run's next event as stream frames."""
        frames: list[StreamFrame] = []
        if not self._has_begun:
            self._has_begun = True
            data = {"run_id": self._names["run_id"], "attempt": 1}
            frames.append(StreamFrame(ALWAYS, "metadata", data))
        return frames + self._encode(event["event"], event["data"])

    def wait(self) -> list[StreamFrame]:
        """Build the frames that end the stream while the run waits for its user."""
        frames, asked = self._tell_held(), {}
        if self._questions:
            asked = {"__interrupt__": [to_interrupt([*self._questions.values()])]}
            frames.append(StreamFrame("updates", "updates", asked))
        return [*frames, self._tell_values(asked)]

    def tell_now(self) -> list[StreamFrame]:
        """Build the first frames of a stream that continues a run after the user's answer."""
        data = {"run_id": self._names["run_id"], "attempt": 1}
        self._questions.clear()
        return [StreamFrame(ALWAYS, "metadata", data), self._tell_values()]

    def _encode(self, name: str, data: dict[str, Any]) -> list[StreamFrame]:
        frames = [StreamFrame("custom", "custom", {"type": name, **data})] * (name in _CUSTOM)
        match name:
            case "run_start":
                self._questions.clear()
                return [self._tell_values()]
            case "node_start":
                self._place = {"langgraph_node": data["node"], "langgraph_step": data["step"]}
            case "node_end":
                frames += self._end_step(data["node"], data["next"])
            case "text_delta":
                frames += self._show(*self._shown.append(data["content"]))
            case "text_reset":
                self._shown.reset()
            case "reasoning_delta":
                chunk = {"additional_kwargs": {"reasoning_content": data["content"]}}
                frames += [*self._show(*self._shown.settle()), self._tell_chunk(**chunk)]
            case "tool_start" | "tool_request":
                frames += self._show_call(data)
            case "approval_request":
                told = (data["approval_id"], data["name"], data["arguments"], data["question"])
                self._questions[data["approval_id"]] = Question(*told)
                frames += self._show_call(data)
            case "tool_result":
                frames += self._show_result(data, data["result"], is_error=False)
            case "tool_error":
                result = data.get("result", {"error": data["error"]})
                frames += self._show_result(data, result, is_error=True)
            case "done" | "error":
                frames += self._end(data)
            case _:
                pass
        return frames

    def _get_answer(self) -> Shown:
        """Return the run's newest message, which text and calls are added to."""
        message_id = make_answer_id(self._names["run_id"], self._rounds)
        for message in reversed(self._messages):
            if message["id"] == message_id:
                return message
        self._messages.append(make_ai(message_id))
        return self._messages[-1]

    def _show(self, is_dropped: bool, text: str) -> list[StreamFrame]:
        frames: list[StreamFrame] = []
        if is_dropped:
            dropped = self._get_answer()
            self._messages.remove(dropped)
            self._told.discard(dropped["id"])
            self._has_news = True
            self._calls -= {call["id"] for call in dropped["tool_calls"]}
            # A client that appends chunks has no other way to take some back.
            removed = {"type": "remove", "id": dropped["id"], "content": ""}
            frames.append(StreamFrame("messages-tuple", "messages", [removed, self._to_meta()]))
        if not text:
            return frames
        message = self._get_answer()
        if self._rounds and not message["content"]:
            text = text.removeprefix("\n\n")  # what parts one message's text from another's
        message["content"] += text
        self._has_news = True
        return [*frames, self._tell_chunk(content=text)] if text else frames

    def _show_call(self, data: dict[str, Any]) -> list[StreamFrame]:
        """Build the frames of a tool call, once: not again when the run continues."""
        frames = self._show(*self._shown.settle())
        if data["id"] in self._calls:
            return frames
        self._calls.add(data["id"])
        message = self._get_answer()
        call = make_call(data["id"], data["name"], data["arguments"])
        chunk = {"type": "tool_call_chunk", "id": data["id"], "name": data["name"]}
        chunk |= {"args": orjson.dumps(data["arguments"]).decode()}
        chunk |= {"index": len(message["tool_calls"])}
        message["tool_calls"].append(call)
        self._has_news = True
        return [*frames, self._tell_chunk(tool_calls=[call], tool_call_chunks=[chunk])]

    def _show_result(
        self, data: dict[str, Any], result: Any, *, is_error: bool
    ) -> list[StreamFrame]:
        frames = self._show_call(data | {"arguments": {}})  # one that was never begun
        message = make_tool_message(data["id"], data["name"], result, is_error=is_error)
        self._messages = [item for item in self._messages if item["id"] != message["id"]]
        self._messages.append(message)
        self._has_news = True
        told = [message, self._to_meta()]
        return [*frames, StreamFrame("messages-tuple", "messages", told)]

    def _end_step(self, node: str, following: str) -> list[StreamFrame]:
        if following.endswith(_TOOLS):
            self._held = node  # its calls are told as they begin
            return []
        frames = self._tell_held()
        new = self._take_new()
        frames.append(StreamFrame("updates", "updates", {node: {"messages": new} if new else None}))
        if node.endswith(_TOOLS):
            self._shown.close_part()
            self._rounds += 1
        return [*frames, *([self._tell_values()] if self._has_news else [])]

    def _tell_held(self) -> list[StreamFrame]:
        """Build the update with the answer that called tools, now that its calls are known."""
        if not self._held:
            return []
        update = {self._held: {"messages": self._take_new("ai")}}
        self._held = ""
        return [StreamFrame("updates", "updates", update)]

    def _take_new(self, *kinds: str) -> list[Any]:
        new = [
            item
            for item in self._messages
            if item["id"] not in self._told and (not kinds or item["type"] in kinds)
        ]
        self._told |= {item["id"] for item in new}
        return [*map(_freeze, new)]

    def _end(self, data: dict[str, Any]) -> list[StreamFrame]:
        frames = [*self._show(*self._shown.settle()), self._tell_values()]
        code = data.get("code")
        if code is not None and (self._tells_stop or code != RunCancelled.code):
            name = "UserInterrupt" if code == RunCancelled.code else code
            told = {"error": name, "message": data["message"]}
            frames.append(StreamFrame(ALWAYS, "error", told))
        return frames

    def _tell_values(self, more: dict[str, Any] | None = None) -> StreamFrame:
        """Build the frame with the whole state, if the client requested that mode."""
        self._has_news = False
        if "values" not in self._modes:
            return StreamFrame("values", "values", None)
        messages = [*self.history, *map(_freeze, self._messages)]
        return StreamFrame("values", "values", {"messages": messages, **(more or {})})

    def _tell_chunk(self, **more: Any) -> StreamFrame:
        chunk: Shown = {
            "type": "AIMessageChunk",
            "id": self._get_answer()["id"],
            "content": "",
            "additional_kwargs": {},
            "response_metadata": {},
            "tool_calls": [],
            "invalid_tool_calls": [],
            "tool_call_chunks": [],
        }
        return StreamFrame("messages-tuple", "messages", [chunk | more, self._to_meta()])

    def _to_meta(self) -> dict[str, Any]:
        return {**self._names, **self._place}


def _freeze(message: Shown) -> orjson.Fragment:
    """Serialize a message now, because it may grow before the frame is written."""
    return orjson.Fragment(orjson.dumps(message))


class FrameWriter:
    """Writes a run's event stream. Pass it the run's events from the first on."""

    def __init__(
        self,
        encoder: RunEncoder,
        modes: Sequence[str],
        after: Cursor = BEGINNING,
        *,
        is_answer: bool = False,
    ) -> None:
        """Write the frames of these modes. after: the last position that the client has seen.

        is_answer: the stream continues after an answer, so it begins with the state of that time.
        """
        self._encoder = encoder
        self._modes = (ALWAYS, *modes)
        self._after = after
        self._is_answer = is_answer
        self._last: Event | None = None

    def open(self) -> bytes:
        return b""

    def write(self, events: list[Event]) -> bytes:
        self._last = events[-1]
        return b"".join(map(self._write, events))

    def close(self) -> bytes | None:
        """Return the frames that end the stream.

        None if the run continues on another replica. Clients take a cut stream as a reason to
        connect again.
        """
        if self._last is None or self._last["event"] not in TERMINAL | WAITING:
            return None
        asked = self._encoder.wait() if self._last["event"] in WAITING else []
        seq = self._last["seq"]
        return b"".join(self._to_bytes(seq, _LAST + n, item) for n, item in enumerate(asked, 1))

    def _write(self, event: Event) -> bytes:
        seq = event["seq"]
        told = [
            self._to_bytes(seq, n, frame)
            for n, frame in enumerate(self._encoder.encode(event))
            if (seq, n) > self._after
        ]
        if self._is_answer and seq == self._after.seq:
            told += [self._to_bytes(seq, _LAST, frame) for frame in self._encoder.tell_now()]
        return b"".join(told)

    def _to_bytes(self, seq: int, number: int, frame: StreamFrame) -> bytes:
        if frame.mode not in self._modes:
            return b""
        told = (frame.event.encode(), orjson.dumps(frame.data), seq, number)
        return b"event: %b\ndata: %b\nid: %d-%d\n\n" % told


def read_cursor(text: str) -> Cursor:
    """Parse the position in the header `Last-Event-ID`.

    `-1` or nothing is the stream's beginning.

    >>> read_cursor("12-3"), read_cursor("-1")
    (Cursor(seq=12, number=3), Cursor(seq=0, number=1000000))
    """
    seq, _, number = text.partition("-")
    if seq.isdecimal() and number.isdecimal() and len(text) < 30:
        return Cursor(int(seq), int(number))
    return BEGINNING
