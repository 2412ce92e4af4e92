"""`plainloop demo`: its options. COMMANDS has it."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import grouped

from .options import Options


@grouped
def demo(options: Options) -> None:
    """See a regression caught: no key, no Docker, half a minute.

    \b
    plainloop demo
    plainloop demo --without "Be friendly"        a break that breaks nothing: it passes
    plainloop demo --once --no-open

    Twenty talks with a small shop are recorded, a line of its prompt is taken away, the talks run
    again, and a gate says whether that may go live. Everything is computed as you watch.
    """
    from .running import run_demo

    launch(run_demo(options))


COMMANDS: Final[dict[str, Any]] = {"demo": demo}
