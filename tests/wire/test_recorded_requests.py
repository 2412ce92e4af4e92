"""What the real APIs accepted is accepted here: the requests of recorded exchanges.

Strictness that refuses too much would teach our clients to avoid what is allowed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.wire.brains import FixedBrain, say

RECORDED = Path(__file__).parents[3] / "shared" / "wire" / "public"
HEADERS = {
    "authorization": "Bearer any",
    "x-api-key": "any",
    "x-goog-api-key": "any",
    "anthropic-version": "2023-06-01",
}
SERVER_TOOLS = "tools that the provider runs itself are not simulated"
MEDIA = "images and files are not simulated"
SIGNED = "carries a signature that only the real server can verify"
NOT_HERE = {
    "anthropic/cache-write": SERVER_TOOLS,
    "anthropic/pause-turn": SERVER_TOOLS,
    "anthropic/stop-sequence": "assistant prefill, which newer models refuse",
    "anthropic/stream-server-tools": SERVER_TOOLS,
    "anthropic/unary-server-tools": SERVER_TOOLS,
    "anthropic/unicode": SIGNED,
    "gemini/cache-read": MEDIA,
    "gemini/server-tools": SERVER_TOOLS,
    "gemini/structured": SIGNED,
    "openai_chat/stop-length": MEDIA,
    "openai_responses/cache-read": SERVER_TOOLS,
    "openai_responses/server-tools": SERVER_TOOLS,
    "openai_responses/stream-server-tools": SERVER_TOOLS,
    "openai_responses/stream-text": "continues a conversation that the provider stores",
    "openai_responses/unicode": SIGNED,
    "openrouter/cache-write": "Anthropic's cache_control passed through by OpenRouter",
    "openrouter/sse-comments-text": SERVER_TOOLS,
}


def list_cases() -> list[Any]:
    """Exchanges that were answered, and whose whole request was recorded."""
    cases: list[Any] = []
    for path in sorted(RECORDED.glob("*/*.json")):
        case = json.loads(path.read_bytes())
        body = case["request"].get("body")
        is_whole = isinstance(body, dict) and {"messages", "input", "contents"} & body.keys()
        if not is_whole or case["response"]["status"] != 200:
            continue
        name = f"{path.parent.name}/{path.stem}"
        marks = [pytest.mark.skip(NOT_HERE[name])] if name in NOT_HERE else []
        cases.append(pytest.param(case["request"], id=name, marks=marks))
    return cases or [
        pytest.param(None, id="none", marks=pytest.mark.skip(f"no recordings at {RECORDED}"))
    ]


@pytest.mark.parametrize("request_made", list_cases())
async def test_it_is_accepted(wire_server, http, request_made):
    server = await wire_server(FixedBrain(say("Yes.")))
    given = request_made.get("headers") or {}
    headers = HEADERS | {key: given[key] for key in given if key.startswith("anthropic-")}
    url = server.base_url + request_made["path"]
    answer = await http.post(url, json=request_made["body"], headers=headers)

    assert answer.status_code == 200, answer.text
