"""Every folder of `examples/` runs as its run.sh says, and says what its expected.txt holds.

After a change that is meant: `PLAINLOOP_UPDATE_DOCS=1 ./scripts/test` with this file's name.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.cli.conftest import TIMEOUT_S, make_environ
from tests.test_docs import hide_varying

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/run.sh"))
NEEDED = {"import": ("plainloop_importing",), "tool_server": ("mcp",)}
UPDATE = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))


def test_every_example_is_named_on_the_page():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    assert NAMES
    assert [name for name in NAMES if f"]({name})" not in page] == []


@pytest.mark.parametrize("name", NAMES)
async def test_an_example_runs_as_it_stands(name: str, tmp_path: Path, database_url: str):
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url, "AGENT_PROVIDER": "offline"}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environ['PATH']}"
    del environ["AGENT_PACKS"]
    if name == "replay_in_ci":
        environ["AGENT_PACKS"] = "tests.tracker"

    process = await asyncio.create_subprocess_exec(
        *("sh", "run.sh"),
        stdout=PIPE,
        stderr=STDOUT,
        cwd=tmp_path / "examples" / name,
        env=environ,
    )
    async with asyncio.timeout(TIMEOUT_S):
        told, _ = await process.communicate()

    expected = EXAMPLES / name / "expected.txt"
    if UPDATE:
        expected.write_text(told.decode(), encoding="utf-8")
    assert hide_varying(told.decode()) == hide_varying(expected.read_text(encoding="utf-8"))
