"""Words of a text, brought to one form, so that two texts can be compared."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from plainloop.agent.base.caching.functions import cached_if_short
from plainloop.agent.base.text.cleaning import fold
from plainloop.agent.base.toml_files import load_toml

_WORD: Final = re.compile(r"[^\W_]+(?:[+#]+|(?:\.[^\W_]+)+)?")
_VOCABULARY: Final = load_toml(Path(__file__).with_name("vocabulary.toml"))
STOP_WORDS: Final = frozenset(_VOCABULARY["stop_words"].split())
NO_NAMES: Final = frozenset(_VOCABULARY["no_names"].split())
# Words of replies that are no answer, by what they do there.
REPLY_WORDS: Final = {
    name: frozenset(words.split()) for name, words in _VOCABULARY["replies"].items()
}
FIRST_WORDS: Final = {
    name: re.compile(rf"(?:{said})\b") for name, said in _VOCABULARY["first"].items()
}
_ENDINGS: Final = (
    *(("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("ings", ""), ("ing", "")),
    *(("ied", "y"), ("ers", ""), ("ed", ""), ("es", ""), ("er", ""), ("s", "")),
)


def list_words(text: str) -> list[str]:
    """List a text's words in order, in normalized form.

    "Node.js" and "C++" stay whole.
    """
    return _WORD.findall(fold(text))


@cached_if_short(max_entries=4096)
def stem(word: str) -> str:
    """Return a crude stem, equal for a word's usual inflections.

    >>> stem("applied") == stem("applies")
    True
    """
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(replacement) >= 3:
            word = word[: -len(ending)] + replacement
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]  # "dropping" → "drop"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def list_concepts(text: str) -> set[str]:
    """Return the stems of a text's words and the concepts to which they belong.

    Stop words are left out.
    """
    stems = {stem(word) for word in list_words(text) if word not in STOP_WORDS}
    return stems | {name for name, words in _CONCEPTS.items() if words & stems}


_CONCEPTS: Final = {
    stem(name): {stem(word) for word in words.split()}
    for name, words in _VOCABULARY["concepts"].items()
}
