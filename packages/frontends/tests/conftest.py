"""The clients that web frontends have, against a running replica of a small pack."""

from __future__ import annotations

from tests.protocols.conftest import replica, serve
from tests.wire_fixtures import wire_server

__all__ = ["replica", "serve", "wire_server"]
