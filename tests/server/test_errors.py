"""One table from errors to what clients are told; nothing that we raise is missing from it."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import urlsplit

import httpx2

from plainloop.agent.errors import (
    AgentError,
    BudgetExceeded,
    ConflictError,
    NotFoundError,
    ToolError,
)
from plainloop.server.http.error_table import ERRORS, get_mapping, get_ws_code
from plainloop.server.ws.frames import to_error_frame
from tests.server.conftest import Served

STATUSES = {400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 503}


def test_every_error_class_is_in_the_table():
    tree = [AgentError]
    for cls in tree:
        tree += [sub for sub in cls.__subclasses__() if sub.__module__ == AgentError.__module__]

    assert [cls.__name__ for cls in tree if cls not in ERRORS] == []
    assert len(tree) > 20
    assert not issubclass(ToolError, AgentError)  # it never leaves the tools


def test_an_unknown_error_subclass_uses_its_parents_status():
    class TooManyJobs(ConflictError):
        code = "TOO_MANY_JOBS"

    assert get_mapping(TooManyJobs("x")).status == 409


def test_the_error_table_uses_only_documented_statuses():
    assert {mapping.status for mapping in ERRORS.values()} <= STATUSES


def test_each_error_code_has_its_http_status():
    assert get_mapping(NotFoundError("x")).status == 404
    assert get_mapping(ConflictError("x", code="THREAD_BUSY")).status == 409
    assert get_mapping(AgentError("x", code="MODEL_AUTH")).status == 503
    assert get_mapping(AgentError("x", code="INVALID_FORMAT")).status == 422
    assert get_mapping(AgentError("x", code="of nobody")).status == 500


def test_websocket_error_codes_are_a_subset():
    codes = ("MODEL_AUTH", "RATE_LIMITED", "STREAM_CUT", "LLM_ERROR")
    assert {get_ws_code(code) for code in codes} == {"LLM_ERROR"}
    assert get_ws_code("NOT_FOUND") == "ACCESS_DENIED"
    assert get_ws_code("CANCELLED") == "CANCELLED"
    assert to_error_frame(NotFoundError("no such thread")) == {
        "type": "error",
        "message": "no such thread",
        "code": "ACCESS_DENIED",
    }
    assert to_error_frame(BudgetExceeded("no budget is left"))["action"] == {
        "screen": "settings/prices",
        "label": "Show budgets",
    }


async def test_unknown_paths_are_404_and_methods_405(ann: httpx2.AsyncClient):
    lost = await ann.get("/api/nothing")
    slash = await ann.get("/api/nothing/")
    wrong = await ann.put("/api/chat/conversations", json={})

    for answer in (lost, slash):
        assert answer.status_code == 404
        told = {"code": "NOT_FOUND", "message": "nothing exists at this path"}
        assert answer.json() == {"error": told}
    assert wrong.status_code == 405
    assert wrong.json() == {
        "error": {
            "code": "METHOD_NOT_ALLOWED",
            "message": "this path does not support that method",
            "hint": "Allowed: GET, HEAD, POST.",
        }
    }
    assert sorted(wrong.headers["allow"].split(", ")) == ["GET", "HEAD", "POST"]


NO_HTTP = ("NONSENSE", "GET / HTTP/9.9", "FROB /api/health HTTP/1.1", "GET http://[bad/ HTTP/1.1")


async def test_invalid_http_gets_an_error_in_the_same_format(served: Served):
    host = urlsplit(served.url)
    told = {"code": "INVALID_FORMAT", "message": "this is not an HTTP request"}
    for line in NO_HTTP:
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        writer.write(f"{line}\r\nhost: {host.netloc}\r\n\r\n".encode())
        async with asyncio.timeout(60):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        assert head.startswith(b"HTTP/1.1 400 "), line
        assert json.loads(body) == {"error": told}, line
