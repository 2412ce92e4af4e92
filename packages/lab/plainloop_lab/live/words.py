"""Matches the words of two texts, in bounded time whatever models and users wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import Match, SequenceMatcher
from typing import Final

# Of equal words, one of each text. More of them: passages are found by their rarer words.
MANY_PAIRS: Final = 200_000
MOST_PAIRS: Final = 5_000_000  # that are looked at: a second or two


class WordMatcher(SequenceMatcher[str]):
    """Finds the words that two texts have in common, in order; past MOST_PAIRS it finds no more.

    difflib looks at all pairs of equal words again for each difference: of two answers that repeat
    two words it takes hours (`test_answers_that_repeat_words_are_compared_in_bounded_time`).
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        counts = Counter(after)
        pairs = sum(counts[word] for word in before)
        super().__init__(None, before, after, autojunk=pairs > MANY_PAIRS)
        places: dict[str, list[int]] = getattr(self, "b2j")  # noqa: B009 unknown to type checkers
        self._pairs = [len(places.get(word, ())) for word in before]
        self._left = MOST_PAIRS

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """Find the longest text that both ranges share.

        None once the limit of work is reached.
        """
        self._left -= sum(self._pairs[alo:ahi])
        if self._left < 0:
            return Match(alo, blo, 0)
        return super().find_longest_match(alo, ahi, blo, bhi)
