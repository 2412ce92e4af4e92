"""API keys: a program's way in, as one user of one tenant, until it expires or is revoked.

    plk_<tenant, base64>.<256 random bits>

It is shown once, when it is made; only its hash is kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from ...base.ids import make_id
from ...dataclasses import dataclass
from ...errors import ConflictError, InputError, NotFoundError
from ..database import Queryable, parse_id
from ..sql_blocks import load_sql
from .tenant_secrets import hash_secret, join_secret

SQL: Final = load_sql(Path(__file__).parent / "api_keys.sql")
PREFIX: Final = "plk_"
Scope = Literal["read", "write", "admin"]
SHOWN_CHARS: Final = 4
MAX_KEY_NAME_CHARS: Final = 100
DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class NewKey:
    """Input of `create_key`: a name, the user and scopes.
    scopes: `read` alone changes nothing and begins no run; `admin`
    acts for the whole tenant. valid_days: None: as long as settings allow.
    """

    user_id: str
    name: str
    scopes: Sequence[Scope] = ("read", "write")
    valid_days: float | None = None


@dataclass(frozen=True, slots=True)
class KeyBounds:
    """Limits on the API keys of one user, as the settings set them."""

    most: int  # that hold at once, of one user
    longest_days: float


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """The user for whom a valid API key authenticates requests, and its scopes."""

    key_id: str
    user_id: str
    scopes: Collection[Scope]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key as lists show it, without its secret. ending: its last 4 characters."""

    key_id: str
    user_id: str
    name: str
    ending: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None  # to the minute; None: never
    revoked_at: datetime | None


async def create_key(tx: Queryable, new: NewKey, bounds: KeyBounds) -> tuple[str, str]:
    """Create an API key for a user; return (id, secret). The secret cannot be read again.

    Raises: InputError for a wrong name or validity; ConflictError TOO_MANY_KEYS.
    """
    days = bounds.longest_days if new.valid_days is None else new.valid_days
    if not 0 < days <= bounds.longest_days:
        raise InputError(
            f"an API key can be valid for at most {bounds.longest_days:g} days, not {days:g}",
            hint="Choose fewer days, or raise AGENT_LIMITS_API_KEY_DAYS.",
        )
    name = new.name.strip()
    if not name or len(name) > MAX_KEY_NAME_CHARS or not name.isprintable():
        raise InputError(
            f"an API key's name must have 1 to {MAX_KEY_NAME_CHARS} characters",
            hint="Choose another name.",
        )
    secret, key_id = secrets.token_urlsafe(32), make_id()
    scopes = sorted({*new.scopes, "read"})
    row = (key_id, new.user_id, name, hash_secret(secret), secret[-SHOWN_CHARS:], scopes)
    # Count and create keys one after the other: two requests at once would both see room for the
    # last key (test_simultaneous_requests_create_no_more_keys_than_allowed).
    await tx.execute(SQL["take_turn"], tx.tenant_id, new.user_id)
    sql = SQL["save_key"]
    if not await tx.fetchval(sql, tx.tenant_id, *row, days * DAY_S, bounds.most):
        raise ConflictError(
            f"the user already has {bounds.most} valid keys",
            hint="Revoke one first. limits.api_keys_per_user sets the maximum.",
            code="TOO_MANY_KEYS",
        )
    return key_id, PREFIX + join_secret(tx.tenant_id, secret)


async def find_key(db: Queryable, secret: str) -> KeyOwner | None:
    """Find the owner of an API key by the key's secret, and note the key's use; else None."""
    found = await db.call("plainloop_find_key", hash=hash_secret(secret).hex())
    return KeyOwner(**found[0]) if found else None


async def has_key(db: Queryable, key_id: str) -> bool:
    """Whether the API key with this id is still valid."""
    return await db.fetchval(SQL["has_key"], db.tenant_id, key_id) is not None


async def list_keys(db: Queryable, user_id: str | None) -> list[ApiKey]:
    """List a user's API keys, newest first, including invalid ones. user_id None: all users'."""
    rows: Any = await db.fetch(SQL["list_keys"], db.tenant_id, user_id)
    return [ApiKey(**row) for row in rows]


async def count_ending_keys(db: Queryable) -> int:
    """Count the keys of all tenants that expire within two weeks."""
    return await db.fetchval(SQL["count_ending_keys"])


async def revoke_key(tx: Queryable, key_id: str, user_id: str | None) -> str:
    """Revoke an API key and end the sessions that were started with it; return its owner.
    user_id: its required owner; None: anyone.

    Raises: NotFoundError.
    """
    asked = parse_id(key_id, "key")
    owner: str | None = await tx.fetchval(SQL["revoke_key"], tx.tenant_id, asked, user_id)
    if owner is None:
        raise NotFoundError(
            f"no such key: {key_id}", hint="`plainloop keys list` and GET /api/keys show all keys."
        )
    return owner
