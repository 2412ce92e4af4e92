"""Options that `plainloop import` takes together."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.cli.terminal.options import option
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.packs.commands import LOCAL


@dataclass(frozen=True, slots=True)
class Destination:
    """Options for whose the imported conversations become, and for the report."""

    user: str = option("the user who owns the imported conversations", LOCAL)
    pack: str | None = option(
        "pack that continues the conversations; default: the first served pack"
    )
    report: Path | None = option(
        "write a report of imported, repaired and skipped items", metavar="FILE.json"
    )
    tenant: str = option("", LOCAL, hidden=True)


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for how files are read, and for what is written beside the conversations."""

    skip_broken: bool = option("skip records that cannot be read, and list them", False)
    skipped: Path = option(
        "file that lists skipped records: line and reason",
        Path("skipped.jsonl"),
        metavar="FILE.jsonl",
    )
    expected: Path | None = option(
        "write the expected answers of a dataset's rows, for `plainloop gate --expected`",
        metavar="FILE.jsonl",
    )
    ids: Path | None = option(
        "list each conversation's name in the source and its id in plainloop", metavar="FILE.jsonl"
    )
