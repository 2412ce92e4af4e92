"""Degrees, certificates and honours: the level and the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .facts import Material
from .view import Finding, View, make_finding
from .words import join_words, load_words, split_words, to_stem

# Degrees by their level, then what else is awarded.
_TITLES: Final = tuple(
    re.compile(rf"(?<!\w)(?:{said})", re.I)
    for said in (
        r"bachelor(?:['’]?s)?|b\.?\s?sc\b\.?|b\.a\.|BA\b|BS\b|b\.?\s?eng\b\.?"
        r"|undergraduate degree",
        r"master['’]s|masters? (?:degree|of|in)|m\.?\s?sc\b\.?|m\.a\.|MA\b|MS in"
        r"|m\.?\s?eng\b\.?",
        r"ph\.?\s?d\b\.?|doctorate|doctoral degree|doctor of|dr\. rer\.",
        r"MBA\b",
        r"associate(?:['’]s)? degree|associate of",
        r"diploma",
        r"certificat(?:e|ion)s?\b|certified|accredited|licen[sc]ed?\b|chartered",
        r"cum laude|with (?:distinction|hono(?:u)?rs)|valedictorian|dean['’]s list|first-class",
        r"scholarship|fellowship",
        r"patents?\b|patented",
        r"promoted|promotion",
    )
)
_AREA: Final = re.compile(
    r"\b(?:(?:degree|bachelor(?:['’]?s)?|master(?:['’]?s)?|ph\.?d\.?|doctorate|diploma|b\.?sc\.?"
    r"|m\.?sc\.?|mba|majored|major|minor|minored|graduated|studies|certified|certificate)\s+"
    r"(?:degree\s+)?(?:in|of)\s+(?:science\s+in\s+|arts\s+in\s+)?|(?:studied|studying)\s+)"
    r"(?P<area>(?!(?:in|of|at|from|and|with|the|my|under|to|by|for|as|on|hard|how|i)\b)"
    r"[^\W\d_][\w&'’ -]*?)"
    r"(?=\s+(?:at|from|and|with|by|to|which|that|has|have|gave|was|is|where|while|in|through|i|for"
    r"|prepared|shaped|taught|helped|made|me|my|would|will)\b|[,.;:!?()—–]|$)",
    re.I,
)
_STUDIES: Final = re.compile(
    r"(?:studied|studying|studies|certified|certificate|graduated)\b", re.I
)
_DEGREE_WORDS: Final = frozenset(
    {"bachelor", "master", "degree", "science", "art", "phd", "sc", "diploma", "honor"}
)
_NO_STUDIES: Final = ("resume.skills", "resume.work", "resume.interests", "resume.basics.label")


def check_degrees(view: View, material: Material) -> Iterator[Finding]:
    """Everything of it that a clause about the candidate says."""
    for title in _TITLES:
        match = title.search(view.text)
        if match is not None and view.get_stance(match.start()) != "other":
            # The section's name ("certificates") says it too.
            texts = ((f, f"{f.path.removeprefix('resume.')} {f.text}") for f in material.own)
            known = next((fact for fact, text in texts if title.search(text)), None)
            yield make_finding(match[0].strip(), known)
    for match in _AREA.finditer(view.text):
        if view.get_stance(match.start()) != "other":
            is_degree = _STUDIES.match(match[0]) is None
            yield from _check_area(match["area"], material, is_degree=is_degree)


def _check_area(area: str, material: Material, *, is_degree: bool) -> Iterator[Finding]:
    """All telling words of the subject in one entry, or in the name of one.

    is_degree: the subject of a degree is no mere skill or job of the résumé.
    """
    plain = load_words("plain_words") | load_words("function_words") | _DEGREE_WORDS
    words = [word for word in split_words(area) if word not in plain and len(word) > 1]
    if not words:
        return
    stems = {to_stem(word) for word in words}
    entries: dict[str, set[str]] = {}
    for fact in material.own:
        if is_degree and fact.path.startswith(_NO_STUDIES):
            continue
        entries.setdefault(fact.entry or fact.text, set()).update(fact.stems, fact.words)
    names = {name for entry in material.entries for name in entry.names}
    is_known = any(stems <= known or set(words) <= known for known in entries.values())
    if not is_known and join_words(words) not in names:
        yield make_finding(area.strip(), None)
