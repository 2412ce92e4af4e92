"""Recognises typed text without meaning: "asdf", "???", "xxx"."""

from __future__ import annotations

import re
from typing import Final

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop")
_RUNS: Final = "|".join((*_ROWS, *(row[::-1] for row in _ROWS)))
_READ_CHARS: Final = 200  # nobody types more of it
_MIN_LETTERS: Final = 3  # "as" and "we" are words


def is_gibberish(text: str) -> bool:
    """Whether a text contains no words: only signs, neighbouring keys, or one letter repeated.

    >>> [is_gibberish(text) for text in ("asdf", "asdfasdf qwe", "?!", "xxx", "XXL", "a job", "")]
    [True, True, True, True, False, False, False]
    """
    text = text.strip().casefold()
    if not text or len(text) > _READ_CHARS:
        return False
    words = re.findall(r"\w+", text)
    return all(_is_run(word) or len(set(word)) == 1 < _MIN_LETTERS <= len(word) for word in words)


def _is_run(word: str) -> bool:
    """Whether the word is keys side by side, perhaps several times: "asdf", "qweqwe"."""
    for size in range(_MIN_LETTERS, len(word) + 1):
        if len(word) % size == 0 and word == word[:size] * (len(word) // size):
            return word[:size] in _RUNS
    return False
