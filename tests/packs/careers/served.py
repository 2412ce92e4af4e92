"""The careers routes as a running server has them: the server tests' fixtures, under our names."""

from __future__ import annotations

from tests.server.conftest import Served, ann, serve, served

__all__ = ["Served", "ann", "serve", "served"]
