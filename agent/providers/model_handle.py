"""A model ready to be called: client, prices, options and learned token counts."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from ..base.copies import replace
from ..base.tokens.factors import TokenFactors
from ..base.tokens.output_sizes import OutputSizes
from ..store.connecting.queryable import Queryable
from ..types import EFFORT, ChatProvider, ChatRequest, Effort, LLMResponse, Record, Usage
from .defaults import EffortOffer, find_effort_offer
from .pricing import LIST_PRICES, Prices


class CachePlanner:
    """A cache planner that changes nothing, for models without a choice of lifetimes."""

    async def plan_call(
        self, request: ChatRequest, handle: ModelHandle, db: Queryable, role: str, worker: str
    ) -> tuple[ChatRequest, ModelHandle]:
        """Return the request and the handle unchanged."""
        return request, handle

    def note_answer(self, handle: ModelHandle, thread_id: str, answer: LLMResponse) -> None:
        """Take note of a model call's answer, which this planner ignores.

        `lifetimes.Pauses` keeps the answer's id.
        """


class ModelHandle(Record, frozen=True):
    """A model ready to be called: client, label, prices and options."""

    provider: str
    model: str
    chat: ChatProvider
    # Of all models of the process, like `outputs` and `pauses`.
    factors: TokenFactors = msgspec.field(default_factory=TokenFactors)
    outputs: OutputSizes = msgspec.field(default_factory=OutputSizes)
    prices: Prices = LIST_PRICES
    pauses: CachePlanner = msgspec.field(default_factory=CachePlanner)
    temperature: float | None = None  # of requests that say none
    effort: Effort | None = None  # as settings say, or as is usual for the role
    is_effort_set: bool = False  # by settings
    efforts: tuple[EffortOffer, ...] | None = None  # of its server's models; None: nobody says
    thoughts_in_text: bool | None = None  # None: as its server's quirks say
    # Of the call that it was taken for: notes, and whether the longer cache lifetime is requested.
    notes: tuple[str, ...] = ()
    is_long: bool = False
    cache_alarm: str | None = None  # less is read from caches than was usual

    @property
    def label(self) -> str:
        """Return the provider's and the model's names: "anthropic:claude-opus-5"."""
        return f"{self.provider}:{self.model}"

    @property
    def refuses(self) -> frozenset[str]:
        """Return the names of the client's preferences that the model ignores.

        A third-party provider may not say.
        """
        own: frozenset[str] = getattr(self.chat, "refuses", frozenset[str]())
        has_levels = self.efforts is None or find_effort_offer(self.efforts, self.model)
        return own if has_levels else own | {EFFORT}

    @property
    def base_url(self) -> str | None:
        """Return the model's address; None if it runs in this process or is unknown."""
        return getattr(self.chat, "base_url", None)

    @property
    def token_factor(self) -> float:
        """Return the learned ratio of the model's tokens to our estimated tokens."""
        return self.factors.get(self.label)

    def price_bound(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Return a call's maximum cost in dollars at this size; None without a known price."""
        counts = (input_tokens, output_tokens)
        return self.prices.price_bound(self.provider, self.model, *counts, is_long=self.is_long)

    def describe_price(self) -> str:
        """Describe the prices of a million tokens: input, cached input, output."""
        counts = {"in": "input_tokens", "read from cache": "cache_read_tokens"}
        parts: list[str] = []
        for word, name in (counts | {"out": "output_tokens"}).items():
            usage = replace(Usage(input_tokens=0, output_tokens=0), **{name: 1_000})
            cost = self.prices.price(self.provider, self.model, usage).amount
            if cost is None:
                return "price unknown"
            parts.append(f"${float(cost * 1_000):g} {word}")
        return f"{', '.join(parts)} per million tokens"

    def to_estimated(self, model_tokens: int) -> int:
        """Convert a count of the model's tokens to our estimated tokens.

        The factor changes rarely, so that histories can be cut by it.
        """
        return round(model_tokens / self.factors.get_steady(self.label))
