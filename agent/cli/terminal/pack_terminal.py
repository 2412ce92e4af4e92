"""Implements `packs.terminal.Terminal`, which commands of packs work with."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import typer

from ...config.settings import Settings, load_settings
from ...core.api import ApiService
from ...errors import InputError
from ...packs.commands import LOCAL
from ...store.store import Store
from . import opening, output, serving
from .running import run_async


class PackTerminal:
    """The `Terminal` of pack commands, on the process's stdin and stdout."""

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        run_async(work)
        raise typer.Exit

    def load_settings(self, pack: str) -> Settings:
        settings = load_settings()
        packs = settings.agent.packs
        if pack in packs or settings.agent.onboarding == pack:
            return settings
        return replace(settings, agent=replace(settings.agent, packs=(*packs, pack)))

    def open_store(self, pack: str) -> AbstractAsyncContextManager[Store]:
        return opening.open_store(self.load_settings(pack))

    @asynccontextmanager
    async def open_service(self, pack: str, tenant_id: str) -> AsyncGenerator[ApiService]:
        async with serving.open_service(self.load_settings(pack)) as service:
            yield service.make_host(tenant_id, LOCAL, service.get_pack(pack))

    def say(self, text: str) -> None:
        output.write_line(text)

    def remark(self, text: str) -> None:
        output.write_status(text)

    def progress(self, text: str) -> AbstractContextManager[Any]:
        return output.progress(text)

    def read_source(self, path: str) -> tuple[Path | bytes, str]:
        if path != "-":
            return Path(path), Path(path).name
        return sys.stdin.buffer.read(), "stdin"

    def create_file(self, path: Path) -> IO[bytes]:
        return create_file(path)


def create_file(target: Path) -> IO[bytes]:
    """Create a file and open it for writing.

    Raises: InputError when it is there already, or cannot be made.
    """
    try:
        # `x` checks and creates in one call, so it never overwrites a file of another program.
        return target.open("xb")
    except FileExistsError as error:
        raise InputError(f"{target} already exists", hint="Choose another name.") from error
    except OSError as error:
        raise InputError(
            f"cannot write {target}: {error.strerror}",
            hint="Choose a folder that you can write to.",
        ) from error
