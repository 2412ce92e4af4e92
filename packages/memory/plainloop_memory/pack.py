"""What the memory adds to the packs that are served."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.prompts import change_workers, list_workers

from .block import load_block
from .examining import examine
from .routes import ROUTES
from .settings import MemorySettings
from .tools import recall, remember
from .wanting import ALL, list_tools

NAME: Final = "memory"
_FOLDER: Final = Path(__file__).parent
_TOOLS: Final = (recall, remember)

LoadContext = Callable[[RunView], Awaitable[str]]


def build_pack() -> Pack:
    """Build the memory's own pack: tables, routes and a screen, no worker."""
    return Pack(
        name=NAME,
        title="Memory",
        workers=(),
        default_worker="",
        tools=(),
        migrations=_FOLDER / "migrations",
        routes=ROUTES,
        screens=_FOLDER / "screens",
        examine=examine,
    )


def equip(packs: tuple[Pack, ...], own: MemorySettings) -> tuple[Pack, ...]:
    """Return the packs with memory for the workers that settings name.

    The memory's own pack is added. Raises: ConfigError for a worker in the settings that no pack
    has, and for a name that is taken.
    """
    known = {worker.name for pack in packs for worker in list_workers(pack)}
    if unknown := sorted({*own.workers} - known - {ALL}):
        told = f"memory.workers names the unknown worker {unknown[0]!r}"
        raise ConfigError(told, hint=f"Known names: {ALL}, {', '.join(sorted(known))}.")
    if any(pack.name == NAME for pack in packs):
        raise ConfigError(f"two packs have the same name: {NAME}", hint="Rename your own pack.")
    return (*(_equip_pack(pack, own) for pack in packs), build_pack())


def _equip_pack(pack: Pack, own: MemorySettings) -> Pack:
    """Return the pack whose workers have the memory's tools and block, where settings say so."""
    used = {name for worker in list_workers(pack) for name in list_tools(worker, own)}
    if not used:
        return pack
    there = {tool.name: tool for tool in pack.tools}
    for tool in _TOOLS:
        if tool.name in used and there.get(tool.name, tool) is not tool:
            told = f"the pack {pack.name!r} must not define {tool.name!r}, a tool of the memory"
            raise ConfigError(told, hint="Rename the pack's tool.")
    new = tuple(tool for tool in _TOOLS if tool.name in used and tool.name not in there)

    def give(worker: WorkerSpec) -> WorkerSpec:
        more = (name for name in list_tools(worker, own) if name not in worker.tools)
        return replace(worker, tools=(*worker.tools, *more))

    return replace(
        change_workers(pack, give),
        tools=(*pack.tools, *new),
        load_prompt_context=_add_block(pack.load_prompt_context),
    )


def _add_block(before: LoadContext | None) -> LoadContext:
    """Return a loader of prompt context that adds the memories after the pack's own text."""

    async def load(ctx: RunView) -> str:
        said = await before(ctx) if before is not None else ""
        return "\n\n".join(filter(None, (said, await load_block(ctx))))

    return load
