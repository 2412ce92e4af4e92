"""Cover letters made only of what the résumé states and the posting names."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.foreign_json import as_list, as_object, list_objects, to_list
from plainloop.agent.base.text import fold
from plainloop.agent.offline.brain.composing import compose_unread
from plainloop.agent.offline.brain.rows import (
    Row,
    find_reference,
    find_rows,
    format_row,
    get_row_id,
    narrow_rows,
)
from plainloop.agent.offline.reading import Call, Done, Move, Reading, take_call
from plainloop.agent.types import ChatRequest, ToolSchema

from ..letters.wishes import read_wish
from ..resumes.review import is_fragment
from .resumes import is_heading, parse_resume

_READS: Final = ("list_jobs", "read_resume", "read_user_profile")
_ROLE: Final = re.compile(r"\b(?:writ\w+|draft\w*|compos\w+)\b[^.\n]{0,60}\bcover letters?\b", re.I)
_ROLE_CHARS: Final = 400
# A letter is asked for in these words, and for a job that is named in one of these ways.
_WANTED: Final = re.compile(
    r"^\W*+(?:(?:please|now|can you|could you|would you|i (?:need|want)|also|then)\b[\s,]*+)*"
    r"(?:(?:write|draft|compose|create|generate|make|rewrite|redo|prepare)\s++)?(?:me\s++)?"
    r"(?:an?\s++|the\s++|another\s++|it\b)?\s*+(?:new\s++)?"
    r"(?:(?:cover|motivation|application)[- ]?)?letter\b(?P<rest>.*)",
    re.I | re.S,
)
_WORDS: Final = r"[^,.;!?\n]{2,60}?"
_POST: Final = r"(?:job|position|role|application|opening|one)"
_TARGET: Final = re.compile(
    r"\s*(?:for|to|at|about|on)\s+(?:(?P<it>it|them|that one|(?:that|this) (?:job|role|position))"
    rf"|(?:the\s+|my\s+)?(?:{_POST}\s+|number\s+)?#?(?P<number>\d{{1,9}})"
    rf"|(?:the\s+|an?\s+|my\s+)?(?P<title>{_WORDS})(?:\s+{_POST})?\s+at\s+(?P<company>{_WORDS})"
    rf"|(?:the\s+|my\s+)?(?P<name>{_WORDS})(?:\s+{_POST})?)"
    r"(?P<rest>\W*(?:,?\s*(?:please|thanks)\W*)*)",
    re.I,
)
_POST_WORD: Final = re.compile(rf"\b{_POST}\b", re.I)
_YEAR: Final = re.compile(r"\b(?:19|20)\d{2}\b")
_CANNOT: Final = (
    "I wrote nothing: without a language model, I can only write cover letters in English."
)
_NO_RESUME: Final = (
    "I cannot write the letter: there is no résumé to take facts from{reason}. "
    "Drop one on the page Résumé and profile first, or: plainloop import resume FILE."
)
_MAX_HIGHLIGHTS: Final = 2
_MAX_JOBS: Final = 2
_MAX_SKILLS: Final = 6
_POSTING_KEYS: Final = ("title", "requirements", "nice_to_haves", "description", "notes", "tags")


def is_letter_turn(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether a letter is this worker's job, or asked for where the tools for it are at hand."""
    if "read_resume" not in {tool.name for tool in tools}:
        return False
    is_role = _ROLE.search(reading.system[:_ROLE_CHARS]) is not None
    return is_role or _WANTED.match(reading.request) is not None


def choose_letter_move(reading: Reading, request: ChatRequest) -> Move:
    """Read job, résumé and profile in one go, then write; ask where the job is not clear."""
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
    letter = compose_letter(job, resume)
    if _get_name(resume):
        return Move(text=letter)
    return Move(text=f"Your résumé contains no name to sign with; add your name.\n\n{letter}")


def compose_letter(job: Row, resume: dict[str, Any]) -> str:
    """The letter: greeting, two to five paragraphs of facts, name."""
    company, title = _get_text(job, "company"), _get_text(job, "title") or "open"
    opening = f"I am applying for the {title} position" + (f" at {company}." if company else ".")
    studies = list_objects(resume.get("education"))[:1]
    bodies = [_tell_work(resume), _tell_skills(resume, job), *map(_tell_education, studies)]
    greeting = f"Dear {company} hiring team," if company else "Dear hiring team,"
    closing = "I would welcome the chance to talk about this role with you."
    signature = "\n".join(part for part in ("Kind regards,", _get_name(resume)) if part)
    return "\n\n".join([greeting, opening, *filter(None, bodies), closing, signature])


def _read_target(request: str) -> dict[str, str] | None:
    """What names the job, by group of `_TARGET`; None where a word is not understood."""
    wanted = _WANTED.fullmatch(request)
    rest = wanted["rest"].strip() if wanted else ""
    match = _TARGET.fullmatch(f" {rest}")
    if wanted is None or match is None:
        return {} if wanted and not rest.strip(" .!?") else None
    said = {key: value for key, value in match.groupdict().items() if value and key != "rest"}
    is_clear = not any(_POST_WORD.search(said.get(key, "")) for key in ("title", "name"))
    return said if is_clear else None


def _find_job(reading: Reading, names: dict[str, str], found: Done | None) -> Row | str:
    """The job's row, or what to tell the user. found: what the tracker lists."""
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


def _tell_work(resume: dict[str, Any]) -> str:
    """One or more sentences on each of the first employments that are named whole."""
    told: list[str] = []
    for entry in list_objects(resume.get("work"))[:_MAX_JOBS]:
        heads = [_get_text(entry, "position"), _get_text(entry, "name")]
        if not any(heads) or any(map(is_fragment, heads)):
            continue
        position = _date(" at ".join(filter(None, heads)), entry)
        whole = [text for text in _list_texts(entry, "highlights") if not is_fragment(text)]
        did = ". ".join(text.rstrip(".") for text in whole[:_MAX_HIGHLIGHTS])
        if told:  # each once: a letter that says everything twice reads like a form
            told.append(f"It also includes {position}{f': {did}' if did else ''}.")
        else:
            told.append(f"My work experience includes {position}.")
            told += [f"From my work there: {did}."] if did else []
    return " ".join(told)


def _tell_skills(resume: dict[str, Any], job: Row) -> str:
    """The skills that the posting names, as the résumé spells them; else its first ones."""
    groups = list_objects(resume.get("skills"))
    names = ((_get_text(group, "name"), *_list_texts(group, "keywords")) for group in groups)
    skills = list(dict.fromkeys(name for group in names for name in group if name))
    texts = [str(item) for key in _POSTING_KEYS for item in to_list(job.get(key)) if item]
    posting = fold(" ".join(texts))
    shared = [s for s in skills if re.search(rf"(?<!\w){re.escape(fold(s))}(?!\w)", posting)]
    *first, last = (shared or skills)[:_MAX_SKILLS] or [""]
    listed = f"{', '.join(first)} and {last}" if first else last
    lead = "Of what the role asks for, I bring" if shared else "My skills include"
    return f"{lead} {listed}." if listed else ""


def _tell_education(entry: dict[str, Any]) -> str:
    degree = " in ".join(filter(None, (_get_text(entry, key) for key in ("studyType", "area"))))
    text = ", ".join(filter(None, (degree, _get_text(entry, "institution"))))
    return f"My education: {_date(text, entry)}." if text else ""


def _date(text: str, entry: dict[str, Any]) -> str:
    """The text with the years that the résumé states: "(2013–2014)", "(since 2019)", or none."""
    found = (_YEAR.search(_get_text(entry, key)) for key in ("startDate", "endDate"))
    start, end = (match[0] if match else "" for match in found)
    period = f"since {start}" if start and not end else "–".join(dict.fromkeys((start, end)))
    return f"{text} ({period.strip('–')})" if start or end else text


def _get_name(resume: dict[str, Any]) -> str:
    """The person's; "" where only a heading stands in its place."""
    name = _get_text(as_object(resume.get("basics")), "name")
    return "" if is_heading(name) else name


def _get_text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _list_texts(entry: dict[str, Any], key: str) -> list[str]:
    items = as_list(entry.get(key))
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]
