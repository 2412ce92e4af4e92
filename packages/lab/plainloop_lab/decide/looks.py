"""How often a gate has looked at a candidate that grows, kept in our folder of files.

A look that no `looks` planned has a chance of a wrong verdict of its own; so it is told.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec
import orjson

from plainloop.agent.base.text.foreign_json import as_object
from plainloop_lab.replay.report.report_files import get_report_path, list_report

from ..live.plan import CANDIDATE
from .outcomes import Place, list_lines
from .rules import Rules

FOLDER: Final = "gates"  # below the data directory


def identify(place: Place) -> str:
    """Return a report's key, which stays the same while the report grows.

    It is made of its replay's id, or is a hash. "": of a recorded replay, which is whole at once
    and has no chance in it.
    """
    path = get_report_path(place.path)
    if path.suffix == ".json":
        replay_id = list_report(path)[0].get("replay_id")
        return f"{replay_id}:{place.lane or CANDIDATE}" if replay_id else ""
    first = next((line for _, line in list_lines(path)), b"")
    return hashlib.sha256(first).hexdigest()


def remember_look(data_dir: Path, candidate: str, rules: Rules, tasks: int) -> list[int]:
    """Record that a gate judged a candidate after this many tasks.

    Returns after how many tasks it was judged before. Returns [] and records nothing if the rules
    plan their looks.

    Raises: OSError.
    """
    if rules.gate.looks or not candidate:
        return []
    key = hashlib.sha256(candidate.encode() + msgspec.json.encode(rules)).hexdigest()
    path = data_dir / FOLDER / f"{key[:32]}.json"
    known: list[int] = []
    if path.exists():
        kept = as_object(orjson.loads(path.read_bytes())).get("looks", [])
        known = [look for look in kept if isinstance(look, int)]
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(orjson.dumps({"looks": sorted({*known, tasks})}))
    partial.replace(path)
    return [look for look in known if look != tasks]
