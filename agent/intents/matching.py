"""Requests that need no model: an unmistakable lookup, count or list, recognised by rules.

Certain or nothing: every word must be explained by the grammar, and all explanations must agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..core.spec import EntitySpec
from ..types import Asked, FastIntent, FastQuery, SentenceReader
from .grammar import Grammar
from .language import ENGLISH, LANGUAGES, Language
from .lexicon import LEXICONS
from .reading import to_asked, to_fast_query
from .tokens import split_tokens

MAX_CHARS: Final = 200
MAX_TOKENS: Final = 40
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class IntentMatch:
    """What a sentence asks, beyond doubt."""

    fast_intent: FastIntent
    entity_type: str
    query: FastQuery
    rule: str  # "english.how_many": for `explain`
    asked: Asked | None = None

    @property
    def language(self) -> str:
        """The language of the rule: "english"."""
        return self.rule.partition(".")[0]


def match_intent(
    text: str,
    entities: tuple[EntitySpec, ...],
    languages: tuple[Language, ...] = LANGUAGES,
    *,
    is_reply: bool = False,
) -> IntentMatch | None:
    """The fast path that answers `text`, or None when there is any doubt. Never raises.

    is_reply: the assistant has just asked something, which a mere "my jobs" may answer.
    """
    if len(text) > MAX_CHARS or not text.strip():
        return None
    readers = _list_readers(entities, languages)
    matches = (
        _match_whole(request, entities, languages, readers, is_reply=is_reply)
        for request in _list_requests(text, readers)
    )
    found = next(filter(None, matches), None)
    return found if found and all(reader.admits(found.query) for reader in readers) else None


def _list_readers(
    entities: tuple[EntitySpec, ...], languages: tuple[Language, ...]
) -> list[SentenceReader]:
    load = entities[0].load_readers if entities else None
    names = {language.name for language in languages}
    return [reader for reader in (load() if load else ()) if reader.language in names]


def _list_requests(text: str, readers: list[SentenceReader]) -> Iterator[str]:
    """The text; then, when nothing was found in it, the text without what is said beside it."""
    yield text
    for reader in _pick_readers(text, readers):
        yield from reader.list_requests(text)


def _pick_readers(text: str, readers: list[SentenceReader]) -> list[SentenceReader]:
    """Of the language that knows most words of the text; its phrases alone are put together."""
    known = [reader.count_known(text) for reader in readers]
    most = max(known, default=0)
    return [reader for reader, count in zip(readers, known, strict=True) if count == most > 0]


def _match_whole(
    text: str,
    entities: tuple[EntitySpec, ...],
    languages: tuple[Language, ...],
    readers: list[SentenceReader],
    *,
    is_reply: bool,
) -> IntentMatch | None:
    """What all words of the text ask together."""
    matches = [
        match
        for language in languages
        for match in _list_matches(text, entities, language, is_reply=is_reply)
    ]
    if len({match.language for match in matches}) > 1:  # words of two languages: which one is it?
        known = {reader.language for reader in _pick_readers(text, readers)}
        matches = [match for match in matches if match.language in known] or matches
    if not matches:
        return _read_closely(text, readers)
    # "How is X doing" and "what is the status of X" are one question; the closer word counts.
    first = next((match for match in matches if match.asked), matches[0])
    agree = all(
        (match.fast_intent, match.entity_type, match.query)
        == (first.fast_intent, first.entity_type, first.query)
        and match.asked in (None, first.asked)
        for match in matches
    )
    if agree and first.fast_intent == "lookup":
        people = {entity.name for entity in entities if entity.is_person}
        closely = _read_closely(text, readers) if first.entity_type in people else None
        if closely and closely.fast_intent != "lookup":
            return closely  # "número de ofertas recibidas" is nobody's telephone
    return first if agree else None


def _read_closely(text: str, readers: list[SentenceReader]) -> IntentMatch | None:
    """What every word of the sentence says together, in the language that knows most of them."""
    best = _pick_readers(text, readers)
    found = [(reader.language, request) for reader in best if (request := reader.read(text))]
    if not found or any(request != found[0][1] for _, request in found):
        return None
    language, request = found[0]
    rule = f"{language}.closely"
    return IntentMatch(request.intent, request.entity, request.query, rule, request.asked)


def guess_language(text: str) -> str:
    """The language whose small words the text has most of; English where that is not clear.

    >>> guess_language("Wie viele davon sind noch offen?"), guess_language("Data Engineer")
    ('german', 'english')
    """
    shares = measure_languages(text[:MAX_CHARS])
    return max(shares, key=lambda name: shares[name])


def measure_languages(text: str) -> dict[str, float]:
    """The share of the text's words that each language has among its small words, English first.

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
    """Every reading that any rule finds for any entity."""
    every = LEXICONS.get_lexicons(entities, language)
    for lexicon in every:
        text = lexicon.compounds.sub(r"\1-\2", text)
    words = set(_WORD.findall(language.fold(unicodedata.normalize("NFC", text))))
    lexicons = [
        lexicon
        for lexicon in every
        if lexicon is every[0] or lexicon.entity.is_person or not words.isdisjoint(lexicon.hints)
    ]
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
        is_hinted = not words.isdisjoint(lexicon.hints)
        rules = language.rules if is_hinted else language.nounless_rules
        for rule_name, rule in rules.items():
            if rule.is_main and lexicon is not every[0]:
                continue
            if rule.is_people and not lexicon.entity.is_person:
                continue
            if rule.is_phrase and (is_reply or is_statement):
                continue
            if rule.needs_already and words.isdisjoint(language.folded_already):
                continue
            heads = language.heads[rule_name]
            if heads and heads.isdisjoint(grammar.begun):
                continue
            needed = language.needed[rule_name]
            if any(map(grammar.said.isdisjoint, needed)):
                continue
            name = f"{language.name}.{rule_name}"
            matches.extend(
                IntentMatch(
                    rule.intent,
                    lexicon.entity.name,
                    to_fast_query(reading),
                    name,
                    to_asked(reading),
                )
                for reading in grammar.list_readings(rule)
            )
    return matches
