"""A store that is closed: a replayed run reads what was recorded and is itself not stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from plainloop.agent.base.messages.contents import count_thread_tokens, list_exchange_starts
from plainloop.agent.core.run_store import CallRates, ToolCallStore
from plainloop.agent.store.connecting.queryable import Queryable, Row, StepTransaction
from plainloop.agent.store.ledger import hash_prompt_text
from plainloop.agent.store.rates.provider_rates import NO_RATES
from plainloop.agent.store.records import (
    NOTHING,
    CallSettled,
    CallStart,
    Granted,
    LastWords,
    Run,
    RunEnd,
    SentHead,
    StepCommit,
    StepInfo,
    ThreadInfo,
)
from plainloop.agent.types import Message

CLOSED: Final = "a recorded replay cannot read a database"

StepSink = Callable[[StepCommit], None]
CallSink = Callable[[str], None]
HeadSource = Callable[[], SentHead | None]


class LedgerAccess(Protocol):
    """A live replay's access to the database: to its ledger rows, and to reads."""

    @property
    def rates(self) -> CallRates: ...

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str: ...

    def note_call_start(self, start: CallStart) -> None: ...

    async def settle_calls(self, tenant_id: str, calls: Sequence[CallSettled]) -> None: ...

    def transaction(self, tenant_id: str) -> Any: ...

    def read(self, tenant_id: str) -> Queryable: ...


class ClosedStore:
    """A run store that answers from the recording.

    history: the thread before the run, sealed. on_step: told of every step instead of a database,
    on_call of the fingerprint of every call. ledger: what a live replay opens all the same; None
    opens nothing. read_head: tells how the next recorded request begins.
    """

    def __init__(
        self,
        history: Sequence[Message],
        data: dict[str, Any],
        on_step: StepSink,
        ledger: LedgerAccess | None = None,
        on_call: CallSink | None = None,
        read_head: HeadSource | None = None,
    ) -> None:
        self._history = list(history)
        self._data = data
        self._on_step = on_step
        self._ledger = ledger
        self._on_call = on_call
        self._read_head = read_head
        self.end: RunEnd | None = None

    async def load_thread(self, tenant_id: str, user_id: str, thread_id: str) -> ThreadInfo:
        now = datetime.now(UTC)
        count = len(self._history)
        return ThreadInfo(thread_id, user_id, "", "", "chat", count, now, now, data=self._data)

    async def load_messages(
        self,
        tenant_id: str,
        thread_id: str,
        *,
        max_tokens: int | None = None,
        until_position: int | None = None,
    ) -> list[Message]:
        """Return the newest messages that fit `max_tokens`, in whole exchanges.

        The database does the same.
        """
        if max_tokens is None:
            return list(self._history)
        starts = list_exchange_starts(self._history)
        if not starts:
            return []
        end = count_thread_tokens(self._history)
        fitting = [i for i in starts if end - self._history[i].get("offset", 0) <= max_tokens]
        return self._history[fitting[0] if fitting else starts[-1] :]

    async def load_steps(self, tenant_id: str, run_id: str) -> list[StepInfo]:
        return []

    @property
    def rates(self) -> CallRates:
        return NO_RATES if self._ledger is None else self._ledger.rates

    @property
    def queue(self) -> ToolCallStore:
        raise RuntimeError("a replayed run cannot wait for an approval: its tools are not executed")

    async def open_step_transaction(
        self, run: Run, commits: Sequence[StepCommit] = ()
    ) -> StepTransaction:
        raise RuntimeError("a replayed run cannot write: its tools are not executed")

    async def record_steps(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None = None,
        call: CallStart | None = None,
    ) -> None:
        for commit in commits:
            await self.settle_calls(run.tenant_id, commit.calls)
            self._on_step(commit)
            self.end = commit.end

    async def finish_run(self, run: Run, end: RunEnd, last: LastWords = NOTHING) -> None:
        await self.settle_calls(run.tenant_id, last.calls)
        self.end = end

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str:
        if self._ledger is not None:
            return await self._ledger.save_prompt_text(tenant_id, kind, text)
        return hash_prompt_text(text)

    async def load_head(
        self,
        tenant_id: str,
        /,
        thread_id: str,
        worker: str,
        start: int | None,
        canary_id: str | None,
    ) -> SentHead | None:
        """Return the system prompt and tools of the recorded request.

        None if nothing is recorded. A live replay asks with the prompts of its variant.
        """
        return self._read_head() if self._read_head else None

    def is_free(self, start: CallStart) -> bool:
        return False

    async def record_call_start(self, start: CallStart) -> Granted | None:
        """Record the start of a call, and grant its whole reservation.

        Returns None in a recorded replay, which buys nothing. A live replay buys it, and bounds it
        itself (`live.spend_limit`).
        """
        if self._on_call is not None:
            self._on_call(start.fingerprint)
        if self._ledger is None or start.reserved is None:
            return None
        self._ledger.note_call_start(start)
        return Granted(start.reserved, ())

    async def record_request_id(self, tenant_id: str, call_id: str, request_id: str) -> None:
        """Do nothing, because an answer is stored together with its request id."""

    async def settle_calls(self, tenant_id: str, calls: Sequence[CallSettled]) -> None:
        if self._ledger is not None and calls:
            await self._ledger.settle_calls(tenant_id, calls)

    def transaction(self, tenant_id: str) -> Any:
        """Open a ledger transaction in a live replay.

        Raises: RuntimeError in a recorded one.
        """
        if self._ledger is None:
            raise RuntimeError(CLOSED)
        return self._ledger.transaction(tenant_id)

    def read(self, tenant_id: str) -> Queryable:
        return ClosedDatabase() if self._ledger is None else self._ledger.read(tenant_id)


class ClosedDatabase:
    """A database that refuses every statement, as nodes' reads are part of the recording."""

    tenant_id = ""

    async def call(self, function: str, *values: Any, **given: Any) -> list[Row]:
        raise RuntimeError(CLOSED)

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        raise RuntimeError(CLOSED)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        raise RuntimeError(CLOSED)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        raise RuntimeError(CLOSED)

    async def execute(self, sql: str, *args: Any) -> int:
        raise RuntimeError(CLOSED)
