"""Failures on demand, as the real SDKs see them."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google.genai import errors

from packages.wire.tests.brains import BrokenBrain, CityBrain
from plainloop.agent.errors import ConfigError
from plainloop_wire.faults import Fault, Faults, build_faults
from plainloop_wire.options import ServerOptions

CLAUDE, GPT, GEMINI = "claude-sonnet-4-6", "gpt-4o", "gemini-2.5-flash"
MESSAGES: list[Any] = [{"role": "user", "content": "Say a few words, please, more than five."}]


def ask_claude(clients: Any, **more: Any) -> Any:
    return clients.anthropic.messages.create(model=CLAUDE, max_tokens=99, messages=MESSAGES, **more)


def ask_gpt(clients: Any, **more: Any) -> Any:
    return clients.openai.chat.completions.create(model=GPT, messages=MESSAGES, **more)


def ask_gemini(clients: Any) -> Any:
    return clients.gemini.models.generate_content(model=GEMINI, contents="Hello")


async def stream_gemini(clients: Any) -> list[Any]:
    stream = await clients.gemini.models.generate_content_stream(
        model=GEMINI, contents=MESSAGES[0]["content"]
    )
    return [chunk async for chunk in stream]


async def drain(stream: Any) -> list[Any]:
    return [item async for item in await stream]


async def test_each_request_consumes_one_planned_failure(wire_server, connect):
    server = await wire_server(
        CityBrain(), faults=build_faults(ServerOptions(fail=["2x529", "1x500"]))
    )
    clients = connect(server)
    for _ in range(2):
        with pytest.raises(anthropic.APIStatusError) as caught:
            await ask_claude(clients)
        assert (caught.value.status_code, caught.value.type) == (529, "overloaded_error")
    with pytest.raises(anthropic.InternalServerError):
        await ask_claude(clients)
    assert (await ask_claude(clients)).stop_reason == "end_turn"
    assert [entry["status"] for entry in server.requests] == [529, 529, 500, 200]


async def test_an_invalid_request_consumes_no_planned_failure(wire_server, connect):
    server = await wire_server(CityBrain(), faults=build_faults(ServerOptions(fail=["1x529"])))
    clients = connect(server)
    with pytest.raises(anthropic.BadRequestError):
        await ask_claude(clients, extra_body={"foo": 1})
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        await ask_claude(clients)


async def test_a_simulated_rate_limit_states_when_to_retry(wire_server, connect):
    limit = Fault(status=429, retry_after_s=1.5, times=None)
    clients = connect(await wire_server(CityBrain(), faults=Faults(series=(limit,))))
    with pytest.raises(anthropic.RateLimitError) as claude:
        await ask_claude(clients)
    with pytest.raises(openai.RateLimitError) as gpt:
        await ask_gpt(clients)
    with pytest.raises(errors.ClientError) as gemini:
        await ask_gemini(clients)
    assert claude.value.response.headers["retry-after"] == "1.5"
    assert gpt.value.response.headers["retry-after"] == "1.5"
    assert gpt.value.code == "rate_limit_exceeded"
    details: Any = gemini.value.details
    assert details["error"]["details"] == [
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s"}
    ]


async def test_a_planned_failure_can_set_code_type_and_body(wire_server, connect, http):
    quota = Fault(status=429, code="insufficient_quota", kind="insufficient_quota", message="Pay.")
    proxy = Fault(status=502, body="<html>Bad gateway</html>", content_type="text/html")
    server = await wire_server(CityBrain(), faults=Faults(series=(quota, proxy)))
    clients = connect(server)
    with pytest.raises(openai.RateLimitError, match=r"Pay\.") as caught:
        await ask_gpt(clients)
    assert (caught.value.code, caught.value.type) == ("insufficient_quota", "insufficient_quota")
    with pytest.raises(openai.InternalServerError) as proxied:
        await ask_gpt(clients)
    assert proxied.value.response.text == "<html>Bad gateway</html>"


async def test_a_planned_dropped_connection_raises_the_sdks_connection_error(wire_server, connect):
    server = await wire_server(CityBrain(), faults=build_faults(ServerOptions(fail=["3x0"])))
    clients = connect(server)
    with pytest.raises(anthropic.APIConnectionError):
        await ask_claude(clients)
    with pytest.raises(openai.APIConnectionError):
        await ask_gpt(clients)
    with pytest.raises(httpx2.RemoteProtocolError):
        await ask_gemini(clients)
    assert [entry["status"] for entry in server.requests] == [None, None, None]


@pytest.mark.parametrize("cut", [{"cut_after_bytes": 300}, {"cut_after_events": 2}])
async def test_a_planned_stream_cut_raises_a_transport_error(wire_server, connect, cut):
    server = await wire_server(CityBrain(), faults=build_faults(ServerOptions(**cut)))
    clients = connect(server)
    with pytest.raises(httpx2.RemoteProtocolError):
        await drain(ask_claude(clients, stream=True))
    with pytest.raises(openai.APIConnectionError):
        await drain(ask_gpt(clients, stream=True))
    with pytest.raises(httpx2.RemoteProtocolError):
        await stream_gemini(clients)
    if "cut_after_bytes" in cut:
        assert [entry["sent_bytes"] for entry in server.requests] == [300, 300, 300]


async def test_a_planned_failure_can_cut_a_plain_answer(wire_server, connect):
    clients = connect(
        await wire_server(CityBrain(), faults=Faults(series=(Fault(cut_after_bytes=40),)))
    )
    with pytest.raises((anthropic.APIConnectionError, httpx2.RemoteProtocolError)):
        await ask_claude(clients)


async def test_a_planned_failure_can_be_delayed_and_limited_to_one_api(wire_server, connect):
    waiting = Fault(status=529, skip=1, dialect="anthropic")
    clients = connect(await wire_server(CityBrain(), faults=Faults(series=(waiting,))))
    await ask_gpt(clients)
    await ask_claude(clients)
    await ask_gpt(clients)
    with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
        await ask_claude(clients)
    await ask_claude(clients)


async def test_configured_delays_apply_to_headers_and_every_frame(wire_server, connect):
    server = await wire_server(CityBrain(), faults=Faults(first_ms=60, delay_ms=15))
    clients = connect(server)
    started = time.monotonic()
    await ask_claude(clients)
    assert time.monotonic() - started >= 0.06
    started = time.monotonic()
    events = await drain(ask_claude(clients, stream=True))
    assert time.monotonic() - started >= 0.06 + 0.015 * (len(events) - 1)


async def test_a_client_that_disconnects_is_logged(wire_server, connect):
    server = await wire_server(CityBrain(), faults=Faults(delay_ms=20))
    stream = await ask_claude(connect(server), stream=True)
    async for _ in stream:
        break
    await stream.close()
    for _ in range(6000):
        if server.requests[0]["disconnected"]:
            break
        await asyncio.sleep(0.01)
    assert server.requests[0]["disconnected"]
    assert server.requests[0]["sent_bytes"] > 0


async def test_planned_failures_can_be_changed_while_the_server_runs(wire_server, connect, http):
    server = await wire_server(CityBrain())
    clients = connect(server)
    loaded = await http.post(
        f"{server.base_url}/__faults", json={"series": [{"status": 503, "times": None}]}
    )
    assert loaded.json() == {"ok": True}
    for _ in range(2):
        with pytest.raises(openai.InternalServerError):
            await ask_gpt(clients)
    await http.post(f"{server.base_url}/__reset")
    await ask_gpt(clients)
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", [{"foo": 1}, {"series": [{}]}, {"series": [{"status": "x"}]}])
async def test_invalid_planned_failures_are_refused_with_400(wire_server, http, wrong):
    server = await wire_server(CityBrain())
    assert (await http.post(f"{server.base_url}/__faults", json=wrong)).status_code == 400


def test_an_invalid_fail_option_is_refused_with_the_expected_form():
    with pytest.raises(ConfigError, match="must be TIMESxSTATUS"):
        build_faults(ServerOptions(fail=["529"]))


async def test_an_exception_of_a_test_model_becomes_a_500_of_the_api(wire_server, connect):
    server = await wire_server(BrokenBrain())
    with pytest.raises(anthropic.InternalServerError, match="a bug"):
        await ask_claude(connect(server))
    assert server.requests[0]["error"] == "brain: RuntimeError('a bug')"
