"""The `plainloop` command. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import gc
import sys
from typing import Final

# With the usual 700, a command spends a tenth of its time on finding no garbage among what it
# imports: 160,000 objects until `serve` is ready, which then sets its own thresholds.
ALLOCATIONS: Final = 200_000


def main() -> None:
    """Run the command of `sys.argv` and exit with its code."""
    gc.set_threshold(ALLOCATIONS, 10, 10)
    try:
        from .app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # also while all this is being imported
        code = 130
    gc.freeze()  # the process ends: no last search for garbage
    sys.exit(code)


__all__ = ["main"]
