"""The programs of docs/migrating.md run as they stand, each against a service of a clone."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from plainloop.agent.packs.loading import list_pack_names
from tests.cli.conftest import Command, make_environ
from tests.processes import run_program
from tests.test_docs import serve_plainloop

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "migrating.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
PROGRAMS = {
    section.partition("\n")[0]: program
    for section in SECTIONS
    for program in re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
}
SHOWN = {
    "An SSE backend of your own": "done {'content': 'You have no jobs.'",
    "A hand-written loop": "Added #1 Cook at Cafe Uno",
    "A provider layer of your own": "find_order {'number': 1007}",
    "A WebSocket onboarding agent": "complete",
    "Agents as classes": "",
}


def test_every_migrating_section_has_a_program_and_a_table():
    assert {*PROGRAMS} == {*SHOWN}
    assert [name for name in SHOWN if "| old | new |" not in find_section(name)] == []


def find_section(name: str) -> str:
    return next(section for section in SECTIONS if section.startswith(name))


@pytest.mark.skipif("careers" not in list_pack_names(), reason="the page shows that pack")
@pytest.mark.parametrize("name", SHOWN)
async def test_every_program_of_migrating_runs(name: str, database_url: str, tmp_path: Path):
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url, "AGENT_PROVIDER": "offline"}
    environ["AGENT_PACKS"] = ",".join(list_pack_names())
    program = PROGRAMS[name]
    if name == "Agents as classes":
        (tmp_path / "desk.py").write_text(program, encoding="utf-8")
        done = await Command(environ | {"AGENT_DESIGN": "desk"}, tmp_path)("ask", "hello")
        assert (done.code, bool(done.out.strip())) == (0, True), done.err
        return
    async with serve_plainloop(environ, tmp_path) as address:
        here = program.replace("127.0.0.1:8000", address)
        told = await run_program(sys.executable, "-c", here, folder=ROOT, environ=environ)

    assert SHOWN[name] in told
