"""`/mcp` with the official client, in both eras; and with what no client would send."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from plainloop.agent.mcp.session import LEGACY, META, MODERN
from tests.machine.scripted import Hang, text, triage
from tests.protocols.conftest import get_model
from tests.server.conftest import Serve, Served, until

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
MODERN_META = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
LIST_JOBS = {"name": "list_jobs", "_meta": MODERN_META}


def get_text(result: types.CallToolResult) -> str:
    return "".join(part.text for part in result.content if isinstance(part, types.TextContent))


def get_resource(result: types.ReadResourceResult) -> Any:
    [part] = result.contents
    assert isinstance(part, types.TextResourceContents), part
    return json.loads(part.text)


def get_data(result: types.CallToolResult) -> dict[str, Any]:
    assert isinstance(result.structured_content, dict), result
    return result.structured_content


def offer_sentence(served: Served) -> None:
    first, *rest = served.service.packs
    served.service.packs = (replace(first, examples=("list my saved jobs",)), *rest)


def open_client(served: Served, mode: str, user: str = "ann", **options: Any) -> Client:
    http = httpx2.AsyncClient(
        headers={"authorization": f"Bearer {served.token(user)}"}, timeout=60, trust_env=False
    )
    wire = streamable_http_client(f"{served.url}/mcp", http_client=http)
    return Client(wire, mode=mode, **options)


async def post(
    served: Served, method: str, params: Any = None, headers: Any = None, **more: Any
) -> httpx2.Response:
    """One message, as by hand; modern, with headers that say what the body says."""
    client = await served.client()
    meta = {"_meta": MODERN_META} if params is None else params
    named = meta.get("name")
    said = {
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        **({"mcp-name": named} if named else {}),
        "accept": "application/json, text/event-stream",
        **(headers or {}),
    }
    kept = {name: value for name, value in said.items() if value is not None}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": meta, **more}
    return await client.post("/mcp", json=message, headers=kept)


@ERAS
async def test_the_mcp_server_offers_worker_tools_and_runs(mode: str, served: Served):
    async with open_client(served, mode) as client:
        assert client.protocol_version == (MODERN if mode == "auto" else LEGACY[0])
        listed = (await client.list_tools()).tools

    names = [tool.name for tool in listed]
    assert names[:2] == ["ask_default", "get_run"]
    assert {"list_jobs", "create_job", "delete_job"} <= {*names}
    assert "write_data" not in names
    by_name = {tool.name: tool for tool in listed}
    assert by_name["list_jobs"].annotations.read_only_hint is True
    assert by_name["delete_job"].annotations.destructive_hint is True


@ERAS
async def test_an_mcp_tool_call_reads_and_writes_only_its_users_rows(mode: str, served: Served):
    async with open_client(served, mode) as ann, open_client(served, mode, "bob") as bob:
        saved = await ann.call_tool("create_job", {"title": "Cook", "company": "Cafe Uno"})
        assert not saved.is_error, saved
        mine = await ann.call_tool("list_jobs", {})
        theirs = await bob.call_tool("list_jobs", {})

    assert get_data(mine)["jobs"][0]["company"] == "Cafe Uno"
    assert get_data(theirs)["jobs"] == []


@ERAS
async def test_an_mcp_run_reports_progress_and_its_answer(mode: str, serve: Serve):
    served = await serve(triage("general"), text("Hello to you."))
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with open_client(served, mode) as client:
        result = await client.call_tool("ask_default", {"message": "a"}, progress_callback=hear)
        told = get_data(result)
        again = await client.call_tool("get_run", {"run_id": told["run_id"]})

    assert get_text(result) == "Hello to you."
    assert told["status"] == "succeeded"
    assert told["usage"]["output_tokens"] > 0
    assert "Working on the answer" in heard
    assert get_text(again) == "Hello to you."
    assert get_data(again) == told


@ERAS
async def test_mcp_resources_are_visible_only_to_their_user(mode: str, serve: Serve):
    served = await serve(triage("general"), text("Hello to you."))
    async with open_client(served, mode) as ann, open_client(served, mode, "bob") as bob:
        await ann.call_tool("create_job", {"title": "Cook", "company": "Cafe Uno"})
        run = get_data(await ann.call_tool("ask_default", {"message": "a"}))
        listed = {str(item.uri) for item in (await ann.list_resources()).resources}
        templates = (await ann.list_resource_templates()).resource_templates
        talk = f"plainloop://api/chat/conversations/{run['thread_id']}"
        jobs = [await client.read_resource("plainloop://api/jobs?limit=5") for client in (ann, bob)]
        said = await ann.read_resource(talk)
        for uri in (talk, "plainloop://api/jobs/1", "plainloop://api/runs", "file:///etc/passwd"):
            with pytest.raises(MCPError) as refused:
                await bob.read_resource(uri)
            assert refused.value.code == -32602

    assert {"plainloop://api/jobs", "plainloop://api/chat/conversations"} <= listed
    assert "plainloop://api/jobs/{job_id}" in [item.uri_template for item in templates]
    mine, theirs = [get_resource(read)["jobs"] for read in jobs]
    assert ([job["company"] for job in mine], theirs) == (["Cafe Uno"], [])
    assert get_resource(said)["messages"][-1]["content"] == "Hello to you."


async def test_a_call_cut_off_by_a_stop_names_its_run(serve: Serve):
    served = await serve(triage("general"), Hang("So far"))
    ask = {"name": "ask_default", "arguments": {"message": "a"}, "_meta": MODERN_META}
    asking = asyncio.create_task(post(served, "tools/call", ask, {"accept": "application/json"}))
    await until(lambda: get_model(served).requests[1:] != [])
    served.replica.stop()
    told = await asking
    error = told.json()["error"]
    run = await served.service.store.load_run("acme", "ann", error["data"]["run_id"])

    assert told.status_code == 503 and "read it with get_run" in error["message"]
    assert run.ended_at is None


async def test_a_resources_query_is_read_as_over_http(served: Served):
    where = "plainloop://api/chat/conversations?"
    statuses: dict[str, int] = {}
    client = await served.client()
    for query in (
        "text=%00a",
        "since=2026-01-01",
        "since=0001-01-01T00:00:00Z",
        "txt=a",
        "limit=0",
    ):
        uri = where + query
        told = await post(
            served, "resources/read", {"uri": uri, "_meta": MODERN_META}, {"mcp-name": uri}
        )
        by_http = await client.get(f"/api/chat/conversations?{query}")
        statuses[query] = told.status_code
        assert (told.status_code == 200) == (by_http.status_code == 200), (told.text, by_http.text)
        if told.status_code != 200:
            assert told.json()["error"]["code"] == -32602
            assert told.json()["error"]["message"].startswith("the query has the wrong shape: ")

    assert [*statuses.values()] == [200, 200, 400, 400, 400]


@ERAS
async def test_a_packs_conversation_starters_are_mcp_prompts(mode: str, served: Served):
    offer_sentence(served)
    async with open_client(served, mode) as client:
        [prompt] = (await client.list_prompts()).prompts
        told = await client.get_prompt(prompt.name)
        with pytest.raises(MCPError):
            await client.get_prompt("nothing")

    assert (prompt.name, prompt.title) == ("list_my_saved_jobs", "list my saved jobs")
    assert told.messages[0].content == types.TextContent(text="list my saved jobs")


async def test_an_mcp_conversation_continues_by_thread_id(serve: Serve):
    served = await serve(*(triage("general"), text("One.")), *(triage("general"), text("Two.")))
    async with open_client(served, "auto") as client:
        one = get_data(await client.call_tool("ask_default", {"message": "a"}))
        more = {"message": "b", "thread_id": one["thread_id"]}
        two = get_data(await client.call_tool("ask_default", more))
        foreign = await client.call_tool("get_run", {"run_id": "0" * 32})

    assert two["thread_id"] == one["thread_id"]
    assert foreign.is_error
    async with open_client(served, "auto", "bob") as bob:
        other = await bob.call_tool("ask_default", more)
        run = await bob.call_tool("get_run", {"run_id": one["run_id"]})
    assert other.is_error and run.is_error
    assert "NOT_FOUND" in get_text(other)


async def save_job(client: Client) -> int:
    saved = await client.call_tool("create_job", {"title": "Cook", "company": "Cafe Uno"})
    return get_data(saved)["job"]["job_id"]


@ERAS
async def test_approvals_are_elicited_from_clients_that_support_it(mode: str, served: Served):
    asked: list[str] = []
    actions: list[Any] = ["decline", "accept"]

    async def answer(context: Any, params: types.ElicitRequestFormParams) -> types.ElicitResult:
        asked.append(params.message)
        action = actions[len(asked) - 1]
        return types.ElicitResult(action=action, content={} if action == "accept" else None)

    async with open_client(served, mode, elicitation_callback=answer) as client:
        job_id = await save_job(client)
        for times, action in enumerate(actions, 1):
            done = await client.call_tool("delete_job", {"job_id": job_id})
            jobs = get_data(await client.call_tool("list_jobs", {}))["jobs"]
            assert len(asked) == times and "Cafe Uno" in asked[-1]
            assert (done.is_error, len(jobs)) == ((True, 1) if action == "decline" else (False, 0))


async def test_a_dismissed_elicitation_of_an_older_client_denies(served: Served):
    async def answer(context: Any, params: types.ElicitRequestFormParams) -> types.ElicitResult:
        return types.ElicitResult(action="cancel")

    async with open_client(served, "legacy", elicitation_callback=answer) as client:
        job_id = await save_job(client)
        done = await client.call_tool("delete_job", {"job_id": job_id})
        jobs = get_data(await client.call_tool("list_jobs", {}))["jobs"]

    assert done.is_error and "did not allow" in get_text(done)
    assert len(jobs) == 1


async def test_only_the_runs_user_can_answer_an_elicitation(served: Served):
    """By the wire form of clients of 2025: the question is a request on the call's own stream."""
    ann, bob = await served.client(), await served.client("bob")
    hello = {"protocolVersion": LEGACY[0], "capabilities": {"elicitation": {}}, "clientInfo": {}}
    old = {"accept": "application/json, text/event-stream", "mcp-protocol-version": LEGACY[0]}
    begun = await ann.post("/mcp", json=_make("initialize", hello), headers=old)
    old["mcp-session-id"] = begun.headers["mcp-session-id"]
    made = {"name": "create_job", "arguments": {"title": "Cook", "company": "Cafe Uno"}}
    await ann.post("/mcp", json=_make("tools/call", made), headers=old)
    delete = {"name": "delete_job", "arguments": {"job_id": 1}}
    answers: list[httpx2.Response] = []
    told: list[Any] = []
    async with ann.stream("POST", "/mcp", json=_make("tools/call", delete), headers=old) as lines:
        async for line in lines.aiter_lines():
            if not line.startswith("data: "):
                continue
            told.append(json.loads(line.removeprefix("data: ")))
            if told[-1].get("method") == "elicitation/create":
                reply = {"jsonrpc": "2.0", "id": told[-1]["id"], "result": {"action": "accept"}}
                answers = [await who.post("/mcp", json=reply, headers=old) for who in (bob, ann)]

    assert [item.status_code for item in answers] == [400, 202]
    assert told[-1]["result"]["isError"] is False


def _make(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@ERAS
async def test_clients_without_elicitation_get_the_url_to_decide_at(mode: str, served: Served):
    async with open_client(served, mode) as client:
        job_id = await save_job(client)
        waiting = await client.call_tool("delete_job", {"job_id": job_id})
        told = get_data(waiting)
        assert waiting.is_error and told["status"] == "waiting"
        assert f"/api/runs/{told['run_id']}/approvals/" in get_text(waiting)
        http = await served.client()
        where = f"/api/runs/{told['run_id']}/approvals/{told['approvals'][0]['approval_id']}"
        assert (await http.post(where, json={"approve": True})).status_code == 200

        for _ in range(200):
            run = await client.call_tool("get_run", {"run_id": told["run_id"]})
            if get_data(run)["status"] == "succeeded":
                break
            await asyncio.sleep(0.05)
        jobs = get_data(await client.call_tool("list_jobs", {}))["jobs"]

    assert get_data(run)["status"] == "succeeded"
    assert jobs == []


async def test_a_request_state_of_another_call_or_user_is_refused(served: Served):
    async with open_client(served, "auto") as client:
        job_id = await save_job(client)
    can_ask = {**MODERN_META, f"{META}clientCapabilities": {"elicitation": {}}}
    call = {"name": "delete_job", "arguments": {"job_id": job_id}, "_meta": can_ask}
    asked = _read(await post(served, "tools/call", call))["result"]
    assert asked["resultType"] == "input_required"
    (approval_id,) = asked["inputRequests"]
    yes = {
        "requestState": asked["requestState"],
        "inputResponses": {approval_id: {"action": "accept", "content": {}}},
    }

    other = {**call, **yes, "arguments": {"job_id": job_id + 1}}
    assert (await post(served, "tools/call", other)).json()["error"]["code"] == -32602
    lost = {**call, **yes, "requestState": "nothing"}
    assert (await post(served, "tools/call", lost)).json()["error"]["code"] == -32602
    bob = {"authorization": f"Bearer {served.token('bob')}"}
    assert (await post(served, "tools/call", {**call, **yes}, bob)).status_code == 400
    done = _read(await post(served, "tools/call", {**call, **yes}))["result"]

    assert done["isError"] is False


def _read(answer: httpx2.Response) -> Any:
    """The last message of an answer, streamed or not."""
    if answer.headers["content-type"].startswith("text/event-stream"):
        lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
        return json.loads(lines[-1].removeprefix("data: "))
    return answer.json()


async def test_each_mcp_error_has_its_code_and_status(served: Served):
    wrong: list[tuple[str, Any, Any, int, int | None]] = [
        ("server/discover", {}, {}, 400, -32602),
        ("server/discover", None, {"mcp-method": "tools/list"}, 400, -32020),
        ("server/discover", None, {"mcp-method": None}, 400, -32020),
        ("server/discover", None, {"mcp-protocol-version": "2025-11-25"}, 400, -32020),
        (
            "server/discover",
            {"_meta": {**MODERN_META, f"{META}protocolVersion": "1999-01-01"}},
            {"mcp-protocol-version": "1999-01-01"},
            400,
            -32022,
        ),
        ("server/discover", {"_meta": {f"{META}protocolVersion": MODERN}}, {}, 400, -32602),
        ("completion/complete", None, {}, 404, -32601),
        ("initialize", None, {}, 404, -32601),
        ("tools/call", {"_meta": MODERN_META}, {}, 400, -32020),
        ("tools/call", {"name": "no_such", "_meta": MODERN_META}, {}, 200, -32602),
        ("tools/call", {"name": "list_jobs", "arguments": [], "_meta": MODERN_META}, {}, 200, None),
        ("tools/list", {"cursor": "", "_meta": MODERN_META}, {}, 200, None),
        *(
            (method, {"cursor": "page-2", "_meta": MODERN_META}, {}, 200, -32602)
            for method in ("tools/list", "prompts/list", "resources/list")
        ),
        (
            "tools/call",
            {"name": "list_jobs", "arguments": 7, "_meta": MODERN_META},
            {},
            400,
            -32602,
        ),
    ]
    for method, params, headers, status, code in wrong:
        answer = await post(served, method, params, headers)
        told = (answer.status_code, answer.json().get("error", {}).get("code"))
        assert told == (status, code), (method, params, headers, answer.text)


async def test_invalid_messages_get_json_rpc_errors(served: Served):
    client = await served.client()
    kind = {"content-type": "application/json"}
    garbage = await client.post("/mcp", content=b"{", headers=kind)
    batch = await client.post("/mcp", json=[{"jsonrpc": "2.0", "method": "ping", "id": 1}])
    told = await client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/x"})
    got = await client.get("/mcp")
    nobody = await (await served.client()).post(
        "/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers={"authorization": "x"}
    )

    assert (garbage.status_code, garbage.json()["error"]["code"]) == (400, -32700)
    assert (batch.status_code, batch.json()["error"]["code"]) == (400, -32600)
    assert (told.status_code, told.content) == (202, b"")
    assert got.status_code == 405
    assert nobody.status_code == 401
    assert nobody.json()["error"]["data"]["code"] == "UNAUTHENTICATED"


async def test_invalid_tool_arguments_are_tool_errors(served: Served):
    async with open_client(served, "auto") as client:
        wrong = await client.call_tool("list_jobs", {"limit": "many"})
        asked = await client.call_tool("ask_default", {"massage": "hi"})

    assert wrong.is_error and "limit" in get_text(wrong)
    assert asked.is_error and "massage" in get_text(asked)


async def test_a_disconnect_cancels_the_call_if_requested(serve: Serve):
    served = await serve(triage("general"), Hang("Well"))
    call = {"message": "hi", "cancel_on_disconnect": True}
    async with open_client(served, "auto") as client:
        with pytest.raises(Exception, match=r"(?i)timed out|timeout"):
            await client.call_tool("ask_default", call, read_timeout_seconds=2)
    for _ in range(200):
        runs = await served.service.store.read("acme").fetch(
            "select status, error_code from runs where tenant_id = $1", "acme"
        )
        if runs and runs[0]["status"] == "cancelled":
            break
        await asyncio.sleep(0.05)
    assert [row["status"] for row in runs] == ["cancelled"]


async def test_a_401_response_names_the_authorization_server(serve: Serve):
    issuer, audience = "https://login.example.com", "https://api.example.com/mcp"
    served = await serve(auth_changes={"issuer": issuer, "audience": audience})
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as nobody:
        refused = await nobody.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        well_known = "/.well-known/oauth-protected-resource/mcp"
        told = await nobody.get(well_known)

    assert refused.status_code == 401
    where = f'Bearer resource_metadata="https://api.example.com{well_known}"'
    assert refused.headers["www-authenticate"] == where
    assert told.json() == {
        "resource": audience,
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "resource_name": "plainloop",
    }
