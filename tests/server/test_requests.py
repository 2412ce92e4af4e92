"""What a model call was asked, put together again, and what it shares with the one before."""

from __future__ import annotations

from typing import Any

import httpx2

from plainloop.agent.types import ChatRequest
from plainloop.server.routes.showing import to_visible_parts
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, ask, begin


async def load_requests(client: httpx2.AsyncClient, run_id: str) -> list[dict[str, Any]]:
    steps = (await client.get(f"/api/runs/{run_id}/steps")).json()["steps"]
    calls = [call for step in steps for call in step["calls"] if call["role"] == "worker"]
    found = [await client.get(f"/api/runs/{run_id}/calls/{call['call_id']}") for call in calls]
    assert [answer.status_code for answer in found] == [200] * len(calls)
    return [answer.json() for answer in found]


def pick(requests: list[ChatRequest]) -> list[ChatRequest]:
    """Those of the worker: triage has no tools."""
    return [request for request in requests if request.tools]


async def test_a_rebuilt_request_equals_the_sent_one(serve: Serve):
    script = [
        triage("crm_worker"),
        tools(("c1", "list_jobs", {})),
        text("none"),
        triage("crm_worker"),
        text("still none"),
    ]
    served = await serve(*script)
    ann = await served.client()
    conversation = await begin(ann)
    first = await ask(ann, conversation, "which open jobs would you look at?")
    second = await ask(ann, conversation, "and which of them today, do you think?")
    asked, answered = await load_requests(ann, first["run_id"])
    [later] = await load_requests(ann, second["run_id"])

    assert [message["role"] for message in answered["messages"]] == ["user", "assistant", "tool"]
    assert answered["messages"][0]["parts"][0]["text"] == "which open jobs would you look at?"
    assert "list_jobs" in [tool["name"] for tool in asked["tools"]]
    assert asked["system"]
    models: Any = served.service.models
    for shown, sent in zip((asked, answered, later), pick(models.first.requests), strict=True):
        messages = [(m["role"], to_visible_parts(m["parts"])) for m in sent.messages]
        assert [(m["role"], m["parts"]) for m in shown["messages"]] == messages
        assert shown["system"] == sent.system
        assert [item["name"] for item in shown["tools"]] == [item.name for item in sent.tools]
    assert asked["prefix"] is None
    for request, before in ((answered, asked), (later, answered)):
        prefix = request["prefix"]
        assert (prefix["before_call_id"], prefix["broken_in"]) == (before["call_id"], None)
        assert prefix["shared_tokens"] > 0 < prefix["behind_tokens"]
        assert request["messages"][: len(before["messages"])] == before["messages"]


async def test_a_rebuilt_request_names_what_broke_the_prefix(serve: Serve):
    served = await serve(*[step for _ in range(2) for step in (triage("crm_worker"), text("ok"))])
    ann = await served.client()
    conversation = await begin(ann)
    first = await ask(ann, conversation, "which open jobs would you look at?")
    second = await ask(ann, conversation, "and which of them today, do you think?")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set system_hash = tools_hash where tenant_id = $1 and run_id = $2",
            *("acme", first["run_id"]),
        )
    [request] = await load_requests(ann, second["run_id"])

    prefix = request["prefix"]
    assert (prefix["broken_in"], prefix["message"]) == ("system", None)
    assert prefix["before"] != prefix["now"]
    assert request["system"].startswith(prefix["now"][:80])


async def test_a_runs_calls_and_usage_reports_state_the_same_cache_losses(serve: Serve):
    served = await serve(*[step for _ in range(2) for step in (triage("crm_worker"), text("ok"))])
    ann = await served.client()
    conversation = await begin(ann)
    await ask(ann, conversation, "which open jobs would you look at?")
    second = await ask(ann, conversation, "and which of them today, do you think?")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set provider = 'anthropic', model = 'claude-sonnet-5-5',"
            " model_answered = null, input_tokens = 0, cache_read_tokens = 0,"
            " cache_write_tokens = 2000 where tenant_id = 'acme'"
        )
    found = (await ann.get("/api/usage?by=run")).json()["usage"]
    told = (await ann.get(f"/api/runs/{second['run_id']}/steps")).json()
    calls = [call["prefix_loss_usd"] for step in told["steps"] for call in step["calls"]]

    assert calls == ["0.0048", "0.0048"]  # of the classifier and of the worker
    assert {row["run"]: row["prefix_loss_usd"] for row in found} == {
        second["run_id"]: told["prefix_loss_usd"]
    } | {row["run"]: None for row in found if row["run"] != second["run_id"]}
    assert (told["prefix_loss_usd"], told["pause_loss_usd"]) == ("0.0096", None)
