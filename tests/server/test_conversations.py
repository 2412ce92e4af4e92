"""Conversations over HTTP: made, read, renamed, erased; talked in, watched, stopped."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2

from plainloop.agent.errors import ModelAuthError, ToolsUnsupported
from tests.machine.scripted import text, triage, verdict
from tests.server.conftest import HEADERS, Serve, ask, begin, until
from tests.server.events import fold, names, post
from tests.server.held import Held

PATH = "/api/chat/conversations"


async def test_a_conversation_can_be_created_listed_renamed_and_erased(ann: httpx2.AsyncClient):
    made = await ann.post(PATH, json={"title": "Jobs"})
    conversation = made.json()
    listed = (await ann.get(PATH)).json()
    renamed = await ann.patch(f"{PATH}/{conversation['id']}", json={"title": "Work"})
    read = (await ann.get(f"{PATH}/{conversation['id']}")).json()
    erased = await ann.delete(f"{PATH}/{conversation['id']}")
    gone = await ann.get(f"{PATH}/{conversation['id']}")

    assert made.status_code == 201
    assert conversation == {
        "id": conversation["id"],
        "user_id": "ann",
        "title": "Jobs",
        "pack": "tracker",
        "kind": "chat",
        "model": None,
        "message_count": 0,
        "created_at": conversation["created_at"],
        "updated_at": conversation["created_at"],
    }
    more = {"is_pinned": False, "labels": [], "user_message_count": 0, "hit": None}
    assert listed == {
        "conversations": [{**conversation, "last_status": None, **more}],
        "next_cursor": None,
    }
    assert renamed.json() == {**conversation, "title": "Work"}
    assert read == {
        "conversation": {**conversation, "title": "Work"},
        "messages": [],
        "ratings": [],
        "versions": [],
        "has_earlier": False,
        "active_run_id": None,
    }
    assert (erased.status_code, erased.content) == (204, b"")
    assert gone.status_code == 404
    assert gone.json() == {
        "error": {
            "code": "NOT_FOUND",
            "message": f"no such conversation: {conversation['id']}",
            "hint": "Check the id; only conversations of the same user are visible.",
        }
    }


async def test_pages_of_conversations_follow_a_cursor(ann: httpx2.AsyncClient):
    made = [await begin(ann, f"number {n}") for n in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    for size in (2, 2, 1):
        page = (await ann.get(PATH, params=query)).json()
        assert len(page["conversations"]) == size
        seen += [item["id"] for item in page["conversations"]]
        query["cursor"] = page["next_cursor"]

    assert seen == made[::-1]
    assert query["cursor"] is None
    assert (await ann.get(PATH, params={"cursor": "nonsense"})).status_code == 400
    assert (await ann.get(PATH, params={"limit": 1000})).status_code == 400
    assert (await ann.get(PATH, params={"limit": "many"})).status_code == 422


async def test_a_message_is_answered_by_a_stream_of_its_run(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    answer, events = await post(ann, conversation, "how many jobs have I applied to?")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["x-conversation-id"] == conversation
    assert answer.text.startswith("retry: 1000\n\n")
    assert [item.seq for item in events] == [*range(1, len(events) + 1)]
    assert events[0].event == "run_start"
    assert events[0].data["run_id"] == answer.headers["x-run-id"]
    assert events[0].data["thread_id"] == conversation
    assert names(events).count("done") == 1
    assert events[-1].event == "done"
    assert events[-1].data == {"content": "You have no jobs with status applied."}
    assert fold(events) == events[-1].data["content"]


async def test_accept_json_waits_for_the_finished_answer(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    answer = await ask(ann, conversation, "add a job: Cook at Cafe Uno")
    read = (await ann.get(f"{PATH}/{conversation}")).json()
    run = (await ann.get(f"/api/runs/{answer['run_id']}")).json()

    assert answer == {
        "run_id": answer["run_id"],
        "conversation_id": conversation,
        "status": "succeeded",
        "message_id": read["messages"][-1]["id"],
        "content": answer["content"],
        "approvals": [],
        "output": None,
    }
    assert "Cook at Cafe Uno" in answer["content"]
    assert run["status"] == "succeeded"
    assert [item["role"] for item in read["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert [item["position"] for item in read["messages"]] == [0, 1, 2, 3]
    assert read["messages"][-1]["content"] in answer["content"]
    assert read["conversation"]["title"] == "add a job: Cook at Cafe Uno"
    assert {item["run_id"] for item in read["messages"]} == {answer["run_id"]}


async def test_messages_are_read_in_pages_from_the_newest(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    for n in range(3):
        await ask(ann, conversation, f"how many jobs have I applied to? {n}")
    last = (await ann.get(f"{PATH}/{conversation}", params={"limit": 2})).json()
    before = {"limit": 10, "before": last["messages"][0]["position"]}
    first = (await ann.get(f"{PATH}/{conversation}", params=before)).json()

    positions = [item["position"] for item in [*first["messages"], *last["messages"]]]
    assert last["has_earlier"] is True
    assert first["has_earlier"] is False
    assert positions == [*range(len(positions))]


async def test_a_hundred_posts_with_one_key_make_one_run(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    key = {"headers": {"idempotency-key": "only"}}
    answers = await asyncio.gather(
        *(post(ann, conversation, "how many jobs have I applied to?", **key) for _ in range(100))
    )
    read = (await ann.get(f"{PATH}/{conversation}")).json()
    again, same = await post(ann, conversation, "how many jobs have I applied to?", **key)
    other, _ = await post(ann, conversation, "list my contacts", **key)

    assert {answer.status_code for answer, _ in answers} == {200}
    assert len({answer.headers["x-run-id"] for answer, _ in (*answers, (again, same))}) == 1
    assert all(events == same for _, events in answers)
    assert read["conversation"]["message_count"] == 2
    assert (other.status_code, other.json()["error"]["code"]) == (409, "IDEMPOTENCY_REUSED")


async def test_of_many_simultaneous_messages_one_begins(serve: Serve):
    held = Held()
    served = await serve(*held.script)
    ann = await served.client()
    conversation = await begin(ann)
    posts = [
        asyncio.create_task(post(ann, conversation, f"tell me story number {n}")) for n in range(30)
    ]

    async def are_refused() -> bool:
        return sum(task.done() for task in posts) == 29

    await until(are_refused)
    held.open.set()
    answers = [(await task)[0] for task in posts]
    read = (await ann.get(f"{PATH}/{conversation}")).json()

    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 29]
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {told["error"]["code"] for told in refused} == {"THREAD_BUSY"}
    assert [item["role"] for item in read["messages"]] == ["user", "assistant"]


async def test_a_rejected_draft_is_listed_as_superseded(serve: Serve):
    drafts = [text("Dear sir or madam,"), verdict("retry", "name her"), text("Dear Ms Rivera,")]
    ann = await (await serve(triage("writer"), *drafts, verdict("pass"))).client()
    conversation = await begin(ann)
    await ask(ann, conversation, "write to her")
    path = f"{PATH}/{conversation}"
    read = (await ann.get(path)).json()["messages"]
    page = (await ann.get(path, params={"before": read[-1]["position"]})).json()["messages"]

    assert [(item["content"], item["status"]) for item in read] == [
        ("write to her", "complete"),
        ("Dear sir or madam,", "superseded"),
        ("Dear Ms Rivera,", "complete"),
    ]
    assert page == read[:-1]


async def test_a_run_that_failed_is_an_error_with_its_code(serve: Serve):
    ann = await (await serve(*[ModelAuthError("wrong key")] * 2)).client()
    conversation = await begin(ann)
    answer = await ann.post(
        f"{PATH}/{conversation}/messages", json={"content": "hello there"}, headers=HEADERS
    )

    assert answer.status_code == 503
    told = answer.json()["error"]
    assert told.pop("action") == {"screen": "settings/models", "label": "Replace the key"}
    assert told == {"code": "MODEL_AUTH", "message": ModelAuthError.sentence}


async def test_a_model_without_tool_support_has_its_own_error_code(serve: Serve):
    served = await serve(
        triage("general"), ToolsUnsupported("ollama: the model m cannot use tools")
    )
    ann = await served.client()
    conversation = await begin(ann)
    answer, events = await post(ann, conversation, "hello you there")
    again = await ann.get(f"/api/runs/{answer.headers['x-run-id']}")

    assert events[-1].data == {"message": ToolsUnsupported.sentence, "code": "NO_TOOL_SUPPORT"}
    assert again.json()["error_code"] == "NO_TOOL_SUPPORT"


async def test_invalid_messages_are_refused(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    path = f"{PATH}/{conversation}/messages"
    bad: list[tuple[dict[str, Any], int, str | None]] = [
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400, "INVALID_FORMAT"),
        ({"json": {}}, 422, "INVALID_FORMAT"),
        ({"json": {"content": ""}}, 422, "INVALID_FORMAT"),
        ({"json": {"content": 7}}, 422, "INVALID_FORMAT"),
        ({"json": {"content": "  \n"}}, 400, "EMPTY_MESSAGE"),
        ({"json": {"content": "x" * 100_001}}, 400, "MESSAGE_TOO_LONG"),
        ({"json": {"content": "x" * 1_000_001}}, 413, "PAYLOAD_TOO_LARGE"),
        ({"content": b"hello"}, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ({"json": {"content": "x", "when_busy": "wait"}}, 422, "INVALID_FORMAT"),
        ({"json": {"content": "x"}, "headers": {"idempotency-key": "x" * 256}}, 400, None),
        ({"json": {"content": "x"}, "headers": {"last-event-id": "-1"}}, 400, None),
    ]
    for request, status, code in bad:
        answer = await ann.post(path, **request)
        assert answer.status_code == status, (request, answer.text[:200])
        assert code in (None, answer.json()["error"]["code"])
    read = (await ann.get(f"{PATH}/{conversation}")).json()
    assert read["messages"] == []
