"""Every operation of `/openapi.json`, really asked: what comes back is what the contract says."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest

from tests.server.conftest import Serve, Served, ask, begin, until

TALK = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}
CHAT = "/api/chat/conversations"
NEVER_ENDS = ("GET", "/api/changes")  # tests/server/test_changes.py reads it
UseRoutes = Callable[[httpx2.AsyncClient], Awaitable[None]]


class Contract:
    """Holds each answer against the document, and knows which operations were answered well."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.wrong: list[str] = []
        self.answered: set[tuple[str, str]] = set()
        self._document = document
        self._paths = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path)
            for path in sorted(document["paths"], key=lambda path: path.count("{"))
        ]

    def list_operations(self) -> set[tuple[str, str]]:
        paths = self._document["paths"].items()
        return {(method.upper(), path) for path, methods in paths for method in methods}

    async def check(self, answer: httpx2.Response) -> None:
        await answer.aread()
        method, asked = answer.request.method, answer.request.url.path
        path = next(path for pattern, path in self._paths if pattern.fullmatch(asked))
        operation = self._document["paths"][path][method.lower()]
        if problem := self._find_problem(operation, answer):
            self.wrong.append(f"{method} {asked} {answer.status_code}: {problem}")
        if answer.is_success:
            self.answered.add((method, path))

    def _find_problem(self, operation: dict[str, Any], answer: httpx2.Response) -> str:
        told = operation["responses"].get(str(answer.status_code))
        if told is None:
            return "the status is not told"
        if answer.status_code == 204:
            return "it has a body" if answer.content else ""
        media_type = answer.headers["content-type"].partition(";")[0]
        if media_type not in told["content"]:
            return f"{media_type} is not told"
        if media_type != "application/json":
            return ""
        schema = told["content"][media_type]["schema"]
        validator = jsonschema.Draft202012Validator(
            {**schema, "components": self._document["components"]}
        )
        problems = [
            f"{item.json_path} {item.message}" for item in validator.iter_errors(answer.json())
        ]
        unknown = self._list_unknown(schema, answer.json(), "$")
        return ", ".join([*problems, *unknown])

    def _list_unknown(self, schema: dict[str, Any], value: Any, place: str) -> list[str]:
        """Names in the answer that the document does not have."""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self._document["components"]["schemas"][name]
        if isinstance(value, dict) and "properties" in schema:
            unknown = [
                f"{place}.{name} is not told" for name in value if name not in schema["properties"]
            ]
            for name in value.keys() & schema["properties"].keys():
                unknown += self._list_unknown(
                    schema["properties"][name], value[name], f"{place}.{name}"
                )
            return unknown
        if isinstance(value, list) and "items" in schema:
            return [
                found
                for n, item in enumerate(value)
                for found in self._list_unknown(schema["items"], item, f"{place}[{n}]")
            ]
        return []


@pytest.fixture
def use_routes() -> UseRoutes:
    """`await use_routes(client)`: the routes of the pack that serves chat, each asked well."""

    async def use(client: httpx2.AsyncClient) -> None:
        job = (await client.post("/api/jobs", json={"company": "Acme", "title": "Cook"})).json()
        for path in ("", f"/{job['job_id']}"):
            await client.get(f"/api/jobs{path}")
        await client.delete(f"/api/jobs/{job['job_id']}")

    return use


ENDS = """
[[endings]]
provider = "offline"
models = ["offline-rules"]
ends = 2027-01-14
successor = "offline-rules-2"
"""


async def test_every_answer_matches_the_openapi_contract(
    serve: Serve, all_packs: tuple[str, ...], use_routes: UseRoutes, tmp_path: Path
):
    (tmp_path / "endings.toml").write_text(ENDS)
    ends = tmp_path / "endings.toml"
    served = await serve(packs=all_packs, requests_per_minute=10**6, endings_file=ends)
    boss = await served.client("boss", is_admin=True)
    contract = Contract((await boss.get("/openapi.json")).json())
    boss.event_hooks = {"response": [contract.check]}
    await talk(boss)
    await interview(boss)
    await use_routes(boss)
    await advise(served, boss)
    await administer(boss)
    await automate(boss)
    await ask_wrongly(served, boss, contract)

    assert contract.wrong == []
    missed = contract.list_operations() - contract.answered
    # An interview that is not this service's: packages/staff/tests/test_interviews.py asks them.
    assert {item for item in missed if "/staff/" not in item[1]} == {NEVER_ENDS}


async def talk(client: httpx2.AsyncClient) -> None:
    conversation = await begin(client)
    one = f"{CHAT}/{conversation}"
    answer = await ask(client, conversation, "add a job: Cook at Cafe Uno")
    run = f"/api/runs/{answer['run_id']}"
    await client.put(f"{run}/rating", json={"rating": "down", "note": "too short"})
    file = {"data": "aGVsbG8=", "media_type": "text/plain"}
    await client.post(f"{one}/messages", json={"content": "how many jobs?", "files": [file]})
    said = [item for item in (await client.get(one)).json()["messages"] if item["role"] == "user"]
    for part in range(len(said[-1]["parts"])):
        await client.get(f"{one}/messages/{said[-1]['position']}/files/{part}")
    for path in (
        CHAT,
        f"{CHAT}?limit=1",
        one,
        run,
        f"{run}/steps",
        f"{run}/summary",
        f"{run}/approvals",
        f"{one}/runs",
    ):
        await client.get(path)
    steps = (await client.get(f"{run}/steps")).json()["steps"]
    for call in [call for step in steps for call in step["calls"]]:
        await client.get(f"{run}/calls/{call['call_id']}")
    for query in ("", "?after=0", "?after=100"):
        await client.get(f"{one}/stream{query}")
    await client.patch(one, json={"title": "Work"})
    await client.post(f"{one}/branches", json={"before": 0})
    await client.get("/api/chat/labels")
    waiting = await ask(client, conversation, "delete job 1")
    (asked,) = waiting["approvals"]
    await client.get("/api/approvals")
    await client.get("/api/approvals?status=decided")
    await client.get("/api/models")
    await client.get("/api/prices")
    await client.get("/api/tools")
    await client.post(
        f"/api/runs/{waiting['run_id']}/approvals/{asked['approval_id']}", json={"approve": False}
    )
    decided = {"approval_id": asked["approval_id"], "approve": False}
    await client.post(f"/api/runs/{waiting['run_id']}/approvals", json={"decisions": [decided]})
    await client.post(f"{one}/cancel")
    await client.delete(one)
    await client.post("/ws/ticket")
    for method in ("GET", "POST", "DELETE"):
        await client.request(method, "/api/session")


async def interview(client: httpx2.AsyncClient) -> None:
    path = "/api/chat/onboarding"
    await client.get(path)
    await client.post(f"{path}/kick")
    await client.post(f"{path}/messages", json={"content": "I am Ada"})
    await client.get(path)


async def automate(boss: httpx2.AsyncClient) -> None:
    """Keys, webhooks, schedules: made, listed, taken away."""
    key = (await boss.post("/api/keys", json={"name": "x"})).json()["key_id"]
    told = {"url": "https://hooks.example", "events": ["run.ended"]}
    hook = (await boss.post("/api/webhooks", json=told)).json()["webhook_id"]
    daily = {"name": "x", "cron": "0 0 1 1 *", "message": "hello"}
    schedule = (await boss.post("/api/schedules", json=daily)).json()["schedule_id"]
    for path in ("keys", "webhooks", "schedules", "audit", "audit?format=csv"):
        await boss.get(f"/api/{path}")
    await boss.get(f"/api/webhooks/{hook}/deliveries")
    await boss.get(f"/api/schedules/{schedule}/history")
    for path in (f"webhooks/{hook}/enable", f"schedules/{schedule}/pause"):
        await boss.post(f"/api/{path}")
    await boss.post(f"/api/schedules/{schedule}/resume")
    for path in (f"keys/{key}", f"webhooks/{hook}", f"schedules/{schedule}"):
        await boss.delete(f"/api/{path}")


async def advise(served: Served, client: httpx2.AsyncClient) -> None:
    """Few conversations: nothing is bought, and there is a result all the same."""
    await ask(client, await begin(client), "add a job: Baker at Cafe Uno")
    body = {"max_cost_usd": 1, "successor": True, "sample": 5}
    await client.post("/api/advice/plan", json=body)
    one = f"/api/advice/{(await client.post('/api/advice', json=body)).json()['advice']['id']}"

    async def is_over() -> bool:
        return (await client.get(one)).json()["advice"]["status"] == "succeeded"

    await until(is_over)
    for form in ("rules", "markdown", "junit"):
        await client.get(f"{one}?format={form}")
    await client.get("/api/advice")
    # One that another process searches, and so has not ended when it is cancelled.
    await served.service.store.read("acme").execute(
        "update advices set status = 'running', result = null, ended_at = null, "
        "owner = 'elsewhere/1/1', lease_until = now() + interval '1 hour' where tenant_id = $1",
        "acme",
    )
    await client.post(f"{one}/cancel")


async def administer(client: httpx2.AsyncClient) -> None:
    for path in ("health", "config", "config/providers", "system", "system/doctor"):
        await client.get(f"/api/{path}")
    await client.get("/readyz")
    for path in ("models", "test"):
        await client.post(f"/api/config/{path}", json={"provider": "offline"})
    name = "handbook.md"
    await client.post(
        "/api/knowledge", files={"file": (name, b"# Leave\n\n30 days.", "text/plain")}
    )
    for path in ("", f"/{name}", "-search?query=leave"):
        await client.get(f"/api/knowledge{path}")
    await client.delete(f"/api/knowledge/{name}")
    budget = {"scope": "tenant", "limit_usd": "12.50"}
    made = (await client.put("/api/budgets", json=budget)).json()["budget_id"]
    await client.get("/api/budgets")
    await client.get("/api/failures")
    await client.delete(f"/api/budgets/{made}")
    queries = ("", "?by=model,day&runs=true&latency=true", "?format=csv")
    for query in (*queries, "/statement", "/chats", "/outcomes"):
        await client.get(f"/api/usage{query}")
    columns = {"map": "date=Day,model=Model,cost=USD", "provider": "anthropic"}
    bill = {"file": ("bill.csv", b"Day,Model,USD\n2026-01-05,claude-sonnet-5-5,1.50\n", "text/csv")}
    await client.post("/api/usage/reconcile", params=columns, files=bill)
    await client.post("/api/usage/reconcile/columns", files=bill)
    # So slow that it is still there to be stopped.
    body = {"conversations": [TALK] * 3, "baseline": False, "requests_per_minute": 1}
    replay = (await client.post("/api/replays", json=body)).json()["id"]
    await client.post("/api/replays/estimate", json=body)

    rows = f"/api/replays/{replay}/conversations"

    async def find_answered() -> list[int]:  # on both sides: nothing else can be judged
        listed = (await client.get(f"{rows}?only=differing")).json()
        return [row["n"] for row in listed["conversations"]]

    async def has_answered() -> bool:
        return bool(await find_answered())

    await until(has_answered)
    await client.post(f"/api/replays/{replay}/cancel")
    await client.post(f"/api/replays/{replay}/resume")
    await client.post(f"/api/replays/{replay}/cancel")
    await client.get("/api/replays")
    await client.get("/api/prompts")
    for form in ("", "?format=json", "?format=csv", "?format=html"):
        await client.get(f"/api/replays/{replay}{form}")
    await client.get(rows)
    conversation = f"{rows}/{(await find_answered())[0]}"
    await client.put(f"{conversation}/verdict", json={"verdict": "same"})
    await client.get(conversation)
    await client.get(f"/api/replays/{replay}/answers")
    await client.get(f"{conversation}/turns/0")
    await client.put(f"{conversation}/turns/0/verdict", json={"verdict": "same"})
    await client.delete("/api/users?user_id=me")
    await client.delete("/api/users/me")


async def ask_wrongly(served: Served, boss: httpx2.AsyncClient, contract: Contract) -> None:
    """The same shape for all that is refused."""
    for path in (f"{CHAT}/none", "/api/jobs/none", "/api/runs/none", "/api/replays/none"):
        await boss.get(path)
    await boss.post(CHAT, content=b"{", headers={"content-type": "application/json"})
    await boss.post(CHAT, content=b"{}", headers={"content-type": "text/plain"})
    await boss.post(CHAT, json={"title": 7})
    await boss.post(CHAT, json={"title": "x" * 1_100_000})
    await boss.post("/api/config/test", json={"provider": "none"})
    nobody = await served.client()
    nobody.event_hooks = {"response": [contract.check]}
    nobody.headers["authorization"] = "Bearer none"
    await nobody.get(CHAT)
