"""Cover letters made only of what the résumé states and the posting names."""

from __future__ import annotations

import re
from typing import Final

from plainloop.agent.base.foreign_json import as_object, list_objects, to_list
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
from plainloop.agent.offline.brain.schemas import fit_arguments
from plainloop.agent.offline.brain.tool_names import find_reader
from plainloop.agent.offline.reading import Call, Done, Move, Reading, take_call
from plainloop.agent.types import ChatRequest, ToolSchema

from ..letters.wishes import read_wish
from ..resumes.review import is_fragment
from .resume_facts import (
    Resume,
    find_resume,
    format_education,
    format_work,
    get_employer,
    get_name,
    get_text,
    list_skills,
    list_texts,
)

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
_CANNOT: Final = "I wrote nothing: without a language model I only have cover letters in English."
_MAX_HIGHLIGHTS: Final = 2
_MAX_JOBS: Final = 2
_MAX_SKILLS: Final = 6
_POSTING_KEYS: Final = (
    "title",
    "requirements",
    "nice_to_haves",
    "description",
    "notes",
    "tags",
    "skills",
)


def is_letter_turn(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether a letter is this worker's job, or asked for where the tools for it are at hand."""
    if find_reader(tools, "resume") is None:
        return False
    is_role = _ROLE.search(reading.system[:_ROLE_CHARS]) is not None
    return is_role or _WANTED.match(reading.request) is not None


def choose_letter_move(reading: Reading, request: ChatRequest) -> Move:
    """Read job, résumé and profile in one go, then write; ask where the job is not clear."""
    tools, queue = request.tools, reading.calls
    wish = read_wish(reading.request)
    if wish.language not in (None, "english"):
        return Move(text=f"{_CANNOT} I cannot write it in {wish.language.capitalize()}.")
    if wish.kinds and "cover_letter" not in wish.kinds:
        return Move(text=f"{_CANNOT} A letter of another kind needs a model.")
    names = _read_target(reading.request)
    if names is None:
        return Move(text=compose_unread(reading.request))
    # The reads that a letter rests on, as far as there are tools.
    lister, *others = (find_reader(tools, noun) for noun in ("job", "resume", "profile"))
    company = {"company": names["company"]} if "company" in names else {}
    jobs = [(lister, fit_arguments(lister.parameters, company))] if lister else []
    needed = [
        Call(one.name, given or {}) for one, given in [*jobs, *((o, {}) for o in others if o)]
    ]
    done = {call.name: take_call(queue, call.name) for call in needed}
    missing = [call for call in needed if done[call.name] is None]
    if missing:
        return Move(calls=tuple(missing if request.parallel_tool_calls else missing[:1]))
    finished = {name: item for name, item in done.items() if item is not None}
    job = _find_job(reading, names, finished.get(lister.name) if lister else None)
    if isinstance(job, str):
        return Move(text=job)
    resume = _find_resume(tools, finished)
    if isinstance(resume, str):
        return Move(text=resume)
    letter = compose_letter(job, resume)
    if get_name(resume):
        return Move(text=letter)
    return Move(text=f"Your résumé names nobody that I could sign with; add your name.\n\n{letter}")


def compose_letter(job: Row, resume: Resume) -> str:
    """The letter: greeting, two to five paragraphs of facts, name."""
    company, title = get_text(job, "company"), get_text(job, "title") or "open"
    opening = f"I am applying for the {title} position" + (f" at {company}." if company else ".")
    studies = map(format_education, list_objects(resume.get("education"))[:1])
    education = [f"My education: {line}." for line in studies if line]
    bodies = [_list_work(resume), _list_skill_sentences(resume, job), education]
    paragraphs = [" ".join(body) for body in bodies if body]
    greeting = f"Dear {company} hiring team," if company else "Dear hiring team,"
    closing = "I would welcome the chance to talk about this role with you."
    signature = "\n".join(part for part in ("Kind regards,", get_name(resume)) if part)
    return "\n\n".join([greeting, opening, *paragraphs, closing, signature])


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
        return f"I see only {len(rows)} of all jobs: say for which TITLE position at which COMPANY."
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        lines = "\n".join(f"- {format_row(row)}" for row in fitting[:20])
        return f"Which job is the letter for?\n{lines}"
    if names.get("company") and names.get("title"):
        return dict(names)  # not tracked, but named well enough to write to
    return "I found no such job. Add it first, or say: for the TITLE position at COMPANY."


def _find_resume(tools: tuple[ToolSchema, ...], done: dict[str, Done]) -> Resume | str:
    reader = find_reader(tools, "resume")
    found = done.get(reader.name) if reader else None
    resume = find_resume(found.result) if found and found.error is None else {}
    if resume:
        return resume
    reason = f" ({found.error})" if found and found.error else ""
    return (
        f"I cannot write the letter: there is no résumé to take facts from{reason}. "
        "Drop one on the page Résumé and profile first, or: plainloop import resume FILE."
    )


def _list_work(resume: Resume) -> list[str]:
    """One or more sentences on each of the first employments that are named whole."""
    sentences: list[str] = []
    for entry in list_objects(resume.get("work"))[:_MAX_JOBS]:
        position, heads = format_work(entry), (get_text(entry, "position"), get_employer(entry))
        if not position or any(map(is_fragment, heads)):
            continue
        whole = [text for text in list_texts(entry, "highlights") if not is_fragment(text)]
        did = ". ".join(text.rstrip(".") for text in whole[:_MAX_HIGHLIGHTS])
        if sentences:  # each once: a letter that says everything twice reads like a form
            sentences.append(f"It also includes {position}{f': {did}' if did else ''}.")
            continue
        sentences.append(f"My work experience includes {position}.")
        sentences += [f"From my work there: {did}."] if did else []
    return sentences


def _list_skill_sentences(resume: Resume, job: Row) -> list[str]:
    """The skills that the posting names, as the résumé spells them; else its first ones."""
    texts = [str(item) for key in _POSTING_KEYS for item in to_list(job.get(key)) if item]
    posting = fold(" ".join(texts))
    skills = list_skills(resume)
    shared = [s for s in skills if re.search(rf"(?<!\w){re.escape(fold(s))}(?!\w)", posting)]
    if shared:
        return [f"Of what the role asks for, I bring {_join(shared[:_MAX_SKILLS])}."]
    return [f"My skills include {_join(skills[:_MAX_SKILLS])}."] if skills else []


def _join(items: list[str]) -> str:
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)
