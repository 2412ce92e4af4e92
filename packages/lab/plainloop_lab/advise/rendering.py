"""The advice for people and machines: verdict first, money second, doubts third."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.etree import ElementTree

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.service.variants import split_effort

from ..decide.spending import RESOURCES, format_amount, format_percentile, format_ratio
from ..decide.verdicts import format_number
from ..report.numbers import NONE
from .doubts import list_doubts
from .roles import WORKER, find_role
from .search import describe_needed

SIGNS: Final = {"switch": "✅", "keep": "▫️", "worse": "❌", "undecided": "❔", "not_judged": "▫️"}
WORDS: Final = {
    "switch": "switch",
    "keep": "keep",
    "worse": "keep: worse",
    "undecided": "keep: undecided",
    "not_judged": "not judged",
}
HEAD: Final = ("worker or role", "today", "proposed", "saves a month", "at worst", "verdict")


def render_lines(result: Mapping[str, Any]) -> list[str]:
    """Render the advice as lines for a terminal: verdict, table, money, settings, doubts."""
    table = list_rows(result)
    widths = [max(len(row[n]) for row in table) for n in range(len(HEAD))]
    lines = [render_headline(result), ""]
    lines += ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
              for row in table]  # fmt: skip
    lines += ["", *render_money(result)]
    if settings := render_settings(result):
        lines += ["", "to paste into plainloop.toml:", *(f"  {line}" for line in settings)]
    return [*lines, "", "doubts:", *(f"- {line}" for line in list_doubts(result))]


def list_rows(result: Mapping[str, Any]) -> list[list[str]]:
    """List the rows of the advice's table as texts.

    The first row has the heads.
    """
    return [[*HEAD], *map(_list_cells, result["workers"])]


def render_markdown(result: Mapping[str, Any]) -> str:
    """Render the advice as Markdown, for a comment on a pull request."""
    lines = [f"## {render_headline(result)}", ""]
    lines += [f"| {' | '.join(HEAD)} |", "|---|---|---|--:|--:|---|"]
    for item in result["workers"]:
        cells = [cell.replace("|", "\\|") for cell in _list_cells(item)]
        lines.append(f"| {' | '.join(cells[:5])} | {SIGNS[item['kind']]} {cells[5]} |")
    lines += ["", "**Money and time**", "", *(f"- {line}" for line in render_money(result))]
    if settings := render_settings(result):
        lines += ["", "To paste into `plainloop.toml`:", "", "```toml", *settings, "```"]
    lines += ["", "**Doubts**", "", *(f"- {line}" for line in list_doubts(result))]
    return "\n".join(lines) + "\n"


def render_junit(result: Mapping[str, Any]) -> bytes:
    """Render the advice as JUnit XML, a test case per worker.

    A worse candidate is a failure, an undecided one an error.
    """
    root = ElementTree.Element("testsuites", name="plainloop advise")
    kinds = [item["kind"] for item in result["workers"]]
    counts = {"failures": "worse", "errors": "undecided", "skipped": "not_judged"}
    suite = ElementTree.SubElement(root, "testsuite", name="advise", tests=str(len(kinds)))
    for name, kind in counts.items():
        suite.set(name, str(kinds.count(kind)))
    tags = {"worse": "failure", "undecided": "error", "not_judged": "skipped"}
    for item in result["workers"]:
        name = f"{item['worker']}: {item['candidate'] or item['today']}"
        case = ElementTree.SubElement(suite, "testcase", classname="advise", name=name)
        if item["kind"] in tags:
            ElementTree.SubElement(case, tags[item["kind"]], message=_describe_kind(item))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def render_headline(result: Mapping[str, Any]) -> str:
    """Render the advice in one line: the verdict, and what it saves a month.

    >>> rows = [{"worker": "clerk", "kind": "switch"}, {"worker": "triage", "kind": "keep"}]
    >>> render_headline({"workers": rows, "saves_usd": 12.5})
    'Switch 1 of 2 workers and roles: saves about $12.50 a month'
    """
    switched = sum(item["kind"] == "switch" for item in result["workers"])
    if not switched and result.get("verdict") == "undecided":
        return "Undecided: no candidate is proven to be as good, or to be worse"
    if not switched:
        workers = result["workers"]
        equal = [item for item in workers if item["kind"] == "keep" and item.get("cost_ratio")]
        told = "no cheaper candidate was proven to be as good"
        if equal and len(workers) == 1:
            name = equal[0]["candidate"]
            told = f"{name} is as good for {equal[0]['worker']}, but not cheaper"
        elif equal:
            verb = "is" if len(equal) == 1 else "are"
            told = f"{len(equal)} of {len(workers)} candidates {verb} as good, but not cheaper"
        return f"Switch nothing: {told}"
    saved = result["saves_usd"]
    money = (
        "the saving is unknown" if saved is None else f"saves about {_format_usd(saved)} a month"
    )
    has_roles = any(find_role(item["worker"]) != WORKER for item in result["workers"])
    subjects = "workers and roles" if has_roles else "workers"
    count = len(result["workers"])
    who = result["workers"][0]["worker"] if count == 1 else f"{switched} of {count} {subjects}"
    return f"Switch {who}: {money}"


def render_money(result: Mapping[str, Any]) -> list[str]:
    """Render the costs of a month today and of the advice, and each candidate's resources.

    Resources are tokens and latency, compared with today's.
    """
    known = [item["today_usd"] for item in result["workers"]]
    today = "unknown" if None in known else f"{_format_usd(sum(known))}{_format_shares(result)}"
    lines = [f"today's cost a month: {today}; this advice cost ${result['cost_usd']:,.4f}"]
    for item in result["workers"]:
        own, before = item.get("resources", {}), item.get("today_resources", {})
        parts = [
            f"{title} {format_ratio(own[name])}"
            if own[name]["ratio"] is not None
            else f"{title} {format_amount(name, before.get(name))} → "
            f"{format_amount(name, own[name])} a turn"
            for name, (title, _) in RESOURCES.items()
            if name in own and (own[name]["mean"] or before.get(name, own[name])["mean"])
        ]
        if parts:
            count = format_count(item["conversations"], "conversation")
            subject = f"{item['worker']} with {item['candidate']}, of today's on the same {count}"
            lines.append(f"{subject}: {'; '.join(parts)}")
        latency, earlier = item.get("latency", {}), item.get("today_latency", {})
        if latency:
            times = "; ".join(
                f"{name} {format_percentile(found)}, today {format_percentile(earlier.get(name))}"
                for name, found in latency.items()
            )
            what = "turn" if find_role(item["worker"]) == WORKER else "route"
            lines.append(f"{item['worker']} with {item['candidate']}, time of a {what}: {times}")
    return lines


def render_plan(plan: Mapping[str, Any]) -> list[str]:
    """Render the plan of `describe_plan` as lines for a terminal, with its maximum cost."""
    lines: list[str] = []
    for item in plan["workers"]:
        cost = item["cost_usd"]
        money = "cost unknown" if cost is None else f"at most about ${cost:,.4f}"
        lines.append(
            f"{item['worker']}: {format_count(item['conversations'], 'conversation')}, today "
            f"{item['today']}, candidates: {', '.join(item['candidates']) or 'none'}; {money}"
        )
        needed = item["needed"]
        if needed is None:
            lines[-1] += f"; {describe_needed(needed)}"
        elif item["conversations"] < needed:
            lines[-1] += f"; too few for a verdict: {describe_needed(needed)} conversations"
    most = plan["max_cost_usd"]
    limit = (
        f"the advice stops at ${most:,.{2 if most >= 0.01 else 4}f}"
        if most
        else "set --max-cost-usd to begin"
    )
    judge = ", without the judge's calls" if plan["judge"] else ""
    unknown = [item["worker"] for item in plan["workers"] if item["cost_usd"] is None]
    estimate = f"at most about ${plan['estimate_usd']:,.4f}{judge}"
    if unknown:
        estimate += f", without {', '.join(unknown)}, whose cost is unknown"
    return [*lines, f"estimate: {estimate}; {limit}"]


def render_rules(result: Mapping[str, Any]) -> str:
    """Render the rules behind the advice as TOML that `plainloop gate` reads."""
    lines = ["[gate]", f"alpha = {result['alpha']}"]
    for rule in result["demands"]:
        lines += ["", "[[rule]]", f'measure = "{rule["measure"]}"', f'margin = "{rule["margin"]}"']
        lines += [f"by = {json.dumps(by)}"] if (by := rule.get("by", ["worker"])) else []
    return "\n".join(lines) + "\n"


def render_settings(result: Mapping[str, Any]) -> list[str]:
    """Render the proposed models as settings for plainloop.toml."""
    lines: list[str] = []
    for item in result["workers"]:
        if item["kind"] != "switch":
            continue
        model, effort = split_effort(item["candidate"])
        provider, _, name = model.partition(":")
        is_given = provider in PROVIDER_DEFAULTS
        role = find_role(item["worker"])
        lines += ["", f"[agents.{item['worker'] if role == WORKER else role}]"]
        lines += [f'provider = "{provider}"'] if is_given else []
        name = name if is_given else model
        lines += [f'model = "{name}"'] if name else []
        lines += [f'effort = "{effort}"'] if effort else []
    return lines[1:]


def _list_cells(item: Mapping[str, Any]) -> list[str]:
    saved = item["saves_usd"]
    worst = [rule for rule in item["rules"] if rule["at_worst"] is not None and rule["needed"]]
    rules: Sequence[str] = [
        f"{rule['measure']} {format_number(rule['at_worst'], rule, is_difference=is_compared)}"
        for rule, is_compared in ((rule, rule["baseline"] is not None) for rule in worst)
    ]
    is_switch = item["kind"] == "switch"
    return [
        item["worker"],
        item["today"],
        item["candidate"] if is_switch else NONE,
        NONE
        if saved is None
        else f"{_format_usd(saved)}{_format_half(item.get('saves_usd_half'))}",
        ", ".join(rules) if is_switch and rules else NONE,
        _describe_kind(item),
    ]


def _format_shares(result: Mapping[str, Any]) -> str:
    """Format the share of the month's cost by worker and role; "" for a single one."""
    total = sum(item["today_usd"] for item in result["workers"])
    if len(result["workers"]) < 2 or not total:
        return ""
    shares = (f"{item['worker']} {item['today_usd'] / total:.0%}" for item in result["workers"])
    return f" ({', '.join(shares)})"


def _format_usd(usd: float) -> str:
    return f"${usd:,.{4 if 0 < usd < 0.01 else 2}f}"


def _format_half(half: float | None) -> str:
    return f" ±{half:,.2f}" if half and half >= 0.005 else ""


def _describe_kind(item: Mapping[str, Any]) -> str:
    words = WORDS[item["kind"]]
    count = format_count(item["conversations"], "conversation")
    if item["kind"] == "switch":
        return f"{words} ({count})"
    if item["kind"] == "worse":
        return f"{words} with {item['candidate']} ({count})"
    needs = [rule["needs"]["conversations"] for rule in item["rules"] if rule.get("needs")]
    known = [count for count in needs if count is not None]
    more = f"; needs about {max(known):,} more" if item["kind"] == "undecided" and known else ""
    return f"{words}: {item['reason']}{more}" if item["reason"] else f"{words}{more}"
