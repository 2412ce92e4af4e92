"""The scripted machine, whose runs are what is replayed."""

from __future__ import annotations

from tests.machine.conftest import machine as machine
