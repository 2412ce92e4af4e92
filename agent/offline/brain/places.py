"""Places that a request names: "in Berlin", "near Zurich", "location: Paris"."""

from __future__ import annotations

import re
from typing import Final

from .words import load_words

CAP: Final = r"(?:[A-ZÀ-Þ][\w&'’+-]*(?:\.[\w]+)*|\d+[A-Za-z]\w*)"
CAP_NAME: Final = (
    rf"({CAP}(?:\s+(?:(?:of|and|the|&|for|de|du|des|la|le|del|di|von|und|et|y)\s+)?{CAP})*)"
)
_PLACE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?i:\blocation\s*(?:is|:|=|to)\s*)([^,;.!?\n]+)",
        rf"(?i:\b(?:in|near|around|based\s+in|located\s+in)\s+){CAP_NAME}(?:,\s*([A-Z]{{2}}\b))?",
        r"(?i:\b(?:in|near|around)\s+(?!the\b|my\b|a\b))([a-z]{3,})\b",
    )
)
NO_NAMES: Final = load_words("no_names")
_NOT_PLACES: Final = load_words("not_places")


def find_place(text: str) -> str:
    """The place named after "in", "near" or "location:"; "" when there is none."""
    for pattern in _PLACE:
        for match in pattern.finditer(text):
            place = ", ".join(group.strip() for group in match.groups() if group)
            if place.casefold().split()[0] not in _NOT_PLACES | NO_NAMES:
                return place
    return ""
