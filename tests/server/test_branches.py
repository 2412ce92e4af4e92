"""Regenerate, edit and branch: another answer or another question, and the first ones stay."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2

from plainloop.agent.types import ChatRequest
from tests.machine.scripted import text, triage
from tests.server.conftest import HEADERS, Serve, begin
from tests.server.events import parse_sse
from tests.server.held import begin_held
from tests.server.test_websocket import fold, open_socket, receive, receive_run, send

PATH = "/api/chat/conversations"


def answer(said: str) -> list[Any]:
    return [triage("general"), text(said)]


async def say(client: httpx2.AsyncClient, conversation: str, **body: Any) -> httpx2.Response:
    return await client.post(f"{PATH}/{conversation}/messages", json=body, headers=HEADERS)


async def read(client: httpx2.AsyncClient, conversation: str) -> list[str]:
    found = (await client.get(f"{PATH}/{conversation}")).json()["messages"]
    return [item["content"] for item in found]


async def test_regenerating_an_answer_creates_a_branch(serve: Serve):
    served = await serve(*answer("one"), *answer("two"), *answer("other"))
    ann = await served.client()
    first = await begin(ann)
    await say(ann, first, content="what of the first?")
    await say(ann, first, content="what of the second?")
    again = await say(ann, first, replaces=3)  # the position of the second answer
    branch = again.json()["conversation_id"]

    assert again.json()["content"] == "other"
    assert branch != first
    assert await read(ann, branch) == ["what of the first?", "one", "what of the second?", "other"]
    assert await read(ann, first) == ["what of the first?", "one", "what of the second?", "two"]


async def test_an_edited_message_replaces_the_original_in_its_branch(serve: Serve):
    requests: list[ChatRequest] = []

    def see(request: ChatRequest) -> Any:
        requests.append(request)
        return text("edited")

    served = await serve(*answer("one"), *answer("two"), triage("general"), see)
    ann = await served.client()
    first = await begin(ann)
    await say(ann, first, content="what of the first?")
    await say(ann, first, content="what of the second?")
    edited = await say(ann, first, content="what of the third?", replaces=2)

    assert await read(ann, edited.json()["conversation_id"]) == [
        *("what of the first?", "one", "what of the third?", "edited")
    ]
    assert "second" not in str(requests[0].messages)


async def test_an_edited_first_message_gives_its_branch_the_title(serve: Serve):
    served = await serve(*(item for n in range(5) for item in answer(str(n))))
    ann = await served.client()
    first, named = await begin(ann), await begin(ann, "Of the first")
    for chat in (first, named):
        await say(ann, chat, content="what of the first?")
    edited = [await say(ann, it, content="what of the third?", replaces=0) for it in (first, named)]
    again = await say(ann, first, replaces=0)
    ids = [first, *(item.json()["conversation_id"] for item in (*edited, again))]
    told = [(await ann.get(f"{PATH}/{it}")).json()["conversation"]["title"] for it in ids]

    # A title that a person wrote stays.
    assert told == [
        *("what of the first?", "what of the third?", "Of the first", "what of the first?")
    ]


async def test_a_message_sent_twice_with_one_key_makes_one_branch(serve: Serve):
    served = await serve(*answer("one"), *answer("other"))
    ann = await served.client()
    first = await begin(ann)
    await say(ann, first, content="what of the first?")
    path, body = f"{PATH}/{first}/messages", {"replaces": 0}
    headers = {**HEADERS, "idempotency-key": "again"}
    sent = [ann.post(path, json=body, headers=headers) for _ in range(4)]
    told = [(item.status_code, item.json()) for item in await asyncio.gather(*sent)]
    listed = (await ann.get(PATH)).json()["conversations"]
    other = await ann.post(path, json={**body, "content": "else?"}, headers=headers)

    assert [status for status, _ in told] == [200] * 4
    assert len({item["run_id"] for _, item in told}) == 1
    assert len(listed) == 2
    assert (other.status_code, other.json()["error"]["code"]) == (409, "IDEMPOTENCY_REUSED")


async def test_a_branch_cancels_the_active_run_only_with_interrupt(serve: Serve):
    run = await begin_held(serve, *answer("a"), *answer("b"))
    first = run.path.rpartition("/")[2]
    beside = await say(run.ann, first, replaces=0)
    active = (await run.ann.get(run.path)).json()["active_run_id"]
    instead = await say(run.ann, first, replaces=0, when_busy="interrupt")
    events = parse_sse(await run.stream.read_all())

    assert (beside.json()["content"], instead.json()["content"]) == ("a", "b")
    assert active is not None
    assert events[-1].data["code"] == "CANCELLED"


async def test_a_branch_is_independent_of_its_original(serve: Serve):
    served = await serve(*answer("one"), *answer("two"), *answer("else"))
    ann = await served.client()
    first = await begin(ann)
    await say(ann, first, content="what of the first?")
    await say(ann, first, content="what of the second?")
    whole = await ann.post(f"{PATH}/{first}/branches", json={})
    part = await ann.post(f"{PATH}/{first}/branches", json={"before": 2})
    await say(ann, part.json()["id"], content="what else?")

    assert (whole.status_code, whole.json()["message_count"]) == (201, 4)
    assert await read(ann, whole.json()["id"]) == await read(ann, first)
    assert await read(ann, part.json()["id"]) == [
        *("what of the first?", "one", "what else?", "else")
    ]


async def test_branching_at_a_missing_or_another_users_message_is_refused(serve: Serve):
    served = await serve(*answer("one"))
    ann, bob = await served.client(), await served.client("bob")
    first = await begin(ann)
    await say(ann, first, content="what of the first?")
    missing = await say(ann, first, replaces=2)
    foreign = await say(bob, first, replaces=0)
    copied = await bob.post(f"{PATH}/{first}/branches", json={})
    nothing = await say(ann, await begin(ann), replaces=0)

    assert [r.status_code for r in (missing, foreign, copied, nothing)] == [404] * 4
    assert (await bob.get(PATH)).json()["conversations"] == []


async def test_an_interview_has_no_branches(ann: httpx2.AsyncClient):
    path = "/api/chat/onboarding"
    await ann.post(f"{path}/messages", json={"content": "I am Ada"}, headers=HEADERS)
    told = await ann.post(f"{path}/messages", json={"content": "I am Bea", "replaces": 0})

    assert told.status_code == 400, told.text


async def test_a_websocket_reports_the_branchs_conversation(serve: Serve):
    served = await serve(*answer("one"), *answer("other"))
    first = await begin(await served.client())
    async with open_socket(served) as socket:
        await send(socket, conversation_id=first, content="what of the first?")
        await receive_run(socket)
        await send(socket, conversation_id=first, replaces=1)
        told = await receive(socket)
        frames = await receive_run(socket)
    branch = told["conversation_id"]

    assert (told["type"], told["branch_of"]) == ("branch", first)
    assert fold(frames) == "other" and branch != first
    assert (frames[-1]["conversation_id"], frames[-1]["run_id"]) == (branch, told["run_id"])
