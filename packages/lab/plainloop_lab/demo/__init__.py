"""The pack that `plainloop demo` serves: a bicycle shop with three orders' worth of tools.

Its prompt is `prompt.md`, or the file that PLAINLOOP_DEMO_PROMPT names: so it can be broken.
"""

from __future__ import annotations

from typing import Any


def make_pack() -> Any:
    """Build the demo's pack, and import its modules only now."""
    from .pack import build_pack

    return build_pack()
