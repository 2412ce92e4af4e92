"""`/a2a` with the official client, over both bindings."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from a2a.client import Client, ClientConfig, create_client
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import (
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from tests.machine.scripted import Hang, text, tools, triage
from tests.server.conftest import Serve, Served

BINDINGS = pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
State = pb.TaskState


@asynccontextmanager
async def open_client(
    served: Served, binding: str, user: str = "ann", *, streaming: bool = True
) -> AsyncIterator[Client]:
    http = httpx.AsyncClient(
        headers={"authorization": f"Bearer {served.token(user)}"}, timeout=60, trust_env=False
    )
    config = ClientConfig(
        httpx_client=http, supported_protocol_bindings=[binding], streaming=streaming
    )
    async with http:
        yield await create_client(served.url, config)


def say(words: str, **more: Any) -> pb.SendMessageRequest:
    message = pb.Message(
        message_id=uuid.uuid4().hex, role=pb.ROLE_USER, parts=[pb.Part(text=words)], **more
    )
    return pb.SendMessageRequest(message=message)


async def collect(client: Client, request: pb.SendMessageRequest) -> list[pb.StreamResponse]:
    return [frame async for frame in client.send_message(request)]


def fold(frames: list[pb.StreamResponse]) -> tuple[str, int, pb.Task]:
    """(the answer, the last state, the first task) as a client shows them."""
    shown, state, task = "", 0, pb.Task()
    for frame in frames:
        if frame.HasField("task"):
            task = task if task.id else frame.task
            state = frame.task.status.state
            shown = "".join(p.text for a in frame.task.artifacts for p in a.parts) or shown
        elif frame.HasField("artifact_update"):
            new = "".join(part.text for part in frame.artifact_update.artifact.parts)
            shown = shown + new if frame.artifact_update.append else new
        elif frame.HasField("status_update"):
            state = frame.status_update.status.state
    return shown, state, task


@BINDINGS
@pytest.mark.parametrize("streaming", [True, False])
async def test_a_tasks_answer_is_returned_as_an_artifact(
    streaming: bool, binding: str, serve: Serve
):
    served = await serve(triage("general"), text("Hello to you."))
    async with open_client(served, binding, streaming=streaming) as client:
        shown, state, task = fold(await collect(client, say("a")))
        read = await client.get_task(pb.GetTaskRequest(id=task.id))
        listed = await client.list_tasks(pb.ListTasksRequest(context_id=task.context_id))

    assert (shown, state) == ("Hello to you.", State.TASK_STATE_COMPLETED)
    assert read.artifacts[0].parts[0].text == "Hello to you."
    assert [item.id for item in listed.tasks] == [task.id]


@BINDINGS
async def test_tasks_and_contexts_of_other_users_are_not_found(binding: str, serve: Serve):
    served = await serve(*(it for said in "ab" for it in (triage("general"), text(said))))
    async with open_client(served, binding) as client:
        _, _, task = fold(await collect(client, say("a")))
    async with open_client(served, binding, "bob") as bob:
        with pytest.raises(TaskNotFoundError):
            await bob.get_task(pb.GetTaskRequest(id=task.id))
        assert list((await bob.list_tasks(pb.ListTasksRequest())).tasks) == []
        _, _, own = fold(await collect(bob, say("b", context_id=task.context_id)))
        assert (own.context_id, own.id != task.id) == (task.context_id, True)
        [listed] = (await bob.list_tasks(pb.ListTasksRequest(context_id=task.context_id))).tasks
        assert listed.id == own.id


@BINDINGS
async def test_a_pending_approval_puts_the_task_into_input_required(binding: str, served: Served):
    http = await served.client()
    job = {"title": "Cook", "company": "Cafe Uno"}
    assert (await http.post("/api/jobs", json=job)).status_code in (200, 201)
    async with open_client(served, binding) as client:
        for word, left in (("no thanks", 1), ("Sure, do it!", 0)):
            _, state, task = fold(await collect(client, say("delete job 1")))
            assert state == State.TASK_STATE_INPUT_REQUIRED
            waiting = await client.get_task(pb.GetTaskRequest(id=task.id))
            assert "Cafe Uno" in waiting.status.message.parts[0].text
            ids = {"task_id": task.id, "context_id": task.context_id}
            _, state, unclear = fold(await collect(client, say("perhaps", **ids)))
            assert (state, unclear.id) == (State.TASK_STATE_INPUT_REQUIRED, task.id)
            asked = await client.get_task(pb.GetTaskRequest(id=task.id))
            assert asked.status.message.parts[0].text == waiting.status.message.parts[0].text
            agents = say(word, **ids)
            agents.message.role = pb.ROLE_AGENT
            with pytest.raises(InvalidParamsError, match="only a message with the role"):
                await collect(client, agents)
            _, state, _ = fold(await collect(client, say(word, **ids)))

            assert state == State.TASK_STATE_COMPLETED
            assert len((await http.get("/api/jobs")).json()["jobs"]) == left


@BINDINGS
async def test_a_yes_decides_no_approval_that_was_shown_after_it_was_sent(
    binding: str, serve: Serve
):
    script = [tools((f"c{n}", "delete_job", {"job_id": n})) for n in (1, 2)]
    served = await serve(triage("crm_worker"), *script, text("Both are gone."))
    http = await served.client()
    for company in ("Cafe Uno", "Cafe Due"):
        await http.post("/api/jobs", json={"title": "Cook", "company": company})
    async with open_client(served, binding) as client:
        _, _, task = fold(await collect(client, say("please tidy up")))
        ids = {"task_id": task.id, "context_id": task.context_id}
        yes = say("yes", **ids)
        states = [fold(await collect(client, yes))[1] for _ in range(2)]  # an SDK's retry
        with pytest.raises(UnsupportedOperationError, match=r"Cafe Due.*\([0-9a-f]{12}\)") as late:
            await collect(client, say("yes", **ids))
        left = (await http.get("/api/jobs")).json()["jobs"]
        [code] = {*re.findall(r"\(([0-9a-f]{12})\)", str(late.value))}
        _, state, _ = fold(await collect(client, say(f"Yes, {code}", **ids)))

    assert states == [State.TASK_STATE_INPUT_REQUIRED] * 2
    assert [job["company"] for job in left] == ["Cafe Due"]
    assert state == State.TASK_STATE_COMPLETED
    assert (await http.get("/api/jobs")).json()["jobs"] == []


@BINDINGS
async def test_cancelling_a_cancelled_task_is_an_error(binding: str, serve: Serve):
    served = await serve(triage("general"), Hang("Well"))
    async with open_client(served, binding, streaming=False) as client:
        request = say("a")
        request.configuration.return_immediately = True
        _, _, task = fold(await collect(client, request))
        cancelled = await client.cancel_task(pb.CancelTaskRequest(id=task.id))
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(pb.CancelTaskRequest(id=task.id))
    async with open_client(served, binding) as client:
        with pytest.raises(UnsupportedOperationError):
            async for _ in client.subscribe(pb.SubscribeToTaskRequest(id=task.id)):
                pass

    assert cancelled.status.state == State.TASK_STATE_CANCELED


async def test_a_get_request_cannot_cancel_a_task(serve: Serve):
    served = await serve(triage("general"), Hang("Well"))
    async with open_client(served, "JSONRPC", streaming=False) as client:
        request = say("a")
        request.configuration.return_immediately = True
        _, _, task = fold(await collect(client, request))
        http = await served.client()
        refused = await http.get(f"/a2a/tasks/{task.id}:cancel")
        still = await client.get_task(pb.GetTaskRequest(id=task.id))
        cancelled = await http.post(f"/a2a/tasks/{task.id}:cancel")

    assert (refused.status_code, cancelled.status_code) == (400, 200)
    assert still.status.state != State.TASK_STATE_CANCELED
    assert cancelled.json()["status"]["state"] == "TASK_STATE_CANCELED"


async def test_the_agent_card_is_public_and_other_routes_need_a_token(served: Served):
    async with httpx.AsyncClient(base_url=served.url, trust_env=False) as nobody:
        card = (await nobody.get("/.well-known/agent-card.json")).json()
        refused = await nobody.post("/a2a", json={"jsonrpc": "2.0", "id": 1, "method": "GetTask"})

    assert [item["protocolBinding"] for item in card["supportedInterfaces"]] == [
        "JSONRPC",
        "HTTP+JSON",
    ]
    assert "crm_worker" in [skill["id"] for skill in card["skills"]]
    assert refused.status_code == 401


@BINDINGS
async def test_a_context_id_of_the_client_is_created_and_reused(binding: str, serve: Serve):
    served = await serve(*(it for said in "ab" for it in (triage("general"), text(said))))
    async with open_client(served, binding) as client:
        _, _, first = fold(await collect(client, say("a", context_id="my-context")))
        _, _, second = fold(await collect(client, say("b", context_id="my-context")))
        read = await client.get_task(pb.GetTaskRequest(id=second.id))
        listed = await client.list_tasks(pb.ListTasksRequest(context_id="my-context"))

    assert {first.context_id, second.context_id, read.context_id} == {"my-context"}
    assert {task.id for task in listed.tasks} == {first.id, second.id}
    assert len(await served.service.store.list_threads("acme", "ann", limit=5)) == 1


@BINDINGS
async def test_task_lists_contain_artifacts_only_on_request(binding: str, serve: Serve):
    served = await serve(triage("general"), text("Mine."))
    async with open_client(served, binding) as client:
        await collect(client, say("a"))
        [bare] = (await client.list_tasks(pb.ListTasksRequest())).tasks
        [whole] = (await client.list_tasks(pb.ListTasksRequest(include_artifacts=True))).tasks
        read = await client.get_task(pb.GetTaskRequest(id=bare.id))

    assert (len(bare.artifacts), len(whole.artifacts), len(read.artifacts)) == (0, 1, 1)


@BINDINGS
async def test_task_lists_are_newest_first_and_can_start_at_a_time(binding: str, serve: Serve):
    served = await serve(*(it for said in "abc" for it in (triage("general"), text(said))))
    async with open_client(served, binding) as client:
        sent = [fold(await collect(client, say(said)))[2] for said in "abc"]
        listed = list((await client.list_tasks(pb.ListTasksRequest(page_size=2))).tasks)
        since = pb.ListTasksRequest(status_timestamp_after=listed[0].status.timestamp)
        late = await client.list_tasks(since)
        since.status_timestamp_after.seconds += 3600
        none = await client.list_tasks(since)

    assert [item.id for item in listed] == [sent[2].id, sent[1].id]
    assert ([item.id for item in late.tasks], late.total_size) == ([sent[2].id], 1)
    assert (list(none.tasks), none.page_size, none.total_size) == ([], 0, 0)


@BINDINGS
async def test_history_length_limits_a_task_to_its_newest_messages(binding: str, served: Served):
    http = await served.client()
    await http.post("/api/jobs", json={"title": "Cook", "company": "Cafe Uno"})
    async with open_client(served, binding) as client:
        _, _, task = fold(await collect(client, say("delete job 1")))
        ids = {"task_id": task.id, "context_id": task.context_id}
        await collect(client, say("no", **ids))
        read = [
            await client.get_task(pb.GetTaskRequest(id=task.id, history_length=most))
            for most in (0, 2, 9)
        ]
        bare = await client.get_task(pb.GetTaskRequest(id=task.id))

    said = [(item.role, item.parts[0].text) for item in read[2].history]
    assert [role for role, _ in said] == [pb.ROLE_USER, pb.ROLE_AGENT, pb.ROLE_USER]
    assert (said[0][1], said[2][1]) == ("delete job 1", "denied")
    assert [item.message_id for item in read[1].history] == [
        item.message_id for item in read[2].history[1:]
    ]
    assert (list(read[0].history), list(bare.history)) == ([], [])


NO_CALLS: dict[str, tuple[dict[str, Any], int, Any]] = {
    "another version": ({"jsonrpc": "1.0", "id": 7, "method": "GetTask"}, -32600, 7),
    "no method": ({"jsonrpc": "2.0", "id": 7}, -32600, 7),
    "an object for an id": ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "GetTask"}, -32600, None),
    "a list of parameters": (
        {"jsonrpc": "2.0", "id": "x", "method": "GetTask", "params": []},
        -32602,
        "x",
    ),
    "no parts": (
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "SendMessage",
            "params": {"message": {"messageId": "m", "role": "ROLE_USER", "parts": []}},
        },
        -32602,
        7,
    ),
    "no role": (
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "SendMessage",
            "params": {"message": {"messageId": "m", "parts": [{"text": "hi"}]}},
        },
        -32602,
        7,
    ),
    "push notifications of 0.3": (
        {"jsonrpc": "2.0", "id": 7, "method": "tasks/pushNotificationConfig/set"},
        -32003,
        7,
    ),
}


@pytest.mark.parametrize("name", NO_CALLS)
async def test_an_error_response_has_the_id_of_its_request(name: str, served: Served):
    body, code, named = NO_CALLS[name]
    told = await (await served.client()).post("/a2a", json=body)

    answer = told.json()
    assert (told.status_code, answer["id"], answer["error"]["code"]) == (200, named, code), answer


WRONG: dict[str, dict[str, Any]] = {
    "an unknown state": {"method": "ListTasks", "params": {"status": "TASK_STATE_DONE"}},
    "a state of 0.3": {"method": "ListTasks", "params": {"status": "completed"}},
    "a negative length of a list": {"method": "ListTasks", "params": {"historyLength": -1}},
    "a negative length of a task": {
        "method": "GetTask",
        "params": {"id": "x", "historyLength": -1},
    },
    "a negative length of a message": {
        "method": "SendMessage",
        "params": {
            "message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hi"}]},
            "configuration": {"historyLength": -1},
        },
    },
}


async def test_invalid_task_parameters_are_an_invalid_params_error(serve: Serve):
    served = await serve()
    client = await served.client()
    for name, asked in WRONG.items():
        body = {"jsonrpc": "2.0", "id": 1, **asked}
        for path in ("/a2a", "/"):
            told = (await client.post(path, json=body)).json()
            assert told["error"]["code"] == -32602, (name, told)
    rest = [
        await client.get("/a2a/tasks", params={"status": "TASK_STATE_DONE"}),
        await client.get("/a2a/tasks", params={"historyLength": -1}),
        await client.get("/a2a/tasks/x", params={"historyLength": -1}),
    ]

    assert [answer.status_code for answer in rest] == [400, 400, 400]


async def test_the_base_url_answers_json_rpc_posts_and_shows_the_console(serve: Serve):
    served = await serve(triage("general"), text("Mine."))
    client = await served.client()
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "hi"}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    told = (await client.post("/", json=body)).json()
    page = await client.get("/")

    assert told["result"]["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert page.status_code in (200, 307)
