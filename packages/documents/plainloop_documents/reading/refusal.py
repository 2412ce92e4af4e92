"""Why a file is not read, and what every format's text has in common. Runs in the child."""

from __future__ import annotations

import re
from typing import Final

MAX_TEXT_CHARS: Final = 400_000
LEAST_LETTERS: Final = 16  # fewer in a whole file: it holds pictures of text
_LIGATURES: Final = {
    ord(key): value
    for key, value in (("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"), ("ﬄ", "ffl"))
} | {0xAD: ""}  # and soft hyphens


class Refusal(Exception):
    """Ends a child's job because its file cannot be read; the child returns `{"error": code}`."""


def to_plain(text: str) -> str:
    """Normalise a document's text: plain line ends, no ligatures, at most one empty line.

    Raises: Refusal `too_large`.
    """
    if len(text) > MAX_TEXT_CHARS:
        raise Refusal("too_large")
    text = text.translate(_LIGATURES).replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"(?<![ \t])[ \t]+\n", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def has_text(text: str) -> bool:
    """Return whether a document has enough letters, so that it is no scanned picture."""
    return sum(character.isalnum() for character in text) >= LEAST_LETTERS
