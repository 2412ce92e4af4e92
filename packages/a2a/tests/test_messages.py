"""What a task's message holds beside the user's words: files, data, and what is refused by name."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.types import JsonSchema
from tests.machine.scripted import Hang, text, triage
from tests.protocols.conftest import ServeNotes, get_model, serve
from tests.protocols.test_files import ASK, PNG, SCRIPT, check_image
from tests.protocols.test_retries import check_one_run
from tests.server.conftest import Served

__all__ = ["serve"]


def make_task() -> dict[str, Any]:
    file = {"raw": PNG, "mediaType": "image/png", "filename": "photo.png"}
    return {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [file, {"text": ASK}]}}


async def by_a2a(served: Served) -> None:
    client = await served.client()
    await client.post("/a2a/message:send", json=make_task())


async def by_a2a_rpc(served: Served) -> None:
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": make_task()}
    await (await served.client()).post("/a2a", json=rpc)


async def test_an_image_reaches_the_model_and_stays_in_the_history(serve: ServeNotes) -> None:
    served = await serve(*SCRIPT * 2)
    ann, bob = await served.client(), await served.client("bob")
    for send_image in (by_a2a, by_a2a_rpc):
        await send_image(served)
        await check_image(served, ann, bob)


async def test_a_file_beyond_the_limits_is_refused(serve: ServeNotes) -> None:
    client = await (await serve(file_bytes=10)).client()
    large = await client.post("/a2a/message:send", json=make_task())
    part = {"raw": "AAAA", "mediaType": "a/b"}
    strange = {"parts": [part], "messageId": "m", "role": "ROLE_USER"}
    other = await client.post("/a2a/message:send", json={"message": strange})

    assert (large.status_code, other.status_code) == (413, 400)
    assert other.json()["error"]["details"][0]["reason"] == "CONTENT_TYPE_NOT_SUPPORTED"
    told = [answer.json()["error"]["message"] for answer in (large, other)]
    assert "AGENT_LIMITS_FILE_BYTES" in told[0] and "image/png" in told[1], told


async def test_a_structured_answer_becomes_the_artifacts_text(serve: ServeNotes) -> None:
    place = JsonSchema("place", {"type": "object", "properties": {"city": {"type": "string"}}})
    reader = WorkerSpec("reader", "reads", "Read.", (), output=place)
    served = await serve(text('{"city": "Rome"}'), pack=Pack("p", "P", (reader,), "reader", ()))
    told = await (await served.client()).post("/a2a/message:send", json=send([{"text": "where?"}]))

    [artifact] = told.json()["task"]["artifacts"]
    assert json.loads(artifact["parts"][0]["text"]) == {"city": "Rome"}


async def test_a_message_sent_many_times_at_once_creates_one_task(serve: ServeNotes) -> None:
    message = {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": "add a note"}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    await check_one_run(serve, "/a2a", body, {})


def send(parts: list[Any], **configuration: Any) -> dict[str, Any]:
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": parts}
    return {"message": message, "configuration": configuration}


async def test_data_parts_of_an_a2a_message_become_text(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Noted."))
    parts = [{"text": "Note this:"}, {"data": {"price": 3}}]
    told = await (await served.client()).post("/a2a/message:send", json=send(parts))
    _, working = get_model(served).requests

    assert told.json()["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert working.messages[-1]["parts"][0].get("text") == 'Note this:\n{"price":3}'


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"acceptedOutputModes": ["image/png"]}, "CONTENT_TYPE_NOT_SUPPORTED"),
        (
            {"taskPushNotificationConfig": {"url": "https://a.example"}},
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
        ),
    ],
)
async def test_requests_whose_effect_a2a_cannot_show_are_refused(
    wanted: dict[str, Any], reason: str, serve: ServeNotes
) -> None:
    served = await serve()
    body = send([{"text": "hi"}], **wanted)
    told = await (await served.client()).post("/a2a/message:send", json=body)

    assert told.status_code == 400
    assert told.json()["error"]["details"][0]["reason"] == reason
    assert get_model(served).requests == []


async def test_a_refused_message_erases_no_task_of_its_context(serve: ServeNotes) -> None:
    served = await serve(*[Hang("So far")] * 2, runs_per_user=1)
    client = await served.client()

    async def begin(name: str) -> int:
        body = send([{"text": f"hello {name}"}], returnImmediately=True)
        body["message"] |= {"messageId": name, "contextId": "room"}
        return (await client.post("/a2a/message:send", json=body)).status_code

    told = await asyncio.gather(*(begin(f"m{n}") for n in range(6)))
    listed = (await client.get("/a2a/tasks", params={"contextId": "room"})).json()

    assert sorted(told) == [200, *[429] * 5]
    assert [task["status"]["state"] for task in listed["tasks"]] == ["TASK_STATE_WORKING"]


async def test_nothing_of_a_refused_first_message_remains(serve: ServeNotes) -> None:
    served = await serve(Hang("So far"), runs_per_user=1)
    client, db = await served.client(), served.service.store.read("acme")

    async def begin(name: str) -> int:
        body = send([{"text": f"hello {name}"}], returnImmediately=True)
        body["message"] |= {"messageId": name, "contextId": f"room-{name}"}
        return (await client.post("/a2a/message:send", json=body)).status_code

    told = [await begin(name) for name in ("a", "b")]
    listed = (await client.get("/api/chat/conversations")).json()["conversations"]
    names = await db.fetch("select name from client_threads where tenant_id = 'acme'")

    assert told == [200, 429]
    assert [item["title"] for item in listed] == ["hello a"]
    assert names == [{"name": "room-a"}]


async def test_pages_of_tasks_hold_the_tasks_of_all_contexts(serve: ServeNotes) -> None:
    served = await serve(*[triage("note_writer"), text("Yes.")] * 22)
    client, ids, token = await served.client(), list[str](), ""
    for n in range(22):
        body = send([{"text": "hi"}])
        body["message"] |= {"messageId": f"m{n}", "contextId": f"context-{n}"}
        ids.append((await client.post("/a2a/message:send", json=body)).json()["task"]["id"])
    listed: list[str] = []
    for _ in range(3):
        query = {"pageSize": 9, "pageToken": token}
        page = (await client.get("/a2a/tasks", params=query)).json()
        listed += [task["id"] for task in page["tasks"]]
        token = page["nextPageToken"]

    assert listed == ids[::-1]
    assert (page["totalSize"], token) == (22, "")


async def test_tasks_are_listed_by_state_and_in_pages(serve: ServeNotes) -> None:
    served = await serve(
        *(item for n in range(3) for item in (triage("note_writer"), text("Yes.")))
    )
    client = await served.client()
    for n in range(3):
        body = send([{"text": "hi"}])
        body["message"]["messageId"] = f"m{n}"
        await client.post("/a2a/message:send", json=body)
    done = {"status": "TASK_STATE_COMPLETED", "pageSize": 2}
    first = (await client.get("/a2a/tasks", params=done)).json()
    rest = (
        await client.get("/a2a/tasks", params={**done, "pageToken": first["nextPageToken"]})
    ).json()
    none = (await client.get("/a2a/tasks", params={"status": "TASK_STATE_WORKING"})).json()
    other = (await (await served.client("bob")).get("/a2a/tasks")).json()

    assert [len(page["tasks"]) for page in (first, rest, none, other)] == [2, 1, 0, 0]
    assert [page["totalSize"] for page in (first, rest, none, other)] == [3, 3, 0, 0]
    assert rest["nextPageToken"] == ""
    assert len({task["id"] for page in (first, rest) for task in page["tasks"]}) == 3
