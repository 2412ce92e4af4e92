"""A gate's result as people and machines read it: terminal, page, Markdown comment, JUnit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from plainloop.agent.base.pages.pages import make_pages

from ..comparing.measures import BY_NAME
from ..report.numbers import format_difference, format_p, format_value

SIGNS: Final = {"passed": "✅", "failed": "❌", "undecided": "❔"}


def render_lines(result: Mapping[str, Any]) -> list[str]:
    """Render a gate's result as lines for a terminal, a table per candidate."""
    lines: list[str] = []
    for candidate in result["candidates"]:
        lines += [f"{candidate['name']}: {candidate['verdict']} · {describe_size(candidate)}"]
        rows = [_list_cells(rule) for rule in candidate["rules"]]
        head = ("rule", "baseline", "candidate", "difference", "at worst", "verdict")
        width = max(len(row[0]) for row in [head, *rows])
        for row in [head, *rows]:
            cells = "".join(f"{cell:>12}" for cell in row[1:5])
            lines.append(f"  {row[0]:<{width}}{cells}  {row[5]}")
        for rule in candidate["rules"]:
            if rule.get("history"):
                lines.append(f"    {rule['rule']}: {rule['history']}")
            lines += [f"    {rule['measure']}, {describe_slice(item)}" for item in rule["slices"]]
    return lines


def describe_size(candidate: Mapping[str, Any]) -> str:
    """Describe the number of conversations and tasks behind a verdict, and their limits.

    >>> sizes = {"tasks": 25, "conversations": 100, "repeats": 75, "left_out": 1}
    >>> describe_size({**sizes, "earlier_looks": [10, 20]}).split(", ")[1]
    '75 have the same first request as another one (set `task` to say which belong together)'
    """
    told = [f"{candidate['conversations']:,} conversations of {candidate['tasks']:,} tasks"]
    if candidate["repeats"]:
        repeats = f"{candidate['repeats']:,} have the same first request as another one"
        told.append(f"{repeats} (set `task` to say which belong together)")
    if candidate["left_out"]:
        told.append(f"{candidate['left_out']:,} tasks of the baseline are missing")
    if candidate.get("earlier_looks"):
        before = " and ".join(f"{look:,}" for look in candidate["earlier_looks"])
        told.append(f"earlier looks at {before} tasks: each look that is not in `looks` ")
        told[-1] += "adds its own probability of a wrong verdict"
    if candidate.get("sharing"):
        told.append(candidate["sharing"])
    return ", ".join(told)


def describe_verdict(rule: Mapping[str, Any]) -> str:
    """Describe the verdict on a rule.

    If it is undecided, says what a decision would need.

    >>> needs = {"tasks": 30, "conversations": 120, "usd": 1.5}
    >>> rule = {"verdict": "undecided", "needed": True, "needs": needs, "doubt": None}
    >>> describe_verdict(rule)
    'undecided: needs about 120 more conversations, about $1.50'
    """
    kind = rule["verdict"] if rule["needed"] else f"{rule['verdict']} (advice)"
    if rule["verdict"] != "undecided":
        return kind
    if rule["doubt"] is not None:
        return f"{kind}: {rule['doubt']}"
    needs = rule["needs"]
    if needs["conversations"] is None:
        return f"{kind}: too close to the limit for any number of conversations"
    money = "" if needs["usd"] is None else f", about ${needs['usd']:,.2f}"
    return f"{kind}: needs about {needs['conversations']:,} more conversations{money}"


def describe_slice(item: Mapping[str, Any]) -> str:
    """Describe a rule's numbers on a slice (a subset of the conversations) in one line."""
    values = [
        format_number(item[name], item, is_difference=name == "difference") for name in _SHOWN
    ]
    if item["baseline"] is None:
        return f"{item['by']} {item['label']}: {values[1]}"
    p = "" if item["p_fail"] is None else f", p of no loss {format_p(item['p_fail'])}"
    return f"{item['by']} {item['label']}: {values[0]} → {values[1]} ({values[2]}{p})"


def render_markdown(result: Mapping[str, Any]) -> str:
    """Render a gate's result as Markdown, for a comment on a pull request."""
    lines = [f"## {SIGNS[result['verdict']]} Gate: {result['verdict']}", ""]
    for candidate in result["candidates"]:
        rules: Sequence[Mapping[str, Any]] = candidate["rules"]
        has_history = any(rule.get("history") for rule in rules)
        lines += [
            f"**{_escape(candidate['name'])}**: {candidate['verdict']}"
            f" · {describe_size(candidate)}",
            "",
            "| rule | baseline | candidate | difference | at worst | verdict |"
            + (" history |" if has_history else ""),
            "|---|--:|--:|--:|--:|---|" + ("---|" if has_history else ""),
        ]
        for rule in rules:
            cells = [_escape(cell) for cell in _list_cells(rule)]
            line = f"| {' | '.join(cells[:5])} | {SIGNS[rule['verdict']]} {cells[5]} |"
            lines.append(f"{line} {_escape(rule['history'])} |" if has_history else line)
        lines.append("")
        told = [f"{r['measure']}, {describe_slice(item)}" for r in rules for item in r["slices"]]
        if told:
            lines += [*(f"- {_escape(line)}" for line in told), ""]
    bound = f"{1 - result['alpha']:.0%}"
    lines.append(f"“At worst” holds with {bound} confidence. “Undecided” does not count as passed.")
    return "\n".join(lines) + "\n"


def render_page(result: Mapping[str, Any]) -> str:
    """Render a gate's result as an HTML page."""
    filters = {"size": describe_size, "cells": _list_cells, "p": format_p}
    pages = make_pages(Path(__file__).with_name("templates"), filters)
    return pages.get_template("gate.html").render(result=result)


def render_junit(result: Mapping[str, Any]) -> bytes:
    """Render a gate's result as JUnit XML, a test case per rule.

    An undecided rule is an error.
    """
    root = ElementTree.Element("testsuites", name="plainloop gate")
    for candidate in result["candidates"]:
        rules: Sequence[Mapping[str, Any]] = candidate["rules"]
        needed = [rule["verdict"] for rule in rules if rule["needed"]]
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=candidate["name"],
            tests=str(len(rules)),
            failures=str(needed.count("failed")),
            errors=str(needed.count("undecided")),
            skipped=str(len(rules) - len(needed)),
        )
        for rule in rules:
            case = ElementTree.SubElement(
                suite, "testcase", classname=candidate["name"], name=rule["rule"]
            )
            told = describe_verdict(rule)
            if not rule["needed"]:
                ElementTree.SubElement(case, "skipped", message=told)
            elif rule["verdict"] != "passed":
                kind = "failure" if rule["verdict"] == "failed" else "error"
                ElementTree.SubElement(case, kind, message=told).text = " · ".join(
                    _list_cells(rule)
                )
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


_DIFFERENCES: Final = ("difference", "at_worst")
_SHOWN: Final = ("baseline", "candidate", "difference")


def _list_cells(rule: Mapping[str, Any]) -> list[str]:
    values = [
        format_number(
            rule[name], rule, is_difference=rule["baseline"] is not None and name in _DIFFERENCES
        )
        for name in (*_SHOWN, "at_worst")
    ]
    return [rule["rule"], *values, describe_verdict(rule) if "verdict" in rule else ""]


def format_number(value: float | None, rule: Mapping[str, Any], *, is_difference: bool) -> str:
    """Format a number of a rule in the unit of its measure."""
    known = BY_NAME.get(rule["measure"])
    seen = [rule[name] for name in ("baseline", "candidate") if rule[name] is not None]
    # A price below a dollar is no share: it has no range.
    is_share = rule["is_bounded"] and all(0 <= number <= 1 for number in seen)
    unit = known.unit if known else "share" if is_share else "count"
    return (format_difference if is_difference else format_value)(value, unit)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
