"""The options that replays share: which conversations, over how many processes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from plainloop.agent.cli.terminal.options import LOCAL, option, parse_moment, to_span
from plainloop.agent.dataclasses import dataclass, replace

from ..redaction.stand_ins import MIN_DIGITS

Report = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="folder for the report's files")
]


@dataclass(frozen=True, slots=True)
class Selection:
    """Chooses stored threads: those that are named, else all that the rest fits."""

    thread: list[str] | None = option("only this stored thread; may be repeated", None, "-t")
    worker: str | None = option("only threads answered by this worker")
    tag: str | None = option("only threads with this tag")
    since: datetime | None = option(
        "only threads that started at this time or later", parser=parse_moment, metavar="WHEN"
    )
    until: datetime | None = option(
        "only threads that started before this time", parser=parse_moment, metavar="WHEN"
    )
    failed: bool = option("only threads with a run that did not succeed", False)
    min_cost_usd: float | None = option("only threads that cost at least this much", min=0)
    rating: Literal["up", "down"] | None = option(
        "only threads with an answer that its user rated this way"
    )
    others: float | None = option(
        "with --rating: also replay this many random other threads for each rated one", min=0
    )
    sample: int | None = option("only this many threads, chosen at random", min=1)
    seed: int = option("random seed of --sample; the same seed chooses the same threads", 0)
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)

    def __post_init__(self) -> None:
        to_span(self.since, self.until)  # refused before anything is opened


@dataclass(frozen=True, slots=True)
class Source:
    """Says where conversations are read; file None: the selection's stored threads."""

    file: str | None = option(
        "conversations in OpenAI's format, one per line; - reads stdin; default: stored threads",
        None,
        "--from",
        metavar="FILE.jsonl",
    )
    tools: Path | None = option(
        "file with the tools' schemas; default: inferred from the calls", metavar="FILE.json"
    )
    repair: bool = option("repair invalid histories instead of refusing them", False)

    since_merge_base: bool = option(
        "with a file: only conversations that changes on this branch can affect", False
    )

    def check(self, selection: Selection, *, by_id: bool = False) -> None:
        """Check that the options suit the source.

        Refuses options for stored threads if a file is named, and options for files if not.
        """
        sampled = Selection(
            None, sample=selection.sample, seed=selection.seed, tenant_id=selection.tenant_id
        )
        if self.file is not None and replace(selection, thread=None) != sampled:
            told = "with a file, only --thread and --sample can choose conversations"
            raise typer.BadParameter(told)
        if self.file is not None and selection.thread and not by_id:
            raise typer.BadParameter(
                "with a file, only --sample can choose conversations: leave the other options out"
            )
        if self.since_merge_base and (self.file in (None, "-") or not by_id):
            raise typer.BadParameter("--since-merge-base needs `replay recorded --from FILE.jsonl`")
        if self.file is None and (self.tools is not None or self.repair):
            raise typer.BadParameter("--tools and --repair need a file: --from FILE.jsonl")


@dataclass(frozen=True, slots=True)
class Redaction:
    """Says what an export replaces by stand-ins."""

    redact: bool = option(
        "with --recording: replace names, e-mail addresses, phone numbers and other numbers "
        "consistently, for a file that you commit",
        False,
    )
    redact_names: Path | None = option(
        "with --redact: file with more names to replace, one per line", metavar="FILE"
    )
    redact_digits: int = option(
        "with --redact: replace numbers with at least this many digits", MIN_DIGITS, min=1
    )

    def check(self, *, recording: bool) -> None:
        """Refuse redaction options that lack the option they depend on.

        Raises: BadParameter.
        """
        if self.redact and not recording:
            raise typer.BadParameter("--redact needs --recording: add it")
        if not self.redact and (self.redact_names or self.redact_digits != MIN_DIGITS):
            raise typer.BadParameter("--redact-names and --redact-digits need --redact: add it")


@dataclass(frozen=True, slots=True)
class Spread:
    """Says over what a recorded replay is spread."""

    processes: int | None = option(
        "number of processes; default: one per core if that is faster", min=1, max=256
    )
    shard: str | None = option(
        "replay only this part; `replay merge` joins the parts", metavar="I/N"
    )
    engine: str = option("where the replay runs: local, ray, dask or spark", "local")
    address: str | None = option(
        "address of the engine's cluster; default: a cluster on this machine"
    )
