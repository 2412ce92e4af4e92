"""The `plainloop` command. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command of `sys.argv` and exit with its code."""
    from agent.cli.app import run

    sys.exit(run(sys.argv[1:]))


__all__ = ["main"]
