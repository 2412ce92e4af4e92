"""Assembles a streamed OpenAI response from its events."""

from __future__ import annotations

from typing import Any, Final, cast

from ...base.text.cleaning import clean_text
from ...base.text.foreign_json import as_object
from ...base.text.streamed import StreamedText
from ...types import LLMResponse, StreamDelta
from ..http.bodies import make_call_delta
from ..http.failures import build_model_error, parse_failure, try_partial
from ..http.sse import JsonEvent
from ..http.stated_usage import fold_usage
from ..provider_state import SentCall
from .responses_wire import from_response

_TEXT: Final = "response.output_text.delta"
_REASONING: Final = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ARGUMENTS: Final = "response.function_call_arguments.delta"
_PIECES: Final = (_TEXT, *_REASONING, _ARGUMENTS)
# The whole behind its pieces, and the field that has it: some servers send it without any piece.
_WHOLES: Final = {
    kind.removesuffix("delta") + "done": (kind, "arguments" if kind == _ARGUMENTS else "text")
    for kind in _PIECES
}
_TERMINAL: Final = ("response.completed", "response.incomplete")


class ResponseFold:
    """Folds Responses events into items; the terminal event contains the whole response."""

    def __init__(self, sent: SentCall) -> None:
        self._sent = sent
        self._body: dict[str, Any] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, StreamedText] = {}
        self._usage: Any = None
        self.is_complete = False  # completed or incomplete was seen

    def add(self, event: JsonEvent) -> StreamDelta | None:
        """Add one event to the answer; return its displayable part, or None.

        Raises: ModelError for a failure.
        """
        if self.is_complete or event.is_done:
            return None
        data = event.data
        response = as_object(data.get("response"))
        # From every event, not only the last: an answer that fails is billed all the same.
        self._usage = fold_usage(self._usage, response.get("usage") or data.get("usage"))
        kind = cast("str", data.get("type") or event.event)
        # Only where no piece of it came, else it would be shown twice
        # (tests/odd_answers/test_calls_without_pieces.py::test_text_sent_only_as_a_whole_is_shown).
        if kind in _WHOLES and data.get("output_index", 0) not in self._pieces:
            kind, field = _WHOLES[kind]
            whole: dict[str, Any] = {**data, "delta": str(data.get(field) or "")}
            data = whole
        if kind in _PIECES:
            index, piece = data.get("output_index", 0), cast("str", data["delta"])
            self._pieces.setdefault(index, StreamedText()).add(piece)
            if kind == _ARGUMENTS:
                call = self._items.get(index, {})
                written = make_call_delta(index, call.get("call_id"), call.get("name"), piece)
                return StreamDelta(calls=[written])
            is_text = kind == _TEXT
            self._items.setdefault(index, {"type": "message" if is_text else "reasoning"})
            shown = clean_text(piece)
            return StreamDelta(text=shown) if is_text else StreamDelta(reasoning=shown)
        if kind in ("response.output_item.added", "response.output_item.done"):
            self._items[data.get("output_index", 0)] = data["item"]
        elif kind in ("error", "response.failed") or data.get("error"):
            self._body = response or self._body
            failure = parse_failure(response or data, None, {})
            raise build_model_error(failure, self._sent.target, try_partial(self.finish))
        elif isinstance(data.get("response"), dict):
            self._body = response
            self.is_complete = self.is_complete or kind in _TERMINAL
        return None

    def finish(self) -> LLMResponse:
        """Build the answer from the events so far (`stop` is "error" if they are incomplete)."""
        body = {**self._body, "usage": self._usage}
        streamed = [self._fill_item(index) for index in sorted(self._items)]
        if not self.is_complete:
            body["status"] = "in_progress"
        # Servers like OpenAI's complete with an empty output what they streamed.
        if not self.is_complete or (_has_answer(streamed) and not _has_answer(body.get("output"))):
            body["output"] = streamed
        return from_response(body, self._sent)

    def _fill_item(self, index: int) -> dict[str, Any]:
        """Return an output item, filled with its pieces if it came empty or incomplete."""
        item, text = self._items[index], str(self._pieces.get(index, ""))
        match item.get("type"):
            case "function_call" if not item.get("arguments"):
                return {**item, "arguments": text}
            case "message" if text and not item.get("content"):
                return {**item, "content": [{"type": "output_text", "text": text}]}
            case "reasoning" if text and not (item.get("summary") or item.get("content")):
                return {**item, "summary": [{"type": "summary_text", "text": text}]}
            case _:
                return item


def _has_answer(items: Any) -> bool:
    """Whether these output items contain text or a call."""
    return any(
        item.get("content") or item.get("arguments")
        for item in cast("list[dict[str, Any]]", items or [])
        if item.get("type") in ("message", "function_call")
    )
