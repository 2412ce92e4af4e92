"""An imported thread goes on over each provider's real wire, whose server is strict.

`AGENT_TEST_CASES=all` continues every public thread over each wire, not eight drawn ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from packages.importing.tests.checkpoints import Saver, ai, human, make_message, tool
from packages.importing.tests.conftest import LEAVING, Bring
from packages.importing.tests.test_langgraph import SCHEMA, fill_tables
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.store import Store
from plainloop_wire.serving import WIRES, build_environ
from tests.drawing import draw_cases
from tests.fixtures import TESTS_PACK
from tests.wire_fixtures import StartWire

DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQ"
    "AY3Y2wAAAAAElFTkSuQmCC"
)
PUBLIC = 8  # threads of the collection beside the repository, others over each wire
OPEN = ("c1", "book", {"n": 1})


def make_odd_threads(path: Path) -> Saver:
    """What providers refuse, each in a thread of its own."""
    saver = Saver(path)
    threads: dict[str, list[Any]] = {
        "a call without a result": [human("h", "Go"), ai("a", "", OPEN)],
        "a question instead of an answer": [
            *(human("h", "Go"), ai("a", "", OPEN), human("h2", "Well?"), ai("a2", "Yes"))
        ],
        "one id in two turns": [
            *(human("h", "Go"), ai("a", "", OPEN), tool("t", "c1", "one"), ai("a2", "One")),
            *(human("h2", "Go"), ai("a3", "", OPEN), tool("t2", "c1", "two"), ai("a4", "Two")),
        ],
        "trimmed to an answer": [ai("a", "Page 1 read"), human("h", "Next"), ai("a2", "Page 2")],
        "answers in a row": [human("h", "All"), ai("a", "One"), ai("a2", "Two")],
        "an odd name of a tool": [
            human("h", "Go"),
            ai("a", "", ("c1", "math/add it", {})),
            tool("t", "c1", "3"),
            ai("a2", "Three"),
        ],
        "a picture and thoughts": [
            make_message(
                "human", id="h", content=[{"type": "image_url", "image_url": {"url": DOT}}]
            ),
            make_message(
                "ai",
                id="a",
                content=[
                    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]},
                    {"type": "text", "text": "Red"},
                ],
                tool_calls=[],
            ),
        ],
        "only a question": [human("h", "Is anybody there?")],
        "an empty answer": [human("h", "Go"), ai("a", "")],
    }
    for name, messages in threads.items():
        saver.put(name, messages)
    return saver


@pytest.mark.parametrize("wire", WIRES)
async def test_every_provider_accepts_the_next_turn_of_odd_imported_threads(
    wire: str,
    bring: Bring,
    store: Store,
    settings: Settings,
    wire_server: StartWire,
    tmp_path: Path,
    database_url: str,
):
    brought = await bring("langgraph", str(make_odd_threads(tmp_path / "odd.sqlite").path))
    odd = {one.thread_id for one in await store.list_threads("local", "ann", limit=200)}
    if (public := LEAVING / "langgraph" / "langgraph-1.2.tables.jsonl.gz").exists():
        await fill_tables(database_url, str(public))
        await bring("langgraph", f"{database_url}&options=-csearch_path%3D{SCHEMA}")
    threads = await store.list_threads("local", "ann", limit=200)
    others = draw_cases((one for one in threads if one.thread_id not in odd), PUBLIC, wire)
    threads = [one for one in threads if one.thread_id in odd] + others
    async with store.transaction("local") as tx:
        rows = await tx.fetch("select thread_id from runs where status = 'waiting'")
    waiting = {str(row["thread_id"]) for row in rows}
    server = await wire_server()
    environ = {"AGENT_DATA_DIR": str(settings.data_dir), "AGENT_PACKS": TESTS_PACK}
    own = load_settings({**environ, **build_environ(wire, server.base_url)})

    refused: dict[str, Any] = {}
    async with open_service(own.with_tables(settings.get_table(DatabaseSettings))) as service:
        for thread in threads:
            if thread.thread_id in waiting:
                continue
            events: list[Any] = []
            await service.answer("local", "ann", thread.thread_id, "What now?", events.append)
            if events[-1]["event"] != "done":
                refused[thread.title] = events[-1]["data"]

    assert brought.refused == {}
    assert refused == {}
