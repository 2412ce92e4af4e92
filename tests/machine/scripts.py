"""A Hypothesis strategy of whole runs: what models answer, get wrong and drop, turn by turn."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from plainloop.agent.errors import RateLimited, StreamCut
from tests.machine.scripted import Cut, Silent, Step, text, tools, triage, verdict

_call_numbers = itertools.count(1)

WORKERS = ["note_writer", "poet"]
texts = st.sampled_from(["Yes.", "One\n\ntwo", " lead", "trail ", "", "  ", "SHOUT it", "日本"])
failures = st.sampled_from(["limited", "cut", "cut blank"])
call_kinds = st.sampled_from(
    [
        ("add_note", {"text": "milk"}),
        ("add_note", {"text": "bread", "stars": 2}),
        ("add_note", {"stars": "many"}),
        ("add_then_fail", {"text": "gone"}),
        ("explode", {}),
        ("list_notes", {"limit": 2}),
        ("no_such_tool", {"a": [1, {"b": None}]}),
        ("set_mood", {"mood": "glad"}),
        ("set_mood", {"mood": "sad"}),
    ]
)


@st.composite
def runs(draw: Any) -> list[Step]:
    """One message's script; it ends in an answer, a limit or a failure."""
    worker = draw(st.sampled_from(WORKERS))
    script: list[Step] = [*draw_failures(draw), triage(worker)]
    for _ in range(draw(st.integers(0, 3))):
        script += [*draw_failures(draw), draw_calls(draw)]
    script += [*draw_failures(draw), draw_answer(draw)]
    if worker == "poet":
        script += draw_reviews(draw)
    if draw(st.integers(0, 9)) == 0:
        script = script[: draw(st.integers(0, len(script)))]
        script += [RateLimited("for good", retry_after_s=0.0)] * 4
    return script


def draw_failures(draw: Any) -> list[Step]:
    """What comes before an answer: attempts that fail and are made again."""
    made = {
        "limited": RateLimited("slow down", retry_after_s=0.0),
        "cut": Cut("Half of it", StreamCut("gone", retry_after_s=0.0)),
        "cut blank": Cut("\n", StreamCut("gone", retry_after_s=0.0)),
    }
    return [made[kind] for kind in draw(st.lists(failures, max_size=2))]


def draw_calls(draw: Any) -> Step:
    chosen = draw(st.lists(call_kinds, min_size=1, max_size=3))
    calls = [(f"call_{next(_call_numbers)}", name, arguments) for name, arguments in chosen]
    response = tools(*calls, said=draw(texts))
    return replace(response, stop="length") if draw(st.integers(0, 7)) == 0 else response


def draw_answer(draw: Any) -> Step:
    said = draw(texts)
    if draw(st.integers(0, 5)) == 0:
        return Silent(replace(text("", "refusal"), refusal="I would rather not."))
    return text(said)


def draw_reviews(draw: Any) -> list[Step]:
    """Verdicts and second tries; more than a run can use is left over in the script."""
    script: list[Step] = []
    for _ in range(draw(st.integers(0, 3))):
        script.append(verdict("retry", draw(texts), draw(st.floats(0, 1))))
        if draw(st.booleans()):
            script.append(draw_calls(draw))
        script += [*draw_failures(draw), draw_answer(draw)]
    return [*script, verdict("pass"), verdict("pass")]
