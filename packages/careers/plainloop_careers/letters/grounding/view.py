"""One sentence of a letter, seen as words, and who each clause speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from plainloop.agent.base.text.cleaning import fold
from plainloop.agent.dataclasses import dataclass

from ...files import Patterns
from .facts import Entry, Fact, Material
from .sentences import Part, Sentence
from .words import WORD, build_grams, join_words, load_words, strip_possessive, to_singular, to_stem

_SAID: Final = Patterns(__file__)
# self: says what the candidate is or did. other: the posting, a wish, a thank-you, what is denied.
# none: the sentence does not tell.
Stance = Literal["self", "other", "none"]

_CLAUSE_END: Final = _SAID.compile("clause_end")
_WISH: Final = _SAID.compile("wish")
_OTHER: Final = _SAID.text("other")
# What the candidate says not to have, or to be about to learn.
_NOT_YET: Final = _SAID.compile("not_yet")
_TO_LEARN: Final = re.compile(r"\b(?:much|lot|more|everything|things) to learn\b", re.I)
_DENIED: Final = re.compile(r"\bI\b.{0,20}\b(?:not|never|no)\b|\bI \w+n['’]t\b", re.I)
_NOT_YET_REACH: Final = 8  # characters: "I have not used"
_SELF: Final = _SAID.compile("self")


@dataclass(frozen=True, slots=True)
class Token:
    raw: str
    word: str  # folded, singular, without a possessive
    start: int
    end: int

    @property
    def is_marked(self) -> bool:
        """Whether a word looks like a name: with a capital letter, or with letters and digits."""
        has_digit = any(char.isdigit() for char in self.raw)
        return any(char.isupper() for char in self.raw) or (has_digit and not self.raw.isdigit())


@dataclass(frozen=True, slots=True)
class View:
    """One sentence of a letter, prepared for the checks: its words, clauses and named entries."""

    sentence: Sentence
    text: str
    tokens: tuple[Token, ...]
    clauses: tuple[tuple[int, Stance], ...]  # (end offset, stance), in order
    keys: frozenset[str]  # of its runs of words
    entries: tuple[Entry, ...]  # positions, degrees … of the résumé that it names
    is_wish: bool

    @property
    def part(self) -> Part:
        """Return the part of the letter that the sentence is in."""
        return self.sentence.part

    def quote(self, tokens: Sequence[Token]) -> str:
        """Return the sentence's text from the first of these words to the last."""
        return self.text[tokens[0].start : tokens[-1].end]

    def get_stance(self, offset: int) -> Stance:
        """Return whom the clause at this position is about: the candidate, others or nobody."""
        for end, stance in self.clauses:
            if offset < end:
                return stance
        return "none"

    def get_stems(self, start: int, end: int, around: int) -> frozenset[str]:
        """Return the stems of up to `around` words on each side of a part of the sentence."""
        plain = load_words("function_words")
        inside = [i for i, token in enumerate(self.tokens) if start <= token.start < end]
        first = inside[0] if inside else sum(token.start < start for token in self.tokens)
        last = inside[-1] if inside else first - 1
        near = [
            *self.tokens[max(0, first - around) : first],
            *self.tokens[last + 1 : last + 1 + around],
        ]
        return frozenset(to_stem(token.word) for token in near if token.word not in plain)


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of a letter with the paths of its sources; `problem` is set when it has none."""

    claim: str
    sources: tuple[str, ...] = ()
    problem: str | None = None


def build_view(sentence: Sentence, text: str, material: Material) -> View:
    """Build the indexed form of a sentence that the checks of its claims use.

    text: the sentence with checked parts (addresses, numbers) blanked out.
    """
    tokens = tuple(
        Token(match[0], to_singular(strip_possessive(fold(match[0]))), match.start(), match.end())
        for match in WORD.finditer(text)
    )
    keys = build_grams([token.word for token in tokens])
    company = next((fact.text for fact in material.list_posted("company")), "")
    # What shows that a clause speaks of the posting: its words, or the company's name.
    first = re.match(r"[^\W_]{4,}", company)
    names = "|".join(re.escape(name) for name in (company, first[0] if first else "") if name)
    other = re.compile(rf"{_OTHER}|\b(?:{names})\b" if names else _OTHER, re.I)
    # A clause that tells nothing itself goes on as the one before it.
    ends = [match.start() for match in _CLAUSE_END.finditer(text)] + [len(text) + 1]
    clauses: list[tuple[int, Stance]] = []
    start, stance = 0, _read_first_stance(text, other)
    for end in ends:
        clause = text[start:end]
        told = _SELF.search(clause)
        is_denied = told and _NOT_YET.search(clause[: told.end() + _NOT_YET_REACH])
        if told and not is_denied and not _TO_LEARN.search(clause):
            stance = "self"
        elif told or _DENIED.search(clause) or other.search(clause) or _WISH.search(clause):
            stance = "other"
        clauses.append((end, stance))
        start = end
    return View(
        sentence=sentence,
        text=text,
        tokens=tokens,
        clauses=tuple(clauses),
        keys=keys,
        entries=tuple(material.list_entries(keys)),
        is_wish=_WISH.search(text) is not None,
    )


def _read_first_stance(text: str, other: re.Pattern[str]) -> Stance:
    """Return the stance for an opening without a verb, from the first clause that shows one."""
    self_at, other_at = _SELF.search(text), other.search(text) or _WISH.search(text)
    if self_at and other_at:
        return "self" if self_at.start() < other_at.start() else "other"
    if self_at:
        return "self"
    return "other" if other_at else "none"


def make_finding(claim: str, fact: Fact | None) -> Finding:
    """Build the result of checking a claim: the supporting fact, or a problem without one."""
    if fact is not None:
        return Finding(claim, (fact.path,))
    return Finding(claim, problem=f"“{claim}” is not in the résumé or the profile.")


def list_content(tokens: Iterable[Token]) -> set[str]:
    """Return the words of a name except function words such as "of" and "the"."""
    return {token.word for token in tokens} - load_words("function_words")


def take_name(view: View, start: int) -> list[Token]:
    """Return the words of the name that begins at this position.

    These are capitalised words, with `of`, `for` and `the` between.
    """
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


def find_fact(words: list[str], facts: tuple[Fact, ...]) -> Fact | None:
    """Find a fact that contains these words, preferably side by side; None if there is none."""
    key = join_words(words)
    together = next((fact for fact in facts if key in fact.grams), None)
    if together is not None:
        return together
    wanted = {word for word in words if word not in load_words("function_words")}
    if len(wanted) < 2:
        return None
    return next((fact for fact in facts if wanted <= fact.words), None)


def find_in_entry(words: list[str], facts: tuple[Fact, ...]) -> Fact | None:
    """Find the entry of the résumé that contains all these words; return its first fact."""
    wanted = {word for word in words if word not in load_words("function_words")}
    entries: dict[str, set[str]] = {}
    for fact in facts:
        if fact.entry:
            entries.setdefault(fact.entry, set()).update(fact.words)
    path = next((path for path, known in entries.items() if wanted and wanted <= known), None)
    return next((fact for fact in facts if fact.entry == path and fact.words & wanted), None)
