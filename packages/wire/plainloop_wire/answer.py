"""A brain's answer, made ready for any wire: limits applied, tokens counted, pieces cut."""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final, Literal

import orjson

from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.types import ChatRequest, LLMResponse, Stop

from .prompt_cache import PromptTokens

_ALPHABET: Final = string.digits + string.ascii_letters
_WORDS_PER_PIECE: Final = (1, 3, 2, 4)
_CHARS_PER_JSON_PIECE: Final = (9, 14, 5, 21)
_LONGEST_WORD: Final = 24  # scripts without spaces still arrive in pieces
_WORD: Final = re.compile(rf"\s*\S{{1,{_LONGEST_WORD}}}|\s+")


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A block of the answer: text, reasoning or a tool call, which has its arguments as JSON."""

    kind: Literal["text", "reasoning", "tool_call"]
    text: str
    name: str = ""
    id: str = ""  # a seed: each dialect makes its own kind of id from it
    is_cut: bool = False  # the token limit fell inside it


@dataclass(frozen=True, slots=True)
class Counts:
    """Token counts of an exchange; `output` excludes reasoning."""

    prompt: PromptTokens
    output: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer before it is encoded in a provider's format."""

    seed: str  # hash of the request; ids are made from it
    model: str
    parts: tuple[AnswerPart, ...]
    stop: Stop
    counts: Counts
    created_s: int
    stop_sequence: str | None = None
    refusal: str | None = None
    include_usage: bool = True
    shows_reasoning: bool = False
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])  # the call's

    @property
    def visible(self) -> tuple[AnswerPart, ...]:
        """Return the answer's parts that the client gets.

        Reasoning is one of them only if the client asked for it.
        """
        return tuple(
            part for part in self.parts if part.kind != "reasoning" or self.shows_reasoning
        )

    def join(self, kind: Literal["text", "reasoning"]) -> str:
        """Join the texts of all visible parts of this kind."""
        return "".join(part.text for part in self.visible if part.kind == kind)


def build_parts(
    request: ChatRequest, response: LLMResponse, forced_tool: str | None, seed: str
) -> tuple[AnswerPart, ...]:
    """Convert the brain's response to the parts of an answer.

    Empty parts are dropped. The JSON text for a forced tool becomes a call.
    """
    parts: list[AnswerPart] = []
    for part in response.message["parts"]:
        if part["type"] == "tool_call":
            index = len(parts)
            raw = part.get("invalid_arguments")
            text = dump_json(part["arguments"]) if raw is None else raw
            parts.append(AnswerPart("tool_call", text, part["name"], f"{seed}:{index}"))
        elif part["type"] == "tool_result" or part["type"] == "file" or not part["text"]:
            continue
        elif part["type"] == "text" and forced_tool:
            tool_id = f"{seed}:{len(parts)}"
            parts.append(AnswerPart("tool_call", part["text"], forced_tool, tool_id))
        else:
            parts.append(AnswerPart(part["type"], part["text"]))
    if not request.parallel_tool_calls:
        calls = [part for part in parts if part.kind == "tool_call"]
        parts = [part for part in parts if part.kind != "tool_call" or part is calls[0]]
    return tuple(parts)


def limit_parts(
    parts: Sequence[AnswerPart], stop: Stop, max_tokens: int, stop_sequences: Sequence[str]
) -> tuple[tuple[AnswerPart, ...], Stop, str | None]:
    """Cut an answer at the token limit or at the first stop sequence.

    Returns (parts, reason for the stop, stop sequence or None).
    """
    kept: list[AnswerPart] = []
    left = max_tokens
    for part in parts:
        ended_by = None
        if part.kind == "text":  # by the stop sequence that comes first in it
            found = [stop for stop in stop_sequences if stop and stop in part.text]
            ended_by = min(found, key=part.text.index, default=None)
        if ended_by is not None:
            part = replace(part, text=part.text[: part.text.index(ended_by)])
        tokens = count_part(part)
        if tokens > left:
            cut = part.text[: len(part.text) * left // tokens]
            return (*kept, replace(part, text=cut, is_cut=True)), "length", None
        kept.append(part)
        left -= tokens
        if ended_by is not None:
            return tuple(item for item in kept if item.text), "stop_sequence", ended_by
    has_call = any(part.kind == "tool_call" for part in kept)
    return tuple(kept), "tool_use" if has_call and stop == "end" else stop, None


def count_part(part: AnswerPart) -> int:
    return estimate_tokens(part.text) + estimate_tokens(part.name)


def count_parts(parts: Iterable[AnswerPart], prompt: PromptTokens) -> Counts:
    """Count an answer's tokens, and add the counts of its prompt.

    Reasoning is counted separately.
    """
    spoken = thought = 0
    for part in parts:
        if part.kind == "reasoning":
            thought += count_part(part)
        else:
            spoken += count_part(part)
    return Counts(prompt, spoken, thought)


def split_text(text: str) -> Iterator[str]:
    """Yield a text in pieces of a few words, as a provider streams it.

    >>> list(split_text("one two three four five"))
    ['one', ' two three four', ' five']
    """
    sizes = cycle(_WORDS_PER_PIECE)
    piece, left = "", next(sizes)
    for match in _WORD.finditer(text):
        piece += match.group()
        left -= 1
        if left == 0:
            yield piece
            piece, left = "", next(sizes)
    if piece:
        yield piece


def split_json(text: str) -> Iterator[str]:
    """Yield JSON text in pieces, cut anywhere, as a provider streams it.

    >>> list(split_json('{"city":"Oslo"}'))
    ['{"city":"', 'Oslo"}']
    """
    position = 0
    for size in cycle(_CHARS_PER_JSON_PIECE):
        if position >= len(text):
            return
        yield text[position : position + size]
        position += size


def make_id(prefix: str, seed: str, length: int) -> str:
    """Make an id in a provider's format.

    The same seed makes the same id.
    """
    number = int.from_bytes(hashlib.sha512(seed.encode()).digest(), "big")
    letters: list[str] = []
    for _ in range(length):
        number, index = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[index])
    return prefix + "".join(letters)


def dump_json(value: Any) -> str:
    return orjson.dumps(value).decode()
