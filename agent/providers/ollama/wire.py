"""Ollama's native chat: neutral conversation ⇄ wire. Pure.

Native, because only here `num_ctx` can be set: the server's default window is small, and what does
not fit is cut off without a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ...base.text.cleaning import clean_json, clean_text
from ...base.text.streamed import StreamedText
from ...base.tokens.estimate import estimate_request_tokens
from ...types import (
    ChatRequest,
    FunctionCall,
    LLMResponse,
    Message,
    MessagePart,
    Stop,
    StreamDelta,
    Usage,
)
from ..efforts import add_effort
from ..files import fit_files
from ..http.bodies import (
    add_sampling,
    from_call_text,
    is_error,
    may_call,
    to_function_tool,
    to_json_text,
    to_result_text,
)
from ..http.failures import build_model_error, parse_failure, try_partial
from ..http.json_schema import choose_json_mode, to_system
from ..http.sse import JsonEvent
from ..http.stated_usage import build_usage, fold_usage, read_count
from ..provider_state import SentCall, Target, ToolIds
from ..state_reader import StateReader

# A change of the window reloads the model, so it grows in few, big steps.
_WINDOWS: Final = (8_192, 16_384, 32_768, 65_536, 131_072)
# Not all of max_tokens: the default of 8,096 would double the window, and its memory, for answers
# that are nearly always shorter.
_ANSWER_TOKENS: Final = 4_096  # kept free at most, whatever the request's max_tokens
# Our estimate errs by 21 % in one text of a hundred: below 0.7 there is another cause.
_DOUBTFUL_SHARE: Final = 0.7  # of the estimate: fewer tokens read than this is worth a note
_DOUBTFUL_FROM: Final = 2_000
_STOPS: Final[Mapping[str, Stop]] = {"stop": "end", "length": "length", "load": "end"}
_COUNTS: Final = ("_count", "_duration")  # how the names of its numbers end


def to_body(request: ChatRequest, target: Target) -> tuple[dict[str, Any], list[str]]:
    """Convert a request to Ollama's JSON body and notes on omitted options."""
    states = StateReader(target)
    messages, notes = fit_files(request.messages, target)
    wanted = choose_json_mode(request, target)
    text = to_system(request, is_native=wanted is not None)
    system = [{"role": "system", "content": text}] if text else []
    body: dict[str, Any] = {
        "model": target.model,
        "stream": False,  # the server's default is a stream
        "messages": [*system, *to_messages(messages, states)],
    }
    if request.tools and may_call(request, notes):
        body["tools"] = [to_function_tool(tool) for tool in request.tools]
    if wanted is not None:
        body["format"] = wanted.schema or "json"
    add_effort(body, request, target, "think")
    options: dict[str, Any] = {
        "num_ctx": choose_window(_estimate(request), request.max_tokens),
        "num_predict": request.max_tokens,
    }
    add_sampling(options, notes, request, target, "stop")
    body["options"] = options
    return body, [*notes, *states.notes()]


def to_messages(messages: list[Message], states: StateReader) -> list[dict[str, Any]]:
    """Convert messages to Ollama's form. Arguments are objects, and results name their tool."""
    wire: list[dict[str, Any]] = []
    sent_ids: dict[str, dict[str, str]] = {}
    for message in messages:
        if message["role"] == "assistant":
            wire.extend(_to_assistant(message, states, sent_ids))
            continue
        for part in message["parts"]:
            if part["type"] == "tool_result":
                content = to_result_text(part["result"], is_error=part["is_error"])
                result = {"role": "tool", "tool_name": part["name"], "content": content}
                wire.append({**result, **sent_ids.get(part["id"], {})})
            elif part["type"] == "text" and part["text"].strip():
                wire.append({"role": "user", "content": part["text"]})
    return wire


def choose_window(prompt_tokens: int, max_tokens: int) -> int:
    """Choose the smallest context window that has room for prompt and answer, or the largest.

    >>> choose_window(1_000, 8_096), choose_window(6_000, 8_096), choose_window(900_000, 100)
    (8192, 16384, 131072)
    """
    # The estimate's error, again: a window too small cuts the prompt without an error.
    needed = int(prompt_tokens * 1.25) + min(max_tokens, _ANSWER_TOKENS)
    return next((window for window in _WINDOWS if window >= needed), _WINDOWS[-1])


def from_usage(reply: Mapping[str, Any], *, has_answer: bool) -> Usage:
    """Convert Ollama's token counts to a Usage.

    The prompt's count includes cached tokens.
    Source: ollama #3427, #2068; `PromptEvalCachedCount` in its api/types.go.
    """
    raw = {key: value for key, value in reply.items() if key.endswith(_COUNTS)}
    return build_usage(
        raw,
        prompt=reply.get("prompt_eval_count"),
        cache_read=reply.get("prompt_eval_cached_count"),
        output=reply.get("eval_count"),
        has_answer=has_answer,
    )


class ReplyFold:
    """Folds Ollama's reply objects (one without streaming) into a neutral answer."""

    def __init__(self, sent: SentCall) -> None:
        self._sent = sent
        self._ids = ToolIds(sent.target, sent.request.messages)
        self._window = cast("int", sent.body["options"]["num_ctx"])
        self._pieces: dict[str, StreamedText] = {}
        self._calls: list[FunctionCall] = []
        self._last: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self.is_complete = False  # done was seen

    def add(self, event: JsonEvent) -> StreamDelta | None:
        """Add one line of a stream to the answer; return its displayable part, or None.

        Raises: ModelError for an error line.
        """
        if self.is_complete:
            return None
        if is_error(event.data):
            self._take_usage(event.data)
            failure = parse_failure(event.data, None, {})
            raise build_model_error(failure, self._sent.target, try_partial(self.finish))
        return self.add_reply(event.data)

    def add_reply(self, reply: dict[str, Any]) -> StreamDelta | None:
        """Add one reply object to the answer; return its text and reasoning, or None."""
        self._last = reply
        self._take_usage(reply)
        self.is_complete = bool(reply.get("done"))
        message = cast("dict[str, Any]", reply.get("message") or {})
        for wire in cast("list[dict[str, Any]]", message.get("tool_calls") or []):
            function = cast("dict[str, Any]", wire.get("function") or {})
            # Servers that only look like Ollama send them as text, as in Chat Completions.
            arguments = to_json_text(clean_json(function.get("arguments") or {}))
            call = from_call_text(function.get("name"), arguments)
            self._calls.append(self._ids.assign(call, wire.get("id"), {}))
        text = clean_text(message.get("content") or "")
        reasoning = clean_text(message.get("thinking") or "")
        if not text and not reasoning:
            return None
        self._pieces.setdefault("text", StreamedText()).add(text)
        self._pieces.setdefault("reasoning", StreamedText()).add(reasoning)
        return StreamDelta(text, reasoning)

    def finish(self) -> LLMResponse:
        """Build the answer from the replies so far (`stop` is "error" if they are incomplete)."""
        parts: list[MessagePart] = []
        if reasoning := str(self._pieces.get("reasoning", "")):
            state = self._sent.target.tag({"echo": True})
            parts.append({"type": "reasoning", "text": reasoning, "provider_state": state})
        if text := str(self._pieces.get("text", "")):
            parts.append({"type": "text", "text": text})
        reason = cast("str", self._last.get("done_reason") or "stop")
        ended: Stop = _STOPS.get(reason, "other")
        if self._calls and ended != "length":
            ended = "tool_use"
        return LLMResponse(
            message={"role": "assistant", "parts": [*parts, *self._calls]},
            stop=ended if self.is_complete else "error",
            usage=from_usage(self._usage, has_answer=bool(parts or self._calls)),
            model=self._sent.target.read_model(self._last.get("model")),
            stop_raw=reason if self.is_complete else None,
            notes=(*self._sent.notes, *self._check_window()),
        )

    def _take_usage(self, reply: dict[str, Any]) -> None:
        counts = {key: value for key, value in reply.items() if key.endswith(_COUNTS)}
        self._usage = fold_usage(self._usage, counts)

    def _check_window(self) -> list[str]:
        """Return a note if the server seems not to have read the whole prompt."""
        read = read_count(self._usage.get("prompt_eval_count"))
        if read is None:
            return []
        # Full to the brim: the server drops the start and states what was left.
        if read >= self._window - 1:
            return [
                (
                    f"the prompt filled the window of {self._window} tokens, and its "
                    "start was cut off"
                )
            ]
        sent = _estimate(self._sent.request)
        if sent >= _DOUBTFUL_FROM and read < sent * _DOUBTFUL_SHARE:
            return [
                (
                    f"only {read} of about {sent} prompt tokens were read: the window may "
                    "have cut some"
                )
            ]
        return []


def _to_assistant(
    message: Message, states: StateReader, sent_ids: dict[str, dict[str, str]]
) -> list[dict[str, Any]]:
    texts = [part["text"] for part in message["parts"] if part["type"] == "text"]
    thoughts = [
        part["text"]
        for part in message["parts"]
        # Only this model's own: another one's thoughts are text that it never wrote.
        if part["type"] == "reasoning" and states.read(part)
    ]
    calls: list[dict[str, Any]] = []
    for part in message["parts"]:
        if part["type"] == "tool_call":
            wire_id = states.read(part).get("id")
            call = {"function": {"name": part["name"], "arguments": part["arguments"]}}
            calls.append({**call, "id": wire_id} if wire_id else call)
            sent_ids[part["id"]] = {"tool_call_id": wire_id} if wire_id else {}
    text = "".join(texts)
    if not text.strip() and not calls:
        return []
    wire: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        wire["tool_calls"] = calls
    if calls and thoughts:
        wire["thinking"] = "".join(thoughts)
    return [wire]


def _estimate(request: ChatRequest) -> int:
    tools = [to_function_tool(tool) for tool in request.tools]
    return estimate_request_tokens(request.system, request.messages, tools)
