"""A live replay's report as one page: no network, no script, light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from ...base.text import format_count
from ..comparing.comparison import RECORDING, Comparison
from .facts import describe_judge, describe_lane, describe_ledger, describe_tools
from .html_conversations import render_conversations, render_regressions
from .numbers import format_difference, format_interval, format_p, format_value, judge_difference
from .plots import plot_amounts, plot_shares
from .summary import list_measured


def render_page(result: Mapping[str, Any], worst: Sequence[Comparison]) -> str:
    """result: head and summary of report.json. worst: the conversations to show, in order."""
    summary = result["summary"]
    lanes = list(result["lanes"])
    measures = list(list_measured(summary))
    title = f"Replay of {format_count(summary['conversations'], 'conversation')}"
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
    return make_document(title, "\n".join(section for section in sections if section))


def make_document(title: str, body: str) -> str:
    """A whole page with the reports' style. title and body: HTML."""
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
