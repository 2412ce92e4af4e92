"""Personal data in texts: e-mail addresses, numbers, street addresses and names.

Names have no certain form. They are found by the fields that hold them (`name`, `company`, …), by
the words before them ("my name is", "Dear"), and as capitalised words inside a sentence that the
pack's own texts do not have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, cast

import orjson

from plainloop_rules.matching import guess_language

MAX_FIELD_WORDS: Final = 6  # of a field's value that is a name; a longer one is a text
_CAPITAL: Final = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*"
EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_HEX: Final = "[0-9a-fA-F]"
_ID: Final = f"{_HEX}{{8}}-{_HEX}{{4}}-(?:{_HEX}{{4}}-?){{0,3}}{_HEX}*"
_MOMENT: Final = r"(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?"
_DATE: Final = r"(?<!\d)\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d(?!\d)"
_BETWEEN: Final = r"(?:[ ./'-]|\) ?|,(?=\d{3}(?!\d)))"  # two groups of a number's digits
_NUMBER: Final = rf"(?<!\w)(?P<number>(?>\+?\(?\d+(?:{_BETWEEN}\(?\d+)*))(?!\w)"
# `keep`: ids and moments, which stay.
NUMBER: Final = re.compile(f"(?P<keep>{_ID}|{_MOMENT}|{_DATE})|{_NUMBER}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_STREETS: Final = "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Way|Square|Court|Boulevard|Blvd"
_NAME: Final = f"(?P<name>{_CAPITAL}(?: {_CAPITAL}){{0,2}})"
_JOINED: Final = (
    r"\b(?P<joined>\w+(?:straße|strasse|gasse|allee|platz|weg)) (?P<after>\d{1,4}[a-z]?)\b"
)
STREET: Final = re.compile(rf"(?P<before>\b\d{{1,5}}[a-z]?) {_NAME} (?:{_STREETS})\b|{_JOINED}")
_TITLES: Final = ("mr", "mrs", "ms", "dr", "prof", "herr", "frau")
_CUES: Final = (
    *("my name is", "i am", "i['’]m", "this is", "call me", "named", "dear", "regards"),
    *("sincerely", "signed", "contact", "ask for", "mein name ist", "ich bin", "ich heiße"),
    *("liebe", "lieber", "je m['’]appelle", "madame", "monsieur", "me llamo", "señor", "señora"),
    *_TITLES,
)
_CUE: Final = re.compile(
    rf"(?i:\b(?:{'|'.join(_CUES)})\b)[.,:]?\s+(?i:(?:{'|'.join(_TITLES)})\b\.?\s+){{0,2}}{_NAME}"
)
_RUN: Final = re.compile(rf"{_CAPITAL}(?: {_CAPITAL})*")
_STARTS: Final = '.!?:;\n"“”„«»(•*-–—|>#[{/'
_PERSONS: Final = (
    *("contact", "recipient", "sender", "author", "customer", "client", "applicant", "assignee"),
    *("manager", "person", "guest", "patient", "employee", "(?:first|last|full|sur)_?name"),
    *("(?:family|given|user|nick)_?name",),
)
_THINGS: Final = ("name", "company", "employer", "organi[sz]ation", "street", "address", "city")
_FIELD: Final = re.compile(
    rf"(?:^|_)(?:(?P<person>{'|'.join(_PERSONS)})|{'|'.join(_THINGS)})$", re.IGNORECASE
)
# Capitalised in English, whatever stands before them.
ORDINARY: Final = frozenset(
    "i ok monday tuesday wednesday thursday friday saturday sunday january february march april "
    "may june july august september october november december english german french spanish "
    "json html pdf api url id usd eur gbp am pm".split()
)


def list_field_names(value: Any) -> Iterator[str]:
    """Yield the words in the name fields of a JSON value.

    JSON that is encoded as text is searched too.
    """
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            yield from list_field_names(orjson.loads(value))
        except orjson.JSONDecodeError:
            return
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[str, Any]", value).items():
            field = _FIELD.search(key)
            if isinstance(item, str) and field and "@" not in item:
                words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", item)
                if len(words) <= MAX_FIELD_WORDS:
                    yield from (word for word in words if field["person"] or not word.islower())
            else:
                yield from list_field_names(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from list_field_names(item)


def list_cued_names(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the words that a text marks as names, for example by a title.

    They follow a title, for example, or occur in a street's name. known: folded words that are no
    names.
    """
    for found in _CUE.finditer(text):
        yield from (word for word in found["name"].split() if _is_name(word, known))
    for found in STREET.finditer(text):
        yield from (found["name"] or found["joined"]).split()


def list_capitalised_names(text: str, known: Collection[str]) -> Iterator[str]:
    """Yield the capitalised words inside a text's sentences, which may be names.

    known: folded words that are no names.

    >>> [*list_capitalised_names("Please write to Jonas Weber in Kiel.", {"please"})]
    ['Jonas', 'Weber', 'Kiel']
    """
    has_noun_capitals = guess_language(text) == "german"
    for found in _RUN.finditer(text):
        words = found[0].split()
        at = found.start()
        while at and text[at - 1] in " \t":
            at -= 1
        if not at or text[at - 1] in _STARTS:  # the first word is capitalised anyway
            is_pair = len(words) > 1 and all(_is_name(word, known) for word in words[:2])
            words = words if is_pair and not has_noun_capitals else words[1:]
        if has_noun_capitals and len(words) < 2:
            continue
        yield from (word for word in words if _is_name(word, known))


def _is_name(word: str, known: Collection[str]) -> bool:
    folded = word.casefold()
    return len(word) > 1 and folded not in known and folded not in ORDINARY


def is_personal_number(text: str, min_digits: int) -> bool:
    """Whether a number is long enough to be personal data, and is not a year.

    >>> [is_personal_number(text, 4) for text in ("+49 151 234567", "2026", "12")]
    [True, False, False]
    """
    return sum(char.isdigit() for char in text) >= min_digits and not _YEAR.fullmatch(text)
