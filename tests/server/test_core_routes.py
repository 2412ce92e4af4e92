"""Runs, approvals, configuration and usage over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from plainloop.agent.config.tables import RoleSettings, Settings, WireProtocol
from plainloop.agent.config.values import Secret
from plainloop.agent.core.tools import Tool, ToolContext, tool
from plainloop.agent.errors import InputError
from plainloop.agent.provenance.marking import Reach
from plainloop.agent.providers.registry import test_connection as check_connection
from plainloop.server.routes.config import describe_asking, has_key, make_chosen
from plainloop.server.routes.shapes import ProviderChoice
from tests.core.test_taint import (
    FIXED,
    MARKED,
    REACHING,
    READING,
    TAINTED,
    fetch,
    judge,
    remove,
    send,
)
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin, serving

NAMED = "https://ours.example/a"  # by the user
REMOVING = replace(send, reach=Reach(targets=("to",), removes=True))


@tool("read")
async def count(tool: ToolContext, most: int = 3) -> Any:
    """Count rows: no text, and so no address."""


async def test_a_run_is_listed_with_its_steps(serve: Serve):
    call = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
    served = await serve(triage("crm_worker"), tools(call), text("done"))
    ann = await served.client()
    conversation = await begin(ann)
    answer = await ask(ann, conversation, "please note that job for me")
    run = (await ann.get(f"/api/runs/{answer['run_id']}")).json()
    told = (await ann.get(f"/api/runs/{answer['run_id']}/steps")).json()
    steps = told["steps"]
    too_many = await ann.get(f"/api/runs/{answer['run_id']}/steps?limit=9999999")
    assert (too_many.status_code, too_many.json()["error"]["code"]) == (400, "INVALID_INPUT")

    assert run == {
        "id": answer["run_id"],
        "conversation_id": conversation,
        "question": "please note that job for me",
        "status": "succeeded",
        "design": "default",
        "pack": "tracker",
        "attempt": 1,
        "error_code": None,
        "error_message": None,
        "cause": None,
        "rating": None,
        "caller_run_id": None,
        "created_at": run["created_at"],
        "ended_at": run["ended_at"],
        "calls": 3,
        "input_tokens": 30,
        "output_tokens": 15,
        "cost_usd": None,
    }
    assert [(step["n"], step["node"], step["next"]) for step in steps] == [
        (0, "intent_classifier", "agent_router"),
        (1, "agent_router", "crm_worker"),
        (2, "crm_worker", "crm_worker.tools"),
        (3, "crm_worker.tools", "crm_worker"),
        (4, "crm_worker", "END"),
    ]
    first = steps[0]["calls"][0]
    assert first == {
        "call_id": first["call_id"],
        "role": "classifier",
        "attempt": 1,
        "provider": "scripted",
        "model": "scripted-1",
        "model_answered": "scripted-1",
        "is_rerouted": False,
        "effort": "low",
        "status": "succeeded",
        "usage_source": "provider",
        "started_at": first["started_at"],
        "input_tokens": 10,
        "cache_read_tokens": None,
        "cache_write_tokens": None,
        "cache_write_long_tokens": None,
        "output_tokens": 5,
        "reasoning_tokens": None,
        "cost_usd": None,
        "cost_parts": [],
        "pause_loss_usd": None,
        "prefix_loss_usd": None,
        "first_token_ms": first["first_token_ms"],
        "duration_ms": first["duration_ms"],
        "error_code": None,
        "error_message": None,
    }
    assert steps[2]["update"]["messages"][0]["parts"][0]["name"] == "create_job"
    assert sum(len(step["calls"]) for step in steps) == 3
    assert steps[0]["started_at"] <= first["started_at"] <= steps[1]["started_at"]
    assert [tool["name"] for step in steps for tool in step["tools"]] == ["create_job"]
    [made] = steps[3]["tools"]
    assert 0 <= made.pop("duration_ms") <= steps[3]["duration_ms"] + 1
    assert steps[3]["started_at"] <= made.pop("started_at") < steps[4]["started_at"]
    assert made.pop("size_bytes") > 0
    told = {"name": "create_job", "status": "succeeded", "effect": "write"}
    assert made == {**told, "helper": None}
    assert (await ann.get(f"/api/runs/{answer['run_id']}/approvals")).json() == {"approvals": []}


@pytest.mark.parametrize(
    ("item", "asks", "quiet", "loud"),
    [
        (replace(fetch, needs_approval=True), "always", [], []),
        (send, "after_outside_text", [], [{"to": "eve"}, {"to": NAMED}]),
        (remove, "after_outside_text", [], [{"name": NAMED}]),
        (REMOVING, "after_outside_text", [], [{"to": NAMED}]),
        (REACHING, "unnamed_values", [{"to": NAMED}], [{"to": "eve"}]),
        (READING, "unnamed_values", [{"url": NAMED}], [{"url": "https://evil.example"}]),
        (fetch, "unnamed_addresses", [{"url": NAMED}], [{"url": "https://evil.example"}]),
        (MARKED, "never", [{"name": "https://evil.example"}], []),
        (FIXED, "never", [{"url": "https://evil.example"}], []),
        (count, "never", [{"most": 4}], []),
    ],
)
def test_a_tools_record_says_when_its_calls_ask(
    item: Tool, asks: str, quiet: list[dict[str, Any]], loud: list[dict[str, Any]]
):
    assert describe_asking(item) == asks
    assert all(judge(item, TAINTED, **arguments)[0] != "asks" for arguments in quiet)
    assert all(judge(item, TAINTED, **arguments)[0] == "asks" for arguments in loud)


async def test_api_config_masks_secrets(served: Served, settings: Any):
    boss = await served.client("boss", is_admin=True)
    told = (await boss.get("/api/config")).json()
    listed = {item["key"]: item for item in told.pop("settings")}
    # What packages bring beside the packs is theirs to test.
    told["screens"] = [item for item in told["screens"] if item["pack"] in told["packs"]]

    assert told == {
        "provider": "offline",
        "model": told["model"],
        "is_offline": True,
        "notice": "offline rule-based stand-in, no language model",
        "design": "default",
        "packs": ["tracker"],
        "onboarding": "tracker",
        "screens": [
            {
                "pack": "tracker",
                "title": "Tracker",
                "heading": None,
                "placeholder": None,
                "screens": [],
                "prompts": [],
                "upload": None,
                "written": None,
                "search": [],
                "based": None,
                "about": {},
                "interview": None,
                "saved": None,
                "outputs": [],
                "tools": {},
                "words": {},
            }
        ],
    }
    assert listed["auth.jwt_secret"]["value"] == "********"
    assert listed["database.url"]["value"] == "********"
    assert listed["limits.worker_turns"]["value"] == "20"
    assert listed["limits.approval_s"]["default"] == "86400.0"
    assert listed["limits.approval_s"]["help"] == "seconds until a pending approval expires"
    assert "postgres" not in (await boss.get("/api/config")).text


@pytest.mark.parametrize(
    "given",
    [
        {"provider": "openai", "api_key": Secret("sk-of-the-file")},
        {"agents": {"worker": RoleSettings(provider="openai", api_key=Secret("sk-of-a-role"))}},
        {"provider": "openai", "_environ": {"OPENAI_API_KEY": "sk-of-the-environment"}},
    ],
)
def test_has_key_counts_keys_wherever_they_are_set(given: dict[str, Any], settings: Settings):
    own = replace(settings, **given)

    assert has_key("openai", own, "openai")
    assert not has_key("gemini", own, "openai")


async def test_the_top_level_key_belongs_to_the_top_provider(settings: Settings):
    work = RoleSettings(provider="ollama", model="m")
    given: dict[str, Any] = {"provider": "openai", "agents": {"worker": work}}
    own = replace(settings, **given, api_key=Secret("sk-top"))
    async with serving(own) as served:
        boss = await served.client("boss", is_admin=True)
        told = (await boss.get("/api/config/providers")).json()["providers"]

    assert [item["id"] for item in told if item["is_active"]] == ["ollama"]
    assert [item["id"] for item in told if item["has_key"]] == ["openai"]


async def test_a_provider_that_needs_no_key_is_marked(served: Served):
    boss = await served.client("boss", is_admin=True)
    providers = (await boss.get("/api/config/providers")).json()["providers"]
    free = {item["id"] for item in providers if not item["needs_key"]}

    assert free == {"offline", "ollama"}
    assert [item for item in providers if item["is_active"] and item["needs_key"]] == []


async def test_providers_are_listed_and_unknown_ones_are_400(served: Served):
    boss = await served.client("boss", is_admin=True)
    providers = (await boss.get("/api/config/providers")).json()["providers"]
    names = {item["id"] for item in providers}
    assert names >= {"anthropic", "openai", "gemini", "ollama", "deepseek", "kimi", "offline"}
    assert [item["id"] for item in providers if item["is_active"]] == ["offline"]
    for path in ("/api/config/models", "/api/config/test"):
        answer = await boss.post(path, json={"provider": "nobody"})
        assert answer.status_code == 400
        assert answer.json()["error"]["message"] == "unknown provider: nobody"
        keyless = await boss.post(path, json={"provider": "anthropic"})
        assert keyless.status_code == 400
        assert keyless.json()["error"]["code"] == "MISSING_KEY"
        bad = await boss.post(path, json={"provider": "anthropic", "api_key": "a\nb"})
        assert bad.status_code == 400


async def test_api_config_test_uses_the_requests_settings(serve: Serve, wire_server: Any):
    base_url = (await wire_server()).base_url
    served = await serve(outbound_allow=(urlsplit(base_url).netloc, "127.0.0.1:9"))
    boss = await served.client("boss", is_admin=True)
    choice = {"provider": "anthropic", "api_key": "k", "api_base": base_url}
    models = await boss.post("/api/config/models", json=choice)
    tested = (await boss.post("/api/config/test", json=choice)).json()
    gone = {**choice, "api_base": "http://127.0.0.1:9"}
    failed = (await boss.post("/api/config/test", json=gone)).json()
    refused = await boss.post("/api/config/models", json=gone)

    assert models.status_code == 200, models.text
    ids = [item["id"] for item in models.json()]
    assert ids == sorted(ids)
    assert models.json()[0].keys() == {"id", "name"}
    assert (tested["ok"], tested["content"] != "") == (True, True)
    assert (failed["ok"], failed["error"]["code"]) == (False, "MODEL_UNREACHABLE")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "MODEL_UNREACHABLE")


async def test_the_services_key_is_never_sent_to_a_requested_url(served: Served):
    ours = replace(served.settings, provider="anthropic", api_key=Secret("sk-ours"))
    foreign = ProviderChoice("anthropic", api_base="http://collector.example")
    with pytest.raises(InputError) as refused:
        make_chosen(foreign, ours, "anthropic")
    assert refused.value.code == "MISSING_KEY"
    assert make_chosen(ProviderChoice("anthropic"), ours, "anthropic").provider == "anthropic"


@pytest.mark.parametrize(
    ("protocol", "dialect"), [("chat", "openai_chat"), ("responses", "openai_responses")]
)
async def test_api_config_test_uses_the_configured_protocol(
    served: Served, wire_server: Any, protocol: WireProtocol, dialect: str
):
    server = await wire_server()
    ours = replace(
        served.settings,
        provider="openai",
        api_key=Secret("sk-ours"),
        api_base=server.openai_url,
        protocol=protocol,
    )
    await check_connection(make_chosen(ProviderChoice("openai"), ours, "openai"))
    assert [entry["dialect"] for entry in server.requests] == [dialect]
    other = replace(ours, provider="anthropic", protocol=protocol)
    base = ProviderChoice("anthropic", api_key="k", api_base=server.base_url)
    assert make_chosen(base, other, "openai").provider == "anthropic"  # the top one's setting only
