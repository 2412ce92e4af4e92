"""Helpers over HTTP and in `plainloop explain`: asked, decided and shown as a branch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from plainloop.agent.cli.talk.explain import print_run
from plainloop.agent.cli.terminal.options import Owner
from tests.helpers.conftest import ScoutModels, ask, make_scout_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import ScriptedModels, text, tools
from tests.server.conftest import HEADERS, Serve, Served, serve
from tests.server.events import parse_sse

__all__ = ["serve"]


@pytest.fixture
async def served(serve: Serve) -> AsyncIterator[Served]:
    """A replica whose lead asks two helpers, one of whom signals."""
    one = await serve()
    one.service.packs = (make_scout_pack([]),)
    models = ScoutModels(
        lead=[tools(*ask("north", "west")), text("Done.")],
        north=[text("Snow.")],
        west=[tools(("s1", "signal", {"text": "fire"})), text("Signalled.")],
    )
    one.service.models = ScriptedModels(models)  # type: ignore[assignment]
    yield one


async def test_a_helpers_approval_is_shown_and_decided_over_http(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = await served.client()
    made = (await ann.post("/api/chat/conversations", json={})).json()
    path = f"/api/chat/conversations/{made['id']}/messages"
    waiting: dict[str, Any] = (
        await ann.post(path, json={"content": "please look"}, headers=HEADERS)
    ).json()
    [asked] = waiting["approvals"]
    assert asked["conversation_id"] == made["id"]
    assert asked["arguments"]["tool"] == "signal"
    inbox = (await ann.get("/api/approvals")).json()["approvals"]
    assert [item["approval_id"] for item in inbox] == [asked["approval_id"]]

    run_id = waiting["run_id"]
    stream = f"/api/chat/conversations/{made['id']}/stream?run_id={run_id}"
    watching = asyncio.create_task(ann.get(stream))
    decide = f"/api/runs/{run_id}/approvals/{asked['approval_id']}"
    assert (await ann.post(decide, json={"approve": True})).status_code == 200
    events = parse_sse((await watching).text)
    assert events[-1].event == "done"
    assert {item.data["worker"] for item in events if item.event == "helper"} == {"north", "west"}

    steps = (await ann.get(f"/api/runs/{run_id}/steps")).json()["steps"]
    shown = {tool["name"]: tool["helper"] for step in steps for tool in step["tools"]}
    assert {name: (item["worker"], item["status"]) for name, item in shown.items()} == {
        "ask_north": ("north", "succeeded"),
        "ask_west": ("west", "succeeded"),
    }
    west = (await ann.get(f"/api/runs/{shown['ask_west']['run_id']}")).json()
    assert (west["caller_run_id"], west["question"]) == (run_id, "look west")
    assert (await ann.get(f"/api/runs/{run_id}")).json()["caller_run_id"] is None
    bob = await served.client("bob")
    assert (await bob.get(f"/api/runs/{west['id']}")).status_code == 404

    await print_run(served.service.store, Owner(TENANT, USER), run_id)
    told = capsys.readouterr().out
    assert f"the helper west in run {west['id']}: succeeded" in told
    await print_run(served.service.store, Owner(TENANT, USER), west["id"])
    assert f"called as a helper by the run {run_id}" in capsys.readouterr().out
