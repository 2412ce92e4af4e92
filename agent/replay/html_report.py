"""A live replay's report as one page: no network, no script, light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

import orjson

from agent.providers.types import sum_known
from agent.replay.comparing import (
    RECORDING,
    UNFINISHED_SEVERITY,
    Comparison,
    TurnComparison,
)
from agent.replay.live import TurnResult
from agent.replay.live_summary import list_measured
from agent.replay.measures import BY_NAME, Change
from agent.replay.report_numbers import (
    format_difference,
    format_interval,
    format_p,
    format_turn_value,
    format_value,
    judge_difference,
)
from agent.replay.report_plots import plot_amounts, plot_shares
from agent.replay.word_diff import mark_words

MOST_TEXT_CHARS: Final = 8_000  # of a shown answer; report.json has it whole
LISTED_TURNS: Final = 25
_LEVELS: Final = ((50.0, "level3"), (5.0, "level2"), (0.01, "level1"))


def render_page(result: Mapping[str, Any], worst: Sequence[Comparison]) -> str:
    """result: head and summary of report.json. worst: the conversations to show, in order."""
    summary = result["summary"]
    lanes = list(result["lanes"])
    measures = list(list_measured(summary))
    title = f"Replay of {summary['conversations']:,} conversations"
    sections = (
        f"<h1>{title}</h1>",
        render_verdict(summary),
        render_facts(result),
        "<h2>What changed</h2>",
        render_notes(summary),
        render_measures(measures, [RECORDING, *lanes], summary["reference"]),
        f"<h2>At a glance</h2>{render_key([RECORDING, *lanes])}",
        f'<div class="plots">{plot_shares(measures, lanes)}'
        f"{plot_amounts(measures, [RECORDING, *lanes])}</div>",
        render_regressions(worst),
        render_conversations(worst, summary["conversations"]),
    )
    body = "\n".join(section for section in sections if section)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{load_style()}</style></head>\n<body>\n{body}\n"
        "</body></html>\n"
    )


@cache
def load_style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def render_verdict(summary: Mapping[str, Any]) -> str:
    worse, better = summary["worse"], summary["better"]
    kind = "verdict worse" if worse["conversations"] else "verdict"
    return (
        f'<p class="{kind}"><b>{worse["conversations"]:,}</b> of '
        f"{summary['conversations']:,} conversations got worse "
        f"({worse['turns']:,} of {summary['turns']:,} turns), "
        f"<b>{better['conversations']:,}</b> got only better. "
        f"The candidate is held against the {summary['reference']}.</p>"
    )


def render_facts(result: Mapping[str, Any]) -> str:
    summary, ledger = result["summary"], result["ledger"]
    facts = {
        "replay": f"{result['replay_id']} · {result['status']} · {result['created_at']}",
        "source": result["source"],
        "history": (
            "recorded: later turns see what was answered then"
            if result["history"] == "recorded"
            else "own: later turns see the lane's own answers, which may drift"
        ),
        **{name: describe_lane(name, lane, summary) for name, lane in result["lanes"].items()},
        "tools": describe_tools(result),
        "judge": describe_judge(result["judge"]),
        "paid": describe_ledger(ledger),
        "not finished": ", ".join(
            f"{lane}: {count}" for lane, count in summary["unfinished"].items()
        ),
        "statistics": (
            f"95% intervals by redrawing conversations (seed {result['seed']}); p: exact sign test "
            "over conversations, adjusted for the number of measures (Holm)"
        ),
    }
    rows = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items() if v)
    return f"<dl>{rows}</dl>"


def describe_lane(name: str, lane: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """
    >>> plan = {"settings": {"AGENT_MODEL": "m"}, "design": None, "prompts": ["react"]}
    >>> describe_lane("candidate", plan, {"models": {"candidate": ["openai:m"]}})
    'openai:m · AGENT_MODEL=m · prompt of react'
    """
    changes = [f"{key}={value}" for key, value in sorted(lane["settings"].items())]
    if lane["design"]:
        changes.append(f"design {lane['design']}")
    if lane["prompts"]:
        changes.append(f"prompt of {', '.join(lane['prompts'])}")
    models = ", ".join(summary["models"].get(name, []))
    return " · ".join(part for part in (models, " · ".join(changes) or "as it is today") if part)


def describe_tools(result: Mapping[str, Any]) -> str:
    rule = "answered from the recording"
    if result["sandbox"]:
        rule = "read and write tools run on a copy of today's rows, others from the recording"
    elif result["allow_reads"]:
        rule += "; read tools beyond it were run"
    closed = result["summary"]["not_executed"]
    if not closed:
        return f"{rule}; every call was in it"
    lanes = dict.fromkeys(item["lane"] for item in closed)
    listed = "; ".join(
        f"{lane}: " + ", ".join(f"{i['tool']} ×{i['calls']}" for i in closed if i["lane"] == lane)
        for lane in lanes
    )
    return f"{rule}. Not executed, because not in it: {listed}"


def describe_judge(judge: Mapping[str, Any] | None) -> str:
    if judge is None:
        return ""
    rubric = " ".join(judge["rubric"].split())
    return f"{judge['model']}, asked in both orders, a disagreement is a tie · {rubric}"


def describe_ledger(ledger: Mapping[str, Any]) -> str:
    sent = sum_known(
        *(ledger[name] for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
    )
    came = sum_known(ledger["output_tokens"], ledger["reasoning_tokens"])
    cost = ledger["cost_usd"]
    price = "price unknown" if cost is None else f"${float(cost):,.4f}"
    return (
        f"{ledger['calls']:,} model calls · {sent or 0:,} in + {came or 0:,} out tokens · {price}"
    )


def render_notes(summary: Mapping[str, Any]) -> str:
    if summary["reference"] == RECORDING:
        return (
            '<p class="soft">There is no baseline lane: differences from the recording are partly '
            "noise, and how much is not known.</p>"
        )
    return (
        '<p class="soft">The baseline is today\'s own answer to the same turns. Where it differs '
        "from the recording, that is noise: the candidate is held against the baseline.</p>"
    )


def render_measures(
    measures: Sequence[dict[str, Any]], lanes: Sequence[str], reference: str
) -> str:
    head = "".join(f'<th class="{lane}">{lane}</th>' for lane in lanes)
    rows = "".join(_render_measure(item, lanes) for item in measures)
    return (
        f'<div class="wide"><table><thead><tr><th>per turn</th>{head}'
        f"<th>candidate − {reference}</th><th>conversations<br>better / worse</th><th>p</th></tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _render_measure(item: dict[str, Any], lanes: Sequence[str]) -> str:
    unit = item["unit"]
    cells = [f"<td>{escape(item['title'])}</td>"]
    for lane in lanes:
        found = item["lanes"].get(lane)
        if found is None:
            cells.append("<td>–</td>")
            continue
        small = format_interval(found, unit)
        cells.append(
            f"<td>{format_value(found['mean'], unit)}{f'<small>{small}</small>' * bool(small)}</td>"
        )
    difference = item["difference"]
    if difference is None:
        return f"<tr>{''.join(cells)}<td>–</td><td>–</td><td>–</td></tr>"
    kind = judge_difference(item)
    small = format_interval(difference, unit, is_difference=True)
    cells.append(
        f'<td class="{kind}">{format_difference(difference["mean"], unit)}'
        f"{f'<small>{small}</small>' * bool(small)}</td>"
        f"<td>{difference['conversations_better']:,} / {difference['conversations_worse']:,}</td>"
        f'<td class="{kind}">{format_p(difference["p_adjusted"])}</td>'
    )
    return f"<tr>{''.join(cells)}</tr>"


def render_key(lanes: Sequence[str]) -> str:
    spans = "".join(f'<b class="{lane}"><span></span>{lane}</b>' for lane in lanes)
    return f'<p class="key">{spans}</p>'


def render_regressions(worst: Sequence[Comparison]) -> str:
    """The worst turns, by what got worse, each leading to its conversation."""
    turns = [(found, turn) for found in worst for turn in found["turns"] if turn["worse"]]
    if not turns:
        return "<h2>Regressions</h2><p>None.</p>"
    rows = "".join(
        f'<tr><td><a href="#c{found["n"]}">{escape(found["conversation_id"])}</a></td>'
        f'<td>{turn["turn"] + 1}</td><td class="left">{render_tags(turn["worse"], "")}</td></tr>'
        for found, turn in turns[:LISTED_TURNS]
    )
    more = len(turns) - LISTED_TURNS
    rest = f'<p class="soft">{more:,} more below.</p>' if more > 0 else ""
    return (
        "<h2>Regressions, the worst first</h2>"
        '<div class="wide"><table><thead><tr><th>conversation</th><th>turn</th>'
        f'<th class="left">what got worse</th></tr></thead><tbody>{rows}</tbody></table></div>'
        + rest
    )


def render_tags(changes: Sequence[Change], kind: str) -> str:
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
    state = f'<span class="bad">{worse} turns worse</span>' if worse else "no turn worse"
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
        f'<span class="soft">{len(found["turns"])} turns</span></summary>'
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
