"""One stream of what changed of one's own: of all conversations, taken up again anywhere."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from plainloop.server.auth.identity import Identity, make_token
from plainloop.server.settings import AuthSettings
from tests.server.conftest import HEADERS, Serve, Served, ask, begin, until
from tests.server.events import Sse, parse_sse

PATH = "/api/changes"


class Watching:
    """What a stream has told so far."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._lines = answer.aiter_lines()
        self.events: list[Sse] = []

    async def read(self) -> Sse:
        block: list[str] = []
        async with asyncio.timeout(60):
            async for line in self._lines:
                if line:
                    block.append(line)
                elif told := parse_sse("\n".join(block) + "\n\n"):
                    self.events += told
                    return told[0]
                else:
                    block = []
        raise AssertionError("the stream ended")

    async def find(self, **wanted: Any) -> Sse:
        """The next change with these fields."""
        while True:
            told = await self.read()
            if wanted.items() <= told.data.items():
                return told


@asynccontextmanager
async def watching(client: httpx2.AsyncClient, **query: Any) -> AsyncGenerator[Watching]:
    """From its first event on, which is read."""
    async with client.stream("GET", PATH, params=query) as answer:
        assert answer.status_code == 200
        stream = Watching(answer)
        await stream.read()
        yield stream


async def ask_to_delete(client: httpx2.AsyncClient) -> dict[str, Any]:
    conversation = await begin(client, "jobs")
    await ask(client, conversation, "add a job: Cook at Cafe Uno")
    return await ask(client, conversation, "delete job 1")


async def test_changes_of_runs_approvals_and_conversations_are_sent_once(serve: Serve):
    ann = await (await serve()).client()
    async with watching(ann) as stream:
        waiting = await ask_to_delete(ann)
        run_id, conversation = waiting["run_id"], waiting["conversation_id"]
        asked = waiting["approvals"][0]["approval_id"]
        path = f"/api/runs/{run_id}/approvals/{asked}"
        await ann.post(path, json={"approve": False})
        await stream.find(run_id=run_id, status="succeeded")
        one = f"/api/chat/conversations/{conversation}"
        await ann.patch(one, json={"title": "other"})
        await stream.find(status="renamed")  # what is gone is told of no more
        await ann.delete(one)
        await stream.find(status="erased")

    assert stream.events[0].event == "reset"
    told = [item.data for item in stream.events[1:]]
    assert {item["user_id"] for item in told} == {"ann"}
    assert [item["conversation_id"] for item in told[:-1]] == [conversation] * len(told[:-1])
    assert told[-1]["conversation_id"] is None
    of_run = [item for item in told if item["run_id"] == run_id]
    assert {item["approval_id"] for item in of_run} == {None, asked}
    runs = [item["status"] for item in of_run if item["approval_id"] is None]
    assert runs == ["running", "waiting", "running", "succeeded"]
    assert [item["status"] for item in of_run if item["approval_id"]] == ["pending", "denied"]
    rest = [item["status"] for item in told if item["run_id"] is None]
    assert rest == ["begun", "renamed", "erased"]


async def test_changes_are_sent_to_owner_and_tenant_admins_only(served: Served):
    ann, bob = await served.client("ann"), await served.client("bob")
    boss = await served.client("boss", is_admin=True)
    other = await served.client("ann", "umbrella", is_admin=True)
    async with (
        watching(ann) as own,
        watching(boss, user_id="*") as all_of_it,
        watching(other, user_id="*") as elsewhere,
    ):
        bobs, anns = await begin(bob), await begin(ann)
        theirs = await begin(other)
        for stream, found in ((own, [anns]), (all_of_it, [bobs, anns]), (elsewhere, [theirs])):
            await stream.find(conversation_id=found[-1])
            assert [item.data["conversation_id"] for item in stream.events[1:]] == found
    refused = await ann.get(PATH, params={"user_id": "bob"})

    assert refused.status_code == 403


async def test_missed_changes_are_replayed_on_any_replica(serve: Serve):
    first, second = await serve(), await serve()
    ann, again = await first.client(), await second.client()
    async with watching(ann) as stream:
        last = (await stream.find(conversation_id=await begin(ann))).seq
    missed = await begin(ann)
    async with watching(again, after=last) as stream:
        await stream.find(conversation_id=missed)
        there = await begin(ann)  # by the other replica
        await stream.find(conversation_id=there)
        assert stream.events[0].event == "resumed"
    for cursor in (10**9, 0):
        async with watching(again, after=cursor) as stream:
            assert stream.events[0].event == "reset"
    wrong = await ann.get(PATH, headers={**HEADERS, "last-event-id": "x"})

    assert wrong.status_code == 400


async def test_draining_cuts_the_stream_of_changes(serve: Serve):
    served: Served = await serve(drain_s=0.2)
    ann = await served.client()
    ended = False
    async with watching(ann) as stream:
        served.replica.stop()
        try:
            await stream.find(status="never")
        except (AssertionError, httpx2.HTTPError):
            ended = True

    assert ended


async def test_changes_end_with_the_token_or_the_key(served: Served):
    ann = await served.client()
    made = (await ann.post("/api/keys", json={"name": "watcher"})).json()
    auth = served.settings.get_table(AuthSettings)
    short = make_token(auth, Identity("acme", "ann"), 3 - auth.leeway_s)
    ends = time.time() + 3.1
    by_key, by_token = await served.client(), await served.client()
    by_key.headers["authorization"] = f"Bearer {made['key']}"
    by_token.headers["authorization"] = f"Bearer {short}"
    async with watching(by_key) as of_key, watching(by_token) as of_token:
        await ann.delete(f"/api/keys/{made['key_id']}")
        await until(lambda: time.time() > ends)
        await begin(ann)
        for stream in (of_key, of_token):
            with pytest.raises((AssertionError, httpx2.HTTPError)):
                await stream.read()

    assert (await by_key.get(PATH)).status_code == 401
    assert (await by_token.get(PATH)).json()["error"]["code"] == "TOKEN_EXPIRED"
