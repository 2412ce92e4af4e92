"""Whose rows a request is about, and from when: read alike by every route that asks for them."""

from __future__ import annotations

from datetime import UTC, datetime

from ...agent.core.api import ApiRequest
from ...agent.errors import AccessDenied
from ...agent.store.admin.audit import Actor, Deed, record_audit
from ...agent.store.database import Queryable
from ...agent.usage.report import EVERYBODY


def check_admin(request: ApiRequest, refusal: str) -> None:
    """Check that the caller is an administrator. Raises: AccessDenied, with the text `refusal`."""
    if not request.is_admin:
        raise AccessDenied(refusal)


async def record_deed(tx: Queryable, request: ApiRequest, deed: Deed) -> None:
    """Add the caller's action to the audit log, in the transaction of the action itself."""
    await record_audit(tx, Actor(request.user_id, "http", request.key_id), deed)


def choose_user(request: ApiRequest, wanted: str | None, refusal: str) -> str | None:
    """Return the user whose rows a request wants, or None for all users of the tenant.

    By default it is the caller; only administrators may choose others.
    Raises: AccessDenied, in the words of `refusal`, for another's without the right.
    """
    if wanted is None or wanted == request.user_id:
        return request.user_id
    check_admin(request, refusal)
    return None if wanted == EVERYBODY else wanted


def to_aware(at: datetime | None) -> datetime | None:
    """Return the time, as UTC if it has no time zone."""
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at
