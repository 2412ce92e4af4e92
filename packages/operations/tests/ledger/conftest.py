"""The command as a process, and replicas as the tests of the server have them."""

from __future__ import annotations

from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import serve as serve
