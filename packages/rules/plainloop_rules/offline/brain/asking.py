"""Questions one at a time: what the last one was about, and whether anybody answered it."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.base.text.gibberish import is_gibberish

from .words import REPLY_WORDS, list_words

_DENIED_WITHIN: Final = 4  # words between a denial and what it denies
# A stage direction instead of words of the user: the agent is to speak first.
_ASIDE: Final = re.compile(r"\s*(?:\(The user\b.*\)\s*)?\Z", re.S)


def is_aside(text: str) -> bool:
    """Return whether a reply is empty or only a remark, such as "(The user waits.)".

    >>> is_aside(" "), is_aside("(The user waits.)"), is_aside("(none)")
    (True, True, False)
    """
    return _ASIDE.match(text) is not None


def is_no_answer(text: str) -> bool:
    """Return whether a reply answers nothing: a question, "I don't know", or no real word.

    >>> [is_no_answer(text) for text in ("I don't know yet", "?", "asdf", "New York")]
    [True, True, True, False]
    """
    words = list_words(text)
    if re.fullmatch(r"\s*[\"“].+[\"”]\s*", text, re.S):
        return False
    if text.rstrip(" .!").endswith("?") or REPLY_WORDS["empty"].issuperset(words):
        return True
    if is_gibberish(text):
        return True
    denied = [n for n, word in enumerate(words) if word in REPLY_WORDS["denying"]]
    known = [n for n, word in enumerate(words) if word in REPLY_WORDS["knowing"]]
    return any(abs(there - n) <= _DENIED_WITHIN for n in denied for there in known)


def is_refusal(text: str) -> bool:
    """Return whether a user refuses to answer: "skip", "none of your business".

    >>> is_refusal("I'd rather not say"), is_refusal("next month"), is_refusal("not sure")
    (True, False, False)
    """
    words = set(list_words(text))
    return words <= REPLY_WORDS["empty"] and not words.isdisjoint(REPLY_WORDS["refusing"])


def find_asked(answer: str, names: list[str]) -> str:
    """Return which of these names an answer asks for: the last that it mentions.

    "" if it mentions none.
    """
    question = " ".join(list_words(answer))
    places = {name: question.rfind(" ".join(list_words(name.replace("_", " ")))) for name in names}
    found = [name for name in names if places[name] >= 0]
    return max(found, key=lambda name: places[name]) if found else ""
