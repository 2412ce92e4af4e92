"""`plainloop replay …` and `export`: the commands and their options."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:  # slow to import: only when the command runs
    from agent.cli.replay_threads import Selection
    from agent.core.store_replay import ThreadFilter

replays = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Source = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE.jsonl",
        help="conversations in OpenAI's format, one a line; - reads stdin. Unset: stored threads",
    ),
]
Report = Annotated[
    Path | None, typer.Option("--report", metavar="DIR", help="write report.json there")
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
Target = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="unset: stdout")
]
Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]


def _launch(work: Coroutine[Any, Any, int | None]) -> None:
    from agent.cli.running import run_async

    raise typer.Exit(run_async(work) or 0)


@replays.command("recorded")
def recorded(
    source: Source = None,
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
    tenant: Tenant = "local",
) -> None:
    """Run recorded conversations through today's code, with every answer from the recording.

    \b
    plainloop replay recorded                                   all stored threads
    plainloop replay recorded --worker cover_letter --sample 50
    plainloop replay recorded --from conversations.jsonl --report before

    No network and no tokens. The first divergence of each conversation is shown as a diff;
    the exit code is 1 when there is any.
    """
    from agent.cli.replay import replay_file, replay_threads

    if source is not None:
        _launch(replay_file(source, report, tools, repair=repair))
    wanted = _make_filter(worker, tag, since, until, failed, min_cost_usd)
    selection = _make_selection(tenant, thread, wanted, sample, seed)
    _launch(replay_threads(selection, report))


def export(
    target: Target = None,
    thread: Threads = None,
    worker: Worker = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    failed: Failed = False,
    min_cost_usd: MinCost = None,
    sample: Sample = None,
    seed: Seed = 0,
    tenant: Tenant = "local",
) -> None:
    """Write stored threads as JSON lines of OpenAI messages.

    \b
    plainloop export -o conversations.jsonl --since 2026-01-01
    plainloop export --thread last
    """
    from agent.cli.export import export_threads

    wanted = _make_filter(worker, tag, since, until, failed, min_cost_usd)
    _launch(export_threads(_make_selection(tenant, thread, wanted, sample, seed), target))


def _make_filter(
    worker: str | None,
    tag: str | None,
    since: datetime | None,
    until: datetime | None,
    failed: bool,
    min_cost_usd: float | None,
) -> ThreadFilter:
    from agent.core.store_replay import ThreadFilter

    return ThreadFilter(
        since=_to_utc(since),
        until=_to_utc(until),
        tag=tag,
        worker=worker,
        is_failed=failed,
        min_cost_usd=None if min_cost_usd is None else Decimal(str(min_cost_usd)),
    )


def _make_selection(
    tenant: str, threads: list[str] | None, wanted: ThreadFilter, sample: int | None, seed: int
) -> Selection:
    from agent.cli.replay_threads import Selection

    return Selection(tenant, tuple(threads or ()), wanted, sample, seed)


def _to_utc(given: datetime | None) -> datetime | None:
    """Times without a zone are this machine's."""
    return None if given is None else given.astimezone(UTC)
