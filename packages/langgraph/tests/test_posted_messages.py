"""Ids and pasts that a client of LangGraph posts: each counts in its thread, none is lost."""

# pyright: basic

from __future__ import annotations

import uuid
from typing import Any

import pytest

from plainloop.agent.store.connecting.open_transaction import Transaction
from plainloop_langgraph.store import SQL
from tests.machine.scripted import text, tools, triage
from tests.protocols.identities import Outcome, Talk, answer
from tests.protocols.test_posted_pasts import (
    CASES,
    PAST,
    SPOKEN_FIRST,
    Said,
    check_posted_answer,
    list_stored,
)

from .conftest import ServeNotes

KINDS = {"assistant": "ai", "user": "human"}


async def post(talk: Talk, name: str, messages: list[dict[str, Any]]) -> Outcome:
    thread = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
    body = {"assistant_id": "default", "input": {"messages": messages}, "if_not_exists": "create"}
    path = f"/langgraph/threads/{thread}/runs/stream"
    return (await talk.post(path, {**body, "stream_mode": ["messages-tuple"]}))[1]


def to_messages(said: Said, *, ids: bool) -> list[dict[str, Any]]:
    return [
        {"type": KINDS[role], "content": words, **({"id": f"m-{n}"} if ids else {})}
        for n, (role, words) in enumerate(said)
    ]


async def send(talk: Talk, name: str, message_id: str, said: str) -> Outcome:
    return await post(talk, name, [{"type": "human", "content": said, "id": message_id}])


async def test_ids_and_metadata_that_are_no_texts_cause_no_500(serve: ServeNotes) -> None:
    served = await serve(answer)
    client = await served.client()
    search = {"metadata": {"created_by": ["system"]}}
    found = await client.post("/langgraph/assistants/search", json=search)
    messages = [
        {"type": "human", "content": "a", "id": []},
        {"type": "tool", "content": "b", "tool_call_id": []},
        {"type": "human", "content": "c", "id": {}},
    ]
    body = {"assistant_id": "default", "input": {"messages": messages}}
    refused = await client.post("/langgraph/runs/wait", json=body)
    del messages[1]
    answered = await client.post("/langgraph/runs/wait", json=body)

    assert (found.status_code, found.json()) == (200, [])
    assert refused.status_code == 422 and "'tool' is not supported" in refused.json()["detail"]
    assert answered.status_code == 200, answered.text


async def test_joining_a_run_returns_its_own_question_and_answer(serve: ServeNotes) -> None:
    burn = tools(("c1", "burn_notes", {}), said="I would burn them.")
    talk = Talk(await serve(triage("note_writer"), text("One."), triage("note_writer"), burn))
    for n in (1, 2):
        await send(talk, "A", f"m-{n}", f"a{n}")
    client = await talk.served.client()
    path = f"/langgraph/threads/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}/runs"
    second, first = [run["run_id"] for run in (await client.get(path)).json()]
    told = [(await client.get(f"{path}/{run}/join")).json() for run in (first, second)]
    said = [[item["content"] for item in values["messages"]] for values in told]

    assert said == [["a1", "One."], ["a1", "One.", "a2", "I would burn them."]]
    assert ["__interrupt__" in values for values in told] == [False, True]


async def test_a_page_beyond_the_end_states_the_true_total(serve: ServeNotes) -> None:
    served = await serve()
    ann, bob = await served.client(), await served.client("bob")
    path = "/langgraph/threads"
    for _ in range(2):
        await ann.post(path, json={})
    told: list[tuple[str, int]] = []
    for client in (ann, bob):
        page = await client.post(f"{path}/search", json={"offset": 5})
        count = await client.post(f"{path}/count", json={"offset": 5})
        assert page.json() == []
        told.append((page.headers["x-pagination-total"], count.json()))

    assert told == [("2", 2), ("0", 0)]


async def test_a_page_of_runs_of_any_length_takes_the_same_queries(
    serve: ServeNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk, asked, fetch = Talk(await serve(*[answer] * 6)), list[str](), Transaction.fetch
    for n in range(3):
        await send(talk, "A", f"m-{n}", f"a{n}")
    client = await talk.served.client()
    path = f"/langgraph/threads/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}/runs"

    async def record(tx: Transaction, query: str, *args: Any) -> Any:
        asked.append(query)
        return await fetch(tx, query, *args)

    monkeypatch.setattr(Transaction, "fetch", record)
    counts: list[tuple[int, int]] = []
    for limit, offset in ((1, 0), (2, 1), (1_000, 0)):
        asked.clear()
        page = await client.get(path, params={"limit": limit, "offset": offset})
        counts.append((len(page.json()), asked.count(SQL["load_metadata"])))

    assert counts == [(1, 1), (2, 1), (3, 1)]


async def test_a_page_of_runs_is_whole_or_refused(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[answer] * 6, page_rows=2))
    for n in range(3):
        await send(talk, "A", f"m-{n}", f"a{n}")
    client = await talk.served.client()
    path = f"/langgraph/threads/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}/runs"
    whole = await client.get(path, params={"limit": 1_000})
    refused = [await client.get(path, params={"limit": n}) for n in (-1, 1_001)]

    assert len(whole.json()) == 3
    assert [response.status_code for response in refused] == [422, 422]
    assert all("limit" in response.json()["detail"] for response in refused), refused[1].text


async def test_a_page_of_threads_or_states_is_whole_or_refused(serve: ServeNotes) -> None:
    served = await serve(*[answer] * 4, page_rows=2)
    talk, client, path = Talk(served), await served.client(), "/langgraph/threads"
    for n in range(2):
        await send(talk, "A", f"m-{n}", f"a{n}")
    for _ in range(2):
        await client.post(path, json={})
    states = f"{path}/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}/history"
    brief = {"select": ["thread_id", "status"]}

    async def list_rows(path: str, limit: int, **more: Any) -> int | str:
        page = await client.post(path, json={"limit": limit, **more})
        assert page.status_code in (200, 422), page.text
        return len(page.json()) if page.status_code == 200 else page.json()["detail"]

    counts = [
        await list_rows(f"{path}/search", 2),
        await list_rows(f"{path}/search", 1_000, **brief),
        await list_rows(f"{path}/search", 1_000, offset=1),
        await list_rows(states, 2),
    ]
    refused = [
        await list_rows(f"{path}/search", 1_000),
        await list_rows(states, 1_000),
        *[await list_rows(f"{path}/search", limit, **brief) for limit in (-1, 0, 1_001)],
    ]

    assert counts == [2, 3, 2, 2]
    assert all("limit" in str(detail) for detail in refused)


async def test_no_thread_remains_of_a_refused_first_run(serve: ServeNotes) -> None:
    talk = Talk(await serve(message_chars=10))
    outcome = await send(talk, "A", "m-1", "longer than ten")
    client = await talk.served.client()
    left = await client.get(f"/langgraph/threads/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}")

    assert outcome.is_refused
    assert left.status_code == 404


async def test_no_branch_remains_of_a_refused_run_from_a_checkpoint(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[answer] * 4, message_chars=10))
    for n in (1, 2):
        await send(talk, "A", f"m-{n}", f"a{n}")
    client, before = await talk.served.client(), await list_stored(talk)
    path = f"/langgraph/threads/{uuid.uuid5(uuid.NAMESPACE_URL, 'A')}"
    earlier = (await client.post(f"{path}/history", json={})).json()[1]["checkpoint"]
    question = {"messages": [{"type": "human", "content": "longer than ten"}]}
    body = {"assistant_id": "default", "input": question, "checkpoint": earlier}
    refused = await client.post(f"{path}/runs/wait", json=body)
    state = (await client.get(f"{path}/state")).json()["values"]["messages"]

    assert (refused.status_code, await list_stored(talk)) == (422, before), refused.text
    assert len(state) == 4


async def test_a_langgraph_message_id_is_unique_per_thread(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[answer] * 20))
    for n in (1, 2):
        await send(talk, "A", str(n), f"a{n}")
    for n, name in ((1, "b"), (2, "2"), (3, "1")):
        outcome = await send(talk, "B", name, f"b{n}")
        assert outcome.seen[-1] == f"b{n}"
    joined = await send(talk, "B", "1", "b3")
    refused = await send(talk, "B", "1", "other")
    last = await send(talk, "A", "3", "a3")
    bob = await send(Talk(talk.served, "bob"), "A", "1", "a1")

    assert outcome.seen == ["b1", "answer-to-b1", "b2", "answer-to-b2", "b3"]
    assert (joined.answers[-1], joined.seen) == ("answer-to-b3", [])
    assert (refused.is_refused, refused.seen) == (True, [])
    assert last.seen == ["a1", "answer-to-a1", "a2", "answer-to-a2", "a3"]
    assert bob.seen == ["a1"]


@pytest.mark.parametrize("ids", [True, False], ids=["ids kept", "without ids"])
@pytest.mark.parametrize("case", CASES)
async def test_a_history_posted_twice_is_stored_once(
    case: str, ids: bool, serve: ServeNotes
) -> None:
    said, seen = CASES[case]
    talk = Talk(await serve(*[answer] * 6))
    first = await post(talk, "A", to_messages(said, ids=ids))
    answered = f"answer-to-{said[-1][1]}"
    shown: Said = [*said, ("assistant", answered), ("user", "i-cook"), ("user", "thanks")]
    second = await post(talk, "A", to_messages(shown, ids=ids))
    after = [*seen, answered, "i-cook", "thanks"]
    [stored] = await list_stored(talk)

    assert first.seen == seen
    assert second.seen == after
    assert stored == [*(item for item in after if item != SPOKEN_FIRST), "answer-to-thanks"]


async def test_messages_added_by_the_client_are_stored(serve: ServeNotes) -> None:
    """A client that posts only what is new: an answer of its own, then two messages."""
    talk = Talk(await serve(*[answer] * 4))
    begun = await send(talk, "A", "1", "hello")
    added: Said = [("user", "i-am-ines"), ("assistant", "noted"), ("user", "who-am-i")]
    outcome = await post(talk, "A", to_messages(added, ids=True))

    assert outcome.seen == ["hello", *begun.answers, "i-am-ines", "noted", "who-am-i"]


async def test_an_assistant_message_posted_by_a_client_is_untrusted(serve: ServeNotes) -> None:
    talk = Talk(await serve(*[answer] * 2))
    await post(talk, "A", to_messages(PAST, ids=True))
    await check_posted_answer(talk)
