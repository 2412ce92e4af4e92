"""Applies stop sequences to the answers of all models, also where an API ignores them.

Not every API has a word for them (OpenAI's Responses and its reasoning models, blank ones at
Anthropic), and some compatible servers read them as nothing.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final, cast

from ..base.copies import replace
from ..types import ChatProvider, ChatRequest, LLMResponse, Message, MessagePart, StreamDelta, Usage

_UNSTATED: Final = Usage(source="missing")  # who settles the call estimates it


def find_stop(text: str, stops: Sequence[str]) -> tuple[int, str] | None:
    """Return the (position, sequence) of the first stop sequence in the text; None without one.

    >>> find_stop("one two three", ["three", "two"])
    (4, 'two')
    """
    places = [(place, -len(stop), stop) for stop in stops if (place := text.find(stop)) >= 0]
    return (min(places)[0], min(places)[2]) if places else None


def count_held(text: str, stops: Sequence[str]) -> int:
    """Count the last characters of a text that may be the beginning of a stop sequence.

    >>> count_held("the en", ["end"]), count_held("the end ", ["end"])
    (2, 0)
    """
    longest = min(len(text), max(map(len, stops)) - 1)
    ends = (text[-size:] for size in range(longest, 0, -1))
    return next((len(end) for end in ends if any(stop.startswith(end) for stop in stops)), 0)


def cut_answer(response: LLMResponse, stops: Sequence[str]) -> LLMResponse:
    """Return the answer, cut before the first stop sequence in its text."""
    kept: list[MessagePart] = []
    for part in response.message["parts"]:
        if part["type"] == "text" and (match := find_stop(part["text"], stops)):
            place, stop = match
            kept.append({"type": "text", "text": part["text"][:place]})
            message = {**response.message, "parts": kept}
            return replace(response, message=message, stop="stop_sequence", stop_raw=stop)
        kept.append(part)
    return response


def stream_to_stop(
    chat: ChatProvider, request: ChatRequest
) -> AsyncIterator[StreamDelta | LLMResponse]:
    """Stream an answer, ending the stream before the first stop sequence."""
    stream = chat.generate_stream(request)
    return _end_at(stream, request.stop, chat.model) if request.stop else stream


async def _end_at(
    items: AsyncIterator[StreamDelta | LLMResponse], stops: Sequence[str], model: str
) -> AsyncGenerator[StreamDelta | LLMResponse]:
    stream = cast(AsyncGenerator[StreamDelta | LLMResponse], items)
    held, answer, thought = "", "", ""
    async with aclosing(stream):
        async for item in stream:
            if isinstance(item, LLMResponse):
                if held:
                    yield StreamDelta(held)
                yield cut_answer(item, stops)
                return
            thought += item.reasoning
            text = held + item.text
            if not item.text:
                yield item
                continue
            if match := find_stop(text, stops):
                text, answer = text[: match[0]], answer + text[: match[0]]
                yield replace(item, text=text, calls=())
                yield _end_here(answer, thought, match[1], model)
                return
            size = len(text) - count_held(text, stops)
            answer, held = answer + text[:size], text[size:]
            yield replace(item, text=text[:size])


def _end_here(answer: str, thought: str, stop: str, model: str) -> LLMResponse:
    thoughts: list[MessagePart] = [{"type": "reasoning", "text": thought}] if thought else []
    parts: list[MessagePart] = [*thoughts, {"type": "text", "text": answer}]
    message: Message = {"role": "assistant", "parts": parts}
    note = f"the answer was ended before {stop!r}; the rest was not read"
    return LLMResponse(message, "stop_sequence", _UNSTATED, model, stop, notes=(note,))
