"""Pay from words, as far as they say: "90k-110k EUR", "€ 80.000 to 95.000", "$45 an hour".

What is not said stays unknown: no year where no period stands, no US dollar for a mere "$". A text
that names two different pays, or pay for a period that is none of ours, says nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from plainloop.agent.base.toml_files import load_toml
from plainloop.agent.dataclasses import dataclass, replace

Period = Literal["hour", "day", "week", "month", "year"]
Amount = int | float

MOST: Final = 2_000_000_000  # nobody is paid more; a guard against other numbers
MAX_CHARS: Final = 4_000  # a text about pay is short
MAX_TOKENS: Final = 400
_WORDS: Final = load_toml(Path(__file__).with_name("pay.toml"))
_SIGNS: Final[Mapping[str, str]] = _WORDS["signs"]
_SPACE: Final = "[ \u00a0\u202f\u2009]"
_GROUPED: Final = rf"\d{{1,3}}(?:(?:[.,'’]|{_SPACE})\d{{3}})+|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}"
_NUMBER: Final = (
    rf"(?<!\d)(?<!\d[.,])(?:{_GROUPED}|\d{{1,12}})(?:[.,]\d{{1,2}})?(?![\d])(?:[.,][-–—])?"
)
_EVERY: Final = (
    r"(?:/ ?(?:1 ?)?|(?:per|pro|par|por|an?|al?|im|die|la|je|ao|na|w|v|в|за|i|each|every|het|il|o)"
    r"(?![^\W\d_])|(?:de |à |all)?[l'’]['’]|in the|pr?\.?(?![^\W\d_])/?)"
)
# The least that an amount without any currency must be, to be pay for such a period.
_LEAST: Final = {"hour": 5, "day": 50, "week": 100, "month": 200, "year": 1000}
_BESIDE: Final = 2  # words from an amount to what it is for


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


@cache
def _compile_lexer() -> re.Pattern[str]:
    """Compile the pattern that splits a text about pay into tokens; the first kind to fit wins."""
    words = _WORDS["words"]
    units = "|".join(_WORDS["units"].values())
    codes = f"{'|'.join(_WORDS['codes'].split())}|(?i:{'|'.join(_WORDS['small_codes'].split())})"
    kinds = {
        "fund": r"40[13] ?\(?[kb]\b\)?",
        "number": _NUMBER,
        "unknown": rf"(?:{_EVERY}\s*)?{_bound(words['unknown_period'])}",
        "packed": _bound("|".join(_WORDS["packed"])),
        "period": rf"{_EVERY}\s*{_bound(units)}|{_bound('|'.join(_WORDS['called'].values()))}",
        "currency": rf"{_bound('|'.join(_SIGNS))}|(?<![^\W\d_])(?-i:{codes})(?![^\W\d_])",
        "earnings": _bound(words["earnings"]),
        "base": _bound(words["base"]),
        "other": _bound(words["other"]),
        "scale": _bound("|".join(_WORDS["scales"])),
        "unit": _bound(units),
        "up_to": _bound(words["up_to"]),
        "from": _bound(words["from"]),
        "or_more": _bound(words["or_more"]),
        "join": _bound(words["join"]),
        "plus": _bound(words["plus"]),
        "gross": _bound(words["gross"]),
        "word": r"[^\W\d_]+",
        "mark": r"\S",
    }
    return re.compile("|".join(f"(?P<{kind}>{said})" for kind, said in kinds.items()), re.I)


def _bound(words: str) -> str:
    """Build a pattern for whole words; letters of scripts without spaces may stand beside it.

    >>> [bool(re.search(_bound("k|万"), said)) for said in ("45k", "45 km", "45万円")]
    [True, False, True]
    """
    # These have no case; where it is ignored, compiling folds each of 39,000 characters, each time.
    cjk, apart = (rf"(?-i:[{w}\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])" for w in ("", r"\W"))
    before = rf"(?:(?<![^\W\d_])|(?<={cjk})|(?={apart}))"
    return rf"{before}(?:{words})(?:(?![^\W\d_])|(?={cjk})|(?<={apart}))"


@dataclass(frozen=True, slots=True)
class Pay:
    """One amount or range in a text; None: not said."""

    low: Amount | None
    high: Amount | None
    currency: str | None
    period: Period | None
    is_money: bool  # its looks say so: thousands, a currency
    is_bounded: bool  # the text says of one amount that it is the least, or the most
    kind: str = ""  # "base", "earnings" (with what is not certain), "other" (a bonus, hours)
    is_vague: bool = False  # its parts contradict each other

    @property
    def ends(self) -> list[Amount]:
        """Return the known ends of the pay's range, the lower one first."""
        return [end for end in (self.low, self.high) if end is not None]


def parse_pay(text: str) -> Pay | None:
    """Parse the text of a pay field; None if it is unclear.

    >>> pay = parse_pay("90k - 110k EUR")
    >>> pay.low, pay.high, pay.currency
    (90000, 110000, 'EUR')
    """
    tokens = _list_tokens(text)
    if any(token.kind == "unknown" for token in tokens):
        return None
    pays = [pay for pay in _list_pays(tokens) if pay.kind not in ("other", "earnings")]
    is_bare = not any(token.kind in ("word", "fund", "other") for token in tokens)
    # A number that nothing marks as money may be one all the same, if it is no year and no count.
    pays = [
        pay
        for pay in pays
        if pay.is_money
        or (is_bare and all(end >= 1000 and not 1900 <= end < 2100 for end in pay.ends))
    ]
    pays = [pay for pay in pays if pay.kind == "base"] or pays
    pays = [pay for pay in pays if pay.currency] or pays
    # The same pay said for another period follows the first; another amount for the same one is
    # another pay.
    rest = [pay for pay in pays[1:] if pay.period == pays[0].period]
    if not pays or pays[0].is_vague or any(pay.ends != pays[0].ends for pay in rest):
        return None
    return pays[0]


def list_pays(text: str) -> Iterator[Pay]:
    """Yield each pay in a longer text, but no bonuses and no labelled base pay."""
    return (pay for pay in _list_pays(_list_tokens(text)) if not pay.kind and not pay.is_vague)


def _list_tokens(text: str) -> list[_Token]:
    """Split a text about pay into at most MAX_TOKENS tokens: numbers, currencies, words …"""
    plain = " ".join(unicodedata.normalize("NFKC", text[:MAX_CHARS]).split())
    plain = re.sub(r"(?<![A-Za-z])[kKT](?=EUR|€)", "k ", plain)
    tokens: list[_Token] = []
    for match in islice(_compile_lexer().finditer(plain), MAX_TOKENS):
        kind, last = str(match.lastgroup), tokens[-1] if tokens else None
        is_joined = last is not None and match.start() == last.start + len(last.text)
        if kind == "number" and last and is_joined and last.kind != "currency":
            kind = "word" if re.search(r"[A-Za-z_#]$", last.text) else kind  # "E13", "W2", "#7"
        if match[0] == "+" and not is_joined:
            kind = "mark"  # "40k + bonus"; but "40k+"
        tokens.append(_Token(kind, match[0], match.start()))
    return tokens


@dataclass(frozen=True, slots=True)
class _Side:
    """One amount in the tokens. at, end: its first token, and the one after its last."""

    number: float
    scale: float | None
    currency: str | None
    period: Period | None
    is_grouped: bool
    is_open: bool  # "100k+"
    at: int
    end: int
    is_vague: bool = False


def _list_pays(tokens: Sequence[_Token]) -> Iterator[Pay]:
    """Yield each amount or range of amounts in the tokens, whatever it is for."""
    sides: list[_Side] = []
    for at, token in enumerate(tokens):
        if token.kind == "number":
            sides.append(_read_side(tokens, at, sides[-1].end if sides else 0))
    at = 0
    while at < len(sides):
        low = sides[at]
        high = next(iter(sides[at + 1 : at + 2]), None)
        between = tokens[low.end : high.at] if high is not None else ()
        # "35/40K€" has one unit for both; of "$100k/$120k" nobody knows whether it is a range.
        is_slash = [token.text for token in between] == ["/"] and low.scale is low.currency is None
        kinds = [token.kind for token in between if token.text not in "():"]
        is_range = is_slash or kinds in (["join"], ["up_to"], ["join", "up_to"])
        is_range |= "".join(token.text for token in between) in ("..", "...")
        yield from _build_pay(tokens, low, high if is_range else None)
        at += 2 if is_range else 1


def _read_side(tokens: Sequence[_Token], number: int, after: int) -> _Side:
    """Read one amount with its scale, currency and period from the tokens beside its number."""
    at, codes = number, list[str]()
    while at > after and tokens[at - 1].kind == "currency":
        at -= 1
        codes.append(tokens[at].text)
    scale, period, end = None, None, number + 1
    is_vague = is_letter = is_open = False
    while end < len(tokens):
        kind, said = tokens[end].kind, tokens[end].text
        if kind == "scale" and scale is None:
            scale = _find_word(_WORDS["scales"], said)
            is_letter = len(said) == 1 and said.isascii() and scale > 1000  # "5m", "12L"
        elif kind == "packed" and scale is None:
            scale, period = _find_word(_WORDS["packed"], said)
        elif kind == "currency" and not _is_of_next(tokens, end, is_named=bool(codes)):
            codes.append(said)
        elif kind in ("period", "unit") and (kind == "period" or codes):
            found = parse_period(said)
            is_vague |= period is not None and found != period
            period = period or found
        elif kind == "or_more" or (said == "~" and end + 1 == len(tokens)):
            is_open = True
        elif not _is_skipped(tokens, end):
            break
        end += 1
    found = {code for code in map(parse_currency, codes) if code}
    exact = sorted({code for code in found if len(code) == 3} or found)
    digits = re.sub(r"[.,][-–—]$", "", tokens[number].text)
    return _Side(
        number=to_number(digits),
        scale=scale,
        currency=exact[0] if len(exact) == 1 else None,
        period=period,
        is_grouped=bool(re.search(r"\d\D\d{3}", digits)),
        is_open=is_open,
        at=at,
        end=end,
        # "5m" and "12L" are many things where nothing else says money.
        is_vague=is_vague or len(exact) > 1 or (is_letter and not (exact or period)),
    )


def _is_of_next(tokens: Sequence[_Token], at: int, *, is_named: bool) -> bool:
    """Whether a currency belongs to the number after it, as in "Band 5 £29,970"."""
    token, following = tokens[at], next(iter(tokens[at + 1 : at + 2]), None)
    if following is None or following.kind != "number":
        return False
    is_apart = tokens[at - 1].start + len(tokens[at - 1].text) < token.start
    return is_named or (is_apart and token.start + len(token.text) == following.start)


def _is_skipped(tokens: Sequence[_Token], at: int) -> bool:
    """Whether a token ("gross", "base", a bracket) may stand between an amount and its period."""
    rest = (token for token in tokens[at : at + 4] if token.kind not in ("gross", "base"))
    following = next((token for token in rest if token.text not in "(,)·"), None)
    is_filler = tokens[at].kind in ("gross", "base") or tokens[at].text in "(,)·"
    kinds = ("period",) if tokens[at].kind == "mark" else ("period", "currency")
    return is_filler and following is not None and following.kind in kinds


def _build_pay(tokens: Sequence[_Token], low: _Side, high: _Side | None) -> Iterator[Pay]:
    """Yield the pay that one amount, or a range of two, states; nothing if it is out of bounds."""
    last = high or low
    if high and high.scale and not low.scale and low.number <= high.number:
        low = replace(low, scale=high.scale)  # "6-8 LPA"
    earlier = reversed(tokens[max(0, low.at - 4) : low.at])
    near = takewhile(lambda token: token.kind != "number", earlier)
    near = [token for token in near if token.kind == "period"]
    named: list[Period] = [said for token in near if (said := parse_period(token.text))]
    period = last.period or low.period or (named[0] if named else None)
    first, second = _to_amount(low), _to_amount(last)
    is_short = high is not None and not low.scale and first < 1000 and second >= 10_000
    if high and low.scale == 1000 and not high.scale and high.number < 1000:
        second *= 1000  # "£45k-55"
    elif is_short and period not in ("hour", "day", "week") and first * 1000 <= second:
        first *= 1000  # "£45-55,000"
    known = {side.currency for side in (low, last) if side.currency}
    exact = {code for code in known if len(code) == 3} or known
    is_vague = low.is_vague or last.is_vague or len(exact) > 1 or first > second
    is_vague |= bool(low.period and last.period and low.period != last.period)
    is_money = bool(exact or {low.scale, last.scale} - {None} or low.is_grouped or last.is_grouped)
    is_money |= period is not None and first >= _LEAST[period]
    kind = _find_kind(tokens, low.at, last.end)
    kinds = [token.kind for token in tokens[max(0, low.at - 3) : low.at]]
    before = next((kind for kind in reversed(kinds) if kind in ("up_to", "from")), None)
    after = tokens[last.end] if last.end < len(tokens) else None
    if last.is_open and high is None and before is None:
        before = "from"
    if after and after.kind == "up_to" and after.text in ("以下", "이하"):
        before = "up_to"
    if not 0 < first <= MOST or second > MOST:
        return
    code = next(iter(exact), None)
    if high is None:
        ends = (None, first) if before == "up_to" else (first, None)
        yield Pay(*ends, code, period, is_money, before is not None, kind, is_vague)
    else:
        yield Pay(first, second, code, period, is_money, True, kind, is_vague)


def _find_kind(tokens: Sequence[_Token], start: int, end: int) -> str:
    """Classify an amount as "base", "earnings" or "other" by the nearest word; "" without one."""
    after = [token.kind for token in tokens[end : end + _BESIDE]]
    before = [token.kind for token in reversed(tokens[max(0, start - _BESIDE - 1) : start])]
    inside = [token.kind for token in tokens[start:end]]
    if after[:1] == ["unit"]:
        return "other"
    if "base" in inside:
        return "base"
    for kinds in (after, before):
        for kind in kinds:
            if kind in ("base", "earnings", "other"):
                return kind
            if kind in ("number", "mark", "join", "plus"):
                break
    return ""


def parse_currency(text: str) -> str | None:
    """Parse a currency's name or sign to a code, or to the sign if it is ambiguous; else None.

    >>> [parse_currency(text) for text in ("eur", "€", "US$", "dollars", "shells")]
    ['EUR', 'EUR', 'USD', '$', None]
    """
    said = " ".join(text.split())
    known = _find_word(_SIGNS, said)
    if known is None and re.fullmatch(r"[A-Za-z]{3}", said) and said.casefold() != "yen":
        return said.upper()
    return known or None


def parse_period(text: str) -> Period | None:
    """Parse the period that pay is for, such as "per hour"; None if it is none.

    >>> [parse_period(text) for text in ("YEAR", "per hour", "/mo", "MONTHLY", "ANN", "shift")]
    ['year', 'hour', 'month', 'month', 'year', None]
    """
    said = " ".join(text.split())
    unit = re.sub(rf"^{_EVERY}\s*(?=\w)", "", said, count=1, flags=re.I)
    for period, words in _WORDS["units"].items():
        called = _WORDS["called"][period]
        if re.fullmatch(called, said, re.I) or re.fullmatch(f"{words}|{called}", unit, re.I):
            return period
    return _WORDS["coded"].get(said)


def _find_word(table: Mapping[str, Any], said: str) -> Any:
    """Return the value of the first pattern in the table that fits the whole text; else None."""
    return next((value for words, value in table.items() if re.fullmatch(words, said, re.I)), None)


def to_number(digits: str) -> float:
    """Convert an amount to a number, whichever separators it is written with.

    >>> to_number("80.000"), to_number("1.234,50"), to_number("12,00,000")
    (80000.0, 1234.5, 1200000.0)
    """
    return float(re.sub(r"\D(?=(?:\d{2},)*\d{3}(?!\d))", "", digits).replace(",", "."))


def _to_amount(side: _Side) -> Amount:
    amount = round(side.number * (side.scale or 1), 2)
    return int(amount) if amount.is_integer() else amount
