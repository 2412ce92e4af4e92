"""The audit log: administrators' actions on a tenant, stored with the action, never changed.

Of an erased user the names go, the deeds stay. The database itself refuses any other change.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from ...base.ids import make_id
from ...dataclasses import dataclass, field
from ..database import Queryable, parse_id
from ..records import Budget
from ..sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "audit.sql")
Action = Literal[
    "budget.save", "budget.delete", "key.create", "key.revoke", "user.erase", "document.save",
    "tenant.export", "tenant.release", "webhook.create", "webhook.delete", "webhook.enable",
    "schedule.create", "schedule.pause", "schedule.resume", "schedule.delete", "document.delete",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of an administrative action: a user, or the account that ran a command."""

    name: str
    via: Literal["http", "cli"]
    key_id: str | None = None  # of the API key that the user asked with


@dataclass(frozen=True, slots=True)
class Deed:
    """An administrative action for the audit log. details: numbers and fixed words only."""

    action: Action
    target: str = ""  # the id of what it was done to
    about: str = ""  # the user whom it concerns
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the audit log as lists show it."""

    entry_id: str
    at: datetime
    actor: str  # "": erased
    via: Literal["http", "cli"]
    key_id: str | None
    action: str
    target: str
    about: str
    details: dict[str, Any]


def name_account() -> Actor:
    """Return the operating system's account, as the audit log's actor for a command."""
    try:
        return Actor(getpass.getuser(), "cli")
    except (KeyError, OSError):  # a container's, which has no name
        return Actor(f"uid {os.getuid()}", "cli")


def tell_saved(budget_id: str, budget: Budget, action: Action = "budget.save") -> Deed:
    """Build the audit log's entry about a saved or deleted budget."""
    usd = budget.limit_usd
    limits = {"limit_tokens": budget.limit_tokens, "limit_usd": None if usd is None else f"{usd:f}"}
    kind = {"scope": budget.scope, "period": budget.period, "is_hard": budget.is_hard}
    zone = {} if budget.zone == "UTC" else {"zone": budget.zone}
    return Deed(action, budget_id, budget.user_id or "", {**kind, **limits, **zone})


async def record_audit(tx: Queryable, actor: Actor, deed: Deed) -> None:
    """Add an entry to the audit log in this transaction."""
    who = (make_id(), actor.name, actor.via, actor.key_id)
    what = (deed.action, deed.target, deed.about, dict(deed.details))
    await tx.execute(SQL["record_audit"], tx.tenant_id, *who, *what)


async def list_audit(
    db: Queryable,
    limit: int | None,
    before: str | None,
    *,
    actor: str = "",
    action: str = "",
    text: str = "",
) -> list[AuditEntry]:
    """List a tenant's audit log entries, newest first, from the entry `before` backwards.

    actor and text: contained in the actor's name, in the object or details; action: `budget.save`,
    or `budget` for all of them. "": any. Raises: NotFoundError.
    """
    before = None if before is None else parse_id(before, "entry")
    kind = f"{action}." if action else ""
    rows: Any = await db.fetch(SQL["list_audit"], db.tenant_id, before, limit, actor, kind, text)
    return [AuditEntry(**row) for row in rows]
