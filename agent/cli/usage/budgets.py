"""`plainloop budget`: set, list and take away."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

import msgspec

from ...config.settings import load_settings
from ...errors import InputError, NotFoundError
from ...store.budgets import (
    Budget,
    BudgetUsage,
    Period,
    Scope,
    delete_budget,
    describe_budget,
    list_budget_usage,
    list_budgets,
    save_budget,
)
from ..terminal import output
from ..terminal.opening import open_store
from ..terminal.rendering import format_time, render_table


async def set_budget(
    tenant: str,
    scope: Scope,
    period: Period | None,
    tokens: int | None,
    usd: str | None,
    user: str | None,
    *,
    is_hard: bool,
) -> None:
    """Raises: InputError."""
    default: Period = "total" if scope == "run" else "month"
    budget = Budget(scope, period or default, tokens, parse_usd(usd), is_hard, user)
    async with open_store(load_settings()) as store, store.transaction(tenant) as tx:
        budget_id = await save_budget(tx, budget)
    output.write_line(f"{budget_id[:13]}  {describe_budget(budget)}")


async def print_budgets(tenant: str, *, as_json: bool) -> None:
    async with open_store(load_settings()) as store, store.transaction(tenant) as tx:
        usages = await list_budget_usage(tx)
    if as_json:
        output.write_line(msgspec.json.encode(usages).decode())
        return
    if not usages:
        output.write_line("no budgets")
        return
    heads = ["id", "budget", "of", "used", "reserved", "anew"]
    output.write_lines(render_table(heads, [_to_cells(item) for item in usages]))


async def remove_budget(tenant: str, text: str) -> None:
    """Raises: NotFoundError, InputError when several begin so."""
    async with open_store(load_settings()) as store, store.transaction(tenant) as tx:
        found = [item for item in await list_budgets(tx) if item.budget_id.startswith(text)]
        if not found or not text:
            raise NotFoundError(f"no such budget: {text}", hint="`plainloop budget list`")
        if len(found) > 1:
            raise InputError(f"several budgets begin with {text!r}")
        await delete_budget(tx, found[0].budget_id)
    output.write_line(f"taken away: {describe_budget(found[0])}")


def parse_usd(text: str | None) -> Decimal | None:
    """Raises: InputError."""
    if text is None:
        return None
    try:
        amount = Decimal(text.removeprefix("$"))
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or amount < 0:
        raise InputError(f"--usd takes an amount, not {text!r}")
    return amount


def _to_cells(item: BudgetUsage) -> list[str]:
    budget = item.budget
    return [
        budget.budget_id[:13],
        describe_budget(budget),
        item.subject or "–",
        _describe_amount(budget, item.used_tokens, item.used_usd),
        _describe_amount(budget, item.reserved_tokens, item.reserved_usd),
        "–" if item.until is None else format_time(item.until),
    ]


def _describe_amount(budget: Budget, tokens: int, usd: Decimal) -> str:
    """In the budget's own units, with its share of the limit."""
    amounts: list[str] = []
    if budget.limit_tokens is not None:
        share = f" ({100 * tokens / budget.limit_tokens:.0f} %)" if budget.limit_tokens else ""
        amounts.append(f"{tokens:,}{share}")
    if budget.limit_usd is not None:
        share = f" ({100 * usd / budget.limit_usd:.0f} %)" if budget.limit_usd else ""
        amounts.append(f"${usd:.4f}{share}")
    return ", ".join(amounts)
