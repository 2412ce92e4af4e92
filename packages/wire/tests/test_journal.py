"""What the server remembers of each request."""

from __future__ import annotations

from pathlib import Path

import orjson

from packages.wire.tests.brains import CityBrain

BODY = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}]}
HEADERS = {
    "authorization": "Bearer secret-1",
    "x-api-key": "secret-2",
    "x-goog-api-key": "secret-3",
    "cookie": "secret-4",
}


async def test_the_request_log_has_body_status_and_usage_but_no_key(wire_server, http):
    server = await wire_server(CityBrain())
    answer = await http.post(
        f"{server.openai_url}/chat/completions?key=secret-5", headers=HEADERS, json=BODY
    )
    log = await http.get(f"{server.base_url}/__log")
    entry = log.json()["requests"][0]
    assert entry["headers"].items() >= dict.fromkeys(HEADERS, "REDACTED").items()
    assert "secret" not in log.text
    del entry["headers"]
    assert entry == {
        "n": 1,
        "dialect": "openai_chat",
        "method": "POST",
        "path": "/v1/chat/completions",
        "query": {"key": "REDACTED"},
        "body": BODY,
        "status": 200,
        "usage": answer.json()["usage"],
        "stream": False,
        "disconnected": False,
        "sent_bytes": len(answer.content),
    }


async def test_the_request_log_can_be_read_from_a_position(wire_server, http):
    server = await wire_server(CityBrain())
    for _ in range(3):
        await http.post(f"{server.openai_url}/chat/completions", headers=HEADERS, json=BODY)
    log = await http.get(f"{server.base_url}/__log?after=2")
    assert [entry["n"] for entry in log.json()["requests"]] == [3]


async def test_every_request_is_written_to_the_log_file(wire_server, http, tmp_path: Path):
    path = tmp_path / "wire.jsonl"
    server = await wire_server(CityBrain(), log_file=path)
    for body in (BODY, {}):
        await http.post(f"{server.openai_url}/chat/completions", headers=HEADERS, json=body)
    lines = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert [(line["n"], line["status"]) for line in lines] == [(1, 200), (2, 400)]
    assert lines[1]["error"] == "you must provide a model parameter"
