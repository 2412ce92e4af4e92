"""A call that a person must agree to: asked in words, decided by a command or in the chat."""

from __future__ import annotations

import json
import re

import pytest

from plainloop.agent.cli.talk.approving import decide, find_meant, go_on
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.resuming import resume_run
from tests.cli.conftest import Command

ADD = ("ask", "add a job: Cook at Cafe Uno")
DELETE = ("ask", "--last", "delete the Cook job")


@pytest.mark.parametrize(
    ("arguments", "told", "left"),
    [(("approve",), "Deleted #1", 0), (("approve", "--deny", "--reason", "the good one"), "", 1)],
)
async def test_approve_continues_a_waiting_run_as_decided(
    arguments: tuple[str, ...], told: str, left: int, plainloop: Command
):
    assert (await plainloop(*ADD)).code == 0
    asked = await plainloop(*DELETE)
    assert (asked.code, asked.out) == (8, "")
    assert asked.err.startswith("asks for your approval: Delete #1 Cook at Cafe Uno?\n")
    assert "error[APPROVAL_NEEDED]" in asked.err

    listed = await plainloop("approvals")
    assert listed.out == "pending   Delete #1 Cook at Cafe Uno?\n"
    busy = await plainloop("ask", "--last", "how many jobs do I have?")
    assert (busy.code, "Decide its pending approval" in busy.err) == (4, True)

    decided = await plainloop(*arguments)
    assert decided.code == 0
    assert told in decided.out
    listed = await plainloop("approvals")
    assert listed.out.endswith(": the good one\n") == ("--reason" in arguments)
    count = await plainloop("ask", "how many jobs do I have?")
    assert ("no jobs" in count.out) == (left == 0)
    again = await plainloop(*arguments)
    assert (again.code, "is not waiting for an approval" in again.err) == (4, True)


async def test_chat_can_decide_approvals_and_print_json(plainloop: Command):
    lines = "add a job: Cook at Cafe Uno\ndelete the Cook job\n/approve\nhow many jobs do I have?\n"
    talked = await plainloop("chat", stdin=lines.encode())
    assert talked.out.splitlines()[-2:] == [
        "Deleted #1 Cook at Cafe Uno (saved).",
        "You have no jobs.",
    ]

    await plainloop(*ADD)
    asked = await plainloop(*DELETE[:1], "--json", *DELETE[1:])
    assert json.loads(asked.out.splitlines()[-1])["event"] == "approval_request"
    shown = await plainloop("approve", "--json")
    events = [json.loads(line) for line in shown.out.splitlines()]
    assert (shown.code, events[-1]["event"]) == (0, "done")


async def test_approve_needs_an_id_if_several_approvals_are_pending(plainloop: Command):
    for company, title in (("Cafe Uno", "Cook"), ("Bar Due", "Waiter")):
        await plainloop("ask", f"add a job: {title} at {company}")
        await plainloop("ask", f"delete the {title} job")
    unnamed = await plainloop("approve")
    codes = re.findall(r"\(([0-9a-f]{12})\)", unnamed.err)
    decided = await plainloop("approve", codes[0])

    assert (unnamed.code, "error[QUESTION_UNNAMED]" in unnamed.err, len(codes)) == (4, True, 2)
    assert "allowed: Delete #1 Cook at Cafe Uno" in decided.err
    assert (await plainloop("approvals")).out.startswith("pending   Delete #2 Waiter at Bar Due")


async def test_approve_prints_the_end_of_a_run_that_a_server_resumed(
    plainloop: Command, capsys: pytest.CaptureFixture[str]
):
    await plainloop(*ADD)
    await plainloop(*DELETE)
    settings, owner = load_settings(plainloop.environ), Owner("local")
    async with open_service(settings) as service, open_service(settings) as server:
        meant = await find_meant(service.store, owner, "last")
        seen = await decide(service.store, owner, meant, approve=True)
        await resume_run(server, "local", "local", meant[0].run_id)
        await go_on(service, owner, meant[0].run_id, seen)

    assert capsys.readouterr().out == "Deleted #1 Cook at Cafe Uno (saved).\n"
