"""Recognises by its wording that a request does not fit a model, and reads the stated numbers.

The wordings are data: wordings.toml. Errors are short: only the first characters are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from ...base.text.patterns import compile_lazily
from ...base.toml_files import load_toml
from ...dataclasses import dataclass

MAX_CHARS: Final = 4_000
TOO_MANY_REQUESTS: Final = 429
_DATA: Final = load_toml(Path(__file__).with_name("wordings.toml"))


def _join(patterns: Iterable[str]) -> re.Pattern[str]:
    return compile_lazily("|".join(patterns), re.IGNORECASE | re.DOTALL)


def _list(kind: str) -> list[re.Pattern[str]]:
    return [_join([pattern]) for pattern in _DATA["numbers"][kind]]


_OVERFLOW: Final = _join(form["says"] for form in _DATA["overflow"])
_ANSWER: Final = _join(form["says"] for form in _DATA["answer"])
_OTHER: Final = _join(_DATA["not_overflow"])
_NEVER_FITS: Final = _join([_DATA["never_fits"]])
_SUM: Final = _join([_DATA["sum"]])
_NUMBERS: Final = {kind: _list(kind) for kind in _DATA["numbers"]}


@dataclass(frozen=True, slots=True)
class StatedRoom:
    """The token counts that a refusal states; None: not stated.

    window: prompt and answer together. total: what the request asked for. max_answer: the
    longest answer that the model gives, whatever the prompt.
    """

    window: int | None = None
    prompt: int | None = None
    total: int | None = None
    answer: int | None = None
    max_answer: int | None = None

    def leave(self, requested: int) -> int | None:
        """Return how many answer tokens fit, by the numbers in the refusal; None if unknown.

        requested: for the answer, where that is not stated.

        >>> StatedRoom(window=8192, prompt=904).leave(8096)
        7288
        >>> StatedRoom(window=8192, total=9000, answer=8096).leave(4000)
        7288
        """
        if self.window is None or (self.prompt is None and self.total is None):
            return None
        prompt = self.prompt if self.total is None else self.total - (self.answer or requested)
        return self.window - max(prompt or 0, self.prompt or 0)


def judge_fit(
    text: str, status: int | None, codes: str = ""
) -> Literal["context", "answer"] | None:
    """Classify a refusal: prompt too long ("context"), answer too large ("answer"), or other.

    None: it says something else, or that a rate or a quota is used up.
    codes: error codes and types, which may tell of an overflow; gateways give rates' codes to all.
    >>> judge_fit("prompt is too long: 210000 tokens > 200000 maximum", 400)
    'context'
    >>> judge_fit("Rate limit reached on tokens per minute (TPM): Limit 6000, Used 5900", 429)
    """
    text = text[:MAX_CHARS]
    # Before the status 429: "Request too large … Limit 6000, Requested 9000" never passes, however
    # long one waits (test_sixty_reported_overflow_texts_are_recognised).
    if _find_rate(text) is not None:
        return "context"
    if status == TOO_MANY_REQUESTS or _OTHER.search(text):
        return None
    if _ANSWER.search(text):
        return "context" if _SUM.search(text) or _states_prompt(text) else "answer"
    return "context" if _OVERFLOW.search(f"{text}\n{codes}") else None


def read_room(text: str, kind: Literal["context", "answer"]) -> StatedRoom:
    """Parse the token limits and counts in a refusal's text.

    >>> read_room("maximum context length is 8192 tokens. However, you requested 9000 tokens",
    ...     "context")
    StatedRoom(window=8192, prompt=None, total=9000, answer=None, max_answer=None)
    """
    text = text[:MAX_CHARS]
    if (rate := _find_rate(text)) is not None:
        return StatedRoom(window=rate[0], total=rate[1])
    if kind == "answer":
        beyond, window = _find("most_exclusive", text), _find("window", text)
        max_answer = _find("most", text) if window is None else None
        return StatedRoom(window, max_answer=max_answer if beyond is None else beyond - 1)
    parts = [count for number in _find_all("prompt", text) if (count := to_count(number))]
    prompt = sum(parts) or _find("prompt_otherwise", text)
    window = _find("window", text) or _find("window_otherwise", text)
    return StatedRoom(window, prompt, _find("total", text), _find("answer", text))


def to_count(written: str) -> int | None:
    """Parse a token count such as "128k"; None for other text and for zero.

    >>> to_count("1,048,576"), to_count("128k"), to_count(","), to_count("0")
    (1048576, 128000, None, None)
    """
    digits = written.lower().replace(",", "").removesuffix("k")
    if not digits.isdecimal():
        return None
    return int(digits) * (1000 if written.lower().endswith("k") else 1) or None


def _find_rate(text: str) -> tuple[int, int] | None:
    """Return (limit a minute, requested size) if the request can never fit the limit, else None."""
    match = _NEVER_FITS.search(text)
    limit, requested = (to_count(match[1]), to_count(match[2])) if match else (None, None)
    return (limit, requested) if limit and requested and requested > limit else None


def _states_prompt(text: str) -> bool:
    """Whether a window and a prompt are stated too: then the two together are too long."""
    return _find("window", text) is not None and _find("prompt_otherwise", text) is not None


def _find_all(kind: str, text: str) -> list[str]:
    return [match[1] for pattern in _NUMBERS[kind] for match in pattern.finditer(text)]


def _find(kind: str, text: str) -> int | None:
    for pattern in _NUMBERS[kind]:
        if (match := pattern.search(text)) is not None and (count := to_count(match[1])):
            return count
    return None
