"""A live replay's report as one page: no network, no script, light and dark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson
from markupsafe import Markup, escape

from plainloop.agent.base.pages.pages import make_pages
from plainloop.agent.base.text.cleaning import format_count

from ..comparing.comparison import RECORDING, UNFINISHED_SEVERITY, Comparison, name_conversation
from ..comparing.differences import word_origins
from ..comparing.explaining import Explanation
from ..comparing.measures import BY_NAME, count_changes
from ..live.lane import TurnResult
from ..live.plan import BASELINE, CANDIDATE
from ..live.words import WordMatcher
from .facts import describe_facts
from .numbers import (
    choose_direction,
    describe_tokens,
    format_difference,
    format_interval,
    format_p,
    format_turn_value,
    format_value,
)
from .rules import ReplayDecision
from .summary import list_measured

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_TEXT_CHARS: Final = 8_000  # of a shown answer; report.json has it whole
LISTED_CONVERSATIONS: Final = 25
_WORD: Final = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")  # with the space behind it
MOST_WORDS: Final = 4_000  # of each text; longer ones are shown without marks
# What the console calls the sides of a comparison.
SIDES: Final = {RECORDING: "Then", BASELINE: "Today", CANDIDATE: "Candidate"}
_LEVELS: Final = ((50.0, "level3"), (5.0, "level2"), (0.01, "level1"))


def render_page(
    result: Mapping[str, Any], worst: Sequence[Comparison], decision: ReplayDecision | None = None
) -> str:
    """Render the report of a live replay as an HTML page.

    result: head and summary of report.json. worst: the conversations to show, in order.
    decision: heads the page, as it heads the console's.
    """
    return (
        load_templates()
        .get_template("live.html")
        .render(
            result=result,
            described=describe_facts(result),
            measures=list(list_measured(result["summary"])),
            worst=worst,
            decision=decision,
            listed=LISTED_CONVERSATIONS,
        )
    )


def render_conversation(
    found: Comparison, name: str, explained: Explanation | None, command: str
) -> str:
    """Render one replayed conversation as an HTML page.

    name: of the candidate. command: replays the conversation again.
    """
    template = load_templates().get_template("conversation.html")
    return template.render(found=found, name=name, explained=explained, command=command)


@cache
def load_templates() -> Environment:
    """Load the templates of the reports' pages, with their filters."""
    filters = {
        "count_of": format_count,
        "count_changes": count_changes,
        "cut": cut,
        "describe_result": describe_result,
        "origins": word_origins,
        "difference": format_difference,
        "direction": choose_direction,
        "interval": format_interval,
        "is_unfinished": is_unfinished,
        "json": to_json_text,
        "level": choose_level,
        "mark_words": mark_words,
        "name": name_conversation,
        "p": format_p,
        "percent": format_place,
        "side": name_side,
        "title_of": get_title,
        "turn_value": format_change,
        "value": format_value,
    }
    return make_pages(Path(__file__).with_name("templates"), filters)


def name_side(lane: str) -> str:
    """Name a side of a comparison as the console does."""
    return SIDES.get(lane, lane)


def is_unfinished(found: Comparison) -> bool:
    """Whether the page counts a conversation as unfinished.

    Its severity says so.
    """
    return found["severity"] >= UNFINISHED_SEVERITY


def to_json_text(value: Any) -> str:
    """Encode a value as JSON text, for a page."""
    return orjson.dumps(value).decode()


def format_place(share: float) -> str:
    """Format a share from 0 to 1 as a position in percent, for a style attribute."""
    return f"{100 * min(1.0, max(0.0, share)):.1f}%"


def get_title(measure: str) -> str:
    """Return the title of a measure."""
    return BY_NAME[measure].title


def format_change(value: float, measure: str) -> str:
    """Format the change of a measure's value, in the measure's unit."""
    return format_turn_value(value, BY_NAME[measure].unit)


def choose_level(found: Comparison) -> str:
    """Return the name of the page's style for a conversation's severity.

    It is "none" if the conversation was not compared.
    """
    is_compared = any(CANDIDATE in turn["lanes"] for turn in found["turns"])
    if not is_compared and not found["severity"]:
        return "none"
    return next((name for least, name in _LEVELS if found["severity"] >= least), "")


def describe_result(result: TurnResult) -> str:
    """Describe a turn's path, tokens, cost and time, as far as they are known."""
    tokens = result["tokens"]
    verdicts = [verdict["verdict"] for verdict in result["verdicts"]]
    parts = [
        " → ".join(result["path"]),
        None if result["error"] is None else f"ended by {result['error']}",
        f"review: {', '.join(verdicts)}" if verdicts else None,
        describe_tokens(tokens) if any(tokens.values()) else None,
        None if result["cost_usd"] is None else format_value(float(result["cost_usd"]), "usd"),
        None if result["duration_ms"] is None else format_value(result["duration_ms"], "ms"),
    ]
    return " · ".join(part for part in parts if part)


def cut(text: str, most: int = MOST_TEXT_CHARS) -> str:
    """Cut a text to the page's maximum, with "…" at the end."""
    return text if len(text) <= most else f"{text[:most]}…"


def mark_words(reference: str, text: str) -> Markup:
    """Mark as HTML how a text differs from the reference: new words <ins>, dropped ones <del>.

    >>> mark_words("Room 7 is free.", "Room 8 is free.")
    Markup('Room <del>7 </del><ins>8 </ins>is free.')
    """
    before, after = _WORD.findall(reference), _WORD.findall(text)
    if max(len(before), len(after)) > MOST_WORDS:
        return escape(text)
    shown: list[Markup] = []
    matcher = WordMatcher(*([word.rstrip() for word in side] for side in (before, after)))
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        gone, come = "".join(before[start:end]), "".join(after[new_start:new_end])
        if kind == "equal":
            shown.append(escape(come))
            continue
        if gone.strip():
            shown.append(Markup("<del>{}</del>").format(gone))
        shown.append(Markup("<ins>{}</ins>").format(come) if come.strip() else escape(come))
    return Markup("").join(shown)
