"""Where a person lives, as the lines above a résumé's first section state it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from plainloop.agent.base.text.patterns import compile_lazily

from ..letters.grounding.words import load_countries, load_phrases, split_words
from .shape import is_document_title
from .titles import is_title

_HEAD_LINES: Final = 8
_LINE_CHARS: Final = 300
_SPLIT: Final = compile_lazily(r"\s*[|·•\t]\s*|\s{3,}|\s+[–—]\s+")
_LABEL: Final = compile_lazily(r"^[^\W\d_][^:@/]{1,20}:\s+")  # "Address: …"
_YEAR: Final = compile_lazily(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_POSTAL: Final = compile_lazily(
    r"(?<![\w+])(?:\d{4,6}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})(?!\w)"
)
_OTHER: Final = compile_lazily(r"[\d@/]")  # a street, a number to call, an address
_NAME: Final = compile_lazily(r"[^\W\d_a-z][^\W\d_]*\.?(?:[ '’-][^\W\d_]+){0,3}")
_STATE: Final = compile_lazily(r"[A-Z]{2}")
_LINK: Final = compile_lazily(
    r"(?i)linked-?in|git(?:hub|lab)|xing|portfolio|website|homepage|remote"
)


def find_home(raw_text: str) -> dict[str, str] | None:
    """Find the candidate's home in a résumé's head, as a JSON Resume location; None without one.

    >>> find_home("# Ann Lee\\nann@example.org | Berlin, Germany")
    {'city': 'Berlin', 'countryCode': 'DE'}
    >>> find_home("Ann Lee\\nCook\\nMesa, AZ 85201")
    {'city': 'Mesa', 'region': 'AZ', 'postalCode': '85201'}
    >>> find_home("Ann Lee\\nPython, SQL")
    """
    for _, names, postal in _list_places(raw_text):
        code = _load_codes().get(names[-1].casefold()) if len(names) > 1 else ""
        if not code and not _STATE.fullmatch(names[-1]):
            continue
        region = names[1] if code and len(names) > 2 else "" if code else names[-1]
        home = {"city": names[0], "region": region, "countryCode": code, "postalCode": postal}
        return {key: text for key, text in home.items() if text}
    return None


def find_unsure_home(raw_text: str) -> str:
    """Find a text at the top of a résumé that may be a town, with or without a country; "" if none.

    >>> find_unsure_home("Ana Ruiz\\nMadrid, España"), find_unsure_home("Ana Ruiz\\nCook, Noma")
    ('Madrid, España', '')
    >>> find_unsure_home("Ann Lee\\nann@example.org | +49 30 1234567 | Berlin")
    'Berlin'
    """
    return next((text for text, _, _ in _list_places(raw_text)), "")


def _list_places(raw_text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield (text, its names, postal code) for each text in the head that may be a place."""
    lines = [line.strip() for line in raw_text[: _HEAD_LINES * _LINE_CHARS].splitlines()]
    for number, line in enumerate([line for line in lines if line][:_HEAD_LINES]):
        plain = _strip_marks(line)
        is_over = number > 0 and (line.startswith("#") or is_document_title(plain))
        if is_over or (_YEAR.search(plain) and not _POSTAL.search(plain)):
            return  # the first section begins
        texts = _SPLIT.split(plain)[number == 0 :]  # the first text is the person's name
        words = [text for text in texts if not _OTHER.search(text)]
        # One town beside an address and a number; "LinkedIn | GitHub" are two.
        has_town = "@" in plain and len(texts) - len(words) >= 2 and words != texts[:1]
        least = 1 if has_town and len(words) == 1 and not _LINK.match(words[0]) else 2
        for text in texts:
            text = _LABEL.sub("", _strip_marks(text))
            postal = _POSTAL.search(text)
            names = [_POSTAL.sub("", part).strip() for part in text.split(",")]
            names = [name for name in names if name and not _OTHER.search(name)]
            is_place = least <= len(names) <= 3 and all(map(_NAME.fullmatch, names))
            skills = ("".join(split_words(name)) in load_phrases("skills") for name in names)
            if is_place and not any(map(is_title, names)) and not any(skills):
                yield text, names, postal[0] if postal else ""


def _strip_marks(text: str) -> str:
    """Strip Markdown's marks of headings, quotes, lists and emphasis from both ends."""
    return text.strip().lstrip("#>*_- \t").rstrip("*_` \t")


@cache
def _load_codes() -> dict[str, str]:
    """Load the countries' ISO codes by each of their names: "United Kingdom (UK), Britain"."""
    codes: dict[str, str] = {}
    for code, named in load_countries().items():
        for name in filter(None, map(str.strip, re.split(r"[(),]", named))):
            codes.setdefault(name.casefold(), code)  # "US" is not the "Virgin Islands (US)"
    return codes
