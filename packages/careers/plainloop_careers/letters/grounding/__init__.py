"""Grounded letters: each claim of fact is traced to résumé or profile. No model, no I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec

from plainloop.agent.config.settings import Limits
from plainloop.agent.core.spec import Check
from plainloop.agent.errors import ServiceUnavailable
from plainloop_documents.process import Owner, run_child

from .contacts import blank_contacts, check_contacts, check_signature
from .degrees import check_degrees
from .facts import Material, build_material
from .names import check_names
from .numbers import check_dates, check_numbers
from .posts import check_employers, check_titles
from .sentences import RESIDENCE, Part, Sentence, blank_greeting, split_letter
from .view import Finding, View, build_view

__all__ = ["check_grounding", "trace_letter"]

MOST_SOURCES: Final = 6
_CLAUSE_BREAK: Final = re.compile(r"[,;:]\s|\s[–—-]\s")
MAX_LETTER_CHARS: Final = 12_000


GROUNDING_JOB: Final = "plainloop_careers.letters.grounding"
# Characters of letter times characters of material: about 50 ms of the loop that serves everybody.
MAX_INLINE: Final = 12_000_000


async def trace_letter(
    letter: str,
    resume: Mapping[str, Any],
    profile: str,
    job: Mapping[str, Any],
    limits: Limits,
    owner: Owner,
) -> Check:
    """Check a letter as `check_grounding` does; long ones in a child process.

    No transaction may be open meanwhile.
    """
    own = msgspec.json.encode([letter, resume, profile, dict(job)])
    if len(letter) * len(own) <= MAX_INLINE:
        return check_grounding(letter, resume, profile, job)
    try:
        told = await run_child(GROUNDING_JOB, own, timeout_s=limits.upload_parse_s, owner=owner)
    except ServiceUnavailable as error:  # the letter is written: it is kept, as not checked
        return Check((f"The letter could not be checked: {error.message}.",))
    if "error" in told:
        return Check((f"The letter could not be checked: {told['error']}.",))
    return Check(tuple(told["problems"]), tuple(told["sources"]))


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Check a letter as the job of a child process; return problems and sources."""
    check = check_grounding(*msgspec.json.decode(content))
    return {"problems": check.problems, "sources": check.sources}


def check_grounding(
    letter: str,
    resume: Mapping[str, Any],
    profile: str,
    job: Mapping[str, Any],
    *,
    today: date | None = None,
) -> Check:
    """Trace each factual claim of a letter to its source, and list the claims without one.

    resume: JSON Resume (or any tree of texts). job: a row of the tracker; supports what the letter
    says about the company, never about the candidate. today: the end of positions that go on.

    Returns one problem sentence per claim that nothing supports, and for every factual sentence
    the paths that support it, e.g. `resume.work[0].name`, `profile`, `job.company`.
    """
    material = build_material(resume, profile, job, today or date.today())
    problems: list[str] = []
    sources: list[dict[str, Any]] = []
    if len(letter) > MAX_LETTER_CHARS:
        problems.append(f"The letter is longer than {MAX_LETTER_CHARS} characters.")
    sentences = split_letter(letter[:MAX_LETTER_CHARS])
    for sentence in sentences:
        findings = list(_check_sentence(sentence, material))
        problems += [finding.problem for finding in findings if finding.problem]
        paths = list(dict.fromkeys(path for finding in findings for path in finding.sources))
        if _is_only_place(sentence, paths):
            continue
        if paths and sentence.part not in ("salutation", "closing"):  # those claim nothing
            text = _cut_unproven_end(sentence.text, findings)
            if text != sentence.text:  # what only the end names is no source of the rest
                findings = [one for one in findings if one.claim.casefold() in text.casefold()]
                paths = list(dict.fromkeys(path for one in findings for path in one.sources))
            sources.append({"sentence": text, "sources": paths[:MOST_SOURCES]})
    problems += check_signature(sentences, resume, profile)
    return Check(tuple(_drop_repeated(problems)), tuple(sources))


def _cut_unproven_end(text: str, findings: list[Finding]) -> str:
    """Return a sentence without the clauses at its end that the candidate's material lacks.

    "I led a team of five, all of them certified by Acme" is proven up to the comma, even where
    the posting names Acme.
    """
    proven = [
        (text.casefold().rfind(finding.claim.casefold()), len(finding.claim))
        for finding in findings
        if any(not path.startswith("job.") for path in finding.sources)
    ]
    if not proven or any(at < 0 for at, _ in proven):
        return text
    end = _CLAUSE_BREAK.search(text, max(at + length for at, length in proven))
    return text[: end.start()] if end else text


def _is_only_place(sentence: Sentence, paths: list[str]) -> bool:
    """Whether only the candidate's place is in the material, and the sentence is not about it."""
    is_place = all(path.startswith("resume.basics.location") for path in paths)
    return sentence.part == "body" and is_place and not RESIDENCE.search(sentence.text)


def _check_sentence(sentence: Sentence, material: Material) -> Iterator[Finding]:
    yield from check_contacts(sentence.text, material)
    text = blank_contacts(sentence.text)
    if sentence.part == "salutation":
        text = blank_greeting(text)
    view = build_view(sentence, text, material)
    for check, parts in _CHECKS:
        if view.part in parts:
            yield from check(view, material)


_BODY: Final = ("body",)
_BELOW_HEAD: Final = ("salutation", "body", "closing")
_ANYWHERE: Final = ("head", *_BELOW_HEAD)
# With the parts of a letter that each looks at; in the order in which problems are told.
_CHECKS: Final[tuple[tuple[Callable[[View, Material], Iterator[Finding]], Sequence[Part]], ...]] = (
    (check_dates, _BELOW_HEAD),
    (check_numbers, _BODY),
    (check_names, _ANYWHERE),
    (check_titles, _BODY),
    (check_employers, _ANYWHERE),
    (check_degrees, _BELOW_HEAD),
)


def _drop_repeated(problems: list[str]) -> Iterator[str]:
    """Yield each problem once; of claims that contain each other, only the first."""
    claims: list[str] = []
    for problem in problems:
        quoted = re.search(r"“([^“”]*)”", problem)
        claim = quoted[1].casefold() if quoted else problem
        if not any(claim in earlier or earlier in claim for earlier in claims):
            claims.append(claim)
            yield problem
