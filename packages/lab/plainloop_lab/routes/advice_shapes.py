"""The JSON of `/api/advice`. These types are also what OpenAPI is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..advise.wanted import MAX_PLANNED
from ..advise.watching import Watched
from ..store.advices import AdviceStatus
from .shapes import Seed

Name = Annotated[str, Meta(min_length=1, max_length=200)]


class NewAdvice(Struct, forbid_unknown_fields=True):
    """Says what is tried for whom, and what that may cost."""

    max_cost_usd: Annotated[float, Meta(ge=0, le=1e6)]  # of all replays together; 0 buys nothing
    candidates: Annotated[list[Name], Meta(max_length=50)] = []  # MODEL[@EFFORT]; []: chosen
    workers: Annotated[list[Name], Meta(max_length=50)] = []  # []: all that answered in 30 days
    successor: bool = False  # only the vendors' successors of models that have a shutdown date
    # Conversations for each worker. The service reads them all for a plan: fewer than a command.
    sample: Annotated[int, Meta(ge=5, le=MAX_PLANNED)] = 300
    margin: Annotated[str, Meta(pattern=r"^[0-9]{1,3}(\.[0-9]{1,3})?pp$")] = "5pp"
    judge: Annotated[str, Meta(min_length=1, max_length=200)] | None = None  # provider:model
    batch_api: bool = False
    seed: Seed = 0
    user_id: str | None = None  # another one's conversations, or "*": for admins; None: one's own


class PlannedWorker(Struct):
    worker: str
    conversations: int
    today: str
    candidates: list[str]  # in the order in which they are tried
    refused: dict[str, str]  # candidates that are not tried, and why
    cost_usd: float | None  # at most, estimated; None: its calls have no price
    needed: int | None  # conversations for a verdict, at least; None: more than a sample may have
    # The same by margin, if this worker is the only one: what the stored conversations can decide.
    alone: dict[str, int | None]
    saves_usd: float | None  # a month, by the cheapest candidate at list prices; None: unknown


class AdvicePlan(Struct):
    workers: list[PlannedWorker]
    estimate_usd: float  # at most, of the workers whose cost_usd is known
    max_cost_usd: float  # where it stops
    lines: list[str] = []  # the same in words


class Advised(Struct):
    worker: str
    today: str
    candidates: list[str]


class AdviceState(Struct):
    id: str
    user_id: str
    status: AdviceStatus
    successor: bool
    max_cost_usd: float
    verdict: Literal["passed", "failed", "undecided"] | None  # None: it has not ended well
    workers: list[Advised]  # []: not chosen yet
    headline: str | None  # the verdict in a sentence
    saves_usd: float | None  # a month; None: nothing, or unknown
    unread: bool  # a worker may switch whose answers' words nobody compared
    error: str | None
    created_at: datetime
    ended_at: datetime | None


class AdviceList(Struct):
    advice: list[AdviceState]


class AdviceStep(Struct):
    name: str  # worker, candidate, and which of its conversations
    replay_id: str


class AdviceDetail(Struct):
    advice: AdviceState
    plan: AdvicePlan | None  # None: not made yet
    spent_usd: float
    steps: list[AdviceStep]
    result: dict[str, Any] | None  # as `plainloop advise --json` writes it; None: none yet
    table: list[list[str]]  # the verdicts in words; the first row has the heads; []: none yet
    money: list[str]  # what a month costs, and each tested candidate's cost and time
    settings: str  # of the proposals, for plainloop.toml; "": none
    doubts: list[str]
    watched: list[Watched]  # each switched worker's live traffic against the promise


class AdvicesQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1000)] = 20


class AdviceQuery(Struct, forbid_unknown_fields=True):
    # Unset: everything as JSON. rules: the gate's file. The others as the command writes them.
    format: Literal["rules", "markdown", "junit"] | None = None
