"""The pack that the engine's own tests serve: a small job tracker, and an interview.

It is nothing but what a stranger's pack is, `AGENT_PACKS=tests.tracker`: a test of the machine, of
the API or of a command needs none of the packs in `agent/packs`.
"""

from __future__ import annotations

from typing import Any


def make_pack() -> Any:
    """The pack; its modules are imported only now."""
    from tests.tracker.pack import build_pack

    return build_pack()
