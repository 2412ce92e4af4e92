"""Cover letters made only of what the résumé states and the posting names."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_rules.offline.brain.composing import compose_unread
from plainloop_rules.offline.brain.rows import (
    Row,
    find_reference,
    find_rows,
    format_row,
    get_row_id,
    narrow_rows,
)
from plainloop_rules.offline.reading import Call, Done, Move, Reading, take_call

from ..files import Patterns
from ..letters.wishes import read_wish
from .letter_text import compose_letter, get_name, is_foreign
from .resumes import parse_resume

_SAID: Final = Patterns(__file__)
_READS: Final = ("list_jobs", "read_resume", "read_user_profile")
_ROLE: Final = re.compile(r"\b(?:writ\w+|draft\w*|compos\w+)\b[^.\n]{0,60}\bcover letters?\b", re.I)
_ROLE_CHARS: Final = 400
# A letter is asked for in these words, and for a job that is named in one of these ways.
_WANTED: Final = _SAID.compile("wanted")
_POST: Final = r"(?:job|position|role|application|opening|one)"
_TARGET: Final = _SAID.compile("target")
# As the console names a job: "for Chef at Noma (job 2)".
_NUMBERED: Final = re.compile(r"\(job #?(\d{1,9})\)(?=[\s.!?]{0,4}$)", re.I)
_POST_WORD: Final = re.compile(rf"\b{_POST}\b", re.I)
_CANNOT: Final = (
    "I wrote nothing: without a language model, I can only write cover letters in English."
)
_NO_NAME: Final = "Your résumé contains no name to sign with; add your name."
_FOREIGN: Final = (
    "Your résumé is not in English, so the letter leaves out what you did in each position: "
    "add it, or set a provider's key for a letter that a model writes."
)
_NO_RESUME: Final = (
    "I cannot write the letter: there is no résumé to take facts from{reason}. "
    "Drop one on the page Résumé and profile first, or: plainloop import resume FILE."
)


def is_letter_turn(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether the offline provider is to write a letter, by the worker's role or the request."""
    if "read_resume" not in {tool.name for tool in tools}:
        return False
    is_role = _ROLE.search(reading.system[:_ROLE_CHARS]) is not None
    return is_role or is_letter_request(reading.request)


def is_letter_request(request: str) -> bool:
    """Whether a request begins like one for a cover letter."""
    return _WANTED.match(request) is not None


def choose_letter_move(reading: Reading, request: ChatRequest) -> Move:
    """Choose the next step to a letter: read the sources, write it, or ask for the job."""
    wish = read_wish(reading.request)
    if wish.language not in (None, "english"):
        return Move(text=f"{_CANNOT} I cannot write it in {wish.language.capitalize()}.")
    if wish.kinds and "cover_letter" not in wish.kinds:
        return Move(text=f"{_CANNOT} A letter of another kind needs a model.")
    names = _read_target(reading.request)
    if names is None:
        return Move(text=compose_unread(reading.request, reading.request))
    queue, known = reading.calls, {tool.name for tool in request.tools}
    done = {name: take_call(queue, name) for name in _READS if name in known}
    filters = {key: names[key] for key in ("company",) if key in names}
    missing = [
        Call(name, filters if name == "list_jobs" else {})
        for name, call in done.items()
        if call is None
    ]
    if missing:
        return Move(calls=tuple(missing if request.parallel_tool_calls else missing[:1]))
    job = _find_job(reading, names, done.get("list_jobs"))
    if isinstance(job, str):
        return Move(text=job)
    read = done["read_resume"]
    found = as_object(read.result if read else None)
    text = found.get("resume_text")
    resume = parse_resume(text) if isinstance(text, str) else as_object(found.get("resume"))
    if not resume:
        reason = f" ({read.error})" if read and read.error else ""
        return Move(text=_NO_RESUME.format(reason=reason))
    remarks = [] if get_name(resume) else [_NO_NAME]
    remarks += [_FOREIGN] if is_foreign(resume) else []
    return Move(text="\n\n".join([*remarks, compose_letter(job, resume)]))


def _read_target(request: str) -> dict[str, str] | None:
    """Parse which job the request means, by group of `_TARGET`; None if it is unclear."""
    wanted = _WANTED.fullmatch(request)
    rest = wanted["rest"].strip() if wanted else ""
    numbered = _NUMBERED.search(rest)
    match = _TARGET.fullmatch(f" {_NUMBERED.sub('', rest)}")
    if wanted and numbered:
        named = match.groupdict() if match else {}
        company = {"company": named["company"]} if named.get("company") else {}
        return {"number": numbered[1], **company}
    if wanted is None or match is None:
        return {} if wanted and not rest.strip(" .!?") else None
    said = {key: value for key, value in match.groupdict().items() if value and key != "rest"}
    is_clear = not any(_POST_WORD.search(said.get(key, "")) for key in ("title", "name"))
    return said if is_clear else None


def _find_job(reading: Reading, names: dict[str, str], found: Done | None) -> Row | str:
    """Return the row of the job that the request names, or a message to the user instead.

    found: the tracker's list.
    """
    if found is not None and found.error is not None:
        return f"I could not look up the job: {found.error}"
    rows = find_rows(found.result) if found else []
    wanted: int | str | None = int(names["number"]) if "number" in names else None
    if "it" in names or not names:
        wanted = find_reference(reading.before)
    named = " ".join(names[key] for key in ("title", "company", "name") if key in names)
    fitting = narrow_rows(rows, named)
    if wanted is not None:
        fitting = [row for row in rows if get_row_id(row) == wanted]
    total = as_object(found.result if found else None).get("total", len(rows))
    if total != len(rows) and (wanted is None or not fitting):
        return f"I can see only {len(rows)} of all jobs: name the TITLE and the COMPANY."
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        lines = "\n".join(f"- {format_row(row)}" for row in fitting[:20])
        return f"Which job is the letter for?\n{lines}"
    if names.get("company") and names.get("title"):
        return dict(names)  # not tracked, but named well enough to write to
    return "I found no such job. Add it first, or write: for the TITLE position at COMPANY."
