"""The protocol's own conformance suite: its servers for our client, its client for our server."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.edges.node_clients import FOLDER, require_node
from tests.server.conftest import Serve

PACKAGE = "@modelcontextprotocol/conformance"
OURS = Path(__file__).with_name("conformance_client.py")
# Scenarios that need no fixture tools, prompts or resources, and no forms of servers for users.
CLIENT = (
    *("initialize", "tools_call", "request-metadata", "http-standard-headers"),
    *("http-custom-headers", "http-invalid-tool-headers", "json-schema-ref-no-deref"),
)
SERVER = (
    *("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
    "http-header-validation",
)


def find_node() -> str:
    """The suite wants 22 or later; npm has one that runs without being installed."""
    require_node(PACKAGE)
    for node in (shutil.which("node"), str(FOLDER / "node_modules" / "node" / "bin" / "node")):
        if node and Path(node).exists():
            told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
            if int(told.strip().removeprefix("v").partition(".")[0] or 0) >= 22:
                return node
    pytest.skip("the conformance suite wants Node 22 or later")


async def run_suite(*arguments: str) -> tuple[int, str]:
    """Its exit code, and what it said."""
    suite = FOLDER / "node_modules" / PACKAGE / "dist" / "index.js"
    root = str(Path(__file__).parents[2])
    process = await asyncio.create_subprocess_exec(
        *(find_node(), str(suite), *arguments),
        env={**os.environ, "PYTHONPATH": root},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        said, _ = await process.communicate()
    return process.returncode or 0, said.decode(errors="replace")


@pytest.mark.parametrize("scenario", CLIENT)
async def test_our_client_does_what_the_suites_server_expects(scenario: str):
    command = f"{sys.executable} {OURS}"
    code, said = await run_suite("client", "--command", command, "--scenario", scenario)

    assert code == 0 and ", 0 failed" in said, said[-3000:]


@pytest.mark.parametrize("scenario", SERVER)
async def test_our_server_does_what_the_suites_client_expects(scenario: str, serve: Serve):
    find_node()
    served = await serve(auth=False)
    code, said = await run_suite("server", "--url", f"{served.url}/mcp", "--scenario", scenario)

    assert code == 0 and ", 0 failed" in said, said[-3000:]
