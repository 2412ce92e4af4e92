"""One-time tickets for WebSockets: a browser cannot send a header with them, and what stands in a
URL ends up in logs. A ticket is worth nothing after its first use, or after 30 seconds.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import AuthError
from ...agent.store.admin.tenant_secrets import join_secret, split_secret
from ...agent.store.api import TicketOwner, redeem_ticket, save_ticket
from ...agent.store.store import Store
from .identity import Identity

# Enough for a slow handshake; a ticket that is read in a log later has expired.
VALID_S: Final = 30


class WsTicket(Struct):
    ticket: str
    expires_in_s: int


async def issue_ticket(request: ApiRequest) -> WsTicket:
    return WsTicket(await keep_ticket(request, VALID_S), VALID_S)


async def keep_ticket(request: ApiRequest, valid_s: float, *, is_session: bool = False) -> str:
    """Store a ticket or session for the caller as a hash, and return its secret."""
    secret = secrets.token_urlsafe(32)
    expires_at = request.expires_at
    await save_ticket(
        request.db,
        secret,
        request.user_id,
        is_admin=request.is_admin,
        valid_s=valid_s,
        identity_expires_at=None if expires_at is None else datetime.fromtimestamp(expires_at, UTC),
        is_session=is_session,
        key_id=request.key_id,
    )
    return join_secret(request.tenant_id, secret)


TICKET_ROUTES: Final = (
    ApiRoute(
        "POST",
        "/ws/ticket",
        issue_ticket,
        f"Get a ticket for one WebSocket (`?ticket=`), valid for {VALID_S} seconds",
        status=201,
    ),
)


async def identify_ticket(store: Store, ticket: str) -> Identity:
    """Redeem a single-use WebSocket ticket, and return its caller's identity.

    Raises: AuthError for a ticket that is unknown, used, or too old.
    """
    tenant_id, secret = split_secret(ticket)
    # One statement that removes the row: of two sockets with one ticket only one opens, at whatever
    # replica (test_a_ticket_opens_one_socket_on_any_replica).
    owner = await redeem_ticket(store.read(tenant_id), secret)
    if owner is None:
        raise AuthError(
            "the ticket is unknown, already used or too old",
            hint="Get a new ticket with POST /ws/ticket.",
        )
    return to_identity(tenant_id, owner)


def to_identity(tenant_id: str, owner: TicketOwner) -> Identity:
    until = owner.identity_expires_at
    ends_at = None if until is None else until.timestamp()
    # `can_write` is not stored: making a ticket or a session is a POST, which no key that only
    # reads may send (test_a_read_only_key_cannot_change_anything).
    return Identity(tenant_id, owner.user_id, owner.is_admin, ends_at, owner.key_id)
