"""`plainloop replay …` and `export`: the commands."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch
from ..terminal.options import LOCAL, Owner, Tenant
from .options import (
    Address,
    AllowReads,
    Baseline,
    BatchApi,
    Cluster,
    Concurrency,
    Design,
    Engine,
    Failed,
    History,
    Judge,
    MaxCost,
    MinCost,
    Model,
    Processes,
    Prompts,
    Provider,
    Recording,
    Repair,
    Replay,
    Report,
    RequestsPerMinute,
    Rubric,
    Sample,
    Sandbox,
    Seed,
    Setting,
    ShardOption,
    Since,
    Source,
    Strict,
    Tag,
    Target,
    Threads,
    Tools,
    Until,
    Worker,
    check_source,
    make_selection,
    read_settings,
)

replays = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


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
    selection = make_selection(
        tenant, thread, worker, tag, since, until, failed, min_cost_usd, sample, seed
    )
    check_source(source, selection, tools, repair=repair)
    if source is not None:
        launch(replay_file(source, selection, report, tools, repair=repair, spread=spread))
    launch(replay_threads(selection, report, spread))


@replays.command("merge")
def merge(
    parts: Annotated[
        list[Path], typer.Argument(metavar="PARTS", help="a folder of shards, or files")
    ],
    report: Report = None,
) -> None:
    """Make one report of the parts of `replay recorded --shard I/N`.

    \b
    plainloop replay merge parts --report after
    plainloop replay merge here/*.jsonl there/*.jsonl --report after

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
    strict: Strict = False,
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
    The replay is kept: Ctrl-C stops it, `replay resume` goes on. The exit code is 1 when a
    conversation failed; with --strict also when the candidate is worse, and 10 when that is
    undecided, the answers were not judged or nothing was compared.
    """
    from ...replay.live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
    from .live import LiveOptions, read_judge, read_prompts, replay_live

    selection = make_selection(
        tenant, thread, worker, tag, since, until, failed, min_cost_usd, sample, seed
    )
    check_source(source, selection, tools, repair=repair)
    candidate = LanePlan(read_settings(provider, model, setting), read_prompts(prompts), design)
    plan = LivePlan(
        {BASELINE: LanePlan(), CANDIDATE: candidate} if baseline else {CANDIDATE: candidate},
        history=history,
        allow_reads=allow_reads,
        requests_per_minute=requests_per_minute,
        sandbox=sandbox,
        judge=read_judge(judge, rubric),
        batch_api=batch_api,
    )
    options = LiveOptions(
        source=source,
        selection=selection,
        plan=plan,
        tools=tools,
        repair=repair,
        max_cost_usd=None if max_cost_usd is None else Decimal(str(max_cost_usd)),
        concurrency=concurrency,
        report=report,
        is_strict=strict,
    )
    launch(replay_live(options))


@replays.command("resume")
def resume(
    replay: Replay,
    concurrency: Concurrency = None,
    max_cost_usd: MaxCost = None,
    report: Report = None,
    strict: Strict = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Go on with a replay, or help a process that works on it; failed items are tried again."""
    from .live import resume_replay

    limit = None if max_cost_usd is None else Decimal(str(max_cost_usd))
    owner = Owner(tenant)
    launch(resume_replay(owner, replay, concurrency, limit, report, is_strict=strict))


@replays.command("list")
def list_(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """List your replays, the newest first."""
    from .live import list_replays

    launch(list_replays(Owner(tenant), limit))


@replays.command("show")
def show(
    replay: Replay, report: Report = None, strict: Strict = False, tenant: Tenant = LOCAL
) -> None:
    """Show what a live replay came to, also while it runs; --report writes JSON, CSV and a page."""
    from .report import show_stored_replay

    launch(show_stored_replay(Owner(tenant), replay, report, is_strict=strict))


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
    from .report import compare_replays

    launch(compare_replays(Owner(tenant), one, other))


@replays.command("cancel")
def cancel(replay: Replay, tenant: Tenant = LOCAL) -> None:
    """Stop a replay; what is paid for stays, and `resume` goes on with it."""
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

    selection = make_selection(
        tenant, thread, worker, tag, since, until, failed, min_cost_usd, sample, seed
    )
    launch(export_threads(selection, target, recording=recording))
