"""Values that a library below stumbles over are refused in words: never a 500."""

from __future__ import annotations

import time
from typing import Any

import httpx2
import jwt
import pytest

from tests.server.conftest import SECRET, Serve

DEEP: Any = {"role": "user", "content": "hi"}
for _ in range(300):
    DEEP = {"a": DEEP}
LISTS: Any = []
for _ in range(300):
    LISTS = [LISTS]


@pytest.fixture
async def boss(serve: Serve, all_packs: tuple[str, ...]) -> httpx2.AsyncClient:
    served = await serve(packs=all_packs)
    return await served.client("boss", is_admin=True)


ODD: tuple[tuple[str, str, Any], ...] = (
    ("PUT", "/api/budgets", {"scope": "tenant", "limit_usd": "1E-999999"}),
    ("PUT", "/api/budgets", {"scope": "tenant", "limit_usd": "1E+999999"}),
    ("PUT", "/api/budgets", {"scope": "tenant", "limit_usd": "NaN"}),
    ("POST", "/api/replays", {"conversations": [{"messages": [DEEP]}]}),
    ("POST", "/api/replays", {"tools": [DEEP], "conversations": []}),
    ("POST", "/api/replays", {"threads": {"since": "9999-12-31T23:59:59-12:00"}}),
    ("POST", "/api/replays", {"conversations": LISTS}),
    ("GET", "/api/usage?since=9999-12-31", None),
    ("GET", "/api/usage?until=9999-12-31T23:59:59-23:00&by=day", None),
    ("GET", "/api/usage?since=0001-01-01T00:00:00%2B23:00", None),
    ("POST", "/api/config/test", {"provider": "openai", "api_base": "http://[::1"}),
    ("POST", "/api/config/test", {"provider": "openai", "api_base": "http://0177.0.0.1"}),
    ("POST", "/api/config/models", {"provider": "openai", "api_base": "http://"}),
    ("POST", "/api/knowledge?filename=a%00.md", None),
)


async def test_odd_values_get_a_readable_error(boss: httpx2.AsyncClient):
    for method, path, body in ODD:
        answer = await boss.request(method, path, json=body)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert answer.json()["error"]["message"], path


async def test_a_file_name_with_a_nul_is_refused(boss: httpx2.AsyncClient):
    form = (
        b'--x\r\ncontent-disposition: form-data; name="file"; filename="a\x00.md"\r\n'
        b"content-type: text/markdown\r\n\r\nhello\r\n--x--\r\n"
    )
    headers = {"content-type": "multipart/form-data; boundary=x"}
    answer = await boss.post("/api/knowledge", content=form, headers=headers)

    assert answer.status_code == 400, answer.text


async def test_a_form_with_two_files_is_refused(boss: httpx2.AsyncClient):
    files = [("file", (name, b"hello", "text/markdown")) for name in ("a.md", "b.md")]
    answer = await boss.post("/api/knowledge", files=files)

    assert answer.status_code == 400
    assert answer.json()["error"] == {
        "code": "INVALID_FORMAT",
        "message": "the form cannot be read: Too many files. Maximum number of files is 1.",
        "hint": "Send one file, and at most 20 fields, as multipart/form-data.",
    }


async def test_a_query_that_names_a_filter_twice_is_refused(boss: httpx2.AsyncClient):
    twice = await boss.get("/api/chat/conversations?limit=5&limit=7")
    listed = await boss.get("/api/usage?by=day&by=model")

    assert (twice.status_code, "`limit` twice" in twice.text) == (422, True)
    assert listed.status_code == 200


async def test_a_malformed_origin_is_another_origin(serve: Serve):
    served = await serve()
    ann, odd = await served.client(), {"origin": "http://["}
    begun = await ann.post("/api/session", headers=odd)
    (cookie,) = begun.headers.get_list("set-cookie")
    headers = {**odd, "cookie": cookie.partition(";")[0], "x-plainloop-console": "1"}
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as browser:
        read = await browser.get("/api/session", headers=headers)
        ticket = await browser.post("/ws/ticket", headers=headers)
    upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    key = {"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
    socket = await ann.get("/ws/chat", headers={**odd, **upgrade, **key})

    assert (begun.status_code, read.status_code) == (201, 200)
    assert (ticket.status_code, ticket.json()["error"]["code"]) == (403, "ORIGIN_REFUSED")
    assert (socket.status_code, socket.json()["error"]["code"]) == (403, "ORIGIN_REFUSED")


async def test_a_token_expiring_after_year_9999_is_accepted(serve: Serve):
    client = await (await serve()).client()
    for exp in (253_402_300_800, 10**15, 10**30, 10**400):
        claims = {"sub": "ann", "tenant": "acme", "iat": int(time.time()), "exp": exp}
        token = jwt.encode(claims, SECRET, algorithm="HS256")
        answer = await client.post("/ws/ticket", headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 201, answer.text
