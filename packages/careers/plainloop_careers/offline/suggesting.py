"""The nearest sentence, or form, for a request that the rules do not understand.

What is recognised here is shown to a person, who says it or stores it: nothing is stored by it.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlencode

from plainloop.agent.offline.reading import Call, Move, Reading
from plainloop.agent.offline.rules import Suggestion
from plainloop.agent.types import ChatRequest, ToolSchema

from ..files import load_data
from ..jobs.imports import from_text
from ..jobs.salaries import parse_salary
from ..resumes.titles import is_title
from ..web.postings import add_description

_WORDS: Final = load_data(__file__, "suggesting.toml")
_KINDS: Final = [(kind, re.compile(said, re.I)) for kind, said in _WORDS["kinds"].items()]
_STATUSES: Final = [(name, re.compile(said, re.I)) for name, said in _WORDS["statuses"].items()]
_PAIRS: Final = [re.compile(said) for said in _WORDS["pairs"]]
_AT: Final = _PAIRS[3]  # of those, "TITLE at COMPANY"
_LEADING: Final = re.compile(_WORDS["leading"], re.I)
_QUERY: Final = re.compile(_WORDS["query"], re.I)
_CUT: Final = re.compile(_WORDS["cut"], re.I)
_UNSURE: Final = re.compile(_WORDS["unsure"], re.I)
_COMPANY: Final = re.compile(_WORDS["company"])
_PLACE: Final = re.compile(_WORDS["place"])
_POSTING: Final = re.compile(_WORDS["posting"], re.I)
_SAVE: Final = re.compile(_WORDS["save"], re.I)
_URL: Final = re.compile(r"https?://[^\s<>\"'”]{4,500}")
_END: Final = re.compile(_WORDS["ending"], re.I)
_SHOWN: Final = ("title", "company", "location", "url", "salary_min", "salary_max")
_FORM_FIELDS: Final = (*_SHOWN, "salary_currency", "salary_period", "remote_type", "status")
MAX_POSTING_CHARS: Final = 20_000
_POSTING_LINES: Final = 4
_POSTING_CHARS: Final = 250


def suggest(request: str) -> Suggestion | None:
    """The sentence that does what a request seems to ask for, and the form that begins with it.

    >>> suggest("Got rejected by Initech yesterday").sentence
    'move the Initech job to rejected'
    >>> suggest("I found a Nurse position at City Hospital, can you save it?").sentence
    'add a job: "Nurse" at "City Hospital"'
    """
    text = " ".join(request[:1_000].split())
    fields = _recognize(text)
    title, company, status = (fields.get(name) for name in ("title", "company", "status"))
    hits = ((kind, hit) for kind, said in _KINDS if (hit := said.search(text)))
    kind, found = next(hits, ("", None))
    if kind in ("count", "list", "search", "import", "contacts"):
        return _suggest_reading(kind, text, fields)
    if _UNSURE.search(text):
        return None
    if kind == "profile":
        return Suggestion("", "#/careers.profile", "Your profile")
    if kind in ("company", "contact") and found:
        name = _trim(found["name"].split(" at ")[0])
        at = f' at "{company}"' if kind == "contact" and company else ""
        return Suggestion(f'add a {kind}: "{name}"{at}') if name else None
    if kind == "update":
        number = re.search(r"#\d+", text)
        row = number[0] if number else f"the {company or 'COMPANY'} job"
        return Suggestion(f"update {row}, notes: TEXT")
    if kind == "letter":
        if dict(_KINDS)["delete"].search(text):
            return None  # a letter is a document, deleted in its screen
        return Suggestion(f"write a cover letter for the {company or 'COMPANY'} job")
    if kind == "delete":
        return Suggestion(f"delete the {company} job") if company else None
    if company and status and not title and kind != "add":
        return Suggestion(f"move the {company} job to {status}")
    if title or company or "url" in fields or kind == "add":
        return Suggestion(_to_sentence(fields), _to_form(fields), "Add a job")
    return None


def _suggest_reading(kind: str, text: str, fields: dict[str, Any]) -> Suggestion:
    """A sentence that changes nothing: a count, a list, a search."""
    company, status = fields.get("company"), fields.get("status")
    if kind == "count":
        return Suggestion(
            f"how many jobs have I {'applied to' if status == 'applied' else 'saved'}?"
        )
    if kind == "list":
        at = f" at {company}" if company else ""
        known = f"{status} " if status and not at and not _UNSURE.search(text) else ""
        return Suggestion(f"list my {known}jobs{at}")
    if kind == "contacts":
        return Suggestion(f"list my contacts at {company or 'COMPANY'}")
    if kind == "search":
        query = _QUERY.search(text)
        place = f" in {fields['location']}" if "location" in fields else ""
        wanted = query["query"] if query else fields.get("title", "TITLE")
        return Suggestion(f"find {wanted} jobs{place}")
    return Suggestion("", "#/careers.tracker", "Import a list", "plainloop import job FILE")


def _recognize(text: str) -> dict[str, Any]:
    """What a sentence seems to say of a job."""
    fields: dict[str, Any] = {}
    url = _URL.search(text)
    if url:
        fields["url"] = url[0].rstrip(".,)")
        text = text.replace(url[0], " ")
    for pattern in _PAIRS:
        found = pattern.search(text)
        title, company = (_trim(found[name]) if found else "" for name in ("title", "company"))
        # "Kellner bei Gasthof Post": a name in capitals beside a company is a title, too.
        is_named = title[:1].isupper() and len(title.split()) <= 4
        company = _CUT.sub("", company)
        if company and (is_title(title) or (is_named and pattern is _AT)):
            fields |= {"title": title, "company": company}
            break
    company = _COMPANY.search(text)
    if "company" not in fields and company:
        fields["company"] = _trim(company["company"])
    place = _PLACE.search(text)
    if place and place[1] != fields.get("company"):
        fields["location"] = place[1]
    status = next((name for name, said in _STATUSES if said.search(text)), None)
    mode = re.search(r"\b(remote|hybrid|on-?site)\b", text, re.I)
    fields |= {"status": status, "remote_type": mode and mode[1].lower().replace("-", "")}
    fields |= parse_salary(re.sub(r"#\d+", "", text)) if re.search(r"[$€£¥]|\dk\b", text) else {}
    return {name: value for name, value in fields.items() if value}


def _trim(name: str) -> str:
    bare = _END.sub("", name.strip(" ,.;:!?\"'“”()"))
    return _LEADING.sub("", bare).strip(" ,.;:!?\"'“”()")


def _to_sentence(fields: dict[str, Any]) -> str:
    """A sentence of the grammar; "" where the title, or the company, is for the form to add."""
    if "url" in fields and ("title" not in fields or "company" not in fields):
        return f"save this job: {fields['url']}"
    if "title" not in fields or "company" not in fields:
        return ""
    parts = [f'add a job: "{fields["title"]}" at "{fields["company"]}"']
    if "location" in fields:
        parts.append(f'location: "{fields["location"]}"')
    for name in ("remote_type", "url"):
        parts += [str(fields[name])] if name in fields else []
    if fields.get("status", "saved") != "saved":
        parts.append(f"status: {fields['status']}")
    return ", ".join(parts)


def _to_form(fields: dict[str, Any]) -> str:
    """The address of the console's form with these fields."""
    said = {name: fields[name] for name in _FORM_FIELDS if name in fields}
    return f"#/careers.tracker?{urlencode({'add': 'saved', **said})}"


def is_posting(reading: Reading, tools: tuple[ToolSchema, ...]) -> bool:
    """Whether somebody pasted a posting: several lines, with what one asks for and offers."""
    text = reading.request[:MAX_POSTING_CHARS]
    is_long = len(text) >= _POSTING_CHARS and text.count("\n") >= _POSTING_LINES
    return is_long and len({found.lower() for found in _POSTING.findall(text)}) >= 2


def choose_posting_move(reading: Reading, request: ChatRequest) -> Move:
    """Save a posting whose title and company are said for certain; else offer it as a form."""
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
