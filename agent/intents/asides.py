"""What is said beside a request and is none: why it is asked, how one feels about it."""

from __future__ import annotations

import re
from typing import Final

from .phrasebook import Phrasebook

MAX_WORDS: Final = 10
_BREAK: Final = re.compile(r"\s*[,;:.!?…]+\s+|\s+[–—-]\s+")


def drop_asides(text: str, book: Phrasebook) -> str:
    """The text without the clauses at its start and its end that the book knows as asides.

    "My mother keeps asking, how many jobs have I saved?" asks for no more than its second clause.
    """
    breaks = [(0, 0), *(found.span() for found in _BREAK.finditer(text)), (len(text), len(text))]
    clauses = [(end, start) for (_, end), (start, _) in zip(breaks, breaks[1:], strict=False)]
    kept = list(clauses)
    while len(kept) > 1 and _is_aside(text[slice(*kept[0])], book):
        del kept[0]
    while len(kept) > 1 and _is_aside(text[slice(*kept[-1])], book):
        del kept[-1]
    if len(kept) == len(clauses):
        return text
    mark = "?" if "?" in text[kept[-1][1] :] else ""
    return text[kept[0][0] : kept[-1][1]] + mark


def _is_aside(clause: str, book: Phrasebook) -> bool:
    """Whether it begins like one and tells nothing of rows: no name, no status, no other wish."""
    words = book.language.split(re.sub(r"[()¡¿!?.]", " ", book.part(clause)))
    lengths = [n for n in range(1, len(words) + 1) if words[:n] in book.folded_asides]
    if not lengths or len(words) > MAX_WORDS:
        return False
    head, rest = words[: lengths[-1]], words[lengths[-1] :]
    capitals = {word for word in clause.split()[1:] if word[:1].isupper()}
    has_name = not set(map(book.language.fold, capitals)) <= set(head)
    return not has_name and book.weighty.isdisjoint(rest)
