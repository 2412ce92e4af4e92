"""A new event is three files, a new tool one: they are added to a copy of the sources, which then
stores the event, shows it over WebSockets, and offers and calls the tool.

A package's tool has a row in the package's README and a test as well: three files.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACK = "tests/machine/notes_pack/__init__.py"
CHANGES = {
    "agent/events.py": (
        (
            "class Done(Shaped):",
            'class Weather(TypedDict):\n    """Tell what the sky is."""\n\n    sky: str\n\n\n'
            "class Done(Shaped):",
        ),
        (
            "class DoneEvent(TypedDict):",
            'class WeatherEvent(TypedDict):\n    event: Literal["weather"]\n    data: Weather\n\n\n'
            "class DoneEvent(TypedDict):",
        ),
        ("    | DoneEvent\n", "    | DoneEvent\n    | WeatherEvent\n"),
    ),
    "server/ws/frames.py": (
        (
            '        case "done":',
            '        case "weather":\n            return {"type": "weather", **data}\n'
            '        case "done":',
        ),
    ),
    PACK: (
        (
            "ALL_TOOLS = (",
            '@tool("read")\nasync def look_up(tool: ToolContext) -> Any:\n    """Look up."""\n'
            '    tool.ctx.emit({"event": "weather", "data": {"sky": "blue"}})\n'
            '    return {"sky": "blue"}\n\n\nALL_TOOLS = (look_up, ',
        ),
    ),
}
EVENT_FILES = ("agent/events.py", "server/ws/frames.py", PACK)  # and where it is emitted
PROGRAM = """
import asyncio, json, sys
from plainloop.agent.config.settings import load_settings
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from plainloop.server.ws.frames import to_frame
from tests.machine.notes_pack import make_pack
from tests.machine.running import Machine, TENANT, USER
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage

async def main():
    settings, pack = load_settings({"DATABASE_URL": sys.argv[1]}), make_pack()
    store = await connect_store(settings, migration_folders=[pack.migrations])
    script = triage("note_writer"), tools(("c1", "look_up", {})), text("It is blue.")
    provider = ScriptedProvider(*script)
    service = Service(settings, store, ScriptedModels(provider), (pack,))
    thread = await service.ensure_thread(TENANT, USER, None, "test")
    machine = Machine(service, thread.thread_id, provider)
    told = await machine.ask("what is the sky like?")
    told.check_stream()
    stored = await store.load_events(TENANT, told.run_id)
    (event,) = [event for event in stored if event["event"] == "weather"]
    calls = await store.list_tool_calls(TENANT, told.run_id)
    offered = [tool.name for tool in provider.requests[-1].tools]
    print(json.dumps({
        "answer": told.answer, "stored": event["data"], "offered": "look_up" in offered,
        "frame": to_frame(event, thread.thread_id, None),
        "calls": [(call.name, call.status) for call in calls],
    }))
    await service.close()

asyncio.run(main())
"""


async def test_adding_an_event_changes_three_files_and_adding_a_tool_one(
    tmp_path: Path, empty_database_url: str
) -> None:
    copy = tmp_path / "copy"
    for name in ("agent", "server", "migrations", "plainloop", "tests/machine", "tests/tracker"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for path in ROOT.glob("tests/*.py"):
        shutil.copy(path, copy / "tests")
    for name, changes in CHANGES.items():
        told = (copy / name).read_text("utf-8")
        for old, new in changes:
            assert told.count(old) == 1, old
            told = told.replace(old, new)
        (copy / name).write_text(told, "utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, empty_database_url),
        env={**os.environ, "PYTHONPATH": str(copy)},
        cwd=copy,
        stdout=PIPE,
        stderr=PIPE,
    )
    out, failed = await process.communicate()
    assert process.returncode == 0, failed.decode()
    assert json.loads(out.splitlines()[-1]) == {
        "answer": "It is blue.",
        "stored": {"sky": "blue"},
        "offered": True,
        "frame": {"type": "weather", "sky": "blue"},
        "calls": [["look_up", "succeeded"]],
    }
    assert {*CHANGES} == {*EVENT_FILES}
