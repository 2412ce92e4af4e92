"""`plainloop shadow` and `canary`: their options."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import make_group

from .options import Candidate, Judging

shadows = make_group("A candidate beside what is served, unseen by users.")
canaries = make_group("A candidate for a share of threads, taken back.")


@shadows.command("start")
@grouped
def start_shadow(
    candidate: Candidate,
    judging: Judging,
    owner: Owner,
    max_cost_usd: Annotated[
        float, typer.Option("--max-cost-usd", min=0, help="total spending limit in USD")
    ],
    share: Annotated[str, typer.Option("--share", metavar="20%", help="share of all runs")] = "20%",
    beside: Annotated[
        int,
        typer.Option("--beside", min=0, help="pause while a process has more live runs than this"),
    ] = 0,
    requests_per_minute: Annotated[
        int | None,
        typer.Option(
            "--requests-per-minute", min=1, help="requests a minute to each provider, per process"
        ),
    ] = None,
) -> None:
    """Ask the candidate what users ask, after they have had their answer.

    \b
    plainloop shadow start --share 20% --model gpt-4o-mini --max-cost-usd 5
    plainloop shadow status --report report
    plainloop gate rules.toml --candidate report

    What really happened is the baseline, and costs nothing again. No tool is executed.
    """
    from ..decide.rollouts import ShadowOptions
    from . import rollouts
    from .live import make_candidate, read_judge

    options = ShadowOptions(
        rollouts.parse_share(share),
        Decimal(str(max_cost_usd)),
        beside,
        requests_per_minute,
        read_judge(judging),
    )
    launch(rollouts.start_shadow(owner, make_candidate(candidate), options))


@shadows.command("status")
@grouped
def show_shadow(
    owner: Owner,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="folder for the results so far")
    ] = None,
) -> None:
    """Show the newest shadow: what it replayed, what that cost."""
    from . import rollouts

    launch(rollouts.show_shadow(owner, report))


@shadows.command("stop")
@grouped
def stop_shadow(owner: Owner) -> None:
    """End the shadow; what it came to stays."""
    from . import rollouts

    launch(rollouts.stop(owner, "shadow"))


@canaries.command("start")
@grouped
def start_canary(
    candidate: Candidate,
    owner: Owner,
    guards: Annotated[
        Path | None,
        typer.Argument(
            metavar="RULES.toml",
            help="a gate's rules file; default: failed, limit_hit, review_passed",
        ),
    ] = None,
    share: Annotated[
        str, typer.Option("--share", metavar="10%", help="share of all threads")
    ] = "10%",
) -> None:
    """Let the candidate answer a share of threads.

    It is taken back by itself when it is worse.

    \b
    plainloop canary start --share 10% --model gpt-4o-mini
    plainloop canary start guards.toml --prompts my-prompts
    plainloop canary status

    A thread keeps its side. The guards look after every run; looking often costs no certainty.
    """
    from . import rollouts
    from .live import make_candidate

    share_of_all = rollouts.parse_share(share)
    launch(rollouts.start_canary(owner, make_candidate(candidate), share_of_all, guards))


@canaries.command("status")
@grouped
def show_canary(owner: Owner) -> None:
    """Show the newest canary. The exit code is 1 when it was taken back."""
    from . import rollouts

    launch(rollouts.show_canary(owner))


@canaries.command("stop")
@grouped
def stop_canary(owner: Owner) -> None:
    """End the canary: all threads are answered as before."""
    from . import rollouts

    launch(rollouts.stop(owner, "canary"))
