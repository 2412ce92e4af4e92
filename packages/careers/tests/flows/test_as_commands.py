"""The six turns as a person types them: each a process, against `plainloop wire-server`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from packages.careers.tests.flows.conftest import PlayInProcess
from packages.careers.tests.flows.playing import DATA
from packages.careers.tests.flows.turns import PLAIN
from tests.cli.conftest import Command


@pytest.fixture
async def printed_settings(plainloop: Command) -> AsyncIterator[list[dict[str, str]]]:
    """The variables that a running `wire-server` says to set, for each of its wires."""
    process = await plainloop.start("wire-server", "--port", "0")
    assert process.stdout
    lines: list[str] = []
    async with asyncio.timeout(120):
        while not lines or not lines[-1].startswith("requests so far"):
            lines.append((await process.stdout.readline()).decode())
    pairs = [line.split() for line in lines if "AGENT_PROVIDER=" in line]
    yield [dict(pair.split("=", 1) for pair in line) for line in pairs]
    process.terminate()
    await process.wait()


async def test_cli_commands_give_the_same_answers_as_the_service(
    plainloop: Command, printed_settings: list[dict[str, str]], play_in_process: PlayInProcess
):
    expected = await play_in_process(PLAIN)
    settings = printed_settings[0]
    resume = await plainloop("import", "resume", str(DATA / "resume.md"), **settings)
    job = await plainloop("import", "job", str(DATA / "job.txt"), **settings)
    first = await plainloop("ask", PLAIN[0], **settings)
    rest = [await plainloop("ask", "--last", text, **settings) for text in PLAIN[1:]]

    assert (
        resume.out == "résumé, version 1: Mira Okafor · 2 in work · 1 in education · 4 in skills\n"
    )
    assert job.out == "job #1 Platform Engineer at Contoso (saved)\n"
    answers = [done.out.removesuffix("\n") for done in (first, *rest)]
    assert answers == [turn.answer for turn in expected.turns]

    shown = await plainloop("show", "last", **settings)
    explained = await plainloop("explain", "last", **settings)
    assert all(turn.asked in shown.out for turn in expected.turns)
    assert expected.turns[-1].answer.splitlines()[-1] in shown.out
    walked = [line.split()[1] for line in explained.out.splitlines() if line[:1].isdigit()]
    assert walked[: len(expected.turns[-1].path)] == expected.turns[-1].path
    assert "verdict pass" in explained.out
    assert "anthropic:" in explained.out
