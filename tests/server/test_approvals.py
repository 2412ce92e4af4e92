"""A run that asks a person: over streams, JSON, WebSocket; decided once, by its owner alone."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.events import names, parse_sse, post

CREATE = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
DELETE = ("c2", "delete_job", {"job_id": 1})
SCRIPT = [triage("crm_worker"), tools(CREATE), text("made"), triage("crm_worker"), tools(DELETE)]


async def ask_to_delete(served: Served) -> tuple[httpx2.AsyncClient, str, dict[str, Any]]:
    """Ann's client, her conversation, and what the waiting run answered as JSON."""
    ann = await served.client()
    conversation = await begin(ann)
    await post(ann, conversation, "please note that job for me")
    return ann, conversation, await ask(ann, conversation, "please get rid of that job again")


async def list_jobs(served: Served) -> int:
    db = served.service.store.read("acme")
    return await db.fetchval("select count(*) from tracker_jobs where user_id = 'ann'")


@pytest.mark.parametrize(("approve", "jobs"), [(True, 0), (False, 1)])
async def test_a_decision_over_http_continues_the_run(serve: Serve, approve: bool, jobs: int):
    served = await serve(*SCRIPT, text("so be it"))
    ann, conversation, waiting = await ask_to_delete(served)
    [asked] = waiting["approvals"]
    path = f"/api/runs/{waiting['run_id']}/approvals"
    listed = (await ann.get(path)).json()["approvals"]
    run = (await ann.get(f"/api/runs/{waiting['run_id']}")).json()
    before = await list_jobs(served)
    watching = asyncio.create_task(
        ann.get(f"/api/chat/conversations/{conversation}/stream?run_id={waiting['run_id']}")
    )
    decided = await ann.post(f"{path}/{asked['approval_id']}", json={"approve": approve})
    async with asyncio.timeout(60):
        events = parse_sse((await watching).text)
    again = await ann.post(f"{path}/{asked['approval_id']}", json={"approve": approve})
    other = await ann.post(f"{path}/{asked['approval_id']}", json={"approve": not approve})

    assert waiting["status"] == run["status"] == "waiting"
    present = listed[0]["present"]
    assert listed == [{**asked, "present": present}]
    assert (present["company"], present["title"]) == ("Acme", "Cook")
    assert asked == {
        "approval_id": asked["approval_id"],
        "run_id": waiting["run_id"],
        "conversation_id": conversation,
        "user_id": "ann",
        "tool_call_id": asked["tool_call_id"],
        "tool_name": "delete_job",
        "present": None,
        "title": None,
        "form": None,
        "arguments": {"job_id": 1},
        "question": "Delete #1 Cook at Acme?",
        "status": "pending",
        "decided_by": None,
        "decided_at": None,
        "expires_at": asked["expires_at"],
        "created_at": asked["created_at"],
        "reason": None,
    }
    assert before == 1
    assert decided.json()["status"] == ("approved" if approve else "denied")
    assert decided.json()["decided_by"] == "ann"
    assert names(events).count("approval_request") == 1
    assert [item.seq for item in events] == [*range(1, len(events) + 1)]
    assert events[-1].event == "done"
    assert await list_jobs(served) == jobs
    assert again.status_code == 200
    assert (other.status_code, other.json()["error"]["code"]) == (409, "APPROVAL_DECIDED")


async def test_a_denials_reason_reaches_model_and_viewers(serve: Serve):
    served = await serve(*SCRIPT, text("so be it"))
    ann, conversation, waiting = await ask_to_delete(served)
    [asked] = waiting["approvals"]
    path = f"/api/runs/{waiting['run_id']}/approvals"
    yes = {"approve": True, "reason": "I like it"}
    refused = await ann.post(f"{path}/{asked['approval_id']}", json=yes)
    no = {"approve": False, "reason": " that one\u0000 is to stay "}
    decided = await ann.post(f"{path}/{asked['approval_id']}", json=no)
    async with asyncio.timeout(60):
        stream = await ann.get(
            f"/api/chat/conversations/{conversation}/stream?run_id={waiting['run_id']}"
        )

    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "INVALID_INPUT")
    assert decided.json()["reason"] == "that one is to stay"
    assert (await ann.get(path)).json()["approvals"][0]["reason"] == "that one is to stay"
    [failed] = [item.data for item in parse_sse(stream.text) if item.event == "tool_error"]
    assert failed["error"] == (
        "the user did not allow this call; do not make it again unless asked to."
        " They said: that one is to stay"
    )
    told = (await ann.get(f"/api/chat/conversations/{conversation}")).json()["messages"]
    assert [
        part["result"] for message in told for part in message["parts"] if part.get("is_error")
    ] == [{"error": failed["error"]}]


BOTH = tools(("c2", "delete_job", {"job_id": 1}), ("c3", "delete_job", {"job_id": 2}))
TWO_JOBS = tools(CREATE, ("c4", "create_job", {"company": "Bolt", "title": "Smith"}))


async def test_approvals_of_a_plan_are_decided_together_or_not_at_all(serve: Serve):
    routes = triage("crm_worker"), TWO_JOBS, text("made"), triage("crm_worker"), BOTH
    served = await serve(*routes, text("so be it"))
    ann, conversation, waiting = await ask_to_delete(served)
    one, two = (item["approval_id"] for item in waiting["approvals"])
    path = f"/api/runs/{waiting['run_id']}/approvals"
    nobody = "01a21592-3be5-7abc-8def-0123456789ab"
    yes = {"approval_id": one, "approve": True}
    no = {"approval_id": two, "approve": False, "reason": "that one stays"}

    refused = [
        await ann.post(path, json={"decisions": decisions})
        for decisions in ([yes, {**no, "approval_id": nobody}], [yes, yes], [])
    ]
    other = await (await served.client("bob")).post(path, json={"decisions": [yes, no]})
    still = (await ann.get(path)).json()["approvals"]
    decided = await ann.post(path, json={"decisions": [no, yes]})
    async with asyncio.timeout(60):
        await ann.get(f"/api/chat/conversations/{conversation}/stream?run_id={waiting['run_id']}")
    again = await ann.post(path, json={"decisions": [yes, no]})
    contrary = await ann.post(
        path, json={"decisions": [yes, {"approval_id": two, "approve": True}]}
    )

    assert [answer.status_code for answer in refused] == [404, 400, 422]
    assert other.status_code == 404
    assert [item["status"] for item in still] == ["pending", "pending"]
    told = {item["approval_id"]: item["status"] for item in decided.json()["approvals"]}
    assert told == {one: "approved", two: "denied"}
    assert await list_jobs(served) == 1
    assert again.status_code == 200
    assert (contrary.status_code, contrary.json()["error"]["code"]) == (409, "APPROVAL_DECIDED")


async def test_only_the_owner_decides_an_approval(serve: Serve):
    served = await serve(*SCRIPT)
    ann, _, waiting = await ask_to_delete(served)
    path = f"/api/runs/{waiting['run_id']}/approvals"
    [asked] = waiting["approvals"]
    for user, tenant in (("bob", "acme"), ("ann", "umbrella")):
        stranger = await served.client(user, tenant)
        answer = await stranger.post(f"{path}/{asked['approval_id']}", json={"approve": True})
        assert answer.status_code == 404
        assert (await stranger.get(path)).status_code == 404
    wrong = await ann.post(f"{path}/{waiting['run_id']}", json={"approve": True})
    unsaid = await ann.post(f"{path}/{asked['approval_id']}", json={})

    assert (wrong.status_code, unsaid.status_code) == (404, 422)
    assert (await ann.get(path)).json()["approvals"][0]["status"] == "pending"
    assert await list_jobs(served) == 1


async def test_a_stream_can_end_at_an_approval_and_another_continue(serve: Serve):
    served = await serve(*SCRIPT, text("so be it"))
    ann = await served.client()
    conversation = await begin(ann)
    await post(ann, conversation, "please note that job for me")
    one = f"/api/chat/conversations/{conversation}"
    async with asyncio.timeout(60):
        first = await ann.post(
            f"{one}/messages?wait=close", json={"content": "please get rid of that job again"}
        )
    told = parse_sse(first.text)
    asked = told[-1].data["approval_id"]
    path = f"/api/runs/{first.headers['x-run-id']}/approvals/{asked}"
    await ann.post(path, json={"approve": True})
    async with asyncio.timeout(60):
        rest = await ann.get(f"{one}/stream?wait=close&after={told[-1].seq}")
    going_on = parse_sse(rest.text)

    assert (told[-1].event, going_on[-1].event) == ("approval_request", "done")
    [decision] = [item.data for item in going_on if item.event == "approval_decision"]
    assert decision == {"approval_id": asked, "id": decision["id"], "status": "approved"}
    seqs = [item.seq for item in (*told, *going_on)]
    assert seqs == [*range(1, len(seqs) + 1)]
