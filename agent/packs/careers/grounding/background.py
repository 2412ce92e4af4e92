"""What a letter tells of the candidate's background: titles, employers, degrees, deeds, skills."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agent.packs.careers.grounding.facts import Fact, Material
from agent.packs.careers.grounding.view import Finding, Token, View
from agent.packs.careers.grounding.words import (
    join_words,
    load_words,
    split_words,
    to_stem,
)

_OWN_TITLE: Final = re.compile(
    r"\b(?:as|am|was|been|became|become|being|me|remain|myself|i['’]m|former|ex|my (?:role|position"
    r"|work|job|time|career|title) (?:as|of|is|was)|promoted to|promotion to|appointed|title of"
    r"|role of|position of)\s+(?:an?\s+|the\s+|its\s+|their\s+|your\s+)?$",
    re.I,
)
_TITLE_STOP: Final = re.compile(r"[,;:.!?()—–]")
_HEAD_OF: Final = re.compile(r"^\s+of\s+((?:\w+\s?){1,3})")
_DEGREES: Final = {
    "bachelor": r"bachelor(?:['’]?s)?|b\.?\s?sc\b\.?|b\.a\.|BA\b|BS\b|b\.?\s?eng\b\.?|undergraduate degree",
    "master": r"master['’]s|masters? (?:degree|of|in)|m\.?\s?sc\b\.?|m\.a\.|MA\b|MS in|m\.?\s?eng\b\.?",
    "doctor": r"ph\.?\s?d\b\.?|doctorate|doctoral degree|doctor of|dr\. rer\.",
    "mba": r"mba\b",
    "associate": r"associate(?:['’]s)? degree|associate of",
    "diploma": r"diploma",
    "certificate": r"certificat(?:e|ion)s?\b|certified|accredited|licen[sc]ed?\b|chartered",
    "honours": r"cum laude|with (?:distinction|hono(?:u)?rs)|valedictorian|dean['’]s list|first-class",
    "scholarship": r"scholarship|fellowship",
    "patent": r"patents?\b|patented",
    "promotion": r"promoted|promotion",
}
_AREA: Final = re.compile(
    r"\b(?:degree|bachelor(?:['’]?s)?|master(?:['’]?s)?|ph\.?d\.?|doctorate|diploma|b\.?sc\.?|m\.?sc\.?"
    r"|mba|majored|major|minor|minored|graduated|studied|studying|studies|certified|certificate)\s+"
    r"(?:degree\s+)?(?:(?:in|of)\s+(?:science\s+in\s+|arts\s+in\s+)?)?"
    r"(?P<area>(?!(?:at|from|and|with|the|my|under|to|by|for|as|on|hard|how|i)\b)[^\W\d_][\w&'’ -]*?)"
    r"(?=\s+(?:at|from|and|with|by|to|which|that|has|have|gave|was|is|where|while|in|through|i|for)\b"
    r"|[,.;:!?()—–]|$)",
    re.I,
)
_SCHOOL: Final = re.compile(
    r"\b(?:graduat\w+ from|degrees? (?:\w+\s){0,6}?from|studi\w+ (?:\w+\s){0,5}?at|attended|alumn\w+ of"
    r"|diploma (?:\w+\s){0,4}?from|educated at|enrolled at)\s+(?:the\s+)?(?=[A-Z])"
)
_IS_SCHOOL: Final = frozenset(
    to_stem(word)
    for word in "degree university college school institute academy studied graduated student".split()
)
_WORKED: Final = re.compile(
    r"\b(?:I (?:\w+\s){0,2}?(?:worked|interned|served|volunteered|was employed|have worked)"
    r"|[Mm]y (?:\w+\s){0,3}?(?:time|years|months|role|tenure|stint|internship|career|job|work|position"
    r"|experience|employment|team)|(?:years|months|worked|working|interned|employed|employee)"
    r"|[Jj]oined)(?:\s(?:\w+\s){0,5}?(?:at|for|with|of))?\s+(?=[A-Z])"
)
_AT_START: Final = re.compile(
    r"^(?:While (?:\w+\s)?at|At|With|During \w+ \w+ at|From)\s+(?=[A-Z])"
)
_THEN_I: Final = re.compile(
    r"^[^,]{0,60},\s*(?:I|we)\s+(?!would|will|hope|am|could|can|want|see|look|believe|know|feel|think"
    r"|understand|wish|aim|plan|intend|expect)",
)
_DEEDS: Final = (
    "led|managed|headed|supervised|directed|oversaw|built|created|designed|developed|implemented"
    "|engineered|launched|founded|co-founded|established|won|earned|reduced|cut|increased|grew|saved"
    "|raised|boosted|migrated|automated|published|authored|wrote|trained|mentored|taught|coached"
    "|negotiated|coordinated|organized|organised|introduced|delivered|deployed|shipped|maintained"
    "|administered|audited|analyzed|analysed|researched|treated|sold|closed|recruited|hired|optimized"
    "|optimised|rewrote|refactored|modernized|modernised|spearheaded|pioneered|invented|patented"
    "|presented|translated|edited|produced|performed|operated|repaired|installed|tested|secured"
)
_GERUNDS: Final = (
    "leading|managing|heading|supervising|directing|overseeing|building|creating|designing|developing"
    "|implementing|launching|founding|winning|reducing|cutting|increasing|growing|migrating|automating"
    "|publishing|training|mentoring|teaching|coaching|negotiating|coordinating|organizing|organising"
    "|deploying|shipping|maintaining|auditing|analyzing|analysing|researching|selling|recruiting"
    "|optimizing|optimising|operating|repairing|testing"
)
_DEED: Final = re.compile(
    rf"\b(?:(?:I|we|and|have|having|also|successfully|then|where I)\s+(?:\w+ly\s+)?(?:{_DEEDS})"
    rf"|(?:by|in|of|experience|time|years|spent|enjoyed|including|from)\s+(?:\w+ly\s+)?(?:{_GERUNDS}))\s+",
    re.I,
)
_SKILL_OF: Final = re.compile(
    r"\b(?:experience[ds]?|expertise|background|proficien\w+|skilled|skills|fluen\w+|versed|trained"
    r"|training|speciali[sz]\w+|knowledge|familiar\w*|command|competen\w+|adept|grounding|hands-on"
    r"|certified|qualified|career|track record|expert)\s+(?:in|with|of|at|on|using|as)\s+",
    re.I,
)
_MY_SKILL: Final = re.compile(
    r"\b(?:my|I have|I bring|possess)\s+(?:an?\s+)?(?P<area>(?:[\w'’&/-]+\s+){1,4}?)(?:skills?|experience"
    r"|expertise|background|knowledge|proficiency)\b",
    re.I,
)
_SPEAK: Final = re.compile(r"\bI (?:also )?(?:speak|play|practise|practice|code in|program in)\s+", re.I)
_OBJECT_END: Final = re.compile(
    r"[.;:!?()—–]|\b(?:that|which|who|where|when|while|because|so|but|to|at|from|for|I|my|is|are|was"
    r"|were|has|have|make[s]?|made|gave|give[s]?|would|will|allow\w*|enable[sd]?|taught|prepare[sd]?)\b"
)
_OBJECT_WORDS: Final = 9


def check_degrees(view: View, material: Material) -> Iterator[Finding]:
    """Degrees, certificates, honours: the level, the subject and the school."""
    if view.part == "head":
        return
    for level, pattern in _DEGREES.items():
        match = re.search(rf"(?<!\w)(?:{pattern})", view.text, re.I if level != "mba" else 0)
        if match is None or _is_others(view, match.start()):
            continue
        known = _find_matching(rf"(?<!\w)(?:{pattern})", material, is_degree=level in _LEVELS)
        yield _make_finding(match[0].strip(), known)
    for match in _AREA.finditer(view.text):
        if not _is_others(view, match.start()):
            yield from _check_area(match["area"], material)
    for match in _SCHOOL.finditer(view.text):
        yield from _check_school(view, match.end(), material)


_LEVELS: Final = frozenset({"bachelor", "master", "doctor", "associate", "mba"})


def check_titles(view: View, material: Material) -> Iterator[Finding]:
    """Each job title that the candidate is said to have or have had."""
    if view.part != "body":
        return
    for index, token in enumerate(view.tokens):
        if token.word not in load_words("title_nouns") or token.word != token.raw.lower():
            continue
        phrase = _take_title(view, index)
        before = view.text[: phrase[0].start]
        if not _OWN_TITLE.search(before) or _is_wished_title(view, phrase, material):
            continue
        words = [item.word for item in phrase if item.word not in load_words("plain_titles")]
        if words:
            yield _check_title(view, phrase, words, material)


def check_employers(view: View, material: Material) -> Iterator[Finding]:
    """A place where the candidate is said to have worked: not the company applied to."""
    starts = [match.end() for match in _WORKED.finditer(view.text)]
    opening = _AT_START.match(view.text)
    if opening and _THEN_I.match(view.text[opening.end() :]):
        starts.append(opening.end())
    if view.is_wish and not opening:
        return
    for start in starts:
        yield from _check_workplace(view, start, material)


def check_deeds(view: View, material: Material) -> Iterator[Finding]:
    """What the candidate is said to have done, and can do: its main words must be known."""
    if view.part != "body":
        return
    known = frozenset(stem for fact in material.own for stem in fact.stems)
    for pattern, is_list in ((_DEED, False), (_SKILL_OF, True), (_SPEAK, True)):
        for match in pattern.finditer(view.text):
            if view.get_stance(match.start()) == "self":
                yield from _check_object(view, match.end(), known, material, is_list)
    for match in _MY_SKILL.finditer(view.text):
        area = [token for token in view.tokens if match.start("area") <= token.start < match.end("area")]
        yield from _check_words(area, view, known, material)


def _is_others(view: View, offset: int) -> bool:
    return view.get_stance(offset) == "other"


def _make_finding(claim: str, fact: Fact | None) -> Finding:
    if fact is not None:
        return Finding(claim, (fact.path,))
    return Finding(claim, problem=f"“{claim}” is not in the résumé or the profile.")


def _find_matching(pattern: str, material: Material, *, is_degree: bool) -> Fact | None:
    found = [fact for fact in material.own if re.search(pattern, fact.text, re.I)]
    if not is_degree:
        return found[0] if found else None
    # A "Scrum Master" has no master's degree.
    schooling = [fact for fact in found if "education" in fact.path or fact.stems & _IS_SCHOOL]
    return (schooling or [None])[0]


def _check_area(area: str, material: Material) -> Iterator[Finding]:
    plain = load_words("plain_words") | load_words("function_words")
    words = [word for word in split_words(area) if word not in plain and len(word) > 1]
    degrees = {"bachelor", "master", "degree", "science", "art", "phd", "sc", "diploma", "honor"}
    words = [word for word in words if word not in degrees]
    if not words:
        return
    stems = {to_stem(word) for word in words}
    entries: dict[str, set[str]] = {}
    for fact in material.own:
        entries.setdefault(fact.entry or fact.text, set()).update(fact.stems, fact.words)
    names = {name for entry in material.entries for name in entry.names}
    if any(stems <= known or set(words) <= known for known in entries.values()):
        return
    if join_words(words) not in names:
        yield _make_finding(area.strip(), None)


def _check_school(view: View, start: int, material: Material) -> Iterator[Finding]:
    """The name after "graduated from": an education of the résumé, or called a school."""
    name = _take_name(view, start)
    words = {token.word for token in name} - load_words("function_words")
    facts = [fact for fact in material.own if words and words <= fact.words]
    schools = [fact for fact in facts if "education" in fact.path or fact.stems & _IS_SCHOOL]
    if facts and not schools:
        claim = view.text[name[0].start : name[-1].end]
        yield Finding(claim, problem=f"The résumé names no studies at “{claim}”.")


def _take_title(view: View, index: int) -> list[Token]:
    """The title's words that stand before its noun."""
    first = index
    while first > 0:
        before, here = view.tokens[first - 1], view.tokens[first]
        between = view.text[before.end : here.start]
        if before.word in load_words("function_words") or _TITLE_STOP.search(between):
            break
        if before.word in ("former", "ex", "promoted", "appointed", "remain") or index - first >= 5:
            break
        first -= 1
    return list(view.tokens[first : index + 1])


def _is_wished_title(view: View, phrase: list[Token], material: Material) -> bool:
    """"As a Web Developer at Acme I would …": the posting's title in a wish."""
    title = {word for fact in material.posting if fact.path == "job.title" for word in fact.words}
    is_posted = all(token.word in title for token in phrase)
    return is_posted and (view.is_wish or view.get_stance(phrase[0].start) == "other")


def _check_title(
    view: View, phrase: list[Token], words: list[str], material: Material
) -> Finding:
    """All words of the title in one fact; beside a named position, in a fact of that position."""
    tail = _HEAD_OF.match(view.text[phrase[-1].end :]) if words[-1] in ("head", "vp", "director") else None
    wanted = {*words, *(split_words(tail[1])[:1] if tail else [])}
    claim = view.text[phrase[0].start : phrase[-1].end] + (tail[0].rstrip() if tail else "")
    facts = [fact for fact in material.own if wanted <= fact.words or join_words(words) in fact.grams]
    scope = {entry.path for entry in view.entries if entry.section in ("work", "volunteer")}
    follows = view.text[phrase[-1].end :]
    if facts and len(scope) == 1 and re.match(r"\s+(?:at|for|with)\s+[A-Z]", follows):
        placed = [fact for fact in facts if not fact.entry or fact.entry in scope]
        elsewhere = f"“{claim}” was not the title at that employer."
        return _make_finding(claim, placed[0]) if placed else Finding(claim, problem=elsewhere)
    return _make_finding(claim, facts[0] if facts else None)


def _check_workplace(view: View, start: int, material: Material) -> Iterator[Finding]:
    name = _take_name(view, start)
    if not name:
        return
    words = {token.word for token in name} - load_words("function_words")
    posted = [fact for fact in material.posting if fact.path == "job.company" and words & fact.words]
    if posted and not any(words <= fact.words for fact in material.own):
        claim = view.text[name[0].start : name[-1].end]
        yield Finding(claim, problem=f"The résumé names no work at “{claim}”.")


def _take_name(view: View, start: int) -> list[Token]:
    """Capitalised words from an offset on, with `of` and `the` between them."""
    name: list[Token] = []
    for token in view.tokens:
        if token.start < start:
            continue
        if name and re.search(r"[,;:.!?]", view.text[name[-1].end : token.start]):
            break
        if not token.raw[0].isupper() and token.word not in ("of", "the", "for"):
            break
        name.append(token)
    while name and not name[-1].raw[0].isupper():
        name.pop()
    return name


def _check_object(
    view: View, start: int, known: frozenset[str], material: Material, is_list: bool
) -> Iterator[Finding]:
    """is_list: each item between commas and "and" is a claim of its own."""
    end = _OBJECT_END.search(view.text, start)
    stop = end.start() if end else len(view.text)
    tokens = [token for token in view.tokens if start <= token.start < stop][:_OBJECT_WORDS]
    if not is_list:
        comma = view.text.find(",", start, stop)
        yield from _check_words(
            [token for token in tokens if comma < 0 or token.start < comma], view, known, material
        )
        return
    item: list[Token] = []
    for token in tokens:
        is_new = item and "," in view.text[item[-1].end : token.start]
        if token.word in ("and", "or") or is_new:
            yield from _check_words(item, view, known, material)
            item = []
        item.append(token)
    yield from _check_words(item, view, known, material)


def _check_words(
    tokens: list[Token], view: View, known: frozenset[str], material: Material
) -> Iterator[Finding]:
    """At least a third of the telling words must be known."""
    plain = load_words("plain_words") | load_words("function_words") | load_words("plain_titles")
    posted = {word for fact in material.posting if fact.path == "job.company" for word in fact.words}
    telling = [
        token
        for token in tokens
        if token.word not in plain
        and token.raw.lower() not in plain
        and token.word not in posted
        and len(token.word) > 2
        and not token.raw.isdigit()
    ]
    if not telling:
        return
    supported = [token for token in telling if to_stem(token.word) in known]
    claim = view.text[tokens[0].start : tokens[-1].end]
    if len(supported) * 3 < len(telling):
        yield Finding(claim, problem=f"“{claim}” is not in the résumé or the profile.")
        return
    stems = {to_stem(token.word) for token in supported}
    best = max(material.own, key=lambda fact: len(stems & fact.stems))
    yield Finding(claim, (best.path,))
