"""Two texts side by side: what one has and the other has not, by words."""

from __future__ import annotations

import difflib
import re
from html import escape
from typing import Final

_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")
MOST_WORDS: Final = 4_000  # of each text; longer ones are shown without marks


def mark_words(reference: str, text: str) -> str:
    """`text` as HTML, what `reference` has not marked with <ins>, what is missing with <del>.

    >>> mark_words("Room 7 is free.", "Room 8 is free.")
    'Room <del>7</del><ins>8</ins> is free.'
    """
    before, after = _WORD.findall(reference), _WORD.findall(text)
    if max(len(before), len(after)) > MOST_WORDS:
        return escape(text)
    shown: list[str] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        gone, come = "".join(before[start:end]), "".join(after[new_start:new_end])
        if kind == "equal":
            shown.append(escape(come))
            continue
        if gone.strip():
            shown.append(f"<del>{escape(gone)}</del>")
        shown.append(f"<ins>{escape(come)}</ins>" if come.strip() else escape(come))
    return "".join(shown)
