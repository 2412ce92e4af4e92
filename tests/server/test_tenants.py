"""A second tenant and a second user, on every route that there is: they see and change nothing."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import orjson
import pytest

from plainloop.agent.core.api import ApiRoute
from plainloop.agent.store.store import Store
from plainloop.server.app import build_app_context, list_routes
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.test_websocket import open_socket, receive, send

STRANGERS = [("bob", "acme"), ("ann", "umbrella")]
# What exists for everybody, or is one's own by itself: nothing of another's can be named.
OWN = re.compile(r"/api/(config|usage|chat/onboarding|resume|profile)|/ws/ticket")
NEVER_ENDS = "/api/changes"  # whose it tells of: tests/server/test_changes.py
# Which values a path's names take: what belongs to ann.
Owned = dict[str, str]
KeepSecret = Callable[[httpx2.AsyncClient], Awaitable[Owned]]
Fill = Callable[[], Awaitable[tuple[httpx2.AsyncClient, Owned]]]


@pytest.fixture
async def served(serve: Serve, all_packs: tuple[str, ...]) -> Served:
    return await serve(packs=all_packs)


@pytest.fixture
def fill(served: Served, keep_secret: KeepSecret) -> Fill:
    """`await fill()`: something of ann's in every table that the API reads."""

    async def fill_all() -> tuple[httpx2.AsyncClient, Owned]:
        ann = await served.client("ann")
        own = await keep_secret(ann)
        return ann, own | await fill_core(served, ann)

    return fill_all


@pytest.fixture
def keep_secret() -> KeepSecret:
    """`await keep_secret(client)`: rows of the pack that serves chat, by the names of its paths."""

    async def keep(client: httpx2.AsyncClient) -> Owned:
        secret = {"company": "Secret Cafe", "title": "Cook"}
        job = (await client.post("/api/jobs", json=secret)).json()
        return {"job_id": str(job["job_id"])}

    return keep


def list_all_routes(served: Served) -> list[ApiRoute]:
    replica = served.replica
    owned = list_routes(build_app_context(served.service, replica.runs, replica.hosts))
    return [item.route for item in owned]


async def fill_core(served: Served, ann: httpx2.AsyncClient) -> Owned:
    conversation = await begin(ann, "ann's secret title")
    answer = await ask(ann, conversation, "add a job: Cook at Secret Cafe")
    await ask(ann, conversation, "how many jobs have I applied to?")
    await ann.post("/api/chat/onboarding/kick")
    replay = (await ann.post("/api/replays", json={"baseline": False})).json()["id"]

    async def is_replayed() -> bool:
        state = (await ann.get(f"/api/replays/{replay}")).json()["replay"]
        return state["ended_at"] is not None

    await until(is_replayed)
    boss = await served.client("boss", is_admin=True)
    steps = (await ann.get(f"/api/runs/{answer['run_id']}/steps")).json()["steps"]
    made: dict[str, dict[str, Any]] = {
        "key": {"name": "secret"},
        "schedule": {"name": "secret", "cron": "0 0 1 1 *", "message": "secret"},
        "webhook": {"url": "https://secret.example", "events": ["replay.ended"]},
    }
    budget = {"scope": "user", "user_id": "ann", "limit_tokens": 10**9}
    return {
        "conversation_id": conversation,
        "run_id": answer["run_id"],
        "call_id": next(call["call_id"] for step in steps for call in step["calls"]),
        "approval_id": answer["run_id"],
        "user_id": "ann",
        "replay_id": replay,
        "budget_id": (await boss.put("/api/budgets", json=budget)).json()["budget_id"],
        **{
            f"{kind}_id": (await ann.post(f"/api/{kind}s", json=body)).json()[f"{kind}_id"]
            for kind, body in made.items()
        },
    }


async def load_everything(store: Store, tenant_id: str) -> bytes:
    """All rows of a tenant, but the tickets, as text."""
    async with store.transaction(tenant_id) as tx:
        tables = await tx.fetch(
            "select c.relname::text as name from pg_class c join pg_attribute a "
            "on a.attrelid = c.oid and a.attname = 'tenant_id' where c.relkind in ('r', 'p') "
            "and c.relnamespace = 'public'::regnamespace and not c.relispartition "
            "and c.relname <> 'tickets' order by 1"
        )
        rows = {t["name"]: await tx.fetch(f'select * from "{t["name"]}"') for t in tables}
    for found in rows.values():
        found.sort(key=str)
    return orjson.dumps(rows, default=str)


def make_body(route: ApiRoute, owned: Owned) -> dict[str, Any]:
    """A body that the route would take from its owner."""
    bodies: dict[str, Any] = {
        "NewMessage": {"content": "hello"},
        "ConversationChange": {"title": "mine now"},
        "Decision": {"approve": True},
        "Decisions": {
            "decisions": [{"approval_id": owned.get("approval_id", "1"), "approve": True}]
        },
        "ProviderChoice": {"provider": "offline"},
        "NewRating": {"rating": "up"},
    }
    return bodies.get(route.body.__name__, {}) if route.body else {}


def is_oneself(route: ApiRoute, tenant: str) -> bool:
    """Another tenant's ann may erase the ann that she is."""
    return route.path == "/api/users/{user_id:path}" and tenant != "acme"


async def call(client: httpx2.AsyncClient, route: ApiRoute, owned: Owned) -> httpx2.Response:
    template = route.path.replace(":path", "")
    names = re.findall(r"\{(\w+)\}", template)
    path = template.format(**{name: owned.get(name, "1") for name in names})
    options: dict[str, Any] = {"headers": {"accept": "application/json"}}
    if route.upload:
        options["files"] = {"file": ("a.txt", b"text", "text/plain")}
    elif route.body:
        options["json"] = make_body(route, owned)
    return await client.request(route.method, path, **options)


# What is told of a whole tenant.
FOR_ADMINS = (
    "/api/usage/statement",
    "/api/system",
    "/api/system/doctor",
    "/api/audit",
    "/api/failures",
    "/api/knowledge-search",
    "/api/prompts",
)


async def test_no_route_serves_another_tenants_data(served: Served, fill: Fill):
    ann, owned = await fill()
    for user, tenant in reversed(STRANGERS):
        before = await load_everything(served.service.store, "acme")
        await list_all(served, user, tenant)
        await try_all_routes(served, owned, user, tenant)
        # Strangers of the same tenant may have rows of their own by now; ann's are as they were.
        for conversation in (await ann.get("/api/chat/conversations")).json()["conversations"]:
            assert conversation["title"] == "ann's secret title"
        if tenant != "acme":
            assert await load_everything(served.service.store, "acme") == before


async def try_all_routes(served: Served, owned: Owned, user: str, tenant: str) -> None:
    stranger = await served.client(user, tenant)
    tried = 0
    for route in list_all_routes(served):
        if OWN.match(route.path) or "{" not in route.path or is_oneself(route, tenant):
            continue
        answer = await call(stranger, route, owned)
        assert answer.status_code in (400, 403, 404, 415, 422), (route.path, answer.text)
        assert b"ecret" not in answer.content, route.path
        if route.path.startswith(("/api/chat", "/api/runs")):
            assert answer.status_code == 404, (route.path, answer.text)
        tried += 1
    assert tried >= 10


async def list_all(served: Served, user: str, tenant: str) -> None:
    """What is listed is one's own."""
    stranger = await served.client(user, tenant)
    for route in list_all_routes(served):
        if route.method == "GET" and "{" not in route.path and route.path != NEVER_ENDS:
            answer = await call(stranger, route, {})
            allowed = (403,) if route.path in FOR_ADMINS else (200, 204, 404)
            assert answer.status_code in allowed, (route.path, answer.text)
            assert b"ecret" not in answer.content, route.path
    usage = (await stranger.get("/api/usage")).json()["usage"]
    assert [row["calls"] for row in usage] == [0]


async def test_no_route_answers_without_a_token(served: Served):
    nobody = await served.client()
    del nobody.headers["authorization"]
    routes = list_all_routes(served)
    for route in routes:
        answer = await call(nobody, route, {})
        assert answer.status_code == 401, route.path
        assert answer.json()["error"]["code"] == "UNAUTHENTICATED"
    assert len(routes) >= 20


async def test_only_an_admin_can_act_for_other_users(served: Served, fill: Fill):
    """And of one's own tenant: another tenant's is nobody here."""
    ann, owned = await fill()
    bob, boss = await served.client("bob"), await served.client("boss", is_admin=True)
    other = await served.client("boss", "umbrella", is_admin=True)

    assert (await bob.get("/api/usage", params={"user_id": "ann"})).status_code == 403
    assert (await bob.post("/api/config/test", json={"provider": "offline"})).status_code == 403
    assert (await bob.delete("/api/users/ann")).status_code == 403
    assert "settings" not in (await bob.get("/api/config")).json()
    seen = (await boss.get("/api/usage", params={"user_id": "ann"})).json()
    all_of_it = (await boss.get("/api/usage", params={"user_id": "*"})).json()
    foreign = (await other.get("/api/usage", params={"user_id": "ann"})).json()
    assert seen["usage"] == all_of_it["usage"] != foreign["usage"]
    assert seen["usage"][0]["calls"] > 0
    assert "settings" in (await boss.get("/api/config")).json()
    before = await load_everything(served.service.store, "acme")
    for path in ("/api/budgets/{budget_id}", "/api/jobs/{job_id}"):
        assert (await other.delete(path.format(**owned))).status_code == 404
    assert (await other.get(f"/api/replays/{owned['replay_id']}")).status_code == 404
    assert (await other.delete("/api/users/ann")).status_code == 204  # of their own tenant
    assert (await other.get("/api/usage?user_id=*")).json()["usage"][0]["calls"] == 0
    assert len((await ann.get("/api/budgets")).json()["budgets"]) == 1
    assert (await ann.get(f"/api/jobs/{owned['job_id']}")).status_code == 200
    assert await load_everything(served.service.store, "acme") == before


async def test_stored_events_are_sent_only_to_their_owner(served: Served):
    """Asked for through a conversation of one's own, by the run's id."""
    ann = await served.client("ann")
    run_id = (await ask(ann, await begin(ann), "add a job: Cook at Secret Cafe"))["run_id"]
    for user, tenant in STRANGERS:
        stranger = await served.client(user, tenant)
        mine = await begin(stranger)
        path = f"/api/chat/conversations/{mine}/stream"
        for query in ({"run_id": run_id}, {"run_id": run_id, "after": "0"}):
            answer = await stranger.get(path, params=query)
            assert answer.status_code == 404, answer.text
        token = {"authorization": f"Bearer {served.token(user, tenant)}"}
        async with open_socket(served, headers=token) as socket:
            await send(socket, type="resume", conversation_id=mine, run_id=run_id)
            assert (await receive(socket))["code"] == "ACCESS_DENIED"
