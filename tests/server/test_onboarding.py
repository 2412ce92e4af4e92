"""The interview over HTTP."""

from __future__ import annotations

import httpx2

from plainloop.agent.errors import ModelOverloaded
from tests.machine.scripted import Cut, text
from tests.server.conftest import HEADERS, Serve
from tests.server.events import names, parse_sse

PATH = "/api/chat/onboarding"


async def test_kick_starts_the_interview_and_messages_continue_it(ann: httpx2.AsyncClient):
    before = (await ann.get(PATH)).json()
    kicked = await ann.post(f"{PATH}/kick")
    events = parse_sse(kicked.text)
    answered = await ann.post(
        f"{PATH}/messages", json={"content": "I am Ada, a cook"}, headers=HEADERS
    )
    after = (await ann.get(PATH)).json()

    assert before == {
        "pack": "tracker",
        "conversation": None,
        "messages": [],
        "active_run_id": None,
    }
    assert events[-1].event == "done"
    assert events[-1].data["content"]
    assert answered.json()["conversation_id"] == after["conversation"]["id"]
    assert after["conversation"]["kind"] == "onboarding"
    roles = [item["role"] for item in after["messages"] if item["role"] != "tool"]
    assert roles[0] == "assistant"
    assert "user" in roles
    assert (await ann.get("/api/chat/conversations")).json()["conversations"] == []


async def test_the_limit_of_messages_holds_before_and_during_an_interview(ann: httpx2.AsyncClient):
    before = await ann.get(PATH, params={"limit": 101})
    await ann.post(f"{PATH}/kick")
    after = await ann.get(PATH, params={"limit": 101})

    assert (before.status_code, after.status_code) == (400, 400)


async def test_onboarding_complete_is_sent_before_done(serve: Serve):
    served = await serve(text("Thank you, that is all. [ONBOARDING_COMPLETE]"))
    ann = await served.client()
    answer = await ann.post(f"{PATH}/messages", json={"content": "I am Ada, a cook"})
    events = parse_sse(answer.text)

    assert [name for name in names(events) if name in ("onboarding_complete", "done")] == [
        "onboarding_complete",
        "done",
    ]
    assert "[ONBOARDING" not in answer.text
    assert events[-1].data == {"content": "Thank you, that is all."}


async def test_an_interview_holds_drafts_back_on_request(serve: Serve):
    cut = Cut("Who are ", ModelOverloaded("the model is overloaded"))
    served = await serve(cut, text("Who are you?"))
    ann = await served.client()
    said = {"content": "hello", "drafts": False}
    events = parse_sse((await ann.post(f"{PATH}/messages", json=said)).text)

    assert events[-1].data["content"] == "Who are you?"
    assert "text_reset" not in names(events)


async def test_conversations_of_all_kinds_are_listed_in_one_order(ann: httpx2.AsyncClient):
    room = "/api/chat/conversations"
    older = (await ann.post(room, json={"title": "Before"})).json()["id"]
    await ann.post(f"{PATH}/messages", json={"content": "I am Ada"}, headers=HEADERS)
    interview = (await ann.get(PATH)).json()["conversation"]["id"]
    newer = (await ann.post(room, json={"title": "After"})).json()["id"]

    async def list_pages(**query: str) -> list[str]:
        listed, cursor = list[str](), None
        while cursor or not listed:
            more = {"cursor": cursor} if cursor else {}
            page = (await ann.get(room, params={"limit": 1, **query, **more})).json()
            listed += [item["id"] for item in page["conversations"]]
            cursor = page["next_cursor"]
        return listed

    assert await list_pages() == [newer, older]
    assert await list_pages(kind="all") == [newer, interview, older]
    assert await list_pages(kind="all", text="I am Ada") == [interview]
