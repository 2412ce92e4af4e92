"""Clients from npm: installed by `./scripts/packages`, run as processes; skipped where absent."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Served

FOLDER = Path(__file__).with_name("node")


def require_node(package: str) -> None:
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    if not (FOLDER / "node_modules" / package).is_dir():
        pytest.skip(f"the npm package {package} is not installed: ./scripts/packages")


async def run_client(
    served: Served, program: str, scenario: str, user: str = "ann"
) -> AsyncIterator[dict[str, Any]]:
    """What the program tells, line by line."""
    process = await asyncio.create_subprocess_exec(
        "node",
        str(FOLDER / program),
        scenario,
        served.url,
        served.token(user),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(120):
            async for line in process.stdout:
                yield json.loads(line)
            errors = (await process.stderr.read()).decode()
            assert await process.wait() == 0, errors
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def get_end(served: Served, program: str, scenario: str) -> dict[str, Any]:
    """The last line, where those before it do not matter."""
    told = [item async for item in run_client(served, program, scenario)]
    return told[-1]
