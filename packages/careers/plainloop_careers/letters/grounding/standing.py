"""Where the candidate lives, and what the candidate was the first, the best or the only one of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .facts import Material
from .view import Finding, View, list_content, make_finding, take_name
from .words import to_stem

_LIVES: Final = re.compile(
    r"\b(?:I(?:\s+\w+ly)?\s+(?:live|reside|grew up|was born|was raised)"
    r"|(?:I am|I['’]m)\s+(?:\w+ly\s+)?(?:based|located|living|resident)"
    r"|(?:I am|I['’]m|I come|I hail)\s+(?:\w+ly\s+)?(?=from\s+[A-Z])"
    r"|my home\s+is)\s+(?:in|near|from|at|close to)?\s*(?=[A-Z])"
)
_WISH: Final = re.compile(
    r"\b(?:open to|mov(?:e|ing)|relocat\w+|wants?|wish\w*|prefers?|would|looks? for|looking for)\b",
    re.I,
)
# "the first to admit" and "the best candidate" are turns of speech and opinions.
_RANKED: Final = re.compile(
    r"\bI\s+(?:was|am|became|joined as|served as|have been)\s+(?:also\s+)?(?:among\s+|one of\s+)?"
    r"(?:the|its|their|our|Europe['’]s|the world['’]s)\s+(?:very\s+)?"
    r"(?P<rank>first|only|sole|youngest|founding|fastest|best|top|highest|most \w+|number one)\b"
    r"(?!\s+(?:to (?:admit|say|agree)|(?:candidate|fit|match|choice|person|one) (?:for|to)\b"
    r"|one of my\b))",
    re.I,
)


def check_standing(view: View, material: Material) -> Iterator[Finding]:
    """Places to live must be the candidate's own, not the posting's; ranks must be stated."""
    for match in _LIVES.finditer(view.text):
        yield from _check_place(view, match.end(), material)
    for match in _RANKED.finditer(view.text):
        stem = to_stem(match["rank"].split()[-1].casefold())
        known = next((fact for fact in material.own if stem in fact.stems), None)
        known = known or next(
            (fact for fact in material.own if match["rank"].casefold() in fact.words), None
        )
        yield make_finding(match["rank"], known)


def _check_place(view: View, start: int, material: Material) -> Iterator[Finding]:
    name = take_name(view, start)
    words = list_content(name)
    if not words:
        return
    facts = [fact for fact in material.own if words & fact.words and not _WISH.search(fact.text)]
    known = next(iter(facts), None)
    yield make_finding(view.quote(name), known)
