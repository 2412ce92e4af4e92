"""The domains. A pack is a package here that exports `make_pack() -> Pack`."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable

from agent.config import Settings
from agent.core.spec import Pack
from agent.errors import ConfigError


def list_pack_names() -> list[str]:
    """The packs that are installed, sorted; none of them is imported."""
    return sorted(item.name for item in pkgutil.iter_modules(__path__) if item.ispkg)


def load_packs(names: Iterable[str]) -> tuple[Pack, ...]:
    """The named packs in the order given; the first one serves chat.

    Raises: ConfigError for no name at all, a name twice, or an unknown one (naming the nearest).
    """
    wanted = list(names)
    if not wanted:
        raise ConfigError("no pack is set", hint=f"AGENT_PACKS takes {_format_known()}")
    if len(set(wanted)) < len(wanted):
        raise ConfigError(f"a pack is named twice: {', '.join(wanted)}")
    return tuple(_load_pack(name) for name in wanted)


def load_served_packs(settings: Settings) -> tuple[Pack, ...]:
    """The packs of these settings; the one whose interview is held comes last when it is not
    among `packs`.

    Raises: ConfigError as `load_packs`, or when that pack holds no interview.
    """
    names, interview = settings.agent.packs, settings.agent.onboarding
    if interview is None:
        return load_packs(names)
    packs = load_packs(names if interview in names else (*names, interview))
    holder = next(pack for pack in packs if pack.name == interview)
    if holder.onboarding is None:
        raise ConfigError(
            f"the pack {interview!r} has no onboarding interview",
            hint="choose another one with AGENT_ONBOARDING",
        )
    return packs


def _load_pack(name: str) -> Pack:
    known = list_pack_names()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known packs: {_format_known()}"
        raise ConfigError(f"unknown pack {name!r}", hint=hint)
    make_pack = getattr(importlib.import_module(f"{__name__}.{name}"), "make_pack", None)
    if make_pack is None:
        raise ConfigError(f"pack {name!r} has no make_pack()", hint="see docs/packs.md")
    return make_pack()


def _format_known() -> str:
    return ", ".join(list_pack_names())
