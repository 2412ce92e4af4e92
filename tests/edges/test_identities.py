"""Hazard: an id that a client gives counts elsewhere, and another message is cut, lost or mixed."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.edges import identities as ids
from tests.edges.conftest import ServeNotes, get_model
from tests.edges.identities import Outcome, Send, Talk, answer
from tests.machine.scripted import text, tools, triage
from tests.runs.test_detached import Gate

# What is done with an id: taken in another conversation as if it were new ("own"), or refused.
# "again": the same message under it joins its run, or is answered anew in a branch.
IDENTITIES: dict[str, tuple[Send, str, str]] = {
    "AG-UI message id": (ids.send_agui_message, "own", "anew"),
    "AG-UI runId": (ids.send_agui_run, "own", "joined"),
    "AI SDK message id": (ids.send_ui, "own", "joined"),
    "chat completions key": (ids.send_chat, "refused", "joined"),
    "Messages key": (ids.send_messages, "refused", "joined"),
    "chat completions key by history": (ids.send_history, "refused", "joined"),
    "responses key": (ids.send_response, "refused", "joined"),
    "native key": (ids.send_native, "refused", "joined"),
    "native key of a branch": (ids.send_replacing, "refused", "joined"),
    "WebSocket key": (ids.send_socket, "refused", "joined"),
    "MCP key": (ids.send_mcp, "refused", "joined"),
    "A2A messageId": (ids.send_a2a, "own", "joined"),
}
each = pytest.mark.parametrize("identity", IDENTITIES)


@pytest.fixture
async def talk(serve: ServeNotes) -> Talk:
    return Talk(await serve(*[answer] * 60))


def check(outcome: Outcome, expected: str, said: str) -> None:
    """Own: answered, and the model saw this conversation to its end."""
    assert outcome.is_refused == (expected == "refused"), outcome.told
    if expected == "refused":
        assert (outcome.answers, outcome.seen) == ([], [])
        assert "REUSED" in outcome.told or "used for another" in outcome.told, outcome.told
    else:
        assert outcome.answers[-1] == f"answer-to-{said}"


@each
async def test_an_id_of_another_conversation_takes_nothing_there(identity: str, talk: Talk) -> None:
    send, elsewhere, _ = IDENTITIES[identity]
    for n in (1, 2):
        check(await send(talk, "A", str(n), f"a{n}"), "own", f"a{n}")
    check(await send(talk, "B", "b", "b1"), "own", "b1")
    for n, name in ((2, "2"), (3, "1")):  # the other way round: A's first stands at B's beginning
        outcome = await send(talk, "B", name, f"b{n}")
        check(outcome, elsewhere, f"b{n}")
        assert not any("a1" in said or "a2" in said for said in outcome.seen)
    equal = await send(talk, "C", "1", "a1")  # the very same words
    check(equal, elsewhere, "a1")
    last = await send(talk, "A", "3", "a3")
    check(last, "own", "a3")
    if identity not in ("native key of a branch", "chat completions key by history"):
        kept = ["a1", "answer-to-a1", "a2", "answer-to-a2", "a3"]
        assert last.seen[-5:] == kept
    if elsewhere == "own":
        after = await send(talk, "B", "4", "b4")
        said = [text for n in (1, 2, 3) for text in (f"b{n}", f"answer-to-b{n}")]
        assert after.seen[-7:] == [*said, "b4"]


@each
async def test_an_id_of_another_user_or_tenant_means_nothing(identity: str, talk: Talk) -> None:
    send = IDENTITIES[identity][0]
    await send(talk, "A", "1", "secret")
    own = await send(Talk(talk.served, "bob"), "A", "1", "hello")
    same = await send(Talk(talk.served, "ann", "globex"), "A", "1", "secret")

    check(own, "own", "hello")
    assert not any("secret" in said for said in own.seen)
    check(same, "own", "secret")
    assert same.seen[-1] == "secret"  # asked anew, not shown another's answer


@each
async def test_the_same_message_again_joins_its_run(identity: str, talk: Talk) -> None:
    send, _, again = IDENTITIES[identity]
    await send(talk, "A", "1", "first")
    repeated = await send(talk, "A", "1", "first")

    check(repeated, "own", "first")
    assert bool(repeated.seen) == (again == "anew")
    assert repeated.seen.count("first") == (again == "anew")


@each
async def test_another_message_under_a_known_id_is_refused(identity: str, talk: Talk) -> None:
    send = IDENTITIES[identity][0]
    check(await send(talk, "A", "1", "first"), "own", "first")
    check(await send(talk, "A", "1", "other"), "refused", "other")
    last = await send(talk, "A", "2", "last")

    check(last, "own", "last")
    assert "other" not in last.seen


async def test_a_key_that_a_conversation_began_with_is_refused_elsewhere(talk: Talk) -> None:
    """A message without a conversation means a new one: no run within another is joined."""
    await ids.send_mcp(talk, "A", "other", "zero")
    await ids.send_mcp(talk, "A", "k", "hello")
    outcome = await ids.call_mcp(talk, "k", {"message": "hello"})

    check(outcome, "refused", "hello")


async def test_a_message_without_a_context_counts_among_those_that_begin_one(talk: Talk) -> None:
    begun = await ids.call_a2a(talk, "m", "hello")
    joined = await ids.call_a2a(talk, "m", "hello")
    context = json.loads(begun.told)["result"]["task"]["contextId"]
    within = await ids.call_a2a(talk, "m", "hello", contextId=context)
    other = await ids.call_a2a(talk, "m", "something")

    for again in (joined, within):
        assert (again.answers, again.seen) == (["answer-to-hello"], [])
    check(other, "refused", "something")


async def test_a_decision_counts_in_its_task_only(serve: ServeNotes) -> None:
    """The second task's yes had the id of the first one's, and was not heard, with 200."""
    burn = tools(("c1", "burn_notes", {}), said="I would burn them.")
    talk = Talk(await serve(*[triage("note_writer"), burn, text("Burnt.")] * 2))
    tasks: list[str] = []
    for n in (1, 2):
        asked = json.loads((await ids.call_a2a(talk, f"ask-{n}", "burn")).told)["result"]["task"]
        assert asked["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        tasks.append(asked["id"])
        done = await ids.call_a2a(talk, "1", "yes", taskId=asked["id"])
        assert "TASK_STATE_COMPLETED" in done.told
    again = await ids.call_a2a(talk, "1", "yes", taskId=tasks[0])
    other = await ids.call_a2a(talk, "1", "no", taskId=tasks[0])

    assert "TASK_STATE_COMPLETED" in again.told
    assert "for another message of the task" in other.told


async def test_an_edit_is_found_by_the_id_of_its_own_conversation(talk: Talk) -> None:
    for name in ("A", "B"):
        for n in (1, 2, 3):
            await ids.send_ui(talk, name, str(n), f"{name.lower()}{n}")
    shown = talk.said["A"]
    edited = {"id": "2", "role": "user", "parts": [{"type": "text", "text": "better"}]}
    body = {"id": "A", "messages": [*shown[:2], edited], "messageId": "2"}
    outcome = (await talk.post("/api/ui/default/chat", body))[1]
    # In the branch the ids before the cut are known as well.
    first = {**edited, "id": "1"}
    body |= {"messages": [first], "messageId": "1"}
    again = (await talk.post("/api/ui/default/chat", body))[1]

    assert outcome.seen == ["a1", "answer-to-a1", "better"]
    assert again.seen == ["better"]


async def test_another_answer_is_asked_for_in_its_own_conversation_only(talk: Talk) -> None:
    """The id of an answer of another conversation cut this one at the place that it has there."""
    for name in ("A", "B"):
        for n in (1, 2, 3):
            await ids.send_ui(talk, name, f"{name}{n}", f"{name.lower()}{n}")
    foreign = talk.said["A"][1]["id"]
    shown = talk.said["B"]
    body = {"id": "B", "messages": shown[:5], "trigger": "regenerate-message"}
    outcome = (await talk.post("/api/ui/default/chat", {**body, "messageId": foreign}))[1]

    assert outcome.seen == ["b1", "answer-to-b1", "b2", "answer-to-b2", "b3"]
    assert len(get_model(talk.served).requests) == 14


# An AG-UI message alone, under a known id, is an edit; a branch's run is in another thread.
JOINING = [
    name for name in IDENTITIES if name not in ("AG-UI message id", "native key of a branch")
]


@pytest.mark.parametrize("identity", JOINING)
async def test_a_refused_message_stops_nothing(identity: str, serve: ServeNotes) -> None:
    """The message of a known id must not interrupt the run that the id began."""
    gate = Gate(text("answer-to-first"))
    opening = [answer, answer] if identity in ("responses key", "A2A messageId") else []
    served = await serve(*opening, triage("note_writer"), gate)
    send = IDENTITIES[identity][0]
    first, second = Talk(served), Talk(served)
    running = asyncio.create_task(send(first, "A", "1", "first"))
    await gate.asked.wait()
    second.threads = dict(first.threads)
    refused = await send(second, "A", "1", "other")
    gate.open.set()

    check(refused, "refused", "other")
    check(await running, "own", "first")
