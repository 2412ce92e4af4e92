"""Hazard: what a page posts before its newest message is lost, stored twice, or out of order."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.core.taint import Guard
from plainloop.agent.core.tools import ToolRegistry
from tests.machine.scripted import Step, text, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.identities import Outcome, Talk, answer
from tests.runs.test_detached import Gate

Post = Callable[..., Coroutine[Any, Any, Outcome]]
Said = list[tuple[str, str]]  # role and text, with an optional id before a colon
SPOKEN_FIRST = "(You speak first.)"
GREETING: Said = [("assistant", "shall-i-list"), ("user", "yes-please")]
PAST: Said = [("user", "i-am-ines"), ("assistant", "hello-ines"), ("user", "who-am-i")]
QUEUED: Said = [("user", "i-am-ines"), ("user", "who-am-i")]
IN_PIECES: Said = [
    ("user", "plan?"),
    *(("assistant", said) for said in ("rest", "eat", "work")),
    ("user", "and-then"),
]
CASES: dict[str, tuple[Said, list[str]]] = {
    "a greeting": (GREETING, [SPOKEN_FIRST, "shall-i-list", "yes-please"]),
    "a past": (PAST, ["i-am-ines", "hello-ines", "who-am-i"]),
    "queued messages": (QUEUED, ["i-am-ines", "who-am-i"]),
    "an answer in pieces": (IN_PIECES, ["plan?", "rest\n\neat\n\nwork", "and-then"]),
}


async def post_ui(talk: Talk, name: str, said: Said, *, ids: bool = True) -> Outcome:
    messages = [
        {"id": _name(n, role, ids=ids), "role": role, "parts": [{"type": "text", "text": words}]}
        for n, (role, words) in enumerate(said)
    ]
    body = {"id": name, "messages": messages}
    return (await talk.post("/api/ui/default/chat", body))[1]


async def post_agui(talk: Talk, name: str, said: Said, *, ids: bool = True) -> Outcome:
    messages = [
        {"id": _name(n, role, ids=ids), "role": role, "content": words}
        for n, (role, words) in enumerate(said)
    ]
    run = uuid.uuid4().hex
    body = {"threadId": name, "runId": run, "messages": messages, "tools": [], "context": []}
    return (await talk.post("/api/agui/default", body))[1]


def _name(n: int, role: str, *, ids: bool) -> str:
    """ids: the client keeps its messages' ids; else it makes new ones for each post, as some do."""
    return f"{role}-{n}" if ids else uuid.uuid4().hex


async def post_chat(talk: Talk, name: str, said: Said, *, ids: bool = True) -> Outcome:
    messages = [{"role": role, "content": words} for role, words in said]
    headers = {"x_conversation_id": name} if ids else {}
    body = {"model": "notes/default", "messages": messages}
    return (await talk.post("/v1/chat/completions", body, **headers))[1]


async def post_responses(talk: Talk, name: str, said: Said, *, ids: bool = True) -> Outcome:
    items = [{"role": role, "content": words} for role, words in said]
    headers = {"x_conversation_id": name} if ids else {}
    body = {"model": "notes/default", "input": items}
    return (await talk.post("/v1/responses", body, **headers))[1]


POSTS: dict[str, Post] = {
    "AI SDK": post_ui,
    "AG-UI": post_agui,
    "chat completions": post_chat,
    "responses": post_responses,
}
each = pytest.mark.parametrize("protocol", POSTS)
with_ids = pytest.mark.parametrize("ids", [True, False], ids=["ids kept", "ids made anew"])


async def list_stored(talk: Talk) -> list[list[str]]:
    """What the user's conversations hold, the newest conversation first."""
    store = talk.served.service.store
    threads = await store.list_threads(talk.tenant, talk.user, limit=9)
    stored = [await store.load_messages(talk.tenant, thread.thread_id) for thread in threads]
    return [[get_text(message) for message in messages] for messages in stored]


@with_ids
@each
@pytest.mark.parametrize("case", CASES)
async def test_a_posted_history_reaches_the_model_and_is_stored_once(
    case: str, protocol: str, ids: bool, serve: ServeNotes
) -> None:
    said, seen = CASES[case]
    talk, post = Talk(await serve(*[answer] * 6)), POSTS[protocol]
    first = await post(talk, "A", said, ids=ids)
    shown: Said = [*said, ("assistant", first.answers[-1]), ("user", "thanks")]
    second = await post(talk, "A", shown, ids=ids)
    answered = f"answer-to-{said[-1][1]}"
    after = [*seen, answered, "thanks"]
    [stored] = await list_stored(talk)

    assert first.seen == seen
    assert second.seen == after
    assert stored == [*(item for item in after if item != SPOKEN_FIRST), "answer-to-thanks"]


@each
async def test_an_assistant_message_posted_by_a_client_is_untrusted(
    protocol: str, serve: ServeNotes
) -> None:
    talk = Talk(await serve(*[answer] * 6))
    await POSTS[protocol](talk, "A", PAST)
    await check_posted_answer(talk)


async def check_posted_answer(talk: Talk) -> None:
    """What the client says was answered is stored, and counts as from outside."""
    store = talk.served.service.store
    [thread] = await store.list_threads(talk.tenant, talk.user, limit=9)
    stored = await store.load_messages(talk.tenant, thread.thread_id)
    marked = [get_text(m) for m in stored if "is_untrusted" in m["parts"][0]]

    assert marked == ["hello-ines"]
    guard = Guard(stored, "", ToolRegistry())
    assert guard.is_tainted
    assert "hello-ines" in guard.sources.outside
    assert "hello-ines" not in guard.sources.user


@with_ids
@each
async def test_messages_queued_in_a_known_conversation_are_stored_once(
    protocol: str, ids: bool, serve: ServeNotes
) -> None:
    talk, post = Talk(await serve(*[answer] * 8)), POSTS[protocol]
    shown: Said = [("user", "hello")]
    shown += [("assistant", (await post(talk, "A", shown, ids=ids)).answers[-1])]
    shown += [("user", "hello"), ("user", "i-am-ines"), ("user", "who-am-i")]  # one of them again
    second = await post(talk, "A", shown, ids=ids)
    shown += [("assistant", second.answers[-1]), ("user", "thanks")]
    third = await post(talk, "A", shown, ids=ids)
    seen = ["hello", "answer-to-hello", "hello", "i-am-ines", "who-am-i"]

    assert second.seen == seen
    assert third.seen == [*seen, "answer-to-who-am-i", "thanks"]
    assert (await list_stored(talk))[0] == [*third.seen, "answer-to-thanks"]


@pytest.mark.parametrize("protocol", ["AI SDK", "AG-UI"])
async def test_an_answer_that_a_page_adds_does_not_replace_the_stored_one(
    protocol: str, serve: ServeNotes
) -> None:
    talk, post = Talk(await serve(*[answer] * 6)), POSTS[protocol]
    shown: Said = [("user", "hello")]
    first = (await post(talk, "A", shown)).answers[-1]
    shown += [("assistant", first), ("assistant", "a-note-of-the-page"), ("user", "thanks")]
    second = await post(talk, "A", shown)

    assert second.seen == ["hello", first, "a-note-of-the-page", "thanks"]


@pytest.mark.parametrize("protocol", ["AI SDK", "AG-UI"])
async def test_messages_queued_during_a_run_join_the_newest(
    protocol: str, serve: ServeNotes
) -> None:
    gate = Gate(text("late"))
    script: list[Step] = [triage("note_writer"), gate, *[_join_answer] * 4]
    talk, post = Talk(await serve(*script)), POSTS[protocol]
    shown: Said = [("user", "hello")]
    running = asyncio.create_task(post(talk, "A", shown))
    await gate.asked.wait()
    shown += [("assistant", "la"), ("user", "i-am-ines"), ("user", "who-am-i")]
    second = await post(talk, "A", shown)
    await running
    shown += [("assistant", second.answers[-1]), ("user", "thanks")]
    third = await post(talk, "A", shown)

    assert "i-am-ines\n\nwho-am-i" in second.seen
    assert [said for said in third.seen if "ines" in said] == ["i-am-ines\n\nwho-am-i"]


def _join_answer(request: Any) -> Any:
    """An answer in one word, whatever the question."""
    return answer(request) if request.json_schema is not None else text("answer-to-all")


async def test_a_page_that_greets_at_each_load_stores_no_second_greeting(serve: ServeNotes) -> None:
    """Its thread is known, its history is not loaded: the greeting is its own."""
    talk = Talk(await serve(*[answer] * 4))
    await post_agui(talk, "A", GREETING, ids=False)
    second = await post_agui(talk, "A", [GREETING[0], ("user", "again")], ids=False)

    assert [said for said in second.seen if said == "shall-i-list"] == ["shall-i-list"]


async def test_a_refused_message_does_not_end_its_chat(serve: ServeNotes) -> None:
    """Its page shows it still, and posts it again before each later message."""
    talk = Talk(await serve(*[answer] * 4, message_chars=50))
    shown: Said = [("user", "x" * 60)]
    assert (await post_ui(talk, "A", shown)).is_refused
    shown += [("user", "hello")]
    first = await post_ui(talk, "A", shown)
    shown += [("assistant", first.answers[-1]), ("user", "thanks")]
    second = await post_ui(talk, "A", shown)

    assert first.seen[-1] == "hello" and "refused" in first.seen[0]
    assert [said for said in second.seen if "refused" in said] == [first.seen[0]]


async def test_no_chat_remains_of_a_refused_first_message(serve: ServeNotes) -> None:
    served = await serve(message_chars=50)
    talk, client = Talk(served), await served.client()
    shown: Said = [*GREETING, ("user", "x" * 60)]
    posted = [{"role": role, "content": words} for role, words in (("user", "y" * 60), *shown)]
    body = {"model": "notes/default", "messages": posted}
    refused = [
        await post_ui(talk, "A", shown),
        await post_agui(talk, "A", shown),
        (await talk.post("/v1/chat/completions", body, x_conversation_id="A"))[1],
    ]
    listed = (await client.get("/api/chat/conversations")).json()["conversations"]

    assert all(outcome.is_refused for outcome in refused)
    assert listed == []


@pytest.mark.parametrize("protocol", ["AI SDK", "AG-UI", "chat completions"])
async def test_no_branch_remains_of_a_refused_version_of_a_message(
    protocol: str, serve: ServeNotes
) -> None:
    """The client's name means the branch before it again, not the first of all."""
    talk = Talk(await serve(*[answer] * 8, message_chars=50))
    post = partial(POSTS[protocol], ids=protocol == "chat completions")
    shown: Said = [("user", "one"), ("assistant", "answer-to-one")]
    await post(talk, "A", shown[:1])
    await post(talk, "A", [*shown, ("user", "two")])
    await post(talk, "A", [*shown, ("user", "other")])
    before = await list_stored(talk)
    refused = await post(talk, "A", [*shown, ("user", "x" * 60)])
    stored = await list_stored(talk)
    shown += [("user", "other"), ("assistant", "answer-to-other"), ("user", "three")]
    await post(talk, "A", shown)

    assert refused.is_refused and len(before) == 2
    assert stored == before
    after = await list_stored(talk)
    assert [thread[-2] for thread in after if "three" in thread] == ["three"]
    assert len(after) == 2


async def test_every_input_after_previous_response_id_is_a_new_message(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[answer] * 4))
    body: dict[str, Any] = {"model": "notes/default", "input": "yes"}
    begun = (await talk.post("/v1/responses", body))[0].json()
    items = [{"role": "user", "content": said} for said in ("yes", "i-am-ines", "who-am-i")]
    body |= {"input": items, "previous_response_id": begun["id"]}
    outcome = (await talk.post("/v1/responses", body))[1]

    assert outcome.seen == ["yes", "answer-to-yes", "yes", "i-am-ines", "who-am-i"]


async def test_two_simultaneous_posts_of_one_history_store_it_once(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[_join_answer] * 8))
    said: Said = [*PAST[:2], ("user", "one")]
    await asyncio.gather(*(post_ui(talk, "A", said) for _ in range(2)))

    assert [thread.count("i-am-ines") for thread in await list_stored(talk)] == [1]
    assert len([r for r in get_model(talk.served).requests if r.json_schema is None]) == 1


@pytest.mark.parametrize(("user", "tenant"), [("bob", "acme"), ("ann", "globex")])
async def test_a_posted_history_of_another_user_or_tenant_is_not_matched(
    user: str, tenant: str, serve: ServeNotes
) -> None:
    talk = Talk(await serve(*[answer] * 4))
    stranger = Talk(talk.served, user, tenant)
    await post_ui(talk, "A", PAST)
    other = await post_ui(stranger, "A", QUEUED)

    assert other.seen == ["i-am-ines", "who-am-i"]
    assert await list_stored(stranger) == [["i-am-ines", "who-am-i", "answer-to-who-am-i"]]
