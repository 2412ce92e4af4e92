"""The packs that this process has loaded, by their names, first loaded first.

The offline provider answers by their rules: also behind the providers' formats, where nobody knows
of runs and packs.
"""

from __future__ import annotations

from typing import Final

from ..core.spec import Pack

LOADED: Final[dict[str, Pack]] = {}
