"""Right-to-left lines of a PDF: most hold their letters in the order seen, from left to right.

pdfminer leaves them so (pdfminer.six #515). Runs in the child.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from pdfminer.layout import LTChar, LTTextLine

# Hebrew, Arabic and their like, and the shapes of Arabic letters that are characters by themselves.
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_SHAPES: Final = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_REORDERED_CHARS: Final = 500  # of a line; hardly one on a page is longer


def is_as_seen(line: LTTextLine, text: str) -> bool:
    """Whether a PDF's line contains right-to-left letters in the order in which they are seen."""
    if len(text) > _REORDERED_CHARS or not _RIGHT_TO_LEFT.search(text):
        return False
    letters = (item for item in line if isinstance(item, LTChar))
    places = [it.x0 for it in letters if _RIGHT_TO_LEFT.match(it.get_text())]
    steps = [after - before for before, after in pairwise(places)]
    return sum(step > 0 for step in steps) > sum(step < 0 for step in steps)


def to_reading_order(text: str) -> str:
    """Convert a line with right-to-left letters from visual order to reading order.

    >>> to_reading_order("2019 ,םולש Acme")
    'Acme שלום, 2019'
    """
    # The algorithm that puts a text into the order seen also undoes it.
    from fpdf.bidi import BidiParagraph
    from fpdf.enums import TextDirection

    is_mostly = 2 * len(_RIGHT_TO_LEFT.findall(text)) >= sum(map(str.isalpha, text))
    direction = TextDirection.RTL if is_mostly else TextDirection.LTR
    read = BidiParagraph(text, base_direction=direction).get_reordered_string()
    return _SHAPES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), read)
