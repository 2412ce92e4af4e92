"""`plainloop deploy`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.packs.commands import make_group

deploys = make_group("Check new code against stored runs before it serves.")


@deploys.callback()
def deploy() -> None:
    """Check new code against stored runs before it serves."""


@deploys.command("check")
def deploy_check(
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE.jsonl",
            help="file written by `export --recording`; default: the database",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="folder for the report's files")
    ] = None,
) -> None:
    """Replay stored conversations with this code, and report differences.

    \b
    DATABASE_URL=postgresql://reader@db/plainloop plainloop deploy check --report report
    plainloop deploy check --from recorded.jsonl

    If AGENT_DEPLOY_JUDGE is set, a starting replica makes the same check. No model or tool is
    called, and the database is only read. List intended differences in allowed.toml. The exit code
    is 1 if there are differences that allowed.toml does not list.
    """
    from .deploy import check_deploy

    launch(check_deploy(file, report))
