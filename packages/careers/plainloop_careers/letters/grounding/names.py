"""Proper names and skills: whatever a letter names must be known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...files import Patterns
from .facts import Fact, Material
from .view import Finding, Token, View, find_fact, find_in_entry, make_finding
from .words import MOST_JOINED, join_words, load_phrases, load_words, to_stem

_SAID: Final = Patterns(__file__)
_CONNECTORS: Final = frozenset({"of", "the", "de", "la", "du", "von", "van", "der", "di", "del"})
_AMOUNT: Final = re.compile(r"\d+(?:k|m|mn|bn|st|nd|rd|th|x|h)", re.I)  # 5M, 1st
# The level is checked as a degree; these words name nothing else.
_DEGREE: Final = _SAID.compile("degree")
_GERMAN: Final = re.compile(r"\b(?:und|ich|der|die|das|mit|für|nicht|eine[rnms]?|bei)\b")
# Fields of the posting that a letter may name in any clause: they say what is applied for.
_APPLIED_FOR: Final = ("job.company", "job.title", "job.contact_name", "job.source")


def check_names(view: View, material: Material) -> Iterator[Finding]:
    """Check that each name and skill in a sentence occurs in the material."""
    runs = list(_list_runs(view))
    for run in runs:
        yield from _check_run(run, view, material)
    taken = {token.start for run in runs for token in run}
    for skill in _list_skills(view):
        if not all(token.start in taken for token in skill):
            yield _check_skill(skill, view, material)


def _list_runs(view: View) -> Iterator[list[Token]]:
    """Yield runs of neighbouring words written like a name, with `of`, `the` … between them."""
    run: list[Token] = []
    is_german = _GERMAN.search(view.text) is not None
    for index, token in enumerate(view.tokens):
        if run and _is_apart(view, run[-1], token):
            yield run
            run = []
        if _is_name(view, index, is_german):
            # With the connectors between its last word and this one.
            between = [one for one in view.tokens[:index] if run and one.start > run[-1].start]
            run = [*run, *between, token]
        elif run and token.word not in _CONNECTORS:
            # A word like "Without" in "Doctors Without Borders" goes on with it.
            if not (token.raw[0].isupper() and len(token.raw) > 2):
                yield run
                run = []
    if run:
        yield run


def _is_apart(view: View, left: Token, right: Token) -> bool:
    """Whether a sign between two words separates two names; hyphen, dot and & in a name do not."""
    between = view.text[left.end : right.start]
    return re.search(r"[,;:!?()\[\]\"“”/—–|]|\.\s", between) is not None


def _is_name(view: View, index: int, is_german: bool) -> bool:
    token = view.tokens[index]
    if not token.is_marked or token.word in load_words("neutral_capitals"):
        return False
    if _AMOUNT.fullmatch(token.raw):
        return False
    if any(match.start() <= token.start < match.end() for match in _DEGREE.finditer(view.text)):
        return False
    if token.raw[0].isupper() and token.word in load_words("function_words"):
        return _is_name_after_all(view, index)
    if is_german and _is_plain_capital(token):
        return False
    return not (_begins(view, index) and _is_plain_word(token))


def _is_name_after_all(view: View, index: int) -> bool:
    """Whether a common word is used as a name: "IT", or "After" in "After Effects".

    Not "It", not the first word of a sentence.
    """
    raw, following = view.tokens[index].raw, view.tokens[index + 1 : index + 2]
    if len(raw) > 1 and raw.isupper():
        return True
    is_followed = bool(following) and following[0].is_marked
    return len(raw) > 2 and is_followed and not _begins(view, index)


def _begins(view: View, index: int) -> bool:
    """Whether a word is the first of the sentence, or follows a colon, a quote or a dash."""
    before = view.text[: view.tokens[index].start].rstrip()
    return not before or before[-1] in ':"“‘(—–'


def _is_plain_capital(token: Token) -> bool:
    return token.raw[0].isupper() and token.raw[1:].islower()


def _is_plain_word(token: Token) -> bool:
    if not _is_plain_capital(token) and len(token.raw) > 1:
        return False
    word = token.raw.lower()
    plain = load_words("plain_words")
    return word in plain or token.word in plain or word.endswith(tuple(load_words("plain_endings")))


def _check_run(run: list[Token], view: View, material: Material) -> Iterator[Finding]:
    """Check a run of words as one name; if that is unknown, as the known names within it."""
    if _find_own(run, material) or _find_posted(run, material):
        yield _check_phrase(run, view, material)
        return
    pieces = _cut_into_names(run, material)
    for piece in pieces or [run]:
        yield _check_phrase(piece, view, material)


def _check_phrase(tokens: list[Token], view: View, material: Material) -> Finding:
    claim = view.quote(tokens)
    own, posted = _find_own(tokens, material), _find_posted(tokens, material)
    if own is not None or posted is None:
        return make_finding(claim, own)
    is_other = view.get_stance(tokens[0].start) == "other" or view.part != "body"
    if posted.path in _APPLIED_FOR or is_other:
        return Finding(claim, (posted.path,))
    problem = f"“{claim}” is in the posting, but not in the résumé or the profile."
    return Finding(claim, problem=problem)


def _check_skill(tokens: list[Token], view: View, material: Material) -> Finding:
    """Check that a skill is known; a single word counts in all its forms.

    "forecasting" stands for "forecast".
    """
    if len(tokens) == 1:
        stem = to_stem(tokens[0].word)
        known = next((fact for fact in material.own if stem in fact.stems), None)
        if known is not None:
            return Finding(tokens[0].raw, (known.path,))
    return _check_phrase(tokens, view, material)


def _find_own(tokens: list[Token], material: Material) -> Fact | None:
    words = [token.word for token in tokens]
    found = find_fact(words, material.own) or find_in_entry(words, material.own)
    if found is None and len(tokens) == 1 and tokens[0].raw.isupper() and len(words[0]) > 1:
        return next((fact for fact in material.own if words[0] in fact.initials), None)
    return found


def _find_posted(tokens: list[Token], material: Material) -> Fact | None:
    words = [token.word for token in tokens]
    # `Acme Inc` → `Acme`: the posting may say either.
    kept = [word for word in words if word not in load_words("company_endings")]
    return find_fact(kept or words, material.posting)


def _cut_into_names(run: list[Token], material: Material) -> list[list[Token]] | None:
    """Split a run of words into whole known names ("Acme Web Developer"); None if it cannot be."""
    if not run:
        return []
    whole = [fact for fact in (*material.own, *material.posting) if len(fact.words) <= MOST_JOINED]
    for size in range(min(len(run), MOST_JOINED), 0, -1):
        words = [token.word for token in run[:size]]
        key = join_words(words)
        if any(key in fact.grams and len(fact.words) <= size for fact in whole):
            rest = _cut_into_names(run[size:], material)
            if rest is not None:
                return [run[:size], *rest]
    return None


def _list_skills(view: View) -> Iterator[list[Token]]:
    """Yield the longest runs of words that are in the vocabulary of skills."""
    skills = load_phrases("skills")
    start = 0
    while start < len(view.tokens):
        for size in range(min(MOST_JOINED, len(view.tokens) - start), 0, -1):
            tokens = list(view.tokens[start : start + size])
            if "".join(token.word for token in tokens) not in skills:
                continue
            pairs = zip(tokens, tokens[1:], strict=False)
            if "/" in view.text or not any(_is_apart(view, *pair) for pair in pairs):
                yield tokens
                start += size - 1
                break
        start += 1
