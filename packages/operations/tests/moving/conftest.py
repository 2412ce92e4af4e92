"""The command as a process."""

from __future__ import annotations

from tests.cli.conftest import plainloop as plainloop
