"""Hazard: an id that a client gives counts elsewhere, and another message is cut, lost or mixed."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest

from tests.machine.scripted import text, triage
from tests.protocols import identities as ids
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.identities import Outcome, Send, Talk, answer
from tests.runs.test_detached import Gate


class Identity(NamedTuple):
    """What is done with an id: taken in another conversation as if it were new ("own"), or refused.

    again: the same message under it joins its run, or is answered anew in a branch. keeps_past: the
    conversation's earlier messages are before the last one. joins: a message under a known id meets
    the run that the id began. opens: the conversation begins with a message of its own.
    """

    send: Send
    elsewhere: str
    again: str
    keeps_past: bool = True
    joins: bool = True
    opens: bool = False


IDENTITIES: dict[str, Identity] = {
    # Alone, under a known id, it is an edit.
    "AG-UI message id": Identity(ids.send_agui_message, "own", "anew", joins=False),
    "AG-UI runId": Identity(ids.send_agui_run, "own", "joined"),
    "AI SDK message id": Identity(ids.send_ui, "own", "joined"),
    "chat completions key": Identity(ids.send_chat, "refused", "joined"),
    "Messages key": Identity(ids.send_messages, "refused", "joined"),
    "chat completions key by history": Identity(
        ids.send_history, "refused", "joined", keeps_past=False
    ),
    "responses key": Identity(ids.send_response, "refused", "joined", opens=True),
    "native key": Identity(ids.send_native, "refused", "joined"),
    # Its run is in another thread.
    "native key of a branch": Identity(
        ids.send_replacing, "refused", "joined", keeps_past=False, joins=False
    ),
    "WebSocket key": Identity(ids.send_socket, "refused", "joined"),
    "MCP key": Identity(ids.send_mcp, "refused", "joined"),
}
each = pytest.mark.parametrize("identity", IDENTITIES.values(), ids=IDENTITIES)


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
async def test_a_message_id_of_another_conversation_starts_a_new_run(
    identity: Identity, talk: Talk
) -> None:
    send, elsewhere = identity.send, identity.elsewhere
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
    if identity.keeps_past:
        kept = ["a1", "answer-to-a1", "a2", "answer-to-a2", "a3"]
        assert last.seen[-5:] == kept
    if elsewhere == "own":
        after = await send(talk, "B", "4", "b4")
        said = [text for n in (1, 2, 3) for text in (f"b{n}", f"answer-to-b{n}")]
        assert after.seen[-7:] == [*said, "b4"]


@each
async def test_message_ids_of_another_user_or_tenant_start_new_runs(
    identity: Identity, talk: Talk
) -> None:
    send = identity.send
    await send(talk, "A", "1", "secret")
    own = await send(Talk(talk.served, "bob"), "A", "1", "hello")
    same = await send(Talk(talk.served, "ann", "globex"), "A", "1", "secret")

    check(own, "own", "hello")
    assert not any("secret" in said for said in own.seen)
    check(same, "own", "secret")
    assert same.seen[-1] == "secret"  # asked anew, not shown another's answer


@each
async def test_a_message_sent_again_joins_its_first_run(identity: Identity, talk: Talk) -> None:
    send = identity.send
    await send(talk, "A", "1", "first")
    repeated = await send(talk, "A", "1", "first")

    check(repeated, "own", "first")
    assert bool(repeated.seen) == (identity.again == "anew")
    assert repeated.seen.count("first") == (identity.again == "anew")


@each
async def test_a_different_message_with_a_used_id_is_refused(
    identity: Identity, talk: Talk
) -> None:
    send = identity.send
    check(await send(talk, "A", "1", "first"), "own", "first")
    check(await send(talk, "A", "1", "other"), "refused", "other")
    last = await send(talk, "A", "2", "last")

    check(last, "own", "last")
    assert "other" not in last.seen


async def test_a_key_used_for_one_conversation_is_refused_in_another(talk: Talk) -> None:
    """A message without a conversation means a new one: no run within another is joined."""
    await ids.send_mcp(talk, "A", "other", "zero")
    await ids.send_mcp(talk, "A", "k", "hello")
    outcome = await ids.call_mcp(talk, "k", {"message": "hello"})

    check(outcome, "refused", "hello")


async def test_an_edited_message_is_matched_only_in_its_conversation(talk: Talk) -> None:
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


async def test_regenerating_matches_only_the_own_conversation(talk: Talk) -> None:
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


JOINING = {name: item for name, item in IDENTITIES.items() if item.joins}


@pytest.mark.parametrize("identity", JOINING.values(), ids=JOINING)
async def test_a_refused_message_does_not_stop_the_active_run(
    identity: Identity, serve: ServeNotes
) -> None:
    """The message of a known id must not interrupt the run that the id began."""
    gate = Gate(text("answer-to-first"))
    opening = [answer, answer] if identity.opens else []
    served = await serve(*opening, triage("note_writer"), gate)
    send = identity.send
    first, second = Talk(served), Talk(served)
    running = asyncio.create_task(send(first, "A", "1", "first"))
    await gate.asked.wait()
    second.threads = dict(first.threads)
    refused = await send(second, "A", "1", "other")
    gate.open.set()

    check(refused, "refused", "other")
    check(await running, "own", "first")
