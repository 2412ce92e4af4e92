"""What a live replay may cost: a call is made where there is room for the most that it may take."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from plainloop.agent.base.tokens.output_sizes import OutputSizes
from plainloop.agent.errors import AgentError
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.records import CallStart, Reserved
from plainloop.agent.store.store import Store

from ..store import batches as store_batches
from ..store import replays as store_replays


class ReplayStopped(AgentError):
    """The replay may not go on now; what is paid for stays."""

    code = "REPLAY_STOPPED"
    exit_code = 6


class SpendLimitReached(ReplayStopped):
    """Stops a replay whose limit of cost leaves no room, or cannot hold."""


class PriceUnknown(SpendLimitReached):
    """A model has no price, so no limit of cost can hold, however high."""


async def start_within_limit(store: Store, start: CallStart, limit_usd: Decimal) -> Reserved | None:
    """Write a call's ledger row if the replay's cost limit allows the call.

    Returns what the call may use: near the limit, fewer output tokens than requested. None if open
    calls must settle first. One caller at a time.

    Raises: SpendLimitReached when there is no room; BudgetExceeded.
    """
    label, replay_id = f"{start.provider}:{start.model}", start.replay_id or ""
    async with store.transaction(start.tenant_id) as tx:
        await store_batches.lock_replay(tx, replay_id)
        room, is_waited_for = await load_room(tx, replay_id, limit_usd, label)
        reserved = start.reserved
        if reserved is None or reserved.cost_usd is None:
            raise make_unpriced_stop(label)
        if reserved.cost_usd > room:
            if is_waited_for:
                return None
            reserved = fit_to_room(reserved, room)
            if (reserved.cost_usd or 0) > room:
                raise make_spent_stop(limit_usd - room, reserved.cost_usd or room, limit_usd)
        start = hold_whole(replace(start, reserved=reserved))
        await store_ledger.record_call_start(tx, start)
        if store.budgets.may_apply(start.tenant_id):
            await store.budgets.reserve(tx, start)
    return reserved


def hold_whole(start: CallStart) -> CallStart:
    """Return a call's start whose reservation no budget makes shorter.

    Variants are compared: near a budget's end, one of them would get shorter answers.
    """
    whole = start.reserved and replace(start.reserved, output_tokens=0)
    return replace(start, reserved=whole)


def update_usual(start: CallStart, sizes: OutputSizes) -> CallStart:
    """Return a call's start whose reservation has the usual answer as it is known now."""
    usual = sizes.get(f"{start.provider}:{start.model}", start.role)
    return replace(start, reserved=start.reserved and replace(start.reserved, usual_output=usual))


def fit_to_room(wanted: Reserved, room_usd: Decimal) -> Reserved:
    """Shrink a reservation to this room, but not below the usual output of such calls.

    Most answers are far shorter than the maximum that is requested: reserving the maximum would
    leave most of a small limit unused.
    """
    usual = min(wanted.usual_output, wanted.output_tokens)
    if not wanted.output_usd:
        return wanted.shrink(usual)
    fits = int((room_usd - (wanted.shrink(0).cost_usd or 0)) / wanted.output_usd)
    return wanted.shrink(max(usual, min(fits, wanted.output_tokens)))


async def load_room(
    tx: Queryable, replay_id: str, limit_usd: Decimal, what: str
) -> tuple[Decimal, bool]:
    """Return how much a replay may still spend, as (USD left, whether any call is open).

    Open calls count with their upper bound. An open call's price may make room.

    Raises: PriceUnknown, that of `what`, when that is not known.
    """
    # First: what is recorded between the two is counted twice, and never not at all.
    committed = await store_batches.load_committed(tx, replay_id)
    spent = await store_replays.load_spending(tx, replay_id)
    if spent.unpriced or committed.unpriced:
        raise make_unpriced_stop(what)
    room = limit_usd - spent.cost_usd - spent.open_usd - committed.most_usd
    return room, committed.requests + spent.open_calls > 0


def make_spent_stop(spent_usd: Decimal, next_usd: Decimal, limit_usd: Decimal) -> SpendLimitReached:
    """Make the error that stops a replay whose next request may exceed its limit."""
    return SpendLimitReached(
        f"the next request may cost up to ${next_usd:.4f}, but only "
        f"${limit_usd - spent_usd:.4f} of the replay's limit of ${limit_usd} was left",
        hint="`plainloop replay resume` continues with a higher --max-cost-usd, and keeps what is "
        "paid.",
    )


def make_cut_stop(output_tokens: int) -> SpendLimitReached:
    """Make the error that stops a replay whose limit cut an answer off."""
    return SpendLimitReached(
        f"the cost limit left room for {output_tokens:,} output tokens, and an answer needed more: "
        "it was cut off and does not count",
        hint="`plainloop replay resume` continues with a higher --max-cost-usd, and keeps what is "
        "paid.",
    )


def make_unpriced_stop(what: str) -> PriceUnknown:
    """Make the error that stops a replay with a cost limit if a model has no price.

    what: `provider:model`, where it is known.
    """
    name = what if ":" in what else "provider:model"
    return PriceUnknown(
        f"{what}: the price is unknown, so the cost limit cannot be enforced",
        hint=f'Add a price to plainloop.toml: [prices."{name}"].',
    )
