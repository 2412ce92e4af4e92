"""The console in a real browser, with the lab's screens."""

from __future__ import annotations

from tests.console.conftest import local as local
from tests.console.conftest import look as look
from tests.console.conftest import served as served
from tests.server.conftest import serve as serve
