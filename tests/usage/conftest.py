"""The command as a process, as in `tests/cli`."""

from tests.cli.conftest import plainloop

__all__ = ["plainloop"]
