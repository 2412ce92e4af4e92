"""`plainloop dev`: what was changed is served, also a table that was thought of anew."""

from __future__ import annotations

import asyncio
import json
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.cli.conftest import TIMEOUT_S, Command

READY = "plainloop is ready"


async def test_plainloop_dev_serves_changes_and_recreates_edited_tables(desk: Command):
    pytest.importorskip("plainloop_rules")
    port = find_free_port()
    process = await desk.start("dev", "--port", str(port))

    async def ask(text: str) -> str:
        return await asyncio.to_thread(ask_service, f"http://127.0.0.1:{port}", text)

    try:
        await wait_for(process, READY)
        assert await ask("add a task: water the plants") == "Added #1 water the plants (open)."

        edit(desk.folder / "desk/__init__.py", "({row['status']})", "is {row['status']}")
        await wait_for(process, READY)
        assert await ask("list my tasks") == "You have 1 task:\n\n- #1 water the plants is open"

        edit(desk.folder / "desk/tools.py", "async def add_task(", "async def add_task(:")
        told = await wait_for(process, "SyntaxError", of="stderr")
        assert "desk/tools.py:" in await wait_for(process, "hint: see", of="stderr"), told
        edit(desk.folder / "desk/tools.py", "async def add_task(:", "async def add_task(")
        await wait_for(process, READY)

        migration = desk.folder / "desk/migrations/0001_desk_tasks.sql"
        edit(migration, "title text not null", "title text not null unique")
        await wait_for(process, "edited   0001_desk_tasks.sql")
        await wait_for(process, READY)
        assert await ask("list my tasks") == "You have no tasks."
    finally:
        process.terminate()
        async with asyncio.timeout(TIMEOUT_S):
            await process.wait()
    assert process.returncode == 143
    with pytest.raises(OSError):
        await ask("list my tasks")


def find_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


async def wait_for(process: asyncio.subprocess.Process, text: str, of: str = "stdout") -> str:
    """The next line that holds it."""
    stream: asyncio.StreamReader = getattr(process, of)
    async with asyncio.timeout(TIMEOUT_S):
        while text not in (line := (await stream.readline()).decode()):
            assert line, f"{text} was not said"
    return line


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def ask_service(url: str, text: str) -> str:
    def post(path: str, body: dict[str, str]) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    thread = post("/api/chat/conversations", {})
    path = f"/api/chat/conversations/{thread['id']}/messages"
    return post(path, {"content": text})["content"]
