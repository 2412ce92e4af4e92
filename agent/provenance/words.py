"""Compares texts as words, numbers and dates; normalizes no more than is safe from attackers.

Everything is linear in the text. `tests/provenance/test_tracing.py` has the table.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from ..base.text.patterns import compile_lazily

_WORD: Final = compile_lazily(r"[\w@.\-+/%:']++")
_BETWEEN: Final = "\n"  # no word has it
_MAX_HASHED: Final = 12  # words of a span; of a longer one its beginning
_BATCH_WORDS: Final = 5_000  # words whose spans are hashed in one piece
_EDGES: Final = ".-+/:'_"
_SENTENCE: Final = compile_lazily(r"(?<=\w)\.(?=[A-Z][a-z]++(?:\s|$))")
_NUMBER: Final = compile_lazily(r"(?<![\w.,:/-])[$€£]?(\d[\d.,']*+)(%?)(?![\w@:/-])")
_CENTS: Final = compile_lazily(r"[.,](\d{1,2})\Z")
_MARKS: Final = compile_lazily(r"[.,']")
_ISO: Final = compile_lazily(r"(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?![\d-])")
_CLOCK: Final = compile_lazily(r"(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d)?(?![\d:])")
_DAY_MONTH: Final = compile_lazily(
    r"\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,9})\b,? ?(\d{4})?"
)
_MONTH_DAY: Final = compile_lazily(r"\b([a-z]{3,9}) (\d{1,2})(?:st|nd|rd|th)?\b,? ?(\d{4})?")
_DIGIT: Final = compile_lazily(r"\d")
_SPAN: Final = compile_lazily(r"\b(an?|one|two|three|four|five|six|\d{1,3})[- ](hour|minute)s?\b")
_COUNTS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
# Letters of these scripts look alike; a word of more than one of them is made to be misread.
_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")

Day = tuple[int | None, int, int]  # year, where one is said; month; day


def fold(text: str) -> str:
    """Normalize a text (Unicode form, case, invisible characters) so that it can be compared."""
    if text.isascii():
        return text.casefold()
    seen = "".join(
        c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf"
    )
    return seen.casefold()


def is_plain(text: str) -> bool:
    """Whether a text contains no characters that may disguise it, such as another script's letters.

    >>> is_plain("bob@acme.example"), is_plain("b\u043eb@acme.example")
    (True, False)
    """
    if text.isascii():
        return True
    if any(unicodedata.category(c) == "Cf" for c in text):
        return False
    composed = unicodedata.normalize("NFC", text)
    return composed == unicodedata.normalize("NFKC", text) and all(
        len(_list_scripts(word)) < 2 for word in composed.split()
    )


def _list_scripts(word: str) -> set[str]:
    names = (unicodedata.name(c, "").partition(" ")[0] for c in word if c.isalpha())
    return {name for name in names if name in _SCRIPTS}


def list_words(text: str) -> list[str]:
    """List a text's folded words without surrounding punctuation."""
    stripped = (word.strip(_EDGES) for word in _WORD.findall(fold(text)))
    return [word for word in stripped if word]


class Words:
    """Texts that can be searched for spans of whole words.

    >>> said = Words(["Mail bob@acme.example: 'Lunch at noon'."])
    >>> "lunch at noon" in said, "acme.example" in said
    (True, False)
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts = [*texts]  # not read yet: of most nothing is ever asked
        self._words: list[str] = []
        self._spans: dict[int, set[tuple[str, ...]]] = {}

    def add(self, text: str) -> None:
        """Add a text to search. No match extends from one text into the next."""
        self._texts.append(text)

    def _read(self) -> None:
        new: list[str] = []
        for text in self._texts:
            new += (*list_words(text), _BETWEEN)
            # A sentence that goes on without a space ("a.example.They") ends a word there, too.
            if (ended := end_sentences(text)) != text:
                new += (*list_words(ended), _BETWEEN)
        self._texts.clear()
        self._words += new
        for n, spans in self._spans.items():
            spans.update(_list_spans(new, n))

    def __contains__(self, span: str) -> bool:
        if self._texts:
            self._read()
        words = tuple(list_words(span))
        n = min(len(words), _MAX_HASHED)
        # Spans of each length are hashed once: as many values as a result has are looked up.
        if n not in self._spans:
            self._spans[n] = _list_spans(self._words, n)
        if not words or words[:n] not in self._spans[n]:
            return False
        return n == len(words) or f" {' '.join(words)} " in f" {' '.join(self._words)} "


def end_sentences(text: str) -> str:
    """Put a space after each sentence's end, because "a.example.They" contains an address."""
    return _SENTENCE.sub(". ", text)


def _list_spans(words: list[str], n: int) -> set[tuple[str, ...]]:
    spans = set[tuple[str, ...]]()
    for begin in range(0, len(words), _BATCH_WORDS):  # other threads get their turn in between
        part = words[begin : begin + _BATCH_WORDS + n - 1]
        spans.update(zip(*(part[at:] for at in range(n)), strict=False))
    return spans


def list_numbers(text: str) -> Iterator[tuple[Decimal, bool]]:
    """Yield each number of the text, and whether it is a percentage.
    None within dates, hours, ordinals and names. One that may be written in two ways is both.

    >>> sorted({float(n) for n, _ in list_numbers("June 13th: pay 1,100.50 of 2200 by 10:00")})
    [1100.5, 2200.0]
    """
    for digits, percent in _NUMBER.findall(strip_dates(fold(text))):
        written = digits.rstrip(".,'")
        cents = _CENTS.search(written)
        whole = written[: cents.start()] if cents else written
        grouped = f"{_MARKS.sub('', whole)}.{cents[1] if cents else 0}"
        readings = {to_number(written), to_number(grouped)}
        yield from ((number, bool(percent)) for number in readings if number is not None)


def to_number(value: object) -> Decimal | None:
    """Parse a number in a program's notation, such as 98.70; None if it is not a number.

    >>> [str(to_number(value)) for value in (4.0, "98.70", "GB29", True)]
    ['4.0', '98.70', 'None', 'None']
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def strip_dates(text: str) -> str:
    """Remove the days and hours from a text."""
    for pattern in (_ISO, _CLOCK):
        text = pattern.sub(" ", text)
    for pattern, place in ((_DAY_MONTH, 2), (_MONTH_DAY, 1)):
        text = pattern.sub(lambda found, p=place: " " if _to_month(found[p]) else found[0], text)
    return text


def list_days(text: str) -> Iterator[Day]:
    """Yield each day that the text names, with its year if stated.

    >>> list(list_days("2024-05-19, May 15th, 2024 and the 11th of January"))
    [(2024, 5, 19), (None, 1, 11), (2024, 5, 15)]
    """
    folded = fold(text)
    if _DIGIT.search(folded) is None:  # of most texts
        return
    for year, month, day in _ISO.findall(folded):
        yield int(year), int(month), int(day)
    for day, name, year in _DAY_MONTH.findall(folded):
        if month := _to_month(name):
            yield int(year) if year else None, month, int(day)
    for name, day, year in _MONTH_DAY.findall(folded):
        if month := _to_month(name):
            yield int(year) if year else None, month, int(day)


def list_clocks(text: str) -> Iterator[int]:
    """Yield each time such as `12:00` as its minute of the day."""
    for hour, minute in _CLOCK.findall(fold(text)):
        yield int(hour) * 60 + int(minute)


def is_time(text: str) -> bool:
    """Whether a text is only a day, a time, or both.

    >>> is_time("2024-06-13T10:00"), is_time("2024-06-13 secret")
    (True, False)
    """
    rest = strip_dates(text.replace("T", " "))
    return rest.strip(" Zz,") == "" and rest != text


def count_minutes(start: str, end: str) -> float | None:
    """Count the minutes between two ISO 8601 times; None if one is unreadable."""
    try:
        between = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    except (ValueError, TypeError):
        return None
    return between.total_seconds() / 60


def list_lengths(text: str) -> Iterator[int]:
    """Yield the minutes of each duration in the text ("1-hour", "30 minutes")."""
    for count, unit in _SPAN.findall(fold(text)):
        number = int(count) if count.isdigit() else _COUNTS.get(count, 1)
        yield number * (60 if unit == "hour" else 1)


def _to_month(name: str) -> int:
    """Return the month of a name or its first letters; 0 for none."""
    numbers = (n for n, month in enumerate(_MONTHS, 1) if len(name) > 2 and month.startswith(name))
    return next(numbers, 0)
