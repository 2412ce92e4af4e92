"""Two texts side by side: what one has and the other has not, by words."""

from __future__ import annotations

import difflib
import re
from typing import Final

from markupsafe import Markup, escape

_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")
MOST_WORDS: Final = 4_000  # of each text; longer ones are shown without marks


def mark_words(reference: str, text: str) -> Markup:
    """Return `text` as HTML, what `reference` has not marked with <ins>, what is missing with
    <del>.

    >>> mark_words("Room 7 is free.", "Room 8 is free.")
    Markup('Room <del>7</del><ins>8</ins> is free.')
    """
    before, after = _WORD.findall(reference), _WORD.findall(text)
    if max(len(before), len(after)) > MOST_WORDS:
        return escape(text)
    shown: list[Markup] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        gone, come = "".join(before[start:end]), "".join(after[new_start:new_end])
        if kind == "equal":
            shown.append(escape(come))
            continue
        if gone.strip():
            shown.append(Markup("<del>{}</del>").format(gone))
        shown.append(Markup("<ins>{}</ins>").format(come) if come.strip() else escape(come))
    return Markup("").join(shown)
