"""Memory across conversations, for any pack: off until a worker names its tools or a setting does."""

from __future__ import annotations

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack

from .settings import MemorySettings, is_wanted


def extend(packs: tuple[Pack, ...], settings: Settings) -> tuple[Pack, ...]:
    """Give these packs' workers their memory, and serve its tables, routes and screen beside them.

    Nothing of it is imported, and the packs stay as they are, where no worker has one. Raises:
    ConfigError.
    """
    own = settings.get_table(MemorySettings)
    if not is_wanted(packs, own):
        return packs
    from .pack import equip

    return equip(packs, own)
