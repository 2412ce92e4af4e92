"""A new OpenAI-compatible provider is one entry in the table: everything else follows from it."""

from __future__ import annotations

import os
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from plainloop.agent.cli.admin.models import list_models
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import connect_models
from plainloop.agent.core.observing import observing
from plainloop.agent.doctor.providers import check_providers, probe_providers
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, name_provider, parse_providers
from plainloop.agent.providers.detection import detect_provider
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.server.observe.tracing import Traces
from tests.wire_fixtures import StartWire, WireServer

# The model is one that genai-prices lists for this price list.
ENTRY = """
[acme]
protocol = "openai_chat"
base_url = "{base_url}"
default_model = "deepseek-chat"
small_model = "deepseek-chat"
key_variables = ["ACME_API_KEY", "ACME_TOKEN"]
publisher = "Acme Corp."
price_list = "deepseek"
traced_as = "acme_ai"

[acme.quirks]
json_mode = "object"
stream_options = true
"""


@pytest.fixture
async def acme(wire_server: StartWire, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """The provider's server; its entry is in the table."""
    server = await wire_server()
    entry = parse_providers(tomllib.loads(ENTRY.format(base_url=server.openai_url)))["acme"]
    monkeypatch.setitem(PROVIDER_DEFAULTS, "acme", entry)
    return server


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Nothing but its key; also for commands, which read the process's own environment."""
    wanted = {
        "ACME_TOKEN": "k",
        "OLLAMA_HOST": "http://127.0.0.1:9",
        "AGENT_DATA_DIR": str(tmp_path),
    }
    for name in list(os.environ):
        if name.startswith("AGENT_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    for name, value in wanted.items():
        monkeypatch.setenv(name, value)
    return wanted


async def test_a_new_providers_key_is_detected(acme: WireServer, environ: dict[str, str]):
    assert await detect_provider(load_settings(environ)) == "acme"


async def test_a_new_providers_models_are_listed(
    acme: WireServer, environ: dict[str, str], capsys: pytest.CaptureFixture[str]
):
    await list_models(None)
    used, _, listed = capsys.readouterr().out.partition("\n\n")
    assert used.startswith("acme:deepseek-chat answers as worker, classifier, router, evaluator")
    assert listed.startswith("acme  ")


async def test_doctor_checks_a_new_provider(acme: WireServer, environ: dict[str, str]):
    settings = load_settings(environ)
    found = await check_providers(settings, await connect_models(settings))
    told = [(finding.level, finding.text) for finding in found]
    probed = await probe_providers(settings)
    assert any(text.startswith("acme:deepseek-chat answers as worker, ") for _, text in told)
    assert ("ok", "acme: key in ACME_TOKEN") in told
    assert {finding.what for finding in probed} == {"acme"}
    assert {finding.level for finding in probed} <= {"ok", "note"}


async def test_a_new_providers_run_is_priced_exported_and_traced(
    acme: WireServer, environ: dict[str, str], database_url: str
):
    exporter = InMemorySpanExporter()
    tracing = TracerProvider()
    tracing.add_span_processor(SimpleSpanProcessor(exporter))
    with observing(Traces(tracing.get_tracer("test"))):
        rows = await _run_once(_with_database(load_settings(environ), database_url))
    spans: Any = exporter.get_finished_spans()
    named = {span.attributes.get("gen_ai.provider.name") for span in spans}

    assert rows
    assert {row["provider"] for row in rows} == {"acme"}
    assert all(Decimal(row["cost_usd"]) > 0 for row in rows)
    assert name_provider("acme", "publisher") == "Acme Corp."
    assert named - {None} == {"acme_ai"}
    calls = [span.attributes for span in spans if "gen_ai.response.model" in span.attributes]
    server = urlsplit(acme.openai_url)
    assert {(item["server.address"], item["server.port"]) for item in calls} == {
        (server.hostname, server.port)
    }
    assert all(item["gen_ai.response.id"].startswith("chatcmpl") for item in calls)


def _with_database(settings: Settings, url: str) -> Settings:
    return settings.change(DatabaseSettings, url=Secret(url))


async def _run_once(settings: Settings) -> list[dict[str, Any]]:
    async with open_service(settings) as service:
        thread = await service.ensure_thread("acme", "ann", None, "one run")
        await service.answer("acme", "ann", thread.thread_id, "Write me a cover letter for Initech")
        return [*await service.store.read("acme").fetch("select * from llm_calls")]
