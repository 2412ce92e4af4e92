from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from plainloop.agent.errors import ModelError
from plainloop.agent.providers.http.clients import (
    Endpoint,
    close_clients,
    hold_calls,
    open_anthropic,
    open_gemini,
    open_http,
    open_openai,
)
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.providers.registry import test_connection as call_test_connection
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local
from tests.wire_fixtures import StartWire

LISTS = {
    "anthropic": b'{"data":[{"id":"b","display_name":"B","type":"model","created_at":'
    b'"2026-01-01T00:00:00Z"},{"id":"a","display_name":"A","type":"model","created_at":'
    b'"2026-01-01T00:00:00Z"}],"has_more":false,"first_id":"b","last_id":"a"}',
    "openai": b'{"object":"list","data":[{"id":"b","object":"model"},{"id":"a","object":"model"}]}',
    "gemini": b'{"models":[{"name":"models/b","displayName":"B"},{"name":"models/a",'
    b'"displayName":"A","supportedGenerationMethods":["generateContent"]},'
    b'{"name":"models/e","supportedGenerationMethods":["embedContent"]}]}',
    "ollama": b'{"models":[{"name":"b:latest"},{"name":"a:latest"}]}',
}


def test_creating_a_provider_imports_no_sdk() -> None:
    """What takes seconds to import comes with the first call, not before."""
    code = (
        "import plainloop, sys\n"
        "for name in ('anthropic', 'openai', 'gemini', 'ollama', 'deepseek'):\n"
        "    plainloop.create_provider(name, 'key')\n"
        "print([m for m in ('anthropic', 'openai', 'google.genai', 'httpx2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_client_is_built_once_per_address_and_key_over_one_pool() -> None:
    here, there = Endpoint("http://a", "k1"), Endpoint("http://a", "k2")
    for opener in (open_anthropic, open_openai, open_gemini):
        assert opener(here) is opener(here)
        assert opener(here) is not opener(there)
    assert open_anthropic(here)._client is open_openai(there)._client is open_http()


def test_each_event_loop_has_clients_of_its_own_and_after_closing_opens_new_ones() -> None:
    async def ask_twice() -> list[str]:
        async with run_local(Reply(LISTS["openai"])) as local:
            provider = connect("openai", local.url)
            found: list[str] = []
            for _ in range(2):
                found.append((await provider.list_models())[0].id)
                await close_clients()
        return found

    assert [asyncio.run(ask_twice()), asyncio.run(ask_twice())] == [["a", "a"]] * 2


async def test_models_are_listed_by_id_with_their_names() -> None:
    listed: dict[str, list[tuple[str, str]]] = {}
    for name, body in LISTS.items():
        async with run_local(Reply(body)) as local:
            models = await connect(name, local.url).list_models()
        listed[name] = [(model.id, model.name) for model in models]
    assert listed == {
        "anthropic": [("a", "A"), ("b", "B")],
        "openai": [("a", "a"), ("b", "b")],
        "gemini": [("a", "A"), ("b", "B")],
        "ollama": [("a:latest", "a:latest"), ("b:latest", "b:latest")],
    }


async def test_test_connection_makes_one_small_call() -> None:
    body = b'{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"OK"}}]}'
    async with run_local(Reply(body)) as local:
        answer = await call_test_connection(create_provider("openai", "key", "gpt-4.1", local.url))
    assert answer.text == "OK"
    assert [turn["content"] for turn in local.body["messages"]] == [
        "You are a helpful assistant. Respond with just 'OK'.",
        "Hello",
    ]


async def test_a_call_waits_for_an_sdk_being_imported() -> None:
    loaded = asyncio.Event()
    loading = asyncio.create_task(loaded.wait())
    hold_calls(lambda: loading)
    body = b'{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"OK"}}]}'
    async with run_local(Reply(body)) as local:
        chat = create_provider("openai", "key", "gpt-4.1", local.url)
        calling = asyncio.create_task(call_test_connection(chat))
        for _ in range(100):
            await asyncio.sleep(0)
        assert local.requests == []
        loaded.set()
        assert (await calling).text == "OK"


@pytest.mark.parametrize(
    ("provider", "ask"),
    [
        ("openai", lambda chat: chat.list_models()),
        ("anthropic", lambda chat: chat.list_models()),
        ("gemini", lambda chat: chat.list_models()),
        ("gemini", lambda chat: chat.embed(["a text"], 5.0)),
    ],
)
async def test_listing_models_and_embedding_wait_for_an_sdk_too(
    provider: str, ask: Callable[[Any], Coroutine[Any, Any, Any]]
) -> None:
    loaded = asyncio.Event()
    loading = asyncio.create_task(loaded.wait())
    hold_calls(lambda: loading)
    async with run_local(Reply(b'{"error":{"message":"enough seen"}}', status=400)) as local:
        calling = asyncio.create_task(ask(create_provider(provider, "key", None, local.url)))
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert local.requests == []
        loaded.set()
        with pytest.raises(ModelError, match="enough seen"):
            await calling


FIRST_CALL = """
import asyncio, os, sys
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.providers.http.clients import preload
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest

async def main(provider, url):
    await preload(provider)
    chat = create_provider(provider, "key", None, url)
    known = {*sys.modules}
    async for answer in chat.generate_stream(ChatRequest("", [make_text_message("user", "Hi")])):
        pass
    LIST_PRICES.price(provider, chat.model, answer.usage)
    new = {*sys.modules} - known
    print(*(name for name in new if name.partition(".")[0] not in sys.stdlib_module_names))

for provider in sys.argv[2:]:  # each in a process that has seen no other
    if os.fork() == 0:
        asyncio.run(main(provider, sys.argv[1]))
        break
    assert os.wait()[1] == 0
"""


async def test_after_preloading_the_first_call_imports_nothing(wire_server: StartWire) -> None:
    server = await wire_server()

    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", FIRST_CALL, server.base_url, *LISTS],
        capture_output=True,
        check=True,
    )

    assert done.stdout.decode().split() == []
