"""`/api/failures`: failed runs by cause, for who runs the service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from msgspec import Meta, Struct

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import AccessDenied
from ...agent.store.outcomes.failures import FailureCause, list_failures
from .choosing import to_aware
from .conversations import check_limit

PERIOD: Final = timedelta(days=7)


class FailuresQuery(Struct, forbid_unknown_fields=True):
    since: datetime | None = None  # None: the last seven days; without a zone: UTC
    until: datetime | None = None
    limit: Annotated[int, Meta(ge=1)] = 50


class Failures(Struct):
    causes: list[FailureCause]  # the commonest first


async def list_causes(request: ApiRequest, query: FailuresQuery) -> Failures:
    """Count the tenant's failed runs by cause.

    By default those of a recent period. Raises: AccessDenied for who is no admin: providers' words
    may quote other users.
    """
    if not request.is_admin:
        raise AccessDenied(
            "only an administrator can see the failed runs of other users",
            hint="Sign in as an administrator; GET /api/runs/{id} explains a run of your own.",
        )
    limit = check_limit(request, query.limit)
    since = to_aware(query.since) or datetime.now(UTC) - PERIOD
    return Failures(await list_failures(request.db, since, to_aware(query.until), limit))


FAILURE_ROUTES: Final = (
    ApiRoute("GET", "/api/failures", list_causes, "List failed runs by cause"),
)
