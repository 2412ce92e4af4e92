"""`plainloop replay …` and `export`: the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch, launch_with_store
from ..terminal.options import Owner, grouped
from .options import (
    Asking,
    Candidate,
    Judging,
    Outcome,
    Replay,
    Report,
    Selection,
    Source,
    Spread,
    Work,
)

replays = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@replays.command("recorded")
@grouped
def recorded(source: Source, selection: Selection, spread: Spread, report: Report = None) -> None:
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
    from .recorded import replay_recorded

    source.check(selection)
    launch(replay_recorded(source, selection, spread, report))


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
@grouped
def live(
    source: Source,
    candidate: Candidate,
    asking: Asking,
    judging: Judging,
    work: Work,
    selection: Selection,
    outcome: Outcome,
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
    from .live import make_plan, replay_live

    source.check(selection)
    plan = make_plan(candidate, asking, judging, is_file=source.file is not None)
    launch(replay_live(plan, source, selection, work, outcome))


@replays.command("resume")
@grouped
def resume(replay: Replay, work: Work, outcome: Outcome, owner: Owner) -> None:
    """Go on with a replay, or help a process that works on it; failed items are tried again."""
    from .live import resume_replay

    launch_with_store(resume_replay, owner, replay, work, outcome)


@replays.command("list")
@grouped
def list_(
    owner: Owner, limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20
) -> None:
    """List your replays, the newest first."""
    from .live import list_replays

    launch_with_store(list_replays, owner, limit)


@replays.command("show")
@grouped
def show(replay: Replay, outcome: Outcome, owner: Owner) -> None:
    """Show what a live replay came to, also while it runs; --report writes JSON, CSV and a page."""
    from .report import show_stored_replay

    launch_with_store(show_stored_replay, owner, replay, outcome)


@replays.command("compare")
@grouped
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="a replay's id, or a report's folder")],
    other: Annotated[str, typer.Argument(metavar="B", help="the same")],
    owner: Owner,
) -> None:
    """Compare two replays of the same conversations, conversation by conversation.

    \b
    plainloop replay compare before after        two folders of --report
    plainloop replay compare 0198f3 0199a1       two live replays

    The exit code is 1 when anything differs.
    """
    from .report import compare_replays

    launch(compare_replays(owner, one, other))


@replays.command("cancel")
@grouped
def cancel(replay: Replay, owner: Owner) -> None:
    """Stop a replay; what is paid for stays, and `resume` goes on with it."""
    from .live import cancel_replay

    launch_with_store(cancel_replay, owner, replay)


@grouped
def export(
    selection: Selection,
    target: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="unset: stdout")
    ] = None,
    recording: Annotated[
        bool,
        typer.Option(
            "--recording",
            help="with steps, prompts, fingerprints and rows: `replay recorded --from` then needs "
            "no database to hold today's code against them",
        ),
    ] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="also the texts that users had parsed: résumés")
    ] = False,
) -> None:
    """Write stored threads as JSON lines of OpenAI messages.

    \b
    plainloop export -o conversations.jsonl --since 2026-01-01
    plainloop export --thread last
    plainloop export --recording -o tests/recorded.jsonl      for `replay recorded` in CI
    """
    from .export import export_threads

    launch_with_store(export_threads, selection, target, recording=recording, documents=documents)
