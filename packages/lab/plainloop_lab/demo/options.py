"""How the demo is shown."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.cli.terminal.options import option
from plainloop.agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Says how the demo is shown."""

    without: str = option("text of the prompt line to remove", "Ask for a yes", metavar="TEXT")
    prompt: Path | None = option("prompt to use instead of the broken one", metavar="FILE")
    opens: bool = option("open the console in a browser", True, "--open/--no-open")
    once: bool = option("quit after the verdict", False)
    keep: Path | None = option("folder in which to keep the demo's files", metavar="DIR")
