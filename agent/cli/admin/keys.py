"""`plainloop keys`: make, list, revoke."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from ...config.settings import load_settings
from ...errors import InputError, NotFoundError
from ...store.admin.api_keys import (
    ApiKey,
    KeyBounds,
    NewKey,
    Scope,
    create_key,
    list_keys,
    revoke_key,
)
from ...store.store import Store
from ..terminal import output
from ..terminal.rendering import format_time, render_table


async def print_new_key(
    store: Store, tenant: str, user: str, name: str, scope: Scope, days: float | None
) -> None:
    """Raises: InputError, ConflictError."""
    limits = load_settings().limits
    scopes: tuple[Scope, ...] = ("write", "admin") if scope == "admin" else (scope,)
    bounds = KeyBounds(limits.api_keys_per_user, limits.api_key_days)
    async with store.transaction(tenant) as tx:
        key_id, key = await create_key(tx, NewKey(user, name, scopes, days), bounds)
    output.write_line(key)
    output.write_status(f"{key_id[:13]}  {name}: it is not shown again")


async def print_keys(store: Store, tenant: str, user: str | None, *, as_json: bool) -> None:
    found = await list_keys(store.read(tenant), user)
    if as_json:
        output.write_line(msgspec.json.encode(found).decode())
        return
    if not found:
        output.write_line("no keys")
        return
    rows = [
        [
            *(key.key_id[:13], key.user_id, key.name, f"…{key.ending}", " ".join(key.scopes)),
            *(_describe_state(key), format_time(key.last_used_at) if key.last_used_at else "never"),
        ]
        for key in found
    ]
    heads = ["id", "user", "name", "key", "scopes", "holds", "last used"]
    output.write_lines(render_table(heads, rows))


async def revoke_named_key(store: Store, tenant: str, text: str) -> None:
    """Raises: NotFoundError, InputError when several are called or begin so."""
    async with store.transaction(tenant) as tx:
        found = [
            key
            for key in await list_keys(tx, None)
            if text and (key.name == text or key.key_id.startswith(text))
        ]
        if not found:
            raise NotFoundError(f"no such key: {text}", hint="`plainloop keys list`")
        if len(found) > 1:
            raise InputError(f"several keys are called {text!r}, or begin so")
        await revoke_key(tx, found[0].key_id, None)
    output.write_line(f"revoked: {found[0].name} of {found[0].user_id}")


def _describe_state(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return "revoked"
    is_over = key.expires_at <= datetime.now(UTC)
    return "expired" if is_over else f"until {format_time(key.expires_at)}"
