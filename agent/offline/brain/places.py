"""Places that a request names: "in Berlin", "near Zurich", "location: Paris"."""

from __future__ import annotations

import re
from typing import Final

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
# Words that name nothing: neither a place, nor anybody.
NO_NAMES: Final = frozenset(
    "home least most all once first last work the a an my me it this that them you us him her any"
    " some none there here now today tomorrow yesterday noon night job jobs role position position"
    " application applications company companies saved applied offer rejected interviewing remote"
    " hybrid onsite list tracker profile status latest newest new same other one ones"
    " which what who i we he she they and or to as if so of how why is are do does did have has can"
    " add save track create record log register store bookmark insert put show delete remove move"
    " mark update set change edit find search write draft read open view count note tell give see"
    " second third fourth fifth sixth next previous both either neither per more few everything"
    " following"
    " non favourite favorite best recent old older current active open different similar dream"
    " hello hi hey thanks please yes no ok okay good great then also by because".split()
)
_NOT_PLACES: Final = frozenset(
    "january february march april may june july august september october november december monday"
    " tuesday wednesday thursday friday saturday sunday remote total progress status interview"
    " interviewing interviews english german french spanish english python java javascript tech"
    " software data design marketing sales finance general particular short detail person order"
    " touch test web application applications applied saved offer rejected case time this that"
    " your our full and which what tracker pipeline profile mind advance addition two three"
    " one four five response reply fact store stock house react rust golang typescript".split()
)


def find_place(text: str) -> str:
    """The place named after "in", "near" or "location:"; "" when there is none."""
    for pattern in _PLACE:
        for match in pattern.finditer(text):
            place = ", ".join(group.strip() for group in match.groups() if group)
            if place.casefold().split()[0] not in _NOT_PLACES | NO_NAMES:
                return place
    return ""
