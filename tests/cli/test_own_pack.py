"""The commands that `docs/packs.md` ends with, on the pack that it shows."""

from __future__ import annotations

import re
import shlex

from tests.cli.conftest import Command
from tests.packs.test_own_pack import BLOCK, PAGE

SHELL = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)


async def test_the_documented_commands_work_on_the_documented_pack(plainloop: Command):
    page = PAGE.read_text(encoding="utf-8")
    for path, content in BLOCK.findall(page):
        (plainloop.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (plainloop.folder / path).write_text(content, encoding="utf-8")
    lines = [line for block in SHELL.findall(page) for line in block.splitlines()]
    commands = [line for line in lines if "./scripts/start" in line]

    shown: list[str] = []
    for command in commands:
        words = shlex.split(command)
        at = words.index("./scripts/start")
        environ = dict(word.split("=", 1) for word in words[:at])
        done = await plainloop(*words[at + 1 :], **environ)
        assert done.code == 0, done.err
        shown.append(done.out)

    assert len(commands) == 2
    assert shown[0] == "You have no books.\n"
    assert shown[1].strip()
