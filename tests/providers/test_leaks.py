"""Hazard: providers print keys and account ids in their errors. Users get a code and a sentence;
no event, row or log holds a secret, and operators get the rest.
"""

from __future__ import annotations

import io
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.base.text.secrets import CUT, cut_keys, remember_secret
from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.server.observe.logs import JsonFormatter
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.serving import build_environ
from tests.providers.asking import ask
from tests.providers.local_server import Reply, run_local
from tests.wire_fixtures import StartWire

KEY = "a-key-of-no-known-form-4711"
ORGANISATION = "org-Ab3dEf9hIjK2"
WORDS = "Write me a poem about rain"
LIST_TABLES = """
    select table_name as name from information_schema.tables where table_schema = 'public'
"""
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
async def test_provider_errors_contain_no_secret(provider: str, stream: bool):
    status = 200 if provider == "minimax" else 401
    async with run_local(Reply(json.dumps(LEAKS[provider]).encode(), status=status)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(create_provider(provider, KEY, None, local.url), stream=stream)
    error = caught.value
    assert find_secrets(f"{error.message} {error.hint} {error.public_message}") == []
    assert error.message.startswith(f"{provider}: ")
    assert provider not in error.public_message


async def test_urls_are_shown_without_their_password():
    provider = create_provider("openai", KEY, "m", "http://ann:hunter2@127.0.0.1:9/v1")
    with pytest.raises(ModelError) as caught:
        await ask(provider, stream=False)
    assert find_secrets(caught.value.message) == []


@dataclass(frozen=True)
class Failed:
    """What is known of a run whose model refused: the error, the log, (table, row as text)."""

    error: ModelError
    log: str
    rows: list[tuple[str, str]]

    def list_told(self, event: str) -> list[Any]:
        lines = map(json.loads, self.log.splitlines())
        return [line for line in lines if line["event"] == event]


@pytest.fixture
def fail_run(database_url: str, tmp_path: Path, wire_server: StartWire) -> Any:
    """`failed = await fail_run(wire, status, body)`: a run at a provider that answers so."""

    async def fail(wire: str, status: int, body: Any, level: int = logging.INFO) -> Failed:
        faults = Faults(series=(Fault(status=status, body=json.dumps(body), times=None),))
        server = await wire_server(faults=faults)
        environ = build_environ(wire, server.base_url, KEY)
        settings = load_settings({**environ, "AGENT_DATA_DIR": str(tmp_path)})
        settings = settings.change(DatabaseSettings, url=Secret(database_url))
        stream, logger = io.StringIO(), logging.getLogger()
        handler, before = logging.StreamHandler(stream), logger.level
        handler.setFormatter(JsonFormatter())
        logger.addHandler(handler)
        logger.setLevel(level)
        try:
            async with open_service(settings) as service:
                thread = await service.ensure_thread("acme", "ann", None, "t")
                with pytest.raises(ModelError) as caught:
                    await service.answer("acme", "ann", thread.thread_id, WORDS)
                logging.getLogger("plainloop.test").error("raised", exc_info=caught.value)
                async with service.store.transaction("acme") as db:
                    names = [row["name"] for row in await db.fetch(LIST_TABLES)]
                    rows = [
                        (name, row["text"])
                        for name in names
                        for row in await db.fetch(f'select t::text as text from "{name}" t')
                    ]
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before)
        return Failed(caught.value, stream.getvalue(), rows)

    return fail


@pytest.mark.parametrize("wire", ["anthropic", "openai", "openai_responses", "gemini", "ollama"])
async def test_no_event_row_or_log_of_a_run_contains_a_secret(fail_run: Any, wire: str):
    failed: Failed = await fail_run(wire, 401, LEAKS[wire.removesuffix("_responses")])
    stored = "\n".join(text for _, text in failed.rows)
    assert failed.error.public_message in stored
    # The reason stands with the call, for operators, and nowhere else.
    where = {table.split("_2")[0] for table, text in failed.rows if failed.error.message in text}
    assert where == {"llm_calls"}
    assert [line["code"] for line in failed.list_told("model_failed")] == ["MODEL_AUTH"]
    assert find_secrets(stored + failed.log) == []


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
async def test_provider_error_texts_are_logged_only_in_debug_mode(fail_run: Any, level: int):
    said = {"error": {"message": f"no answer to {WORDS!r} of account 4711-0815"}}
    told: Failed = await fail_run("openai", 400, said, level)
    [failed], [raised] = told.list_told("model_failed"), told.list_told("raised")
    is_debug = level == logging.DEBUG

    assert (WORDS in failed.get("reason", ""), WORDS in raised["traceback"]) == (is_debug,) * 2
    assert is_debug or "4711-0815" not in told.log


def test_a_secret_that_begins_with_others_is_masked_whole():
    whole = "correct-horse-battery-staple-and-a-tail-9"
    for length in range(8, len(whole) + 1):  # a set's order is another one in each process
        remember_secret(whole[:length])

    assert cut_keys(f"tried {whole} twice") == f"tried {CUT} twice"
