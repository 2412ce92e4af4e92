"""The command as a process, as in `tests/cli`; the server as in `tests/server`."""

from tests.cli.conftest import plainloop
from tests.server.conftest import serve

__all__ = ["plainloop", "serve"]
