"""`/api/usage/statement`: a month of the tenant as a page."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta, Struct

from plainloop.agent.config.zones import UTC_ZONE
from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop.server.routes.choosing import check_admin

from .statement import load_statement, parse_month, render_statement


class StatementQuery(Struct):
    month: str | None = None  # "2026-11"; None: the one before this
    markup: Annotated[float, Meta(ge=0, le=1000)] = 0  # percent on top
    zone: Annotated[str, Meta(max_length=64)] = UTC_ZONE  # in which the month and its days begin


async def make_statement(request: ApiRequest, query: StatementQuery) -> ApiFile:
    """Raises: AccessDenied; InputError for what is no month."""
    check_admin(request, "only an administrator can see the usage of other users")
    month = parse_month(query.month, query.zone)
    await roll_up_usage(request.store)
    async with request.store.transaction(request.tenant_id) as tx:
        markup_percent = Decimal(str(query.markup))
        page = await load_statement(tx, month, markup_percent, query.zone)
    name = f"usage-{request.tenant_id}-{month:%Y-%m}.html"
    return ApiFile(render_statement(page).encode(), "text/html; charset=utf-8", name)


STATEMENT_ROUTE: Final = ApiRoute(
    "GET",
    "/api/usage/statement",
    make_statement,
    "Print a month's usage of the tenant as a page (admins)",
    files=("text/html",),
)


class StatementHost:
    """Brings the statement's route; it has nothing to do beside."""

    def __init__(self, service: object) -> None: ...

    async def start(self) -> None: ...

    async def drain(self) -> None: ...

    def list_routes(self, app: object) -> Iterable[ApiRoute]:
        """List the route of the statement."""
        return (STATEMENT_ROUTE,)
