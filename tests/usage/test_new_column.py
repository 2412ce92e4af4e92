"""A new column of the ledger is three files: a migration, its function, and a field.

They are changed in a copy of the sources, and reports, HTTP and exports of the copy show it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from plainloop.agent.store.records import CallSettled, CallStart
from plainloop.agent.usage.ledger_columns import SUMMED

ROOT = Path(__file__).parents[2]
FILES_AT_MOST = 3
# In these of our folders a column's name is the column's: elsewhere `effort` is another word.
LEDGER = ("agent/store", "agent/usage", "agent/cli/usage", "migrations")
LEDGER += ("packages/operations/plainloop_operations",)
MIGRATION = """
alter table llm_calls add column region text, add column waited_ms integer;
alter table usage_hours add column waited_ms bigint;
alter table usage_days add column waited_ms bigint;
alter table usage_runs add column waited_ms bigint;
"""
FIELDS = """
    region: Annotated[str | None, Meta(extra={"by": "region"})] = None
    waited_ms: Annotated[int | None, Meta(extra={"unit": "ms", "label": "waited"})] = None
"""
PROGRAM = """
import asyncio, sys
from pathlib import Path
from plainloop.agent.base.ids import make_id
from plainloop.agent.cli.usage.tables import describe_total
from plainloop.agent.config.settings import load_settings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.records import CallSettled, CallStart
from plainloop.agent.types import Usage
from plainloop.agent.usage.report import UsageFilter, summarize_usage, to_csv, to_record
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop.server.routes.shapes import UsageQuery
from plainloop_operations.ledger.focus import list_ledger_rows, to_focus
from plainloop.agent.usage.report import FIRST, LAST

async def main():
    store = await connect_store(load_settings({"DATABASE_URL": sys.argv[1]}))
    call = make_id()
    await store.record_call_start(CallStart(
        "acme", call, "ann", None, None, None, "worker", None, "worker", 1, "p", "m", 9, "00",
        None, None, None, None))
    usage = Usage(input_tokens=7, output_tokens=2)
    await store.settle_calls("acme", [CallSettled(
        call, "acme", "succeeded", usage, 5, region="eu", waited_ms=40)])
    db = store.read("acme")
    for only in ({}, {"region": "eu"}, {"region": "us"}):
        rows = await summarize_usage(db, ["region"], UsageFilter(only))
        print(only, [(row.keys["region"], row.sums["waited_ms"]) for row in rows])
    await roll_up_usage(store)
    (total,) = await summarize_usage(db)
    print(*[line for line in describe_total(total) if "waited" in line])
    print(to_csv([to_record(total)]).splitlines()[0])
    rows = [row async for row in list_ledger_rows(db, FIRST, LAST)]
    print(rows[0]["region"], rows[0]["waited_ms"], to_focus(rows[0])["x_WaitedMs"])
    print("region" in UsageQuery.__struct_fields__, to_focus(rows[0])["x_Region"])
    await store.close()

asyncio.run(main())
"""


def change(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text("utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file.write_text(text, "utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources with two more columns: one that reports group by, one that they add up."""
    for name in ("agent", "server", "migrations", "plainloop", "packages/operations"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "migrations/0999_core_regions.sql").write_text(MIGRATION)
    change(
        tmp_path / "migrations/functions.sql",
        ("request_id = new.request_id,", "region = new.region, waited_ms = new.waited_ms,"
         " request_id = new.request_id,"),
        ("request_id text, stop text,", "region text, waited_ms int, request_id text, stop text,"),
    )  # fmt: skip
    head = "    # For traces, not kept: the answer's own id"
    change(tmp_path / "agent/store/records.py", (head, FIELDS.strip("\n") + "\n" + head))
    return tmp_path


async def test_a_new_ledger_column_in_three_files_appears_in_reports(
    copy: Path, empty_database_url: str
) -> None:
    paths = os.pathsep.join(map(str, (copy, copy / "packages/operations")))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, empty_database_url),
        env={**os.environ, "PYTHONPATH": paths},
        cwd=copy,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    told, failed = await process.communicate()
    assert process.returncode == 0, failed.decode()
    lines = told.decode().splitlines()
    assert lines[:3] == ["{} [('eu', 40)]", "{'region': 'eu'} [('eu', 40)]", "{'region': 'us'} []"]
    assert lines[3] == "waited: 40 ms"
    assert "waited_ms" in lines[4].split(",")
    assert lines[5:] == ["eu 40 40", "True eu"]


@pytest.mark.parametrize("name", ["effort", *(column.name for column in SUMMED)])
def test_a_ledger_column_is_named_in_few_files(name: str) -> None:
    assert name in {*CallStart.__dataclass_fields__, *CallSettled.__dataclass_fields__}
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in LEDGER
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".sql") and name in path.read_text("utf-8")
    ]
    assert len(files) <= FILES_AT_MOST, files
