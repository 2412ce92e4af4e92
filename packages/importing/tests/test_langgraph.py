"""Threads of LangGraph's checkpoint tables: five generations, Python and JS, as the library's own
`get_state` gives them.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import os
import sqlite3
import sys
from asyncio.subprocess import PIPE
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from packages.importing.tests.checkpoints import Saver, ai, human
from packages.importing.tests.conftest import Bring, find_public, read_all, show, show_expected
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store

POSTGRES = ("langgraph-1.2", "lg_023_public", "lg_02_public", "lg_js_public", "lg_json_public")
SCHEMA = "theirs"
LIBRARY = Path(__file__).parents[3] / ".venv" / "langgraph"
PROGRAM = Path(__file__).with_name("langgraph_threads.py")
# Threads that today's library writes; 1,000 took it two minutes.
THREADS = int(os.environ.get("AGENT_TEST_LANGGRAPH_THREADS", "40"))


async def fill_tables(url: str, path: str) -> None:
    """The tables as one generation of savers has them, in a schema of their own."""
    connection: Any = await asyncpg.connect(url)
    columns: dict[str, list[list[str]]] = {}
    rows: dict[str, list[Any]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if "table" in item:
                columns[item["table"]], rows[item["table"]] = item["columns"], []
            else:
                rows[item["t"]].append(item["row"])
    await connection.execute(f"drop schema if exists {SCHEMA} cascade; create schema {SCHEMA}")
    for table, made in columns.items():
        listed = ", ".join(f'"{name}" {kind}' for name, kind in made)
        await connection.execute(f"create table {SCHEMA}.{table} ({listed})")
        places = ", ".join(f"${n}" for n in range(1, len(made) + 1))
        values = [
            [to_value(value, kind) for value, (_, kind) in zip(row, made, strict=True)]
            for row in rows[table]
        ]
        await connection.executemany(f"insert into {SCHEMA}.{table} values ({places})", values)
    await connection.close()


def to_value(value: Any, kind: str) -> Any:
    if isinstance(value, dict) and "$b64" in value:
        return base64.b64decode(value["$b64"])
    return json.dumps(value) if kind == "jsonb" else value


def list_said(thread: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a thread says. Of an unfinished subgraph, what the root has not."""
    inner = [m for state in thread.get("subgraph", []) for m in state["messages"][1:]]
    return show_expected([*thread["messages"], *inner])


def read_expected(name: str) -> dict[str, Any]:
    return json.loads(Path(find_public(f"langgraph/{name}.expected.json")).read_text("utf-8"))


@pytest.mark.parametrize("name", POSTGRES)
async def test_imported_langgraph_threads_equal_get_state(
    name: str, database_url: str, settings: Settings
):
    expected = read_expected(name)
    await fill_tables(database_url, find_public(f"langgraph/{name}.tables.jsonl.gz"))

    found = await read_all(settings, "langgraph", database_url, schema=SCHEMA)

    assert {one.name: show(one.messages) for one in found} == {
        thread["thread_id"]: list_said(thread) for thread in expected["threads"]
    }
    waiting = {
        thread["thread_id"]
        for thread in expected["threads"]
        if any(task["interrupts"] for task in thread["tasks"])
    }
    assert {one.name for one in found if one.waiting} == waiting


async def test_a_langgraph_sqlite_file_is_read_like_postgres(settings: Settings, tmp_path: Path):
    expected = read_expected("sqlite_public")
    path = tmp_path / "checkpoints.sqlite"
    path.write_bytes(
        gzip.decompress(Path(find_public("langgraph/sqlite_public.db.gz")).read_bytes())
    )

    found = await read_all(settings, "langgraph", str(path))

    assert {one.name: show(one.messages) for one in found} == {
        thread["thread_id"]: list_said(thread) for thread in expected["threads"]
    }
    assert [one.name for one in found if one.waiting] == ["hitl-wait"]


async def test_importing_a_sample_writes_each_row_once(
    bring: Bring, store: Store, database_url: str
):
    expected = read_expected("langgraph-1.2")
    await fill_tables(database_url, find_public("langgraph/langgraph-1.2.tables.jsonl.gz"))
    url = f"{database_url}&options=-csearch_path%3D{SCHEMA}"

    first = await bring("langgraph", url)
    again = await bring("langgraph", url)

    assert first.refused == {}
    assert first.outcomes["new"] + first.outcomes["numbers"] + first.outcomes["same"] == 76
    assert set(again.outcomes) <= {"same"}
    async with store.transaction("local") as tx:
        threads = await tx.fetchval("select count(*) from threads")
        messages = await tx.fetchval("select count(*) from messages")
        waiting = await tx.fetchval("select count(*) from runs where status = 'waiting'")
    assert (threads, messages) == (first.outcomes["new"], first.messages)
    assert waiting == expected["totals"]["with_pending_interrupt"] == first.waiting


async def test_threads_of_todays_langgraph_are_imported_unchanged(
    settings: Settings, tmp_path: Path
):
    if not LIBRARY.is_dir():
        pytest.skip("langgraph is not installed: ./scripts/packages")
    path, told = tmp_path / "checkpoints.sqlite", tmp_path / "expected.jsonl"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(PROGRAM), str(path), str(told), str(THREADS)),
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        stderr=PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    expected = [json.loads(line) for line in told.read_text("utf-8").splitlines()]

    found = await read_all(settings, "langgraph", str(path))

    assert len(expected) == THREADS
    assert {one.name: show(one.messages) for one in found} == {
        thread["thread_id"]: list_said(thread) for thread in expected
    }
    assert {one.name for one in found if one.waiting} == {
        thread["thread_id"] for thread in expected if thread["waits"]
    }


@pytest.mark.parametrize("has_paths", [True, False])
async def test_sqlite_tables_of_javascript_and_older_savers_are_read(
    settings: Settings, tmp_path: Path, has_paths: bool
) -> None:
    saver = Saver(tmp_path / "c.sqlite")
    saver.put("t-1", [human("h1", "Hi"), ai("a1", "Hello")])
    if not has_paths:
        with closing(sqlite3.connect(saver.path)) as db:
            db.execute("alter table writes drop column task_path")
    (one,) = await read_all(settings, "langgraph", str(saver.path))
    assert show(one.messages) == [("user", "Hi", []), ("assistant", "Hello", [])]


async def test_a_source_database_that_cannot_be_read_is_an_error_with_its_reason(
    settings: Settings, store: Store, database_url: str
) -> None:
    connection: Any = await asyncpg.connect(database_url)
    made = f"{SCHEMA}.checkpoint_writes (blob bytea)"  # and no table of checkpoints
    await connection.execute(f"create schema {SCHEMA}; create table {made}")
    await connection.close()
    with pytest.raises(InputError, match='refuses to be read: relation "checkpoints"'):
        await read_all(settings, "langgraph", database_url, schema=SCHEMA)
