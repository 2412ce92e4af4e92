"""Changes planted in a pack and its settings: a recorded replay finds each harmful one, or names
the code that it did not run; of harmless ones it says nothing.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from packages.lab.tests.recorded import shelf
from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.spec import Pack
from plainloop.agent.packs.code_parts import digest_parts, list_changes
from plainloop_lab.replay.engine.stored import replay_stored
from plainloop_lab.replay.sources.stored import build_thread
from plainloop_lab.replay.sources.thread_recording import (
    ThreadRecording,
    list_codes,
    load_recording,
)
from tests.machine.running import TENANT, USER, Machine
from tests.machine.scripted import text, tools, triage, verdict

FOLDER = Path(shelf.__file__).parent
NUMBERS = count()
LETTER = "Dear reader, it is here."
SCRIPTS: dict[str, tuple[Any, ...]] = {
    "put Emma on the shelf": (
        triage("keeper"),
        tools(("a", "add_book", {"title": "Emma"})),
        text("There it is."),
    ),
    "look for it": (triage("keeper"), tools(("b", "find_books", {"words": "em"})), text("One.")),
    "how many books do I have?": (),
    "list my tomes": (),
    "write about Emma": (triage("writer"), text("Hello."), text(LETTER), verdict("pass")),
}


@dataclass(frozen=True)
class Edit:
    """A change of one text in one file of the pack."""

    file: str
    old: str
    new: str


def move_helper(folder: Path) -> None:
    """A helper to another module, under another name, and its argument too."""
    rewrite(folder, "profile.py", "def describe(books: int)", "def unused(books: int)")
    helper = "def tell(much: int) -> str:\n    if much > 2:\n"
    helper += '        return "The user reads much."\n    return "The user reads little."\n'
    (folder / "telling.py").write_text(helper)
    rewrite(folder, "profile.py", "return describe(count)", "return tell(count)")
    rewrite(
        folder, "profile.py", "import RunView\n", "import RunView\n\nfrom .telling import tell\n"
    )


def reorder(folder: Path) -> None:
    """The functions of a module the other way round, a comment before each."""
    path = folder / "reviews.py"
    head, *functions = path.read_text().split("\n\n\n")
    assert len(functions) == 3
    path.write_text("\n\n\n".join([head, *(f"# moved\n{text}" for text in reversed(functions))]))


Planted = Edit | Callable[[Path], None]
HARMFUL: dict[str, Planted] = {
    "a worker's prompt": Edit("__init__.py", "You keep the shelf.", "You burn the shelf."),
    "a worker's description": Edit("__init__.py", "adds and finds books", "does it all"),
    "a worker without its tools": Edit("__init__.py", 'tools=("find_books",)', "tools=()"),
    "nobody reviews": Edit("__init__.py", 'evaluate="always"', 'evaluate="never"'),
    "a tool's description": Edit("tools.py", '"""Put a book on the shelf."""', '"""Add it."""'),
    "a tool's argument": Edit("tools.py", 'words: str = ""', 'words: str = "a"'),
    "a tool asks": Edit("tools.py", '@tool("write")', '@tool("write", needs_approval=True)'),
    "the shape of a result": Edit("tools.py", '"total": len(found)', '"count": len(found)'),
    "the shape of rows": Edit("shapes.py", '"id": row["book_id"]', '"no": row["book_id"]'),
    "a method of a shape": Edit("shapes.py", "text[: self.most_chars]", "text.title()"),
    "a shape's default": Edit("shapes.py", "most_chars: int = 80", "most_chars: int = 8"),
    "a comparison": Edit("shapes.py", 'row["pages"] > 0', 'row["pages"] >= 0'),
    "a constant": Edit("tools.py", "MOST_BOOKS = 10", "MOST_BOOKS = 1"),
    "SQL in a text": Edit("tools.py", "returning *", "returning title"),
    "SQL in a file": Edit("find.sql", "order by title", "order by title desc"),
    "a decorator": Edit("tools.py", "if not title.strip()", "if not title"),
    "whose rows a tool reads": Edit("tools.py", "tool.user_id, pattern", 'str("ann"), pattern'),
    "an error's words": Edit("tools.py", '"a book has a title"', '"no"'),
    "what prompts say": Edit("profile.py", "return describe(count)", "return describe(count + 1)"),
    "how it is worded": Edit("profile.py", "The user reads much.", "The user is a reader."),
    "when it is said": Edit("profile.py", "books > 2", "books > 1"),
    "what is checked": Edit("reviews.py", "len(text) > LONGEST", "len(text) < LONGEST"),
    "a limit of the check": Edit("reviews.py", "LONGEST = 400", "LONGEST = 40"),
    "a file that the check reads": Edit("words.txt", "Dear reader", "Hello"),
    "what is stored": Edit("reviews.py", "text[:40]", "text[:4]"),
    "an entity's table": Edit("__init__.py", 'table="shelf_books"', 'table="shelf_old"'),
    "an entity's order": Edit("__init__.py", 'default_order="title"', 'default_order="pages"'),
    "an entity's title": Edit("__init__.py", "#{row['book_id']} ", ""),
    "an entity's words": Edit("__init__.py", '"books", "tome", "tomes")', '"books")'),
    "no context": Edit("__init__.py", "        load_prompt_context=load_profile,\n", ""),
}
HARMLESS: dict[str, Planted] = {
    "a comment": Edit("tools.py", "MOST_BOOKS = 10", "# Ten are enough.\nMOST_BOOKS = 10"),
    "a docstring": Edit("shapes.py", "One book for the model.", "A book as the model sees it."),
    "a docstring more": Edit("profile.py", "-> str:\n    if", '-> str:\n    """Say it."""\n    if'),
    "another layout": Edit(
        "tools.py", "return rows[:MOST_BOOKS]", "return rows[\n        :MOST_BOOKS\n    ]"
    ),
    "a local's name": lambda folder: rename(folder, "tools.py", "pattern", "like"),
    "a helper elsewhere": move_helper,
    "another order": reorder,
    "quotes": Edit("reviews.py", '"it is too long"', "'it is too long'"),
    "an import's name": Edit("tools.py", "from . import shapes", "from . import shapes as shapes"),
    "a function that nobody calls": Edit(
        "tools.py", "TOOLS =", "def unused():\n    return 1\n\n\nTOOLS ="
    ),
    "a title": Edit("__init__.py", 'title="Shelf"', 'title="The shelf"'),
    "an annotation": Edit("profile.py", "    count = await", "    count: int = await"),
}


def rename(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    path.write_text(path.read_text().replace(old, new))


def rewrite(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    before = path.read_text()
    assert before.count(old) == 1, (file, old, before.count(old))
    path.write_text(before.replace(old, new))


def build_shelf(folder: Path, planted: Planted | None = None) -> Pack:
    """The pack from files of its own, as a process of its own would import it."""
    name = f"shelf_{next(NUMBERS)}"
    shutil.copytree(FOLDER, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if isinstance(planted, Edit):
        rewrite(folder / name, planted.file, planted.old, planted.new)
    elif planted is not None:
        planted(folder / name)
    importlib.invalidate_caches()
    return importlib.import_module(name).make_pack()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("shelf_")]:
        del sys.modules[name]


@dataclass
class Recorded:
    settings: Settings
    threads: list[ThreadRecording]

    async def look(self, pack: Pack, settings: Settings | None = None) -> list[str]:
        """What a recorded replay says of this pack, divergences first."""
        own = settings or self.settings
        said: list[str] = []
        for thread in self.threads:
            replayed = await replay_stored(build_thread(thread), {pack.name: pack}, own)
            if (found := replayed.divergence) is not None:
                said.append(f"{found.kind} at {found.node}: {found.render_diff()[:6]}")
        codes = {item for thread in self.threads for item in list_codes(thread)}
        return said + list_changes(codes, digest_parts((pack,), own))


@pytest.fixture
async def recorded(machine: Any, place: Path) -> Recorded:
    run: Machine = await machine(pack=build_shelf(place))
    threads: list[ThreadRecording] = []
    for asked, script in SCRIPTS.items():
        thread = await run.service.ensure_thread(TENANT, USER, None, "any")
        run.thread_id = thread.thread_id
        run.provider.script[:] = script
        told = await run.ask(asked)
        assert (told.error, run.provider.script) == (None, [])
        threads.append(await load_recording(run.store, TENANT, run.thread_id))
    return Recorded(run.service.settings, threads)


async def test_moving_a_packs_folder_is_not_reported_as_changed_code(
    recorded: Recorded, place: Path
) -> None:
    assert await recorded.look(build_shelf(place)) == []


async def test_replay_reports_each_harmful_pack_change(recorded: Recorded, place: Path) -> None:
    unseen = []
    for name, planted in HARMFUL.items():
        said = await recorded.look(build_shelf(place, planted))
        print(f"{name}: {said[0] if said else 'nothing'}")
        unseen += [] if said else [name]
    assert len(HARMFUL) == 30
    assert unseen == []


async def test_replay_reports_no_harmless_pack_change(recorded: Recorded, place: Path) -> None:
    flagged = {}
    for name, planted in HARMLESS.items():
        if said := await recorded.look(build_shelf(place, planted)):
            flagged[name] = said
    assert len(HARMLESS) == 12
    assert flagged == {}


LIMITS = (("model_attempts", 1), ("tool_result_tokens", 500), ("list_rows", 5))


@pytest.mark.parametrize(("name", "value"), LIMITS)
async def test_replay_reports_a_changed_limit_with_both_values(
    recorded: Recorded, place: Path, name: str, value: int
) -> None:
    was = getattr(recorded.settings.limits, name)
    limits = replace(recorded.settings.limits, **{name: value})
    said = await recorded.look(build_shelf(place), replace(recorded.settings, limits=limits))
    assert said == [f"the setting limits.{name}: was {was}, is {value}"]


async def test_replay_reports_a_roles_changed_temperature(recorded: Recorded, place: Path) -> None:
    agents = {"triage": RoleSettings(temperature=0.9)}
    said = await recorded.look(build_shelf(place), replace(recorded.settings, agents=agents))
    assert said == ["the setting agents.triage.temperature: was unset, is 0.9"]


async def test_replay_reports_runs_without_a_stored_code_version(
    recorded: Recorded, place: Path
) -> None:
    first, *rest = recorded.threads
    older = msgspec.structs.replace(first, codes={})
    said = await replace(recorded, threads=[older, *rest]).look(build_shelf(place))
    assert said == ["code that was not run: unknown for older runs, which did not record it"]
