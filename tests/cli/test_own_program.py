"""The program that `docs/designs.md` shows, as somebody runs it who has just the documents."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

from tests.cli.conftest import TIMEOUT_S, Command
from tests.designs.test_own_design import PROGRAM


async def test_the_program_of_the_page_prints_the_events_of_a_run(plainloop: Command):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM.group(1)),
        stdout=PIPE,
        stderr=PIPE,
        cwd=plainloop.folder,
        env=plainloop.environ,
    )
    plainloop.running.append(process)
    async with asyncio.timeout(TIMEOUT_S):
        out, err = await process.communicate()

    assert process.returncode == 0, err.decode()
    lines = out.decode().splitlines()
    assert lines[0].startswith("run_start ")
    assert lines[-1] == "done {'content': 'You have no jobs with status saved.'}"
