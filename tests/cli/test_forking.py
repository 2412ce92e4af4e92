"""A command that is forked does what one does that starts anew."""

from __future__ import annotations

import pytest

from tests.cli.conftest import COMMAND, Command, Finished
from tests.cli.forking import IS_ON

pytestmark = pytest.mark.skipif(not IS_ON, reason="nothing is forked here")


async def start_anew(plainloop: Command, *arguments: str, stdin: bytes = b"") -> Finished:
    process = await plainloop.start(*arguments, program=("env", *COMMAND))
    out, err = await process.communicate(stdin)
    return Finished(process.returncode or 0, out.decode(), err.decode())


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["--version"], b""),
        (["nonsense"], b""),
        (["threads"], b""),
        (["ask", "-"], b""),
        (["import", "job", "missing.json"], b""),
    ],
    ids=str,
)
async def test_a_forked_command_behaves_like_a_new_process(
    arguments: list[str], stdin: bytes, plainloop: Command
):
    assert await plainloop(*arguments, stdin=stdin) == await start_anew(
        plainloop, *arguments, stdin=stdin
    )


async def test_forked_commands_have_separate_environments_and_exit_codes(plainloop: Command):
    folder = plainloop.folder / "elsewhere"
    folder.mkdir()
    (folder / "plainloop.toml").write_text("nonsense = 1\n")
    elsewhere = Command(plainloop.environ, folder)

    wrong = await elsewhere("threads")
    again = await plainloop("threads", AGENT_NONSENSE="1")
    right = await plainloop("threads")

    assert (wrong.code, again.code, right.code) == (2, 2, 0)
    assert "nonsense" in wrong.err and "AGENT_NONSENSE" in again.err
    assert "nonsense" not in right.err.lower()
