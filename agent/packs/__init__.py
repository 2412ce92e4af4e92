"""The domains. A pack is a package here, or a module of your own by its dotted name, that exports
`make_pack() -> Pack`; `docs/packs.md` shows one.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

from ..config.settings import Settings
from ..core.spec import Pack
from ..errors import ConfigError
from .checking import list_problems


def list_pack_names() -> list[str]:
    """The packs that are installed, sorted; none of them is imported."""
    return sorted(item.name for item in pkgutil.iter_modules(__path__) if item.ispkg)


def load_packs(names: Iterable[str]) -> tuple[Pack, ...]:
    """The named packs in the order given; the first one serves chat.

    Raises: ConfigError for no name at all, a name twice, an unknown one (naming the nearest), or
    a pack that does not fit together (listing what is wrong).
    """
    wanted = list(names)
    if not wanted:
        raise ConfigError("no pack is set", hint=f"AGENT_PACKS takes {_format_known()}")
    if len(set(wanted)) < len(wanted):
        raise ConfigError(f"a pack is named twice: {', '.join(wanted)}")
    packs = tuple(_load_pack(name) for name in wanted)
    if len({pack.name for pack in packs}) < len(packs):  # threads and runs find it by its name
        raise ConfigError(f"two packs have the same name: {', '.join(wanted)}")
    return packs


def load_served_packs(settings: Settings) -> tuple[Pack, ...]:
    """The packs of these settings; the one whose interview is held comes last when it is not
    among `packs`.

    Raises: ConfigError as `load_packs`, or when that pack holds no interview.
    """
    names, interview = settings.agent.packs, settings.agent.onboarding
    if interview is None:
        return load_packs(names)
    names = names if interview in names else (*names, interview)
    packs = load_packs(names)
    if packs[names.index(interview)].onboarding is None:
        raise ConfigError(
            f"the pack {interview!r} has no onboarding interview",
            hint="choose another one with AGENT_ONBOARDING",
        )
    return packs


def _load_pack(name: str) -> Pack:
    if is_own_name(name):
        return _make(name, _import_own(name))
    known = list_pack_names()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known packs: {_format_known()}"
        raise ConfigError(f"unknown pack {name!r}", hint=hint)
    return _make(name, importlib.import_module(f"{__name__}.{name}"))


def is_own_name(name: str) -> bool:
    """Whether the name is a module's of somebody's own: "acme.library".

    >>> is_own_name("acme.library"), is_own_name("careers"), is_own_name("../careers")
    (True, False, False)
    """
    parts = name.split(".")
    return len(parts) > 1 and all(part.isidentifier() for part in parts)


def _import_own(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the pack is there; what it imports is not
        raise ConfigError(
            f"the pack {name!r} cannot be imported: {error.msg}",
            hint="its folder's parent must be on PYTHONPATH",
        ) from error


def _make(name: str, module: ModuleType) -> Pack:
    make_pack = getattr(module, "make_pack", None)
    if make_pack is None:
        raise ConfigError(f"pack {name!r} has no make_pack()", hint="see docs/packs.md")
    pack: Pack = make_pack()
    wanted = name.rpartition(".")[2]
    if pack.name != wanted:  # threads and runs find it by its name
        raise ConfigError(f"pack {name!r} calls itself {pack.name!r}", hint=f"name it {wanted!r}")
    if problems := list_problems(pack):
        told = f"pack {name!r} does not fit together: {'; '.join(problems)}"
        raise ConfigError(told, hint="docs/packs.md shows a whole one")
    return pack


def _format_known() -> str:
    return ", ".join(list_pack_names())
