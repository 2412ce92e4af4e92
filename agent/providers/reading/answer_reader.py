"""Corrects a model's answer: thoughts separated, calls resolved to tools, empty answers refused.

Every attempt's answer goes through here, whatever wire format it came by. What is changed is told
in the answer's notes, which the ledger keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from ...base.caching.bounded import BoundedCache
from ...base.copies import replace
from ...base.messages.tool_names import resolve_name
from ...errors import ContextTooLong, EmptyAnswer
from ...types import (
    ChatRequest,
    FunctionCall,
    LLMResponse,
    MessagePart,
    StreamDelta,
    ToolCallDelta,
    ToolSchema,
    Usage,
    sum_known,
)
from ..defaults import PROVIDER_DEFAULTS, Quirks, quirks_for
from ..model_handle import ModelHandle
from .thoughts import Piece, ThoughtSplitter, is_headless, split_text

_REFUSED: Final = ("refusal", "content_filter")
_WINDOW_FULL: Final = "model_context_window_exceeded"  # Anthropic's and GLM's word for an end
_LENGTH_HINT: Final = (
    "The model used all its tokens for reasoning: raise "
    "AGENT_LIMITS_MAX_OUTPUT_TOKENS, or lower the effort."
)
# Whether a model's answers begin inside a thought, as its last one did.
_seen_headless: Final = BoundedCache()


class AnswerReader:
    """Reads the answer of one attempt: `read` each delta, then `finish` the whole."""

    def __init__(self, request: ChatRequest, handle: ModelHandle) -> None:
        self._request = request
        self._handle = handle
        self._names = [tool.name for tool in request.tools]
        self._splitter: ThoughtSplitter | None = None
        if has_thoughts_in_text(handle):
            self._splitter = ThoughtSplitter(is_held=is_known_headless(handle))
        self._has_field = False  # thoughts came in the field that the format has for them

    def read(self, delta: StreamDelta) -> StreamDelta:
        """Return the displayable part of a delta, with thoughts in the text marked as reasoning."""
        calls: Sequence[ToolCallDelta] = delta.calls and [
            {**piece, "name": resolve_name(piece["name"], self._names) or piece["name"]}
            for piece in delta.calls
        ]
        if self._splitter is None:
            return replace(delta, calls=calls) if calls else delta
        pieces: list[Piece] = []
        if delta.reasoning:
            self._has_field = True
            pieces += self._splitter.release()
        pieces += self._splitter.feed(delta.text)
        text = "".join(part for kind, part in pieces if kind == "text")
        reasoning = "".join(part for kind, part in pieces if kind == "reasoning")
        if self._splitter.is_late:  # what was shown is taken back when the answer is whole
            text = ""
        # Two fields that say the same: the format's own is told.
        return StreamDelta(text, delta.reasoning or ("" if self._has_field else reasoning), calls)

    def finish(self, answer: LLMResponse, *, may_be_empty: bool = False) -> LLMResponse:
        """Return the final answer, with reasoning taken out of its text and tool calls corrected.

        Raises, with what came as `partial`: EmptyAnswer; ContextTooLong where the prompt left no
        room in the model's window.
        """
        if self._splitter is not None:
            answer = split_thoughts(answer, self._handle)
        answer = drop_refused_calls(read_calls(answer, self._request.tools))
        if answer.stop == "pause" and answer.tool_calls:
            answer = replace(answer, stop="tool_use")  # it goes on with their results
        is_empty = not (answer.text.strip() or answer.tool_calls or answer.refusal)
        if is_empty and not may_be_empty and answer.stop not in (*_REFUSED, "pause"):
            is_full = (answer.stop_raw or "").startswith(_WINDOW_FULL)
            raise (ContextTooLong if is_full else EmptyAnswer)(
                f"{self._handle.provider}: the model returned an empty answer (finish reason "
                f"{answer.stop_raw})",
                hint=_LENGTH_HINT if answer.stop == "length" else "Try again or use another model.",
                request_id=answer.request_id,
                partial=answer,
            )
        return answer


def has_thoughts_in_text(handle: ModelHandle) -> bool:
    """Return whether the model writes its thoughts into the answer's text, between tags.

    By setting, or else by the server's quirks.
    """
    if handle.thoughts_in_text is not None:
        return handle.thoughts_in_text
    return get_quirks(handle).thoughts_in_text


def get_quirks(handle: ModelHandle) -> Quirks:
    """Return the special behaviour (quirks) of the server that serves the model."""
    if handle.provider not in PROVIDER_DEFAULTS:
        return Quirks()
    return quirks_for(handle.provider, handle.model, handle.base_url or "")


def split_thoughts(answer: LLMResponse, handle: ModelHandle) -> LLMResponse:
    """Move the thoughts in an answer's text to reasoning parts; return the answer with a note."""
    parts: list[MessagePart] = []
    known = "".join(p["text"] for p in answer.message["parts"] if p["type"] == "reasoning")
    has_end = False
    for part in answer.message["parts"]:
        pieces = split_text(part["text"]) if part["type"] == "text" else []
        if part["type"] != "text" or pieces == [("text", part["text"])]:
            parts.append(part)
            continue
        has_end = has_end or (pieces[0][0] == "reasoning" and part["text"].startswith(pieces[0][1]))
        for kind, text in pieces:
            if kind == "text":
                parts.append({"type": "text", "text": text})
            elif text.strip() and text.strip() not in known:
                parts.append(make_thought(text, handle))
    if answer.text:
        # By the last answer: whether thoughts begin without a tag is up to the server's template,
        # and its operator may change that.
        _seen_headless.put(handle.label, has_end, len(handle.label))
    if parts == answer.message["parts"]:
        return answer
    notes = (*answer.notes, "reasoning in the text was separated from the answer")
    return replace(answer, message={**answer.message, "parts": parts}, notes=notes)


def read_calls(answer: LLMResponse, tools: Iterable[ToolSchema]) -> LLMResponse:
    """Copy an answer with corrected tool names and `null` arguments, and a note on each change."""
    by_name = {tool.name: tool for tool in tools}
    notes: list[str] = []
    parts = [
        read_call(part, by_name, notes) if part["type"] == "tool_call" else part
        for part in answer.message["parts"]
    ]
    if parts == answer.message["parts"]:
        return answer
    message = {**answer.message, "parts": parts}
    return replace(answer, message=cast("Any", message), notes=(*answer.notes, *notes))


def drop_refused_calls(answer: LLMResponse) -> LLMResponse:
    """Drop the tool calls of an answer that ended by refusal or content filter; add a note.

    Source: Anthropic's "handling stop reasons", a refusal may come inside a call.
    """
    calls = answer.tool_calls
    if answer.stop not in _REFUSED or not calls:
        return answer
    parts = [part for part in answer.message["parts"] if part["type"] != "tool_call"]
    names = ", ".join(call["name"] for call in calls)
    notes = (
        *answer.notes,
        f"the answer ended with {answer.stop}, so these tools were not called: {names}",
    )
    return replace(answer, message={**answer.message, "parts": parts}, notes=notes)


def join_answers(paused: LLMResponse, rest: LLMResponse) -> LLMResponse:
    """Join a paused answer and its continuation to one answer."""
    parts = [*paused.message["parts"], *rest.message["parts"]]
    notes = (*paused.notes, *rest.notes)
    return replace(rest, message={**rest.message, "parts": parts}, notes=notes)


def add_usage(first: Usage, second: Usage) -> Usage:
    """Add two usages, count by count; a count that neither has stays unknown."""
    other = second.buckets
    summed: dict[str, Any] = {
        name: sum_known(count, other[name]) for name, count in first.buckets.items()
    }
    return replace(second, **summed)


def read_call(call: FunctionCall, tools: dict[str, ToolSchema], notes: list[str]) -> FunctionCall:
    """Correct a tool call's name and arguments; return the call.

    Each change adds a note to `notes`.
    """
    name = resolve_name(call["name"], tools) or call["name"]
    read: dict[str, Any] = {**call, "name": name}
    if name != call["name"]:
        notes.append(f"the call of {call['name']!r} was read as {name}")
    is_bare = name in tools and not tools[name].parameters.get("properties")
    if is_bare and call.get("invalid_arguments", "").strip() == "null":
        del read["invalid_arguments"]
        notes.append(f"{name} was called with null as arguments: it has no parameters")
    return cast("FunctionCall", read)


def make_thought(text: str, handle: ModelHandle) -> MessagePart:
    """Build a reasoning part, marked to be sent back if the server wants it."""
    part: MessagePart = {"type": "reasoning", "text": text}
    if get_quirks(handle).reasoning_echo == "never":
        return part
    state = {"provider": handle.provider, "model": handle.model, "value": {"echo": True}}
    return cast("MessagePart", {**part, "provider_state": state})


def is_known_headless(handle: ModelHandle) -> bool:
    """Return whether the model's answers begin with a thought that has no opening tag."""
    seen = _seen_headless.get(handle.label)
    return is_headless(handle.model) if seen is None else seen[0]
