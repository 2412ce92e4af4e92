"""Requests that need no model: an unmistakable lookup, count or list, recognised by rules.

Certain or nothing: every word must be explained by the grammar, and all explanations must agree.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from ..core.spec import EntitySpec
from ..types import FastIntent, FastQuery
from .grammar import Grammar
from .language import ENGLISH, LANGUAGES, Language
from .lexicon import LexiconCache
from .reading import to_fast_query
from .tokens import split_tokens

MAX_CHARS: Final = 200
MAX_TOKENS: Final = 40
_LEXICONS: Final = LexiconCache()
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """What a sentence asks, beyond doubt."""

    fast_intent: FastIntent
    entity_type: str
    query: FastQuery
    rule: str  # "english.how_many": for `explain`

    @property
    def language(self) -> str:
        """The language of the rule: "english"."""
        return self.rule.partition(".")[0]


def match_intent(
    text: str, entities: tuple[EntitySpec, ...], languages: tuple[Language, ...] = LANGUAGES
) -> IntentMatch | None:
    """The fast path that answers `text`, or None when there is any doubt. Never raises."""
    if len(text) > MAX_CHARS or not text.strip():
        return None
    matches = [match for language in languages for match in _list_matches(text, entities, language)]
    if not matches:
        return None
    first = matches[0]
    agree = all(
        (match.fast_intent, match.entity_type, match.query)
        == (first.fast_intent, first.entity_type, first.query)
        for match in matches
    )
    return first if agree else None


def guess_language(text: str) -> str:
    """The language whose small words the text has most of; English where that is not clear.

    >>> guess_language("Wie viele davon sind noch offen?"), guess_language("Data Engineer")
    ('german', 'english')
    """
    best, most = ENGLISH.name, 0
    for language in LANGUAGES:
        words = _WORD.findall(language.fold(text[:MAX_CHARS]))
        known = sum(word in language.vocabulary for word in words)
        if known > most:
            best, most = language.name, known
    return best


def _list_matches(
    text: str, entities: tuple[EntitySpec, ...], language: Language
) -> list[IntentMatch]:
    """Every reading that any rule finds for any entity."""
    words = set(_WORD.findall(language.fold(unicodedata.normalize("NFC", text))))
    lexicons = [
        lexicon
        for lexicon in _LEXICONS.get_lexicons(entities, language)
        if not words.isdisjoint(lexicon.nouns)
    ]
    tokens = split_tokens(text, language) if lexicons else None
    if not tokens or len(tokens) > MAX_TOKENS:
        return []
    matches: list[IntentMatch] = []
    for lexicon in lexicons:
        grammar = Grammar(tokens, lexicon, language)
        for rule_name, rule in language.rules.items():
            name = f"{language.name}.{rule_name}"
            matches.extend(
                IntentMatch(rule.intent, lexicon.entity.name, to_fast_query(reading), name)
                for reading in grammar.list_readings(rule)
            )
    return matches
