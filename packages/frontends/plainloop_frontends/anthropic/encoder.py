"""`/v1/messages`: a run as Anthropic's stream events, and as one message.

Nothing that was sent can be taken back here, as in chat completions: so their encoder chooses what
is said, and its chunks become blocks.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import orjson

from plainloop.agent.errors import AgentError
from plainloop.agent.events import Event
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.encoder import Frame

from ..openai.chat import ChatEncoder
from .errors import to_error

_STOPS: Final = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
}
_KINDS: Final = {"content": ("text", "text_delta"), "reasoning_content": ("thinking",) * 2}


class MessageEncoder:
    """Encodes one run's events as Anthropic's Messages API. drafts: as `find_drafts`."""

    trailer = b""

    def __init__(
        self,
        run_id: str,
        model: str,
        drafts: Mapping[str, int],
        *,
        after: int = 0,
        answered: Container[str] = (),
        notice: str = "",
    ) -> None:
        """Begin the encoding of a run. after: the last event that earlier answers have sent.

        answered: calls of the client's tools whose results have just come. notice: text before the
        run's own.
        """
        arguments = (run_id, model, drafts)
        self._chat = ChatEncoder(*arguments, after=after, answered=answered, notice=notice)
        self._name = f"{run_id}_{after}" if after else run_id
        self._model = model
        self._after = after
        self._is_open = False
        self._has_text = False
        self._kind = ""  # of the open block; "": none is
        self._blocks = 0
        self._ended: Mapping[str, Any] = {}

    @staticmethod
    def to_bytes(frame: Frame) -> bytes:
        return b"event: %b\ndata: %b\n\n" % (frame["type"].encode(), orjson.dumps(frame))

    @property
    def history(self) -> Sequence[PostedMessage]:
        """Return this answer in the form in which the client will post it as history."""
        return self._chat.history

    @property
    def has_failed(self) -> bool:
        return self._chat.has_failed

    @property
    def usage(self) -> dict[str, Any]:
        """Return the answer's token usage in Anthropic's fields.

        Cached input tokens are not counted in `input_tokens`.
        """
        counts = self._chat.counts
        read, written = counts["cache_read_tokens"], counts["cache_write_tokens"]
        return {
            "input_tokens": max(0, counts["input_tokens"] - read - written),
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "output_tokens": counts["output_tokens"],
            "output_tokens_details": {"thinking_tokens": counts["reasoning_tokens"]},
        }

    def encode(self, event: Event) -> list[Frame]:
        if event["event"] == "done":
            self._ended = event["data"]
        chunks = self._chat.encode(event)
        return [] if event["seq"] <= self._after else self._to_blocks(chunks)

    def wait(self) -> list[Frame]:
        return self._to_blocks(self._chat.wait())

    def open(self) -> list[Frame]:
        """Return the frames that begin the answer."""
        return self._to_blocks(self._chat.open())

    def reopen(self) -> list[Frame]:
        return self._begin()

    def leave(self) -> None:
        """Return None (no closing frames) when another replica continues the run.

        The stream is then cut. Several clients would take an end without `message_stop` for
        success.
        """

    def _to_blocks(self, chunks: Sequence[Frame]) -> list[Frame]:
        frames: list[Frame] = []
        for chunk in chunks:
            if "error" in chunk:
                error = AgentError(chunk["error"]["message"], code=chunk["error"]["code"])
                return [*frames, *self._begin(), *self._close(), to_error(error)]
            [choice] = chunk["choices"]
            frames += self._begin()
            for key, (kind, delta) in _KINDS.items():
                if text := choice["delta"].get(key):
                    frames += self._add(kind, delta, text)
            for call in choice["delta"].get("tool_calls", ()):
                frames += self._show_call(call)
            if reason := choice["finish_reason"]:
                frames += self._finish(_STOPS[reason])
        return frames

    def _begin(self) -> list[Frame]:
        if self._is_open:
            return []
        self._is_open = True
        message: dict[str, Any] = {
            "id": f"msg_{self._name}",
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": self.usage,
        }
        return [{"type": "message_start", "message": message}, {"type": "ping"}]

    def _add(self, kind: str, delta: str, text: str) -> list[Frame]:
        """Build the frames of a text or thinking piece, in the open block or a new one."""
        frames: list[Frame] = []
        if kind == "text" and not self._has_text:
            if not (text := text.lstrip("\n")):  # what parts it from an earlier answer
                return []
            self._has_text = True
        if self._kind != kind:
            signed = {"signature": ""} if kind == "thinking" else {}
            frames = self._open_block(kind, {"type": kind, kind: "", **signed})
        piece = {"type": delta if kind == "text" else "thinking_delta", kind: text}
        return [*frames, self._tell("content_block_delta", delta=piece)]

    def _show_call(self, call: Mapping[str, Any]) -> list[Frame]:
        """Build the frames of a call of the client's own tool, whole."""
        function = call["function"]
        block: dict[str, Any] = {"type": "tool_use", "id": call["id"], "name": function["name"]}
        block["input"] = {}
        piece = {"type": "input_json_delta", "partial_json": function["arguments"]}
        return [
            *self._open_block("tool_use", block),
            self._tell("content_block_delta", delta=piece),
            *self._close(),
        ]

    def _open_block(self, kind: str, block: dict[str, Any]) -> list[Frame]:
        frames = self._close()
        self._kind = kind
        self._blocks += 1
        return [*frames, self._tell("content_block_start", content_block=block)]

    def _close(self) -> list[Frame]:
        kind, self._kind = self._kind, ""
        if not kind:
            return []
        frames: list[Frame] = []
        if kind == "thinking":  # nobody reads it; clients drop thinking that is not signed
            signature = b64encode(f"plainloop:{self._name}:{self._blocks}".encode()).decode()
            piece = {"type": "signature_delta", "signature": signature}
            frames = [self._tell("content_block_delta", delta=piece)]
        return [*frames, self._tell("content_block_stop")]

    def _finish(self, reason: str) -> list[Frame]:
        ended, stop_text = self._ended.get("ended_by"), None
        if ended == "stop_sequence":
            reason, stop_text = ended, self._ended.get("stop_text")
        elif ended == "refusal":
            reason = ended
        delta = {"stop_reason": reason, "stop_sequence": stop_text}
        return [
            *self._close(),
            {"type": "message_delta", "delta": delta, "usage": self.usage},
            {"type": "message_stop"},
        ]

    def _tell(self, name: str, **data: Any) -> Frame:
        return {"type": name, "index": self._blocks - 1, **data}


def to_message(frames: Sequence[Frame]) -> dict[str, Any]:
    """Fold all frames of a stream into one message, for an answer without streaming."""
    message: dict[str, Any] = {}
    blocks: list[dict[str, Any]] = []
    arguments = ""
    for frame in frames:
        match frame["type"]:
            case "message_start":
                message = dict(frame["message"])
            case "content_block_start":
                blocks.append(dict(frame["content_block"]))
                arguments = ""
            case "content_block_delta":
                delta = {key: value for key, value in frame["delta"].items() if key != "type"}
                arguments += delta.pop("partial_json", "")
                for key, text in delta.items():
                    blocks[-1][key] += text
            case "content_block_stop" if blocks[-1]["type"] == "tool_use":
                blocks[-1]["input"] = orjson.loads(arguments)
            case "message_delta":
                message |= {**frame["delta"], "usage": frame["usage"]}
            case _:
                pass
    return {**message, "content": blocks}
