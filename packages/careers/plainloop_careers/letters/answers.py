"""Cover letters as answers: which text is a letter, is it grounded, and where it is stored."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.messages.contents import get_request_message, get_text, get_turn
from plainloop.agent.base.text.foreign_json import list_objects
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Check
from plainloop.agent.core.state import AgentState
from plainloop.agent.store.database import Queryable, Row
from plainloop_documents.process import Owner

from ..store import (
    get_owner,
    list_jobs_named_in,
    load_job,
    load_profile,
    load_resume,
    save_document,
)
from .grounding import trace_letter
from .grounding.sentences import CLOSING, SALUTATION
from .wishes import KINDS, check_wish, read_job_number, read_wish

_SALUTATION: Final = compile_lazily(rf"^[ \t>*_]*{SALUTATION}[^\n]{{0,80}}$", re.I | re.M)
_CLOSING: Final = compile_lazily(
    rf"^[ \t>*_]*(?:{CLOSING}|with appreciation)[,.!*_ \t]*$", re.I | re.M
)
_BULLET: Final = compile_lazily(r"^[ \t]*[-*•] ", re.M)  # a list of choices or of examples
_LETTER_WORDS: Final = 80  # a text without salutation and closing is a letter from here on
_AFTER_CLOSING_LINES: Final = 6  # name and contact lines; what follows is talk to the user


_OPENING_CHARS: Final = 400
STORED_KINDS: Final = ("cover_letter", "follow_up", "thank_you")  # of the others a row is `other`


def extract_letter(answer: str) -> str | None:
    """Return only the letter from a model's answer; None if the answer has none."""
    start = _SALUTATION.search(answer)
    closing = _CLOSING.search(answer, start.end() if start else 0)
    if start is None and closing is None:
        is_long = len(answer.split()) >= _LETTER_WORDS and "\n\n" in answer.strip()
        return answer.strip() if is_long and not _BULLET.search(answer) else None
    end = len(answer)
    if closing is not None:
        # The name and contact lines after a closing: short lines up to the second blank one.
        rest = answer[closing.end() :]
        taken: list[str] = []
        blanks = 0
        for line in rest.splitlines(keepends=True):
            blanks += not line.strip() and any(item.strip() for item in taken)
            if blanks > 1 or len(line) > 60 or len(taken) > _AFTER_CLOSING_LINES:
                break
            if blanks and line.strip() and not re.search(r"[@\d]|://", line):
                break
            taken.append(line)
        end = closing.end() + len("".join(taken))
    return answer[start.start() if start else 0 : end].strip()


async def check_letter(state: AgentState, ctx: RunView) -> Check:
    """Check the letter in the newest message, as `check_text` does."""
    return await check_text(get_text(state["messages"][-1]), state, ctx)


async def check_text(answer: str, state: AgentState, ctx: RunView) -> Check:
    """Check a letter: its kind and language as requested, and a source for each fact."""
    letter = extract_letter(answer)
    if letter is None:
        return Check()
    db, owner = ctx.store.read(ctx.tenant_id), get_owner(ctx)
    resume, profile = await load_facts(db, owner)
    job = await find_letter_job(db, owner, state, letter)
    check = await trace_letter(letter, resume, profile, job or {}, ctx.limits, owner)
    return Check((*find_unwished(state, letter), *check.problems), check.sources)


def find_unwished(state: AgentState, letter: str) -> tuple[str, ...]:
    """List how a letter differs from the requested kind and language, one sentence for each."""
    wish = read_wish(get_text(get_request_message(state["messages"])))
    return tuple(check_wish(wish, letter))


async def accept_letter(
    state: AgentState, ctx: RunView, text: str, passed: bool, check: Check
) -> None:
    """Store a letter that was checked as the next version of its document.

    A letter of another kind or language than requested is not stored: it would stand in the way of
    the right one. Nor is a long text that has neither salutation nor closing and failed its review:
    it may be the model's explanation why it wrote none.
    """
    letter = extract_letter(text)
    if letter is None:
        return
    if not passed and not (_SALUTATION.search(letter) or _CLOSING.search(letter)):
        ctx.journal.note("letter not stored: no salutation, no closing, and its review failed")
        return
    if find_unwished(state, letter):
        ctx.journal.note("letter not stored: it is not the one that was asked for")
        return
    if text != get_text(state["messages"][-1]):  # an earlier draft: its own findings
        check = await check_text(text, state, ctx)
    db = await ctx.journal.open_transaction()
    job = await find_letter_job(db, get_owner(ctx), state, letter)
    kind = find_kind(get_text(get_request_message(state["messages"])), letter)
    title = KINDS[kind].title
    document_id, version = await save_document(
        db,
        get_owner(ctx),
        kind=kind if kind in STORED_KINDS else "other",
        title=f"{title} for {job['title']} at {job['company']}" if job else title,
        content=letter,
        job_id=job["job_id"] if job else None,
        company=job["company"] if job else None,
        sources=list(check.sources),
        passed=passed,
        problems=list(check.problems),
        run_id=ctx.run.run_id,
    )
    ctx.journal.note(f"letter stored as document {document_id}, version {version}")


def find_kind(request: str, text: str) -> str:
    """Detect a letter's kind from the request or the letter's opening; default `cover_letter`.

    >>> find_kind("write a follow-up for Acme", "Dear team, …")
    'follow_up'
    >>> find_kind("", "Subject: Our interview\\nDear Ann, thank you for the interview.")
    'thank_you'
    """
    for said in (request, text[:_OPENING_CHARS]):
        found = {
            name: match.start()
            for name, kind in KINDS.items()
            if (match := kind.asked.search(said))
        }
        if found:  # "a follow-up on my cover letter" is a follow-up
            return min(found, key=lambda kind: found[kind])
    return "cover_letter"


async def load_facts(db: Queryable, owner: Owner) -> tuple[dict[str, Any], str]:
    """Load what a letter is checked against: résumé (data, or else lines) and profile text."""
    resume = await load_resume(db, owner)
    profile = await load_profile(db, owner)
    data = (resume["data"] or {"text": resume["raw_text"].splitlines()}) if resume else {}
    return data, profile["content"]


async def find_letter_job(
    db: Queryable, owner: Owner, state: AgentState, letter: str
) -> Row | None:
    """Find the job that a letter is about, by the company that it names.

    Jobs of this turn come first, then any of the user's. Among several, one whose title the letter
    or the request names is preferred. A job that the request names by number or company excludes
    all others: a letter may mention another employer.
    """
    request = get_text(get_request_message(state["messages"]))
    if number := read_job_number(request):
        return await load_job(db, owner, number)
    requested = {
        job["company"]
        for job in await list_jobs_named_in(db, owner, request)
        if _is_named(job["company"], request)
    }

    def is_match(job: dict[str, Any]) -> bool:
        return (not requested or job["company"] in requested) and _is_named(job["company"], letter)

    def rank(job: dict[str, Any]) -> tuple[bool, bool]:
        return (not _is_named(job["title"], letter), not _is_named(job["title"], request))

    for job in sorted(filter(is_match, list_shown_jobs(state)), key=rank):
        row = await load_job(db, owner, job["job_id"])
        if row is not None:
            return row
    rows = await list_jobs_named_in(db, owner, letter)
    return min(filter(is_match, rows), key=rank, default=None)


def list_shown_jobs(state: AgentState) -> list[dict[str, Any]]:
    """List the jobs that tool results showed in the current turn."""
    results = [
        part["result"]
        for message in get_turn(state["messages"])
        for part in message["parts"]
        if part["type"] == "tool_result"
    ]
    return [
        job
        for result in list_objects(results)
        for job in list_objects([result.get("job"), *(result.get("jobs") or [])])
        if {"job_id", "company", "title"} <= job.keys()
    ]


def _is_named(name: str, text: str) -> bool:
    """Whether the text contains the name's words in order, ignoring case and punctuation."""
    words = re.findall(r"\w+", name.casefold())
    pattern = r"\W+".join(map(re.escape, words))
    return bool(words) and re.search(rf"(?<!\w){pattern}(?!\w)", text.casefold()) is not None
