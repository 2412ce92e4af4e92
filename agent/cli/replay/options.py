"""The options that replays share: which conversations, which candidate, how many at once."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..terminal.options import parse_moment, to_span

_SOURCE: Any = typer.Option(
    "--from",
    metavar="FILE.jsonl",
    help="conversations in OpenAI's format, one a line; - reads stdin. Unset: stored threads",
)
Source = Annotated[Path | None, _SOURCE]
Address = Annotated[str | None, _SOURCE]  # also s3://… and the like
Report = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="write the report's files there")
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="exit with 1 when it is worse, 10 when undecided, not judged or not run"
    ),
]
Tools = Annotated[
    Path | None,
    typer.Option(
        "--tools", metavar="FILE.json", help="the tools' schemas; unset: inferred from the calls"
    ),
]
Repair = Annotated[
    bool, typer.Option("--repair", help="mend invalid histories instead of refusing them")
]
Threads = Annotated[
    list[str] | None, typer.Option("--thread", "-t", help="this stored thread; may be repeated")
]
Worker = Annotated[str | None, typer.Option("--worker", help="threads in which it answered")]
Tag = Annotated[str | None, typer.Option("--tag", help="threads with this tag")]
Since = Annotated[
    datetime | None,
    typer.Option("--since", parser=parse_moment, metavar="WHEN", help="threads begun since then"),
]
Until = Annotated[
    datetime | None,
    typer.Option("--until", parser=parse_moment, metavar="WHEN", help="threads begun before then"),
]
Failed = Annotated[bool, typer.Option("--failed", help="threads with a run that did not succeed")]
MinCost = Annotated[
    float | None, typer.Option("--min-cost-usd", min=0, help="threads that cost at least so much")
]
Sample = Annotated[
    int | None, typer.Option("--sample", min=1, help="so many of them, drawn at random")
]
Seed = Annotated[int, typer.Option("--seed", help="of --sample: the same seed draws the same")]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, max=256, help="unset: the machine's cores, where it pays"),
]
ShardOption = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="only this part; `replay merge` makes the whole"),
]
Engine = Annotated[
    str,
    typer.Option("--engine", help="what spreads the conversations: local, ray, dask, spark"),
]
Cluster = Annotated[
    str | None,
    typer.Option("--address", help="of the engine's cluster; unset: one of this machine's cores"),
]
Recording = Annotated[
    bool,
    typer.Option(
        "--recording",
        help="with steps, prompts, fingerprints and rows: `replay recorded --from` then needs no "
        "database to hold today's code against them",
    ),
]
Target = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="unset: stdout")
]
Provider = Annotated[str | None, typer.Option("--provider", help="the candidate's provider")]
Model = Annotated[str | None, typer.Option("--model", help="the candidate's model")]
Setting = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="AGENT_NAME=VALUE",
        help="any setting of the candidate, such as AGENT_AGENTS_EVALUATOR_MODEL=…; repeatable",
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts", metavar="DIR", help="the candidate's prompts: WORKER.md each, or react.md"
    ),
]
Design = Annotated[str | None, typer.Option("--design", help="the candidate's design")]
History = Annotated[
    Literal["recorded", "own"],
    typer.Option("--history", help="what later turns see: the recording, or the own answers"),
]
AllowReads = Annotated[
    bool,
    typer.Option("--allow-reads", help="execute read tools that the recording does not answer"),
]
Sandbox = Annotated[
    bool,
    typer.Option("--sandbox", help="run read and write tools on a copy of your rows, then drop it"),
]
Baseline = Annotated[
    bool, typer.Option("--baseline/--no-baseline", help="the unchanged lane beside the candidate")
]
Judge = Annotated[
    str | None,
    typer.Option(
        "--judge", metavar="PROVIDER:MODEL", help="a model that says whose answers are better"
    ),
]
Rubric = Annotated[
    Path | None, typer.Option("--rubric", metavar="FILE", help="what the judge judges by")
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        "-c",
        min=1,
        max=10_000,
        help="conversations at once: 4, with --batch-api AGENT_LIMITS_BATCH_CONVERSATIONS",
    ),
]
BatchApi = Annotated[
    bool,
    typer.Option(
        "--batch-api", help="ask by the provider's batch API: half the price, up to a day a replay"
    ),
]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost-usd", min=0, help="stop when the replay has cost that")
]
RequestsPerMinute = Annotated[
    int | None,
    typer.Option("--requests-per-minute", min=1, help="to each provider, of this process"),
]
Replay = Annotated[str, typer.Argument(metavar="REPLAY", help="its id, or the beginning of it")]


def make_selection(
    tenant: str,
    threads: list[str] | None,
    worker: str | None,
    tag: str | None,
    since: datetime | None,
    until: datetime | None,
    failed: bool,
    min_cost_usd: float | None,
    sample: int | None,
    seed: int,
) -> Any:
    """The `Selection` that these options mean."""
    from ...store.recordings import ThreadFilter
    from .threads import Selection

    begins, ends = to_span(since, until)
    wanted = ThreadFilter(
        since=begins,
        until=ends,
        tag=tag,
        worker=worker,
        is_failed=failed,
        min_cost_usd=None if min_cost_usd is None else Decimal(str(min_cost_usd)),
    )
    return Selection(tenant, tuple(threads or ()), wanted, sample, seed)


def check_source(
    source: Path | str | None, selection: Any, tools: Path | None, *, repair: bool
) -> None:
    """Refuse options that choose stored threads for a file, and the other way round."""
    from ...store.recordings import ThreadFilter

    if source is not None and (selection.threads or selection.wanted != ThreadFilter()):
        raise typer.BadParameter("a file's conversations are chosen by --sample only")
    if source is None and (tools is not None or repair):
        raise typer.BadParameter("--tools and --repair are for a file: --from FILE.jsonl")


def read_settings(
    provider: str | None, model: str | None, settings: list[str] | None
) -> dict[str, str]:
    """Read what the candidate sets. Keys are refused: a replay is written down."""
    chosen = {"AGENT_PROVIDER": provider, "AGENT_MODEL": model}
    found = {name: value for name, value in chosen.items() if value is not None}
    for text in settings or []:
        name, is_given, value = text.partition("=")
        if not is_given or not name.startswith("AGENT_"):
            raise typer.BadParameter(f"--set takes AGENT_NAME=VALUE, not {text!r}")
        if name.endswith(("_KEY", "_SECRET", "_URL")):
            raise typer.BadParameter(f"{name} is a secret: set it in the environment")
        found[name] = value
    return found
