"""Clients from npm: installed by `./scripts/packages`, run as processes; skipped where absent."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
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


def find_node(least: int) -> str:
    """Node of this version or later: npm has one that runs without being installed."""
    own = next(map(str, FOLDER.glob("node_modules/node-linux-*/bin/node")), None)
    for node in (shutil.which("node"), own):
        if node and Path(node).exists():
            told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
            if int(told.strip().removeprefix("v").partition(".")[0] or 0) >= least:
                return node
    pytest.skip(f"Node {least} or later is not there: ./scripts/packages")


async def run_client(
    served: Served, program: str, scenario: str, user: str = "ann", node: str = "node"
) -> AsyncIterator[dict[str, Any]]:
    """What the program tells, line by line."""
    process = await asyncio.create_subprocess_exec(
        node,
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


async def get_end(
    served: Served, program: str, scenario: str, node: str = "node"
) -> dict[str, Any]:
    """The last line, where those before it do not matter."""
    told = [item async for item in run_client(served, program, scenario, node=node)]
    return told[-1]
