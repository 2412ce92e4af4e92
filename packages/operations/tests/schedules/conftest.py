"""Replicas as the tests of the server have them."""

from __future__ import annotations

from tests.server.conftest import serve as serve
