"""The rules that answer a sentence without a model; none without a package that brings some.

A package that does has `Rules` of its own, by the entry point `rules` of `plainloop.hooks`. It is
loaded for a pack with entities, and for the offline provider.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..config.installed import load_hook
from ..core.spec import EntitySpec
from ..dataclasses import dataclass
from ..errors import ConfigError
from ..types import ChatProvider, FastIntent, FastQuery

ENGLISH: Final = "english"


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """The request that a sentence certainly expresses, and the rule that matched it."""

    fast_intent: FastIntent
    entity_type: str
    query: FastQuery
    rule: str  # "english.how_many": for `explain`
    asked: str | None = None  # the field whose value is asked for

    @property
    def language(self) -> str:
        """Return the language of the rule that matched, such as "english"."""
        return self.rule.partition(".")[0]


class Rules:
    """Rules that match nothing: every language counts as English; no offline provider."""

    def match_intent(
        self, text: str, entities: tuple[EntitySpec, ...], *, is_reply: bool = False
    ) -> IntentMatch | None:
        """Find the fast path that answers a text by a rule; None if unsure, and always here.

        is_reply: the assistant has just asked something, which a mere "my jobs" may answer.
        """
        return None

    def prepare(self, entities: tuple[EntitySpec, ...]) -> None:
        """Prepare to read sentences about these entities (may take 100 ms). Here, do nothing."""

    def guess_language(self, text: str) -> str:
        """Guess the language of a text ("english", "german"). Here it is always English."""
        return ENGLISH

    def describe_period(self, language: str, op: str, period: str) -> str:
        """Describe a time period in words of a language. Here they are always English."""
        return f"{op} {period.replace('_', ' ')}"

    def make_provider(self, model: str) -> ChatProvider:
        """Build the offline provider; this class raises ConfigError, because it has no rules."""
        raise ConfigError(
            "the offline provider needs plainloop-rules, which is not installed",
            hint="Set a provider's API key, or install it with `pip install plainloop-rules`.",
        )


# Once per process: the installed packages do not change while it runs.
@cache
def load_rules() -> Rules:
    """Load the rules of an installed package, or else rules that match nothing.

    Raises: ConfigError for a package that cannot be imported.
    """
    return (load_hook("rules") or Rules)()


def match_intent(
    text: str, entities: tuple[EntitySpec, ...], *, is_reply: bool = False
) -> IntentMatch | None:
    """Find the fast path that answers a text by a rule; None if unsure."""
    return load_rules().match_intent(text, entities, is_reply=is_reply) if entities else None


def prepare_rules(entities: tuple[EntitySpec, ...]) -> None:
    """Load the rules and build their tables (100 ms, so call this in a thread)."""
    load_rules().prepare(entities)


def make_offline_provider(model: str) -> ChatProvider:
    """Build the provider that answers from rules. Raises: ConfigError without such rules."""
    return load_rules().make_provider(model)
