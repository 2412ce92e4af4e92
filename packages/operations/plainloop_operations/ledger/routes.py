"""`/api/usage/statement`, a month as a page; `/api/usage/reconcile`, the ledger beside a provider's
export; `/api/prices`; and the pages that the package brings to the console.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from plainloop.agent.config.zones import UTC_ZONE
from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute, UploadedFile
from plainloop.agent.core.spec import Pack
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop.server.http.endpoint import AppContext
from plainloop.server.routes.choosing import check_admin
from plainloop.server.routes.config import read_screens
from plainloop.server.routes.usage import to_usd

from .chats import CHAT_ROUTES
from .prices import list_price_routes
from .reconcile import compare_usage
from .stated import list_columns, parse_columns, parse_export
from .statement import load_statement, name_statement, parse_month, render_statement

PAGES: Final = Pack(
    name="operations",
    title="Operate",
    workers=(),
    default_worker="",
    tools=(),
    screens=Path(__file__).parents[1] / "screens",
)
ROWS_AT_MOST: Final = 5000
_OTHERS: Final = "only an administrator can see the usage of other users"


class StatementQuery(Struct):
    month: str | None = None  # "2026-11"; None: the one before this
    markup: Annotated[float, Meta(ge=0, le=1000)] = 0  # percent on top
    zone: Annotated[str, Meta(max_length=64)] = UTC_ZONE  # in which the month and its days begin
    user_id: Annotated[str, Meta(max_length=255)] | None = None  # None: all users together
    inline: bool = False  # to be shown by the browser, not downloaded


async def make_statement(
    words: Mapping[str, str], request: ApiRequest, query: StatementQuery
) -> ApiFile:
    """Return a month's usage statement of all users or one as an HTML file.

    words: what the packs call their features. Raises: AccessDenied, InputError.
    """
    check_admin(request, _OTHERS)
    month = parse_month(query.month, query.zone)
    await roll_up_usage(request.store)
    async with request.store.transaction(request.tenant_id) as tx:
        markup_percent = Decimal(str(query.markup))
        whose = query.user_id or ""
        page = await load_statement(tx, month, markup_percent, query.zone, whose)
    parts = (request.tenant_id, *filter(None, (whose,)))
    name = name_statement("-".join(parts), month, markup_percent)
    html = render_statement(page, words).encode()
    return ApiFile(html, "text/html; charset=utf-8", name, query.inline)


def list_statement_routes(packs: Iterable[Pack]) -> tuple[ApiRoute, ...]:
    """Return the route of statements. packs: whose words name the features."""
    words = {k: v for pack in packs for k, v in read_screens(pack).words.items()}

    async def make(request: ApiRequest, query: StatementQuery) -> ApiFile:
        return await make_statement(words, request, query)

    title = "Print a month's usage of the tenant or a user as a page (admins)"
    return (ApiRoute("GET", "/api/usage/statement", make, title, files=("text/html",)),)


class ReconcileQuery(Struct):
    filename: str | None = None  # of a body that is the file
    # Of a CSV: "date=Day,model=Model,cost=USD", or the same as a JSON object.
    map: Annotated[str, Meta(max_length=4000)] = ""
    provider: Annotated[str, Meta(max_length=100)] | None = None  # None: the file's own
    every: bool = False  # also the rows that agree


class Difference(Struct):
    """A day of one model in the export and the ledger: export less ledger."""

    day: str
    model: str
    is_in_export: bool
    is_in_ledger: bool
    token_gaps: dict[str, int]
    money_gap_usd: str | None  # None: not known on one side
    reason: str  # as far as the ledger tells; "": nothing is known
    is_running: bool = False  # the day is not over: both sides may still grow
    differs: bool = True
    export_usd: str | None = None  # None: not stated, or the row is not in the export
    ledger_usd: str | None = None
    export_tokens: dict[str, int] = {}  # by kind, as `token_gaps`
    ledger_tokens: dict[str, int] = {}


class Reconciliation(Struct):
    provider: str | None
    compared: int  # days and models that either side has
    token_rows: int | None  # of these with the same tokens; None: the export states no tokens
    money_rows: int | None  # with the same money, to the cent; None: it states no money
    export_usd: str | None  # None: not all of it is known
    ledger_usd: str | None
    difference_usd: str | None  # export less ledger
    differences: list[Difference]  # the largest in money first, at most 5,000
    differing: int
    faults: dict[str, int]  # differing rows: not_in_ledger, not_in_export, else cost, else tokens
    is_running: bool = False  # one of the days is not over
    first_day: str | None = None  # of the days that either side has
    last_day: str | None = None


class FileColumns(Struct):
    """A CSV file's columns; both are empty for a file that needs no mapping."""

    columns: list[str]
    map: dict[str, str]  # by field: the column that it is read from, by known names


async def reconcile(
    request: ApiRequest, query: ReconcileQuery, upload: UploadedFile
) -> Reconciliation:
    """Compare a provider's export with the tenant's ledger, by day (UTC) and model.

    Raises: AccessDenied; InputError for a file of no known form.
    """
    check_admin(request, _OTHERS)
    columns = parse_columns(query.map, "map")
    account = await asyncio.to_thread(parse_export, upload.content, columns or None)
    await roll_up_usage(request.store)
    found = await compare_usage(
        request.store.read_late(request.tenant_id), account, query.provider or None
    )
    different = [item for item in found if item.differs]
    listed = [*found] if query.every else different
    listed.sort(key=lambda item: (-abs(item.money_gap or 0), item.day, item.model))
    has_money = any(item.has_money for item in found)
    sides: list[Decimal | None] = []
    for name in ("theirs", "ours"):
        stated = [row for item in found if (row := getattr(item, name)) is not None]
        costs = [row.cost_usd for row in stated]
        sides.append(None if not has_money or None in costs else sum(costs, Decimal()))
    theirs, ours = sides
    gap = None if theirs is None or ours is None else theirs - ours
    return Reconciliation(
        query.provider or account.provider,
        len(found),
        sum(not item.token_gaps for item in found) if found[0].has_tokens else None,
        sum(item.has_same_money is True for item in found) if has_money else None,
        to_usd(theirs),
        to_usd(ours),
        to_usd(gap),
        [
            Difference(
                item.day,
                item.model,
                item.theirs is not None,
                item.ours is not None,
                item.token_gaps,
                to_usd(item.money_gap),
                item.guess() if item.differs else "",
                item.is_running,
                item.differs,
                to_usd(item.theirs.cost_usd if item.theirs else None),
                to_usd(item.ours.cost_usd if item.ours else None),
                item.list_tokens(item.theirs),
                item.list_tokens(item.ours),
            )
            for item in listed[:ROWS_AT_MOST]
        ],
        len(different),
        Counter(item.fault for item in different),
        any(item.is_running for item in found),
        min((item.day for item in found), default=None),
        max((item.day for item in found), default=None),
    )


RECONCILE_ROUTE: Final = ApiRoute(
    "POST",
    "/api/usage/reconcile",
    reconcile,
    "Compare a provider's usage or cost export with the ledger (admins)",
)


async def read_columns(request: ApiRequest, upload: UploadedFile) -> FileColumns:
    """List the columns of a file that is to be compared. Raises: AccessDenied."""
    check_admin(request, _OTHERS)
    return FileColumns(*await asyncio.to_thread(list_columns, upload.content))


COLUMNS_ROUTE: Final = ApiRoute(
    "POST",
    "/api/usage/reconcile/columns",
    read_columns,
    "List the columns of a provider's CSV file (admins)",
)


class StatementHost:
    """Serves the ledger's routes; it has no background work."""

    pages = PAGES

    def __init__(self, service: object) -> None: ...

    async def start(self) -> None: ...

    async def drain(self) -> None: ...

    def list_routes(self, app: AppContext) -> Iterable[ApiRoute]:
        """List the routes of the ledger's files and of prices."""
        return (
            *list_statement_routes(app.service.packs),
            *(RECONCILE_ROUTE, COLUMNS_ROUTE),
            *CHAT_ROUTES,
            *list_price_routes(app),
        )
