"""What the stand-in must know of the tracker: the names in "add a job: Cook at Cafe Uno".

All tests of a process share what it learned, so this reads less than the packs in `agent/packs` do,
and nothing else.
"""

from __future__ import annotations

import re

from plainloop.agent.offline.rules import OfflineRules

# Quoted names are for others to read.
_ADDED = re.compile(r"^add a job: (?P<title>[^,;\"]+?) at (?P<company>[^,;\"]+)", re.I)


def load_rules() -> OfflineRules:
    return OfflineRules(read_names=read_names)


def read_names(text: str) -> dict[str, str]:
    added = _ADDED.match(text.strip())
    return {name: value.strip() for name, value in added.groupdict().items()} if added else {}
