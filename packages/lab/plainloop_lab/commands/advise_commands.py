"""`plainloop advise`: its options."""

from __future__ import annotations

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import grouped

from .options import Advising, TriedModels


@grouped
def advise(advising: Advising, tried: TriedModels) -> None:
    """Find the cheapest model and effort that is not worse.

    \b
    plainloop advise --into advice --max-cost-usd 5 --plan
    plainloop advise --into advice --max-cost-usd 5 --markdown advice.md
    plainloop advise --into advice --max-cost-usd 5 --candidate gpt-6-luna@low --for crm_worker
    plainloop advise --into advice --watch

    Stored conversations are replayed, first few with all candidates, then the rest with the most
    promising one. The same command continues after Ctrl-C and buys nothing twice. The exit code is
    0 if something can be switched, 1 if nothing should be, and 10 if that is undecided.
    packages/lab/docs/advise.md describes the method.
    """
    from .advise import advise_models, watch_advice

    if not (advising.plan or advising.watch or advising.max_cost_usd):
        raise typer.BadParameter(
            "set a cost limit with --max-cost-usd, or add --plan to get only a plan"
        )
    launch(watch_advice(advising) if advising.watch else advise_models(advising, tried))
