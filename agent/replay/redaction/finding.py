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

from ...intents.matching import guess_language

MAX_FIELD_WORDS: Final = 6  # of a field's value that is a name; a longer one is a text
_CAPITAL: Final = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:['’-][^\W\d_]+)*"
EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
# First what stays: ids and moments. `keep` is the group's name for them.
NUMBER: Final = re.compile(
    r"(?P<keep>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-(?:[0-9a-fA-F]{4}-?){0,3}[0-9a-fA-F]*"
    r"|(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?)?"
    r"|(?<!\d)\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2}(?!\d))"
    r"|(?<!\w)(?P<number>(?>\+?\(?\d+(?:(?:[ ./'-]|\) ?|,(?=\d{3}(?!\d)))\(?\d+)*))(?!\w)"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_STREETS: Final = "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Way|Square|Court|Boulevard|Blvd"
STREET: Final = re.compile(
    rf"(?P<before>\b\d{{1,5}}[a-z]?) (?P<name>{_CAPITAL}(?: {_CAPITAL}){{0,2}}) (?:{_STREETS})\b"
    r"|\b(?P<joined>\w+(?:straße|strasse|gasse|allee|platz|weg)) (?P<after>\d{1,4}[a-z]?)\b"
)
_CUE: Final = re.compile(
    r"(?i:\b(?:my name is|i am|i[’']m|this is|call me|named|dear|mr|mrs|ms|dr|prof|regards|"
    r"sincerely|signed|contact|ask for|mein name ist|ich bin|ich heiße|liebe|lieber|herr|frau|"
    r"je m[’']appelle|madame|monsieur|me llamo|señor|señora)\b)[.,:]?\s+"
    r"(?i:(?:mr|mrs|ms|dr|prof|herr|frau)\b\.?\s+){0,2}"
    rf"(?P<name>{_CAPITAL}(?: {_CAPITAL}){{0,2}})"
)
_RUN: Final = re.compile(rf"{_CAPITAL}(?: {_CAPITAL})*")
_STARTS: Final = '.!?:;\n"“”„«»(•*-–—|>#[{/'
_FIELD: Final = re.compile(
    r"(?:^|_)(?:(?P<person>(?:first|last|full|sur|family|given|user|nick)_?name|contact|recipient|"
    r"sender|author|customer|client|applicant|assignee|manager|person|guest|patient|employee)|"
    r"name|company|employer|organi[sz]ation|street|address|city)$",
    re.IGNORECASE,
)
# Capitalised in English, whatever stands before them.
ORDINARY: Final = frozenset(
    "i ok monday tuesday wednesday thursday friday saturday sunday january february march april "
    "may june july august september october november december english german french spanish "
    "json html pdf api url id usd eur gbp am pm".split()
)


def list_field_names(value: Any) -> Iterator[str]:
    """List the words of a JSON value's fields that hold names, also inside a text that is JSON."""
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
    """List the words of a text that a word before them, or a street's form, shows to be names.
    known: folded words that are none.
    """
    for found in _CUE.finditer(text):
        yield from (word for word in found["name"].split() if _is_name(word, known))
    for found in STREET.finditer(text):
        yield from (found["name"] or found["joined"]).split()


def list_capitalised_names(text: str, known: Collection[str]) -> Iterator[str]:
    """List the capitalised words inside a text's sentences. known: folded words that are no names.

    >>> [*list_capitalised_names("Please write to Jonas Weber in Kiel.", {"please"})]
    ['Jonas', 'Weber', 'Kiel']
    """
    has_noun_capitals = guess_language(text) == "german"
    for found in _RUN.finditer(text):
        words = found[0].split()
        before = text[: found.start()].rstrip(" \t")
        if not before or before[-1] in _STARTS:  # the first word is capitalised anyway
            is_pair = len(words) > 1 and all(_is_name(word, known) for word in words[:2])
            words = words if is_pair and not has_noun_capitals else words[1:]
        if has_noun_capitals and len(words) < 2:
            continue
        yield from (word for word in words if _is_name(word, known))


def _is_name(word: str, known: Collection[str]) -> bool:
    folded = word.casefold()
    return len(word) > 1 and folded not in known and folded not in ORDINARY


def is_personal_number(text: str, min_digits: int) -> bool:
    """Whether a number is long enough, and no year.

    >>> [is_personal_number(text, 4) for text in ("+49 151 234567", "2026", "12")]
    [True, False, False]
    """
    return sum(char.isdigit() for char in text) >= min_digits and not _YEAR.fullmatch(text)
