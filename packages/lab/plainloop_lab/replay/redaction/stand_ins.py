"""Stand-ins for personal data: the same value always gets the same stand-in, of the same shape.

A stand-in is made from the order in which values were first seen, not from the value: nobody can
compute one from the other.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Final

from plainloop.agent.dataclasses import dataclass, field

_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
MIN_WORD_CHARS: Final = 3
MIN_DIGITS: Final = 4  # of a number that is replaced; `--redact-digits`
MAX_DRAWS: Final = 1_000  # then only few digits are left, and the free ones are looked for in order
RESERVED_DOMAIN: Final = "example.com"  # RFC 2606: belongs to nobody


@dataclass(slots=True)
class StandIns:
    """The stand-ins of one export, by original. ordinary: words that no stand-in may be."""

    ordinary: Collection[str] = ()
    words: dict[str, str] = field(default_factory=dict[str, str])  # by folded word
    emails: dict[str, str] = field(default_factory=dict[str, str])  # by folded address
    digits: dict[str, str] = field(default_factory=dict[str, str])
    _taken: set[str] = field(default_factory=set[str])

    def add_word(self, word: str) -> None:
        """Add a word to replace, and choose a made-up word of similar length for it."""
        key = word.casefold()
        if key in self.words:
            return
        draw = random.Random(f"word {len(self.words)}")
        length = max(MIN_WORD_CHARS, len(word))
        while True:
            letters = (draw.choice((_CONSONANTS, _VOWELS)[n % 2]) for n in range(length))
            made = "".join(letters)
            if made not in self._taken and made not in self.ordinary and made != key:
                break
            length += made in self._taken
        self._taken.add(made)
        self.words[key] = made

    def get_word(self, word: str) -> str:
        """Return the replacement of an added word, in the same letter case as the word.

        >>> found = StandIns()
        >>> found.add_word("Mara")
        >>> len(found.get_word("Mara")), found.get_word("MARA").isupper()
        (4, True)
        """
        made = self.words[word.casefold()]
        if len(word) > 1 and word.isupper():
            return made.upper()
        return made.capitalize() if word[:1].isupper() else made

    def get_email(self, address: str) -> str:
        """Return the replacement of an e-mail address, the same each time."""
        key = address.casefold()
        if key not in self.emails:
            self.emails[key] = f"person{len(self.emails) + 1}@{RESERVED_DOMAIN}"
        return self.emails[key]

    def get_number(self, number: str) -> str:
        """Return the number with its digits replaced.

        Signs and spaces stay where they are.

        >>> found = StandIns()
        >>> len({found.get_number(text).replace(",", "") for text in ("85,000", "85000")})
        1
        """
        plain = "".join(char for char in number if char.isdigit())
        made = iter(self._get_digits(plain))
        return "".join(next(made) if char.isdigit() else char for char in number)

    def _get_digits(self, plain: str) -> str:
        if plain not in self.digits:
            made = self._draw_digits(plain)
            self._taken.add(made)
            self.digits[plain] = made
        return self.digits[plain]

    def _draw_digits(self, plain: str) -> str:
        """Draw digits of the same form that no other number uses yet.

        If all are used, as one digit's soon are, two numbers share some; only 0 has no other.
        """
        draw = random.Random(f"number {len(self.digits)}")
        for _ in range(MAX_DRAWS):
            first = "0" if plain[0] == "0" else draw.choice("123456789")
            made = first + "".join(draw.choice("0123456789") for _ in plain[1:])
            if made != plain and made not in self._taken:
                return made
        size = 10 ** (len(plain) - 1)
        span = range(size) if plain[0] == "0" else range(size, 10 * size)
        others = [made for n in span if (made := str(n).zfill(len(plain))) != plain]
        return next((made for made in others if made not in self._taken), [*others, plain][0])
