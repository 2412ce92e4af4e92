"""`plainloop.client` against a running server: sync and async, over lines that break."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from plainloop.agent.errors import ModelAuthError
from plainloop.client import ApiError, AsyncClient, Client, RunFailed
from tests.machine.running import fold_text
from tests.machine.scripted import Cut, text, tools, triage
from tests.protocols.conftest import ServeNotes
from tests.protocols.proxying import cutting_proxy
from tests.server.conftest import Served

BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")
LONG = " ".join(f"word{n}" for n in range(300))


async def begin(served: Served) -> str:
    async with AsyncClient(served.url, served.token(), trust_env=False) as client:
        return (await client.create_conversation("Notes"))["id"]


async def test_the_python_client_resumes_a_stream_cut_anywhere(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text(LONG))
    conversation = await begin(served)
    async with (
        cutting_proxy(served.url, 0, 40, 700, 1_500, 3_000) as url,
        AsyncClient(url, served.token(), trust_env=False) as client,
    ):
        events = [event async for event in client.ask(conversation, "please do it")]

    seqs = [event.seq for event in events]
    assert seqs == [*range(1, len(seqs) + 1)]
    told: Any = [{"event": event.name, "data": event.data} for event in events]
    assert fold_text(told) == events[-1].data["content"] == LONG
    assert len(await served.service.store.list_runs("acme", conversation)) == 1


async def test_the_blocking_client_resumes_a_stream_cut_anywhere(serve: ServeNotes) -> None:
    served = await serve(
        *(triage("note_writer"), text(LONG)), *(triage("note_writer"), BURN, text("So be it."))
    )
    conversation = await begin(served)

    def use(url: str) -> list[str]:
        with Client(url, served.token(), trust_env=False) as client:
            first = client.ask_text(conversation, "please do it")
            names: list[str] = []
            for event in client.ask(conversation, "now burn them"):
                names.append(event.name)
                if event.name == "approval_request":
                    [run] = {item["run_id"] for item in asked(client)}
                    client.decide_all(run, {event.data["approval_id"]: True})
                    client.decide(run, event.data["approval_id"], True)  # once more: no change
            titles = [item["title"] for item in client.list_conversations()]
            return [first, *titles, names[-1]]

    def asked(client: Client) -> list[Any]:
        found = client.request("GET", f"/api/chat/conversations/{conversation}")
        return client.request("GET", f"/api/runs/{found['active_run_id']}/approvals")["approvals"]

    async with cutting_proxy(served.url, 900) as url:
        told = await asyncio.to_thread(use, url)

    assert told == [LONG, "Notes", "done"]


async def test_the_client_raises_errors_by_code(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Cut("Half", ModelAuthError("wrong key")))
    conversation = await begin(served)
    async with AsyncClient(served.url, served.token(), trust_env=False) as client:
        with pytest.raises(RunFailed) as failed:
            await client.ask_text(conversation, "please do it")
        nothing = [event async for event in client.watch(conversation)]
    async with AsyncClient(served.url, served.token("bob"), trust_env=False) as bob:
        with pytest.raises(ApiError) as refused:
            await bob.ask_text(conversation, "please do it")

    assert failed.value.code == "MODEL_AUTH"
    assert nothing == []
    assert (refused.value.status, refused.value.code) == (404, "NOT_FOUND")


ODD_ANSWERS = (
    (
        httpx2.Response(401, json={"error": "unauthorized"}),
        "UNREADABLE",
        '{"error":"unauthorized"}',
    ),
    (httpx2.Response(400, json={"error": {"message": "no"}}), "UNREADABLE", "no"),
    (httpx2.Response(404), "UNREADABLE", "HTTP 404"),
    (
        httpx2.Response(308, headers={"location": "https://x.example/"}),
        "UNREADABLE",
        "the server redirects to https://x.example/. Use the address that it redirects to as "
        "base_url.",
    ),
)


@pytest.mark.parametrize(("answer", "code", "message"), ODD_ANSWERS)
def test_the_client_reads_the_errors_of_proxies(
    answer: httpx2.Response, code: str, message: str
) -> None:
    transport = httpx2.MockTransport(lambda request: answer)
    with Client("http://service.example", transport=transport) as client:
        with pytest.raises(ApiError) as refused:
            client.create_conversation()
        with pytest.raises(ApiError) as unanswered:
            client.ask_text("c", "hello")

    for error in (refused.value, unanswered.value):
        assert (error.status, error.code, str(error)) == (answer.status_code, code, message)


def test_the_client_waits_as_long_as_the_server_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("plainloop.client.time.sleep", pauses.append)
    waits = ["7", "Sun, 06 Nov 1994 08:49:37 GMT", "3600"]

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(503, headers={"retry-after": waits.pop(0)})

    transport = httpx2.MockTransport(answer)
    with (
        Client("http://service.example", transport=transport) as client,
        pytest.raises(ApiError) as refused,
    ):
        client.ask_text("c", "hello")

    assert (pauses, waits, refused.value.retry_after_s) == ([7.0, 0.5], [], 3600.0)
