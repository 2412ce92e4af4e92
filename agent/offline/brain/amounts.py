"""Numbers in a request: how many rows are wanted, and amounts."""

from __future__ import annotations

import re
from typing import Final

from ..rules import get_rules

NUMBER_WORDS: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_COUNT: Final = r"(\d{1,4}|" + "|".join(NUMBER_WORDS) + ")"
_FEW: Final = re.compile(
    rf"\b(?:first|last|top|latest|newest|limit(?:ed)?(?:\s+to)?|up\s+to|at\s+most|only|max)\s+"
    rf"{_COUNT}\b(?!\s*(?:k\b|thousand|days?|weeks?|months?|years?|hours?))",
    re.I,
)
_COUNTED: Final = "results|entries|rows|items|listings|documents|links|sources"


def parse_amount(number: str, thousands: str | None) -> int:
    """The number: "90" with "k" is 90000, "100,000" and "100.000" are 100000."""
    digits = re.sub(r"[.,' ](?=\d{3})", "", number).replace(",", ".")
    plain = re.match(r"\d{1,15}(?:\.\d+)?", digits)
    return round(float(plain[0]) * (1000 if thousands else 1)) if plain else 0


def find_limit(text: str) -> int | None:
    """How many rows are asked for: "the last three", "5 jobs"."""
    nouns = "|".join([_COUNTED, *(rules.counted for rules in get_rules() if rules.counted)])
    match = _FEW.search(text) or re.search(
        rf"\b{_COUNT}\s+(?:[\w-]+\s+){{0,3}}?(?:{nouns})\b", text, re.I
    )
    if match is None:
        return None
    word = match[1].casefold()
    return (NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word)) or None
