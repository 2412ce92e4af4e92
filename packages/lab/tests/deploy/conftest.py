"""A replica of another code beside one that is gone but told what it had."""

from __future__ import annotations

from tests.machine.conftest import machine as machine
from tests.server.conftest import serve as serve
