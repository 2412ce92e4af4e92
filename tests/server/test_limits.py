"""What is too much, too often, or from the wrong place is refused, and told how to do better."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.requests import Request

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import AccessDenied, AgentError, InputError, TooManyRequests
from plainloop.server.auth.origins import OriginPolicy
from plainloop.server.auth.rates import RateLimit
from plainloop.server.http.reading import parse_json, read_json
from plainloop.server.routes.shapes import NewMessage
from tests.server.conftest import Serve, begin, until


async def send_raw(url: str, data: bytes) -> bytes:
    """Bytes to the server, and all that it says until it closes."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(data)
    async with asyncio.timeout(60):
        answer = await reader.read()
    writer.close()
    return answer


async def test_large_http_headers_are_refused(serve: Serve):
    served = await serve(header_bytes=4000)
    head = b"GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    fine = await send_raw(served.url, head + b"a: " + b"x" * 3000 + b"\r\n\r\n")
    whole = await send_raw(served.url, head + b"a: " + b"x" * 5000 + b"\r\n\r\n")
    many = await send_raw(served.url, head + b"a: b\r\n" * 3000 + b"\r\n")
    path = await send_raw(served.url, b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n")

    assert fine.startswith(b"HTTP/1.1 200")
    for answer in (whole, many, path):
        assert answer.startswith(b"HTTP/1.1 431"), answer[:100]
        body = answer.partition(b"\r\n\r\n")[2]
        assert json.loads(body)["error"]["code"] == "HEADERS_TOO_LARGE"


async def test_connections_beyond_the_limit_get_503(serve: Serve):
    served = await serve(connections=3)
    parts = urlsplit(served.url)
    idle = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(2)]
    request = b"GET /api/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    refused = await send_raw(served.url, request)
    for _, writer in idle:
        writer.close()

    async def has_room() -> bool:
        return (await send_raw(served.url, request)).startswith(b"HTTP/1.1 200")

    await until(has_room)
    assert refused.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 1\r\n" in refused
    assert json.loads(refused.partition(b"\r\n\r\n")[2]) == {
        "error": {
            "code": "TOO_MANY_CONNECTIONS",
            "message": "the server has too many open connections",
        }
    }


async def test_endless_http_headers_are_cut_off(serve: Serve):
    served = await serve(header_bytes=4000)
    parts = urlsplit(served.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(b"GET / HTTP/1.1\r\na: ")
    async with asyncio.timeout(60):
        try:
            while not reader.at_eof() and not writer.is_closing():
                writer.write(b"x" * 1000)
                await writer.drain()
                await asyncio.sleep(0)
        except ConnectionError:
            pass


async def test_body_size_is_limited_with_and_without_a_length(serve: Serve):
    served = await serve(message_bytes=1_000_000)  # of messages, which may bring files
    ann = await served.client()
    conversation = await begin(ann)
    path = f"/api/chat/conversations/{conversation}/messages"

    async def pour() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b'{"content": "' + b"x" * 10_000

    stated = await ann.post(path, json={"content": "x" * 2_000_000})
    chunked = await ann.post(path, content=pour(), headers={"content-type": "application/json"})

    assert (stated.status_code, chunked.status_code) == (413, 413)
    assert chunked.json()["error"]["code"] == "PAYLOAD_TOO_LARGE"


async def test_too_many_requests_of_a_user_are_429_for_that_user_only(serve: Serve):
    served = await serve(requests_per_minute=5, messages_per_minute=2)
    ann, bob = await served.client("ann"), await served.client("bob")
    answers = [await ann.get("/api/config") for _ in range(7)]
    conversation = await begin(bob)
    path = f"/api/chat/conversations/{conversation}/messages"
    said = [await bob.post(path, json={"content": "list my jobs"}) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert answers[-1].json()["error"]["code"] == "TOO_MANY_REQUESTS"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 13
    assert [answer.status_code for answer in said] == [200, 200, 429]


def test_a_rate_limit_bucket_refills():
    now = [0.0]
    limit = RateLimit(60, lambda: now[0])
    for _ in range(60):
        limit.take("t", "u")
    with pytest.raises(TooManyRequests) as refused:
        limit.take("t", "u")
    assert refused.value.retry_after_s == pytest.approx(1.0)
    limit.take("t", "another")
    limit.take("other", "u")
    now[0] += 2
    limit.take("t", "u")
    limit.take("t", "u")
    with pytest.raises(TooManyRequests):
        limit.take("t", "u")


async def test_local_mode_answers_only_loopback_requests(serve: Serve):
    served = await serve(auth=False, server={"origins": ("https://app.example.com",)})
    local = await served.client()
    port = urlsplit(served.url).port
    fine: list[dict[str, str]] = [
        {},
        {"host": f"localhost:{port}"},
        {"host": f"[::1]:{port}"},
        {"origin": served.url},
        {"origin": "https://app.example.com"},
    ]
    refused = [
        ({"host": "evil.example"}, "HOST_REFUSED"),
        ({"host": f"127.0.0.1.evil.example:{port}"}, "HOST_REFUSED"),
        ({"host": f"evil.example@127.0.0.1:{port}"}, "HOST_REFUSED"),
        ({"host": f"127.0.0.1:{port}/x"}, "HOST_REFUSED"),
        ({"host": ""}, "HOST_REFUSED"),
        ({"origin": "https://evil.example"}, "ORIGIN_REFUSED"),
        ({"origin": "null"}, "ORIGIN_REFUSED"),
        ({"origin": f"http://localhost:{port}"}, "ORIGIN_REFUSED"),
        ({"origin": "http://["}, "ORIGIN_REFUSED"),
    ]
    for headers in fine:
        answer = await local.get("/api/config", headers=headers)
        assert answer.status_code == 200, headers
    for headers, code in refused:
        answer = await local.post("/api/chat/conversations", headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, code), headers
    assert (await local.get("/api/chat/conversations")).json()["conversations"] == []


@pytest.mark.parametrize("origin", ["null", "http://[", "file://"])
def test_an_origin_without_a_host_is_refused(origin: str):
    with pytest.raises(AccessDenied):
        OriginPolicy((), is_local=False).check_websocket(Headers({"origin": origin}))


async def test_cors_allows_only_listed_origins(serve: Serve):
    served = await serve(server={"origins": ("https://app.example.com",)})
    ann = await served.client()
    preflight = {"access-control-request-method": "POST"}
    preflight["access-control-request-headers"] = "authorization, idempotency-key, content-type"
    path = "/api/chat/conversations"
    listed = await ann.options(path, headers={**preflight, "origin": "https://app.example.com"})
    foreign = await ann.options(path, headers={**preflight, "origin": "https://evil.example"})
    read = await ann.get(path, headers={"origin": "https://app.example.com"})

    assert listed.status_code == 200
    assert listed.headers["access-control-allow-origin"] == "https://app.example.com"
    assert "idempotency-key" in listed.headers["access-control-allow-headers"]
    assert "access-control-allow-origin" not in foreign.headers
    assert "access-control-allow-credentials" not in read.headers
    assert "x-run-id" in read.headers["access-control-expose-headers"]


async def test_pages_of_other_origins_can_read_a_500(serve: Serve):
    async def fail(request: ApiRequest) -> None:
        raise ZeroDivisionError

    broken = ApiRoute("GET", "/api/broken", fail, "Fail")
    listed = ("https://App.example.com/",)  # as people write it, not as a browser sends it
    served = await serve(server={"origins": listed}, routes=(broken,))
    ann = await served.client()
    answer = await ann.get("/api/broken", headers={"origin": "https://app.example.com"})

    assert answer.status_code == 500
    assert answer.headers["access-control-allow-origin"] == "https://app.example.com"
    assert "x-request-id" in answer.headers["access-control-expose-headers"]


def make_request(body: bytes, content_type: str = "application/json") -> Request:
    async def receive() -> Any:
        return {"type": "http.request", "body": body}

    headers = [(b"content-type", content_type.encode())]
    return Request({"type": "http", "headers": headers}, receive)


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@settings(max_examples=300, deadline=None)
def test_no_request_body_causes_a_500(body: bytes):
    with contextlib.suppress(AgentError):
        parse_json(body, NewMessage)


JSON_TRAPS = [
    b'{"content": "\\ud800"}',
    b'{"content": "a\\u0000b"}',
    b'{"content": "\xff"}',
    b'{"content": 1e999}',
    b'{"content": "a", "content": 7}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"\xef\xbb\xbf{}",
    b"nul",
    b'{"content": "a"} x',
    b'{"content": 123456789012345678901234567890}',
    b"NaN",
]


async def test_json_edge_cases_are_400(ann: httpx2.AsyncClient):
    conversation = await begin(ann)
    headers = {"content-type": "application/json", "accept": "application/json"}
    for path, method in (
        (f"/api/chat/conversations/{conversation}/messages", "POST"),
        (f"/api/chat/conversations/{conversation}", "PATCH"),
        ("/api/chat/conversations", "POST"),
    ):
        for body in JSON_TRAPS:
            answer = await ann.request(method, path, content=body, headers=headers)
            assert answer.status_code < 500, (path, body[:40], answer.text)


class Free(msgspec.Struct):
    value: Any


def test_numbers_beyond_64_bits_become_floats():
    for digits in ("546787894768191908336965255168", "-9223372036854775809", "9" * 400):
        read = parse_json(b'{"value": [{"a": %b}]}' % digits.encode(), Free)
        assert isinstance(read.value[0]["a"], float)
        orjson.dumps(read.value)
    for digits in ("9223372036854775807", "-9223372036854775807", "1234567890123456789"):
        assert parse_json(b'{"value": %b}' % digits.encode(), Free).value == int(digits)


async def test_unstorable_characters_are_removed():
    body = b'{"content": "a\\u0000b\\ud800c"}'
    read = await read_json(make_request(body), NewMessage, 1000)

    assert "\x00" not in read.content
    assert read.content.encode()
    with pytest.raises(InputError):
        parse_json(b"{}", Free)
    assert msgspec.to_builtins(read)["when_busy"] == "reject"
