"""The options that replays share: which conversations, which candidate, how many at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

import typer

from ..terminal.options import LOCAL, option, parse_moment, to_span

Report = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="write the report's files there")
]
Replay = Annotated[str, typer.Argument(metavar="REPLAY", help="its id, or the beginning of it")]


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """Says what is tried instead of what is served today."""

    provider: str | None = option("the candidate's provider")
    model: list[str] | None = option(
        "the candidate's model; of one role or worker: triage=…, crm_worker=openai:gpt-4o-mini",
        None,
        metavar="[ROLE=]MODEL",
    )
    setting: list[str] | None = option(
        "any setting of the candidate, such as AGENT_AGENTS_EVALUATOR_MODEL=…; repeatable",
        None,
        "--set",
        metavar="AGENT_NAME=VALUE",
    )
    prompts: Path | None = option(
        "the candidate's prompts: WORKER.md each, or react.md", metavar="DIR"
    )
    design: str | None = option("the candidate's design")

    def read_settings(self) -> dict[str, str]:
        """Read what the candidate sets. Keys are refused: a replay is written down."""
        from ...service.variants import name_role_model  # the options are read at every start

        found = {} if self.provider is None else {"AGENT_PROVIDER": self.provider}
        for text in self.model or []:
            role, is_role, model = text.partition("=")
            found |= name_role_model(role, model) if is_role else {"AGENT_MODEL": text}
        for text in self.setting or []:
            name, is_given, value = text.partition("=")
            if not is_given or not name.startswith("AGENT_"):
                raise typer.BadParameter(f"--set takes AGENT_NAME=VALUE, not {text!r}")
            if name.endswith(("_KEY", "_SECRET", "_URL")):
                raise typer.BadParameter(f"{name} is a secret: set it in the environment")
            found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class Judging:
    """Says by whom, and by what, answers are judged."""

    judge: str | None = option(
        "a model that says whose answers are better", metavar="PROVIDER:MODEL"
    )
    rubric: Path | None = option("what the judge judges by", metavar="FILE")


@dataclass(frozen=True, slots=True)
class Asking:
    """Says how a live replay asks its models and tools."""

    history: Literal["recorded", "own"] = option(
        "what later turns see: the recording, or the own answers", "recorded"
    )
    allow_reads: bool = option("execute read tools that the recording does not answer", False)
    sandbox: bool = option("run read and write tools on a copy of your rows, then drop it", False)
    baseline: bool = option(
        "the unchanged lane beside the candidate", True, "--baseline/--no-baseline"
    )
    share: bool = option(
        "equal requests are bought once; --no-share: by each lane", True, "--share/--no-share"
    )
    batch_api: bool = option(
        "ask by the provider's batch API: half the price, up to a day a replay", False
    )
    requests_per_minute: int | None = option("to each provider, of this process", min=1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Says what is made of what a live replay came to."""

    report: Path | None = option("write the report's files there", metavar="DIR")
    strict: bool = option(
        "exit with 1 when it is worse, 10 when undecided, not judged or not run", False
    )


@dataclass(frozen=True, slots=True)
class Work:
    """Says how much of a live replay is done at once, and what it may cost."""

    concurrency: int | None = option(
        "conversations at once: 4, with --batch-api AGENT_LIMITS_BATCH_CONVERSATIONS",
        None,
        "-c",
        min=1,
        max=10_000,
    )
    max_cost_usd: float | None = option("stop when the replay has cost that", min=0)

    @property
    def limit_usd(self) -> Decimal | None:
        return None if self.max_cost_usd is None else Decimal(str(self.max_cost_usd))
