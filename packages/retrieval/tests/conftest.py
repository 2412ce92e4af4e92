"""The command, in a folder of its own."""

from tests.cli.conftest import plainloop as plainloop
