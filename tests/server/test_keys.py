"""API keys: every door takes them, for as long and for as much as they are for.

AGENT_TEST_KEYS=400: so many are made at once.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import AuthError, StoreError
from plainloop.agent.store.admin.api_keys import KeyBounds, NewKey, create_key
from plainloop.agent.store.store import Store
from plainloop.server.app import build_app_context, list_routes
from plainloop.server.auth import identity
from plainloop.server.auth.identity import Authenticator, Identity
from plainloop.server.protocols.registry import list_protocol_routes
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.events import RawStream, fold, parse_sse
from tests.server.held import ANSWER, SAID, Held
from tests.server.test_tenants import NEVER_ENDS, call, load_everything
from tests.server.test_websocket import find_refusal, open_socket, receive, send

AT_ONCE = int(os.environ.get("AGENT_TEST_KEYS", "12"))
STREAMS = ("/api/changes", "/mcp")


async def make_key(client: httpx2.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/api/keys", json={"name": "report", **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
async def with_key(served: Served) -> AsyncIterator[Any]:
    """`with_key(key)`: a client that shows the key and nothing else."""
    async with AsyncExitStack() as stack:

        async def open_client(key: str) -> httpx2.AsyncClient:
            client = httpx2.AsyncClient(
                base_url=served.url,
                headers={"authorization": f"Bearer {key}"},
                timeout=60,
                trust_env=False,
            )
            return await stack.enter_async_context(client)

        yield open_client


def list_everything(served: Served) -> list[Any]:
    app = build_app_context(served.service, served.replica.runs, served.replica.hosts)
    items = [*list_routes(app), *list_protocol_routes(app)]
    return [item.route for item in items if item.route.path != NEVER_ENDS]


async def expire_all(store: Store) -> None:
    async with store.transaction("acme") as tx:
        await tx.execute("update api_keys set expires_at = now() where tenant_id = $1", "acme")


async def test_an_api_key_acts_as_its_user(served: Served, ann: httpx2.AsyncClient, with_key: Any):
    pytest.importorskip("plainloop_frontends")
    key = (await make_key(ann))["key"]
    program = await with_key(key)
    conversation = await begin(program, "of the program")
    answer = await ask(program, conversation, "how many jobs have I applied to?")
    openai = await program.post(
        "/v1/chat/completions",
        json={
            "model": "tracker/default",
            "messages": [{"role": "user", "content": "list my jobs"}],
        },
    )
    [listed] = (await ann.get("/api/keys")).json()["keys"]

    assert answer["content"]
    assert openai.status_code == 200, openai.text
    titles = [
        item["title"] for item in (await ann.get("/api/chat/conversations")).json()["conversations"]
    ]
    assert "of the program" in titles
    assert listed["last_used_at"] is not None
    assert (listed["name"], listed["scopes"], listed["ending"]) == (
        "report",
        ["read", "write"],
        key[-4:],
    )


async def test_every_protocol_accepts_keys_and_refuses_revoked_ones(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    made = await make_key(ann)
    program = await with_key(made["key"])
    skipped = ("/api/session", "/api/users", "/api/keys")
    routes = [route for route in list_everything(served) if not route.path.startswith(skipped)]
    for route in routes:
        if route.path in STREAMS and route.method == "GET":
            continue
        answer = await call(program, route, {})
        assert answer.status_code != 401, (route.path, answer.text)
    assert len(routes) > 60

    assert (await ann.delete(f"/api/keys/{made['key_id']}")).status_code == 204
    for route in routes:
        answer = await call(program, route, {})
        assert answer.status_code == 401, (route.path, answer.text)


async def test_a_read_only_key_cannot_change_anything(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    conversation = await begin(ann, "ann's")
    reader = await with_key((await make_key(ann, scopes=["read"]))["key"])
    assert (await reader.get(f"/api/chat/conversations/{conversation}")).status_code == 200
    async with served.service.store.transaction("acme") as tx:  # noted once a minute
        await tx.execute(
            "update api_keys set last_used_at = 'infinity' where tenant_id = $1", "acme"
        )
    before = await load_everything(served.service.store, "acme")
    for route in list_everything(served):
        if route.method != "GET":
            answer = await call(reader, route, {"conversation_id": conversation})
            assert answer.status_code == 403, (route.path, answer.text)
            assert "allows only reading" in answer.text, route.path
    assert await load_everything(served.service.store, "acme") == before
    key = reader.headers["authorization"]
    refusal = await find_refusal(served, "/ws/chat", headers={"authorization": key})
    assert refusal == (403, "SCOPE_MISSING")


async def test_a_websocket_accepts_a_key_until_it_is_revoked(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    for way in ("header", "subprotocol", "query", "ticket"):
        made = await make_key(ann)
        key, path, options = made["key"], "/ws/chat", dict[str, Any](headers={})
        if way == "header":
            options["headers"] = {"authorization": f"Bearer {key}"}
        elif way == "subprotocol":
            options["subprotocols"] = ["plainloop", f"bearer.{key}"]
        elif way == "query":
            path += f"?token={key}"
        else:
            ticket = (await (await with_key(key)).post("/ws/ticket")).json()["ticket"]
            path += f"?ticket={ticket}"
        async with open_socket(served, path, **options) as socket:
            await send(socket, type="ping")
            assert await receive(socket) == {"type": "pong"}, way
            assert socket.subprotocol == ("plainloop" if way == "subprotocol" else None)
            await ann.delete(f"/api/keys/{made['key_id']}")
            await send(socket, type="ping")
            assert (await receive(socket))["code"] == "KEY_NOT_HELD", way


async def test_a_revoked_key_ends_the_streams_of_its_runs(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(identity, "CHECK_S", 0)
    held = Held()
    served = await serve(*held.script)
    ann = await served.client()
    conversation, made = await begin(ann), await make_key(ann)
    path, key = f"/api/chat/conversations/{conversation}", made["key"]
    posted = await RawStream.open(served.url, f"{path}/messages", key, body={"content": SAID})
    await held.asked.wait()
    run_id = posted.head.partition(b"x-run-id: ")[2].split(b"\r\n")[0].decode()
    joined = await RawStream.open(served.url, f"{path}/stream", key)
    for stream in (posted, joined):
        while b"run_start" not in await stream.read_chunk():
            pass
    headers = {"authorization": f"Bearer {key}"}
    async with open_socket(served, headers=headers) as socket:
        await send(socket, type="resume", conversation_id=conversation)
        await send(socket, type="ping")
        shown = [await receive(socket)]
        await ann.delete(f"/api/keys/{made['key_id']}")
        held.open.set()
        with pytest.raises(ConnectionClosed):
            while True:
                shown.append(await receive(socket))
    texts = [await stream.read_all() for stream in (posted, joined)]
    answer = await ann.get(f"{path}/stream", params={"run_id": run_id})

    assert (shown[-1]["code"], socket.close_code) == ("KEY_NOT_HELD", 4401)
    assert [stream.has_ended for stream in (posted, joined)] == [False, False]
    assert not any("at last" in told for told in (*texts, str(shown)))
    assert ANSWER in fold(parse_sse(answer.text))


async def test_an_answer_in_one_piece_is_not_sent_to_a_revoked_key(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(identity, "CHECK_S", 0)
    held = Held()
    served = await serve(*held.script)
    ann, client = await served.client(), await served.client()
    conversation, made = await begin(ann), await make_key(ann)
    client.headers |= {"authorization": f"Bearer {made['key']}", "accept": "application/json"}
    path = f"/api/chat/conversations/{conversation}/messages"
    waiting = asyncio.create_task(client.post(path, json={"content": SAID}))
    await held.asked.wait()
    await ann.delete(f"/api/keys/{made['key_id']}")
    held.open.set()
    answer = await waiting

    assert answer.status_code == 401
    assert ANSWER not in answer.text


async def test_an_answer_is_sent_whole_though_its_token_expires(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(identity, "CHECK_S", 0)
    held = Held()
    served = await serve(*held.script)
    path = f"/api/chat/conversations/{await begin(await served.client())}/messages"
    posted = await RawStream.open(served.url, path, served.token(), body={"content": SAID})
    await held.asked.wait()
    while b"run_start" not in await posted.read_chunk():
        pass
    late = time.time() + 2 * 3600  # a token lives for one
    clock = SimpleNamespace(monotonic=time.monotonic, time=lambda: late)
    monkeypatch.setattr(identity, "time", clock)
    held.open.set()

    assert ANSWER in fold(parse_sse(await posted.read_all()))
    assert posted.has_ended


async def test_a_stream_checks_its_token_once_a_second(monkeypatch: pytest.MonkeyPatch):
    checked = list[str | None]()

    async def check_held(_: Authenticator, of: Identity) -> None:
        checked.append(of.key_id)
        raise StoreError("the database is away")

    async def list_batches() -> AsyncGenerator[int]:
        for n in range(4):
            clock[0] += 0.5
            yield n

    clock = [0.0]
    monkeypatch.setattr(Authenticator, "check_held", check_held)
    monkeypatch.setattr(identity, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    shown = Authenticator(load_settings({})).show_while_held(
        Identity("acme", "ann", key_id="k"), list_batches()
    )

    assert [n async for n in shown] == [0, 1, 2, 3]
    assert checked == ["k", "k"]


async def test_a_stream_continues_while_its_token_check_waits(monkeypatch: pytest.MonkeyPatch):
    answered, shown, checks = asyncio.Event(), list[int](), list[Any]()

    async def check_held(*_: Any) -> None:
        checks.append(asyncio.current_task())
        await answered.wait()
        raise AuthError("revoked")

    async def list_batches() -> AsyncGenerator[int]:
        for n in range(9):
            yield n

    monkeypatch.setattr(Authenticator, "check_held", check_held)
    monkeypatch.setattr(identity, "CHECK_S", 0)
    monkeypatch.setattr(identity, "WAIT_S", 0)
    auth, ann = Authenticator(load_settings({})), Identity("acme", "ann", key_id="k")
    with pytest.raises(AuthError):
        async for n in auth.show_while_held(ann, list_batches()):
            shown.append(n)
            if n == 3:
                answered.set()
                await asyncio.wait(checks)

    assert (shown, len(checks)) == ([0, 1, 2, 3], 1)


async def test_revoking_a_key_ends_its_browser_session(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    made = await make_key(ann)
    browser = await with_key(made["key"])
    signed = await browser.post("/api/session")
    del browser.headers["authorization"]
    seen = await browser.get("/api/session")
    ticket_of_key = await begin_ticket(browser, served)
    await ann.delete(f"/api/keys/{made['key_id']}")
    after = await browser.get("/api/session")

    assert (signed.status_code, seen.status_code) == (201, 200)
    assert seen.json()["user_id"] == "ann"
    assert after.status_code == 401
    refusal = await find_refusal(served, f"/ws/chat?ticket={ticket_of_key}")
    assert refusal == (401, "UNAUTHENTICATED")


async def begin_ticket(browser: httpx2.AsyncClient, served: Served) -> str:
    own = {"x-plainloop-console": "1", "origin": served.url}
    return (await browser.post("/ws/ticket", headers=own)).json()["ticket"]


async def test_an_expired_key_is_refused(served: Served, ann: httpx2.AsyncClient, with_key: Any):
    program = await with_key((await make_key(ann, valid_days=0.5))["key"])
    assert (await program.get("/api/session")).status_code == 200
    await expire_all(served.service.store)
    assert (await program.get("/api/session")).status_code == 401


async def test_keys_are_invisible_to_other_users_and_tenants(
    served: Served, ann: httpx2.AsyncClient
):
    made = await make_key(ann)
    for user, tenant, is_admin in (("bob", "acme", False), ("ann", "umbrella", True)):
        stranger = await served.client(user, tenant, is_admin=is_admin)
        assert (await stranger.get("/api/keys")).json() == {"keys": []}
        assert (await stranger.delete(f"/api/keys/{made['key_id']}")).status_code == 404
    boss = await served.client("boss", is_admin=True)
    everybody = (await boss.get("/api/keys", params={"user_id": "*"})).json()["keys"]
    assert [key["key_id"] for key in everybody] == [made["key_id"]]
    assert (await boss.delete(f"/api/keys/{made['key_id']}")).status_code == 204


async def test_a_key_with_another_tenants_prefix_is_refused(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    _, _, secret = (await make_key(ann))["key"].partition(".")
    for tenant in ("dW1icmVsbGE", "YWNtZQ", "", "!", "AA"):
        program = await with_key(
            f"plk_{tenant}.{secret}x" if tenant == "YWNtZQ" else f"plk_{tenant}.{secret}"
        )
        assert (await program.get("/api/session")).status_code == 401, tenant


async def test_users_and_admins_may_create_the_documented_keys(
    served: Served, ann: httpx2.AsyncClient, with_key: Any
):
    boss = await served.client("boss", is_admin=True)
    for body in ({"user_id": "bob"}, {"scopes": ["admin"]}):
        assert (await ann.post("/api/keys", json={"name": "x", **body})).status_code == 403
    program = await with_key((await make_key(ann))["key"])
    assert (await program.post("/api/keys", json={"name": "x"})).status_code == 403
    admin = await with_key((await make_key(boss, scopes=["admin"]))["key"])
    assert (await admin.get("/api/system")).status_code == 200
    for_bob = await with_key((await make_key(admin, user_id="bob"))["key"])
    assert (await for_bob.get("/api/session")).json()["user_id"] == "bob"
    assert (await for_bob.get("/api/system")).status_code == 403
    for body in ({"valid_days": 366}, {"name": " "}, {"name": "a\nb"}):
        assert (await ann.post("/api/keys", json={"name": "x", **body})).status_code == 400, body


async def test_no_table_contains_a_key_in_plain_text(served: Served, ann: httpx2.AsyncClient):
    key = (await make_key(ann))["key"]
    rows = await load_everything(served.service.store, "acme")
    assert key.partition(".")[2].encode() not in rows


async def test_simultaneous_keys_never_exceed_the_users_limit(serve: Serve):
    served = await serve(api_keys_per_user=AT_ONCE // 2)
    ann, bob = await served.client("ann"), await served.client("bob")
    made = await asyncio.gather(
        *(ann.post("/api/keys", json={"name": f"{n}"}) for n in range(AT_ONCE))
    )
    codes = [answer.status_code for answer in made]

    assert (codes.count(201), codes.count(409)) == (AT_ONCE // 2, AT_ONCE - AT_ONCE // 2)
    assert (await bob.post("/api/keys", json={"name": "bob's"})).status_code == 201
    one = next(answer for answer in made if answer.status_code == 201).json()
    await ann.delete(f"/api/keys/{one['key_id']}")
    assert (await ann.post("/api/keys", json={"name": "in its place"})).status_code == 201


async def test_api_keys_work_without_jwt_settings(store: Store):
    settings = load_settings({"AGENT_AUTH_API_KEYS": "true"})
    checked = Authenticator(settings, store)
    async with store.transaction("acme") as tx:
        _, key = await create_key(tx, NewKey("ann", "only"), KeyBounds(5, 30))
    identity = await checked.identify_header(f"Bearer {key}")

    assert not checked.is_local
    assert (identity.tenant_id, identity.user_id, identity.is_admin) == ("acme", "ann", False)
    for wrong in (None, "Bearer x", "Bearer a.b.c", f"Bearer {key}x"):
        with pytest.raises(AuthError):
            await checked.identify_header(wrong)
