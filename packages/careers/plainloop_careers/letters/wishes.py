"""Which kind of letter a request asks for and in which language, and whether a letter is that.

The lists are short on purpose: what they do not know is left to the model's verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.dataclasses import dataclass

from ..files import Patterns


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of letter. asked: as requests name it. shown: what no such letter is without."""

    title: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Wish:
    """The kinds and the language of letter that a request names.

    kinds: each would do; none, None: it does not say.
    """

    kinds: frozenset[str]
    language: str | None


_SAID: Final = Patterns(__file__)
KINDS: Final = {
    name: Kind(
        said["title"],
        compile_lazily("".join(said["asked"]), re.I),
        compile_lazily("".join(said["shown"]), re.I),
    )
    for name, said in _SAID["kinds"].items()
}
_OTHERS: Final = _SAID.text("other_languages").split()
LANGUAGES: Final[dict[str, str]] = {
    **_SAID["languages"],
    **dict(zip(_OTHERS, _OTHERS, strict=True)),
}
_NAMED: Final = rf"(?P<language>{'|'.join(LANGUAGES.values())})"
# "write it in German, please", but neither "fluent in German" nor "in German law".
_IN_LANGUAGE: Final = compile_lazily(_SAID.text("in_language").replace("{named}", _NAMED))
_AS_ADJECTIVE: Final = compile_lazily(_SAID.text("as_adjective").replace("{named}", _NAMED))
_JOB_NUMBER: Final = _SAID.compile("job_number")
_CLAUSE_END: Final = compile_lazily(r"[.,;:!?\n]|\band\b|\bund\b", re.I)
_CONTENT: Final = _SAID.compile("content")
_OF_A_PERSON: Final = frozenset(_SAID["of_a_person"])
_MEASURED_CHARS: Final = 4_000
_END_CHARS: Final = 4_000  # of a request, at each end
_CERTAIN_SHARE: Final = 0.2  # of a text's words; a third or more in prose of that language


def read_wish(request: str) -> Wish:
    """Find out what kind of letter and which language a request wants.

    >>> wish = read_wish("write a letter declining the offer from Acme, in German please")
    >>> sorted(wish.kinds), wish.language
    (['decline'], 'german')
    """
    # A posting may be pasted into it: the longest message took half a second of the event loop
    # (test_a_letters_kind_and_language_are_read_at_both_ends_of_a_request).
    if len(request) > 2 * _END_CHARS:
        request = f"{request[:_END_CHARS]}\n{request[-_END_CHARS:]}"
    kinds = frozenset(name for name, kind in KINDS.items() if kind.asked.search(request))
    languages = set(_iter_languages(request))
    return Wish(kinds, languages.pop() if len(languages) == 1 else None)


def read_job_number(request: str) -> int | None:
    """Find the number of the job that a request names; None without one.

    >>> texts = ("for Chef at Noma (job 2)", "for job 7, please", "I got a job 2 years ago")
    >>> [read_job_number(text) for text in texts]
    [2, 7, None]
    """
    found = _JOB_NUMBER.search(request)
    return next((int(digits) for digits in found.groups() if digits), None) if found else None


def check_wish(wish: Wish, letter: str) -> Iterator[str]:
    """Yield a problem if a letter certainly has the wrong language, and one for a wrong kind."""
    from plainloop_rules.matching import measure_languages  # the grammar of four languages

    shares = measure_languages(letter[:_MEASURED_CHARS])
    best = max(shares, key=lambda name: shares[name])
    if shares[best] < _CERTAIN_SHARE:
        return  # what language it is in is not known, so no word tells its kind either
    # Portuguese has many words that are Spanish, too.
    known = shares.get(wish.language or "")
    is_other = best == "english" if known is None else shares[best] >= 2 * known
    if wish.language and is_other:
        asked, found = wish.language.capitalize(), best.capitalize()
        yield f"The letter is in {found}, and was asked for in {asked}: write all of it in {asked}."
    if wish.kinds and not any(KINDS[name].shown.search(letter) for name in wish.kinds):
        asked = " or ".join(KINDS[name].title.lower() for name in sorted(wish.kinds))
        yield f"The letter is of another kind than the one asked for ({asked}): write that one."


def _iter_languages(request: str) -> Iterator[str]:
    """Yield each language in which the request wants the letter, not those of its content."""
    for clause in _CLAUSE_END.split(request):
        told = _CONTENT.split(clause, maxsplit=1)[0]
        found = _AS_ADJECTIVE.search(told) or _IN_LANGUAGE.search(told)
        if found and (found.groupdict().get("before") or "").lower() not in _OF_A_PERSON:
            yield next(
                name
                for name, names in LANGUAGES.items()
                if re.fullmatch(names, found["language"], re.I)
            )
