"""`/api/keys`: programs' keys. A user makes their own, an admin also others' and admins' ones."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct, field

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.store.admin.api_keys import (
    ApiKey,
    KeyBounds,
    NewKey,
    Scope,
    create_key,
    list_keys,
    revoke_key,
)
from ...agent.store.admin.audit import Deed
from ...agent.store.connecting.settings import KeyLimits
from ..routes.choosing import check_admin, choose_user, record_deed

PATH: Final = "/api/keys"
UserId = Annotated[str, Meta(min_length=1, max_length=255)]


class NewApiKey(Struct, forbid_unknown_fields=True):
    """`read` changes nothing and begins no run; `write` does all that the user may; `admin` acts
    for the whole tenant.
    """

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["nightly report"])]
    scopes: list[Scope] = field(default_factory=lambda: list[Scope](("read", "write")))
    valid_days: Annotated[float, Meta(gt=0)] | None = None  # unset: as long as keys may hold
    user_id: UserId | None = None  # whom it speaks for, for admins; unset: who asks


class MadeApiKey(Struct):
    key_id: str
    key: str  # shown this once


class KeysQuery(Struct, forbid_unknown_fields=True):
    user_id: str | None = None  # another one's, or "*": for admins


class ApiKeyList(Struct):
    keys: list[ApiKey]


async def create(request: ApiRequest, body: NewApiKey) -> MadeApiKey:
    """Create an API key and return it.

    Only this response contains the key. The audit log records that it was created.

    Raises: AccessDenied; ConflictError TOO_MANY_KEYS.
    """
    user_id = body.user_id or request.user_id
    if user_id != request.user_id or "admin" in body.scopes:
        check_admin(
            request,
            "only an administrator can create keys for other users, or administrators' keys",
        )
    if request.key_id is not None:  # or one that is revoked would live on in those that it made
        check_admin(request, "only an administrator's key can create keys")
    limits = request.settings.get_table(KeyLimits)
    bounds = KeyBounds(limits.api_keys_per_user, limits.api_key_days)
    new = NewKey(user_id, body.name, body.scopes, body.valid_days)
    async with request.store.transaction(request.tenant_id) as tx:
        # In one transaction with its entry in the audit log: no key exists that cannot be traced.
        key_id, key = await create_key(tx, new, bounds)
        deed = Deed("key.create", key_id, user_id, {"scopes": sorted(set(body.scopes))})
        await record_deed(tx, request, deed)
    return MadeApiKey(key_id, key)


async def read(request: ApiRequest, query: KeysQuery) -> ApiKeyList:
    user_id = choose_user(
        request, query.user_id, "only an administrator can see the keys of other users"
    )
    return ApiKeyList(await list_keys(request.db, user_id))


async def revoke(request: ApiRequest) -> None:
    """Revoke an API key, and record it in the audit log.

    Only administrators may revoke other users' keys.

    Raises: NotFoundError, for another's as well.
    """
    # Another user's key is not found, rather than forbidden, so that its existence is not revealed
    # (test_keys_are_invisible_to_other_users_and_tenants).
    only = None if request.is_admin else request.user_id
    async with request.store.transaction(request.tenant_id) as tx:
        user_id = await revoke_key(tx, request.params["key_id"], only)
        deed = Deed("key.revoke", request.params["key_id"], user_id)
        await record_deed(tx, request, deed)


KEY_ROUTES: Final = (
    ApiRoute("GET", PATH, read, "List your API keys, without their secrets"),
    ApiRoute("POST", PATH, create, "Create an API key, which is shown only once", status=201),
    ApiRoute("DELETE", PATH + "/{key_id}", revoke, "Revoke an API key", status=204),
)
