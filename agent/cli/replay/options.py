"""The options that replays share: which conversations, over how many processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from ..terminal.options import LOCAL, option, parse_moment, to_span

Report = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="folder for the report's files")
]


@dataclass(frozen=True, slots=True)
class Selection:
    """Chooses stored threads: those that are named, else all that the rest fits."""

    thread: list[str] | None = option("this stored thread; may be repeated", None, "-t")
    worker: str | None = option("threads in which it answered")
    tag: str | None = option("threads with this tag")
    since: datetime | None = option("threads begun since then", parser=parse_moment, metavar="WHEN")
    until: datetime | None = option(
        "threads begun before then", parser=parse_moment, metavar="WHEN"
    )
    failed: bool = option("threads with a run that did not succeed", False)
    min_cost_usd: float | None = option("threads that cost at least so much", min=0)
    rating: Literal["up", "down"] | None = option("threads with an answer that its user rated so")
    others: float | None = option("and so many times as many others, drawn at random", min=0)
    sample: int | None = option("so many of them, drawn at random", min=1)
    seed: int = option("of --sample: the same seed draws the same", 0)
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)

    def __post_init__(self) -> None:
        to_span(self.since, self.until)  # refused before anything is opened


@dataclass(frozen=True, slots=True)
class Source:
    """Says where conversations are read; file None: the selection's stored threads."""

    file: str | None = option(
        "conversations in OpenAI's format, one a line; - reads stdin. Unset: stored threads",
        None,
        "--from",
        metavar="FILE.jsonl",
    )
    tools: Path | None = option(
        "the tools' schemas; unset: inferred from the calls", metavar="FILE.json"
    )
    repair: bool = option("mend invalid histories instead of refusing them", False)

    def check(self, selection: Selection) -> None:
        """Refuse options that choose stored threads for a file, and the other way round."""
        sampled = Selection(
            None, sample=selection.sample, seed=selection.seed, tenant_id=selection.tenant_id
        )
        if self.file is not None and replace(selection, thread=selection.thread or None) != sampled:
            raise typer.BadParameter("a file's conversations are chosen by --sample only")
        if self.file is None and (self.tools is not None or self.repair):
            raise typer.BadParameter("--tools and --repair are for a file: --from FILE.jsonl")


@dataclass(frozen=True, slots=True)
class Spread:
    """Says over what a recorded replay is spread."""

    processes: int | None = option("unset: the machine's cores, where it pays", min=1, max=256)
    shard: str | None = option("only this part; `replay merge` makes the whole", metavar="I/N")
    engine: str = option("what spreads the conversations: local, ray, dask, spark", "local")
    address: str | None = option("of the engine's cluster; unset: one of this machine's cores")
