"""What the real APIs accepted is accepted here: the requests of recorded exchanges.

Strictness that refuses too much would teach our clients to avoid what is allowed. What is not
played here is refused by its name, never let through unseen.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from packages.wire.tests.brains import FixedBrain, say
from tests.wire_fixtures import WireServer

RECORDED = Path(__file__).parents[4] / "shared" / "wire" / "public"
HEADERS = {
    "authorization": "Bearer any",
    "x-api-key": "any",
    "x-goog-api-key": "any",
    "anthropic-version": "2023-06-01",
}
# What the server does not play, and a word of its refusal: it never lets it pass unseen.
REFUSED = {
    # tools that the provider runs itself
    "anthropic/cache-write": "input_schema: Field required",
    "anthropic/pause-turn": "input_schema: Field required",
    "anthropic/stream-server-tools": "input_schema: Field required",
    "anthropic/unary-server-tools": "input_schema: Field required",
    "gemini/server-tools": "fileSearch",
    "openai_responses/cache-read": "'code_interpreter'",
    "openai_responses/server-tools": "'web_search_preview'",
    "openai_responses/stream-server-tools": "'web_search'",
    "openrouter/sse-comments-text": "tools[0].function",
    # images and files
    "gemini/cache-read": "fileData is not simulated here",
    "openai_chat/stop-length": "only from base64",
    # signatures that only the real server can verify
    "anthropic/unicode": "Invalid `signature` in `thinking` block",
    "gemini/structured": "Corrupted thought signature",
    "openai_responses/unicode": "could not be verified",
    # assistant prefill, which newer models refuse
    "anthropic/stop-sequence": "does not support assistant message prefill",
    # a conversation that the provider stores
    "openai_responses/stream-text": "not found",
    # Anthropic's own field, passed through by OpenRouter
    "openrouter/cache-write": "cache_control",
}

pytestmark = pytest.mark.skipif(
    not RECORDED.exists(), reason="the shared wire recordings are not here"
)


def list_recorded() -> dict[str, dict[str, Any]]:
    """Requests that were answered, and recorded whole."""
    recorded: dict[str, dict[str, Any]] = {}
    for path in sorted(RECORDED.glob("*/*.json")):
        case = json.loads(path.read_bytes())
        body = case["request"].get("body")
        is_whole = isinstance(body, dict) and {"messages", "input", "contents"} & body.keys()
        if is_whole and case["response"]["status"] == 200:
            recorded[f"{path.parent.name}/{path.stem}"] = case["request"]
    return recorded


MADE = list_recorded()


async def send(server: WireServer, http: httpx2.AsyncClient, name: str) -> httpx2.Response:
    made = MADE[name]
    given = made.get("headers") or {}
    headers = HEADERS | {key: given[key] for key in given if key.startswith("anthropic-")}
    return await http.post(server.base_url + made["path"], json=made["body"], headers=headers)


async def test_recorded_requests_are_accepted_or_refused_as_unsupported(wire_server, http):
    server = await wire_server(FixedBrain(say("Yes.")))
    wrong: dict[str, str] = {}
    for name in MADE:
        answer = await send(server, http, name)
        told = REFUSED.get(name)
        is_right = (
            answer.status_code == 200
            if told is None
            else answer.status_code in (400, 404) and told in answer.text
        )
        if not is_right:
            wrong[name] = f"{answer.status_code} {answer.text}"
    assert wrong == {}
    assert REFUSED.keys() <= MADE.keys()
