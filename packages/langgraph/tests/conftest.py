"""The unmodified Python SDK against a running replica of a small pack."""

# pyright: basic

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.machine.scripted import tools
from tests.protocols.conftest import ServeNotes, replica, serve
from tests.server.conftest import Served

__all__ = ["ServeNotes", "replica", "serve"]

FOLDER = Path(__file__).parents[3] / ".venv" / "langgraph-sdk"
ADD = ("c1", "add_note", {"text": "milk"})
LIST = ("c2", "list_notes", {})
BURN = tools(("c9", "burn_notes", {}), said="I would burn them.")
MODES = ["values", "updates", "messages-tuple", "custom"]

Connect = Callable[..., Any]


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Connect:
    """`connect(served, user)`: a client of `langgraph-sdk`."""
    if not FOLDER.is_dir():
        pytest.skip("langgraph-sdk is not installed: ./scripts/packages")
    monkeypatch.setattr(sys, "path", [*sys.path, str(FOLDER)])
    sdk: Any = importlib.import_module("langgraph_sdk")

    def make(served: Served, user: str = "ann", tenant: str = "acme", url: str = "") -> Any:
        address = f"{url or served.url}/langgraph"
        return sdk.get_client(url=address, api_key=served.token(user, tenant))

    return make


def say(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, **more}]}


async def collect(stream: Any) -> list[Any]:
    return [part async for part in stream]


def list_texts(values: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["type"], item["content"]) for item in values["messages"]]


def fold_chunks(parts: list[Any]) -> dict[str, str]:
    """The messages that chunks build, by their ids, as a client appends them."""
    shown: dict[str, str] = {}
    for part in parts:
        if part.event == "messages":
            message = part.data[0]
            if message["type"] == "remove":
                del shown[message["id"]]
            else:
                shown[message["id"]] = shown.get(message["id"], "") + message["content"]
    return shown


@contextmanager
def refused(status: int) -> Iterator[Any]:
    """What is asked inside is refused with that status."""
    with pytest.raises(Exception) as error:
        yield error
    told: Any = error.value
    assert told.response.status_code == status, told
