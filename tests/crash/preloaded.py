"""Imported once by the process that replicas are forked from: each finds loaded what it needs."""

from __future__ import annotations

import plainloop.agent.providers.anthropic.wire as wire
import tests.crash.worker as worker
from tests.warm import warm_up

__all__ = ["wire", "worker"]
warm_up("anthropic")
