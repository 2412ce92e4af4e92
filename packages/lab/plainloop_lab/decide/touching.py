"""What a candidate would have to buy, before anything is bought: its requests are made against the
recording, and a turn whose every request is in it costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ModelRequestError
from plainloop.agent.store.store import Store

from ..comparing.recorded_side import load_stored_side
from ..live.conversations import load_live
from ..live.lane import Lane, TurnResult, replay_live
from ..live.paid_calls import PaidCalls
from ..live.plan import CANDIDATE, LivePlan
from ..live.sharing import load_recorded_answers
from ..store.replays import Item


@dataclass(slots=True)
class Touched:
    """Counts recorded calls that a candidate would buy or share. usd: only of priced calls."""

    conversations: int = 0
    touched: int = 0
    bought_calls: int = 0
    bought_tokens: int = 0
    bought_usd: Decimal = Decimal(0)
    shared_calls: int = 0
    shared_tokens: int = 0
    shared_usd: Decimal = Decimal(0)

    @property
    def share(self) -> float:
        """Return the share of conversations in which the candidate would buy model calls."""
        return self.touched / self.conversations if self.conversations else 0.0

    def add(self, recorded: Sequence[TurnResult], results: Sequence[TurnResult]) -> None:
        """Add a conversation's dry run: calls that would be bought, and calls that are shared.

        results: of the dry run; each that is not whole has an error.
        """
        then = {turn["turn"]: turn for turn in recorded}
        self.conversations += bool(results)
        self.touched += any(turn["error"] == NotBought.code for turn in results)
        for turn in results:
            was, taken = then[turn["turn"]], turn.get("shared", {})
            tokens = sum(filter(None, was["tokens"].values()))
            calls, usd = was["calls"] or 0, Decimal(was["cost_usd"] or 0)
            shared = (calls, tokens, usd)
            if turn["error"] == NotBought.code:
                known = Decimal(taken.get("cost_usd") or 0)
                shared = taken.get("calls", 0), taken.get("tokens", 0), known
            self.shared_calls += shared[0]
            self.shared_tokens += shared[1]
            self.shared_usd += shared[2]
            self.bought_calls += max(0, calls - shared[0])
            self.bought_tokens += max(0, tokens - shared[1])
            self.bought_usd += max(Decimal(0), usd - shared[2])


class NotBought(ModelRequestError):
    """Stands for an answer that the candidate would have to buy."""

    code = "NOT_BOUGHT"


async def find_touched(
    store: Store, tenant_id: str, thread_ids: Sequence[str], plan: LivePlan, lane: Lane
) -> Touched:
    """Count which calls of these threads a candidate would have to buy.

    No model is called. plan: without a baseline.
    """
    found = Touched()

    async def refuse(provider: str) -> None:
        raise NotBought("a plan makes no model call: start the replay to make it")

    async def forget(*_: Any) -> None:
        pass

    for n, thread_id in enumerate(thread_ids):
        item = Item("", CANDIDATE, n, thread_id, None, 0)
        shared = await load_recorded_answers(store, tenant_id, item)
        calls = PaidCalls((), forget, forget, refuse, "", shared)
        talk = await load_live(store, tenant_id, item, lane, plan)
        results = await replay_live(
            talk, lane, calls, store, tenant_id, plan.history, allow_reads=False
        )
        recorded, _ = await load_stored_side(store, tenant_id, thread_id)
        found.add(recorded, results)
    return found


def render_touched(found: Touched) -> list[str]:
    """Render how much a candidate would buy and share, as lines for a terminal.

    >>> render_touched(Touched(200, 22, 40, 9000, Decimal("0.5"), 560, 91000, Decimal("4.5")))[1]
    'bought: 40 calls, 9,000 tokens, $0.5000 · shared: 560 calls, 91,000 tokens, $4.5000 saved'
    """
    return [
        f"touched: {found.touched:,} of {format_count(found.conversations, 'conversation')}",
        f"bought: {found.bought_calls:,} calls, {found.bought_tokens:,} tokens, "
        f"${found.bought_usd:,.4f} · shared: {found.shared_calls:,} calls, "
        f"{found.shared_tokens:,} tokens, ${found.shared_usd:,.4f} saved",
    ]
