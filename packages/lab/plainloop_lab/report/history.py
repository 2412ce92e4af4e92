"""A gate's earlier verdicts by branch and rule, kept as lines of a file: since when is it red?"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.errors import InputError

from .json_lines import read_json_lines

SHOWN_RUNS: Final = 20  # the newest
BARS: Final = "▁▂▃▄▅▆▇█"
COLOURS: Final = {"passed": "green", "failed": "red", "undecided": "undecided"}
# Set by GitHub (of a pull request, of a push), GitLab and others.
BRANCH_VARIABLES: Final = (
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_COMMIT_REF_NAME",
    "BRANCH_NAME",
)
COMMIT_VARIABLES: Final = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT")


class RuleVerdict(msgspec.Struct, frozen=True):
    rule: str
    verdict: str
    candidate: float | None = None


class Entry(msgspec.Struct, frozen=True):
    """Holds what a gate said of one candidate."""

    at: datetime
    branch: str
    commit: str
    candidate: str
    verdict: str
    rules: tuple[RuleVerdict, ...]


def read_history(path: Path, branch: str) -> list[Entry]:
    """Read a branch's verdicts, the oldest first.

    Raises: InputError that names the line.
    """
    if not path.exists():
        return []
    return [entry for entry in read_json_lines(path, Entry) if entry.branch == branch]


def make_entries(result: Mapping[str, Any], at: datetime, branch: str, commit: str) -> list[Entry]:
    """Make a history entry of each candidate's verdict, from the result of `judge_all`."""
    return [
        Entry(
            *(at, branch, commit, item["name"], item["verdict"]),
            tuple(
                RuleVerdict(rule["rule"], rule["verdict"], rule["candidate"])
                for rule in item["rules"]
            ),
        )
        for item in result["candidates"]
    ]


def add_entries(path: Path, entries: Iterable[Entry]) -> None:
    """Append entries to the history file.

    Raises: InputError where the file cannot be written.
    """
    lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
    try:
        with path.open("ab") as file:
            file.write(lines)
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", hint="Choose a folder that you can write to."
        ) from error


def describe_rules(entries: Sequence[Entry]) -> dict[str, str]:
    """Describe the verdict on each rule of the newest entry, by the rule's name.

    The text says since when the verdict holds.

    >>> at = datetime(2026, 11, 2)
    >>> rules = [(RuleVerdict("x", kind, n / 2),) for n, kind in enumerate(("passed", "failed"))]
    >>> entries = [Entry(at, "main", f"c{n}", "r", "failed", told) for n, told in enumerate(rules)]
    >>> describe_rules(entries)
    {'x': 'red since 2026-11-02 (c1) ▁█'}
    """
    if not entries:
        return {}
    return {rule.rule: describe_rule(rule.rule, entries) for rule in entries[-1].rules}


def describe_rule(name: str, entries: Sequence[Entry]) -> str:
    """Describe a rule's verdict and since when it holds.

    A sparkline shows the rule's values over time.
    """
    runs = [(e, rule) for e in entries for rule in e.rules if rule.rule == name]
    first = runs[-1][0]
    for entry, rule in reversed(runs):
        if rule.verdict != runs[-1][1].verdict:
            break
        first = entry
    since = f"{first.at:%Y-%m-%d}" + (f" ({first.commit[:8]})" if first.commit else "")
    line = draw_sparkline([rule.candidate for _, rule in runs[-SHOWN_RUNS:]])
    return f"{COLOURS.get(runs[-1][1].verdict, runs[-1][1].verdict)} since {since} {line}"


def draw_sparkline(values: Sequence[float | None]) -> str:
    """Draw numbers as bars from the smallest to the largest, with a gap for None.

    >>> draw_sparkline([0.5, None, 1.0, 0.75]), draw_sparkline([1, 1])
    ('▁ █▅', '▄▄')
    """
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, width = min(known), max(known) - min(known)
    middle = BARS[len(BARS) // 2 - 1]

    def draw(value: float | None) -> str:
        if value is None:
            return " "
        return BARS[round((value - low) / width * (len(BARS) - 1))] if width else middle

    return "".join(map(draw, values))


def find_branch(environ: Mapping[str, str]) -> str:
    """Return the current branch, as CI's variables or else git name it.

    "" if neither does.
    """
    told = next((environ[name] for name in BRANCH_VARIABLES if environ.get(name)), "")
    return told or _ask_git("rev-parse", "--abbrev-ref", "HEAD")


def find_commit(environ: Mapping[str, str]) -> str:
    """Return the current commit, as CI's variables or else git name it.

    "" if neither does.
    """
    told = next((environ[name] for name in COMMIT_VARIABLES if environ.get(name)), "")
    return told or _ask_git("rev-parse", "HEAD")


def _ask_git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
