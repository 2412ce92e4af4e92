"""`/api/budgets`: what may be spent, and how it stands. A user reads; an admin sets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, structs

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.store.admin.audit import tell_saved
from ...agent.store.budgets import (
    Budget,
    BudgetUsage,
    delete_budget,
    describe_budget,
    list_budget_usage,
    save_budget,
)
from ...agent.store.threads import list_unknown_users
from ...agent.usage.pace import Rate, find_outlook, load_rates
from .choosing import check_admin, record_deed
from .usage import to_usd

PATH: Final = "/api/budgets"
_REFUSAL: Final = "only an administrator can set budgets"
Tokens = Annotated[int, Meta(ge=0, le=2**62)]
Usd = Annotated[Decimal, Meta(description='an amount in USD, as text: "12.50"')]


class NewBudget(Struct, forbid_unknown_fields=True):
    """PUT creates a budget, or changes the limits of the one for the same subject and period."""

    scope: Literal["tenant", "user", "run"]
    period: Literal["hour", "day", "month", "total"] | None = None  # unset: month, a run's total
    limit_tokens: Tokens | None = None
    limit_usd: Usd | None = None
    is_hard: bool = True
    user_id: Annotated[str, Meta(min_length=1, max_length=255)] | None = None
    zone: Annotated[str, Meta(max_length=64)] = "UTC"  # where the period begins, an IANA name


class BudgetState(Struct):
    budget_id: str
    scope: str
    user_id: str | None
    period: str
    limit_tokens: int | None
    limit_usd: str | None
    is_hard: bool
    description: str
    subject: str | None  # the user or run it is counted for; "": the tenant; None: nothing yet
    used_tokens: int
    used_usd: str
    reserved_tokens: int
    reserved_usd: str
    until: datetime | None
    zone: str = "UTC"
    left_tokens: int | None = None  # without what is reserved
    left_usd: str | None = None
    forecast_tokens: int | None = None  # by the end of the period, if it has one and is asked for
    forecast_usd: str | None = None
    note: str | None = None  # that the named user has no conversation yet


class BudgetsQuery(Struct, forbid_unknown_fields=True):
    forecast: bool = True  # also the use at each period's end, by weekday as in the last 7 days


class BudgetList(Struct):
    budgets: list[BudgetState]


class BudgetSaved(Struct):
    budget_id: str
    note: str | None = None  # that the named user has no conversation yet


async def read(request: ApiRequest, query: BudgetsQuery) -> BudgetList:
    """Return budgets with their use: the caller's, or for an admin all of the tenant.

    Of the tenant's budgets a user sees only those that are used up.
    """
    only = None if request.is_admin else request.user_id
    found = await list_budget_usage(request.db, only)
    if only is not None:  # what all spend together is for admins, until it stops everyone
        found = [item for item in found if item.budget.scope != "tenant" or item.is_used_up]
    named = {item.budget.user_id for item in found if item.budget.user_id}
    unknown = await list_unknown_users(request.db, named)
    rates: dict[str, Rate] = {}
    if found and query.forecast:
        has_users = any(item.budget.scope == "user" for item in found)
        rates = await load_rates(request.db, datetime.now(UTC), has_users=has_users)
    states = [_to_usage(item, unknown, rates) for item in found]
    if not query.forecast:
        states = [
            structs.replace(state, forecast_tokens=None, forecast_usd=None) for state in states
        ]
    return BudgetList(states)


async def save(request: ApiRequest, body: NewBudget) -> BudgetSaved:
    check_admin(request, _REFUSAL)
    budget = Budget(
        scope=body.scope,
        period=body.period or ("total" if body.scope == "run" else "month"),
        limit_tokens=body.limit_tokens,
        limit_usd=body.limit_usd,
        is_hard=body.is_hard,
        user_id=body.user_id,
        zone=body.zone,
    )
    async with request.store.transaction(request.tenant_id) as tx:
        budget_id = await save_budget(tx, budget)
        await record_deed(tx, request, tell_saved(budget_id, budget))
        unknown = await list_unknown_users(tx, [body.user_id] if body.user_id else [])
    # After the commit: if it was cleared earlier, a run in between would cache again that there is
    # no budget. Other replicas learn of the budget within `KNOWN_FREE_S`.
    request.store.budgets.forget(request.tenant_id)
    note = _describe_unknown(body.user_id, unknown)
    return BudgetSaved(budget_id, note and f"Saved. {note}")


async def erase(request: ApiRequest) -> None:
    check_admin(request, _REFUSAL)
    async with request.store.transaction(request.tenant_id) as tx:
        budget = await delete_budget(tx, request.params["budget_id"])
        await record_deed(tx, request, tell_saved(budget.budget_id, budget, "budget.delete"))


def _describe_unknown(user_id: str | None, unknown: Collection[str]) -> str | None:
    if user_id not in unknown:
        return None
    return f"{user_id} has no conversation yet: is the name spelled correctly?"


def _to_usage(
    item: BudgetUsage, unknown: Collection[str], rates: Mapping[str, Rate]
) -> BudgetState:
    budget, outlook = item.budget, find_outlook(item, rates, datetime.now(UTC))
    return BudgetState(
        budget.budget_id,
        budget.scope,
        budget.user_id,
        budget.period,
        budget.limit_tokens,
        to_usd(budget.limit_usd),
        budget.is_hard,
        describe_budget(budget),
        item.subject,
        item.used_tokens,
        f"{item.used_usd:f}",
        item.reserved_tokens,
        f"{item.reserved_usd:f}",
        item.until,
        budget.zone,
        outlook.left_tokens,
        to_usd(outlook.left_usd),
        outlook.forecast_tokens,
        to_usd(outlook.forecast_usd),
        _describe_unknown(budget.user_id, unknown),
    )


BUDGET_ROUTES: Final = (
    ApiRoute("GET", PATH, read, "List budgets and how much is left"),
    ApiRoute("PUT", PATH, save, "Set a budget (admins)"),
    ApiRoute("DELETE", PATH + "/{budget_id}", erase, "Delete a budget (admins)", status=204),
)
