"""The Open Responses compliance suite, as its authors run it, against a running replica.

`AGENT_TEST_OPEN_RESPONSES` names a checkout of openresponses/openresponses.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.processes import run_program
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import FOLDER, find_node, require_node
from tests.wire_fixtures import StartWire

CHECKOUT = os.environ.get("AGENT_TEST_OPEN_RESPONSES", "")


@pytest.mark.skipif(not CHECKOUT, reason="AGENT_TEST_OPEN_RESPONSES names no checkout of the suite")
async def test_the_open_responses_suite_passes(
    serve: ServeNotes, wire_server: StartWire, tmp_path: Path
):
    require_node("esbuild")
    node, suite = find_node(22), tmp_path / "suite.mjs"  # 22: the first whose sockets send headers
    served = await serve(wire_url=(await wire_server()).openai_url)  # it takes images
    source = str(Path(CHECKOUT) / "bin" / "compliance-test.ts")
    bundler = str(FOLDER / "node_modules" / "esbuild" / "bin" / "esbuild")
    how = ("--bundle", "--platform=node", "--format=esm", "--alias:zod=zod/v3")  # it wants zod 3
    at = {"NODE_PATH": str(FOLDER / "node_modules")}
    suite.write_text(await run_program(bundler, source, *how, "--log-level=error", environ=at))
    where = ("-u", f"{served.url}/v1", "-k", served.token("ann"), "-m", "notes/default")
    told = json.loads(await run_program(node, str(suite), *where, "--json", environ=at))

    failed = [(item["id"], item["errors"]) for item in told["results"] if item.get("errors")]
    assert (failed, told["summary"]["skipped"]) == ([], 0)
    assert told["summary"]["passed"] == told["summary"]["total"] >= 17
