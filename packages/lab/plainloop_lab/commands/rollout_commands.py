"""`plainloop shadow` and `canary`: their options."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import make_group

from .options import Candidate, Judging, Shadowing, TriedModels

shadows = make_group("Test a candidate in the background, unseen by users.")
canaries = make_group("Let a candidate answer a share of threads.")


@shadows.command("start")
@grouped
def start_shadow(
    tried: TriedModels, candidate: Candidate, judging: Judging, owner: Owner, shadowing: Shadowing
) -> None:
    """Run a share of users' runs again with a candidate, after they were answered.

    \b
    plainloop shadow start --share 20% --model gpt-6-luna --max-cost-usd 5
    plainloop shadow status --report report
    plainloop gate rules.toml --candidate report

    The users' own runs are the baseline, at no extra cost. No tool is executed.
    """
    from ..service.rollouts import ShadowOptions
    from . import rollouts
    from .live import make_candidate, read_judge

    options = ShadowOptions(
        rollouts.parse_share(shadowing.share),
        Decimal(str(shadowing.max_cost_usd)),
        shadowing.beside,
        shadowing.requests_per_minute,
        read_judge(judging),
    )
    launch(rollouts.start_shadow(owner, make_candidate(tried, candidate), options))


@shadows.command("status")
@grouped
def show_shadow(
    owner: Owner,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="DIR", help="folder for a report of the results so far"),
    ] = None,
) -> None:
    """Show what the newest shadow replayed, and the cost."""
    from . import rollouts

    launch(rollouts.show_shadow(owner, report))


@shadows.command("stop")
@grouped
def stop_shadow(owner: Owner) -> None:
    """End the shadow. The results are kept."""
    from . import rollouts

    launch(rollouts.stop(owner, "shadow"))


@canaries.command("start")
@grouped
def start_canary(
    tried: TriedModels,
    candidate: Candidate,
    owner: Owner,
    guards: Annotated[
        Path | None,
        typer.Argument(
            metavar="RULES.toml",
            help="rules file, as for a gate; default: rules on failed, limit_hit and review_passed",
        ),
    ] = None,
    share: Annotated[
        str,
        typer.Option(
            "--share", metavar="10%", help="share of all threads to send to the candidate"
        ),
    ] = "10%",
) -> None:
    """Let the candidate answer a share of threads.

    If the candidate is worse, the canary ends automatically.

    \b
    plainloop canary start --share 10% --model gpt-6-luna
    plainloop canary start --candidate gpt-6-luna@low --for crm_worker
    plainloop canary start guards.toml --prompts my-prompts
    plainloop canary status

    A thread that was answered by the candidate stays with the candidate. The rules are checked
    after every run, with a test that stays valid however often it is repeated.
    """
    from . import rollouts
    from .live import make_candidate

    share_of_all = rollouts.parse_share(share)
    lane = make_candidate(tried, candidate)
    launch(rollouts.start_canary(owner, lane, share_of_all, guards))


@canaries.command("status")
@grouped
def show_canary(owner: Owner) -> None:
    """Show the newest canary. The exit code is 1 if it ended because it was worse."""
    from . import rollouts

    launch(rollouts.show_canary(owner))


@canaries.command("stop")
@grouped
def stop_canary(owner: Owner) -> None:
    """End the canary, and answer all threads with today's settings again."""
    from . import rollouts

    launch(rollouts.stop(owner, "canary"))
