"""Hazard: providers print keys and account ids in their errors. Users get a code and a sentence;
no event, row or log holds a secret, and operators get the rest.
"""

from __future__ import annotations

import io
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.service.opening import open_service
from plainloop.server.observe.logs import JsonFormatter
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.serving import build_environ
from tests.providers.asking import ask
from tests.providers.local_server import Reply, run_local
from tests.wire_fixtures import StartWire

KEY = "a-key-of-no-known-form-4711"
ORGANISATION = "org-Ab3dEf9hIjK2"
# Provider → an error body with KEY, part of a key or an account in it.
LEAKS: dict[str, Any] = {
    "anthropic": {
        "type": "error",
        "error": {"type": "authentication_error", "message": f"invalid x-api-key: {KEY}"},
    },
    "openai": {
        "error": {
            "message": f"Incorrect API key provided: sk-proj-ab12***wxyz. {ORGANISATION}, {KEY}",
            "code": "invalid_api_key",
        }
    },
    "gemini": {
        "error": {
            "code": 400,
            "message": "API key expired: AIzaSyA1234567890abcdef, project: 123456789012",
            "status": "INVALID_ARGUMENT",
        }
    },
    "ollama": {"error": f"unauthorized: Bearer {KEY}"},
    "deepseek": {"error": {"message": "Authentication Fails, Your api key: ****wxyz is invalid"}},
    "kimi": {
        "error": {
            "message": f"Your account {ORGANISATION}<ak-f3qr8j4kv5> request reached max RPM",
            "type": "rate_limit_reached_error",
        }
    },
    "glm": {"error": {"code": "1113", "message": f"token: {KEY} has no balance"}},
    "minimax": {"base_resp": {"status_code": 1004, "status_msg": f"login fail: api_key={KEY}"}},
}
SECRETS = (
    *(KEY, ORGANISATION, "sk-proj", "wxyz", "AIzaSy", "123456789012", "ak-f3qr8j4kv5"),
    "hunter2",
)


def find_secrets(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("provider", LEAKS)
async def test_an_error_holds_no_secret(provider: str, stream: bool):
    status = 200 if provider == "minimax" else 401
    async with run_local(Reply(json.dumps(LEAKS[provider]).encode(), status=status)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(create_provider(provider, KEY, None, local.url), stream=stream)
    error = caught.value
    assert find_secrets(f"{error.message} {error.hint} {error.public_message}") == []
    assert error.message.startswith(f"{provider}: ")
    assert provider not in error.public_message


async def test_an_address_with_a_password_is_told_without_it():
    provider = create_provider("openai", KEY, "m", "http://ann:hunter2@127.0.0.1:9/v1")
    with pytest.raises(ModelError) as caught:
        await ask(provider, stream=False)
    assert find_secrets(caught.value.message) == []


@pytest.mark.parametrize("wire", ["anthropic", "openai", "openai_responses", "gemini", "ollama"])
async def test_no_event_row_or_log_of_a_run_holds_one(
    database_url: str, tmp_path: Path, wire_server: StartWire, wire: str
):
    body = json.dumps(LEAKS["openai" if wire.startswith("openai") else wire])
    faults = Faults(series=(Fault(status=401, body=body, times=None),))
    server = await wire_server(faults=faults)
    environ = build_environ(wire, server.base_url, KEY)
    settings = load_settings({**environ, "AGENT_DATA_DIR": str(tmp_path)})
    settings = replace(settings, database=replace(settings.database, url=Secret(database_url)))
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        async with open_service(settings) as service:
            thread = await service.ensure_thread("acme", "ann", None, "t")
            with pytest.raises(ModelError) as caught:
                await service.answer("acme", "ann", thread.thread_id, "Write me a poem about rain")
            logging.getLogger("plainloop.test").error("raised", exc_info=caught.value)
            async with service.store.transaction("acme") as db:
                tables = await db.fetch(
                    "select table_name as name from information_schema.tables"
                    " where table_schema = 'public'"
                )
                rows = [
                    (table["name"], row["text"])
                    for table in tables
                    for row in await db.fetch(f'select t::text as text from "{table["name"]}" t')
                ]
    finally:
        logging.getLogger().removeHandler(handler)
    stored = "\n".join(text for _, text in rows)
    assert caught.value.public_message in stored
    # The reason stands with the call, for operators, and nowhere else.
    where = {table.split("_2")[0] for table, text in rows if caught.value.message in text}
    assert where == {"llm_calls"}
    assert find_secrets(stored) == []
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["code"] for line in told if line["event"] == "model_failed"] == ["MODEL_AUTH"]
    assert find_secrets(stream.getvalue()) == []


@pytest.mark.parametrize("is_debug", [False, True])
async def test_what_a_provider_says_is_logged_for_debugging_only(
    database_url: str, tmp_path: Path, wire_server: StartWire, is_debug: bool
):
    words = "Write me a poem about rain"
    body = json.dumps({"error": {"message": f"no answer to {words!r} of account 4711-0815"}})
    faults = Faults(series=(Fault(status=400, body=body, times=None),))
    server = await wire_server(faults=faults)
    environ = build_environ("openai", server.base_url, KEY)
    settings = load_settings({**environ, "AGENT_DATA_DIR": str(tmp_path)})
    settings = replace(settings, database=replace(settings.database, url=Secret(database_url)))
    stream, logger = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(stream), logger.level
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if is_debug else logging.INFO)
    try:
        async with open_service(settings) as service:
            thread = await service.ensure_thread("acme", "ann", None, "t")
            with pytest.raises(ModelError) as caught:
                await service.answer("acme", "ann", thread.thread_id, words)
            logging.getLogger("plainloop.test").error("raised", exc_info=caught.value)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    [failed] = [line for line in told if line["event"] == "model_failed"]
    [raised] = [line for line in told if line["event"] == "raised"]

    assert (words in failed.get("reason", ""), words in raised["traceback"]) == (is_debug,) * 2
    assert is_debug or "4711-0815" not in stream.getvalue()
