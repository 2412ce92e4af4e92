"""Puts the events of a streamed OpenAI response together."""

from __future__ import annotations

from typing import Any, Final, cast

from ...base.text import clean_text
from ...types import LLMResponse, StreamDelta
from ..http.failures import build_cut_error, build_model_error, parse_failure, parse_json
from ..http.sse import ServerEvent
from ..provider_state import Asked
from .responses_wire import from_response

_TEXT: Final = "response.output_text.delta"
_REASONING: Final = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_PIECES: Final = (_TEXT, *_REASONING, "response.function_call_arguments.delta")
_TERMINAL: Final = ("response.completed", "response.incomplete")


class ResponseFold:
    """Keeps the items as they grow; the terminal event brings the whole response."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._body: dict[str, Any] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}
        self.is_complete = False  # completed or incomplete was seen

    def add(self, event: ServerEvent) -> StreamDelta | None:
        """Takes one event; gives what there is to show.

        Raises: ModelError for a failed response, StreamCut for an unreadable event.
        """
        if self.is_complete or event.data == b"[DONE]":
            return None
        try:
            data: Any = parse_json(event.data)
        except ValueError as error:
            raise build_cut_error(self._asked.target, "unreadable event", self.finish()) from error
        if not isinstance(data, dict):
            return None  # some servers keep a line awake with it
        data = cast("dict[str, Any]", data)
        kind = cast("str", data.get("type") or event.event)
        if kind in _PIECES:
            return self._add_piece(kind, data)
        if kind in ("response.output_item.added", "response.output_item.done"):
            self._items[data["output_index"]] = data["item"]
            self._pieces.pop(data["output_index"], None)
        elif kind in ("error", "response.failed") or data.get("error"):
            self._body = data.get("response") or self._body  # it may state the usage
            failure = parse_failure(data.get("response") or data, None, {})
            raise build_model_error(failure, self._asked.target, self.finish())
        elif isinstance(data.get("response"), dict):
            self._body = data["response"]
            self.is_complete = self.is_complete or kind in _TERMINAL
        return None

    def finish(self) -> LLMResponse:
        """The answer, complete or as far as it came (then `stop` is "error")."""
        body = dict(self._body)
        if not self.is_complete:
            body["status"] = "in_progress"
        if not self.is_complete or not body.get("output"):
            body["output"] = [self._close_item(index) for index in sorted(self._items)]
        return from_response(body, self._asked)

    def _add_piece(self, kind: str, data: dict[str, Any]) -> StreamDelta | None:
        piece = cast("str", data["delta"])
        self._pieces.setdefault(data["output_index"], []).append(piece)
        if kind == _TEXT:
            return StreamDelta(text=clean_text(piece))
        return StreamDelta(reasoning=clean_text(piece)) if kind in _REASONING else None

    def _close_item(self, index: int) -> dict[str, Any]:
        """An item whose end did not come, filled with what came of it."""
        item = self._items[index]
        if index not in self._pieces:
            return item
        said = "".join(self._pieces[index])
        match item.get("type"):
            case "function_call":
                return {**item, "arguments": said}
            case "message":
                return {**item, "content": [{"type": "output_text", "text": said}]}
            case _:
                return {**item, "summary": [{"type": "summary_text", "text": said}]}
