"""Gemini: response chunks (one, for a call without streaming) → neutral answer."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from ...base.text.cleaning import clean_json, clean_text
from ...base.text.streamed import StreamedText
from ...types import (
    ChatRequest,
    FunctionCall,
    LLMResponse,
    MessagePart,
    Stop,
    StreamDelta,
    Usage,
    sum_known,
)
from ..http.stated_usage import build_usage, fold_usage, has_words, read_count
from ..provider_state import Target, ToolIds

if TYPE_CHECKING:
    from google.genai import types as genai_types

# Source: ai.google.dev, api/generate-content, FinishReason. "error": Google itself gave up, so a
# retry may help
# (tests/providers/test_documented_gemini.py::test_gemini_answers_that_gave_up_are_retried).
_STOPS: Final[Mapping[str, Stop]] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "content_filter",
    "RECITATION": "content_filter",
    "LANGUAGE": "content_filter",
    "BLOCKLIST": "content_filter",
    "PROHIBITED_CONTENT": "content_filter",
    "SPII": "content_filter",
    "IMAGE_SAFETY": "content_filter",
    "IMAGE_PROHIBITED_CONTENT": "content_filter",
    "IMAGE_RECITATION": "content_filter",
    "MODEL_ARMOR": "content_filter",
    "ESCALATION": "content_filter",
    "PUP_LIMITED_DISABLED": "content_filter",
    "CONTINUATION": "length",
    "MALFORMED_FUNCTION_CALL": "error",
    "UNEXPECTED_TOOL_CALL": "error",
    "MALFORMED_RESPONSE": "error",
    "TOO_MANY_TOOL_CALLS": "error",
    "MISSING_THOUGHT_SIGNATURE": "error",
    "OTHER": "error",
}
_PROMPT_COUNTS: Final = ("promptTokenCount", "totalTokenCount")


def from_usage(stated: Mapping[str, Any] | None, *, has_answer: bool) -> Usage:
    """Convert Gemini's token counts to a Usage, in which no token counts twice.
    The prompt includes the cached part; candidates exclude thoughts, unless the total shows
    otherwise.
    """
    if stated is None:
        return Usage(source="missing")
    prompt, tools = (
        read_count(stated.get(name)) for name in ("promptTokenCount", "toolUsePromptTokenCount")
    )
    return build_usage(
        stated,
        prompt=stated.get("promptTokenCount") if prompt is None else sum_known(prompt, tools),
        cache_read=stated.get("cachedContentTokenCount"),
        # Absent where all tokens were thoughts: 0 then, not unknown
        # (test_reasoning_can_use_up_geminis_token_limit).
        spoken=stated.get("candidatesTokenCount") or 0,
        reasoning=stated.get("thoughtsTokenCount"),
        total=stated.get("totalTokenCount"),
        has_answer=has_answer,
    )


class ContentFold:
    """Folds response chunks (one, for a call without streaming) into a neutral answer."""

    def __init__(self, request: ChatRequest, target: Target, notes: Iterable[str]) -> None:
        self._target = target
        self._notes = tuple(notes)
        self._ids = ToolIds(target, request.messages)
        self._parts: list[MessagePart] = []
        self._text: StreamedText | None = None  # of the last part, if plain text or thought
        self._usage: dict[str, Any] | None = None
        self._model: str | None = None
        self._response_id: str | None = None
        self._stop_raw: str | None = None
        self.has_begun = False
        self._is_blocked = False  # the prompt was, before any answer
        self._unstopped = False  # a chunk came without a finish reason
        self._goes_on = False  # more was said after one

    @property
    def is_complete(self) -> bool:
        """Return whether a finish reason or a block reason has arrived."""
        return self._stop_raw is not None

    @property
    def is_certain(self) -> bool:
        """Return whether the finish reason proves that the answer is complete.

        Old models and gateways send one in every chunk; there only the stream's end proves it.
        """
        return self._is_blocked or (self.is_complete and self._unstopped and not self._goes_on)

    def add(self, chunk: genai_types.GenerateContentResponse) -> StreamDelta | None:
        """Add one chunk to the answer; return its displayable part, or None."""
        self.has_begun = True
        if (stated := chunk.usage_metadata) is not None:
            stated_usage = stated.model_dump(mode="json", by_alias=True, exclude_none=True)
            self._usage = fold_usage(drop_provisional(self._usage, stated_usage), stated_usage)
        self._model = chunk.model_version or self._model
        self._response_id = chunk.response_id or self._response_id
        if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
            self._stop_raw = chunk.prompt_feedback.block_reason.value
            self._is_blocked = True
        if not chunk.candidates:
            return None
        candidate = chunk.candidates[0]
        self._goes_on = self.is_complete and candidate.content is not None
        self._unstopped = self._unstopped or not candidate.finish_reason
        if candidate.finish_reason:
            self._stop_raw = candidate.finish_reason.value
        text, reasoning = "", ""
        for part in (candidate.content and candidate.content.parts) or []:
            delta = self._add_part(part)
            text, reasoning = text + delta.text, reasoning + delta.reasoning
        return StreamDelta(text, reasoning) if text or reasoning else None

    def finish(self) -> LLMResponse:
        """Build the answer from the chunks so far (`stop` is "error" without a finish reason)."""
        self._close_text()
        unknown: Stop = "other" if self._stop_raw else "error"
        stop = cast("Stop", _STOPS.get(self._stop_raw or "", unknown))
        if self._is_blocked:
            stop = "content_filter"
        # STOP is the reason for calls, too.
        elif stop in ("end", "other") and any(part["type"] == "tool_call" for part in self._parts):
            stop = "tool_use"
        return LLMResponse(
            message={"role": "assistant", "parts": self._parts},
            stop=stop,
            usage=from_usage(self._usage, has_answer=has_words(self._parts)),
            model=self._model or self._target.model,
            stop_raw=self._stop_raw,
            request_id=self._response_id,
            response_id=self._response_id,
            notes=self._notes,
        )

    def _add_part(self, part: genai_types.Part) -> StreamDelta:
        """Add a part; a signed one stays apart, as merging would void its signature."""
        text, state = clean_text(part.text or ""), dict[str, Any]()
        if part.thought_signature is not None:
            state["signature"] = base64.b64encode(part.thought_signature).decode()
        if (function := part.function_call) is not None:
            call: FunctionCall = {
                "type": "tool_call",
                "id": "",
                "name": function.name or "",
                "arguments": clean_json(function.args or {}),
            }
            wire_id = {"id": function.id} if function.id else {}
            # 259 of 282 recorded calls came without an id: they get ours, which is not sent to
            # Google.
            self._append(self._ids.assign(call, function.id, {**wire_id, **state}))
        elif part.text is None:
            # Google's own tools: carried, not understood. What the SDK cannot read is left out:
            # sent back empty, it would be refused.
            value = part.model_dump(mode="json", exclude_none=True, exclude={"thought_signature"})
            if value or state:
                self._append(self._target.make_part("reasoning", "", {"part": value, **state}))
        elif state:  # an empty text is only the signature's carrier
            is_text = bool(part.text) and not part.thought
            thought = {"thought": True} if part.thought else {}
            made = self._target.make_part(
                "text" if is_text else "reasoning", text, {**state, **thought}
            )
            self._append(made)
        elif part.text:
            kind = "reasoning" if part.thought else "text"
            if self._text is None or self._parts[-1]["type"] != kind:
                self._append(self._target.make_part(kind, ""))
                self._text = StreamedText()
            self._text.add(text)
        return StreamDelta(reasoning=text) if part.thought else StreamDelta(text=text)

    def _append(self, part: MessagePart) -> None:
        self._close_text()
        self._parts.append(part)

    def _close_text(self) -> None:
        last = self._parts[-1] if self._text else None
        if last and (last["type"] == "text" or last["type"] == "reasoning"):
            last["text"] = str(self._text)
        self._text = None


def drop_provisional(known: dict[str, Any] | None, stated: dict[str, Any]) -> dict[str, Any] | None:
    """Copy the usage so far, without prompt counts that the new usage corrects.

    Gemini 2's first chunk counts more than its last. Source: a recorded stream of
    gemini-2.0-flash.
    """
    if known is None or read_count(known.get("candidatesTokenCount")):
        return known
    if not (read_count(stated.get("promptTokenCount")) and stated.get("candidatesTokenCount")):
        return known
    return {key: value for key, value in known.items() if key not in _PROMPT_COUNTS}
