"""A model that its provider does not have is refused before a replay begins."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import connect_models
from plainloop.agent.errors import InputError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, parse_providers
from plainloop.agent.service.service import Service
from plainloop.agent.service.variants import name_role_model
from plainloop_lab.advise.proposing import explain_price
from plainloop_lab.live.known_models import check_known_models
from plainloop_lab.live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from plainloop_lab.service.hosting import open_hosted_lanes
from plainloop_lab.store.workers import WorkerUsage
from tests.providers.test_new_provider import ENTRY
from tests.server.conftest import Serve, ask, begin
from tests.server.conftest import serve as serve
from tests.wire_fixtures import StartWire, WireServer


@pytest.fixture
async def acme(wire_server: StartWire, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """The vendor's own server, as the table has it, with its list of models."""
    server = await wire_server()
    entry = parse_providers(tomllib.loads(ENTRY.format(base_url=server.openai_url)))["acme"]
    monkeypatch.setitem(PROVIDER_DEFAULTS, "acme", entry)
    monkeypatch.setenv("ACME_API_KEY", "k")
    return server


async def check(model: str, **environ: str) -> str:
    """Return the hint of the refusal, or "" if the model may be tried."""
    settings = load_settings({"AGENT_PROVIDER": "acme", "ACME_API_KEY": "k", **environ})
    service = Service.__new__(Service)  # only what opening a plan reads
    service.settings, service.models = settings, await connect_models(settings)
    service.packs = ()
    plan = LivePlan(
        {BASELINE: LanePlan(), CANDIDATE: LanePlan(name_role_model("worker", f"acme:{model}"))}
    )
    try:
        await check_known_models(plan, await open_hosted_lanes(plan, service))
    except InputError as error:
        assert (error.code, error.message) == ("UNKNOWN_MODEL", f"acme has no model {model!r}")
        return error.hint or "-"
    return ""


@pytest.mark.parametrize("model", ["gpt-6.1-terra", "gpt-6-luna", "deepseek-chat", "own"])
async def test_a_replay_accepts_models_that_are_listed_default_or_priced(
    acme: WireServer, tmp_path: Path, model: str
) -> None:
    """By the vendor's list, as a default, or by a price of one's own."""
    config = tmp_path / "plainloop.toml"
    config.write_text('[prices."acme:own"]\ninput = 1\noutput = 1\n')
    assert await check(model, AGENT_CONFIG=str(config)) == ""


async def test_an_unknown_model_is_refused_with_the_nearest_name(acme: WireServer) -> None:
    hint = await check("gpt-6.1-tera")
    assert hint == "Did you mean 'gpt-6.1-terra'? `plainloop models acme` lists its 2 models."


async def test_any_model_of_a_compatible_server_may_be_tried(acme: WireServer) -> None:
    elsewhere = acme.openai_url.replace("127.0.0.1", "localhost")
    assert await check("gpt-6.1-tera", AGENT_API_BASE=elsewhere) == ""


async def test_a_model_may_be_tried_when_its_vendor_sends_no_list(
    acme: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = parse_providers(tomllib.loads(ENTRY.format(base_url="http://127.0.0.1:9/v1")))["acme"]
    monkeypatch.setitem(PROVIDER_DEFAULTS, "acme", entry)
    assert await check("gpt-6.1-tera") == ""


async def test_a_replay_with_an_unknown_model_is_refused_over_http(
    acme: WireServer, serve: Serve
) -> None:
    served = await serve()
    boss = await served.client("boss", is_admin=True)
    await ask(boss, await begin(boss), "how many jobs do I have?")
    settings = served.service.settings
    served.service.settings = replace(settings, _environ={"ACME_API_KEY": "k"})
    chosen = {"provider": "acme", "model": "gpt-6.1-tera"}
    for body in (chosen, {"judge": "acme:gpt-6.1-tera"}, {"models": {"worker": "acme:gpt-6-lun"}}):
        answer = await boss.post("/api/replays", json={"baseline": False, **body})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "UNKNOWN_MODEL")
    assert (await boss.get("/api/replays")).json() == {"replays": []}


def test_a_candidate_without_a_price_names_the_nearest_priced_model() -> None:
    today = WorkerUsage("worker", "clerk", "openai", "gpt-5", None, 1, 1, 10, 10, None, 0)
    assert explain_price("openai:gpt-5-mimi", today) == (
        "its price is unknown: add [prices.\"openai:gpt-5-mimi\"], or did you mean 'gpt-5-mini'?"
    )
    assert explain_price("openai:zzz", today) == ('its price is unknown: add [prices."openai:zzz"]')
