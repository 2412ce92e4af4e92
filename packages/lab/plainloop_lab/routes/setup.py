"""What answers today, stored with a replay: one that continues must not mix two setups."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

from plainloop.agent.core.spec import Pack
from plainloop.agent.errors import ConflictError
from plainloop.agent.packs.prompts import list_workers

from ..live.lane import Lane
from ..live.paid_calls import REPLAY_CHANGED
from ..live.plan import BASELINE, CANDIDATE

ROLES: Final = ("worker", "classifier", "router", "evaluator")
SIDES: Final = {BASELINE: "today's", CANDIDATE: "the candidate's"}


def describe_setup(lanes: Mapping[str, Lane], packs: Iterable[Pack]) -> dict[str, str]:
    """Describe what a replay's sides answer with, by what each entry is: models, prompts.

    Prompts are hashes: a user may not read them.
    """
    found: dict[str, str] = {}
    for name, side in SIDES.items():
        for role in ROLES if name in lanes else ():
            handle = lanes[name].models.resolve(role)
            effort = f"@{handle.effort}" if handle.effort else ""
            found[f"{side} {role} model"] = f"{handle.label}{effort}"
    for pack in packs:
        texts = {**{spec.name: spec.prompt for spec in list_workers(pack)}, **pack.prompts}
        for name, text in texts.items():
            digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
            found[f"the prompt of {name} in {pack.name}"] = digest
    return found


def require_same_setup(before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Check that a replay which continues has the setup with which it began.

    before: {} of a replay that has none stored. Raises: ConflictError REPLAY_CHANGED.
    """
    changed = list_changes(before, now)
    if before and changed:
        raise ConflictError(
            f"since this replay began, {', '.join(changed)} changed: its answers from before and "
            "those from now would be compared as if they were of one setup",
            hint="Start a new replay with the same settings, or change it back and continue.",
            code=REPLAY_CHANGED,
        )


def list_changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """List in words what two setups differ in.

    >>> list_changes({"a model": "x:1", "b": "2"}, {"a model": "x:3", "b": "2", "c": "4"})
    ['a model (x:1, now x:3)', 'c']
    """
    return [
        f"{name} ({before.get(name, 'none')}, now {now.get(name, 'none')})"
        if name.endswith("model")
        else name
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    ]
