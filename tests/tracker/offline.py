"""What the stand-in must know of the tracker: the names in "add a job: Cook at Cafe Uno".

All tests of a process share what it learned, so this reads less than the packs do.
"""

from __future__ import annotations

from typing import Any

FORMS = (
    r":\s*(?P<title>{name}) at (?P<company>{name})",
    r"at (?P<company>{name})",
    r"in (?P<location>{name})",
    r"have i(?= (?:applied|saved))",
)


def load_rules() -> Any:
    from plainloop_rules.offline.rules import OfflineRules

    return OfflineRules(forms=FORMS)
