"""Budgets that hold: the most a call may take is reserved before it, and settled after it.

    reserve (in the transaction that writes the ledger row) ──► room in every budget ──► the call
        │                                                                                  │
        └─► none in a hard one: rolled back, BudgetExceeded                                ▼
                             settle (with the row's settlement): what it took, for what was reserved

A tenant without budgets pays nothing for that: the fact is known for a moment at a time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from ..base.copies import replace
from ..base.ids import make_id
from ..config.zones import UTC_ZONE, begin_day, begin_next_month, find_zone
from ..dataclasses import dataclass
from ..errors import BudgetBusy, BudgetExceeded, BudgetUnpriced, InputError, NotFoundError
from .database import Queryable, Row, parse_id
from .records import Budget, CallStart, Granted, Notice, Period, Reserved, Scope
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "budgets.sql")

KNOWN_FREE_S: Final = 2.0  # a budget that another process makes holds here after as long
MAX_KNOWN: Final = 10_000
NEAR_SHARE: Final = 0.9  # of a hard budget: from there on a run is told to come to an end
BUSY_RETRY_S: Final = 5.0
MAX_LIMIT_USD: Final = Decimal(10**12)
USD_PLACES: Final = 12
SUBJECTS_SHOWN: Final = 20
# A call is asked for so much of what is free that many can be made at once; a run makes one
# after the other. Never less than such calls take.
FAIR_SHARE: Final[dict[Scope, int]] = {"tenant": 10, "user": 10, "run": 2}


@dataclass(frozen=True, slots=True)
class BudgetUsage:
    """How much of a budget one subject (a run id, a user id; "" the tenant) uses now."""

    budget: Budget
    subject: str | None  # None: nobody has used anything yet
    used_tokens: int
    used_usd: Decimal
    reserved_tokens: int  # by calls that are being made
    reserved_usd: Decimal
    until: datetime | None  # when the period ends; None: never

    @property
    def is_used_up(self) -> bool:
        """Return whether nothing is left, without what is reserved."""
        tokens, usd = self.budget.limit_tokens, self.budget.limit_usd
        is_full = tokens is not None and self.used_tokens >= tokens
        return is_full or (usd is not None and self.used_usd >= usd)


class BudgetGate:
    """Reserves calls' costs in budgets; caches which tenants have no budgets.
    There is one per store.
    """

    def __init__(self) -> None:
        self._free_until: dict[str, float] = {}

    def may_apply(self, tenant_id: str) -> bool:
        """Whether the tenant may have budgets.

        False only while it is cached that the tenant has none.
        """
        # Not by the wall clock: set back by an hour, it would leave the tenant without limits for
        # as long.
        return self._free_until.get(tenant_id, 0.0) <= time.monotonic()

    def forget(self, tenant_id: str) -> None:
        """Look for the tenant's budgets again, because one was just created."""
        self._free_until.pop(tenant_id, None)

    async def reserve(self, tx: Queryable, start: CallStart) -> Granted | None:
        """Reserve a model call's maximum cost in every budget that applies to the call.
        Near a budget's end, a smaller one. None: no budget applies.

        Raises: BudgetExceeded; the transaction must then be rolled back.
        """
        assert start.reserved is not None
        whose = (start.user_id, start.run_id)
        # Read without a lock, and perhaps out of date: it chooses only how much to request.
        # `reserve` counts with the newest row, and refuses
        # (test_runs_in_two_processes_never_exceed_a_budget).
        rooms = await tx.fetch(SQL["list_rooms"], start.tenant_id, *whose)
        reserved = fit_reserved(start.reserved, rooms) if rooms else start.reserved
        start = replace(start, reserved=reserved)
        worst_case = (reserved.tokens, reserved.cost_usd)
        sql, call = SQL["reserve"], (start.tenant_id, start.call_id)
        rows = rooms and await tx.fetch(sql, *call, *whose, *worst_case)
        if not rows:
            # Budgets of other users and runs match nothing: only a list of none says "free".
            if not await tx.fetch(SQL["list_budgets"], start.tenant_id):
                if len(self._free_until) >= MAX_KNOWN:
                    self._free_until.clear()
                self._free_until[start.tenant_id] = time.monotonic() + KNOWN_FREE_S
            return None
        refused = [row for row in rows if not row["is_reserved"]]
        # Other budgets have counted the call in this transaction, which is why it must be rolled
        # back.
        if refused:
            raise await _make_refusal(tx, refused[0], _from_row(refused[0]), start)
        found = [await _notice(tx, row, _from_row(row)) for row in rows]
        return Granted(reserved, tuple(notice for notice in found if notice))


def fit_reserved(wanted: Reserved, rooms: Sequence[Row]) -> Reserved:
    """Shrink a call's reservation to what is left in all hard budgets.
    Never below the call's usual output, except for a budget's last call: the reservation then
    fails.
    """
    if not wanted.output_tokens:
        return wanted
    outputs = [wanted.output_tokens]
    none = wanted.shrink(0)
    for room in rooms:
        if not room["is_hard"]:
            continue
        if room["limit_tokens"] is not None:
            free = room["limit_tokens"] - room["used_tokens"] - room["reserved_tokens"]
            outputs.append(_choose_output(wanted, room, free, none.tokens, 1))
        if room["limit_usd"] is not None and none.cost_usd is not None and wanted.output_usd:
            free = room["limit_usd"] - room["used_usd"] - room["reserved_usd"]
            outputs.append(_choose_output(wanted, room, free, none.cost_usd, wanted.output_usd))
    return wanted.shrink(min(outputs))


def _choose_output(
    wanted: Reserved, room: Row, free: Decimal, input_amount: Decimal | int, each: Decimal | int
) -> int:
    """Choose how many output tokens to reserve in one budget for a call.
    free: what the budget has left. input_amount: of the call's input. each: of one output token.
    All three in tokens or in USD.
    """
    usual = min(wanted.usual_output, wanted.output_tokens)
    fair = int((free / FAIR_SHARE[room["scope"]] - input_amount) / each)
    if fair >= usual:
        return fair
    fits = int((free - input_amount) / each)
    if usual > fits >= usual // 2 and not room["reserved_tokens"]:
        return fits  # the budget's last: nobody holds more of it
    return usual


async def settle_lost_reservations(tx: Queryable, run_id: str) -> None:
    """Count the reservations of a lost run as used, because its actual usage is unknown."""
    await tx.execute(SQL["settle_lost"], tx.tenant_id, run_id)


async def list_budgets(db: Queryable) -> list[Budget]:
    """List the tenant's budgets."""
    return [_from_row(row) for row in await db.fetch(SQL["list_budgets"], db.tenant_id)]


async def list_budget_usage(db: Queryable, user_id: str | None = None) -> list[BudgetUsage]:
    """List each budget with the users, runs or tenant that used most of it this period.
    user_id: only what applies to that user.
    """
    now = datetime.now(UTC)
    rows = await db.fetch(SQL["list_budget_usage"], db.tenant_id, user_id, SUBJECTS_SHOWN)
    return [
        BudgetUsage(
            budget := _from_row(row),
            row["subject"],
            row["used_tokens"] or 0,
            row["used_usd"] or Decimal(0),
            row["reserved_tokens"] or 0,
            row["reserved_usd"] or Decimal(0),
            find_period_end(budget.period, now, budget.zone),
        )
        for row in rows
    ]


async def save_budget(tx: Queryable, budget: Budget) -> str:
    """Create a budget or change an existing one; return its id.

    A new one counts what its current period has used already (a run's counts from now on), and
    calls in flight when they end.

    Raises: InputError for limits that cannot be meant so.
    """
    _check_budget(budget)
    whose = (budget.scope, budget.user_id, budget.period)
    # Not only `for update`: a missing row locks nothing, and two transactions that create it at
    # once would not see each other's (test_a_budget_saved_twice_at_once_is_one_budget).
    await tx.execute(SQL["lock_budgets"], tx.tenant_id)
    same = await tx.fetchrow(SQL["find_budget"], tx.tenant_id, *whose, budget.is_hard)
    budget_id: str = same["budget_id"] if same else make_id()
    limits = (budget.limit_tokens, budget.limit_usd, budget.is_hard, budget.zone)
    await tx.execute(SQL["save_budget"], tx.tenant_id, budget_id, *whose, *limits)
    if same is None or same["zone"] != budget.zone:
        await tx.execute(SQL["start_counters"], tx.tenant_id, budget_id)
    return budget_id


async def delete_budget(tx: Queryable, budget_id: str) -> Budget:
    """Delete a budget with its counters and reservations; return it. Raises: NotFoundError."""
    budget_id = parse_id(budget_id, "budget")
    row = await tx.fetchrow(SQL["delete_budget"], tx.tenant_id, budget_id)
    if row is None:
        raise NotFoundError(
            f"no such budget: {budget_id}",
            hint="`plainloop budget list` and GET /api/budgets show all budgets.",
        )
    return _from_row(row)


def find_period_end(period: Period, at: datetime, zone: str = "UTC") -> datetime | None:
    """Return when the budget period that contains `at` ends, in UTC; None if it never ends.

    >>> find_period_end("month", datetime(2026, 12, 31, 8, tzinfo=UTC)).isoformat()
    '2027-01-01T00:00:00+00:00'
    >>> find_period_end("day", datetime(2026, 10, 25, 8, tzinfo=UTC), "Europe/Berlin").isoformat()
    '2026-10-25T23:00:00+00:00'
    """
    place = find_zone(zone)
    local = at.astimezone(place)
    if period == "hour":
        # Subtract in UTC: zones differ by half hours too, and an hour that a clock change repeats
        # has two ends.
        passed = local - local.replace(minute=0, second=0, microsecond=0)
        return at.astimezone(UTC) - passed + timedelta(hours=1)
    if period == "day":
        return begin_day(local.date() + timedelta(days=1), place)
    return begin_next_month(local.date(), place) if period == "month" else None


def describe_budget(budget: Budget) -> str:
    """Describe a budget in one phrase, for errors and lists.

    >>> describe_budget(Budget("user", "day", 5000, None))
    'budget of each user per day: 5,000 tokens'
    """
    limits: list[str] = []
    if budget.limit_tokens is not None:
        limits.append(f"{budget.limit_tokens:,} tokens")
    if budget.limit_usd is not None:
        limits.append(f"${budget.limit_usd:f}")
    whose = {
        "tenant": "all users together",
        "user": f"the user {budget.user_id}" if budget.user_id else "each user",
        "run": "each run",
    }[budget.scope]
    kind = "budget" if budget.is_hard else "budget (warning only)"
    when = " in all" if budget.period == "total" else f" per {budget.period}"
    if budget.zone != UTC_ZONE and budget.period != "total":
        when = f"{when} ({budget.zone})"
    if budget.scope == "run":
        when = ""
    return f"{kind} of {whose}{when}: {' and '.join(limits)}"


def _check_budget(budget: Budget) -> None:
    """Raise InputError for a budget whose limits, user or period make no sense."""
    find_zone(budget.zone)
    if budget.limit_tokens is None and budget.limit_usd is None:
        raise InputError("the budget has no limit", hint="Set a limit in tokens or in USD.")
    usd = budget.limit_usd or Decimal(0)
    if (budget.limit_tokens or 0) < 0 or not usd.is_finite() or not 0 <= usd <= MAX_LIMIT_USD:
        raise InputError(
            f"the budget's limit is negative or above ${MAX_LIMIT_USD:,}",
            hint=f"Set a limit between 0 and ${MAX_LIMIT_USD:,}.",
        )
    if usd != round(usd, USD_PLACES):
        raise InputError(
            f"a budget in USD can have at most {USD_PLACES} decimal places", hint="Round the limit."
        )
    if budget.user_id is not None and budget.scope != "user":
        raise InputError(
            "only a budget with scope user can name a user",
            hint="Set the scope to user, or leave the user out.",
        )
    if budget.scope == "run" and budget.period != "total":
        raise InputError(
            "a budget per run cannot have a period",
            hint="Leave the period out, or set it to total.",
        )


async def _make_refusal(
    tx: Queryable, row: Row, budget: Budget, start: CallStart
) -> BudgetExceeded:
    """Build the error for a call that a budget refuses: unpriced, busy for now, or used up."""
    reserved = start.reserved
    assert reserved is not None
    told = describe_budget(budget)
    if budget.limit_usd is not None and reserved.cost_usd is None:
        return BudgetUnpriced(
            f"the price of {start.provider}:{start.model} is unknown, but a {told} applies",
            hint=f'Add the price to plainloop.toml: [prices."{start.provider}:{start.model}"].',
        )
    rooms = await tx.fetch(SQL["list_rooms"], tx.tenant_id, start.user_id, start.run_id)
    used = next((room for room in rooms if room["budget_id"] == budget.budget_id), None)
    if used is None:  # (test_a_budget_deleted_while_it_refuses_a_call_ends_no_run)
        return BudgetBusy(
            f"the {told} was deleted meanwhile",
            hint="Try again in a moment.",
            retry_after_s=BUSY_RETRY_S,
        )
    spent = f"{used['used_tokens']:,} tokens and ${used['used_usd'].normalize():f} are used"
    until = find_period_end(budget.period, datetime.now(UTC), budget.zone)
    tokens = used["used_tokens"] + reserved.tokens
    cost = used["used_usd"] + Decimal(reserved.cost_usd or 0)
    fits = budget.limit_tokens is None or tokens <= budget.limit_tokens
    # A busy budget is waited for, one that is used up ends the run
    # (test_a_call_waits_briefly_for_reserved_budget).
    # The call would fit if nothing were reserved.
    if fits and (budget.limit_usd is None or cost <= budget.limit_usd):
        return BudgetBusy(
            f"the rest of the {told} is reserved by calls in progress ({spent})",
            hint="Try again in a moment.",
            retry_after_s=BUSY_RETRY_S,
        )
    wait_s = None if until is None else (until - datetime.now(UTC)).total_seconds()
    amount = f"the call may use {reserved.tokens:,} tokens"
    anew = f"; the budget resets at {until:%Y-%m-%d %H:%M} UTC" if until else ""
    return BudgetExceeded(
        f"the {told} has no room for this call: {spent}, {amount}{anew}",
        hint="`plainloop budget list` shows how much is used.",
        retry_after_s=wait_s,
    )


async def _notice(tx: Queryable, row: Row, budget: Budget) -> Notice | None:
    """Build the notice of a budget that is nearly used up or passed; None below that.
    It is new (`is_new`) once per subject and period, and marked as sent.
    """
    tokens = row["used_tokens"] + row["reserved_tokens"]
    cost = row["used_usd"] + row["reserved_usd"]
    shares = [0.0]
    if budget.limit_tokens is not None:
        shares.append(tokens / budget.limit_tokens if budget.limit_tokens else 1.0)
    if budget.limit_usd is not None:
        shares.append(float(cost / budget.limit_usd) if budget.limit_usd else 1.0)
    if max(shares) < (NEAR_SHARE if budget.is_hard else 1.0):
        return None
    key = (tx.tenant_id, row["budget_id"], row["subject"], row["period_start"])
    # Of several calls at once one gets the row, so that the notice goes out once in a period.
    is_new = not row["is_told"] and await tx.fetchval(SQL["mark_told"], *key) is not None
    what = "is nearly used up" if budget.is_hard else "is passed"
    return Notice(budget, row["subject"], is_new, f"the {describe_budget(budget)} {what}")


def _from_row(row: Row) -> Budget:
    """Convert a row of `budgets` to a Budget; further columns are ignored."""
    return Budget(**{name: row[name] for name in Budget.__dataclass_fields__})
