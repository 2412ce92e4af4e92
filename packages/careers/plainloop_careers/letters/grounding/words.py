"""Words made comparable: case, accents, plurals, endings, spelling variants and near synonyms."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from plainloop.agent.base.caching.functions import cached_if_short
from plainloop.agent.base.text.cleaning import fold

_VOCABULARY: Final = Path(__file__).parent / "vocabulary"
# Letters and digits, with the signs that belong to a name: C++, C#. Dots and hyphens part words;
# `join_words` brings "Node.js", "NodeJS" and "node js" together again.
WORD: Final = re.compile(r"[^\W_]+(?:['’](?:s|S|t|T|re|ve|ll|d|m)\b)?(?:\+\+|#(?!\w))?")
MOST_JOINED: Final = 5


@cache
def load_words(name: str) -> frozenset[str]:
    """Load the words of the file `vocabulary/<name>.txt`."""
    return frozenset(word for line in _read_lines(name) for word in line.split())


@cache
def load_phrases(name: str) -> frozenset[str]:
    """Load the phrases of `vocabulary/<name>.txt`, each as one word without spaces."""
    phrases = (phrase for line in _read_lines(name) for phrase in line.split(","))
    return frozenset("".join(split_words(phrase)) for phrase in phrases if phrase.strip())


@cache
def load_countries() -> dict[str, str]:
    """Load the countries' names by ISO code."""
    pairs = (line.partition(" ") for line in _read_lines("countries"))
    return {code: name for code, _, name in pairs}


@cache
def _load_groups(name: str) -> dict[str, str]:
    """Load a file of equivalent words: each word of a line, with the line's first word."""
    groups = [line.split() for line in _read_lines(name)]
    return {word: group[0] for group in groups for word in group}


def _read_lines(name: str) -> list[str]:
    """Read the lines of `vocabulary/<name>.txt`, without empty ones and comments (`# …`)."""
    lines = (_VOCABULARY / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("# ")]


def split_words(text: str) -> list[str]:
    """Split a text into words in a normal form: lower case, singular, without accents.

    >>> split_words("Microsoft's APIs, Node.js and C++")
    ['microsoft', 'api', 'node', 'js', 'and', 'c++']
    """
    return [to_singular(strip_possessive(fold(match[0]))) for match in WORD.finditer(text)]


def strip_possessive(word: str) -> str:
    """Remove a word's possessive ending, so that "Acme's" becomes "Acme"."""
    return re.sub(r"['’].*$", "", word)


def to_singular(word: str) -> str:
    """Remove a word's plural ending, unless the word is short or an acronym.

    >>> [to_singular(word) for word in ("companies", "classes", "skills", "business", "aws")]
    ['company', 'class', 'skill', 'business', 'aws']
    """
    if len(word) < 4 or word.endswith(("ss", "us", "sis", "xis")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def join_words(words: list[str] | tuple[str, ...]) -> str:
    """Join a name's words to a key that is the same for all usual spellings.

    >>> join_words(["node", "js"]) == join_words(["nodejs"])
    True
    """
    joined = "".join(words)
    return _load_groups("spellings").get(joined, joined)


def build_grams(words: list[str]) -> frozenset[str]:
    """Build the keys of all sequences of up to five words, to look up names in."""
    return frozenset(
        join_words(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + MOST_JOINED) + 1)
    )


@cached_if_short(max_entries=8192)
def to_stem(word: str) -> str:
    """Reduce a word to a stem that its other forms and near synonyms share.

    >>> to_stem("developed") == to_stem("developing") == to_stem("develop")
    True
    """
    word = to_singular(word)
    groups = _load_groups("synonyms")
    return groups.get(word) or groups.get(_cut_ending(word)) or _cut_ending(word)


def _cut_ending(word: str) -> str:
    for ending in ("isation", "ization", "ations", "ation", "ising", "izing", "ised", "ized"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    for ending in ("ments", "ment", "ing", "ion", "ers", "er", "ors", "or", "ed", "ise", "ize"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            # `plann` → `plan`, `optimiz` stays.
            is_doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl"
            return word[:-1] if is_doubled else word
    return word[:-1] if word.endswith(("e", "y")) and len(word) > 4 else word
