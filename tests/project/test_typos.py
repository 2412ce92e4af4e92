"""Building a pack with a slip at every step: each is told in a sentence that says where it is."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import AgentError
from plainloop.agent.packs.loading import load_packs
from plainloop.agent.project.new import write_project
from plainloop.agent.service.opening import open_service

INIT, TOOLS, TOML = "desk/__init__.py", "desk/tools.py", "plainloop.toml"
MIGRATION = "desk/migrations/0001_desk_tasks.sql"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    write_project(tmp_path / "desk")
    monkeypatch.syspath_prepend(tmp_path / "desk")
    yield tmp_path / "desk"
    for module in [name for name in sys.modules if name.split(".")[0] == "desk"]:
        del sys.modules[module]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (INIT, "FieldSpec, P", "FieldSpecs, P", r"'FieldSpecs' .* \| see desk/__init__\.py:5"),
        (INIT, "import add_task", "import add_tasks", r"'add_tasks' .* \| see desk/__init__\.py:7"),
        (INIT, '"title", is_l', '"title", isl', r"'islookup' \| see desk/__init__\.py:16"),
        (INIT, 'name="desk"', 'name="disk"', "returns a pack named 'disk' | Name it 'desk'"),
        (INIT, "def make_pack", "def makepack", r"has no function make_pack\(\)"),
        (INIT, "return Pack(", "Pack(", r"make_pack\(\) .* must return a Pack, not NoneType"),
        (INIT, 'tools=("add_task"', 'tools=("ad_task"', "names the tool 'ad_task', which the pack"),
        (
            INIT,
            ', "list_tasks", "update_task")',
            ")",
            (
                "WorkerSpec\\('assistant'\\)\\.tools is 'add_task', not a tuple: "
                "write \\(one,\\) with a comma"
            ),
        ),
        (INIT, "(ASSISTANT,)", "(ASSISTANT)", r"Pack\('desk'\)\.workers is a WorkerSpec, not a tu"),
        (INIT, "(TASKS,)", "(TASKS)", r"Pack\('desk'\)\.entities is an EntitySpec, not a tuple"),
        (INIT, '"status", "enum"', '"status", "enumm"', r"FieldSpec\('status'\)\.kind is 'enumm'"),
        (INIT, '("open",)', '"open"', r"\('status'\)\.values\['open'\] is 'open', not"),
        (
            INIT,
            'default_worker="assi',
            'default_worker="asi',
            "'asistant' is not a worker of the pack",
        ),
        (INIT, 'default_order="title"', 'default_order="tite"', "'tasks' is ordered by 'tite'"),
        (INIT, '/ "migrations"', '/ "migration"', "the migrations folder .* does not exist"),
        (INIT, '(__file__).parent / "migrations"', '("x").name', r"migrations is 'x', not a Path"),
        (TOOLS, '("write")', '("writes")', r"Tool\('add_task'\)\.effect is 'writes', not"),
        (TOOLS, '@tool("read")', "@tool", r"Pack\('desk'\)\.tools\[1\] is a function, not a Tool"),
        (TOOLS, '"""Add a task to', '"" # """', "the tool 'add_task' has no docstring"),
        (
            TOOLS,
            "title: Title)",
            "title)",
            "the parameter 'title' of the tool 'add_task' has no type",
        ),
        (TOOLS, "title: Title)", 'title: "Titel")', "is not supported: name 'Titel' is not"),
        (TOOLS, "title: Title)", "title: complex)", "'add_task' has a type that is not supported"),
        (TOOLS, "tool: ToolContext, title", "title", "'add_task' lacks its first parameter `tool:"),
        (TOOLS, "async def add_task", "def add_task", "SyntaxError: 'await' outside"),
        (TOOLS, "-> Any:", "-> Any", r"SyntaxError.* \| see desk/tools\.py:22"),
    ],
)
def test_a_typo_in_the_pack_is_reported(project: Path, file: str, old: str, new: str, told: str):
    edit(project / file, old, new)

    with pytest.raises(AgentError) as caught:
        load_packs(["desk"])
    assert re.search(told, f"{caught.value.message} | {caught.value.hint}"), caught.value


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("packs =", "pack =", "unknown key agent.pack | Did you mean agent.packs?"),
        ("[agent]", "[agents]", "agents.packs must be a table | Did you mean agent.packs?"),
        ('["desk"]', '["desk]', "plainloop.toml: not valid TOML: Illegal character"),
    ],
)
def test_a_typo_in_the_settings_is_reported(project: Path, old: str, new: str, told: str):
    edit(project / TOML, old, new)

    with pytest.raises(AgentError) as caught:
        load_settings({}, project / TOML)
    assert told in f"{caught.value.message} | {caught.value.hint}"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (MIGRATION, "title text", "title txt", r"0001_desk_tasks\.sql:5 failed: type \"txt\" does"),
        (
            MIGRATION,
            "select plainloop",
            "-- ",
            "rows in the table desk_tasks are not separated by tenant: add",
        ),
        (INIT, '"task_id"', '"id"', "'tasks' reads the column 'id', which the table desk_tasks"),
        (INIT, '"title", "title"', '"title", "titel"', r"'titel', .*\(did you mean 'title'\?\)"),
        (
            INIT,
            "row['title']",
            "row['titel']",
            r"the title of the entity 'tasks' uses 'titel', which is not a column",
        ),
    ],
)
async def test_a_typo_in_a_table_is_reported_at_the_start(
    project: Path, settings: Settings, file: str, old: str, new: str, told: str
):
    edit(project / file, old, new)
    served = replace(settings, provider="offline", agent=replace(settings.agent, packs=("desk",)))

    with pytest.raises(AgentError) as caught:
        async with open_service(served):
            raise AssertionError("it has started")
    assert re.search(told, caught.value.message), caught.value
