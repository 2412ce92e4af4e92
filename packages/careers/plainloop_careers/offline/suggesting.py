"""The nearest sentence, or form, for a request that the rules do not understand.

What is recognised here is shown to a person, who says it or stores it: nothing is stored by it.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlencode

from plainloop.agent.types import ChatRequest, ToolSchema
from plainloop_rules.matching import measure_languages
from plainloop_rules.offline.reading import Call, Move, Reading
from plainloop_rules.offline.rules import Suggestion

from ..files import load_data
from ..jobs.imports import from_text
from ..jobs.salaries import parse_salary
from ..resumes.titles import is_title
from ..web.postings import add_description
from .grammar import write

_WORDS: Final[dict[str, Any]] = load_data(__file__, "suggesting.toml")
_KINDS: Final = [(kind, re.compile(said, re.I)) for kind, said in _WORDS["kinds"].items()]
_STATUSES: Final = [(name, re.compile(said, re.I)) for name, said in _WORDS["statuses"].items()]
_PAIRS: Final[list[re.Pattern[str]]] = [re.compile(said) for said in _WORDS["pairs"]]
_AT: Final = frozenset(_PAIRS[2:3] + _PAIRS[7:8])  # of those, "TITLE at COMPANY"
_LEADING: Final = re.compile(_WORDS["leading"], re.I)
_QUERY: Final = re.compile(_WORDS["query"], re.I)
_CALLED: Final = re.compile(_WORDS["called"], re.I)
_EVERY: Final = re.compile(_WORDS["every"], re.I)
_CUT: Final = re.compile(_WORDS["cut"], re.I)
_UNSURE: Final = re.compile(_WORDS["unsure"], re.I)
_COMPANIES: Final[list[re.Pattern[str]]] = [re.compile(said) for said in _WORDS["company"]]
_PLACE: Final = re.compile(_WORDS["place"])
_POSTING: Final = re.compile(_WORDS["posting"], re.I)
_SAVE: Final = re.compile(_WORDS["save"], re.I)
_IMPORT: Final = re.compile(r"import my (?:list|résumé)", re.I)
_HARMLESS: Final = re.compile(_WORDS["harmless"], re.I)
_CITY: Final = re.compile(_WORDS["city"], re.I)
_RESUME: Final = re.compile(_WORDS["resume"], re.I)
_PAY: Final = re.compile(_WORDS["pay"])
_URL: Final = re.compile(r"https?://[^\s<>\"'”]{4,500}")
_END: Final = re.compile(_WORDS["ending"], re.I)
_SHOWN: Final = ("title", "company", "location", "url", "salary_min", "salary_max")
_FORM_FIELDS: Final = (*_SHOWN, "salary_currency", "salary_period", "remote_type", "status")
_PHRASE_SHARE: Final = 0.4
MAX_POSTING_CHARS: Final = 20_000
_POSTING_LINES: Final = 4
_POSTING_CHARS: Final = 250


def suggest(request: str) -> Suggestion | None:
    """Suggest what the user may have meant by a request that no rule understands; else None.

    >>> suggest("Got rejected by Initech yesterday").sentence
    'move the Initech job to rejected'
    >>> suggest("Initech hat mir leider abgesagt").sentence
    'verschiebe die Stelle bei Initech auf abgelehnt'
    """
    text = " ".join(request[:1_000].split()).lstrip("¿¡ ")
    fields = _recognize(text)
    title, company, status = (fields.get(name) for name in ("title", "company", "status"))
    hits = ((kind, hit) for kind, said in _KINDS if (hit := said.search(text)))
    kind, found = next(hits, ("", None))

    def say(form: str, **values: Any) -> Suggestion:
        return Suggestion(write(form, text, **values))

    if kind == "import":
        is_resume = _RESUME.search(text) is not None
        return IMPORTS["resume" if is_resume else "jobs"]
    if kind in ("count", "list", "search", "contacts", "profile", "resume"):
        return _suggest_reading(kind, text, fields)
    if kind == "advice" or _UNSURE.search(_HARMLESS.sub("", text)):
        return None
    if kind == "note_profile":
        return Suggestion("", "#/careers.profile", "Your profile")
    if kind in ("company", "contact") and found:
        name = _trim(found["name"].split(" at ")[0])
        return say(f"add_{kind}", name=name, company=company) if name else None
    number = found[1] if (found := re.search(r"#(\d{1,9})", text)) else None
    if company and status and not title and not number and kind not in ("add", "delete"):
        return say("move", company=company, status=status)
    if kind == "update":
        return _suggest_change(text, number, fields)
    if kind == "letter":
        if dict(_KINDS)["delete"].search(text):
            return None  # a letter is a document, deleted in its screen
        return say("letter", company=company)
    if kind == "delete":
        form = "delete_number" if number else "delete"
        return say(form, number=number, company=company) if number or company else None
    if title or "url" in fields or kind == "add":
        return Suggestion(_to_sentence(fields, text), _to_form(fields), "Add a job")
    return say("list_at", company=company) if company else None


def _suggest_change(text: str, number: str | None, fields: dict[str, Any]) -> Suggestion:
    """Suggest the sentence that changes one value of a job, as far as the text names it."""
    told = text.partition(":")[2].strip() or None
    values = {"number": number, "company": fields.get("company")}
    at = "" if number else "_at"
    if _CITY.search(text):
        place = fields.get("location") or told
        return Suggestion(write(f"locate{at}", text, **values, city=place))
    if pay := fields.get("salary_max"):
        return Suggestion(write(f"pay{at}", text, **values, max=pay))
    if number and fields.get("status"):
        return Suggestion(write("move_number", text, number=number, status=fields["status"]))
    return Suggestion(write(f"note{at}", text, **values, text=told))


def _suggest_reading(kind: str, text: str, fields: dict[str, Any]) -> Suggestion:
    """Suggest a sentence that changes nothing: a count, a list, a search."""
    company, status, place = (fields.get(name) for name in ("company", "status", "location"))
    is_every = kind == "list" and status == "applied" and _EVERY.search(text)
    known = None if is_every or _UNSURE.search(text) else status
    values: dict[str, Any] = {"company": company, "status": known}
    if kind == "count":
        form = "count_applied" if status == "applied" else "count_status" if known else "count"
    elif kind == "list":
        form = "list_at" if company else "list_status" if known else "list"
    elif kind == "contacts":
        form = "contacts_at" if company else "contacts"
    elif kind == "search":
        query = _QUERY.search(text)
        wanted = next((said for said in query.groupdict().values() if said), "") if query else ""
        values = {"query": wanted or fields.get("title"), "city": place or company}
        form = "find" if place or company else "find_any"
    else:
        form = kind
    return Suggestion(write(form, text, **values))


IMPORTS: Final = {
    "jobs": Suggestion("", "#/careers.tracker", "Import a list", "plainloop import job FILE"),
    "resume": Suggestion(
        "", "#/careers.profile", "Résumé and profile", "plainloop import resume FILE"
    ),
}


def is_import(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether the user wants to import a file."""
    return _IMPORT.fullmatch(reading.request.strip(" .!")) is not None


def choose_import_move(reading: Reading, request: ChatRequest) -> Move:
    """Tell the user where to import a file, because a chat message cannot carry one."""
    near = IMPORTS["resume" if _RESUME.search(reading.request) else "jobs"]
    return Move(
        text=f"Drop the file here: [{near.title}]({near.form}). In a terminal: `{near.command}`."
    )


def _recognize(text: str) -> dict[str, Any]:
    """Extract the job fields (title, company, URL, status …) that a sentence seems to name."""
    fields: dict[str, Any] = {}
    url = _URL.search(text)
    if url:
        fields["url"] = url[0].rstrip(".,)")
        text = text.replace(url[0], " ")
    for pattern in _PAIRS:
        found = pattern.search(text)
        title, company = (_trim(found[name]) if found else "" for name in ("title", "company"))
        title = _CALLED.sub("", title)
        # "Kellner bei Gasthof Post": a name in capitals beside a company is a title, too.
        is_named = title[:1].isupper() and len(title.split()) <= 4 and not _is_phrase(title)
        company = _CUT.sub("", company)
        if company and (is_title(title) or (is_named and pattern in _AT)):
            fields |= {"title": title, "company": company}
            break
    named = (found for pattern in _COMPANIES if (found := pattern.search(text)))
    company = next(filter(None, (_trim(found["company"]) for found in named)), "")
    if company:
        fields.setdefault("company", company)
    place = _PLACE.search(text)
    if place and place[1] != fields.get("company"):
        fields["location"] = place[1]
    status = next((name for name, said in _STATUSES if said.search(text)), None)
    mode = re.search(r"\b(remote|hybrid|on-?site)\b", text, re.I)
    fields |= {"status": status, "remote_type": mode and mode[1].lower().replace("-", "")}
    fields |= parse_salary(re.sub(r"#\d+", "", text)) if _PAY.search(text) else {}
    return {name: value for name, value in fields.items() if value}


def _is_phrase(text: str) -> bool:
    """Whether a text is part of a sentence in any of the languages, and so not a job title."""
    said = any(pattern.search(text) for _, pattern in _STATUSES)
    return said or max(measure_languages(text).values()) > _PHRASE_SHARE


def _trim(name: str) -> str:
    bare = _END.sub("", name.strip(" ,.;:!?\"'“”()"))
    return re.sub("['’]s$", "", _LEADING.sub("", bare)).strip(" ,.;:!?\"'“”()")


def _to_sentence(fields: dict[str, Any], text: str) -> str:
    """Write the sentence that adds this job; a missing title or company stays in capitals."""
    is_named = "title" in fields and "company" in fields
    if "url" in fields and not is_named:
        return write("save_page", text, url=fields["url"])
    has_status = fields.get("status", "saved") != "saved"
    form = "add_status" if has_status else "add_in" if "location" in fields else "add"
    known = {key: fields.get(key) for key in ("title", "company", "status")}
    return write(form, text, city=fields.get("location"), **known)


def _to_form(fields: dict[str, Any]) -> str:
    """Build the link to the console's form with these fields filled in."""
    said = {name: fields[name] for name in _FORM_FIELDS if name in fields}
    return f"#/careers.tracker?{urlencode({'add': 'saved', **said})}"


def is_posting(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether the request is a pasted job posting, judged by its lines and headings."""
    text = reading.request[:MAX_POSTING_CHARS]
    is_long = len(text) >= _POSTING_CHARS and text.count("\n") >= _POSTING_LINES
    return is_long and len({found.lower() for found in _POSTING.findall(text)}) >= 2


def choose_posting_move(reading: Reading, request: ChatRequest) -> Move:
    """Save a pasted posting if its title and company are certain; else show them as a form."""
    text = _SAVE.sub("", reading.request[:MAX_POSTING_CHARS], count=1).strip()
    read = add_description(from_text(text), None)
    fields = {name: value for name, value in read.items() if value}
    is_whole = "title" in fields and "company" in fields
    done = next((call for call in reading.calls if call.name == "create_job"), None)
    if done is not None:
        made = f"{fields['title']} at {fields['company']}"
        return Move(text=f"That did not work: {done.error}" if done.error else f"Added {made}.")
    is_able = any(tool.name == "create_job" for tool in request.tools)
    if is_whole and is_able and _SAVE.match(reading.request):
        return Move((Call("create_job", fields),))
    guessed = fields if is_whole else {**_recognize(text[:400]), **fields}
    missing = " and ".join(name for name in ("title", "company") if name not in fields)
    asked = f" It does not say the {missing} for certain." if missing else ""
    form = f"[Add it with the form]({_to_form(guessed)})"
    return Move(text=f"This looks like a job posting.{asked} {form}, and check what was read.")
