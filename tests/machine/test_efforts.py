"""How hard each role's model is asked to think, read from what goes over every vendor's wire."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.cli.talk.explain import render_call
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.core.models import Models
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, Effort
from plainloop.agent.usage.report import summarize_usage
from plainloop_wire.script import parse_script
from tests.core.model_calls import make_caller
from tests.machine.conftest import StartMachine
from tests.machine.running import TENANT
from tests.wire_fixtures import StartWire, WireServer

VENDORS = ("anthropic", "openai", "responses", "gemini", "deepseek", "kimi", "glm", "minimax")
WIRES = (*VENDORS, "ollama")
# What triage, reviews, learning and titles send with each vendor's small model. Chat Completions
# of OpenAI's reasoning models is for gateways: at its own address Responses is spoken.
BRIEF = {
    "anthropic": {"output_config": {"effort": "low"}},
    "openai": {"reasoning_effort": "low"},
    "responses": {"reasoning": {"effort": "low"}},
    "gemini": {"thinkingConfig": {"thinking_level": "MINIMAL"}},  # its own is below low
    "deepseek": {"reasoning_effort": "low"},
    "kimi": {"reasoning_effort": "low"},
    "glm": {"reasoning_effort": "low"},
    "minimax": {"thinking": {"type": "disabled"}},
    "ollama": {"think": False},
}
# And workers that are to think `high`, with the large one.
HIGH = {
    "anthropic": {"output_config": {"effort": "high"}},
    "openai": {"reasoning_effort": "high"},
    "responses": {"reasoning": {"effort": "high"}},
    "gemini": {"thinkingConfig": {"thinking_level": "HIGH"}},
    "deepseek": {"reasoning_effort": "high"},
    "kimi": {"reasoning_effort": "high"},
    "glm": {"reasoning_effort": "high"},
    "minimax": {"thinking": {"type": "adaptive"}},
    "ollama": {},
}
FIELDS = ("output_config", "reasoning_effort", "reasoning", "thinkingConfig", "thinking", "think")
SCRIPT = [
    {"match": {"schema": True}, "answer": {"json": {"worker": "poet"}}, "times": 1},
    {"match": {"schema": True}, "answer": {"json": {"verdict": "pass", "score": 1}}},
    {"answer": {"text": "Roses are red."}},
]
ASKED: ChatRequest = ChatRequest("Be brief.", [make_text_message("user", "Hello")])


def make_models(server: WireServer, wire: str, **environ: str) -> Models:
    """The vendor's own models, at the server's address."""
    provider = "openai" if wire == "responses" else wire
    item = PROVIDER_DEFAULTS[provider]
    has_version = wire not in ("anthropic", "gemini", "ollama")
    given = {
        item.key_variables[0]: "k",
        "AGENT_MODEL": item.default_model,
        "AGENT_SMALL_MODEL": item.default_model if wire == "kimi" else item.small_model,
        "AGENT_API_BASE": server.openai_url if has_version else server.base_url,
        **({"AGENT_PROTOCOL": "responses"} if wire == "responses" else {}),
        **environ,
    }
    return Models(load_settings(given), provider)


def list_efforts(server: WireServer) -> list[dict[str, Any]]:
    """What each request said of effort, by the names of the wire."""
    found: list[dict[str, Any]] = []
    for entry in server.requests:
        body = {**entry["body"], **(entry["body"].get("generationConfig") or {})}
        told = {name: body[name] for name in FIELDS if name in body}
        if "output_config" in told:  # beside the shape of the answer
            told["output_config"] = {"effort": told["output_config"].get("effort")}
        found.append(told)
    return found


@pytest.mark.parametrize("wire", WIRES)
async def test_triage_and_review_use_low_effort(
    machine: StartMachine, wire_server: StartWire, wire: str
) -> None:
    server = await wire_server(script=parse_script(SCRIPT))
    run = await machine(models=make_models(server, wire, AGENT_EFFORT="high"))
    told = await run.ask("a poem about roses, please")
    calls = await run.list_calls(told)

    assert [call.role for call in calls] == ["classifier", "worker", "evaluator"]
    assert list_efforts(server) == [BRIEF[wire], HIGH[wire], BRIEF[wire]]
    assert {entry["status"] for entry in server.requests} == {200}
    by_effort = await summarize_usage(run.store.read(TENANT), ["role", "effort"])
    sent = {row.keys["role"]: row.keys["effort"] for row in by_effort}
    assert sent == {call.role: call.effort for call in calls}
    assert sent["worker"] == "high" and sent["classifier"] in ("none", "minimal", "low")
    assert f" at effort {sent['evaluator']}: succeeded" in next(render_call(calls[-1]))


@pytest.mark.parametrize("wire", WIRES)
async def test_workers_use_the_models_default_effort(
    machine: StartMachine, wire_server: StartWire, wire: str
) -> None:
    server = await wire_server(script=parse_script(SCRIPT))
    run = await machine(models=make_models(server, wire))
    await run.ask("a poem about roses, please")

    assert list_efforts(server)[1] == {}


CALLERS = [
    # role, worker, what settings say, what is sent
    ("classifier", "memory", {}, "low"),
    ("classifier", "side_request", {}, "low"),
    ("router", None, {}, "low"),
    ("evaluator", "poet", {}, "low"),
    ("worker", "poet", {}, None),
    ("worker", "poet", {"AGENT_EFFORT": "max"}, "max"),
    ("evaluator", "poet", {"AGENT_EFFORT": "max"}, "low"),
    ("classifier", None, {"AGENT_EFFORT": "max"}, "low"),
    ("worker", "poet", {"AGENT_AGENTS_WORKER_EFFORT": "medium", "AGENT_EFFORT": "max"}, "medium"),
    (
        "worker",
        "poet",
        {"AGENT_AGENTS_POET_EFFORT": "high", "AGENT_AGENTS_WORKER_EFFORT": "medium"},
        "high",
    ),
    ("evaluator", "poet", {"AGENT_AGENTS_POET_EFFORT": "high"}, "low"),
    ("evaluator", "poet", {"AGENT_AGENTS_EVALUATOR_EFFORT": "medium"}, "medium"),
    ("classifier", None, {"AGENT_AGENTS_TRIAGE_EFFORT": "medium"}, "medium"),
    ("router", None, {"AGENT_AGENTS_TRIAGE_EFFORT": "medium"}, "medium"),
    ("classifier", "memory", {"AGENT_AGENTS_TRIAGE_EFFORT": "medium"}, "medium"),
    ("classifier", "memory", {"AGENT_AGENTS_MEMORY_EFFORT": "none"}, "none"),
    ("classifier", None, {"AGENT_AGENTS_MEMORY_EFFORT": "none"}, "low"),
]


@pytest.mark.parametrize(("role", "worker", "environ", "sent"), CALLERS)
async def test_each_role_has_its_own_effort_setting(
    store: Store,
    settings: Settings,
    wire_server: StartWire,
    role: str,
    worker: str | None,
    environ: dict[str, str],
    sent: str | None,
) -> None:
    server = await wire_server()
    ours = await make_caller(store, settings)
    models = make_models(server, "anthropic", AGENT_MODEL="claude-haiku-5-5", **environ)
    await call_model(ModelCall(role, ASKED, [], worker=worker), replace(ours.ctx, models=models))
    await ours.ctx.journal.settle_now(TENANT)

    (row,), (told,) = await ours.list_rows(), list_efforts(server)
    assert row.effort == sent
    level = {"effort": "low" if sent == "none" else sent}
    wanted = {} if sent is None else {"output_config": level}
    assert told == wanted | ({"thinking": {"type": "disabled"}} if sent == "none" else {})


async def test_a_requests_effort_overrides_settings_only_for_the_worker(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server()
    ours = await make_caller(store, settings)
    models = make_models(server, "glm", AGENT_EFFORT="max", AGENT_AGENTS_EVALUATOR_EFFORT="high")
    wished = replace(ASKED, effort="low")
    for role in ("worker", "evaluator"):
        await call_model(ModelCall(role, wished, []), replace(ours.ctx, models=models))

    assert list_efforts(server) == [{"reasoning_effort": "low"}, {"reasoning_effort": "high"}]


@pytest.mark.parametrize(
    ("wire", "model", "effort", "body", "note"),
    [
        ("kimi", "kimi-k3.1-pro", "medium", {"reasoning_effort": "low"}, "low instead"),
        ("kimi", "kimi-k2.6", "low", {"thinking": {"type": "disabled"}}, "none instead"),
        ("kimi", "kimi-k2.6", "max", {}, "high instead"),
        ("gemini", "gemini-3.8-flash", "max", {"thinking_level": "HIGH"}, "high instead"),
        ("gemini", "gemini-2.5-flash", "none", {"thinking_budget": 0}, None),
        ("gemini", "gemini-2.5-pro", "none", {"thinking_budget": 1024}, "low instead"),
        ("anthropic", "claude-sonnet-5-5", "minimal", {"effort": "low"}, "low instead"),
        ("anthropic", "claude-opus-4-6", "xhigh", {"effort": "high"}, "high instead"),
        ("anthropic", "claude-haiku-4-5", "low", {}, "the model's own, it has no levels"),
        ("responses", "gpt-6.2-sol", "none", {"reasoning": {"effort": "low"}}, "low instead"),
        ("openai", "gpt-4o", "high", {}, "the model's own, it has no levels"),
        # Of another server's model nobody says what it takes: what was asked for is tried.
        ("openai", "qwen3-max", "xhigh", {"reasoning_effort": "xhigh"}, None),
        ("ollama", "gpt-oss:20b", "max", {"think": "high"}, "high instead"),
    ],
)
async def test_an_unsupported_effort_becomes_the_nearest_with_a_note(
    store: Store,
    settings: Settings,
    wire_server: StartWire,
    wire: str,
    model: str,
    effort: Effort,
    body: dict[str, Any],
    note: str | None,
) -> None:
    server = await wire_server()
    ours = await make_caller(store, settings)
    models = make_models(server, wire, AGENT_MODEL=model, AGENT_EFFORT=effort)
    await call_model(ModelCall("worker", ASKED, []), replace(ours.ctx, models=models))
    await ours.ctx.journal.settle_now(TENANT)

    (row,), (told,) = await ours.list_rows(), list_efforts(server)
    (entry,) = server.requests
    assert entry["status"] == 200
    flat = {**told, **told.pop("output_config", {}), **told.pop("thinkingConfig", {})}
    assert {name: it for name, it in flat.items() if not name.endswith("onfig")} == body
    noted = [line for line in row.notes if line.startswith("effort")]
    assert noted == ([] if note is None else [f"effort {effort}: {note}"])


async def test_unknown_models_get_no_default_effort(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    server = await wire_server()
    ours = await make_caller(store, settings)
    models = make_models(server, "openai", AGENT_SMALL_MODEL="qwen3-max")
    await call_model(ModelCall("evaluator", ASKED, []), replace(ours.ctx, models=models))

    assert list_efforts(server) == [{}]


def test_setting_an_effort_does_not_change_the_model() -> None:
    own = {
        "ANTHROPIC_API_KEY": "k",
        "AGENT_AGENTS_WORKER_MODEL": "claude-opus-5-5",
        "AGENT_AGENTS_POET_EFFORT": "low",
        "AGENT_AGENTS_TRIAGE_MODEL": "claude-haiku-4-5",
        "AGENT_AGENTS_CLASSIFIER_EFFORT": "none",
    }
    models = Models(load_settings(own), "anthropic")
    poet, classifier = models.resolve("worker", "poet"), models.resolve("classifier")

    assert (poet.model, poet.effort) == ("claude-opus-5-5", "low")
    assert (classifier.model, classifier.effort) == ("claude-haiku-4-5", "none")
