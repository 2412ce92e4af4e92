"""What the service calls of this package."""

from __future__ import annotations

from plainloop.agent.core.spec import EntitySpec
from plainloop.agent.intents.rules import IntentMatch, Rules
from plainloop.agent.types import ChatProvider

from .language import describe_period
from .matching import build_lexicons, guess_language, match_intent


class GrammarRules(Rules):
    """The hook for the grammar of four languages and the offline provider."""

    def match_intent(
        self, text: str, entities: tuple[EntitySpec, ...], *, is_reply: bool = False
    ) -> IntentMatch | None:
        return match_intent(text, entities, is_reply=is_reply)

    def prepare(self, entities: tuple[EntitySpec, ...]) -> None:
        build_lexicons(entities)

    def guess_language(self, text: str) -> str:
        return guess_language(text)

    def describe_period(self, language: str, op: str, period: str) -> str:
        return describe_period(language, op, period)

    def make_provider(self, model: str) -> ChatProvider:
        from .offline.brain.provider import OfflineProvider

        return OfflineProvider(model)
