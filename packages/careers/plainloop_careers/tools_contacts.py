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
from .store import get_owner

MAX_LISTED: Final = 50
_SHOWN: Final[dict[store.Named, tuple[str, ...]]] = {
    "contact": ("contact_id", "name", "email", "company", "notes"),
    "company": ("company_id", "name", "url", "notes", "jobs"),
}


@tool("read", is_fixed=True)
async def list_contacts(
    tool: ToolContext, name: str | None = None, company: str | None = None
) -> ToolOutcome:
    """Contacts; filters match a part."""
    filters = {"name": clean_line(name), "company": clean_line(company)}
    rows = await store.list_contacts(tool.db, get_owner(tool), MAX_LISTED, **filters)
    return _list("contacts", "contact", rows)


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
    place = clean_line(company) or await _find_company(tool, who or address or "")
    owner, mark = get_owner(tool), tool.is_tainted
    row = await store.save_contact(tool.db, owner, who, address, place, is_untrusted=mark)
    return await _change(tool, "contact", row, email=address, notes=notes)


@tool("read", is_fixed=True)
async def list_companies(tool: ToolContext, name: str | None = None) -> ToolOutcome:
    """Companies, with the number of jobs there."""
    owner = get_owner(tool)
    rows = await store.list_companies(tool.db, owner, MAX_LISTED, name=clean_line(name))
    return _list("companies", "company", rows)


@tool("write")
async def save_company(
    tool: ToolContext, name: str, url: str | None = None, notes: str | None = None
) -> dict[str, Any]:
    """Save or change a company."""
    called, page = clean_line(name), clean_line(url)
    if not called:
        raise ToolError("name is empty: give a name, or leave it out")
    owner, mark = get_owner(tool), tool.is_tainted
    row = await store.save_company(tool.db, owner, called, page, is_untrusted=mark)
    return await _change(tool, "company", row, url=page, notes=notes)


async def _change(
    tool: ToolContext, kind: store.Named, row: Row, notes: str | None, **fields: str | None
) -> dict[str, Any]:
    """Update those fields of a company or contact that differ, and return it for the model."""
    told = {**fields, "notes": clean_text(notes).strip() if notes else None}
    changed = {key: value for key, value in told.items() if value}
    if any(row[key] != value for key, value in changed.items()):
        key = (get_owner(tool), kind, row[f"{kind}_id"], changed)
        row = await store.update_named(tool.db, *key, is_untrusted=tool.is_tainted) or row
    return {kind: _show(row, kind)}


async def _find_company(tool: ToolContext, called: str) -> str | None:
    """Return the company of the only contact with this name; None if there is none or several."""
    rows = await store.list_contacts(tool.db, get_owner(tool), MAX_LISTED, name=called)
    same = [row for row in rows if (row["name"] or row["email"]).casefold() == called.casefold()]
    return same[0]["company"] if len(same) == 1 else None


def _list(name: str, kind: store.Named, rows: list[Row]) -> ToolOutcome:
    """Build a tool's result from rows of companies or contacts, with untrusted fields marked.

    Untrusted are the fields that were written after reading text from outside.
    """
    shown = [_show(row, kind) for row in rows]
    listed: dict[str, Any] = {name: shown, "total": store.get_total(rows)}
    outside = [
        f"{name}/{n}/{key}"
        for n, (row, item) in enumerate(zip(rows, shown, strict=True))
        for key in sorted(row["outside"])
        if key in item
    ]
    return ToolOutcome(listed | ({UNTRUSTED: UNTRUSTED_NOTE} if outside else {}), outside=outside)


def _show(row: Row, kind: store.Named) -> dict[str, Any]:
    return {name: row[name] for name in _SHOWN[kind] if row.get(name) not in (None, "")}


TOOLS: Final = (list_contacts, save_contact, list_companies, save_company)
