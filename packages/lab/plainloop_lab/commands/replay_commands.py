"""`plainloop replay live` and what follows it: the commands, beside `replay recorded`."""

from __future__ import annotations

from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch, launch_with_store
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop_lab.replay.commands.options import Selection, Source

from ..replay.commands.commands import replays
from .options import Asking, Candidate, Judging, Outcome, Replay, TriedModels, Work


@replays.command("live")
@grouped
def live(
    source: Source,
    tried: TriedModels,
    candidate: Candidate,
    asking: Asking,
    judging: Judging,
    work: Work,
    selection: Selection,
    outcome: Outcome,
) -> None:
    """Run stored conversations with another model, prompt or design, and compare.

    \b
    plainloop replay live --sample 50 --provider openai --model gpt-6-luna
    plainloop replay live --from conversations.jsonl --prompts my-prompts --max-cost-usd 5
    plainloop replay live --candidate gpt-6-luna@low --candidate @medium --for crm_worker

    Tool results come from the recording. A call without a recorded result is not executed, except
    `read` tools with --allow-reads. With --sandbox, tools run on a temporary copy of your rows.
    Ctrl-C stops the replay, and `replay resume` continues it. The exit code is 1 if a conversation
    failed. With --strict it is also 1 if the candidate is worse, and 10 if that is undecided, the
    answers were not judged, or nothing was compared.
    """
    from .live import make_plans, replay_live

    source.check(selection)
    plans = make_plans(tried, candidate, asking, judging, is_file=source.file is not None)
    launch(replay_live(plans, source, selection, work, outcome))


@replays.command("resume")
@grouped
def resume(replay: Replay, work: Work, outcome: Outcome, owner: Owner) -> None:
    """Continue a replay, or run part of a running one. Failed items are retried."""
    from .live import resume_replay

    launch_with_store(resume_replay, owner, replay, work, outcome)


@replays.command("list")
@grouped
def list_(
    owner: Owner,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="number of replays to show")
    ] = 20,
) -> None:
    """List your replays, newest first."""
    from .live import list_replays

    launch_with_store(list_replays, owner, limit)


@replays.command("show")
@grouped
def show(replay: Replay, outcome: Outcome, owner: Owner) -> None:
    """Show the result of a live replay, even while it runs.

    With --report, the result is also written as JSON, CSV and a web page.
    """
    from .live_report import show_stored_replay

    launch_with_store(show_stored_replay, owner, replay, outcome)


@replays.command("compare")
@grouped
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="a replay's id, or a report's folder")],
    other: Annotated[
        str, typer.Argument(metavar="B", help="the other replay: its id, or its report's folder")
    ],
    owner: Owner,
) -> None:
    """Compare two replays of the same conversations.

    \b
    plainloop replay compare before after        two folders of --report
    plainloop replay compare 0198f3 0199a1       two live replays

    The exit code is 1 when anything differs.
    """
    from .live_report import compare_replays

    launch(compare_replays(owner, one, other))


@replays.command("cancel")
@grouped
def cancel(replay: Replay, owner: Owner) -> None:
    """Cancel a replay. Answers so far are kept, and `resume` continues from there."""
    from .live import cancel_replay

    launch_with_store(cancel_replay, owner, replay)
