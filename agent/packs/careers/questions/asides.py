"""A request beside which something else is said: "which jobs pay over 75k, rent just went up"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from ....intents.lexicon import Lexicon
from ....intents.tokens import split_tokens
from .clauses import Clause
from .cutting import Cutter
from .phrasebook import Phrasebook
from .said import ASKING

MAX_PARTS: Final = 6
_PARTED: Final = re.compile(
    r"(?<=[?!.…])\s+|[,;:]\s+|\s+[-–—]+\s+|\.{2,}\s*|…\s*|\s*[:;]-?[)(DP]\s+"
)
_BUT: Final = re.compile(r"(?:but|aber|mais|pero)\s+", re.I)  # "sorry, but …"
_ASKING: Final = ASKING | {"count", "often"}
_SKIPPED: Final = frozenset({"skip"})


def list_requests(text: str, lexicon: Lexicon, book: Phrasebook) -> Iterator[str]:
    """What is left of the text without asides, if there are any; the longest first.

    What an aside is, `Clause` says. Behind what is only called by its name ("all my jobs, it wears
    me out") it has to tell that somebody asks.
    """
    parts = _split(text, book)
    if len(parts) > MAX_PARTS:
        return

    @cache
    def make_clause(i: int, leads: bool, follows: bool) -> Clause:
        return Clause(text[slice(*parts[i])], lexicon, book, leads=leads, follows=follows)

    last = len(parts) - 1
    for first, end in sorted(combinations_with_replacement(range(last + 1), 2), key=_get_length):
        if end - first == last:
            continue
        request = text[parts[first][0] : parts[end][1]]
        is_question = end < last and "?" in text[parts[end][1] - 1 : parts[end + 1][0]]
        before = [make_clause(i, leads=True, follows=False) for i in range(first)]
        after = [make_clause(i, leads=False, follows=is_question) for i in range(end + 1, last + 1)]
        asides = [clause.read() for clause in (*before, *after)]
        if None in asides or (
            _depends(request, book)
            and any(clause.is_own and not clause.is_asking for clause in before)
        ):
            continue
        if first and (but := _BUT.match(request)):
            request = request[but.end() :]
        if any(asides) or (before and not after) or _asks(request, lexicon, book):
            yield request


def _split(text: str, book: Phrasebook) -> list[tuple[int, int]]:
    """Where the parts of the text begin and end."""
    marks = [*_PARTED.finditer(text)]
    if book.connecting and (joint := book.connecting.search(text)):
        marks = sorted([joint, *(m for m in marks if not _overlap(m, joint))], key=_get_start)
    starts = [0, *(mark.end() for mark in marks)]
    return list(zip(starts, [*(mark.start() for mark in marks), len(text)], strict=True))


def _depends(request: str, book: Phrasebook) -> bool:
    """Whether its verb ends it: "(ich weiß,) wie viele Stellen ich habe"."""
    words = book.language.split(request.rstrip(" .!"))
    return words[-1:] != () and words[-1] in book.beside.last_verbs


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    return one.start() < other.end() and other.start() < one.end()


def _get_length(run: tuple[int, int]) -> int:
    """The longest first."""
    return run[0] - run[1]


def _get_start(mark: re.Match[str]) -> int:
    return mark.start()


def _asks(text: str, lexicon: Lexicon, book: Phrasebook) -> bool:
    """Whether it begins with what asks, or has a word that nothing but a question has."""
    tokens = split_tokens(text, book.language) or []
    cutter = Cutter(text, tokens, lexicon, book)
    has_plea = not book.beside.pleas.isdisjoint(token.folded for token in tokens)
    if has_plea or any("asks" in cutter.list_tags(i) for i in range(len(tokens))):
        return True
    i = 0
    while i < len(tokens):
        phrase = cutter.find_phrase(i)
        if phrase is None or not phrase.tags <= _SKIPPED:
            return phrase is not None and bool(phrase.tags & _ASKING or text.endswith("?"))
        i = phrase.end
    return False
