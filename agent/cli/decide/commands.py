"""`plainloop gate`, `compare`, `compact`, `route`: their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Source = "a report's folder, a replay's id, or FILE.jsonl; :LANE after it"


def gate(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml")],
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", "-c", metavar="WHAT", help=f"{Source}; may be repeated"),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", "-b", metavar="WHAT", help="unset: the candidate's own"),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="how many conversations it needs, and what they cost")
    ] = False,
    cost_usd: Annotated[
        float | None,
        typer.Option("--cost-usd", min=0, help="of a conversation on both sides, for --plan"),
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option(
            "--simulate", min=1, metavar="DRAWS", help="try the rules where truth is known"
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE")] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", metavar="FILE")] = None,
    tenant: Tenant = "local",
) -> None:
    """Decide whether a candidate may go live: passed, failed or undecided.

    \b
    plainloop gate rules.toml --plan --baseline before/
    plainloop gate rules.toml --candidate report/ --junit gate.xml
    plainloop gate rules.toml -b then.jsonl -c now.jsonl

    The exit code is 0, 1 or 10: undecided, with what it would take to know. docs/deciding.md has
    the rules.
    """
    from ..terminal.opening import Owner
    from . import gate as gates

    owner = Owner(tenant)
    if plan and simulate:
        raise typer.BadParameter("--plan and --simulate exclude each other")
    if plan:
        count = max(1, len(candidate or ()))
        launch(gates.plan_gate(owner, rules, baseline, count, cost_usd))
    if simulate:
        launch(gates.simulate_gate(owner, rules, baseline, simulate, json))
    launch(gates.gate(owner, rules, baseline, candidate or (), gates.Files(json, junit, markdown)))
