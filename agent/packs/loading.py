"""Packs by their names: installed ones, or any importable module of your own, that exports
`make_pack() -> Pack`; `docs/packs.md` shows one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from ..config.installed import load_entries
from ..config.modules import load_module, make_broken
from ..config.pack_parts import get_modules, is_ours
from ..config.pack_parts import list_installed as list_pack_names
from ..config.settings import Settings
from ..core.spec import Pack
from ..errors import ConfigError
from .checking import list_problems
from .helping import add_helpers
from .loaded import LOADED
from .shapes import list_shape_problems


def load_packs(names: Iterable[str]) -> tuple[Pack, ...]:
    """Load these packs in this order. The first one serves chat.

    Raises: ConfigError for no name at all, a name twice, an unknown one (naming the nearest), or
    a pack that does not fit together (listing what is wrong).
    """
    wanted = list(names)
    if not wanted:
        installed = ", ".join(list_pack_names())
        none = (
            "No pack is installed. `plainloop new NAME` creates one; "
            "`pip install 'plainloop[all]'` installs two."
        )
        raise ConfigError(
            "no pack is configured",
            hint=f"Set AGENT_PACKS to one or more of: {installed}" if installed else none,
        )
    if twice := sorted({name for name in wanted if wanted.count(name) > 1}):
        raise ConfigError(
            f"AGENT_PACKS lists a pack more than once: {', '.join(twice)}",
            hint="Name each pack once.",
        )
    known = get_modules()
    packs = tuple(_make(name, load_module("pack", name, known)) for name in wanted)
    if len({pack.name for pack in packs}) < len(packs):  # threads and runs find it by its name
        names = ", ".join(f"{own} ({pack.name})" for own, pack in zip(wanted, packs, strict=True))
        raise ConfigError(
            f"two packs have the same name: {names}",
            hint="Rename one of them, or leave it out of AGENT_PACKS.",
        )
    return packs


def load_served_packs(settings: Settings) -> tuple[Pack, ...]:
    """Load the packs that these settings serve, as changed by installed extensions.

    An interview's pack comes last when it is not among `packs`.

    Raises: ConfigError as `load_packs`, or when that pack holds no interview.
    """
    names, interview = settings.agent.packs, settings.agent.onboarding
    if interview is not None and interview not in names:
        # Behind the others: the first pack serves chat.
        names = (*names, interview)
    packs = load_packs(names)
    if interview is not None and packs[names.index(interview)].onboarding is None:
        raise ConfigError(
            f"the pack {interview!r} has no onboarding interview",
            hint="Choose another pack with AGENT_ONBOARDING.",
        )
    for extend in load_entries("extensions").values():
        packs = extend(packs, settings)
    return packs


def list_migration_folders(packs: Sequence[Pack]) -> list[Path]:
    """List the folders with migrations of installed packages and packs, without the core's.

    The packs may use the packages' tables; the core's migrations come before both.
    """
    installed: list[Path] = [*load_entries("migrations").values()]
    return installed + [pack.migrations for pack in packs if pack.migrations is not None]


def _make(name: str, module: ModuleType) -> Pack:
    """Make and check a pack, and add its helpers' tools. Raises: ConfigError."""
    make_pack = getattr(module, "make_pack", None)
    if make_pack is None:
        raise ConfigError(
            f"the pack {name!r} has no function make_pack()", hint="See docs/packs.md."
        )
    try:
        pack: Pack = make_pack()
    except Exception as error:
        # The edge to other people's code: a misspelt field of a spec, say.
        raise make_broken("pack", name, error, module.__name__.split(".")[0]) from error
    # Anything may come from there, whatever the annotation says.
    if not isinstance(pack, Pack):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"make_pack() of the pack {name!r} must return a Pack, not {type(pack).__name__}"
        raise ConfigError(message, hint="See docs/packs.md.")
    wanted = name.rpartition(".")[2]
    if pack.name != wanted:  # threads and runs find it by its name
        raise ConfigError(
            f"make_pack() of the pack {name!r} returns a pack named {pack.name!r}",
            hint=f"Name it {wanted!r}.",
        )
    # Ours are tested. What is not of its type is not to be looked at further.
    shapes = [] if is_ours(module.__name__) else list_shape_problems(pack)
    if problems := shapes or list_problems(pack):
        message = f"the pack {name!r} is not consistent: {'; '.join(problems)}"
        raise ConfigError(message, hint="See docs/packs.md for a complete example.")
    LOADED.setdefault(pack.name, pack)
    return add_helpers(pack)
