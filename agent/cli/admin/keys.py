"""`plainloop keys`: make, list, revoke; `plainloop audit`."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from ...config.settings import load_settings
from ...store.admin.api_keys import (
    ApiKey,
    KeyBounds,
    NewKey,
    Scope,
    create_key,
    list_keys,
    revoke_key,
)
from ...store.admin.audit import Deed, list_audit, name_account, record_audit
from ...store.connecting.settings import KeyLimits
from ...store.store import Store
from ..terminal import output
from ..terminal.naming import find_named
from ..terminal.rendering import format_time, render_table


async def print_new_key(
    store: Store, tenant: str, user: str, name: str, scope: Scope, days: float | None
) -> None:
    """Create an API key and print it. Raises: InputError, ConflictError."""
    limits = load_settings().get_table(KeyLimits)
    scopes: tuple[Scope, ...] = ("write", "admin") if scope == "admin" else (scope,)
    bounds = KeyBounds(limits.api_keys_per_user, limits.api_key_days)
    async with store.transaction(tenant) as tx:
        key_id, key = await create_key(tx, NewKey(user, name, scopes, days), bounds)
        deed = Deed("key.create", key_id, user, {"scopes": sorted(scopes)})
        await record_audit(tx, name_account(), deed)
    # The key alone on stdout, so that `$(plainloop keys create …)` is a key; all else on stderr.
    output.write_line(key)
    output.write_status(f"{key_id[:13]}  {name}: copy the key now, it will not be shown again")


async def print_keys(store: Store, tenant: str, user: str | None, *, as_json: bool) -> None:
    keys = await list_keys(store.read(tenant), user)
    if as_json:
        output.write_line(msgspec.json.encode(keys).decode())
        return
    if not keys:
        output.write_line("no keys")
        return
    rows = [
        [
            *(key.key_id[:13], key.user_id, key.name, f"…{key.ending}", " ".join(key.scopes)),
            *(_describe_state(key), format_time(key.last_used_at) if key.last_used_at else "never"),
        ]
        for key in keys
    ]
    heads = ["id", "user", "name", "key", "scopes", "holds", "last used"]
    output.write_lines(render_table(heads, rows))


async def revoke_named_key(store: Store, tenant: str, text: str) -> None:
    """Revoke the key with this name or id prefix.

    Raises: NotFoundError, InputError when several are called or begin so.
    """
    async with store.transaction(tenant) as tx:
        # Find and revoke in one transaction, so that the key shown as the only match is revoked.
        keys = [(key.key_id, key.name, key) for key in await list_keys(tx, None)]
        key = find_named("key", text, keys)
        owner = await revoke_key(tx, key.key_id, None)
        await record_audit(tx, name_account(), Deed("key.revoke", key.key_id, owner))
    output.write_line(f"revoked: the key {key.name} of the user {key.user_id}")


async def print_audit(store: Store, tenant: str, limit: int, form: str | None) -> None:
    """Print administrators' actions in a tenant as a table, JSON or CSV.
    limit: maximum rows of the table; JSON and CSV contain all entries.
    """
    entries = await list_audit(store.read(tenant), None if form else limit, None)
    if form == "json":
        output.write_line(msgspec.json.encode(entries).decode())
    elif form == "csv":
        from ....server.admin.audit import write_csv

        output.write(write_csv(entries))
    elif not entries:
        output.write_line("no entries")
    else:
        rows = [
            [
                *(format_time(item.at), f"{item.actor or 'erased'} ({item.via})", item.action),
                *(
                    item.target[:13] or "–",
                    item.about or "–",
                    msgspec.json.encode(item.details).decode(),
                ),
            ]
            for item in entries
        ]
        output.write_lines(render_table(["at", "by", "did", "to", "about", "details"], rows))


def _describe_state(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return "revoked"
    is_over = key.expires_at <= datetime.now(UTC)
    return "expired" if is_over else f"until {format_time(key.expires_at)}"
