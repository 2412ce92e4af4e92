"""Requests that an SDK built once: on the socket, and in their errors, like those it sends."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.providers.http import clients
from plainloop.agent.providers.http.endpoints import Endpoint
from plainloop.agent.providers.http.sdk_channel import Sdk, SdkChannel
from plainloop.agent.providers.provider_state import Target
from tests.providers.local_server import Local, Reply, run_local

SDKS: tuple[Sdk, ...] = ("anthropic", "openai")
FINE = Reply(b'{"ok":true}')


def open_channel(sdk: Sdk, local: Local, key: str = "key", beta: str = "b1") -> SdkChannel:
    def to_headers(body: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-beta": beta} if "beta" in body else {}

    target = Target(sdk, "m", PROVIDER_DEFAULTS[sdk].quirks)
    return SdkChannel(sdk, target, Endpoint(f"{local.url}/v1/", key), to_headers)


async def ask_by_sdk(channel: SdkChannel, body: dict[str, Any]) -> None:
    """Send as behind a proxy, where the SDK makes each request."""
    loop_clients = clients._open_loop_clients()
    transport, loop_clients.transport = loop_clients.transport, None
    try:
        await channel.send("/messages", body, 7.5)
    finally:
        loop_clients.transport = transport


@pytest.mark.parametrize("sdk", SDKS)
async def test_prepared_requests_equal_the_sdks_bytes(sdk: Sdk) -> None:
    async with run_local(FINE) as local:
        channel = open_channel(sdk, local)
        for body in ({"a": 1}, {"a": "ä" * 900}, {"a": 2, "beta": True}, {}):
            await ask_by_sdk(channel, body)
            await channel.send("/messages", body, 7.5)
            by_sdk, prepared = local.requests[-2:]
            assert prepared == by_sdk
        assert ("x-beta" in prepared["headers"]) is False
        assert local.requests[-3]["headers"]["x-beta"] == "b1"


@pytest.mark.parametrize("sdk", SDKS)
async def test_prepared_requests_are_keyed_by_key_timeout_and_path(sdk: Sdk) -> None:
    async with run_local(FINE) as local:
        first, second = open_channel(sdk, local), open_channel(sdk, local, "other")
        for channel in (first, second, first):
            await channel.send("/messages", {}, 7.5)
        await first.send("/embeddings", {}, 2)

    keys = [r["headers"].get("x-api-key") or r["headers"]["authorization"] for r in local.requests]
    assert ["other" in key for key in keys] == [False, True, False, False]
    waits = [r["headers"]["x-stainless-read-timeout"] for r in local.requests]
    assert waits == ["7.5", "7.5", "7.5", "2"]
    assert local.requests[-1]["path"] == "/v1/embeddings"


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "BadRequestError"),
        (401, "AuthenticationError"),
        (429, "RateLimitError"),
        (503, "InternalServerError"),
        (418, "APIStatusError"),
    ],
)
async def test_prepared_requests_raise_the_sdks_errors(
    sdk: Sdk, stream: bool, status: int, error: str
) -> None:
    said = {"retry-after": "3", "content-type": "application/json"}
    refusal = Reply(b'{"error":{"type":"t","message":"so not"}}', status, said)
    async with run_local(refusal) as local:
        channel = open_channel(sdk, local)
        with pytest.raises(channel.failures()) as raised:
            await channel.send("/messages", {"a": 1}, 5, stream=stream)
        with pytest.raises(channel.failures()) as by_sdk:
            await ask_by_sdk(channel, {"a": 1})

    assert type(raised.value) is type(by_sdk.value)
    assert error in {base.__name__ for base in type(raised.value).__mro__}
    assert str(raised.value) == str(by_sdk.value)
    ours = channel.convert_error(raised.value)
    assert (ours.status, ours.retry_after_s) == (status, 3.0)


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("end", ["drop", "hang"])
async def test_cut_and_silent_answers_raise_the_sdks_errors(sdk: Sdk, end: str) -> None:
    async with run_local(replace(FINE, cut_at=3, end=end)) as local:
        channel = open_channel(sdk, local)
        with pytest.raises(channel.failures()) as raised:
            await channel.send("/messages", {}, 0.3)

    expected = "APITimeoutError" if end == "hang" else "APIConnectionError"
    assert type(raised.value).__name__ == expected
    assert type(channel.convert_error(raised.value)).__name__ == (
        "ModelTimeout" if end == "hang" else "ModelConnectionError"
    )


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("stream", [False, True])
async def test_prepared_requests_read_compressed_answers(sdk: Sdk, stream: bool) -> None:
    packed = Reply(gzip.compress(b'{"ok":true}'), headers={"content-encoding": "gzip"})
    async with run_local(packed) as local:
        answer = await open_channel(sdk, local).send("/messages", {}, 5, stream=stream)
        chunks = [chunk async for chunk in answer.aiter_bytes()] if stream else [answer.content]
        await answer.aclose()
    assert b"".join(chunks) == b'{"ok":true}'


@pytest.mark.parametrize("sdk", SDKS)
async def test_redirects_of_prepared_requests_are_left_to_the_sdk(sdk: Sdk) -> None:
    async with run_local(FINE) as there:
        moved = Reply(b"", 307, {"location": f"{there.url}/new"})
        async with run_local(moved) as here:
            answer = await open_channel(sdk, here).send("/messages", {"a": 1}, 5)

    assert answer.content == b'{"ok":true}'
    assert (there.requests[0]["path"], there.body) == ("/new", {"a": 1})


async def test_the_cache_of_prepared_requests_drops_the_oldest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clients, "MAX_PREPARED", 2)
    async with run_local(FINE) as local:
        for key in ("a", "b", "c"):
            await open_channel("openai", local, key).send("/chat", {}, 5)
    assert len(clients._open_loop_clients().prepared) == 2


@pytest.mark.parametrize("sdk", SDKS)
async def test_prepared_requests_return_their_connection_after_any_answer(sdk: Sdk) -> None:
    packed = Reply(gzip.compress(b"{}"), headers={"content-encoding": "gzip"})
    async with run_local(Reply(b"{}", 400), packed, replace(FINE, end="hang", cut_at=3)) as local:
        channel = open_channel(sdk, local)
        with pytest.raises(channel.failures()):
            await channel.send("/messages", {}, 5)
        await channel.send("/messages", {}, 5)
        for _ in range(2):
            with pytest.raises(channel.failures()):
                await channel.send("/messages", {}, 0.2)

    assert clients._open_loop_clients().transport._slots._value == clients.MAX_CONNECTIONS
