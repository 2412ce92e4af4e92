"""Pages of other origins, and addresses with a slash at their end."""

from __future__ import annotations

import json
import re
from pathlib import Path

from plainloop.server.app import build_app_context, list_routes
from plainloop.server.protocols.registry import list_protocol_routes
from plainloop.server.settings import ServerLimits
from tests.machine.scripted import text, triage
from tests.protocols.node_clients import require_node
from tests.protocols.pages import bundle, open_page, write_page
from tests.server.conftest import Serve, begin, serve

__all__ = ["serve"]

ORIGIN = "http://localhost:9"  # nothing is asked there: the page is given by the test
ASKED = {
    "openai": "authorization, content-type, x-stainless-os, x-stainless-retry-count",
    "mcp": "authorization, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
    "a2a": "a2a-extensions, a2a-version, authorization",
    "ai sdk": "authorization, x-ai-sdk-version",
    "own": "authorization, idempotency-key, last-event-id, x-conversation-id, x-request-id",
}


async def test_allowed_origins_may_send_their_clients_headers(serve: Serve) -> None:
    served = await serve(server={"origins": (ORIGIN,)})
    client = await served.client()
    preflight = {"origin": ORIGIN, "access-control-request-method": "POST"}
    for asked in ASKED.values():
        preflight["access-control-request-headers"] = asked
        answer = await client.options("/v1/chat/completions", headers=preflight)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-headers"] == asked
    preflight["access-control-request-headers"] = (
        "x" * served.settings.get_table(ServerLimits).header_bytes
    )

    assert (await client.options("/v1/models", headers=preflight)).status_code == 431


async def test_openais_browser_client_works_from_an_allowed_origin(
    serve: Serve, chromium: str, tmp_path: Path
) -> None:
    for package in ("openai", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js", "openai_page.js")
    turns = [item for said in ("One.", "Two.") for item in (triage("general"), text(said))]
    served = await serve(*turns, server={"origins": (ORIGIN,)})
    wire = {"baseURL": f"{served.url}/v1", "apiKey": served.token()}
    async with open_page(chromium, f"{ORIGIN}/page", write_page(program, wire=wire)) as page:
        await page.wait_for_function("document.title !== ''")
        shown = json.loads(await page.title())

    assert shown == {"models": ["tracker/default"], "streamed": "One.", "whole": "Two.", "id": True}


async def test_a_trailing_slash_in_the_url_is_ignored(serve: Serve) -> None:
    served = await serve()
    service = served.service
    app = build_app_context(service, served.replica.runs, served.replica.hosts)
    routes = [item.route for item in (*list_protocol_routes(app), *list_routes(app))]
    client = await served.client()
    for route in routes:
        if route.path == "/api/changes":
            continue  # a stream without an end
        path = re.sub(r"\{\w+\}", "nothing", route.path)
        plain, slash = [
            await client.request(route.method, path + end, json={"nothing": []})
            for end in ("", "/")
        ]
        assert slash.status_code == plain.status_code, (route.method, path)
        assert "nothing exists at this path" not in slash.text, (route.method, path)


async def test_an_encoded_slash_in_a_name_is_kept(serve: Serve) -> None:
    served = await serve()
    ann, admin = await served.client(), await served.client("root", is_admin=True)
    await begin(ann)
    await admin.delete("/api/users/ann%2F")  # another user

    assert len((await ann.get("/api/chat/conversations")).json()["conversations"]) == 1
