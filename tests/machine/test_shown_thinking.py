"""A model's thinking, and its words between two tools, are asked for where a run shows them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.caching.bounded import clear_caches
from plainloop.agent.errors import ThinkingRefused
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.providers.shown_thinking import NOTE
from plainloop_wire.call import Rules
from plainloop_wire.script import parse_script
from tests.machine.conftest import StartMachine
from tests.machine.test_efforts import WIRES, make_models
from tests.providers.asking import HELLO, ask
from tests.providers.local_server import Reply, run_local
from tests.wire_fixtures import StartWire

# The words before the second call come as thinking from Claude 5.5.
SCRIPT = [
    {"match": {"schema": True}, "answer": {"json": {"worker": "poet"}}, "times": 1},
    {"match": {"schema": True}, "answer": {"json": {"verdict": "pass", "score": 1}}},
    {"answer": {"text": "Roses are red.", "reasoning": "Of what colour?"}},
]
# What a request that shows thinking has more than one that does not.
ASKS: dict[str, Any] = {
    "anthropic": {"thinking": {"type": "adaptive", "display": "summarized"}},
    "responses": {"reasoning": {"summary": "auto"}},
    "gemini": {"thinkingConfig": {"include_thoughts": True}},
}
UNASKED = ("deepseek", "kimi", "glm", "minimax", "ollama")  # it comes by itself
FIELDS = ("thinking", "reasoning", "thinkingConfig", "include_reasoning")


@pytest.fixture(autouse=True)
def forget_refusals() -> None:
    clear_caches()


def read_body(entry: dict[str, Any]) -> dict[str, Any]:
    body = {**entry["body"], **(entry["body"].get("generationConfig") or {})}
    return {name: body[name] for name in FIELDS if name in body}


@pytest.mark.parametrize("is_shown", [True, False])
@pytest.mark.parametrize("wire", WIRES)
async def test_readable_thinking_is_requested_if_it_is_shown(
    machine: StartMachine, wire_server: StartWire, wire: str, is_shown: bool
) -> None:
    server = await wire_server(script=parse_script(SCRIPT))
    model = {"AGENT_MODEL": "qwen3:8b"} if wire == "ollama" else {}
    run = await machine(models=make_models(server, wire, **model), reasoning=is_shown)
    told = await run.ask("a poem about roses, please")
    shown = "".join(event["content"] for event in told.list_events("reasoning_delta"))

    assert told.answer == "Roses are red."
    assert {entry["status"] for entry in server.requests} == {200}
    assert read_body(server.requests[1]) == (ASKS.get(wire, {}) if is_shown else {})
    is_readable = wire in ASKS or wire in UNASKED
    assert shown == ("Of what colour?" if is_shown and is_readable else "")


async def test_without_permission_thinking_is_requested_only_once(
    machine: StartMachine, wire_server: StartWire
) -> None:
    triage = {"match": {"schema": "triage"}, "answer": {"json": {"worker": "poet"}}, "times": 2}
    script = parse_script([triage, *({**each, "times": None} for each in SCRIPT[1:])])
    server = await wire_server(script=script, rules=Rules(hides_thinking=True))
    run = await machine(models=make_models(server, "responses"), reasoning=True)
    first = await run.ask("a poem about roses, please")
    second = await run.ask("a poem about roses, please")

    assert (first.answer, second.answer) == ("Roses are red.", "Roses are red.")
    assert [entry["status"] for entry in server.requests].count(400) == 1
    assert [call.error_code for call in await run.list_calls(first)][1] == "THINKING_REFUSED"
    workers = [call for call in await run.list_calls(second) if call.role == "worker"]
    assert [NOTE in call.notes for call in workers] == [True]


@pytest.mark.parametrize(
    ("wire", "model", "message"),
    [
        ("anthropic", "claude-sonnet-5-5", "thinking.adaptive.display: Extra inputs are not"),
        ("gemini", "gemini-3.8-flash", "Thinking is not enabled for models/gemini-3.8-flash"),
        ("gemini", "gemini-3.8-flash", "Thinking_config.include_thoughts is only enabled when"),
        ("responses", "gpt-6.1-terra", "Unsupported parameter: 'reasoning.summary' is not"),
    ],
)
async def test_an_unknown_thinking_field_is_left_out_in_a_retry(
    wire: str, model: str, message: str
) -> None:
    error = {"message": message, "status": "INVALID_ARGUMENT", "type": "invalid_request_error"}
    refusal = Reply(json.dumps({"type": "error", "error": error}).encode(), status=400)
    protocol = "openai_responses" if wire == "responses" else None
    name = "openai" if wire == "responses" else wire
    shown = replace(HELLO, shows_reasoning=True)
    async with run_local(refusal, refusal) as local:
        provider = create_provider(name, "k", model, local.url, protocol=protocol)
        for _ in range(2):
            with pytest.raises(ThinkingRefused) as caught:
                await ask(provider, shown, stream=True)
            assert (caught.value.retryable, caught.value.retry_after_s) == (True, 0.0)

    assert [bool(read_body({"body": seen["body"]})) for seen in local.requests] == [True, False]


@pytest.mark.parametrize(
    ("model", "effort", "config"),
    [
        ("gemini-2.5-flash", "none", {"thinking_budget": 0}),  # without thinking: no thoughts
        ("gemini-2.5-flash", "low", {"thinking_budget": 1024, "include_thoughts": True}),
        ("gemini-2.5-flash-lite", "low", {"thinking_budget": 1024, "include_thoughts": True}),
        ("gemini-2.5-flash-lite", None, {}),
        ("gemini-2.0-flash", None, {}),
        ("gemma-4-31b-it", None, {}),
        ("gemini-3.8-flash", "high", {"thinking_level": "HIGH", "include_thoughts": True}),
    ],
)
async def test_gemini_thoughts_are_requested_only_from_thinking_models(
    machine: StartMachine,
    wire_server: StartWire,
    model: str,
    effort: str | None,
    config: dict[str, Any],
) -> None:
    server = await wire_server(script=parse_script(SCRIPT))
    told_effort = {"AGENT_EFFORT": effort} if effort else {}
    models = make_models(server, "gemini", AGENT_MODEL=model, **told_effort)
    run = await machine(models=models, reasoning=True)
    told = await run.ask("a poem about roses, please")

    assert told.answer == "Roses are red."
    assert read_body(server.requests[1]).get("thinkingConfig", {}) == config
    assert {entry["status"] for entry in server.requests} == {200}
