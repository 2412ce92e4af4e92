"""Degrees, certificates and honours: the level, the subject and the school."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...files import Patterns
from .facts import Fact, Material
from .view import Finding, View, list_content, make_finding, take_name
from .words import join_words, load_words, split_words, to_stem

_SAID: Final = Patterns(__file__)
# Levels that must be in the schooling; a "Scrum Master" has no master's degree.
_LEVELS: Final[dict[str, str]] = _SAID["levels"]
_HONOURS: Final[dict[str, str]] = _SAID["honours"]
_AREA: Final = _SAID.compile("area")
_STUDIES: Final = _SAID.compile("studies")
_WON: Final = to_stem("prize")
_DEGREE_WORDS: Final = frozenset(_SAID["degree_words"])
_SCHOOL: Final = _SAID.compile("school")
_NO_STUDIES: Final = ("resume.skills", "resume.work", "resume.interests", "resume.basics.label")
_IS_SCHOOL: Final = frozenset(
    to_stem(word)
    for word in ("degree", "university", "college", "school", "institute", "academy", "studied")
)


def check_degrees(view: View, material: Material) -> Iterator[Finding]:
    """Check that the candidate has each degree, honour, subject and school a sentence claims."""
    for level, pattern in (*_LEVELS.items(), *_HONOURS.items()):
        match = re.search(rf"(?<!\w)(?:{pattern})", view.text, 0 if level == "mba" else re.I)
        if match is not None and view.get_stance(match.start()) != "other":
            known = _find_title(rf"(?<!\w)(?:{pattern})", material, is_degree=level in _LEVELS)
            if level == "prize" and known is None:  # "award" and "won" say the same
                known = next((f for f in material.own if _WON in f.stems), None)
            if level == "certificate" and known is not None:  # the one that the words around name
                near = view.get_stems(match.start(), match.end(), around=4)
                held = [f for f in material.own if re.search(pattern, _read(f), re.IGNORECASE)]
                known = max(held, key=lambda f: len(near & f.stems), default=known)
            yield make_finding(match[0].strip(), known)
    for match in _AREA.finditer(view.text):
        if view.get_stance(match.start()) != "other":
            is_degree = _STUDIES.match(match[0]) is None
            yield from _check_area(match["area"], material, is_degree=is_degree)
    for match in _SCHOOL.finditer(view.text):
        yield from _check_school(view, match.end(), material)


def _find_title(pattern: str, material: Material, *, is_degree: bool) -> Fact | None:
    """Return a résumé fact with this degree or certificate, or in such a section; else None."""
    found = [fact for fact in material.own if re.search(pattern, _read(fact), re.I)]
    if is_degree:
        found = [fact for fact in found if "education" in fact.path or fact.stems & _IS_SCHOOL]
    return next(iter(found), None)


def _read(fact: Fact) -> str:
    return f"{fact.path.removeprefix('resume.')} {fact.text}"


def _check_area(area: str, material: Material, *, is_degree: bool) -> Iterator[Finding]:
    """Check that all meaningful words of a subject stand in one entry, or in an entry's name.

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


def _check_school(view: View, start: int, material: Material) -> Iterator[Finding]:
    """Check that the school named after "graduated from" is an education in the résumé."""
    name = take_name(view, start)
    words = list_content(name)
    facts = [fact for fact in material.own if words and words <= fact.words]
    if facts and not any("education" in fact.path or fact.stems & _IS_SCHOOL for fact in facts):
        claim = view.quote(name)
        yield Finding(claim, problem=f"The résumé has no studies at “{claim}”.")
