"""`plainloop replay …`: the commands and their options; what they do is in `replay.py`."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

replays = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

Source = Annotated[
    Path,
    typer.Option(
        "--from",
        metavar="FILE.jsonl",
        help="conversations in OpenAI's format, one a line; - reads stdin into a temporary file",
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


def _launch(work: Coroutine[Any, Any, int | None]) -> None:
    from agent.cli.running import run_async

    raise typer.Exit(run_async(work) or 0)


@replays.command("recorded")
def recorded(
    source: Source,
    report: Report = None,
    tools: Tools = None,
    repair: Repair = False,
) -> None:
    """Run recorded conversations through today's code, with every answer from the recording.

    \b
    plainloop replay recorded --from conversations.jsonl --report before

    No network and no tokens. The first divergence of each conversation is shown as a diff;
    the exit code is 1 when there is any.
    """
    from agent.cli.replay import replay_recorded

    _launch(replay_recorded(source, report, tools, repair=repair))
