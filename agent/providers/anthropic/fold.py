"""Assembles a streamed Anthropic message from its events."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from ...base.text.cleaning import clean_text
from ...base.text.foreign_json import as_object
from ...base.text.json_text import parse_arguments
from ...base.text.streamed import StreamedText
from ...base.tokens.estimate import estimate_tokens
from ...types import LLMResponse, StreamDelta
from ..http.bodies import is_error, make_call_delta
from ..http.failures import build_model_error, parse_failure, try_partial
from ..http.sse import JsonEvent
from ..http.stated_usage import fold_usage, read_count
from ..provider_state import SentCall
from .wire import from_message

_STREAMED: Final = ("text", "thinking", "partial_json", "signature")
_INPUT: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
# message_start already states an output of a token or a few. Where a server never corrects that,
# pages would be billed as one token: the count is then missing, and estimated.
_PLACEHOLDER_TOKENS: Final = 10  # at most, of the output that a message's start states


class MessageFold:
    """Folds stream events into the body that the same call without streaming returns."""

    def __init__(self, sent: SentCall) -> None:
        self._sent = sent
        self._body: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: defaultdict[tuple[int, str], StreamedText] = defaultdict(StreamedText)
        self._usage: dict[str, Any] = {}
        self._begun_tokens: int | None = None
        self.is_complete = False  # message_stop was seen

    def add(self, event: JsonEvent) -> StreamDelta | None:
        """Add one stream event to the answer; return its displayable part, or None.

        Raises: ModelError for an error event.
        """
        if self.is_complete:
            return None
        data = event.data
        match data.get("type"):
            case "content_block_delta":
                return self._add_delta(data["index"], data["delta"])
            case "content_block_start":
                index, block = data["index"], data["content_block"]
                self._blocks[index] = dict(block)
                kind = block.get("type")
                if kind in ("text", "thinking") and block.get(kind):
                    return self._add_delta(index, {kind: block[kind]})
                if kind == "tool_use":
                    return self._add_delta(index, {"partial_json": ""})  # its name is known
            case "message_start":
                self._body = data["message"]
                self._take_usage(self._body.get("usage"))
                self._begun_tokens = read_count(self._usage.get("output_tokens"))
            case "message_delta":
                self._body.update(data["delta"])
                self._take_usage(data.get("usage"))
                if (changes := data.get("input_transformations")) is not None:
                    self._body["input_transformations"] = changes  # a fallback model answered
            case "message_stop":
                self.is_complete = True
            case kind if kind == "error" or is_error(data):
                self._take_usage(data.get("usage"))
                failure = parse_failure(data, None, {})
                raise build_model_error(failure, self._sent.target, try_partial(self.finish))
            case _:
                pass
        return None

    def finish(self) -> LLMResponse:
        """Build the answer from the events so far (`stop` is "error" if they are incomplete)."""
        blocks = [self._close_block(index) for index in sorted(self._blocks)]
        usage = self._usage
        if self.is_complete and self._has_placeholder():
            usage = {**usage, "output_tokens": None}
        body = {**self._body, "content": blocks, "usage": usage}
        return from_message(body, self._sent, is_complete=self.is_complete)

    def _take_usage(self, stated: object) -> None:
        """Merge a later event's usage: its input may be new, repeated, or split into caches."""
        later = as_object(stated)
        if not self._usage:
            self._usage = dict(later)
            return
        # Anthropic's own tools raise the input between start and end (702 to 1,591 in a recording);
        # compatible servers first state its sum as uncached and later split it into cache buckets.
        # Merged field by field, the second kind's cached part would be counted twice.
        whole = all(key in later for key in _INPUT if read_count(self._usage.get(key)))
        is_split = whole and _sum_input(later) >= _sum_input(self._usage)
        self._usage = fold_usage(self._usage, later)
        if is_split:
            self._usage.update({key: later[key] for key in _INPUT if key in later})

    def _has_placeholder(self) -> bool:
        """Whether the output count is still the placeholder of the stream's start."""
        output_tokens = self._usage.get("output_tokens")
        if (
            output_tokens != self._begun_tokens
            or output_tokens is None
            or output_tokens > _PLACEHOLDER_TOKENS
        ):
            return False
        return estimate_tokens("".join(map(str, self._pieces.values()))) > 2 * output_tokens

    def _add_delta(self, index: int, delta: dict[str, Any]) -> StreamDelta | None:
        # Some servers that speak Messages begin a block with its first piece.
        if index not in self._blocks:
            self._blocks[index] = {"type": "thinking" if "thinking" in delta else "text"}
        block = self._blocks[index]
        for key in _STREAMED:
            if (piece := delta.get(key)) is not None:
                self._pieces[index, key].add(piece)
                if key == "text":
                    return StreamDelta(text=clean_text(piece))
                if key == "partial_json" and block["type"] == "tool_use":
                    shown = make_call_delta(index, block.get("id"), block.get("name"), piece)
                    return StreamDelta(calls=[shown])
                return StreamDelta(reasoning=clean_text(piece)) if key == "thinking" else None
        if "citation" in delta:
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        else:
            # Of a kind that came later: its block goes back as it is, so nothing may be lost.
            for key, value in delta.items():
                if key != "type" and value is not None:
                    is_text = isinstance(value, str) and isinstance(block.get(key), str)
                    block[key] = block[key] + value if is_text else value
        return None

    def _close_block(self, index: int) -> dict[str, Any]:
        block = dict(self._blocks[index])
        for key in ("text", "thinking", "signature"):
            if (pieces := self._pieces.get((index, key))) is not None:
                block[key] = str(pieces)
        if raw := str(self._pieces.get((index, "partial_json"), "")):
            # Never repaired (see `parse_arguments`): the raw text is kept, and the model reads what
            # is wrong.
            arguments = parse_arguments(raw)
            block["input"] = {} if arguments is None else arguments
            if arguments is None:
                block["invalid_input"] = raw
        return block


def _sum_input(usage: dict[str, Any]) -> int:
    return sum(filter(None, map(read_count, map(usage.get, _INPUT))))
