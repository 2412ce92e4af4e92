"""What a replay reads: which threads, and what models answered in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.dataclasses import astuple, dataclass
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.outcomes.ratings import Thumb
from plainloop.agent.store.rows import from_response_row
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import (
    NO_WISHES,
    LLMResponse,
    Message,
    Usage,
    Wished,
    Wishes,
    pick_buckets,
)

SQL: Final = load_sql(Path(__file__).parent / "sql" / "recordings.sql")


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One answered model call. positions: of the thread, inclusive; None: `extra` is all of it.

    system and tools: the request's texts, "" without. asked: `provider:model`.
    """

    step: int | None
    role: str
    worker: str | None
    asked: str
    fingerprint: str | None
    system: str
    tools: str
    first_position: int | None
    last_position: int | None
    extra: list[Message]
    token_factor: float
    response: LLMResponse
    duration_ms: int


@dataclass(frozen=True, slots=True)
class CallSize:
    """The model and tokens of one recorded call of a thread."""

    thread_id: str
    run_id: str
    role: str
    worker: str | None
    requested: str  # provider:model
    estimated_input_tokens: int
    usage: Usage
    age_s: float  # since it began


@dataclass(frozen=True, slots=True)
class AnswerSizes:
    """How long a model's answers in one role were in one thread. mean: output tokens of a call."""

    label: str  # provider:model
    role: str
    thread_id: str
    calls: int
    mean: float


@dataclass(frozen=True, slots=True)
class RecordedOptions:
    """States what a run's client wished at last, what before, the names of the tools that it
    brought, and the tool calls that the run asked it, or a person, about. parts_name: that of the
    code that began it; None: not known.
    """

    wishes: Wishes = NO_WISHES
    wished: tuple[Wished, ...] = ()
    client_tools: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    parts_name: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadFilter:
    """Chooses threads; what is None does not count. In the order of the statement's parameters."""

    user_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    tag: str | None = None
    worker: str | None = None
    is_failed: bool = False
    min_cost_usd: Decimal | None = None
    rating: Thumb | None = None  # with an answer that its user rated so
    has_answer: bool = False  # only those in which an answer is stored


async def list_replay_threads(tx: Queryable, wanted: ThreadFilter) -> list[str]:
    """List the ids of the threads that match the filter, the newest first."""
    found = await tx.fetch(SQL["list_replay_threads"], tx.tenant_id, *astuple(wanted))
    return [row["thread_id"] for row in found]


async def load_thread_kind(tx: Queryable, thread_id: str) -> str:
    """Load a thread's kind.

    "chat" if it does not exist.
    """
    found = await tx.fetchval(SQL["load_thread_kind"], tx.tenant_id, parse_id(thread_id, "thread"))
    return found or "chat"


async def list_made(
    tx: Queryable, thread_ids: Sequence[str]
) -> dict[str, set[tuple[str, str, str]]]:
    """Return how each thread's runs were made, as sets of (kind, pack, design)."""
    found: dict[str, set[tuple[str, str, str]]] = {}
    for row in await tx.fetch(SQL["list_made"], tx.tenant_id, list(thread_ids)):
        found.setdefault(row["thread_id"], set()).add((row["kind"], row["pack"], row["design"]))
    return found


async def list_recorded_calls(tx: Queryable, run_id: str) -> list[RecordedCall]:
    """List a run's answered model calls, in order."""
    found = await tx.fetch(SQL["list_recorded_calls"], tx.tenant_id, parse_id(run_id, "run"))
    return [_from_row(row) for row in found]


async def list_call_sizes(tx: Queryable, thread_ids: Sequence[str]) -> list[CallSize]:
    """List the models and tokens of the calls that a replay of these threads makes again."""
    return [
        CallSize(
            *(row["thread_id"], row["run_id"], row["role"], row["worker"]),
            *(f"{row['provider']}:{row['model']}", row["estimated_input_tokens"]),
            *(Usage(**pick_buckets(row)), row["age_s"]),
        )
        for row in await tx.fetch(SQL["list_thread_calls"], tx.tenant_id, list(thread_ids))
    ]


async def list_answer_sizes(tx: Queryable) -> list[AnswerSizes]:
    """List how long the latest answers were, by model, role and thread, also of replays."""
    return [AnswerSizes(**row) for row in await tx.fetch(SQL["list_answer_sizes"], tx.tenant_id)]


async def list_warm_prompts(tx: Queryable) -> dict[tuple[str, str, str], float]:
    """Map (`provider:model`, role, worker) to the age in seconds of its latest call."""
    found = await tx.fetch(SQL["list_warm_prompts"], tx.tenant_id)
    return {(row["label"], row["role"], row["worker"]): row["age_s"] for row in found}


async def load_options(tx: Queryable, run_id: str) -> RecordedOptions:
    """Load the options and tools that a run's client sent.

    Includes the calls that needed approval.
    """
    row = await tx.fetchrow(SQL["load_options"], tx.tenant_id, parse_id(run_id, "run"))
    told = {name: value for name, value in (row or {}).items() if value is not None}
    return msgspec.convert(told, RecordedOptions)


def _from_row(row: Mapping[str, Any]) -> RecordedCall:
    message: Message = {"role": "assistant", "parts": row["message_parts"] or []}
    if row["response"] is not None:
        message = from_response_row(row["response"])
    usage = Usage(**pick_buckets(row), source=row["usage_source"])
    return RecordedCall(
        step=row["step"],
        role=row["role"],
        worker=row["worker"],
        asked=f"{row['provider']}:{row['model']}",
        fingerprint=row["fingerprint"],
        system=row["system"] or "",
        tools=row["tools"] or "",
        first_position=row["first_position"],
        last_position=row["last_position"],
        extra=row["extra_messages"] or [],
        token_factor=row["token_factor"],
        response=LLMResponse(message, row["stop"] or "end", usage, row["model_answered"] or ""),
        duration_ms=row["duration_ms"] or 0,
    )
