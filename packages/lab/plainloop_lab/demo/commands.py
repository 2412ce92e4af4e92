"""`plainloop demo`: its options. COMMANDS has it."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import grouped

from .options import Options


@grouped
def demo(options: Options) -> None:
    """Show in half a minute how a prompt regression is caught.

    \b
    plainloop demo
    plainloop demo --without "Be friendly"        a harmless change: the gate passes it
    plainloop demo --once --no-open

    Twenty conversations with a small shop are recorded. Then a line of its prompt is removed, the
    conversations run again, and a gate decides whether the new prompt may go live. At the end,
    advice says whether a cheaper model would do. Everything is computed while you watch.
    """
    from .running import run_demo

    launch(run_demo(options))


COMMANDS: Final[dict[str, Any]] = {"demo": demo}
