"""Which names are towns: what stands after "in" may be one, a firm or a field of work."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

MAX_TOWN_WORDS: Final = 5
_FILE: Final = Path(__file__).parent / "towns.txt"
_FORM: Final = re.compile(r"\S+-(?:on|upon|in|under|le|les|la|sur|sous|en|am|ob)-\S+", re.I)
_SAINTS: Final = {"saint": "st", "sankt": "st", "sainte": "ste"}
_WORD: Final = re.compile(r"[a-z0-9]+")


def fold_town(name: str) -> str:
    """As the file has them.

    >>> fold_town("Villefranche-sur-Saône"), fold_town("Gießen")
    ('villefranche sur saone', 'giessen')
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    words: list[str] = _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    return " ".join(_SAINTS.get(word, word) for word in words)


def is_town(name: str) -> bool:
    return bool(_FORM.fullmatch(name)) or fold_town(name) in _load_towns()


@cache
def _load_towns() -> frozenset[str]:
    lines = _FILE.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
