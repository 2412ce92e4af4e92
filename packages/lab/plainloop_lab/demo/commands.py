"""`plainloop demo`: its options. COMMANDS has it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from plainloop.agent.cli.terminal.launching import launch


def demo(
    without: Annotated[
        str, typer.Option("--without", metavar="TEXT", help="which line the prompt loses")
    ] = "Ask for a yes",
    prompt: Annotated[
        Path | None, typer.Option("--prompt", metavar="FILE", help="instead of the broken one")
    ] = None,
    opens: Annotated[bool, typer.Option("--open/--no-open", help="the console")] = True,
    once: Annotated[bool, typer.Option("--once", help="end after the verdict")] = False,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="where its files stay")
    ] = None,
) -> None:
    """See a regression caught: no key, no Docker, half a minute.

    \b
    plainloop demo
    plainloop demo --without "Be friendly"        a break that breaks nothing: it passes
    plainloop demo --once --no-open

    Twenty talks with a small shop are recorded, a line of its prompt is taken away, the talks run
    again, and a gate says whether that may go live. Everything is computed as you watch.
    """
    from .running import Options, run_demo

    launch(run_demo(Options(without, prompt, keep, opens=opens, once=once)))


COMMANDS: Final[dict[str, Any]] = {"demo": demo}
