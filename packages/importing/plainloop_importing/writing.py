"""Conversations into the database: threads that go on, and recordings of what models answered.

A conversation is one transaction: whatever ends the process, it is there whole or not at all, and
one that is there is not written again. What the source has added since is added here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

from plainloop.agent.base.messages.contents import list_calls, list_open_calls
from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.state import END
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.store import approvals as store_approvals
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store import runs as store_runs
from plainloop.agent.store import threads as store_threads
from plainloop.agent.store.clients.names import Place, save_place
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.records import (
    ApprovalRequest,
    CallSettled,
    CallStart,
    Run,
    RunEnd,
    RunStart,
    StepCommit,
    ToolCallRecord,
)
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import Message, RunOptions
from plainloop.agent.usage.rollup import roll_again
from plainloop_lab.replay.sources.recording import to_visible
from plainloop_lab.replay.sources.stored import IMPORTED

from .conversations import Conversation, ModelCall, PlacedCall
from .ledger import CALL_ERROR, NODE, make_settled, make_start, name_call, to_tools_text
from .target import Target
from .values import NEVER, make_dated_id

SQL: Final = load_sql(Path(__file__).parent / "sql" / "importing.sql")
OWNER: Final = "import"
LEASE_S: Final = 3_600.0  # never seen by others: it ends with its transaction
SAME_ANSWER: Final = timedelta(days=1)  # so far apart an answer's times may be
_CUT: Final = RunEnd("failed", "INTERRUPTED", "the source has no answer")

Outcome = Literal["new", "grown", "same", "apart", "numbers"]


@dataclass(slots=True)
class _Turn:
    """A user's message by its position, and all that follows it."""

    begin: int
    end: int
    calls: list[PlacedCall] = field(default_factory=list[PlacedCall])


async def write_conversation(target: Target, whole: Conversation) -> Outcome:
    """Write one imported conversation, or its new messages.

    Returns: `same` when all of it was there; `apart` when it went on here, or has changed there,
    so that nothing was written; `numbers` when only its calls were, as it has no words.
    """
    for placed in whole.calls:
        day = placed.call.started_at.replace(hour=0, minute=0, second=0, microsecond=0)
        target.days.add(day)
    async with target.store.transaction(target.tenant_id) as tx:
        if whole.alias is not None and await is_name_of_another(tx, target, whole):
            whole.name = whole.alias
        thread_id = target.name_thread(whole.name)
        await leave_out_known(tx, target, whole)
        if not whole.messages:
            return await _write_numbers(tx, target, whole)
        known = await _find_known(tx, target, thread_id, whole)
        if known is None:
            return "apart"
        if known == len(whole.messages):
            await _write_numbers(tx, target, take_beside(whole))
            return "same"
        if known == 0:
            await store_threads.create_thread(
                tx,
                target.user_id,
                thread_id=thread_id,
                title=clean_text(whole.title),
                pack=target.pack,
            )
            place = Place(thread_id, None)
            await save_place(tx, target.user_id, target.space, whole.name, place)
        await _write_turns(tx, target, thread_id, whole, known)
        if known:
            await _write_numbers(tx, target, take_beside(whole))
    return "new" if known == 0 else "grown"


def take_beside(whole: Conversation) -> Conversation:
    """Return the conversation with only the calls that wrote none of its messages.

    Such calls made a title or a verdict, for example. The source may add these alone. Others are
    stored with their messages, and may have another id by now: a checkpoint's calls are dated by
    its newest one (test_a_second_import_adds_the_sources_new_messages).
    """
    return replace(whole, calls=[placed for placed in whole.calls if placed.answered_at is None])


async def is_name_of_another(tx: Queryable, target: Target, whole: Conversation) -> bool:
    """Whether an earlier import gave this conversation's name to another conversation.

    This one is then stored under its alias. It is another if this one's answer is new here.
    """
    answers = [placed.call.response_id for placed in whole.calls]
    threads = [target.name_thread(name) for name in (whole.name, whole.alias or whole.name)]
    return await tx.fetchval(SQL["is_name_of_another"], tx.tenant_id, *threads, answers)


async def leave_out_known(tx: Queryable, target: Target, whole: Conversation) -> None:
    """Drop the conversation's calls that another import already wrote to the ledger.

    They are recognised by the ids of their answers. Some servers count their ids from 1 again:
    within a day the same id is the same answer.
    """
    ids = {
        placed.call.response_id: name_call(target, whole, placed.call)
        for placed in whole.calls
        if placed.call.response_id
    }
    if not ids:
        return
    rows = await tx.fetch(SQL["list_known_responses"], tx.tenant_id, [*ids])
    known = {
        r["response_id"]: r["created_at"]
        for r in rows
        if str(r["call_id"]) != ids[r["response_id"]]
    }
    kept: list[PlacedCall] = []
    for placed in whole.calls:
        at = known.get(placed.call.response_id or "")
        if at is None or abs(at - placed.call.started_at) > SAME_ANSWER:
            kept.append(placed)
    if left_out := len(whole.calls) - len(kept):
        whole.notes.append(
            "a call whose answer was imported before: counted once"
            + (f" ({left_out} times)" if left_out > 1 else "")
        )
    whole.calls = kept
    new = {placed.call.response_id for placed in kept} - {None}
    told = [{"response_id": name, "call_id": ids[name]} for name in ids if name in new]
    await tx.execute(SQL["save_responses"], tx.tenant_id, told)


async def roll_up(target: Target) -> None:
    """Recompute the usage sums of the days into which calls were written."""
    async with target.store.transaction(target.tenant_id) as tx:
        for day in sorted(target.days):
            await roll_again(tx, day, day + timedelta(days=1))


async def _find_known(
    tx: Queryable, target: Target, thread_id: str, whole: Conversation
) -> int | None:
    """Return how many of a conversation's messages are stored; None if the stored ones differ."""
    row = await tx.fetchrow(
        store_threads.SQL["lock_thread"], tx.tenant_id, target.user_id, thread_id
    )
    if row is None:
        return 0
    stored = await store_threads.load_messages(tx, thread_id)
    if len(stored) > len(whole.messages):
        return None
    same = to_visible(stored) == to_visible(whole.messages[: len(stored)])
    return len(stored) if same else None


async def _write_numbers(tx: Queryable, target: Target, whole: Conversation) -> Outcome:
    """Write the calls of a source without messages to the ledger, outside any conversation."""
    ids = [name_call(target, whole, placed.call) for placed in whole.calls]
    found = await tx.fetch(SQL["list_known_calls"], tx.tenant_id, ids)
    known = {str(row["call_id"]) for row in found}
    new = [(i, p) for i, p in zip(ids, whole.calls, strict=True) if i not in known]
    for call_id, placed in new:
        start = make_start(target, whole, placed, call_id, None, None)
        await _start_call(tx, start, placed.call)
        settled = make_settled(target, placed.call, call_id, start)
        await store_ledger.settle_calls(tx, [settled])
    return "numbers" if new else "same"


async def _start_call(tx: Queryable, start: CallStart, call: ModelCall) -> None:
    """Write a call's ledger row with the time of then."""
    await store_ledger.record_call_start(tx, start)
    await tx.execute(SQL["date_call"], tx.tenant_id, start.call_id, call.started_at)


async def _write_turns(
    tx: Queryable, target: Target, thread_id: str, whole: Conversation, known: int
) -> None:
    """Write the turns after the first `known` messages, which are stored already."""
    turns = split_turns(whole)
    if not turns:  # nobody was answered: what was said, and the calls as numbers
        await _write_numbers(tx, target, whole)
    first = turns[0].begin if turns else len(whole.messages)
    if known < first:
        await store_threads.insert_messages(tx, thread_id, None, whole.messages[known:first])
    dated: list[tuple[str, datetime, datetime]] = []
    for n, turn in enumerate(turns):
        if turn.end <= known:
            continue
        is_last = n == len(turns) - 1
        run_id = make_dated_id(_find_time(whole, turn.begin), thread_id, str(n))
        if turn.begin < known:
            place = (tx.tenant_id, thread_id, turn.begin)
            run_id = str(await tx.fetchval(SQL["find_run"], *place))
        ids = [name_call(target, whole, placed.call) for placed in turn.calls]
        await tx.execute(SQL["forget_blanked"], tx.tenant_id, ids)
        waiting = whole.waiting if is_last else {}
        run = await _begin(
            tx, target, thread_id, whole, turn, run_id, known, is_waiting=bool(waiting)
        )
        done = max(known, turn.begin + 1)
        end = _find_end(whole, turn, is_last=is_last)
        await _write_steps(tx, target, run, whole, turn, done, None if waiting else end)
        if waiting:
            await _park(tx, target, run, whole.messages[turn.end - 1], waiting, turn.end)
        ended = _find_time(whole, turn.end - 1)
        dated.append((run_id, _find_time(whole, turn.begin), ended))
    await _date(tx, thread_id, dated, whole)


def split_turns(whole: Conversation) -> list[_Turn]:
    """Split a conversation into turns, and assign each model call to one.

    A call is assigned by its messages, or else by time.
    """
    starts = [n for n, message in enumerate(whole.messages) if message["role"] == "user"]
    turns = [_Turn(start, end) for start, end in pairwise([*starts, len(whole.messages)])]
    for placed in whole.calls:
        place = placed.answered_at if placed.answered_at is not None else placed.last
        if place is None:
            earlier = [
                t for t in turns if (at := whole.times[t.begin]) and at <= placed.call.started_at
            ]
            chosen = earlier[-1] if earlier else turns[0] if turns else None
        else:
            chosen = next((turn for turn in turns if turn.begin <= place < turn.end), None)
        if chosen is None and turns:
            chosen = turns[0]
        if chosen is not None:
            chosen.calls.append(placed)
    return turns


async def _begin(
    tx: Queryable,
    target: Target,
    thread_id: str,
    whole: Conversation,
    turn: _Turn,
    run_id: str,
    known: int,
    *,
    is_waiting: bool,
) -> Run:
    """Create a turn's run, or resume one of which a part is stored.

    A run that waits belongs to the pack that will continue it.
    """
    start = RunStart(
        user_id=target.user_id,
        thread_id=thread_id,
        message=whole.messages[turn.begin],
        design=NODE,
        pack=target.pack if is_waiting else IMPORTED,
        run_id=run_id,
        options=RunOptions(tags=(f"import:{target.source}",)),
    )
    if turn.begin >= known:
        return await store_runs.insert_run(tx, start, OWNER, LEASE_S)
    await tx.execute(store_approvals.SQL["expire_approvals"], tx.tenant_id, run_id, True)
    await tx.execute(SQL["reopen_run"], tx.tenant_id, run_id)
    run = await store_runs.load_begun(tx, start, OWNER) or Run(
        tenant_id=target.tenant_id,
        user_id=target.user_id,
        thread_id=thread_id,
        run_id=run_id,
        owner=OWNER,
        fence=1,
        attempt=1,
        design=start.design,
        pack=start.pack,
        input_position=turn.begin,
    )
    steps = await store_runs.load_steps(tx, run_id)
    return replace(run, next_step=len(steps))


def _find_end(whole: Conversation, turn: _Turn, *, is_last: bool) -> RunEnd:
    messages = whole.messages[turn.begin : turn.end]
    answered = any(p.call.answer is not None and p.call.error is None for p in turn.calls)
    last = messages[-1]
    if last["role"] == "assistant" and not list_open_calls(messages):
        return RunEnd("succeeded")
    if is_last and whole.error:
        return RunEnd("failed", CALL_ERROR, clean_text(whole.error)[:500])
    # An answer without words, of which only the call is known.
    return RunEnd("succeeded") if answered and last["role"] == "user" else _CUT


async def _write_steps(
    tx: Queryable,
    target: Target,
    run: Run,
    whole: Conversation,
    turn: _Turn,
    done: int,
    end: RunEnd | None,
) -> None:
    """Write a turn's messages from `done` on, each as a step."""
    n = run.next_step
    loose = [p for p in turn.calls if p.answered_at is None or p.answered_at < done]
    loose = [p for p in loose if p.answered_at is None or done <= turn.begin + 1]
    places = list(range(done, turn.end))
    for place in places or [None]:
        if place is None and not loose and end is None:
            break
        calls = [p for p in turn.calls if place is not None and p.answered_at == place]
        calls = [*loose, *calls]
        loose = []
        settled: list[CallSettled] = []
        for placed in calls:
            call_id = name_call(target, whole, placed.call)
            start = make_start(target, whole, placed, call_id, run, n)
            if start.system_hash is not None:
                text = clean_text(placed.call.system)
                await store_ledger.save_prompt_text(tx, "system", text)
            if start.tools_hash is not None:
                text = to_tools_text(placed.call)
                await store_ledger.save_prompt_text(tx, "tools", text)
            await _start_call(tx, start, placed.call)
            is_message = place is not None and placed.answered_at == place
            one = make_settled(target, placed.call, call_id, start, is_message=is_message)
            settled.append(one)
        messages = [] if place is None else [whole.messages[place]]
        is_last = place is None or place == places[-1]
        step = _make_step(run, whole, n, place, messages, settled, end if is_last else None)
        await store_runs.record_steps(tx, run, [step])
        n += 1


def _make_step(
    run: Run,
    whole: Conversation,
    n: int,
    place: int | None,
    messages: list[Message],
    settled: Sequence[CallSettled],
    end: RunEnd | None,
) -> StepCommit:
    is_tools = bool(messages) and messages[0]["role"] == "tool"
    asks = bool(messages) and bool(list_calls(messages[0]))
    next_node = NODE if is_tools else f"{NODE}.tools" if asks else END
    tokens_in = sum(call.usage.input_total or 0 for call in settled)
    tokens_out = sum(call.usage.output_total or 0 for call in settled)
    update: dict[str, Any] = {"tokens": {"in": tokens_in, "out": tokens_out}}
    if messages:
        update["messages"] = messages
    asked = whole.messages[place - 1] if place and is_tools else None
    arguments = {c["id"]: c["arguments"] for c in list_calls(asked)} if asked else {}
    results = [p for m in messages for p in m["parts"] if p["type"] == "tool_result"]
    records = [
        ToolCallRecord(
            tool_call_id=part["id"],
            index=index,
            name=part["name"],
            effect="external",
            status="failed" if part["is_error"] else "succeeded",
            arguments=arguments.get(part["id"], {}),
            duration_ms=0,
            idempotency_key=f"import:{run.run_id}:{part['id']}",
        )
        for index, part in enumerate(results)
    ]
    at = _find_time(whole, place if place is not None else len(whole.messages) - 1)
    duration_ms = sum(call.duration_ms for call in settled)
    return StepCommit(
        n=n,
        node=f"{NODE}.tools" if is_tools else NODE,
        update=update,  # pyright: ignore[reportArgumentType]
        next_node=next_node if end is None or asks or is_tools else END,
        started_at=at - timedelta(milliseconds=duration_ms),
        duration_ms=duration_ms,
        calls=tuple(settled),
        tool_calls=tuple(records),
        end=end,
    )


async def _park(
    tx: Queryable, target: Target, run: Run, message: Message, waiting: dict[str, str], place: int
) -> None:
    """Suspend a run until a person approves each of its open calls."""
    calls = [call for call in list_calls(message) if call["id"] in waiting]
    asked = [
        ApprovalRequest(
            make_dated_id(datetime.now(UTC), run.run_id, call["id"]),
            call,
            clean_text(waiting[call["id"]])[:1_000] or call["name"],
        )
        for call in calls
    ]
    await store_approvals.insert_approvals(tx, run, asked, target.expire_s)
    await tx.execute(store_approvals.SQL["park_run"], run.tenant_id, run.run_id, run.fence)
    records = [
        ToolCallRecord(
            *(call["id"], index, call["name"], "external", "approval", call["arguments"], 0),
            idempotency_key=f"{run.run_id}:{place}:{call['id']}",
        )
        for index, call in enumerate(calls)
    ]
    steps = await store_runs.load_steps(tx, run.run_id)
    await store_runs.record_tool_calls(tx, run, len(steps), records)


def _find_time(whole: Conversation, place: int) -> datetime:
    """Return a message's time: its own, else that of an earlier one, else the first known."""
    for n in range(min(place, len(whole.times) - 1), -1, -1):
        if (found := whole.times[n]) is not None:
            return max(found, NEVER)
    return max(whole.began_at or datetime.now(UTC), NEVER)


async def _date(
    tx: Queryable,
    thread_id: str,
    runs: Sequence[tuple[str, datetime, datetime]],
    whole: Conversation,
) -> None:
    told = [{"run_id": i, "at": at.isoformat(), "ended_at": end.isoformat()} for i, at, end in runs]
    messages = [
        {"position": n, "at": _find_time(whole, n).isoformat()} for n in range(len(whole.messages))
    ]
    began = _find_time(whole, 0) if whole.messages else None
    ended = _find_time(whole, len(whole.messages) - 1) if whole.messages else None
    await tx.execute(SQL["date_rows"], tx.tenant_id, thread_id, told, messages, began, ended)
