"""Programs as tests run them: to an end, which is a good one."""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType


async def run_program(
    *command: str,
    folder: Path | None = None,
    timeout_s: float = 120,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """What it said. environ: beside what this process has."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env={**os.environ, **environ}, stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(timeout_s):
            told, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, (told + errors).decode(errors="replace")[-5000:]
    return told.decode()
