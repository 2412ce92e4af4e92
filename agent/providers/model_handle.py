"""A model as runs call it: its client, its prices, and what was learnt of its token counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ..base.output_sizes import OutputSizes
from ..base.token_factors import TokenFactors
from ..types import ChatProvider
from .pricing import LIST_PRICES, Prices


@dataclass(frozen=True, slots=True)
class ModelHandle:
    """Holds one model ready to be called."""

    provider: str
    model: str
    chat: ChatProvider
    factors: TokenFactors = field(default_factory=TokenFactors)  # of all models of the process
    outputs: OutputSizes = field(default_factory=OutputSizes)  # the same
    prices: Prices = LIST_PRICES

    @property
    def label(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def token_factor(self) -> float:
        """The model's tokens per token of our estimate, as learnt so far."""
        return self.factors.get(self.label)

    def price_most(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        """Price what so many tokens cost at most; None: the price is not known."""
        return self.prices.price_most(self.provider, self.model, input_tokens, output_tokens)

    def to_estimated(self, model_tokens: int) -> int:
        """A budget of the model's tokens in our estimate's, steady enough to cut histories by."""
        return round(model_tokens / self.factors.get_steady(self.label))
