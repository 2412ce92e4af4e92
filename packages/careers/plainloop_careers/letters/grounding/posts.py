"""Job titles and employers that a letter gives the candidate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...files import Patterns
from .facts import Material
from .view import Finding, Token, View, list_content, make_finding, take_name
from .words import join_words, load_words, split_words

_SAID: Final = Patterns(__file__)
_OWN_TITLE: Final = _SAID.compile("own_title")
_TITLE_STOP: Final = re.compile(r"[,;:.!?()—–]")
_TITLE_WORDS: Final = 5  # in front of its noun
_BEFORE_TITLE: Final = frozenset({"former", "ex", "promoted", "appointed", "remain"})
_HAS_FIELD: Final = frozenset({"head", "vp", "director"})
_FIELD: Final = re.compile(r"^\s+of\s+((?:\w+\s?){1,3})")
_WORKED: Final = _SAID.compile("worked")
_AT_START: Final = re.compile(r"^(?:While (?:\w+\s)?at|At|With|During \w+ \w+ at|From)\s+(?=[A-Z])")
_THEN_I: Final = _SAID.compile("then_i")


def check_titles(view: View, material: Material) -> Iterator[Finding]:
    """Check that the candidate has, or had, each job title that a sentence claims."""
    for index, token in enumerate(view.tokens):
        is_title = token.word in load_words("title_nouns") and token.word == token.raw.lower()
        if not is_title or _is_before_title(view, index):
            continue
        phrase = _take_title(view, index)
        before = view.text[: phrase[0].start]
        plain = load_words("plain_titles")
        words = [item for item in phrase if item.word not in plain or item is phrase[-1]]
        if words[-1].word in plain or not _OWN_TITLE.search(before):
            continue
        # Whether it is the posting's title in a wish: "As a Web Developer at Acme I would …".
        title = {word for fact in material.list_posted("title") for word in fact.words}
        is_posted = all(token.word in title for token in words)
        if not (is_posted and (view.is_wish or view.get_stance(words[0].start) == "other")):
            yield _check_title(view, words, material)


def check_employers(view: View, material: Material) -> Iterator[Finding]:
    """Check that no sentence claims past work at the company that the letter is written to."""
    starts = [match.end() for match in _WORKED.finditer(view.text)]
    opening = _AT_START.match(view.text)
    if opening and _THEN_I.match(view.text[opening.end() :]):
        starts.append(opening.end())
    if view.is_wish and not opening:
        return
    for start in starts:
        name = take_name(view, start)
        words = list_content(name)
        company = material.list_posted("company")
        is_posted = any(words & fact.words for fact in company)
        if is_posted and not any(words <= fact.words for fact in material.own):
            claim = view.quote(name)
            yield Finding(claim, problem=f"The résumé has no work at “{claim}”.")


def _is_before_title(view: View, index: int) -> bool:
    """Whether a title noun belongs to the next one, as "assistant" in "assistant professor"."""
    following = view.tokens[index + 1 : index + 2]
    if not following or following[0].word not in load_words("title_nouns"):
        return False
    return not _TITLE_STOP.search(view.text[view.tokens[index].end : following[0].start])


def _take_title(view: View, index: int) -> list[Token]:
    """Return a job title's words: its noun with the words before it."""
    first = index
    while first > 0 and index - first < _TITLE_WORDS:
        before = view.tokens[first - 1]
        between = view.text[before.end : view.tokens[first].start]
        is_apart = before.word in load_words("function_words") or _TITLE_STOP.search(between)
        if is_apart or before.word in _BEFORE_TITLE:
            break
        first -= 1
    return list(view.tokens[first : index + 1])


def _check_title(view: View, phrase: list[Token], material: Material) -> Finding:
    """Check that one fact has all words of a title; beside a named position, a fact of that one."""
    words = [token.word for token in phrase]
    after = view.text[phrase[-1].end :]
    tail = _FIELD.match(after) if words[-1] in _HAS_FIELD else None
    field = split_words(tail[1])[:1] if tail else []
    wanted = {*words, *field}
    claim = view.quote(phrase) + (f" of {field[0]}" if field else "")
    key = join_words(words)
    facts = [fact for fact in material.own if wanted <= fact.words or key in fact.grams]
    scope = {entry.path for entry in view.entries if entry.section in ("work", "volunteer")}
    if facts and len(scope) == 1 and re.match(r"\s+(?:at|for|with)\s+[A-Z]", after):
        names = {token.word for token in take_name(view, phrase[-1].end + 1)}
        facts = [fact for fact in facts if fact.entry in scope or names & fact.words]
        if not facts:
            return Finding(claim, problem=f"“{claim}” was not the job title at that employer.")
    return make_finding(claim, facts[0] if facts else None)
