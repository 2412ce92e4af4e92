"""Memory across conversations, for any pack: off until a worker names its tools, or a setting."""

from typing import Any


def make_host(service: Any) -> Any:
    """Return the host that learns memories from ended conversations.

    None if settings do not turn this on.
    """
    from .settings import MemorySettings

    if service.settings.get_table(MemorySettings).learn_after_s is None:
        return None
    from .learning import LearnHost

    return LearnHost(service)


def extend(packs: Any, settings: Any) -> Any:
    """Return the packs with memory: tools for their workers, and the memory's own pack.

    The packs stay as they are where no worker has one. Only now is anything imported: settings are
    read without it. Raises: ConfigError.
    """
    from .settings import MemorySettings
    from .wanting import is_wanted

    own = settings.get_table(MemorySettings)
    if not is_wanted(packs, own):
        return packs
    from .pack import equip

    return equip(packs, own)
