"""Why a file is not read, and the checks that every format shares. Runs in the child."""

from __future__ import annotations

import re
from typing import Any, Final

MAX_TEXT_CHARS: Final = 400_000
LEAST_LETTERS: Final = 16  # fewer in a whole file: it holds pictures of text
_LIGATURES: Final = {
    ord(key): value
    for key, value in (("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"), ("ﬄ", "ffl"))
} | {0xAD: ""}  # and soft hyphens


class Refusal(Exception):
    """Leaves a reader with one of the words in `files.REASONS`."""


def to_result(text: str, pages: int) -> dict[str, Any]:
    """The text with its line ends and ligatures made plain. pages: 0 where there are none.

    Raises: Refusal `too_large`, `no_text`.
    """
    if len(text) > MAX_TEXT_CHARS:
        raise Refusal("too_large")
    text = text.translate(_LIGATURES)
    if sum(character.isalnum() for character in text) < LEAST_LETTERS:
        raise Refusal("no_text")
    text = re.sub(r"[ \t]+\n", "\n", text)
    return {"text": re.sub(r"\n{3,}", "\n\n", text).strip(), "pages": pages}
