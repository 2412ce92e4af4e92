"""Replaces personal data in JSON values, everywhere alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, cast

from .finding import (
    EMAIL,
    NUMBER,
    STREET,
    is_personal_number,
    list_capitalised_names,
    list_cued_names,
    list_field_names,
)
from .stand_ins import MIN_DIGITS, StandIns

_WORD: Final = re.compile(r"[^\W\d_]+")
MIN_PROTECTED_CHARS: Final = 40  # of a text of the pack that stays, wherever it stands


class Redactor:
    """Collects the personal data of all texts first, then replaces it in each.

    own: the pack's texts, which stay as they are. names: words to replace that no rule finds.
    counts: how many values of each kind have a stand-in.
    """

    def __init__(
        self, own: Collection[str] = (), names: Iterable[str] = (), min_digits: int = MIN_DIGITS
    ) -> None:
        self._own = sorted({text for text in own if len(text) >= MIN_PROTECTED_CHARS}, key=len)
        self._exact = {word for text in own for word in _WORD.findall(text)}
        self._known = {word.casefold() for word in self._exact}
        self._ordinary = {*self._known}  # with what `learn_ordinary` noted
        self._stand_ins = StandIns(self._known)
        self._min_digits = min_digits
        for name in names:
            self._add(_WORD.findall(name))

    @property
    def counts(self) -> Counter[str]:
        """Return how many values were replaced, by kind."""
        found = self._stand_ins
        return Counter(
            {
                "name": len(found.words),
                "e-mail address": len(found.emails),
                "number": len(found.digits),
            }
        )

    def learn_ordinary(self, value: Any) -> None:
        """Learn a value's lower-case words as ordinary words, which are no names."""
        for text in _list_texts(value):
            plain = EMAIL.sub(" ", text)
            self._ordinary |= {word for word in _WORD.findall(plain) if word.islower()}

    def collect(self, value: Any) -> None:
        """Collect the names in a value, so that they are replaced in all texts."""
        self._add(word for word in list_field_names(value) if not self._is_own(word))
        for text in _list_texts(value):
            for own in self._own:
                text = text.replace(own, "\n")
            plain = EMAIL.sub(" ", text)
            self._add(list_cued_names(plain, self._known))
            self._add(list_capitalised_names(plain, self._ordinary))

    def redact(self, value: Any, *, with_numbers: bool = True) -> Any:
        """Copy a JSON value with personal data replaced.

        with_numbers: also of numbers that are no text.
        """
        if isinstance(value, str):
            return self.redact_text(value)
        if isinstance(value, Mapping):
            items = cast("Mapping[str, Any]", value).items()
            return {
                self.redact_text(key): self.redact(item, with_numbers=with_numbers)
                for key, item in items
            }
        if isinstance(value, list):
            found = cast("list[Any]", value)
            return [self.redact(item, with_numbers=with_numbers) for item in found]
        if with_numbers and isinstance(value, (int, float)) and not isinstance(value, bool):
            return type(value)(self._change_number(str(value)))
        return value

    def redact_text(self, text: str) -> str:
        """Copy a text with personal data replaced.

        Texts of the packs themselves stay unchanged.
        """
        pieces = [text]  # between two of them stands one of the pack's texts
        own_texts: list[str] = []
        for own in reversed(self._own):
            if own in text:
                pieces, own_texts = split_pieces(pieces, own_texts, own)
        changed = [self._redact_piece(piece) for piece in pieces]
        return "".join(chain.from_iterable(zip(changed, [*own_texts, ""], strict=True)))

    def _redact_piece(self, text: str) -> str:
        text = EMAIL.sub(lambda found: self._stand_ins.get_email(found[0]), text)
        text = STREET.sub(self._change_street, text)
        text = NUMBER.sub(lambda found: found["keep"] or self._change_number(found[0]), text)
        return _WORD.sub(self._change_name, text)

    def _is_own(self, word: str) -> bool:
        return (word.casefold() in self._known) if word.islower() else (word in self._exact)

    def _add(self, words: Iterable[str]) -> None:
        for word in words:
            for part in _WORD.findall(word):
                if len(part) > 1:
                    self._stand_ins.add_word(part)

    def _change_name(self, found: re.Match[str]) -> str:
        word = found[0]
        folded = word.casefold()
        if folded not in self._stand_ins.words or (word.islower() and folded in self._known):
            return word
        return self._stand_ins.get_word(word)

    def _change_number(self, text: str) -> str:
        is_exponential = "e" in text
        is_meant = not is_exponential and is_personal_number(text, self._min_digits)
        return self._stand_ins.get_number(text) if is_meant else text

    def _change_street(self, found: re.Match[str]) -> str:
        house = found["before"] or found["after"]
        digits = "".join(char for char in house if char.isdigit())
        if len(digits) >= self._min_digits:  # replaced as a number
            return found[0]
        return found[0].replace(digits, self._stand_ins.get_number(digits))


def split_pieces(
    pieces: Sequence[str], between: Sequence[str], own: str
) -> tuple[list[str], list[str]]:
    """Split a text's pieces at every occurrence of `own`.

    Returns (pieces, what stands between them). between: what stands between two pieces.

    >>> split_pieces(["a-b", "c-"], ["+"], "-")
    (['a', 'b', 'c', ''], ['-', '+', '-'])
    """
    found: list[str] = []
    gaps: list[str] = []
    for piece, gap in zip(pieces, [*between, ""], strict=True):
        parts = piece.split(own)
        found += parts
        gaps += [own] * (len(parts) - 1) + [gap]
    return found, gaps[:-1]


def _list_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, Any]", value).values():
            yield from _list_texts(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _list_texts(item)
