"""`plainloop demo`: its options. COMMANDS has it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import grouped, option


@dataclass(frozen=True, slots=True)
class Options:
    """Says how the demo is shown."""

    without: str = option("which line the prompt loses", "Ask for a yes", metavar="TEXT")
    prompt: Path | None = option("instead of the broken one", metavar="FILE")
    opens: bool = option("the console", True, "--open/--no-open")
    once: bool = option("end after the verdict", False)
    keep: Path | None = option("where its files stay", metavar="DIR")


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
