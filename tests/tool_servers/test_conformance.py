"""The protocol's own conformance suite: its servers for our client, its client for our server.

AGENT_TEST_CONFORMANCE=all for every scenario; a few of each kind by default.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ToolError
from tests.protocols.node_clients import FOLDER, find_node, require_node
from tests.server.conftest import Serve, Served

PACKAGE = "@modelcontextprotocol/conformance"
OURS = Path(__file__).with_name("conformance_client.py")
IS_WHOLE = os.environ.get("AGENT_TEST_CONFORMANCE") == "all"


def choose(*scenarios: str, few: int) -> tuple[str, ...]:
    return scenarios if IS_WHOLE else scenarios[:few]


# Scenarios that need no fixture prompts or resources, and no forms of the suite's own fields.
CLIENT = choose(
    *("sep-2322-client-request-state", "tools_call", "initialize", "request-metadata"),
    *("http-standard-headers", "http-custom-headers", "http-invalid-tool-headers"),
    "json-schema-ref-no-deref",
    few=2,
)
SERVER = choose(
    *("tools-list", "http-header-validation", "server-initialize", "ping"),
    "dns-rebinding-protection",
    few=2,
)
# Of what can be read and called, by one server.
OFFERED = choose(
    *("resources-list", "prompts-list", "tools-call-error", "sep-2164-resource-not-found"),
    *("caching", "tools-call-simple-text", "input-required-result-unsupported-methods"),
    few=3,
)


@tool("read")
async def test_simple_text(context: ToolContext) -> str:
    """A fixture of the suite's."""
    return "This is a simple text response for testing."


@tool("read")
async def test_error_handling(context: ToolContext) -> str:
    """A fixture of the suite's."""
    raise ToolError("this tool fails, as it should")


def add_fixtures(served: Served) -> None:
    """The tools that the suite calls, as one of the pack's workers has them."""
    first, *rest = served.service.packs
    fixtures = (test_simple_text, test_error_handling)
    chatting, *others = first.workers
    chatting = replace(chatting, tools=(*chatting.tools, *(item.name for item in fixtures)))
    tools = (*first.tools, *fixtures)
    named = replace(first, tools=tools, workers=(chatting, *others), examples=("list my jobs",))
    served.service.packs = (named, *rest)


def find_suites_node() -> str:
    require_node(PACKAGE)
    return find_node(22)


async def run_suite(*arguments: str) -> tuple[int, str]:
    """Its exit code, and what it said."""
    suite = FOLDER / "node_modules" / PACKAGE / "dist" / "index.js"
    root = str(Path(__file__).parents[2])
    process = await asyncio.create_subprocess_exec(
        *(find_suites_node(), str(suite), *arguments),
        env={**os.environ, "PYTHONPATH": root},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        said, _ = await process.communicate()
    return process.returncode or 0, said.decode(errors="replace")


@pytest.mark.parametrize("scenario", CLIENT)
async def test_our_mcp_client_passes_the_conformance_suite(scenario: str):
    command = f"{sys.executable} {OURS}"
    code, said = await run_suite("client", "--command", command, "--scenario", scenario)

    assert code == 0 and ", 0 failed" in said, said[-3000:]


@pytest.mark.parametrize("scenario", SERVER)
async def test_our_mcp_server_passes_the_conformance_suite(scenario: str, serve: Serve):
    find_suites_node()
    served = await serve(auth=False)
    code, said = await run_suite("server", "--url", f"{served.url}/mcp", "--scenario", scenario)

    assert code == 0 and ", 0 failed" in said, said[-3000:]


async def test_our_mcp_server_lists_what_the_suite_reads(serve: Serve):
    find_suites_node()
    served = await serve(auth=False)
    add_fixtures(served)
    for scenario in OFFERED:
        code, said = await run_suite("server", "--url", f"{served.url}/mcp", "--scenario", scenario)
        assert code == 0 and ", 0 failed" in said, said[-3000:]
