"""`plainloop replay …` and `export`: the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch, launch_with_store
from plainloop.agent.cli.terminal.options import grouped
from plainloop.agent.packs.commands import make_group

from .options import Redaction, Report, Selection, Source, Spread

replays = make_group("Replay recorded conversations.")


@replays.command("recorded")
@grouped
def recorded(source: Source, selection: Selection, spread: Spread, report: Report = None) -> None:
    """Run recorded conversations through today's code, with the recorded answers.

    \b
    plainloop replay recorded                                   all stored threads
    plainloop replay recorded --worker general --sample 50
    plainloop replay recorded --from conversations.jsonl --report before
    plainloop replay recorded --from conversations.jsonl --shard 2/8 --report parts
    plainloop replay recorded --from s3://bucket/conversations.jsonl --engine ray --report after

    The replay uses no network and no tokens. A divergence is a step in which today's code does
    something else than the recording; the first one of each conversation is shown as a diff. The
    exit code is 1 if there is a divergence.
    """
    from .recorded import replay_recorded

    source.check(selection, by_id=True)
    launch(replay_recorded(source, selection, spread, report))


@replays.command("merge")
def merge(
    parts: Annotated[
        list[Path], typer.Argument(metavar="PARTS", help="shard files, or a folder of them")
    ],
    report: Report = None,
) -> None:
    """Join the parts of `replay recorded --shard I/N` into one report.

    \b
    plainloop replay merge parts --report after
    plainloop replay merge here/*.jsonl there/*.jsonl --report after

    The report equals, byte for byte, the one that a single process would have written.
    """
    from .recorded import merge_parts

    launch(merge_parts(parts, report))


@grouped
def export(
    selection: Selection,
    redaction: Redaction,
    target: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.jsonl", help="file to write; default: stdout"),
    ] = None,
    recording: Annotated[
        bool,
        typer.Option(
            "--recording",
            help="write full recordings (steps, prompts, fingerprints, rows), which `replay "
            "recorded --from` can replay without a database",
        ),
    ] = False,
    documents: Annotated[
        bool,
        typer.Option(
            "--documents", help="also export the threads in which uploaded documents were parsed"
        ),
    ] = False,
) -> None:
    """Write stored threads as JSON lines of OpenAI messages.

    \b
    plainloop export -o conversations.jsonl --since 2026-01-01
    plainloop export --thread last
    plainloop export --recording -o tests/recorded.jsonl      for `replay recorded` in CI
    plainloop export --recording --redact -o tests/recorded.jsonl

    With --redact, each conversation is replayed before and after redaction. If the two replays
    differ, the conversation is not written and its id is shown. Read the file before you commit it,
    because no rule finds all names.
    """
    from .export import export_threads

    redaction.check(recording=recording)
    work = {"recording": recording, "documents": documents}
    launch_with_store(export_threads, selection, target, redaction, **work)
