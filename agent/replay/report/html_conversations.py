"""A report page's conversations: where it got worse, and every turn side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

import orjson

from ...base.text import format_count
from ...types import sum_known
from ..comparing.comparison import RECORDING, UNFINISHED_SEVERITY, Comparison, TurnComparison
from ..comparing.measures import BY_NAME, Change, count_changes
from ..live.lane import TurnResult
from ..live.plan import CANDIDATE
from .numbers import format_turn_value, format_value
from .word_diff import mark_words

MOST_TEXT_CHARS: Final = 8_000  # of a shown answer; report.json has it whole
LISTED_CONVERSATIONS: Final = 25
_LEVELS: Final = ((50.0, "level3"), (5.0, "level2"), (0.01, "level1"))


def render_regressions(worst: Sequence[Comparison]) -> str:
    """The worst conversations, by what got worse in how many turns, each leading to its turns."""
    found = [item for item in worst if item["severity"] > 0]
    if not found:
        return "<h2>Regressions</h2><p>None.</p>"
    rows = "".join(map(_render_regression, found[:LISTED_CONVERSATIONS]))
    more = len(found) - LISTED_CONVERSATIONS
    rest = f'<p class="soft">{more:,} more below.</p>' if more > 0 else ""
    return (
        "<h2>Regressions, the worst first</h2>"
        '<div class="wide"><table><thead><tr><th>conversation</th><th>turns worse</th>'
        '<th class="left">what got worse, in how many of them</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>" + rest
    )


def _render_regression(found: Comparison) -> str:
    worse = [turn["worse"] for turn in found["turns"] if turn["worse"]]
    failed = found["unfinished"].get(CANDIDATE)
    tags = [f"failed: {failed['code']}"] if failed and failed["status"] == "failed" else []
    tags += [f"{BY_NAME[name].title}: {turns}" for name, turns in count_changes(worse)]
    shown = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags)
    return (
        f'<tr><td><a href="#c{found["n"]}">{escape(found["conversation_id"])}</a></td>'
        f"<td>{len(worse):,} of {len(found['turns']):,}</td>"
        f'<td class="left"><span class="tags">{shown}</span></td></tr>'
    )


def render_tags(changes: Sequence[Change], kind: str) -> str:
    if not changes:
        return ""
    tags = "".join(
        f'<span class="tag {kind}">{escape(BY_NAME[item["measure"]].title)}: '
        f"{format_turn_value(item['reference'], BY_NAME[item['measure']].unit)} → "
        f"{format_turn_value(item['candidate'], BY_NAME[item['measure']].unit)}</span>"
        for item in changes
    )
    return f'<span class="tags">{tags}</span>'


def render_conversations(worst: Sequence[Comparison], total: int) -> str:
    in_order = sorted(worst, key=lambda found: found["n"])
    strip = "".join(
        f'<a class="{choose_level(found)}" href="#c{found["n"]}" '
        f'title="{escape(found["conversation_id"])}"></a>'
        for found in in_order
    )
    shown = "" if len(worst) == total else f": the worst {len(worst):,} of {total:,}"
    return (
        f"<h2>Conversations{shown}</h2>"
        '<p class="soft">One square each, in the source\'s order, darker where the candidate got '
        f'worse; below the worst first.</p><div class="strip">{strip}</div>'
        + "\n".join(map(render_conversation, worst))
    )


def choose_level(found: Comparison) -> str:
    if not found["turns"]:
        return "none"
    return next((name for least, name in _LEVELS if found["severity"] >= least), "")


def render_conversation(found: Comparison) -> str:
    worse = sum(bool(turn["worse"]) for turn in found["turns"])
    state = (
        f'<span class="bad">{format_count(worse, "turn")} worse</span>'
        if worse
        else "no turn worse"
    )
    if found["severity"] >= UNFINISHED_SEVERITY:
        state = '<span class="bad">the candidate did not finish</span>'
    problems = "".join(
        f'<p class="turn bad">{escape(lane)}: {escape(item["status"])} {escape(item["code"])} '
        f"{escape(item['message'])}</p>"
        for lane, item in found["unfinished"].items()
    )
    turns = "".join(map(render_turn, found["turns"]))
    return (
        f"<details><summary><b>{escape(found['conversation_id'])}</b>{state}"
        f'<span class="soft">{format_count(len(found["turns"]), "turn")}</span></summary>'
        # Inside: a link to it opens what is around it.
        f'<div id="c{found["n"]}">{problems}{turns}</div></details>'
    )


def render_turn(turn: TurnComparison) -> str:
    recorded = turn["lanes"][RECORDING]["text"]
    sides = "".join(
        render_side(lane, result, None if lane == RECORDING else recorded)
        for lane, result in turn["lanes"].items()
    )
    tags = render_tags(turn["worse"], "") + render_tags(turn["better"], "good")
    judgement = turn["judgement"]
    if judgement is not None and judgement["reasons"]:
        said = " / ".join(judgement["reasons"])
        tags += f'<p class="soft">judge: {escape(judgement["winner"])} · {escape(cut(said))}</p>'
    return (
        f'<div class="turn"><p class="user"><b>{turn["turn"] + 1}.</b> '
        f'{escape(cut(turn["user"]))}</p>{tags}<div class="sides">{sides}</div></div>'
    )


def render_side(lane: str, result: TurnResult, recorded: str | None) -> str:
    """recorded: what the text is marked against; None marks nothing."""
    text = cut(result["text"])
    shown = escape(text) if recorded is None else mark_words(cut(recorded), text)
    tools = "<br>".join(
        f"{'⊘ not executed: ' if use['served'] == 'closed' else ''}{escape(use['name'])} "
        f"{escape(cut(orjson.dumps(use['arguments']).decode(), 300))}"
        for use in result["tools"]
    )
    name = "the same words" if recorded is not None and recorded == result["text"] else ""
    return (
        f'<div class="side"><h4 class="{lane}">{lane} <span class="soft">{name}</span></h4>'
        f'<div class="meta">{escape(describe_result(result))}{f"<br>{tools}" * bool(tools)}</div>'
        f'<p class="text">{shown}</p></div>'
    )


def describe_result(result: TurnResult) -> str:
    """Its way and what it took, as far as that is known."""
    tokens = result["tokens"]
    sent = sum_known(
        *(tokens.get(name) for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
    )
    came = sum_known(tokens.get("output_tokens"), tokens.get("reasoning_tokens"))
    verdicts = [verdict["verdict"] for verdict in result["verdicts"]]
    parts = [
        " → ".join(result["path"]),
        None if result["error"] is None else f"ended by {result['error']}",
        f"review: {', '.join(verdicts)}" if verdicts else None,
        f"{sent or 0:,} in + {came or 0:,} out tokens" if sent or came else None,
        None if result["cost_usd"] is None else format_value(float(result["cost_usd"]), "usd"),
        None if result["duration_ms"] is None else format_value(result["duration_ms"], "ms"),
    ]
    return " · ".join(part for part in parts if part)


def cut(text: str, most: int = MOST_TEXT_CHARS) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
