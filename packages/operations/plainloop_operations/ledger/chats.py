"""`/api/usage/chats`: chats beside a usual one; `/api/usage/outcomes`: unanswered messages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any, Final

from msgspec import Struct

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.usage.report import UsageFilter, UsageRow, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop.server.routes.shapes import UsageQuery
from plainloop.server.routes.usage import read_filter

SQL: Final = load_sql(Path(__file__).parent / "sql" / "outcomes.sql")
MAX_CHATS: Final = 100
MAX_UNANSWERED: Final = 20
LEAST_CHATS: Final = 5  # below, none is usual
BY: Final = ("chat", "run", "model", "feature")


class ChatCost(Struct):
    """A chat with its cost, models and features; of these the dearest first."""

    chat: str
    answers: int
    models: list[str]
    features: list[str]
    cost_usd: str


class UsualChat(Struct):
    """The median of the chats of all users in the period, or of one's own for a user."""

    chats: int
    answers: float
    cost_usd: str
    model: str | None  # the dearest one of most chats


class ChatCosts(Struct):
    chats: list[ChatCost]  # the dearest first, at most 100
    usual: UsualChat | None  # None: too few chats for a usual one


class Unanswered(Struct):
    """A run whose message got no answer."""

    run_id: str
    user_id: str
    created_at: datetime
    status: str


class Outcomes(Struct):
    """How the messages of a period ended. How those of deleted chats ended is not known."""

    messages: int
    by_status: dict[str, int]  # failed and limit: no answer; cancelled: stopped by the user
    unanswered: list[Unanswered]  # the newest, at most 20
    deleted_chats: int  # at least; with the files that were read for them


@dataclass(slots=True)
class _Chat:
    runs: set[str] = field(default_factory=set[str])
    models: Counter[str] = field(default_factory=Counter[str])
    features: Counter[str] = field(default_factory=Counter[str])

    @property
    def cost_usd(self) -> Decimal:
        return sum((Decimal(cost) for cost in self.models.values()), Decimal())


def gather_chats(rows: Iterable[UsageRow]) -> dict[str, _Chat]:
    """Sum rows by chat, run, model and feature to chats. Calls outside chats are left out."""
    chats: dict[str, _Chat] = defaultdict(_Chat)
    for row in rows:
        chat, run, model, feature = (row.keys[name] for name in BY)
        if chat and run:
            cost: Any = Decimal(row.cost_usd or 0)
            chats[chat].runs.add(run)
            chats[chat].models[model or ""] += cost
            chats[chat].features[feature or ""] += cost
    return chats


def find_usual(chats: Sequence[_Chat]) -> UsualChat | None:
    """Find the median cost and number of answers, and the model that is the dearest of most."""
    if len(chats) < LEAST_CHATS:
        return None
    models = Counter(_sort(chat.models)[0] for chat in chats)
    cost = median(chat.cost_usd for chat in chats)
    answers = median(len(chat.runs) for chat in chats)
    return UsualChat(len(chats), answers, f"{cost:f}", models.most_common(1)[0][0] or None)


def _sort(costs: Counter[str]) -> list[str]:
    return [name for name, _ in costs.most_common()]


async def list_chat_costs(request: ApiRequest, query: UsageQuery) -> ChatCosts:
    """List the dearest chats of the filter, and what a usual chat of the period costs.

    Experiments are left out. Raises: AccessDenied.
    """
    only = read_filter(request, query)
    await roll_up_usage(request.store)
    db = request.store.read_late(request.tenant_id)
    own = {**only.values, "origin": "own"}
    everyone = {"origin": "own", "user": None if request.is_admin else request.user_id}
    of_all, of_filter = [
        gather_chats(
            await summarize_usage(db, BY, UsageFilter(values, only.since, only.until, only.zone))
        )
        for values in (everyone, own)
    ]
    dearest = sorted(of_filter.items(), key=lambda item: item[1].cost_usd, reverse=True)
    return ChatCosts(
        [
            ChatCost(
                name, len(chat.runs), _sort(chat.models), _sort(chat.features), f"{chat.cost_usd:f}"
            )
            for name, chat in dearest[:MAX_CHATS]
        ],
        find_usual([*of_all.values()]),
    )


async def count_outcomes(request: ApiRequest, query: UsageQuery) -> Outcomes:
    """Count the messages of a period and user by how they ended. Raises: AccessDenied."""
    only = read_filter(request, query)
    await roll_up_usage(request.store)
    db = request.store.read_late(request.tenant_id)
    spans = (db.tenant_id, only.since, only.until, only.values["user"])
    rows = await db.fetch(SQL["count_outcomes"], *spans)
    by_status = {row["status"]: row["messages"] for row in rows}
    unanswered = await db.fetch(SQL["list_unanswered"], *spans, MAX_UNANSWERED)
    return Outcomes(
        sum(by_status.values()),
        by_status,
        [
            Unanswered(str(row["run_id"]), row["user_id"], row["created_at"], row["status"])
            for row in unanswered
        ],
        await db.fetchval(SQL["count_deleted_threads"], *spans),
    )


CHAT_ROUTES: Final = (
    ApiRoute("GET", "/api/usage/chats", list_chat_costs, "Compare what chats cost"),
    ApiRoute("GET", "/api/usage/outcomes", count_outcomes, "Count messages without an answer"),
)
