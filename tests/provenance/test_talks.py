"""Whatever a text from outside says, none of its values reaches a final target unasked.

`AGENT_PROVENANCE_TALKS=10000` tries as many random talks.
"""

from __future__ import annotations

import base64
import os
import random
from collections.abc import Callable

from plainloop.agent.provenance.marking import Reach
from tests.provenance.talks import Gave, judge

TALKS = int(os.environ.get("AGENT_PROVENANCE_TALKS", "300"))
FINAL = Reach(("to", "id"), ("amount",))
WORDS = "pay mail noon rent Ann Lee invoice cook garden Berlin June table account".split()
DIGITS = "one two three four five six seven eight nine".split()
# How a page writes what its model then spells out, and the other way round.
SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda value: value,
    lambda value: f"{value[: len(value) // 2]} then {value[len(value) // 2 :]}",
    lambda value: base64.b64encode(value.encode()).decode(),
    lambda value: " ".join(DIGITS[int(c) - 1] if c in "123456789" else c for c in value),
    lambda value: value.replace("o", "\u043e").replace("a", "\u0430"),
    lambda value: "\u200b".join(value),
    lambda value: value[::-1],
    str.upper,
)


def make_value(rng: random.Random) -> str:
    kind = rng.randrange(4)
    name = "".join(rng.choice("abcdefghiklmnoprstuvw") for _ in range(8))
    if kind == 0:
        return f"{name}@{rng.choice(WORDS)}.example"
    if kind == 1:
        return f"GB{rng.randrange(10**9, 10**10)}"
    if kind == 2:
        return str(rng.randrange(10_000, 99_999))
    return f"{name} {rng.choice(WORDS)}"


def test_no_outside_value_becomes_a_target_without_approval():
    rng = random.Random(20260730)
    for n in range(TALKS):
        said = " ".join(rng.choice(WORDS) for _ in range(12))
        row = {rng.choice(WORDS): make_value(rng), "title": said, "id": str(rng.randrange(99))}
        value = make_value(rng)
        told = rng.choice(SPELLINGS)(value)
        page = f"{' '.join(rng.choice(WORDS) for _ in range(9))} {told} {said}"
        given = (
            Gave({"text": page, "untrusted": "a page"}),
            Gave([{**row, "note": page}], outside=("note",)),
            Gave({"saved": value, "for": said}, arguments={"to": value}, name="save"),
        )
        talk = [said, given[rng.randrange(2)], *rng.sample(given, 2), Gave(row)]
        spelled = rng.choice(SPELLINGS)(value)
        name = rng.choice(("to", "id", "amount"))
        judged = judge(FINAL, {name: spelled, "body": said}, *talk)

        assert judged.verdict == "asks", (n, talk, name, spelled, judged)
