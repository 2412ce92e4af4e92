"""An import as the command makes it, without its process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.store.store import Store
from plainloop_importing.langgraph.state import read_threads
from plainloop_importing.options import Destination
from plainloop_importing.report import Report
from plainloop_importing.spool import open_spool
from plainloop_importing.target import Target
from plainloop_importing.terminal import Request, fill_spool, list_all, make_target, write_all
from plainloop_importing.writing import roll_up

LEAVING = Path(__file__).parents[4] / "shared" / "data" / "leaving"
SAMPLES = Path(__file__).parent / "samples"
# One talk as three systems keep it.
KIOSKS = {
    "otel": SAMPLES / "genai.otlp.jsonl",
    "langfuse": SAMPLES / "langfuse.traces.jsonl",
    "langsmith": SAMPLES / "langsmith.runs.jsonl",
}
ROLES = {"human": "user", "ai": "assistant"}

Bring = Callable[..., Coroutine[Any, Any, Report]]


def find_public(name: str) -> str:
    """A sample of the collection beside the repository; the test is skipped without it."""
    path = LEAVING / name
    if not path.exists():
        pytest.skip(f"the public samples are not here: {name}")
    return str(path)


async def read_all(settings: Settings, source: str, *files: str, **options: Any) -> list[Any]:
    """What the files hold, nothing written."""
    if source == "langgraph":
        wanted = {"schema": None, "messages_key": None, **options}
        return [one async for one in read_threads(files[0], settings, **wanted)]
    with open_spool() as spool:
        fill_spool(spool, source, list(files), settings)
        return [one async for one in list_all(spool, settings)]


def make_test_target(
    store: Store, settings: Settings, source: str, tenant_id: str = "local"
) -> Target:
    destination = Destination("ann", tenant=tenant_id)
    return make_target(store, settings, Request(source, [], destination))


@pytest.fixture
def bring(store: Store, settings: Settings) -> Bring:
    """`report = await bring("otel", FILE…)`: as `plainloop import otel FILE…`."""

    async def run(source: str, *files: str, tenant_id: str = "local") -> Report:
        target = make_test_target(store, settings, source, tenant_id)
        report = Report(source, money=target.money)

        async def each() -> AsyncIterator[Any]:
            for one in await read_all(settings, source, *files):
                yield one

        await write_all(target, each(), report)
        await roll_up(target)
        return report

    return run


def show(messages: list[Any]) -> list[tuple[Any, ...]]:
    """Messages as pairs and triples that can be compared: what is said, called and given."""
    shown: list[tuple[Any, ...]] = []
    for message in messages:
        if message["role"] == "tool":
            shown += [("tool", part["result"]) for part in message["parts"]]
            continue
        text = "".join(part["text"] for part in message["parts"] if part["type"] == "text")
        calls = [
            (part["name"], part["arguments"])
            for part in message["parts"]
            if part["type"] == "tool_call"
        ]
        shown.append((message["role"], text, calls))
    return shown


def show_expected(messages: list[Any]) -> list[tuple[Any, ...]]:
    """Messages as a program or a library has them, as `show` shows ours."""
    shown: list[tuple[Any, ...]] = []
    for message in messages:
        kind = message.get("role") or message["type"]
        role = ROLES.get(kind, kind)
        if role == "tool":
            shown.append(("tool", message["content"]))
        if role not in ROLES.values():
            continue
        content = message["content"] or ""
        blocks = [content] if isinstance(content, str) else content
        text = "".join(b if isinstance(b, str) else b.get("text", "") for b in blocks)
        calls = [to_pair(call) for call in message.get("tool_calls") or []]
        calls += [(call["name"], {}) for call in message.get("invalid_tool_calls") or []]
        if role == "assistant" == (shown or [("",)])[-1][0] and not shown[-1][2]:
            shown[-1] = (role, f"{shown[-1][1]}\n\n{text}", calls)  # two answers in a row are one
        elif text or calls:
            shown.append((role, text, calls))
    return shown


def to_pair(call: dict[str, Any]) -> tuple[str, Any]:
    if "args" in call:
        return call["name"], call["args"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])
