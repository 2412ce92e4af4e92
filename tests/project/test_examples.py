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

from tests.cli.conftest import TIMEOUT_S, make_environ, write_command
from tests.local_model import PACKAGES
from tests.protocols.pages import open_page
from tests.server.conftest import Serve
from tests.server.conftest import serve as serve
from tests.test_docs import hide_varying

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/run.sh"))
NEEDED = {
    "documents": ("plainloop_retrieval",),
    "gate": ("plainloop_lab",),
    "helpers": ("plainloop_lab",),
    "import": ("plainloop_importing",),
    "replay_in_ci": ("plainloop_lab",),
    "schedule": ("plainloop_operations",),
    "tool_server": ("mcp",),
}
PATIENCE_S = {"local_model": 600}  # on a busy machine
UPDATE = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))


def test_every_example_is_in_the_documentation():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    assert NAMES
    assert [name for name in NAMES if f"]({name})" not in page] == []


@pytest.mark.parametrize("name", NAMES)
async def test_every_example_runs_unchanged(name: str, tmp_path: Path, database_url: str):
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package)
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url, "AGENT_PROVIDER": "offline"}
    command = tmp_path / "bin" / "plainloop"
    command.parent.mkdir()
    needed = write_command(command)
    places = (command.parent, Path(sys.executable).parent, environ["PATH"])
    environ["PATH"] = os.pathsep.join(map(str, places))
    del environ["AGENT_PACKS"]
    if name == "local_model":
        if not (PACKAGES / "xllamacpp").is_dir():
            pytest.skip("no local model: `./scripts/packages` could not fetch it")
        environ["LOCAL_MODEL"] = str(PACKAGES)
    if name == "replay_in_ci":
        environ["AGENT_PACKS"] = "tests.tracker"

    process = await asyncio.create_subprocess_exec(
        *("sh", "run.sh"),
        stdout=PIPE,
        stderr=STDOUT,
        cwd=tmp_path / "examples" / name,
        env=environ,
        pass_fds=needed,
    )
    async with asyncio.timeout(PATIENCE_S.get(name, TIMEOUT_S)):
        told, _ = await process.communicate()

    expected = EXAMPLES / name / "expected.txt"
    if UPDATE:
        expected.write_text(told.decode(), encoding="utf-8")
    assert hide_varying(told.decode()) == hide_varying(expected.read_text(encoding="utf-8"))


async def test_the_own_page_example_works_from_another_origin(serve: Serve, chromium: str):
    origin = "http://localhost:5173"
    served = await serve(auth=False, server={"origins": (origin,)})
    content = (EXAMPLES / "own_frontend" / "chat.html").read_text(encoding="utf-8")

    async with open_page(chromium, f"{origin}/chat.html?api={served.url}", content) as page:
        await page.get_by_placeholder("add a book").fill("hello")
        await page.get_by_role("button").click()
        await page.wait_for_function("document.title === 'ready'")
        said = await page.locator("p").all_inner_texts()

    assert said[0] == "hello" and len(said) == 2 and said[1]
