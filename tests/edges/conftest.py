"""Encoders and the clients that other people have, against a running replica."""

from __future__ import annotations

from tests.runs.conftest import replica
from tests.server.conftest import serve, served

__all__ = ["replica", "serve", "served"]
