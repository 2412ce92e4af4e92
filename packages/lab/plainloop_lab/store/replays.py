"""Replays as rows: claimed like runs, paid answers kept one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import NotFoundError, TooManyRequests
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.leases import require_held
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.types import LLMResponse, Usage

from . import batches as store_batches
from . import leases

SQL: Final = load_sql(Path(__file__).parent / "sql" / "replays.sql")

ReplayStatus = Literal["queued", "running", "succeeded", "failed", "cancelled", "stopped"]
ItemStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]
Verdict = Literal["better", "worse", "same"]
Seen = Literal["hidden", "names"]  # whether which side is which, while a person judged
Outcome = Literal["passed", "failed", "undecided"]
# What is kept of an answer, beside its usage.
_OF_RESPONSE: Final = ("message", "stop", "model", "refusal", "request_id")
_STOPPED: Final = "REPLAY_STOPPED"  # the error code of items that met the limit of cost
_OF_ANSWER: Final = ("call_id", "duration_ms", "identity", "source")


@dataclass(frozen=True, slots=True)
class ReplayInfo:
    """A replay. source and candidate: as it was started. items: how many have which status."""

    replay_id: str
    user_id: str
    status: ReplayStatus
    source: dict[str, Any]
    candidate: dict[str, Any]
    is_cancelled: bool  # somebody asked to stop it
    max_cost_usd: Decimal | None
    created_at: datetime
    ended_at: datetime | None
    verdict: Outcome | None  # of its report; None: it is open, or not computed yet
    items: dict[ItemStatus, int]
    conversations: int = 0
    compared: int | None = None  # with an answer on both sides; None: not counted, as in a list
    done: int | None = None  # conversations of which nothing is open; None: likewise
    left_s: float | None = None  # until it ends, at its pace so far; None: not known, or it ended
    changed: int = 0  # conversations whose paid answers belong to other requests than today's

    @property
    def deleted(self) -> int:
        """Return how many of its conversations were deleted since it began over HTTP."""
        return max(0, self.source.get("conversations", 0) - self.conversations)


@dataclass(frozen=True, slots=True)
class Item:
    """One conversation in one lane, as its owner holds it: every write names `fence`."""

    replay_id: str
    lane: str
    n: int
    thread_id: str | None  # the stored source; None: `conversation` is it
    # Of a stored source: {"run_id", "position"} when this turn alone is replayed; None: all are.
    conversation: dict[str, Any] | None
    fence: int


@dataclass(frozen=True, slots=True)
class PaidAnswer:
    """An answer that a replay has bought. turn: of the conversation, from 0.

    call_id, duration_ms: of the call that bought it. is_unsettled: a crash came between the answer
    and the settlement of its ledger row. identity: of its request (`live.sharing`), by which others
    take it. source: the lane that it was taken from; "" when it was bought.
    """

    turn: int
    fingerprint: str
    response: LLMResponse
    call_id: str | None = None
    duration_ms: int = 0
    is_unsettled: bool = False
    identity: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Spending:
    cost_usd: Decimal
    unpriced: int  # answered calls whose price is not known
    open_usd: Decimal = Decimal(0)  # what calls of unknown cost take at most, beyond cost_usd
    open_calls: int = 0  # of these: being made now


@dataclass(frozen=True, slots=True)
class HostedReplay:
    """A replay that any service process works on: it was begun over HTTP."""

    tenant_id: str
    replay_id: str


@dataclass(frozen=True, slots=True)
class DueVerdict:
    """An ended replay whose verdict is to be computed for lists, since `verdict_due`."""

    tenant_id: str
    replay_id: str
    verdict_due: datetime


@dataclass(frozen=True, slots=True)
class ItemResult:
    """A row of a report. result: None while the item is open or when it failed."""

    n: int
    status: ItemStatus
    result: dict[str, Any] | None
    error_code: str | None
    error_message: str | None


@dataclass(frozen=True, slots=True)
class PersonVerdict:
    """One person's verdict on a conversation: the candidate against its reference."""

    user_id: str
    verdict: Verdict
    note: str
    judged_at: datetime
    # By turn, `{"verdict", "note"}`; {}: it was said of the whole conversation at once.
    turns: dict[str, dict[str, str]]
    # hidden: given without the sides' names. revealed: likewise, they were shown since. changed:
    # another one since then. names: given with them. None: not known.
    seen: Literal["hidden", "revealed", "changed", "names"] | None = None


async def insert_replay(
    tx: Queryable,
    user_id: str,
    replay_id: str,
    *,
    source: dict[str, Any],
    candidate: dict[str, Any],
    max_cost_usd: Decimal | None,
    max_open: int | None = None,
) -> None:
    """Insert a replay that is open for workers.

    Raises: TooManyRequests. max_open: how many the user may have open, this one included; None: any
    number.
    """
    if max_open is not None:
        await tx.execute(SQL["take_turn"], tx.tenant_id, user_id)
    row = (tx.tenant_id, replay_id, user_id, source, candidate, max_cost_usd, max_open)
    if not await tx.execute(SQL["insert_replay"], *row):
        raise make_too_many(max_open)


def make_too_many(max_open: int | None) -> TooManyRequests:
    """Make the error for a user who has as many open replays as allowed."""
    hint = "Wait until one has ended, or cancel one. limits.replays_per_user sets the maximum."
    return TooManyRequests(f"the user already has {max_open} unfinished replays", hint=hint)


async def insert_items(
    tx: Queryable, user_id: str, replay_id: str, items: Sequence[Mapping[str, Any]]
) -> None:
    """Insert a replay's items: one for each conversation and variant.

    items: `{"n", "lane", "thread_id" or "conversation"}` each.
    """
    await tx.execute(SQL["insert_items"], tx.tenant_id, replay_id, user_id, list(items))


async def load_replay(tx: Queryable, user_id: str | None, replay_id: str) -> ReplayInfo:
    """Load a replay of a user with the counts of its items.

    user_id None: any user's of the tenant. Raises: NotFoundError.
    """
    row = await tx.fetchrow(
        SQL["load_replay"], tx.tenant_id, parse_id(replay_id, "replay"), user_id
    )
    if row is None:
        raise NotFoundError(
            f"there is no replay {replay_id}", hint="`plainloop replay list` shows all replays."
        )
    return _from_replay_row(row)


async def list_replays(
    tx: Queryable, user_id: str | None, limit: int, text: str = ""
) -> list[ReplayInfo]:
    """List replays, the newest first, without the counts of their items.

    text: words that the name contains, in any order and case.
    """
    found = await tx.fetch(SQL["list_replays"], tx.tenant_id, user_id, limit, text.lower().split())
    return [_from_replay_row(row) for row in found]


async def find_due_verdict(store: Store) -> DueVerdict | None:
    """Find the replay whose verdict became due most recently, in any tenant.

    None if no verdict is due.
    """
    async with store.database.operate() as tx:
        row = await tx.fetchrow(SQL["find_due_verdict"])
    return None if row is None else DueVerdict(**row)


async def claim_verdict(tx: Queryable, due: DueVerdict, lease_s: float) -> DueVerdict | None:
    """Claim a due verdict for `lease_s` seconds.

    None if its due time has changed since it was read.
    """
    until = await tx.fetchval(
        SQL["claim_verdict"], tx.tenant_id, due.replay_id, due.verdict_due, lease_s
    )
    return None if until is None else replace(due, verdict_due=until)


async def record_verdict(tx: Queryable, due: DueVerdict, verdict: Outcome | None) -> None:
    """Record the verdict that was computed from a replay's report.

    verdict None: no report can be made. Nothing is recorded if the verdict has become due again:
    the report may be older than that.
    """
    await tx.execute(SQL["record_verdict"], tx.tenant_id, due.replay_id, due.verdict_due, verdict)


async def find_replay(tx: Queryable, text: str) -> str:
    """Find the id of the replay whose id begins with this text.

    Raises: NotFoundError also when several begin so.
    """
    found = await tx.fetch(SQL["find_replays"], tx.tenant_id, text)
    if len(found) != 1:
        reason = (
            "several replays have ids that start" if found else "no replay has an id that starts"
        )
        raise NotFoundError(
            f"{reason} with {text!r}", hint="`plainloop replay list` shows all replays."
        )
    return found[0]["replay_id"]


async def find_candidate_replay(tx: Queryable, user_id: str, lane: Mapping[str, Any]) -> str | None:
    """Find the user's newest succeeded replay of this candidate.

    lane: the candidate's variant as JSON. None if there is none.
    """
    found: str | None = await tx.fetchval(
        SQL["find_candidate_replay"], tx.tenant_id, user_id, dict(lane)
    )
    return found


async def claim_item(
    tx: Queryable,
    replay_id: str,
    owner: str,
    lease_s: float,
    waits: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Item | None:
    """Claim the next item (a conversation in one variant) that no process works on.

    None if there is none. waits: by lane, those in which its conversation must have ended first.
    """
    found = await leases.claim(tx, "items", owner, lease_s, replay_id, dict(waits))
    return Item(replay_id=replay_id, **found[0]) if found else None


async def extend_items(
    tx: Queryable, replay_id: str, owner: str, lease_s: float, on_hand: Sequence[Item]
) -> bool:
    """Extend the leases of claimed items, and return whether the replay must stop."""
    held = [{"lane": item.lane, "n": item.n, "fence": item.fence} for item in on_hand]
    await tx.fetch(leases.SQL["extend_items"], owner, lease_s, held, tx.tenant_id, replay_id)
    return bool(await tx.fetchval(SQL["is_cancelled"], tx.tenant_id, replay_id))


async def record_answer(tx: Queryable, item: Item, call: int, answer: PaidAnswer) -> None:
    """Store an answer that was paid for, before it is used.

    call: the number of its call in the turn. Raises: LeaseLost when the item has gone to somebody
    else.
    """
    place = (tx.tenant_id, item.replay_id, item.lane, item.n, answer.turn, call)
    told = (answer.fingerprint, _to_kept(answer), item.fence)
    kept = await tx.fetchval(SQL["record_answer"], *place, *told)
    require_held(kept, f"the item {item.lane} {item.n}")


async def load_answers(tx: Queryable, item: Item) -> list[PaidAnswer]:
    """Load the paid answers of an item, in order."""
    found = await tx.fetch(SQL["load_answers"], tx.tenant_id, item.replay_id, item.lane, item.n)
    return [_from_answer_row(row) for row in found]


async def load_earlier_answers(
    tx: Queryable, item: Item, replay_ids: Sequence[str]
) -> list[PaidAnswer]:
    """Load the answers that this variant bought for this conversation in other replays."""
    place = (tx.tenant_id, list(replay_ids), item.lane, item.thread_id, item.conversation)
    found = await tx.fetch(SQL["load_earlier_answers"], *place)
    return [_from_answer_row(row) for row in found]


async def list_answered_threads(tx: Queryable, replay_id: str, lane: str) -> set[str]:
    """List the ids of the threads that a variant of a replay has answered."""
    found = await tx.fetch(SQL["list_answered_threads"], tx.tenant_id, replay_id, lane)
    return {row["thread_id"] for row in found}


async def finish_item(
    tx: Queryable,
    item: Item,
    status: ItemStatus,
    result: dict[str, Any] | None,
    error: tuple[str, str] | None = None,
) -> None:
    """End an item (a conversation in one variant) with its result or its error.

    error: code and message. Raises: LeaseLost.
    """
    place = (tx.tenant_id, item.replay_id, item.lane, item.n)
    # Any exception's text: a row that cannot be written would end the whole replay
    # (test_an_error_text_that_postgres_refuses_does_not_stop_a_replay).
    said = (None, None) if error is None else (error[0], clean_text(error[1]))
    told = (status, result, *said, item.fence)
    done = await tx.fetchval(SQL["finish_item"], *place, *told)
    require_held(done, f"the item {item.lane} {item.n}")


async def fail_items(tx: Queryable, replay_id: str, code: str, message: str) -> None:
    """Fail the items (conversations by variant) of a replay that no process works on.

    If the replay is a shadow's, it is also stopped.
    """
    told = (code, clean_text(message))
    await tx.execute(SQL["fail_items"], tx.tenant_id, replay_id, *told)
    await tx.execute(SQL["stop_shadow"], tx.tenant_id, replay_id)


async def release_items(tx: Queryable, replay_id: str, owner: str) -> None:
    """Release the owner's items of a replay, so that others continue them."""
    await tx.execute(leases.SQL["release_items"], owner, tx.tenant_id, replay_id)


async def reopen_replay(
    tx: Queryable, replay_id: str, max_cost_usd: Decimal | None = None, max_open: int | None = None
) -> None:
    """Reopen a replay, so that its failed and cancelled items are tried again.

    Their paid answers stay, but for conversations whose requests have changed: these are answered
    anew on every side. max_cost_usd: a new limit; None keeps the old one. max_open: so many
    the user may have open, this one with them; None: any number.

    Raises: TooManyRequests; the transaction must then be rolled back.
    """
    await tx.execute(SQL["drop_changed_answers"], tx.tenant_id, replay_id)
    await tx.execute(SQL["requeue_failed_items"], tx.tenant_id, replay_id)
    row = (tx.tenant_id, replay_id, max_cost_usd, max_open)
    if not await tx.execute(SQL["reopen_replay"], *row) and max_open is not None:
        raise make_too_many(max_open)


async def finish_replay(tx: Queryable, replay_id: str) -> ReplayStatus | None:
    """End a replay if it was cancelled or has no open items.

    Returns its status, or None if it goes on.
    """
    status = await tx.fetchval(SQL["finish_replay"], tx.tenant_id, replay_id)
    if status is not None:
        await tx.execute(SQL["close_replay_calls"], tx.tenant_id, replay_id)
        await store_batches.drop_taken_outcomes(tx, replay_id)
    return status


async def stop_replay(tx: Queryable, replay_id: str) -> None:
    """Stop a replay at its cost limit.

    No process works on it until it is reopened.
    """
    await tx.execute(SQL["stop_replay"], tx.tenant_id, replay_id)


async def load_stop(tx: Queryable, replay_id: str) -> str:
    """Load the reason for which a replay was stopped, as a sentence.

    Its money is spent, or a model's price is unknown.
    """
    found = (await list_reasons(tx, [replay_id])).get(replay_id)
    return found or "its cost limit leaves no room"


async def list_reasons(tx: Queryable, replay_ids: Sequence[str]) -> dict[str, str]:
    """Return why some items have no result, as a text by replay.

    It is the cost limit's text, else the commonest error.
    """
    found = await tx.fetch(SQL["list_ends"], tx.tenant_id, list(replay_ids), _STOPPED)
    return {row["replay_id"]: row["error_message"] for row in found}


async def list_costs(tx: Queryable, replay_ids: Sequence[str]) -> dict[str, Decimal | None]:
    """Return what the calls of each replay have cost in USD, by replay.

    None if a price is unknown.
    """
    found = await tx.fetch(SQL["list_costs"], tx.tenant_id, list(replay_ids))
    known = {row["replay_id"]: row["cost_usd"] for row in found}
    return dict.fromkeys(replay_ids, Decimal(0)) | known


async def cancel_replay(tx: Queryable, user_id: str | None, replay_id: str) -> bool:
    """Ask an open replay's workers to stop, and return whether it was open."""
    done = await tx.execute(
        SQL["cancel_replay"], tx.tenant_id, parse_id(replay_id, "replay"), user_id
    )
    return done > 0


async def load_spending(tx: Queryable, replay_id: str) -> Spending:
    """Load what a replay has cost, and the upper bound of its open calls."""
    row = await tx.fetchrow(SQL["load_spending"], tx.tenant_id, replay_id)
    assert row is not None
    return Spending(**row)


async def sum_spending(tx: Queryable, replay_ids: Iterable[str]) -> Decimal:
    """Sum what replays have cost in USD, with upper bounds for open calls."""
    found = [await load_spending(tx, replay_id) for replay_id in replay_ids]
    return sum((item.cost_usd + item.open_usd for item in found), Decimal(0))


async def load_ledger_totals(tx: Queryable, replay_id: str) -> dict[str, Any]:
    """Sum a replay's calls in the usage ledger: failures, tokens by kind, and cost."""
    return await tx.fetchrow(SQL["summarize_lanes"], tx.tenant_id, replay_id) or {}


async def list_results(
    tx: Queryable, replay_id: str, lane: str, start: int, limit: int
) -> list[ItemResult]:
    """List a page of a variant's items with their results, in the source's order.

    An item has its status, result and error.
    """
    found = await tx.fetch(SQL["list_results"], tx.tenant_id, replay_id, lane, start, limit)
    return [ItemResult(**row) for row in found]


async def list_sources(
    tx: Queryable, replay_id: str, lane: str, start: int, limit: int
) -> list[dict[str, Any]]:
    """List a page of the recorded conversations that a replay repeats, in order.

    `{"n", "thread_id", "conversation", "balance", "judged", "chat", "tags"}` each.

    balance: of people's verdicts, above 0 better; null without any. judged: each person's verdict.
    chat: the stored thread's name. judged, chat and tags are null without any.
    """
    return await tx.fetch(SQL["list_sources"], tx.tenant_id, replay_id, lane, start, limit)


async def save_verdict(
    tx: Queryable,
    user_id: str,
    replay_id: str,
    n: int,
    verdict: Verdict | None,
    note: str,
    seen: Seen | None = None,
) -> None:
    """Save the user's verdict on a conversation, of which there is one at most.

    verdict None: delete it. seen: what the user saw of the sides; None: not known. Raises:
    NotFoundError.
    """
    key = (tx.tenant_id, replay_id, n, user_id)
    if verdict is None:
        await tx.execute(SQL["delete_verdict"], *key)
    elif await tx.fetchval(SQL["save_verdict"], *key, verdict, note, seen) is None:
        raise NotFoundError(
            f"the conversation {n} is not part of the replay",
            hint="Read the replay to see its conversations.",
        )


async def save_turn_verdict(
    tx: Queryable,
    user_id: str,
    replay_id: str,
    n: int,
    turn: int,
    verdict: Verdict | None,
    note: str = "",
    seen: Seen | None = None,
) -> None:
    """Save the user's verdict on one answer.

    verdict None: delete it. seen: as in `save_verdict`. Raises: NotFoundError.
    """
    key = (tx.tenant_id, replay_id, n, user_id, str(turn))
    if verdict is None:
        for block in ("delete_only_turn_verdict", "delete_turn_verdict"):
            await tx.execute(SQL[block], *key)
    elif await tx.fetchval(SQL["save_turn_verdict"], *key, verdict, note, seen) is None:
        raise NotFoundError(
            f"the conversation {n} is not part of the replay",
            hint="Read the replay to see its conversations.",
        )


async def list_verdicts(tx: Queryable, replay_id: str, n: int) -> list[PersonVerdict]:
    """List people's verdicts on one conversation of a replay."""
    found = await tx.fetch(SQL["list_verdicts"], tx.tenant_id, replay_id, n)
    return [PersonVerdict(**row) for row in found]


async def count_verdicts(tx: Queryable, replay_id: str) -> dict[str, int]:
    """Count a replay's conversations by the verdict that most people gave them."""
    return await tx.fetchrow(SQL["count_verdicts"], tx.tenant_id, replay_id) or {}


async def list_hosted_replays(store: Store, limit: int, *, are_waiting: bool) -> list[HostedReplay]:
    """List the services' replays with open work, of all tenants, the oldest first.

    are_waiting: those that mostly wait, for a provider's batch or live runs; False: the others.
    """
    async with store.database.operate() as tx:
        found = await tx.fetch(SQL["list_hosted_replays"], limit, are_waiting)
    return [HostedReplay(**row) for row in found]


def _from_replay_row(row: Mapping[str, Any]) -> ReplayInfo:
    rest = dict(row)
    return ReplayInfo(
        is_cancelled=rest.pop("cancel_requested"), items=rest.pop("items") or {}, **rest
    )


def _to_kept(answer: PaidAnswer) -> dict[str, Any]:
    response, usage = answer.response, answer.response.usage
    return {
        **{name: getattr(response, name) for name in _OF_RESPONSE},
        **{name: getattr(answer, name) for name in _OF_ANSWER},
        "usage": {**usage.buckets, "source": usage.source},
    }


def _from_answer_row(row: Mapping[str, Any]) -> PaidAnswer:
    kept: dict[str, Any] = row["response"]
    of_response: dict[str, Any] = {name: kept.get(name) for name in _OF_RESPONSE}
    response = LLMResponse(usage=Usage(**kept["usage"]), **of_response)
    own = {name: kept[name] for name in _OF_ANSWER if name in kept}
    told = row["turn"], row["fingerprint"], response
    return PaidAnswer(*told, is_unsettled=row["is_unsettled"], **own)
