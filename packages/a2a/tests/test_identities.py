"""Hazard: an id that a client gives counts elsewhere, and another message is cut, lost or mixed."""

from __future__ import annotations

import json

from tests.machine.scripted import text, tools, triage
from tests.protocols import test_identities as shared
from tests.protocols.conftest import ServeNotes, serve
from tests.protocols.identities import Talk
from tests.protocols.test_equal_conversations import ROOM
from tests.protocols.test_equal_everywhere import COUNT, hold_conversations
from tests.protocols.test_identities import Identity, answer, check, talk

from .talking import call_a2a, send_a2a

__all__ = ["serve", "talk"]

MESSAGE_ID = Identity(send_a2a, "own", "joined", opens=True)


async def test_a_message_id_of_another_context_starts_a_new_run(talk: Talk) -> None:
    await shared.test_a_message_id_of_another_conversation_starts_a_new_run(MESSAGE_ID, talk)


async def test_message_ids_of_another_user_or_tenant_start_new_runs(talk: Talk) -> None:
    await shared.test_message_ids_of_another_user_or_tenant_start_new_runs(MESSAGE_ID, talk)


async def test_a_message_sent_again_joins_its_first_run(talk: Talk) -> None:
    await shared.test_a_message_sent_again_joins_its_first_run(MESSAGE_ID, talk)


async def test_a_different_message_with_a_used_id_is_refused(talk: Talk) -> None:
    await shared.test_a_different_message_with_a_used_id_is_refused(MESSAGE_ID, talk)


async def test_a_refused_message_does_not_stop_the_active_run(serve: ServeNotes) -> None:
    await shared.test_a_refused_message_does_not_stop_the_active_run(MESSAGE_ID, serve)


async def test_simultaneous_equal_conversations_lose_no_message(serve: ServeNotes) -> None:
    served = await serve(*[answer] * (COUNT * 8), **ROOM)

    assert await hold_conversations(send_a2a, served) == []


async def test_a_message_id_sent_without_a_context_joins_its_first_run(talk: Talk) -> None:
    begun = await call_a2a(talk, "m", "hello")
    joined = await call_a2a(talk, "m", "hello")
    context = json.loads(begun.told)["result"]["task"]["contextId"]
    within = await call_a2a(talk, "m", "hello", contextId=context)
    other = await call_a2a(talk, "m", "something")

    for again in (joined, within):
        assert (again.answers, again.seen) == (["answer-to-hello"], [])
    check(other, "refused", "something")


async def test_a_yes_with_a_used_message_id_still_decides_its_own_task(serve: ServeNotes) -> None:
    """The second task's yes had the id of the first one's, and was not heard, with 200."""
    burn = tools(("c1", "burn_notes", {}), said="I would burn them.")
    talk = Talk(await serve(*[triage("note_writer"), burn, text("Burnt.")] * 2))
    tasks: list[str] = []
    for n in (1, 2):
        asked = json.loads((await call_a2a(talk, f"ask-{n}", "burn")).told)["result"]["task"]
        assert asked["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        tasks.append(asked["id"])
        done = await call_a2a(talk, "1", "yes", taskId=asked["id"])
        assert "TASK_STATE_COMPLETED" in done.told
    again = await call_a2a(talk, "1", "yes", taskId=tasks[0])
    other = await call_a2a(talk, "1", "no", taskId=tasks[0])

    assert "TASK_STATE_COMPLETED" in again.told
    assert "for another message of the task" in other.told
