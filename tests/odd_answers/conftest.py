"""The machine on models behind real sockets, and no connection left open."""

from tests.machine.conftest import database_url, machine, machine_url
from tests.providers.conftest import no_connection_is_left_open

__all__ = ["database_url", "machine", "machine_url", "no_connection_is_left_open"]
