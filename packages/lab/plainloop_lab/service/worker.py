"""A replay of live replays: rows that any number of processes work off, each answer bought once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, suppress
from decimal import Decimal
from functools import partial
from typing import Any, Final

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.base.ids import make_id
from plainloop.agent.base.tokens.output_sizes import OutputSizes
from plainloop.agent.core.attempts import BUSY_WAIT_S
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import AgentError, BudgetBusy, LeaseLost, StoreError
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.records import CallStart
from plainloop.agent.store.store import Store

from ..batches.chat import make_wrap
from ..batches.submitter import BatchSubmitter
from ..comparing.judge import judge_item
from ..live.conversations import load_live
from ..live.lane import Lane, replay_live
from ..live.paid_calls import PaidCalls
from ..live.plan import BASELINE, CANDIDATE, DRIFT, JUDGE, LivePlan
from ..live.sharing import SharedAnswers, load_recorded_answers
from ..live.spend_limit import (
    ReplayStopped,
    SpendLimitReached,
    hold_whole,
    start_within_limit,
    update_usual,
)
from ..live.tenant_rows import TenantRows
from ..live.tools import open_sandbox
from ..store import replays as store_replays
from ..store.replays import Item, ReplayInfo
from ..store.sandbox import Sandbox, drop_sandboxes

logger = logging.getLogger(__name__)

INSERTED_AT_ONCE: Final = 100
ROOM_PAUSE_S: Final = 0.25  # until it is looked again whether the limit of cost leaves room


@dataclass(frozen=True, slots=True)
class NewItem:
    """A conversation of a new replay: a stored thread, or an imported one as JSON."""

    thread_id: str | None = None
    conversation: dict[str, Any] | None = None


async def create_replay(
    store: Store,
    tenant_id: str,
    user_id: str,
    items: Iterable[NewItem],
    plan: LivePlan,
    source: str,
    max_cost_usd: Decimal | None,
    hosting: Mapping[str, Any] | None = None,
    max_open: int | None = None,
) -> str:
    """Store a new replay of these conversations, one item per conversation and variant.

    Returns the replay's id. hosting: for one that services work on (`hosting.make_hosting`); None:
    whoever began it does. max_open: so many the user may have open, this one with them; None: any
    number.

    Raises: TooManyRequests.
    """
    async with store.transaction(tenant_id) as tx:
        return await write_replay(tx, user_id, items, plan, source, max_cost_usd, hosting, max_open)


async def write_replay(
    tx: Queryable,
    user_id: str,
    items: Iterable[NewItem],
    plan: LivePlan,
    source: str,
    max_cost_usd: Decimal | None,
    hosting: Mapping[str, Any] | None = None,
    max_open: int | None = None,
) -> str:
    """Store a new replay as `create_replay` does, in the caller's transaction."""
    replay_id = make_id()
    await store_replays.insert_replay(
        tx,
        user_id,
        replay_id,
        source={"text": source, **(hosting or {})},
        candidate=plan.to_json(),
        max_cost_usd=max_cost_usd,
        max_open=max_open,
    )
    waiting: list[dict[str, Any]] = []
    for n, item in enumerate(items):
        row = {"n": n, "thread_id": item.thread_id, "conversation": item.conversation}
        waiting += [{**row, "lane": lane} for lane in plan.list_lanes(n)]
        if len(waiting) >= INSERTED_AT_ONCE:
            await store_replays.insert_items(tx, user_id, replay_id, waiting)
            waiting = []
    await store_replays.insert_items(tx, user_id, replay_id, waiting)
    return replay_id


class ReplayWorker:
    """Works on a replay until nothing of it is open, here or elsewhere.

    lanes: opened. on_done: told of each item that ended here. on_progress: told in words how far a
    provider's batch is. make_way: waits until it may go on beside what is more urgent; None: at
    once.
    """

    def __init__(
        self,
        store: Store,
        tenant_id: str,
        info: ReplayInfo,
        lanes: Mapping[str, Lane],
        on_done: Callable[[], None] = lambda: None,
        on_progress: Callable[[str], None] = lambda _: None,
        make_way: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._make_way = make_way
        self._rows = TenantRows(store, tenant_id)
        self._info = info
        self._plan = LivePlan.from_json(info.candidate)
        self._lanes = lanes
        self._on_done = on_done
        self._owner = make_owner()
        self._limits = next(iter(lanes.values())).settings.get_table(RunLimits)
        self._pacer = Pacer(self._plan.requests_per_minute)
        self._stop: ReplayStopped | None = None
        self._on_hand: dict[tuple[str, int], Item] = {}
        self._looking = asyncio.Lock()
        self._freed = asyncio.Event()  # an item has ended: another may wait for it
        # Without batches nobody asks it: then it has nothing to do.
        self._submitter = BatchSubmitter(self._rows, info, lanes, self._owner, on_progress)

    async def run(self, concurrency: int) -> None:
        """Work on a replay's items until it has ended or is stopped.

        Claimed items are then released. Raises: ReplayStopped when the replay was cancelled or its
        money is spent.
        """
        helpers = [asyncio.create_task(self._beat())]
        if self._plan.batch_api:
            helpers.append(asyncio.create_task(self._submitter.run()))
        replay_id, items = self._info.replay_id, self._info.items
        open_items = items.get("queued", 0) + items.get("running", 0)
        count = max(1, min(concurrency, open_items))
        workers = [asyncio.create_task(self._work()) for _ in range(count)]
        left = {*workers, *helpers}
        try:
            while not left.isdisjoint(workers):
                done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            await end_tasks(*workers, *helpers)
            if self._plan.batch_api:
                await self._submitter.close()
            with suppress(StoreError):
                await self._rows.execute(store_replays.release_items, replay_id, self._owner)
        if isinstance(self._stop, SpendLimitReached):
            await self._rows.insist(store_replays.stop_replay, replay_id)
        ended = await self._rows.insist(store_replays.finish_replay, replay_id)
        if ended is not None and self._plan.sandbox:
            await drop_left_sandboxes(self._rows.store, replay_id)
        if self._stop is not None:
            raise self._stop

    async def _work(self) -> None:
        """Replay one item after the other until none is left."""
        activity = self._submitter.activity
        activity.workers += 1
        try:
            while (item := await self._take_item()) is not None:
                await self._finish(item)
                self._submitter.leave_item()
                self._freed.set()
        finally:
            activity.workers -= 1

    async def _take_item(self) -> Item | None:
        """Claim the next item, or wait for those of others, whose owners may die.

        None: there will be no more. One worker at a time looks.
        """
        async with self._looking:
            while self._stop is None:
                self._freed.clear()
                whose = self._info.replay_id, self._owner, self._limits.lease_s, self._plan.waits
                item = await self._rows.insist(store_replays.claim_item, *whose)
                if item is not None:
                    self._submitter.enter_item()
                    return item
                info = await self._rows.insist(store_replays.load_replay, None, whose[0])
                if info.is_cancelled:
                    self._halt(make_cancelled(), cancels_batches=True)
                    return None
                if not info.items.get("running") and not info.items.get("queued"):
                    return None
                if not self._freed.is_set():
                    self._submitter.note_exhausted()
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(1.0, self._limits.heartbeat_s)):
                        await self._freed.wait()
        return None

    async def _finish(self, item: Item) -> None:
        """Replay one item and store its result or error."""
        self._on_hand[item.lane, item.n] = item
        try:
            result = await keep_trying(lambda: self._replay(item))
            await self._end(item, "succeeded", {"turns": result}, None)
            self._on_done()
        except LeaseLost:
            return  # somebody else goes on with it
        except ReplayStopped as stop:
            self._halt(stop, cancels_batches=False)
            await self._end(item, "cancelled", None, (stop.code, stop.message))
        except AgentError as error:
            await self._end(item, "failed", None, (error.code, error.message))
            self._on_done()
        except Exception as error:  # the edge: one conversation is no reason to end the replay
            logger.exception("replay_item_failed", extra={"lane": item.lane, "n": item.n})
            told = ("INTERNAL_ERROR", f"{type(error).__name__}: {error}")
            await self._end(item, "failed", None, told)
            self._on_done()
        finally:
            del self._on_hand[item.lane, item.n]

    async def _replay(self, item: Item) -> Any:
        if self._make_way is not None:
            await self._make_way()  # reading a long thread takes the processor too
        lane, rows = self._lanes[item.lane], self._rows
        paid_calls = PaidCalls(
            await rows.execute(store_replays.load_answers, item),
            keep=partial(rows.insist, store_replays.record_answer, item),
            record_start=partial(self._record_start, lane.models.outputs),
            before_call=self._allow_call,
            cache_key=f"{item.replay_id}:{item.lane}:{item.n}",
            shared=await keep_trying(lambda: self._load_shared(item)),
        )
        if self._plan.batch_api:
            paid_calls.wrap = make_wrap(item, paid_calls, self._submitter.ask)
        if item.lane == JUDGE:
            judged = list(self._plan.lanes)
            return await judge_item(rows.store, rows.tenant_id, item, judged, lane, paid_calls)
        only = await rows.execute(list_shared_turns, item) if item.lane in DRIFT else None
        conversation = await load_live(rows.store, rows.tenant_id, item, lane, self._plan)
        if item.lane == CANDIDATE and self._plan.compares_recording:
            only = {n for n, turn in enumerate(conversation.turns) if turn.is_whole}
        mine = {n for n, turn in enumerate(conversation.turns) if self._plan.has_turn(turn)}
        only = mine if only is None else mine & only
        async with AsyncExitStack() as stack:
            sandbox: Sandbox | None = None
            if self._plan.sandbox:
                name = name_sandbox(item, self._plan)
                opened = open_sandbox(rows.store.database, rows.tenant_id, name, conversation.pack)
                sandbox = await stack.enter_async_context(opened)
            return await replay_live(
                conversation,
                lane,
                paid_calls,
                rows.store,
                rows.tenant_id,
                self._plan.history,
                allow_reads=self._plan.allow_reads,
                sandbox=sandbox,
                only=only,
                is_routing=self._plan.role is not None,
            )

    async def _load_shared(self, item: Item) -> SharedAnswers:
        """Load the answers that an item may share instead of buying them."""
        if item.lane == CANDIDATE and self._plan.shares_recording:
            return await load_recorded_answers(self._rows.store, self._rows.tenant_id, item)
        if item.lane == BASELINE and self._plan.share and self._plan.answers_from:
            has = await self._rows.execute(
                store_replays.load_earlier_answers, item, self._plan.answers_from
            )
            if has:
                return SharedAnswers.collect(BASELINE, ((a.identity, a) for a in has))
        other = {BASELINE: CANDIDATE, CANDIDATE: BASELINE}.get(item.lane)
        if not self._plan.share or other not in self._plan.lanes:
            return SharedAnswers()
        has = await self._rows.execute(store_replays.load_answers, replace(item, lane=other))
        return SharedAnswers.collect(other, ((answer.identity, answer) for answer in has))

    def _halt(self, stop: ReplayStopped, *, cancels_batches: bool) -> None:
        if self._stop is None:
            self._stop = stop
            self._freed.set()
        self._submitter.stop(self._stop, cancels_batches=cancels_batches)

    async def _end(
        self, item: Item, status: Any, result: Any, error: tuple[str, str] | None
    ) -> None:
        with suppress(LeaseLost):
            await self._rows.insist(store_replays.finish_item, item, status, result, error)

    async def _record_start(self, sizes: OutputSizes, start: CallStart) -> int | None:
        """Write a call's ledger row when the replay's cost limit and the budgets have room for it.

        sizes: of usual answers, which become known while a call waits for room.

        Returns how many output tokens the limit leaves; None without a limit.

        Raises: ReplayStopped where the replay's limit of cost leaves no room; BudgetExceeded.
        """
        named = replace(start, replay_id=self._info.replay_id, fence=None)
        limit, store = self._info.max_cost_usd, self._rows.store
        busy_until = time.monotonic() + BUSY_WAIT_S
        while True:
            try:
                if limit is None:
                    await keep_trying(partial(store.record_call_start, hold_whole(named)))
                    return None
                named = update_usual(named, sizes)
                if reserved := await keep_trying(partial(start_within_limit, store, named, limit)):
                    return reserved.output_tokens
            except BudgetBusy:  # other calls hold the rest: waited for as in a chat
                if time.monotonic() >= busy_until:
                    raise
            if self._stop is not None:
                raise self._stop
            await asyncio.sleep(ROOM_PAUSE_S)

    async def _allow_call(self, provider: str) -> None:
        """Wait until a call to this provider may be made.

        Raises: ReplayStopped when the replay was cancelled.
        """
        if self._make_way is not None:
            await self._make_way()
        if self._stop is not None:
            raise self._stop
        await self._pacer.wait(provider)

    async def _beat(self) -> None:
        """Extend the leases of this process's items, and stop when the replay is cancelled.

        No others: a claim may have been written and its answer lost, and then nobody works on the
        item until its lease is over.
        """
        while True:
            await asyncio.sleep(self._limits.heartbeat_s)
            with suppress(StoreError):
                is_cancelled = await self._rows.execute(
                    store_replays.extend_items,
                    self._info.replay_id,
                    self._owner,
                    self._limits.lease_s,
                    list(self._on_hand.values()),
                )
                if is_cancelled:
                    self._halt(make_cancelled(), cancels_batches=True)


def make_cancelled() -> ReplayStopped:
    """Make the error that ends the open conversations of a cancelled replay."""
    hint = "`plainloop replay resume` continues it, and keeps what is paid."
    return ReplayStopped("the replay was cancelled", hint=hint)


async def list_shared_turns(tx: Queryable, item: Item) -> set[int]:
    """Return the turns in which the candidate reused answers of the recording."""
    (found,) = await store_replays.list_results(tx, item.replay_id, CANDIDATE, item.n, 1)
    turns = (found.result or {}).get("turns", [])
    return {turn["turn"] for turn in turns if "shared" in turn}


async def drop_left_sandboxes(store: Store, replay_id: str) -> None:
    """Drop the sandboxes of a replay that killed processes have left.

    A sandbox is a copy of the tenant's rows.
    """
    await drop_sandboxes(store.database, _name_sandboxes(replay_id))


def name_sandbox(item: Item, plan: LivePlan) -> str:
    """Make the name of an item's sandbox from the replay, the variant and the conversation.

    The variant's name would be too long: Postgres cuts names off after 63 bytes, and conversations
    10 and 100 had one schema (`test_conversations_10_and_100_have_sandboxes_of_their_own`).
    """
    return f"{_name_sandboxes(item.replay_id)}{[*plan.all_lanes].index(item.lane)}_{item.n}_"


def _name_sandboxes(replay_id: str) -> str:
    """Make the prefix of the names of a replay's sandboxes.

    >>> _name_sandboxes("0198-f3")
    '0198f3_'
    """
    return f"{replay_id.replace('-', '')}_"


class Pacer:
    """Lets at most so many requests a minute go to each provider, evenly spread; None: no limit."""

    def __init__(self, per_minute: int | None) -> None:
        self._gap_s = 60 / per_minute if per_minute else 0.0
        self._next: dict[str, float] = {}

    async def wait(self, provider: str) -> None:
        """Wait until the provider may get its next request, at an even pace."""
        if not self._gap_s:
            return
        now = time.monotonic()
        at = max(now, self._next.get(provider, now))
        self._next[provider] = at + self._gap_s
        await asyncio.sleep(at - now)
