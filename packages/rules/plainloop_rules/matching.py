"""Requests that need no model: an unmistakable lookup, count or list, recognised by rules.

Certain or nothing: every word must be explained by the grammar, and all explanations must agree.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from plainloop.agent.core.spec import EntitySpec
from plainloop.agent.intents.rules import IntentMatch

from .grammar import Grammar
from .language import ENGLISH, LANGUAGES, Language
from .lexicon import LEXICONS, Lexicon
from .reading import to_fast_query
from .tokens import split_tokens

MAX_CHARS: Final = 200
MAX_TOKENS: Final = 40
_WORD: Final = re.compile(r"\w+")


def match_intent(
    text: str,
    entities: tuple[EntitySpec, ...],
    languages: tuple[Language, ...] = LANGUAGES,
    *,
    is_reply: bool = False,
) -> IntentMatch | None:
    """Return the fast path that answers a text, or None if there is any doubt.

    Never raises. is_reply: the assistant has just posed a question, which a mere "my jobs" may
    answer.
    """
    if len(text) > MAX_CHARS or not text.strip():
        return None
    matches: list[IntentMatch] = []
    for language in languages:
        matches += _list_matches(text, entities, language, is_reply=is_reply)
    if not matches or len({match.language for match in matches}) > 1:  # words of which language?
        return None
    # "How is X doing" and "what is the status of X" are one question; the closer word counts.
    first = next((match for match in matches if match.asked), matches[0])
    agree = all(
        (match.fast_intent, match.entity_type, match.query)
        == (first.fast_intent, first.entity_type, first.query)
        and match.asked in (None, first.asked)
        for match in matches
    )
    return first if agree else None


def build_lexicons(entities: tuple[EntitySpec, ...]) -> None:
    """Build the entities' lexicons in every language before the first sentence needs them.

    It takes 100 ms, which is too long in an event loop that others wait for.
    """
    for language in LANGUAGES:
        for lexicon in LEXICONS.get_lexicons(entities, language):
            _ = lexicon.known, language.starting, language.opening


def guess_language(text: str) -> str:
    """Guess a text's language by the words that it shares with each language's patterns.

    English if it shares none.

    >>> guess_language("Wie viele davon sind noch offen?"), guess_language("Data Engineer")
    ('german', 'english')
    """
    shares = measure_languages(text[:MAX_CHARS])
    return max(shares, key=lambda name: shares[name])


def measure_languages(text: str) -> dict[str, float]:
    """Return, by language, the share of the text's words that the language's patterns contain.

    English comes first.

    >>> measure_languages("Wie viele sind noch offen?")
    {'english': 0.0, 'french': 0.0, 'german': 1.0, 'spanish': 0.0}
    """
    shares: dict[str, float] = {ENGLISH.name: 0.0}
    for language in LANGUAGES:
        words = _WORD.findall(language.fold(text))
        known = sum(word in language.vocabulary for word in words)
        shares[language.name] = known / len(words) if words else 0.0
    return shares


def _list_matches(
    text: str, entities: tuple[EntitySpec, ...], language: Language, *, is_reply: bool
) -> list[IntentMatch]:
    """List every match of any rule for any entity in one language."""
    words = _WORD.findall(language.fold(unicodedata.normalize("NFC", text)))
    lexicons: list[Lexicon] = []
    for lexicon in LEXICONS.get_lexicons(entities, language):
        if not lexicon.hints.isdisjoint(words) and _may_begin(words, lexicon, language):
            lexicons.append(lexicon)
    tokens = split_tokens(text, language) if lexicons else None
    if not tokens or len(tokens) > MAX_TOKENS:
        return []
    # A verb at the end, after a comma, belongs to a relative clause: "Jobs, die remote sind".
    has_comma = any(token.folded == "," for token in tokens)
    said = {token.folded for token in (tokens[:-1] if has_comma else tokens)}
    is_statement = len(tokens) < 2 or not said.isdisjoint(language.finite)
    matches: list[IntentMatch] = []
    for lexicon in lexicons:
        grammar = Grammar(tokens, lexicon, language)
        for rule_name, rule in language.rules.items():
            if rule.is_phrase and (is_reply or is_statement):
                continue
            name = f"{language.name}.{rule_name}"
            matches.extend(
                IntentMatch(
                    rule.intent, lexicon.entity.name, to_fast_query(reading), name, reading.asked
                )
                for reading in grammar.list_readings(rule)
            )
    return matches


def _may_begin(words: list[str], lexicon: Lexicon, language: Language) -> bool:
    """Whether any rule may begin with the first word after openers such as "please".

    Most requests ("add the job …") do not match the grammar, and so are not parsed by it.
    """
    for word in words:
        if word in language.starting or word in lexicon.starts or word[0].isdecimal():
            return True
        if word not in language.opening:
            return False
    return False
