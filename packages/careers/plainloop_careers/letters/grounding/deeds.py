"""What a letter says that the candidate has done and can do, where no name or number tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from .facts import Material
from .view import Finding, Token, View, make_finding
from .words import load_words, split_words, to_stem

_SKILL_OF: Final = re.compile(
    r"\b(?:experience[ds]?|expertise|background|proficien\w+|skilled|skills|fluen\w+|versed|trained"
    r"|training|speciali[sz]\w+|knowledge|familiar\w*|command|competen\w+|adept|grounding|hands-on"
    r"|certified|qualified|career|track record|expert)\s+(?:in|with|of|at|on|using|as)\s+"
    r"|\bI (?:also )?(?:speak|play|practise|practice|code in|program in)\s+",
    re.I,
)
_MY_SKILL: Final = re.compile(
    r"\b(?:my|I have|I bring|possess)\s+(?:an?\s+)?(?P<area>(?:[\w'’&/-]+\s+){1,4}?)"
    r"(?:skills?|experience|expertise|background|knowledge|proficiency)\b",
    re.I,
)
_INCLUDED: Final = re.compile(
    r"\bmy (?:[\w-]+\s+){0,3}?(?:experience|background|career|work|skills?|skillset|expertise"
    r"|history)\s+(?:includes?|included|covers?|covered|comprises?|encompass\w*)\s+"
    r"|\bfrom my work there:\s+",
    re.I,
)
_RATE: Final = re.compile(
    r"\b(?:an?|per|each|every) (?:second|minute|hour|day|week|month|quarter|year)$", re.I
)
_OBJECT_END: Final = re.compile(
    r"[.;:!?()—–]|\b(?:that|which|who|where|when|while|because|so|but|to|at|from|for|I|my|is|are"
    r"|was|were|has|have|make[s]?|made|gave|give[s]?|would|will|allow\w*|enable[sd]?|taught"
    r"|prepare[sd]?)\b"
)
_OBJECT_WORDS: Final = 9
_KNOWN_SHARE: Final = 3  # at least one telling word in three must be known


def check_deeds(view: View, material: Material) -> Iterator[Finding]:
    """The main words of each deed and skill must be known."""
    known = frozenset(stem for fact in material.own for stem in fact.stems)
    phrases = [_take_deed(view, match.end()) for match in _find_own(view, _build_deed())]
    for match in _find_own(view, _SKILL_OF):
        phrases += _take_list(view, match.end())
    for match in _MY_SKILL.finditer(view.text):
        first, last = match.span("area")
        phrases.append([token for token in view.tokens if first <= token.start < last])
    for match in _INCLUDED.finditer(view.text):
        items = _take_list(view, match.end())
        phrases += items
        yield from (_make_piece(item, view) for item in items if _is_piece(item, view, material))
    for phrase in phrases:
        yield from _check_phrase(phrase, view, known, material)


@cache
def _build_deed() -> re.Pattern[str]:
    deeds, gerunds = ("|".join(sorted(load_words(name))) for name in ("deeds", "gerunds"))
    return re.compile(
        rf"\b(?:(?:I|we|and|have|having|also|successfully|then|where I)\s+(?:\w+ly\s+)?(?:{deeds})"
        rf"|(?:by|in|of|experience|time|years|spent|enjoyed|including|from)\s+(?:\w+ly\s+)?"
        rf"(?:{gerunds}))\s+",
        re.I,
    )


def _find_own(view: View, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for match in pattern.finditer(view.text):
        if view.get_stance(match.start()) != "other":
            yield match


def _take_object(view: View, start: int) -> list[Token]:
    end = _OBJECT_END.search(view.text, start)
    stop = end.start() if end else len(view.text)
    return [token for token in view.tokens if start <= token.start < stop][:_OBJECT_WORDS]


def _take_deed(view: View, start: int) -> list[Token]:
    """The words after the verb, up to a comma."""
    comma = view.text.find(",", start)
    return [token for token in _take_object(view, start) if comma < 0 or token.start < comma]


def _take_list(view: View, start: int) -> list[list[Token]]:
    """Each item between commas and "and": a skill of its own."""
    items: list[list[Token]] = [[]]
    for token in _take_object(view, start):
        item = items[-1]
        if token.word in ("and", "or") or (item and "," in view.text[item[-1].end : token.start]):
            items.append([])
        items[-1].append(token)
    return items


def _is_piece(tokens: list[Token], view: View, material: Material) -> bool:
    """Whether a phrase is only the tail of a measure: "events a day" of "20,000 events a day"."""
    if not tokens or not tokens[0].raw[0].islower():
        return False
    wanted = [token.word for token in tokens]
    before = [
        words[at - 1] if at else ""
        for words in (split_words(fact.text) for fact in material.own)
        for at in range(len(words) - len(wanted) + 1)
        if words[at : at + len(wanted)] == wanted
    ]
    if not before:
        return _RATE.search(view.quote(tokens)) is not None
    return all(word[:1].isdigit() for word in before)


def _make_piece(tokens: list[Token], view: View) -> Finding:
    claim = view.quote(tokens)
    return Finding(claim, problem=f"“{claim}” is only a piece of what the résumé says.")


def _check_phrase(
    tokens: list[Token], view: View, known: frozenset[str], material: Material
) -> Iterator[Finding]:
    plain = load_words("plain_words") | load_words("function_words") | load_words("plain_titles")
    posted = {word for fact in material.list_posted("company") for word in fact.words}
    telling = [
        token
        for token in tokens
        if not {token.word, token.raw.lower()} & plain
        and token.word not in posted
        and len(token.word) > 2
        and not token.raw.isdigit()
    ]
    if not telling:
        return
    stems = {to_stem(token.word) for token in telling} & known
    supported = sum(to_stem(token.word) in stems for token in telling)
    claim = view.quote(tokens)
    if supported * _KNOWN_SHARE < len(telling):
        yield make_finding(claim, None)
    else:
        yield make_finding(claim, max(material.own, key=lambda fact: len(stems & fact.stems)))
