"""Assembles a streamed chat completion from its chunks."""

from __future__ import annotations

from typing import Any, cast

from ...base.text.cleaning import clean_text
from ...base.text.json_text import parse_arguments
from ...base.text.streamed import StreamedText
from ...dataclasses import dataclass, field
from ...types import LLMResponse, StreamDelta, ToolCallDelta
from ..http.bodies import is_error, make_call_delta, to_json_text
from ..http.failures import build_model_error, parse_failure, try_partial
from ..http.sse import JsonEvent
from ..http.stated_usage import fold_usage
from ..provider_state import SentCall
from .chat_wire import from_completion, list_wire_calls, read_reasoning, read_text


class CompletionFold:
    """Folds stream chunks into the object that the same call without streaming returns."""

    def __init__(self, sent: SentCall) -> None:
        self._sent = sent
        self._head: dict[str, Any] = {}
        self._pieces: dict[str, StreamedText] = {}
        self._details: dict[int, dict[str, Any]] = {}
        self._calls = ToolCallFold()
        self._stop_raw: str | None = None
        self._native: str | None = None  # of the vendor behind a gateway
        self._is_closed = False  # [DONE] came, behind an answer that can be one

    @property
    def is_complete(self) -> bool:
        """Return whether the whole answer has arrived, by finish reason or [DONE]."""
        return self._stop_raw is not None or self._is_closed

    def add(self, event: JsonEvent) -> StreamDelta | None:
        """Add one stream event to the answer; return its displayable part, or None.

        Raises: ModelError for an error inside the stream.
        """
        data = event.data
        if event.is_done:
            # Some servers name no finish reason before [DONE]: then what came may be all.
            calls = self._calls.finish()
            has_output = calls or self._pieces.get("content") or self._pieces.get("refusal")
            # A server may also end the stream when it has crashed: a call whose arguments are cut
            # is no end (test_an_incomplete_stream_without_finish_reason_is_cut).
            arguments = [parse_arguments(call["function"]["arguments"]) for call in calls]
            self._is_closed = self._is_closed or bool(has_output and None not in arguments)
            return None
        self._take_usage(data)
        choices = cast("list[dict[str, Any]]", data.get("choices") or [])
        failed = choices[0] if choices and choices[0].get("error") else data
        if failed is not data or is_error(data) or event.event == "error":
            failure = parse_failure(failed, None, {})
            raise build_model_error(failure, self._sent.target, try_partial(self.finish))
        for key in ("id", "model"):
            self._head.setdefault(key, data.get(key))
        return self._add_choice(choices[0]) if choices else None

    def finish(self) -> LLMResponse:
        """Build the answer from the events so far (`stop` is "error" if they are incomplete)."""
        message: dict[str, Any] = {key: str(pieces) for key, pieces in self._pieces.items()}
        message["tool_calls"] = self._calls.finish()
        if self._details:
            message["reasoning_details"] = [self._details[key] for key in sorted(self._details)]
        reason = self._stop_raw or (None if self._is_closed else "error")
        choice = {"message": message, "finish_reason": reason}
        choice["native_finish_reason"] = self._native
        return from_completion({**self._head, "choices": [choice]}, self._sent)

    def _take_usage(self, holder: dict[str, Any]) -> None:
        """Add usage from a chunk or choice: servers state it in different places."""
        self._head["usage"] = fold_usage(self._head.get("usage"), holder.get("usage"))

    def _add_choice(self, choice: dict[str, Any]) -> StreamDelta | None:
        # Kimi states the usage inside the choice of the last chunk, and also in a chunk without
        # choices if the request asks for usage.
        self._take_usage(choice)
        delta = cast("dict[str, Any]", choice.get("delta") or {})
        calls = [self._calls.add(piece) for piece in list_wire_calls(delta)]
        for detail in cast("list[dict[str, Any]]", delta.get("reasoning_details") or []):
            known = self._details.setdefault(detail.get("index") or 0, {})
            for key, value in detail.items():
                if key in ("text", "summary", "data") and isinstance(value, str):
                    known[key] = known.get(key, "") + value
                # OpenRouter's and MiniMax's details come in pieces by index; a value that is no
                # text comes whole (test_reasoning_details_are_joined_by_index).
                elif value is not None or key not in known:
                    known[key] = value
        if refusal := delta.get("refusal"):
            self._pieces.setdefault("refusal", StreamedText()).add(refusal)
        text, reasoning = read_text(delta.get("content")), read_reasoning(delta)
        if text:
            self._pieces.setdefault("content", StreamedText()).add(text)
        if reasoning:
            self._pieces.setdefault("reasoning_content", StreamedText()).add(reasoning)
        self._stop_raw = choice.get("finish_reason") or self._stop_raw
        self._native = choice.get("native_finish_reason") or self._native
        if not text and not reasoning and not calls:
            return None
        return StreamDelta(clean_text(text), clean_text(reasoning), calls)


@dataclass(slots=True)
class _Call:
    place: int
    id: str | None
    name: str
    arguments: StreamedText = field(default_factory=StreamedText)


class ToolCallFold:
    """Joins pieces of streamed tool calls. A call's key is its index, if the server sends one."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def add(self, piece: dict[str, Any]) -> ToolCallDelta:
        """Add a streamed piece to the tool call that it belongs to; return what it adds."""
        index, call_id = piece.get("index"), piece.get("id") or None
        function = cast("dict[str, Any]", piece.get("function") or {})
        name, arguments = function.get("name") or "", function.get("arguments") or ""
        same = [call for call in self._calls if call_id and call.id == call_id]
        if index is None:  # then it belongs to the call of its id, else to the last one
            current = next(reversed(same or self._calls), None)
        elif same and not name:  # of calls that share an index, the one that it names
            current = same[-1]
        else:
            current = self._by_index.get(index)
        if current is None or _is_new_call(current, call_id, name):
            current = _Call(len(self._calls), call_id, "")
            self._calls.append(current)
            if index is not None:
                self._by_index[index] = current
        current.id = current.id or call_id
        # A name may come in pieces; some servers repeat all of it with each piece of the call.
        if name.startswith(current.name):
            current.name = name or current.name
        elif not current.arguments:
            current.name += name
        # Some servers send the arguments as an object, whole.
        text = arguments if isinstance(arguments, str) else to_json_text(arguments)
        current.arguments.add(text)
        return make_call_delta(current.place, current.id, current.name, text)

    def finish(self) -> list[dict[str, Any]]:
        """Return the collected tool calls as an unstreamed message would have them."""
        return [
            {"id": call.id, "function": {"name": call.name, "arguments": str(call.arguments)}}
            for call in self._calls
        ]


def _is_new_call(current: _Call, call_id: str | None, name: str) -> bool:
    """Whether a used index means a new call: a new id with a name, or a name after whole arguments.

    A new id alone does not: servers that copied an older vLLM send one with every piece.
    """
    if call_id and current.id:
        return call_id != current.id and bool(name)
    # Check the name first: nearly all pieces have none, and joining the earlier pieces for each
    # would take quadratic time (test_a_long_calls_pieces_are_not_joined_again_with_each).
    if not name or not current.name:
        return False
    text = str(current.arguments)
    return bool(text) and parse_arguments(text) is not None
