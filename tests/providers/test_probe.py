"""`doctor --live`: what each wire can do, found out over the real client."""

from __future__ import annotations

import pytest

from plainloop.agent.providers.probe import Probe, probe_provider
from plainloop.agent.providers.registry import create_provider
from plainloop_wire.call import Rules
from tests.providers.local_server import Reply, run_local
from tests.providers.test_any_history import connect
from tests.providers.test_strict_server import Scripted
from tests.wire_fixtures import StartWire

BIG = ("anthropic", "chat", "responses", "gemini")


def levels(probes: list[Probe]) -> dict[str, str]:
    return {probe.what: probe.level for probe in probes}


@pytest.mark.parametrize("wire", BIG)
async def test_each_provider_probe_has_a_result(wire: str, wire_server: StartWire):
    server = await wire_server(Scripted())
    probes = await probe_provider(connect(wire, server.base_url))
    found = levels(probes)
    models, reasoning = found.pop("models"), found.pop("reasoning")
    assert found == {"answer": "ok", "usage": "ok", "tools": "ok"}, probes
    assert {models, reasoning} <= {"ok", "no"}


async def test_the_probe_measures_ollamas_window(wire_server: StartWire):
    server = await wire_server(Scripted())
    probes = await probe_provider(connect("ollama", server.base_url))
    assert levels(probes)["window"] == "ok", probes


async def test_a_cut_ollama_window_fails_the_probe_with_advice(wire_server: StartWire):
    server = await wire_server(Scripted(), rules=Rules(context_tokens=2_048))
    (window,) = [
        probe
        for probe in await probe_provider(connect("ollama", server.base_url))
        if probe.what == "window"
    ]
    assert (window.level, window.hint is not None) == ("fail", True), window


async def test_the_probe_stops_after_a_wrong_key():
    async with run_local(Reply(b'{"error":{"message":"no"}}', 401)) as local:
        probes = await probe_provider(connect("chat", local.url))
    assert [(probe.level, probe.what) for probe in probes] == [("fail", "models")]
    assert len(local.requests) == 1


async def test_the_probe_accepts_servers_with_missing_features():
    body = b'data: {"choices":[{"delta":{"content":"OK"},"finish_reason":"stop"}]}\n\n'
    missing = Reply(b'{"error":{"message":"no such path"}}', 404)
    stream = Reply(body, headers={"content-type": "text/event-stream"})
    async with run_local(missing, stream) as local:
        probes = await probe_provider(create_provider("openai", "k", "llama", local.url))
    assert levels(probes) == {"models": "no", "answer": "ok", "usage": "no", "tools": "no"}
