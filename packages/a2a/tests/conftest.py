"""Clients of A2A against a running replica of a small pack."""

from __future__ import annotations

from tests.server.conftest import serve, served

__all__ = ["serve", "served"]
