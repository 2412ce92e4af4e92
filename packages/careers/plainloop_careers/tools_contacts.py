"""Tools for contacts and companies. Saving a job makes both by itself; these change them."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.taint import UNTRUSTED, UNTRUSTED_NOTE
from plainloop.agent.core.tools import ToolContext, ToolOutcome, tool
from plainloop.agent.errors import ToolError
from plainloop.agent.store.database import Row

from . import store
from .jobs.fields import clean_line

MOST_LISTED: Final = 50
_CONTACT_FIELDS: Final = ("contact_id", "name", "email", "company", "notes")
_COMPANY_FIELDS: Final = ("company_id", "name", "url", "notes", "jobs")


@tool("read")
async def list_contacts(
    tool: ToolContext, name: str | None = None, company: str | None = None
) -> ToolOutcome:
    """Contacts; filters match a part."""
    rows = await store.list_contacts(
        tool.db,
        tool.tenant_id,
        tool.user_id,
        MOST_LISTED,
        name=clean_line(name),
        company=clean_line(company),
    )
    return _list("contacts", rows, _CONTACT_FIELDS)


@tool("write")
async def save_contact(
    tool: ToolContext,
    name: str | None = None,
    email: str | None = None,
    company: str | None = None,
    notes: str | None = None,
) -> dict[str, Any]:
    """Save or change a contact."""
    who, address = clean_line(name), clean_line(email)
    if not who and not address:
        raise ToolError("give at least a name or an e-mail address")
    owner = (tool.tenant_id, tool.user_id)
    place = clean_line(company) or await _find_company(tool, who or address or "")
    mark = tool.is_tainted
    row = await store.save_contact(tool.db, *owner, who, address, place, is_untrusted=mark)
    changed = _drop_unset({"email": address, "notes": _clean_text(notes)})
    if any(row[key] != value for key, value in changed.items()):
        key = (*owner, row["contact_id"], changed)
        row = await store.update_contact(tool.db, *key, is_untrusted=mark) or row
    return {"contact": _show(row, _CONTACT_FIELDS)}


@tool("read")
async def list_companies(tool: ToolContext, name: str | None = None) -> ToolOutcome:
    """Companies, with the number of jobs there."""
    owner = (tool.tenant_id, tool.user_id)
    rows = await store.list_companies(tool.db, *owner, MOST_LISTED, name=clean_line(name))
    return _list("companies", rows, _COMPANY_FIELDS)


@tool("write")
async def save_company(
    tool: ToolContext, name: str, url: str | None = None, notes: str | None = None
) -> dict[str, Any]:
    """Save or change a company."""
    called = clean_line(name)
    if not called:
        raise ToolError("name is empty")
    owner = (tool.tenant_id, tool.user_id)
    mark = tool.is_tainted
    row = await store.save_company(tool.db, *owner, called, clean_line(url), is_untrusted=mark)
    changed = _drop_unset({"url": clean_line(url), "notes": _clean_text(notes)})
    if any(row[key] != value for key, value in changed.items()):
        key = (*owner, row["company_id"], changed)
        row = await store.update_company(tool.db, *key, is_untrusted=mark) or row
    return {"company": _show(row, _COMPANY_FIELDS)}


async def _find_company(tool: ToolContext, called: str) -> str | None:
    """Where the one known contact of this name is; a new one is made for none or several."""
    rows = await store.list_contacts(
        tool.db, tool.tenant_id, tool.user_id, MOST_LISTED, name=called
    )
    same = [row for row in rows if (row["name"] or row["email"]).casefold() == called.casefold()]
    return same[0]["company"] if len(same) == 1 else None


def _list(name: str, rows: list[Row], fields: tuple[str, ...]) -> ToolOutcome:
    """Rows for the model. Of each, the fields that were written after reading text from outside are
    from outside still.
    """
    shown = [_show(row, fields) for row in rows]
    listed: dict[str, Any] = {name: shown, "total": store.get_total(rows)}
    marked = zip(rows, shown, strict=True)
    outside = [
        f"{name}/{n}/{key}"
        for n, (row, item) in enumerate(marked)
        for key in sorted(row["outside"])
        if key in item
    ]
    return ToolOutcome(listed | ({UNTRUSTED: UNTRUSTED_NOTE} if outside else {}), outside=outside)


def _show(row: Row, fields: tuple[str, ...]) -> dict[str, Any]:
    return {name: row[name] for name in fields if row.get(name) not in (None, "")}


def _drop_unset(fields: dict[str, str | None]) -> dict[str, str]:
    return {key: value for key, value in fields.items() if value}


def _clean_text(text: str | None) -> str | None:
    return clean_text(text).strip() or None if text else None
