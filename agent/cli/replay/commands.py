"""`plainloop replay …` and `export`: the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..brought import ExtendedGroup
from ..terminal.launching import launch, launch_with_store
from ..terminal.options import grouped
from .options import Report, Selection, Source, Spread

replays = typer.Typer(cls=ExtendedGroup, rich_markup_mode=None, no_args_is_help=True)


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
        list[Path], typer.Argument(metavar="PARTS", help="folder of shards, or files")
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


@grouped
def export(
    selection: Selection,
    target: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="default: stdout")
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
        bool, typer.Option("--documents", help="include the texts that users uploaded for parsing")
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
