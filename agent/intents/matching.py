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
from ..types import Asked, FastIntent, FastQuery
from .asides import has_parts, list_requests
from .closed_reading import Request, read_request
from .cutting import cut
from .grammar import Grammar
from .language import ENGLISH, LANGUAGES, Language
from .lexicon import LexiconCache
from .phrasebook import Phrasebook, load_phrasebooks
from .reading import to_asked, to_fast_query
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
    matches = (
        _match_whole(request, entities, languages, is_reply=is_reply)
        for request in _list_requests(text, entities, languages)
    )
    found = next(filter(None, matches), None)
    return None if found and _has_branch(found, entities) else found


def _has_branch(match: IntentMatch, entities: tuple[EntitySpec, ...]) -> bool:
    """Whether a name in it is a branch of work, which no row has: "jobs in Marketing"."""
    if entities[0].phrasebooks is None:
        return False
    books = load_phrasebooks(entities[0].phrasebooks)
    return any(book.has_branch(item) for book in books for item in match.query["filters"])


def _list_requests(
    text: str, entities: tuple[EntitySpec, ...], languages: tuple[Language, ...]
) -> Iterator[str]:
    """The text; then, when nothing was found in it, the text without what is said beside it."""
    yield text
    folder = entities[0].phrasebooks if entities else None
    if folder is None or not has_parts(text, load_phrasebooks(folder)):
        return
    for book in _list_books(text, entities, languages):
        yield from list_requests(text, _LEXICONS.get_lexicons(entities, book.language)[0], book)


def _match_whole(
    text: str,
    entities: tuple[EntitySpec, ...],
    languages: tuple[Language, ...],
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
        known = {book.name for book in _list_books(text, entities, languages)}
        matches = [match for match in matches if match.language in known] or matches
    if not matches:
        return _read_closely(text, entities, languages)
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
        closely = _read_closely(text, entities, languages) if first.entity_type in people else None
        if closely and closely.fast_intent != "lookup":
            return closely  # "número de ofertas recibidas" is nobody's telephone
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


def _read_closely(
    text: str, entities: tuple[EntitySpec, ...], languages: tuple[Language, ...]
) -> IntentMatch | None:
    """What every word of the sentence says together, in the language that knows most of them."""
    best = _list_books(text, entities, languages)
    found = [(book.name, request) for book in best if (request := _read_by(book, text, entities))]
    if not found or any(request != found[0][1] for _, request in found):
        return None
    name, request = found[0]
    rule = f"{name}.closely"
    return IntentMatch(request.intent, request.entity, request.query, rule, request.asked)


def _list_books(
    text: str, entities: tuple[EntitySpec, ...], languages: tuple[Language, ...]
) -> list[Phrasebook]:
    """Of the language that knows most words of the text; its phrases alone are put together."""
    if not entities or entities[0].phrasebooks is None:
        return []
    books = [
        book
        for book in load_phrasebooks(entities[0].phrasebooks)
        if book.language in languages and _is_about(book, entities[0])
    ]
    known = [_count_known(book, text) for book in books]
    most = max(known, default=0)
    return [book for book, count in zip(books, known, strict=True) if count == most > 0]


def _is_about(book: Phrasebook, entity: EntitySpec) -> bool:
    """Whether the book's words are those of the entity, as its pack calls it in that language."""
    words = entity.translations.get(book.name)
    return words is None or book.language.split(words.plurals[0]) in book.names_of_rows


def _count_known(book: Phrasebook, text: str) -> int:
    """How many words of the text the book knows."""
    said = map(book.language.fold, _WORD.findall(book.part(text)))
    return sum(word in book.vocabulary for word in said)


def _read_by(book: Phrasebook, text: str, entities: tuple[EntitySpec, ...]) -> Request | None:
    """What the words ask in the book's language."""
    text = book.part(text)
    tokens = split_tokens(text, book.language)
    if not tokens or not 1 < len(tokens) <= MAX_TOKENS:
        return None
    parts = cut(text, tokens, _LEXICONS.get_lexicons(entities, book.language)[0], book)
    if parts is None:
        return None
    said = {book.language.fold(word) for word in _WORD.findall(text)}
    marks = {
        *(["now"] if not book.says_now.isdisjoint(said) else []),
        *(["already"] if not book.language.folded_already.isdisjoint(said) else []),
    }
    return read_request(parts, entities, marks, is_question=text.rstrip(" !.").endswith("?"))


def _list_matches(
    text: str, entities: tuple[EntitySpec, ...], language: Language, *, is_reply: bool
) -> list[IntentMatch]:
    """Every reading that any rule finds for any entity."""
    every = _LEXICONS.get_lexicons(entities, language)
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
