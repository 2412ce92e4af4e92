"""Questions one at a time: what the last one was about, and whether anybody answered it."""

from __future__ import annotations

import re
from typing import Final

from .words import list_words

# A stage direction instead of words of the user: the agent is to speak first.
_ASIDE: Final = re.compile(r"\s*(?:\(The user\b.*\)\s*)?\Z", re.S)


def is_aside(text: str) -> bool:
    """Whether nobody said anything: no text, or a remark about the talk.

    >>> is_aside(" "), is_aside("(The user waits.)"), is_aside("(none)")
    (True, True, False)
    """
    return _ASIDE.match(text) is not None


def find_asked(answer: str, names: list[str]) -> str:
    """The name that the last question was about: the one named last in it; "" for none."""
    question = " ".join(list_words(answer))
    places = {name: question.rfind(" ".join(list_words(name.replace("_", " ")))) for name in names}
    found = [name for name in names if places[name] >= 0]
    return max(found, key=lambda name: places[name]) if found else ""
