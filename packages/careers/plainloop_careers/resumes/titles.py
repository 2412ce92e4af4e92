"""Whether a phrase is a job title, in ten languages."""

from __future__ import annotations

from typing import Final

from ..files import load_data

_WORDS: Final[dict[str, str]] = load_data(__file__, "titles.toml")
_HEADS: Final = frozenset(_WORDS["heads"].split())
_FIRST: Final = frozenset(_WORDS["first"].split())
_ENDINGS: Final = tuple(_WORDS["endings"].split())


def is_title(phrase: str) -> bool:
    """Whether a phrase is a job title, judged by its first and last word.

    >>> [is_title(said) for said in ("Senior Data Scientist", "Chef de projet", "Microsoft")]
    [True, True, False]
    """
    words = phrase.casefold().replace(",", " ").replace("/", " ").split()
    words = [word for word in words if not word.startswith("(")]
    if not words:
        return False
    last = words[-1].rstrip("s.")
    ends_well = words[-1] in _HEADS or last in _HEADS or last.endswith(_ENDINGS)
    is_led = len(words) > 2 and words[0] in ("head", "vp", "director", "chief")
    return ends_well or is_led or words[0].strip("()") in _FIRST
