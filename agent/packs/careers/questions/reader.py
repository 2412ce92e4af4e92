"""The phrasebooks as `intents` asks them: what a sentence means that the grammar could not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ....core.spec import EntitySpec
from ....intents.lexicon import LEXICONS, Lexicon
from ....intents.matching import MAX_TOKENS
from ....intents.tokens import split_tokens
from ....types import FastQuery, FastRequest
from .asides import list_requests
from .closed_reading import read_request
from .cutting import cut
from .phrasebook import Phrasebook, load_phrasebooks

_WORD: Final = re.compile(r"\w+")


def load_readers(entities: tuple[EntitySpec, ...]) -> tuple[PhraseReader, ...]:
    """One for each language. entities: the main one first.

    Raises: msgspec.ValidationError, tomllib.TOMLDecodeError: a file is no phrasebook.
    """
    books = load_phrasebooks(Path(__file__).parent)
    return tuple(PhraseReader(book, entities) for book in books)


class PhraseReader:
    """One language's `types.SentenceReader`."""

    def __init__(self, book: Phrasebook, entities: tuple[EntitySpec, ...]) -> None:
        self._book, self._entities = book, entities

    @property
    def language(self) -> str:
        return self._book.name

    @property
    def _lexicon(self) -> Lexicon:
        return LEXICONS.get_lexicons(self._entities, self._book.language)[0]

    def count_known(self, text: str) -> int:
        said = map(self._book.language.fold, _WORD.findall(self._book.part(text)))
        return sum(word in self._book.vocabulary for word in said)

    def list_requests(self, text: str) -> Iterator[str]:
        return list_requests(text, self._lexicon, self._book)

    def read(self, text: str) -> FastRequest | None:
        book = self._book
        text = book.part(text)
        tokens = split_tokens(text, book.language)
        if not tokens or not 1 < len(tokens) <= MAX_TOKENS:
            return None
        parts = cut(text, tokens, self._lexicon, book)
        if parts is None:
            return None
        said = {book.language.fold(word) for word in _WORD.findall(text)}
        marks = {
            *(["now"] if not book.says_now.isdisjoint(said) else []),
            *(["already"] if not book.language.folded_already.isdisjoint(said) else []),
        }
        is_question = text.rstrip(" !.").endswith("?")
        return read_request(parts, self._entities, marks, is_question=is_question)

    def admits(self, query: FastQuery) -> bool:
        return not any(map(self._book.has_branch, query["filters"]))
