"""A replica for these tests, too."""

from tests.server.conftest import serve

__all__ = ["serve"]
