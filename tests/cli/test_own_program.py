"""The program that `docs/designs.md` shows, as somebody runs it who has just the documents."""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.cli.conftest import Command
from tests.designs.test_own_design import PROGRAM


async def test_the_documented_program_prints_a_runs_events(plainloop: Command):
    done = await replace(plainloop, program=(sys.executable, "-c", PROGRAM.group(1)))()

    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("run_start ")
    assert lines[-1] == "done {'content': 'You have no jobs with status saved.'}"


async def test_commands_work_with_stdout_or_stderr_closed(plainloop: Command):
    def closing(what: str) -> Command:
        shell = f'"{sys.executable}" -m plainloop "$@" {what}'
        return replace(plainloop, program=("sh", "-c", shell, "sh"))

    quiet = await closing("2>&-")("--version")
    refused = await closing("2>&-")("token", "ada")  # there is no secret
    mute = await closing(">&-")("--version")

    assert (quiet.code, quiet.out.split()[0]) == (0, "plainloop")
    assert (refused.code, refused.out) == (2, "")
    assert (mute.code, mute.err) == (0, "")
