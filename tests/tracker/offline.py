"""What the stand-in must know of the tracker: "add a job: Cook at Cafe Uno", "move it to applied".

All tests of a process share what it learned, so this reads less than the packs in `agent/packs` do,
and nothing else.
"""

from __future__ import annotations

import re

from plainloop.agent.offline.rules import OfflineRules

_ADDED = re.compile(
    r"^(?:please )?add (?:a|the) job: (?P<title>[^,;]+?) at (?P<company>[^,;]+)", re.I
)


def load_rules() -> OfflineRules:
    return OfflineRules(
        kinds=("job",),
        counted="jobs",
        concepts={"job": "position tracker", "track": "applied"},
        signals={r"\b(?:saved|tracked|applied)\b|\bmy jobs\b": "track track"},
        read_names=read_names,
    )


def read_names(text: str) -> dict[str, str]:
    added = _ADDED.match(text.strip())
    return {name: value.strip() for name, value in added.groupdict().items()} if added else {}
