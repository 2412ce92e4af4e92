"""`plainloop budget`: sets, lists and deletes budgets."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Final

import msgspec

from ...errors import InputError
from ...store.admin.audit import name_account, record_audit, tell_saved
from ...store.budgets import (
    Budget,
    Scope,
    delete_budget,
    describe_budget,
    list_budget_usage,
    list_budgets,
    save_budget,
)
from ...store.store import Store
from ...usage.pace import find_outlook, load_rates
from ..terminal import output
from ..terminal.naming import find_named
from ..terminal.rendering import format_time, render_table
from .options import Limits

ZERO: Final = Decimal()
SHOWN_PLACES: Final = 4


async def set_budget(store: Store, tenant: str, scope: Scope, limits: Limits) -> None:
    """Save a budget, record that in the audit log, and print its id. Raises: InputError."""
    period = limits.period or ("total" if scope == "run" else "month")
    usd = parse_usd(limits.usd)
    whose = (not limits.soft, limits.user)
    budget = Budget(scope, period, limits.tokens, usd, *whose, zone=limits.zone)
    async with store.transaction(tenant) as tx:
        budget_id = await save_budget(tx, budget)
        await record_audit(tx, name_account(), tell_saved(budget_id, budget))
    output.write_line(f"{budget_id[:13]}  {describe_budget(budget)}")


async def print_budgets(store: Store, tenant: str, *, as_json: bool) -> None:
    async with store.transaction(tenant) as tx:
        usages, now = await list_budget_usage(tx), datetime.now(UTC)
        rates = await load_rates(tx, now, has_users=True)
    if as_json:
        told = [{**asdict(item), **asdict(find_outlook(item, rates, now))} for item in usages]
        output.write_line(msgspec.json.encode(told).decode())
        return
    if not usages:
        output.write_line("no budgets")
        return
    rows: list[list[str]] = []
    for full in usages:
        # Rounded first, so that the displayed amounts add up to the limit.
        item = replace(
            full,
            used_usd=round(full.used_usd, SHOWN_PLACES),
            reserved_usd=round(full.reserved_usd, SHOWN_PLACES),
        )
        used = _describe_amount(item.budget, item.used_tokens, item.used_usd)
        reserved = _describe_amount(item.budget, item.reserved_tokens, item.reserved_usd)
        outlook = find_outlook(item, rates, now)
        left = _describe_amount(item.budget, outlook.left_tokens or 0, outlook.left_usd or ZERO)
        expected = (outlook.forecast_tokens or 0, outlook.forecast_usd or ZERO)
        pace = "–" if item.until is None else _describe_amount(item.budget, *expected)
        until = "–" if item.until is None else format_time(item.until)
        what = (item.budget.budget_id[:13], describe_budget(item.budget), item.subject or "–")
        rows.append([*what, used, reserved, left, pace, until])
    heads = ["id", "budget", "of", "used", "reserved", "left", "at this pace", "resets"]
    output.write_lines(render_table(heads, rows))


async def remove_budget(store: Store, tenant: str, text: str) -> None:
    """Delete the budget whose id begins with the text, and record that in the audit log.

    Raises: NotFoundError, InputError when several begin so.
    """
    async with store.transaction(tenant) as tx:
        budgets = [(item.budget_id, "", item) for item in await list_budgets(tx)]
        found = find_named("budget", text, budgets, "budget")
        await delete_budget(tx, found.budget_id)
        deed = tell_saved(found.budget_id, found, "budget.delete")
        await record_audit(tx, name_account(), deed)
    output.write_line(f"deleted: {describe_budget(found)}")


def parse_usd(text: str | None) -> Decimal | None:
    """Parse an amount of US dollars, such as `12.50` or `$12.50`.

    None stays None. Raises: InputError.
    """
    if text is None:
        return None
    try:
        amount = Decimal(text.removeprefix("$"))
    except InvalidOperation:
        amount = Decimal("nan")
    # Decimal reads "nan" and "Infinity" as numbers.
    if not amount.is_finite() or amount < 0:
        raise InputError(f"--usd must be an amount, such as 12.50, not {text!r}")
    return amount


def _describe_amount(budget: Budget, tokens: int, usd: Decimal) -> str:
    """Describe an amount in the units that the budget limits, each with its share of the limit."""
    amounts: list[str] = []
    if budget.limit_tokens is not None:
        share = f" ({100 * tokens / budget.limit_tokens:.0f} %)" if budget.limit_tokens else ""
        amounts.append(f"{tokens:,}{share}")
    if budget.limit_usd is not None:
        share = f" ({100 * usd / budget.limit_usd:.0f} %)" if budget.limit_usd else ""
        amounts.append(f"${usd:.{SHOWN_PLACES}f}{share}")
    return ", ".join(amounts)
