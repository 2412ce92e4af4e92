"""What those who run it need: health, numbers, logs, traces, a page to read, and an orderly end."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import resource
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx2
import jsonschema
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.observing import observing
from plainloop.agent.events import Event
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.records import Run
from plainloop.server.observe import descriptors
from plainloop.server.observe.descriptors import count_descriptors, watch_descriptors
from plainloop.server.observe.logs import JsonFormatter, configure_server_logging
from plainloop.server.observe.metrics import MAX_TOOLS, Metrics
from plainloop.server.observe.tracing import Traces
from tests.machine.scripted import text, tools, triage
from tests.runs.test_full_disk import fill, make_room
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.events import parse_sse
from tests.server.held import begin_held


async def test_health_and_metrics_can_use_a_separate_port(serve: Serve):
    served = await serve(server={"health_port": 0})
    ann = await served.client()
    paths = ("/api/health", "/readyz", "/metrics")
    apart = [(await ann.get(served.health_url + path)).status_code for path in paths]
    here = [(await ann.get(path)).status_code for path in paths]
    foreign = await ann.get(served.health_url + "/api/chat/conversations")

    assert (apart, here) == ([200, 200, 200], [200, 404, 404])
    assert foreign.status_code == 404


async def test_running_out_of_file_descriptors_logs_once_a_minute(
    serve: Serve, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    await serve()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = count_descriptors(soft)
    looks = 0

    def count(most: int) -> int:
        nonlocal looks
        looks += 1
        return count_descriptors(most)

    async def look_again() -> None:
        async with asyncio.timeout(20):
            seen = looks
            while looks < seen + 3:  # the second begins, and ends, after this
                await asyncio.sleep(0)

    monkeypatch.setattr(descriptors, "count_descriptors", count)
    looking = asyncio.create_task(watch_descriptors(0.001))
    try:
        await look_again()
        assert "out_of_file_descriptors" not in caplog.text
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + 2, hard))
        await look_again()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        looking.cancel()
    told = [item for item in caplog.records if item.getMessage() == "out_of_file_descriptors"]
    assert len(told) == 1


def test_descriptors_are_counted_without_a_proc_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "0").touch()
    monkeypatch.setattr(descriptors, "FOLDERS", (f"{tmp_path}/missing", str(tmp_path)))
    assert count_descriptors(9) == 1
    monkeypatch.setattr(descriptors, "FOLDERS", (f"{tmp_path}/missing",))
    assert count_descriptors(9) == 0


def test_tool_names_invented_by_models_get_no_label_each():
    metrics = Metrics()
    for n in range(2 * MAX_TOOLS):
        failed = {"id": "c", "name": f"invented_{n}", "error": "no such tool"}
        metrics.see_event(cast(Run, None), cast(Event, {"event": "tool_error", "data": failed}))
    told = generate_latest(metrics.registry).decode()
    lines = [line for line in told.splitlines() if line.startswith("plainloop_tool_calls_total")]

    assert len(lines) == MAX_TOOLS + 1
    assert f'plainloop_tool_calls_total{{status="failed",tool="other"}} {MAX_TOOLS}.0' in lines


async def test_provider_keys_and_database_passwords_are_redacted_from_logs(settings: Settings):
    pytest.importorskip("plainloop_careers")
    assert settings.get_table(DatabaseSettings).url is not None
    url = (
        settings.get_table(DatabaseSettings)
        .url.reveal()
        .replace("postgres@", "postgres:very-secret-word@", 1)
    )
    signing = "a-signing-secret-of-thirty-two-bytes"  # of a table that the server declares
    environ = {
        "AGENT_API_KEY": "model-key-0815",
        "AGENT_PROVIDER": "offline",
        "AGENT_AUTH_JWT_SECRET": signing,
    }
    known = load_settings({"DATABASE_URL": url, **environ})
    async with open_service(replace(known, data_dir=settings.data_dir)):
        for secret in ("model-key-0815", "very-secret-word", signing):
            record = logging.LogRecord("x", logging.INFO, "", 0, "e", (), None)
            record.reason = f"refused {secret} there"
            assert secret not in JsonFormatter().format(record)


def test_values_that_json_cannot_hold_are_logged_as_text():
    record = logging.LogRecord("x", logging.INFO, "", 0, "e", (), None)
    vars(record).update(reason="a\ud800b", size=2**70)
    told = json.loads(JsonFormatter().format(record))

    assert (told["event"], told["reason"], told["size"]) == ("e", "a\ufffdb", str(2**70))


async def test_an_unwritable_database_makes_readyz_fail(served: Served):
    ann = await served.client()
    async with served.service.store.database.connection() as connection:
        name = await connection.fetchval("select current_database()")
        await connection.execute(f"alter database {name} set default_transaction_read_only = on")
    served.service.store.database._pool.expire()
    ready, health = await ann.get("/readyz"), await ann.get("/api/health")

    assert ready.status_code == 503, ready.text
    assert ready.json()["error"]["code"] == "STORE_UNAVAILABLE"
    assert health.status_code == 200


async def test_missing_database_roles_make_readyz_fail(served: Served):
    ann = await served.client()
    before = await ann.get("/readyz")
    async with served.service.store.database.connection() as connection:
        await connection.execute("revoke insert on probes from plainloop_app")
    ready, health = await ann.get("/readyz"), await ann.get("/api/health")

    assert (before.status_code, ready.status_code, health.status_code) == (200, 503, 200)
    assert ready.json()["error"]["code"] == "ROLES_UNUSABLE"


async def test_readyz_reports_a_full_disk(served: Served, ann: httpx2.AsyncClient) -> None:
    await begin(ann)
    await fill(served.service.store)
    ready = await ann.get("/readyz")
    await make_room(served.service.store)
    assert (ready.status_code, ready.json()["error"]["code"]) == (503, "STORE_FULL")
    assert "base/" not in ready.text, "a path inside the database"
    assert (await ann.get("/readyz")).status_code == 200


async def test_a_draining_replica_reports_it_and_accepts_no_runs(serve: Serve):
    run = await begin_held(serve, drain_s=30.0)
    run.served.replica.stop()
    seen = await run.stream.read_all()
    ready = await run.ann.get("/readyz")
    refused = await run.ann.post(f"{run.path}/messages", json={"content": "hello"})
    run.held.open.set()

    assert (ready.status_code, ready.json()) == (503, {"status": "draining"})
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "DRAINING"
    assert "event: run_start" in seen
    assert "event: done" not in seen
    assert "event: error" not in seen
    assert not run.stream.has_ended, "a polite end looks like success to many clients"


async def test_another_replica_continues_handed_back_runs(serve: Serve):
    run = await begin_held(serve, drain_s=0.2)
    there = await (await serve(text("from the other one"))).client()
    run.served.replica.stop()
    seen = parse_sse(await run.stream.read_all())[-1].seq
    async with asyncio.timeout(60):
        rest = await there.get(f"{run.path}/stream", params={"after": seen})

    assert rest.status_code == 200
    assert rest.text.rstrip().endswith('data: {"content":"from the other one"}')


async def test_metrics_count_requests_runs_tokens_and_tools(serve: Serve):
    call = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
    served = await serve(triage("crm_worker"), tools(call), text("done"))
    ann = await served.client()
    await ask(ann, await begin(ann), "please note that job for me")
    await ann.get("/api/nothing/of/anybody")
    told = (await ann.get("/metrics")).text

    for line in (
        'plainloop_http_requests_total{method="POST",route="/api/chat/conversations",'
        'status="201"} 1.0',
        'plainloop_http_requests_total{method="GET",route="",status="404"} 1.0',
        'plainloop_runs_total{status="succeeded"} 1.0',
        'plainloop_model_calls_total{model="scripted-1",provider="scripted",role="worker",'
        'status="succeeded"} 2.0',
        'plainloop_tokens_total{bucket="input",model="scripted-1",provider="scripted"} 30.0',
        'plainloop_tool_calls_total{status="succeeded",tool="create_job"} 1.0',
        "plainloop_run_seconds_count 1.0",
        "plainloop_runs_active 0.0",
        "plainloop_runs_waiting 0.0",
    ):
        assert line in told, told


async def test_metrics_can_be_switched_off(serve: Serve):
    served = await serve(server={"metrics": False})
    ann = await served.client()
    assert (await ann.get("/metrics")).status_code == 404


def make_traces() -> tuple[InMemorySpanExporter, Traces]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    assert not Traces().is_recording, "without an SDK nothing is traced"
    return exporter, Traces(provider.get_tracer("test"))


async def test_a_runs_spans_use_the_genai_conventions(serve: Serve):
    exporter, traces = make_traces()
    call = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
    bad = ("c2", "create_job", {"company": "Acme"})
    served = await serve(triage("crm_worker"), tools(call), tools(bad), text("done"))
    ann = await served.client()
    conversation = await begin(ann)
    with observing(traces):
        answer = await ask(ann, conversation, "please note that job for me")
    spans: Any = exporter.get_finished_spans()
    by_id = {span.context.span_id: span.name for span in spans}
    tree = {(span.name, by_id.get(span.parent.span_id) if span.parent else None) for span in spans}
    run = next(span for span in spans if span.parent is None)
    chat = next(span for span in spans if span.name == "chat scripted-1")
    failed = [span.name for span in spans if not span.status.is_ok]

    assert tree == {
        ("invoke_agent tracker", None),
        ("node intent_classifier", "invoke_agent tracker"),
        ("chat scripted-1", "node intent_classifier"),
        ("node agent_router", "invoke_agent tracker"),
        ("node crm_worker", "invoke_agent tracker"),
        ("chat scripted-1", "node crm_worker"),
        ("node crm_worker.tools", "invoke_agent tracker"),
        ("execute_tool create_job", "node crm_worker.tools"),
    }
    assert run.attributes["gen_ai.conversation.id"] == conversation
    assert run.attributes["plainloop.run.id"] == answer["run_id"]
    assert dict(chat.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "scripted-1",
        "gen_ai.response.model": "scripted-1",
        "gen_ai.response.finish_reasons": ("end",),
        "gen_ai.conversation.id": conversation,
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "plainloop.role": "classifier",
        "plainloop.node": "intent_classifier",
        "plainloop.usage.source": "provider",
    }
    assert failed == ["execute_tool create_job"]


@pytest.mark.parametrize(
    "given", ["00-" + "a" * 32 + "-" + "b" * 16 + "-01", "no-such-thing", None]
)
async def test_a_requests_traceparent_becomes_the_parent_span(serve: Serve, given: str | None):
    exporter, traces = make_traces()
    ann = await (await serve(text("done"))).client()
    conversation = await begin(ann)
    if given is not None:
        ann.headers["traceparent"] = given
    with observing(traces):
        await ask(ann, conversation, "how many jobs do I have?")
    spans: Any = exporter.get_finished_spans()
    run = next(span for span in spans if span.name.startswith("invoke_agent"))

    if given is None or len(given) < 55:
        assert run.parent is None
    else:
        assert run.parent.is_remote
        assert f"{run.parent.span_id:x}" == "b" * 16
        assert {f"{span.context.trace_id:x}" for span in spans} == {"a" * 32}


def read_log(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def test_each_request_logs_one_line_without_content(served: Served):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    log = logging.getLogger("plainloop.server")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    ann = await served.client()
    conversation = await begin(ann)
    answer = await ann.post(
        f"/api/chat/conversations/{conversation}/messages",
        json={"content": "a secret wish"},
        headers={"x-request-id": "mine-1", "accept": "application/json"},
    )
    odd = await ann.get(
        "/api/config?token=in-address", headers={"x-request-id": "no good\tid" * 20}
    )
    log.removeHandler(handler)
    lines = [line for line in read_log(stream) if line["event"] == "request"]

    assert answer.headers["x-request-id"] == "mine-1"
    assert odd.headers["x-request-id"] != "no good\tid" * 20
    assert lines[1] == {
        "at": lines[1]["at"],
        "level": "INFO",
        "event": "request",
        "logger": "plainloop.server.http.middleware",
        "request_id": "mine-1",
        "method": "POST",
        "route": "/api/chat/conversations/{conversation_id}/messages",
        "duration_ms": lines[1]["duration_ms"],
        "tenant_id": "acme",
        "user_id": "ann",
        "status": 200,
    }
    assert "secret" not in stream.getvalue()
    assert "in-address" not in stream.getvalue()
    assert conversation not in stream.getvalue()


def test_access_tokens_are_redacted_from_log_texts():
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        configure_server_logging(stream=stream)
        logging.getLogger("x").warning("GET /ws/chat?token=eyJ.a.b&ticket=t.1 Bearer eyJ.c.d")
        try:
            raise ValueError("api_key=sk-123")
        except ValueError:
            logging.getLogger("x").exception("failed")
    finally:
        root.handlers, root.level = before, level
    told = stream.getvalue()

    assert len(read_log(stream)) == 2
    assert "eyJ" not in told
    assert "t.1" not in told
    assert "sk-123" not in told


async def test_an_internal_error_reveals_nothing_and_is_logged_once(
    served: Served, caplog: Any, monkeypatch: Any
):
    async def break_down(*arguments: Any, **options: Any) -> Any:
        raise RuntimeError("the inside: password=hunter2")

    monkeypatch.setattr(served.service.store, "create_thread", break_down)
    ann = await served.client()
    answer = await ann.post("/api/chat/conversations", json={})

    assert answer.status_code == 500
    assert answer.json() == {
        "error": {
            "code": "INTERNAL_ERROR",
            "message": "the server had an internal error, which was logged",
        }
    }
    logged = [record for record in caplog.records if record.message == "request_failed"]
    assert len(logged) == 1


async def test_the_openapi_contract_is_valid_and_complete(served: Served):
    ann = await served.client()
    document = (await ann.get("/openapi.json")).json()
    page = await ann.get("/docs")

    assert document["openapi"] == "3.1.0"
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    paths = document["paths"]
    assert [path for path in paths if path not in page.text] == []
    message = paths["/api/chat/conversations/{conversation_id}/messages"]["post"]
    assert set(message["responses"]["200"]["content"]) == {"text/event-stream", "application/json"}
    assert {item["name"] for item in message["parameters"]} == {
        "conversation_id",
        "Idempotency-Key",
        "Last-Event-ID",
        "wait",
    }
    assert document["security"] == [{"bearer": []}, {"key": []}, {"session": []}]
    # Nothing from elsewhere, no script but its own: it works without the internet.
    assert not re.search(r"(src|href)=\"?(https?:)?//|<script ", page.text)
