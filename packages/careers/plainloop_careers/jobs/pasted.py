"""Jobs from pasted text without labels: one line, four lines or sentences.

What is read is a guess that a person confirms, so only the preview of an import uses it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..files import load_data
from .imports import ITEM, LONG, from_text, read_label, split_workplace
from .salaries import parse_salary

HEAD_LINES: Final = 12  # title, company and place stand in the first lines
MAX_LINES: Final = 200
LINE_CHARS: Final = 400
NAME_CHARS: Final = 90
MAX_WORDS: Final = 9
MAX_YEARLY: Final = 2_000_000  # above, it is a company's money
MIN_YEARLY: Final = 15_000  # of these currencies, from here on it is pay for a year
YEARLY: Final = frozenset({"EUR", "USD", "GBP", "CHF", "CAD", "AUD", "NZD", "$"})
_WORDS: Final[dict[str, dict[str, list[str]]]] = load_data(__file__, "pasted.toml")
_NAME: Final = r"[^\s,;:|·•()][^,;:|·•]{0,80}?"
# A dash between two amounts is of a range; a point after a short word is of a name ("St. Gallen").
_SPLIT: Final = re.compile(
    r"[|·•]|\t+|;\s|,\s|(?<=[\w)€$£%+]{3})\.\s(?=[^\W_a-z]|[€$£])|[.,;]$"
    r"|(?<![\dkK€$£])\s[-–—]\s|\s[-–—]\s(?![€$£A-Z]{0,3}\s?\d)"
)
_LINE: Final = re.compile(r"^[\s#>*_•-]+|[\s*_]+$")


@cache
def _compile(table: str, name: str) -> re.Pattern[str]:
    """Compile the patterns of one name in pasted.toml to one that needs whole words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS[table][name])})(?!\w)", re.I)


def from_pasted(text: str) -> dict[str, Any]:
    """Read a posting as `from_text` does, and guess what it says without labels.

    >>> job = from_pasted("Cook at Noma, Copenhagen, 45.000 to 52.000 EUR a year, on-site")
    >>> [job[name] for name in ("title", "company", "location", "salary_max", "remote_type")]
    ['Cook', 'Noma', 'Copenhagen', 52000, 'onsite']
    """
    fields = {name: value for name, value in from_text(text).items() if value}
    lines = [_LINE.sub("", line)[:LINE_CHARS] for line in text.splitlines()[:MAX_LINES]]
    lines = [line for line in lines if line]
    if _is_long_heading(fields):
        fields = {key: said for key, said in fields.items() if key not in ("title", "company")}
    pieces = [piece for line in _list_head(text) for piece in _split(line)]
    rest: list[str] = []
    for piece in pieces:
        column, said = read_label(piece)
        if column == "salary":
            fields = {**parse_salary(said), **fields}
        elif column and said:
            fields.setdefault(column, said)
        elif not column:
            rest.append(piece)
    everything = [*pieces, *lines]
    if "remote_type" not in fields:
        fields["remote_type"] = next(filter(None, map(_find_workplace, everything)), None)
    if "salary_min" not in fields and "salary_max" not in fields:
        nothing: dict[str, Any] = {}
        fields |= next((pay for text in everything if (pay := _find_pay(text))), nothing)
    known = {name: value for name, value in fields.items() if value}
    return {**_guess_names(rest, known), **known}


def _list_head(text: str) -> list[str]:
    """Return the first lines, up to the first section of a posting, without the items of lists."""
    head: list[str] = []
    for line in text.splitlines()[:MAX_LINES]:
        if read_label(line)[0] in LONG or len(head) == HEAD_LINES:
            break
        if line.strip() and not ITEM.match(line):
            head.append(_LINE.sub("", line)[:LINE_CHARS])
    return head


def _is_long_heading(fields: dict[str, Any]) -> bool:
    """Whether `from_text` took a whole line "Title at Company, Place …" as the names."""
    return any(len(_split(fields.get(name) or "")) > 1 for name in ("title", "company")) and (
        f"{fields.get('title')} " in str(fields.get("notes"))
    )


def _split(line: str) -> list[str]:
    line = re.sub(r"[^\S\t]+", " ", line)
    return [piece for part in _SPLIT.split(line) if (piece := part.strip(" -–—"))]


def _find_workplace(text: str) -> str | None:
    """Return the way of working that a text names; None without one, or with "no" before it."""
    none = re.compile(rf"(?<!\w){_WORDS['workplace']['none'][0]}$", re.I)
    for name in ("hybrid", "remote", "onsite"):
        match = _compile("workplace", name).search(text)
        if match and not none.search(text[: match.start()]):
            return name
    return None


def _find_pay(text: str) -> dict[str, Any]:
    """Return the pay in a short text that names a currency; {} for other amounts of money."""
    pay = parse_salary(text) if len(text) <= 160 else {}
    ends = [pay[name] for name in ("salary_min", "salary_max") if name in pay]
    is_pay = "salary_currency" in pay and ends and max(ends) <= MAX_YEARLY
    is_yearly = is_pay and pay["salary_currency"] in YEARLY and min(ends) >= MIN_YEARLY
    if is_yearly:
        pay.setdefault("salary_period", "year")
    return pay if is_pay else {}


def _guess_names(pieces: list[str], fields: dict[str, Any]) -> dict[str, str]:
    """Guess title, company and place from the pieces of the first lines, in their order."""
    names: dict[str, str] = {}
    left: list[str] = []
    for piece in pieces:
        text, mode = split_workplace(piece)
        text = (
            text
            if mode
            else re.sub(r"\([^()]*\)$", "", piece).rstrip()
            if _has_mode(piece)
            else piece
        )
        if _is_noise(text):
            continue
        left += _read_sentence(text, names) if not {"title", "company"} <= names.keys() else [text]
    has_title = "title" in names or "title" in fields
    for text in list(left):
        introduced = re.match(rf"{_WORDS['company']['about'][0]}(?=(?-i:[^\W_a-z]))", text, re.I)
        if introduced:
            left.remove(text)
            if _is_name(text[introduced.end() :]):
                names.setdefault("company", text[introduced.end() :])
    left = [text for text in left if _is_name(text)]
    if not has_title and left:
        titled = next((text for text in left[:4] if _compile("title", "words").search(text)), None)
        title = titled or (left[0] if left[0] == pieces[0] else "")
        names["title"] = title
        left = [text for text in left if text != title]
    has_title = has_title or bool(names.get("title"))
    if has_title and left and "company" not in {**names, **fields}:
        known = next((text for text in left[:4] if _has_ending(text)), left[0])
        names["company"] = known
        left.remove(known)
    _take_place(names, "company", left)
    _take_place(names, "title", left)
    place = [text for text in left if _is_place(text)][:2]
    is_job = has_title or "company" in names or "company" in fields
    if place and is_job and "location" not in names:
        is_joined = len(place) > 1 and _is_region(place[1])
        names["location"] = ", ".join(place if is_joined else place[:1])
    return {name: said for name, said in names.items() if said}


def _read_sentence(text: str, names: dict[str, str]) -> list[str]:
    """Take title and company from "Title at Company" or "Company is hiring a Title".

    Returns what is left of the text: nothing, or all of it.
    """
    before, at = _WORDS["before"]["title"][0], _WORDS["between"]["at"][0]
    offers, joins = _WORDS["between"]["offers"][0], _WORDS["between"]["join"][0]
    forms = (
        rf"(?:{joins}) (?P<company>{_NAME}) (?:{_WORDS['between']['as'][0]}) {before}(?P<title>.+)",
        rf"(?!(?:we|wir|nous|i)\b)(?P<company>{_NAME}) (?:{offers}) {before}(?P<title>.+)",
        rf"{before}(?P<title>{_NAME}) (?:{at}) (?P<company>.+)",
    )
    for form in forms:
        match = re.fullmatch(form, text[: 2 * NAME_CHARS], re.I)
        if match and _is_name(match["title"]) and _is_name(match["company"]):
            names.update({name: match[name].strip() for name in ("title", "company")})
            return []
    stripped = re.sub(rf"^{before}", "", text, flags=re.I)
    return [stripped if _compile("title", "words").search(stripped) else text]


def _take_place(names: dict[str, str], name: str, left: list[str]) -> None:
    """Move "in Hamburg" from the end of a title or company to the place."""
    lead = _WORDS["before"]["place"][0]
    match = re.fullmatch(rf"(.+?) (?:(?-i:{lead})) ((?-i:[^\W\d_a-z])[^\d]*)", names.get(name, ""))
    if match and match[2].lower() not in ("test", "residence", "training", "charge", "chief"):
        names[name] = match[1]
        region = left.pop(0) if left and _is_region(left[0]) else ""
        names.setdefault("location", ", ".join(filter(None, (match[2], region))))


def _has_mode(text: str) -> bool:
    return _find_workplace(text) is not None


def _is_noise(text: str) -> bool:
    if _compile("noise", "pieces").fullmatch(text) or _find_pay(text):
        return True
    without = text
    for name in ("hybrid", "remote", "onsite"):
        without = _compile("workplace", name).sub("", without)
    return without != text and len(re.findall(r"[^\W\d_]{3,}", without)) < 1


def _is_name(text: str) -> bool:
    """Whether a piece can be a name: short, beginning with a capital, no sentence and no amount."""
    is_short = 1 < len(text) <= NAME_CHARS and len(text.split()) <= MAX_WORDS
    return bool(
        is_short
        and re.match(r"[^\W_a-z]|[a-z]+[A-Z\d.]", text)
        and not _compile("noise", "sentence").fullmatch(text)
        and not text.endswith((":", "?", "!"))
    )


def _has_ending(text: str) -> bool:
    return bool(re.search(rf"\s{_WORDS['company']['endings'][0]}$", text, re.I))


def _is_region(text: str) -> bool:
    """Whether a piece is a country or a state, so that it belongs to the place before it."""
    return bool(re.fullmatch(r"[A-Z]{2,3}(?: \d{5})?", text)) or text in _load_countries()


@cache
def _load_countries() -> frozenset[str]:
    names = Path(__file__).parents[1] / "letters/grounding/vocabulary/countries.txt"
    lines = names.read_text(encoding="utf-8").splitlines()
    known = [line[3:].strip() for line in lines if not line.startswith("#")]
    return frozenset([*known, *_WORDS["place"]["countries"]])


def _is_place(text: str) -> bool:
    plain = re.sub(rf"^{_WORDS['before']['place'][0]} ", "", text)
    return len(plain) <= 40 and bool(re.fullmatch(r"(?:\d{4,5} )?[^\W\d_a-z][^\d:]*", plain))
