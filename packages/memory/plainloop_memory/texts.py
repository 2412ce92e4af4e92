"""What a memory's text is: one line."""

from __future__ import annotations

from plainloop.agent.base.text import clean_text


def fit_text(text: str) -> str:
    """The text as one line, without letters that cannot be seen.

    >>> fit_text("  likes\\ntea\\x1b[0m ")
    'likes tea[0m'
    """
    words = " ".join(clean_text(text).split())
    return "".join(char for char in words if char.isprintable())
