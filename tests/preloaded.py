"""Imported once by the process that others are forked from: each finds loaded what it needs."""

from __future__ import annotations

import plainloop.agent.providers.anthropic.wire as wire
import tests.crash.worker as worker
import tests.usage.spender as spender
from tests.warm import warm_up

__all__ = ["spender", "wire", "worker"]
warm_up("anthropic")
