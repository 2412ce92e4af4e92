"""The `plainloop` command. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command of `sys.argv` and exit with its code."""
    try:
        from .app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # also while all this is being imported
        code = 130
    sys.exit(code)


__all__ = ["main"]
