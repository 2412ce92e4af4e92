"""Settings and a command of a pack of one's own: its own files only, no change elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.describing import describe_settings
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import load_packs

FILES = {
    "__init__.py": """
from plainloop.agent.core.spec import Pack, WorkerSpec


def make_pack():
    keeper = WorkerSpec("keeper", "keeps the shelf", "You keep a shelf.", ())
    return Pack("own_shelf", "Shelf", (keeper,), "keeper", ())
""",
    "settings.py": """
from dataclasses import dataclass

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count


@dataclass(frozen=True, slots=True)
class ShelfSettings:
    \"\"\"`[shelf]`: how much there is room for.\"\"\"

    books: Count = setting(40, "books on one shelf")


TABLES = {"shelf": ShelfSettings}
""",
    "commands.py": """
import typer


def shelf(context: typer.Context) -> None:
    \"\"\"Say how many books there is room for.\"\"\"
    from plainloop.agent.packs.terminal import get_terminal

    from own_shelf.settings import ShelfSettings

    terminal = get_terminal(context)
    terminal.say(str(terminal.load_settings("own_shelf").get_table(ShelfSettings).books))


COMMANDS = {"shelf": shelf}
""",
}


def write_pack(folder: Path) -> None:
    (folder / "own_shelf").mkdir()
    for name, content in FILES.items():
        (folder / "own_shelf" / name).write_text(content.lstrip())


@pytest.fixture
def own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    write_pack(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for module in [name for name in sys.modules if name.split(".")[0] == "own_shelf"]:
        del sys.modules[module]


def test_a_pack_may_be_any_importable_module_without_a_dot(own_shelf: None):
    assert load_packs(["own_shelf"])[0].title == "Shelf"


def test_a_packs_settings_are_typed_and_described(own_shelf: None):
    shelf_settings = import_module("own_shelf.settings").ShelfSettings

    settings = load_settings({"AGENT_PACKS": "own_shelf", "AGENT_SHELF_BOOKS": "7"})

    assert settings.get_table(shelf_settings).books == 7
    assert ("shelf.books", "AGENT_SHELF_BOOKS", "7", "environment") in describe_settings(settings)
    with pytest.raises(ConfigError) as wrong:
        load_settings({"AGENT_PACKS": "own_shelf", "AGENT_SHELF_BOOKS": "many"})
    assert wrong.value.message == "AGENT_SHELF_BOOKS must be a whole number above 0, not 'many'"
    with pytest.raises(ConfigError, match="AGENT_SHELF_BOKS") as unknown:
        load_settings({"AGENT_PACKS": "own_shelf", "AGENT_SHELF_BOKS": "7"})
    assert "AGENT_SHELF_BOOKS" in str(unknown.value.hint)


def test_a_pack_node_with_an_engine_name_is_refused(own_shelf: None):
    module: Any = import_module("own_shelf")
    pack = module.make_pack()
    broken = replace(pack, workers=(replace(pack.workers[0], after={"tools": None}),))
    module.make_pack = lambda: broken

    with pytest.raises(ConfigError, match="invalid node name in `after`: 'tools'"):
        load_packs(["own_shelf"])
