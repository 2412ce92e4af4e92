"""`plainloop replay …` and `export`: the commands and their options."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ..terminal.launching import launch
from ..terminal.options import LOCAL, Tenant

replays = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

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
Since = Annotated[datetime | None, typer.Option("--since", help="threads begun since then")]
Until = Annotated[datetime | None, typer.Option("--until", help="threads begun before then")]
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
    Literal["local", "ray", "dask", "spark"],
    typer.Option("--engine", help="what spreads the conversations; others than local are extras"),
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


@replays.command("recorded")
def recorded(
    source: Address = None,
    thread: Threads = None,
    worker: Worker = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    failed: Failed = False,
    min_cost_usd: MinCost = None,
    sample: Sample = None,
    seed: Seed = 0,
    report: Report = None,
    tools: Tools = None,
    repair: Repair = False,
    processes: Processes = None,
    shard: ShardOption = None,
    engine: Engine = "local",
    address: Cluster = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Run recorded conversations through today's code, with every answer from the recording.

    \b
    plainloop replay recorded                                   all stored threads
    plainloop replay recorded --worker general --sample 50
    plainloop replay recorded --from conversations.jsonl --report before
    plainloop replay recorded --from conversations.jsonl --shard 2/8 --report parts
    plainloop replay recorded --from s3://bucket/conversations.jsonl --engine ray --report after

    No network and no tokens. The first divergence of each conversation is shown as a diff;
    the exit code is 1 when there is any.
    """
    from ...replay.report.recorded_part import parse_shard
    from .recorded import Spread, replay_file, replay_threads

    part = None if shard is None else parse_shard(shard)
    spread = Spread(processes, part, engine, address)
    wanted = _make_filter(worker, tag, since, until, failed, min_cost_usd)
    _check_source(source, thread, wanted, tools, repair=repair)
    selection = _make_selection(tenant, thread, wanted, sample, seed)
    if source is not None:
        launch(replay_file(source, selection, report, tools, repair=repair, spread=spread))
    launch(replay_threads(selection, report, spread))


@replays.command("merge")
def merge(
    parts: Annotated[list[Path], typer.Argument(metavar="PARTS", help="the files of all shards")],
    report: Report = None,
) -> None:
    """Make one report of the parts of `replay recorded --shard I/N`.

    \b
    plainloop replay merge parts/*.jsonl --report after

    It is the one that a single process would have written, byte for byte, for every N.
    """
    from .recorded import merge_parts

    launch(merge_parts(parts, report))


@replays.command("live")
def live(
    source: Source = None,
    provider: Provider = None,
    model: Model = None,
    setting: Setting = None,
    prompts: Prompts = None,
    design: Design = None,
    history: History = "recorded",
    allow_reads: AllowReads = False,
    sandbox: Sandbox = False,
    baseline: Baseline = True,
    judge: Judge = None,
    rubric: Rubric = None,
    concurrency: Concurrency = None,
    batch_api: BatchApi = False,
    max_cost_usd: MaxCost = None,
    requests_per_minute: RequestsPerMinute = None,
    thread: Threads = None,
    worker: Worker = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    failed: Failed = False,
    min_cost_usd: MinCost = None,
    sample: Sample = None,
    seed: Seed = 0,
    report: Report = None,
    tools: Tools = None,
    repair: Repair = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Ask another model, prompt or design the same things, beside today's own.

    \b
    plainloop replay live --sample 50 --provider openai --model gpt-4o-mini
    plainloop replay live --from conversations.jsonl --prompts my-prompts --max-cost-usd 5

    Tools answer from the recording. What is not in it is not executed: `read` tools only with
    --allow-reads, others never; with --sandbox both run on a copy that is dropped.
    The replay is kept: Ctrl-C stops it, `replay resume` goes on.
    """
    from ...replay.live.plan import LanePlan
    from .live import LiveOptions, make_judge, read_prompts, replay_live

    wanted = _make_filter(worker, tag, since, until, failed, min_cost_usd)
    _check_source(source, thread, wanted, tools, repair=repair)
    options = LiveOptions(
        source=source,
        selection=_make_selection(tenant, thread, wanted, sample, seed),
        lane=LanePlan(read_settings(provider, model, setting), read_prompts(prompts), design),
        judge=make_judge(judge, rubric),
        history=history,
        allow_reads=allow_reads,
        sandbox=sandbox,
        with_baseline=baseline,
        tools=tools,
        repair=repair,
        max_cost_usd=None if max_cost_usd is None else Decimal(str(max_cost_usd)),
        requests_per_minute=requests_per_minute,
        concurrency=concurrency,
        batch_api=batch_api,
        report=report,
    )
    launch(replay_live(options))


@replays.command("resume")
def resume(
    replay: Replay,
    concurrency: Concurrency = None,
    max_cost_usd: MaxCost = None,
    report: Report = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Go on with a replay, or help a process that works on it; failed items are tried again."""
    from ..terminal.opening import Owner
    from .live import resume_replay

    limit = None if max_cost_usd is None else Decimal(str(max_cost_usd))
    launch(resume_replay(Owner(tenant), replay, concurrency, limit, report))


@replays.command("list")
def list_(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """List your replays, the newest first."""
    from ..terminal.opening import Owner
    from .live import list_replays

    launch(list_replays(Owner(tenant), limit))


@replays.command("show")
def show(replay: Replay, report: Report = None, tenant: Tenant = LOCAL) -> None:
    """Show what a live replay came to, also while it runs; --report writes JSON, CSV and a page."""
    from ..terminal.opening import Owner
    from .report import show_stored_replay

    launch(show_stored_replay(Owner(tenant), replay, report))


@replays.command("compare")
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="a replay's id, or a report's folder")],
    other: Annotated[str, typer.Argument(metavar="B", help="the same")],
    tenant: Tenant = LOCAL,
) -> None:
    """Compare two replays of the same conversations, conversation by conversation.

    \b
    plainloop replay compare before after        two folders of --report
    plainloop replay compare 0198f3 0199a1       two live replays

    The exit code is 1 when anything differs.
    """
    from ..terminal.opening import Owner
    from .report import compare_replays

    launch(compare_replays(Owner(tenant), one, other))


@replays.command("cancel")
def cancel(replay: Replay, tenant: Tenant = LOCAL) -> None:
    """Stop a replay; what is paid for stays, and `resume` goes on with it."""
    from ..terminal.opening import Owner
    from .live import cancel_replay

    launch(cancel_replay(Owner(tenant), replay))


def export(
    target: Target = None,
    recording: Recording = False,
    thread: Threads = None,
    worker: Worker = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    failed: Failed = False,
    min_cost_usd: MinCost = None,
    sample: Sample = None,
    seed: Seed = 0,
    tenant: Tenant = LOCAL,
) -> None:
    """Write stored threads as JSON lines of OpenAI messages.

    \b
    plainloop export -o conversations.jsonl --since 2026-01-01
    plainloop export --thread last
    plainloop export --recording -o tests/recorded.jsonl      for `replay recorded` in CI
    """
    from .export import export_threads

    wanted = _make_filter(worker, tag, since, until, failed, min_cost_usd)
    selection = _make_selection(tenant, thread, wanted, sample, seed)
    launch(export_threads(selection, target, recording=recording))


def _make_filter(
    worker: str | None,
    tag: str | None,
    since: datetime | None,
    until: datetime | None,
    failed: bool,
    min_cost_usd: float | None,
) -> Any:
    from ...store.recordings import ThreadFilter

    return ThreadFilter(
        since=_to_utc(since),
        until=_to_utc(until),
        tag=tag,
        worker=worker,
        is_failed=failed,
        min_cost_usd=None if min_cost_usd is None else Decimal(str(min_cost_usd)),
    )


def _check_source(
    source: Path | str | None,
    threads: list[str] | None,
    wanted: Any,
    tools: Path | None,
    *,
    repair: bool,
) -> None:
    """What chooses stored threads says nothing of a file, and the other way round."""
    from ...store.recordings import ThreadFilter

    if source is not None and (threads or wanted != ThreadFilter()):
        raise typer.BadParameter("a file's conversations are chosen by --sample only")
    if source is None and (tools is not None or repair):
        raise typer.BadParameter("--tools and --repair are for a file: --from FILE.jsonl")


def _make_selection(
    tenant: str, threads: list[str] | None, wanted: Any, sample: int | None, seed: int
) -> Any:
    from .threads import Selection

    return Selection(tenant, tuple(threads or ()), wanted, sample, seed)


def _to_utc(given: datetime | None) -> datetime | None:
    """Times without a zone are this machine's."""
    return None if given is None else given.astimezone(UTC)


def read_settings(
    provider: str | None, model: str | None, settings: list[str] | None
) -> dict[str, str]:
    """What the candidate sets. Keys are refused: a replay is written down."""
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
