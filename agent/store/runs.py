"""Runs and their steps: statements over an open transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..errors import ConflictError, NotFoundError, TooManyRequests
from ..types import Message
from . import approvals as store_approvals
from . import rows
from . import threads as store_threads
from .database import IDLE_MS, Queryable, Row, parse_id
from .learned.votes import MAX_MATCHES
from .leases import require_held
from .records import (
    LONG_THREAD,
    Approval,
    CallStart,
    Run,
    RunInfo,
    RunStart,
    StepCommit,
    StepInfo,
    ToolCallRecord,
)
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "runs.sql")
_KEPT: Final = tuple({*RunStart.__struct_fields__} & {*Run.__dataclass_fields__})


async def insert_run(tx: Queryable, start: RunStart, owner: str, lease_s: float) -> Run:
    """Append the user's message to its thread and start its run; return the run.

    Raises: NotFoundError when the thread is not the user's; ConflictError THREAD_BUSY when others
    are queued, or it does not end at `start.position`; TooManyRequests when the user has
    `start.max_open_runs`; UniqueViolationError of `runs_active` or `runs_idempotency`.
    """
    (message,), _ = rows.to_message_rows([start.message])
    begun = await tx.call(
        "plainloop_begin_run",
        start.user_id,
        start.thread_id,
        message["parts"],
        message["tokens"],
        rows.to_run_row(start, status="running", owner=owner, fence=1, attempt=1),
        lease_s,
        start.position,
        start.title,
        start.max_open_runs,
        start.history_tokens,
        LONG_THREAD,
        start.pack,
        *(start.sentence or (None, None)),
        MAX_MATCHES,
        start.prompt_reads,
    )
    if not begun:
        # No row: the thread is missing or busy; loading it raises if it is missing.
        await store_threads.load_thread(tx, start.user_id, start.thread_id)
        raise make_busy(start.thread_id)
    if begun[0]["position"] is None:
        raise make_too_many_runs(start.max_open_runs)
    return _make_begun(tx.tenant_id, start, owner, begun[0])


async def load_prompt_read(db: Queryable, run: Run, function: str) -> Any:
    """Return what a pack's SQL function `function` reads for the run's prompt.
    It was loaded with the run's beginning, or is called now.
    """
    if run.prompt_read is not None and function in run.prompt_read:
        return run.prompt_read[function]
    [row] = await db.call(function, user_id=run.user_id)
    return row[function]


async def take_run_slot(tx: Queryable, user_id: str, max_open_runs: int | None) -> None:
    """Reserve one of the user's slots for open runs, or raise if all are used.
    To be called before the run is inserted, and after any row is locked.

    Raises: TooManyRequests when the user has that many already.
    """
    if not await tx.fetchval(SQL["take_run_slot"], tx.tenant_id, user_id, max_open_runs):
        raise make_too_many_runs(max_open_runs)


def make_too_many_runs(max_open_runs: int | None) -> TooManyRequests:
    """Build the error that a user has too many open runs."""
    hint = (
        f"Wait until one of the {max_open_runs} runs has ended. limits.runs_per_user "
        "sets the maximum."
    )
    return TooManyRequests("the user has too many active runs", hint=hint)


def _make_begun(tenant_id: str, start: RunStart, owner: str, begun: Row) -> Run:
    """Build the Run of a just begun request. begun: the row that the database returned."""
    history = begun.get("history")
    return Run(
        tenant_id=tenant_id,
        owner=owner,
        fence=1,
        attempt=1,
        input_position=begun["position"],
        thread_data=begun["data"],
        canary_id=begun["canary_id"],
        history=history and [rows.from_message_row(row) for row in history],
        templates=begun.get("templates"),
        prompt_read=begun.get("prompt_read"),
        **{name: getattr(start, name) for name in _KEPT},
    )


async def load_begun(tx: Queryable, start: RunStart, owner: str) -> Run | None:
    """Load the run that an earlier `insert_run` stored, although its reply was lost."""
    begun = await tx.fetchrow(SQL["load_begun"], tx.tenant_id, start.run_id, owner)
    return None if begun is None else _make_begun(tx.tenant_id, start, owner, begun)


async def check_key(tx: Queryable, start: RunStart, error: Exception) -> None:
    """Raise the fitting error if a run could not start because its idempotency key exists.

    Raises: ConflictError RUN_EXISTS (same key, same request: join that run), IDEMPOTENCY_REUSED.
    """
    if start.idempotency_key is None:
        return
    row = await tx.fetchrow(
        SQL["load_run_by_key"], tx.tenant_id, start.idempotency_key, start.user_id
    )
    if row is None:
        return
    if row["request_hash"] == start.request_hash:
        raise ConflictError(
            f"the run {row['run_id']} already uses this idempotency key",
            hint="Read that run's stream instead of starting another.",
            code="RUN_EXISTS",
        ) from error
    raise ConflictError(
        "this idempotency key was used for another request",
        hint="Use a new key for a new request.",
        code="IDEMPOTENCY_REUSED",
    ) from error


async def record_steps(
    tx: Queryable, run: Run, commits: Sequence[StepCommit], call: CallStart | None = None
) -> None:
    """Store finished steps, with everything that they wrote and the call that follows.

    Raises: LeaseLost when the fence does not hold; the transaction must then be rolled back.
    """
    try:
        await tx.call("plainloop_record_steps", *build_steps(run, commits, call))
    except asyncpg.NoDataFoundError:
        require_held(None, f"the run {run.run_id}")


def build_steps(
    run: Run, commits: Sequence[StepCommit], call: CallStart | None = None
) -> tuple[Any, ...]:
    """Build the parameters of `plainloop_record_steps` after the rights, from finished steps."""
    messages: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    tokens = 0
    data: dict[str, Any] | None = None
    for commit in commits:
        first, answer = len(messages), None
        for row in rows.to_message_rows(commit.update.get("messages", []))[0]:
            if row["role"] == "assistant":
                answer = len(messages)
            messages.append({**row, "n": len(messages), "before": tokens})
            tokens += row["tokens"]
        if (told := commit.update.get("data")) is not None:
            data = {**(data or {}), **told}
        steps.append(rows.drop_nulls(rows.to_step_row(commit, range(first, len(messages)))))
        for row in map(rows.to_tool_call_row, commit.tool_calls):
            whole = f"{run.run_id}:{commit.n}:{row['tool_call_id']}"
            # Empty where it says what other columns do.
            key = "" if row["idempotency_key"] == whole else row["idempotency_key"]
            tools.append(rows.drop_nulls({**row, "step": commit.n, "idempotency_key": key}))
        calls += [{**rows.to_settled_row(item), "answer": answer} for item in commit.calls]
    last = commits[-1]
    end = last.end
    return (
        str(IDLE_MS["short"]),
        run.thread_id,
        run.run_id,
        run.fence,
        last.next_node,
        end.status if end else None,
        end.error_code if end else None,
        end.error_message if end else None,
        len(messages),
        tokens,
        any("first" in step for step in steps),
        data,
        messages or None,
        steps,
        tools or None,
        calls or None,
        [item for commit in commits for item in commit.learned] or None,
        call and rows.to_call_row(call),
    )


async def record_tool_calls(
    tx: Queryable, run: Run, step: int, calls: Sequence[ToolCallRecord]
) -> None:
    """Store the outcomes of a step's tool calls, replacing the rows from their start."""
    stored = [rows.to_tool_call_row(call) for call in calls]
    await tx.execute(SQL["record_tool_calls"], run.tenant_id, run.run_id, step, stored)


async def load_run(tx: Queryable, user_id: str | None, run_id: str) -> RunInfo:
    """Load a run's record. user_id None: any user's. Raises: NotFoundError."""
    run_id = parse_id(run_id, "run")
    row = await tx.fetchrow(SQL["load_run"], tx.tenant_id, run_id, user_id)
    if row is None:
        raise NotFoundError(
            f"no such run: {run_id}", hint="Check the id; only runs of the same user are visible."
        )
    return rows.from_run_row(row)


async def load_run_by_key(tx: Queryable, user_id: str, idempotency_key: str) -> RunInfo | None:
    """Load the run that the user started with this idempotency key; None without one."""
    row = await tx.fetchrow(SQL["load_run_by_key"], tx.tenant_id, idempotency_key, user_id)
    return None if row is None else rows.from_run_row(row)


async def list_runs(tx: Queryable, thread_id: str) -> list[RunInfo]:
    """List the thread's runs, oldest first."""
    found = await tx.fetch(SQL["list_runs"], tx.tenant_id, parse_id(thread_id, "thread"))
    return [rows.from_run_row(row) for row in found]


async def load_steps(tx: Queryable, run_id: str) -> list[StepInfo]:
    """Load the run's steps in order, each with its messages."""
    run_id = parse_id(run_id, "run")
    found = await tx.fetch(SQL["load_steps"], tx.tenant_id, run_id)
    speaking = [row for row in found if row["last_position"] is not None]
    messages: dict[int, Message] = {}
    if speaking:
        first, last = speaking[0]["first_position"], speaking[-1]["last_position"]
        messages = await store_threads.load_run_messages(tx, run_id, first, last)
    steps: list[StepInfo] = []
    for row in found:
        first, last = row["first_position"], row["last_position"]
        said = () if last is None else range(first, last + 1)
        steps.append(rows.from_step_row(row, [messages[position] for position in said]))
    return steps


async def list_run_approvals(tx: Queryable, user_id: str, run_id: str) -> list[Approval]:
    """List the approval requests of the user's run, oldest first. Raises: NotFoundError."""
    await load_run(tx, user_id, run_id)
    return await store_approvals.list_approvals(tx, run_id)


async def load_cut_result(tx: Queryable, thread_id: str, name: str, back: int) -> Any:
    """Load the whole of a tool result that the history contains only shortened.
    back: 0 is the newest such result of this tool in the thread. None: not stored.
    """
    row = await tx.fetchrow(
        SQL["load_cut_result"], tx.tenant_id, parse_id(thread_id, "thread"), name, back
    )
    return None if row is None else row["whole"]


async def list_tool_calls(tx: Queryable, run_id: str) -> list[ToolCallRecord]:
    """List the run's tool calls in the order of the model's requests."""
    found = await tx.fetch(SQL["list_tool_calls"], tx.tenant_id, parse_id(run_id, "run"))
    return [rows.from_tool_call_row(row) for row in found]


def make_step_label(run: Run) -> str:
    """Return a label for a step's database session, by which a new owner of the run finds it."""
    # 51 characters: Postgres cuts `application_name` to 63.
    return f"plainloop step {run.run_id}"


def make_busy(
    thread_id: str, run_id: str | None = None, *, is_waiting: bool = False
) -> ConflictError:
    """Build the error that a thread is busy.
    run_id: the run in its way; None: queued ones. is_waiting: for an approval.
    """
    way = "Decide its pending approval" if is_waiting else "Wait for its answer"
    return ConflictError(
        f"the thread {thread_id} is busy with " + (f"the run {run_id}" if run_id else "other runs"),
        hint=f"{way}, or cancel it.",
        code="THREAD_BUSY",
    )
