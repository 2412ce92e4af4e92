"""The floors of the design, read from every import: down only, never sideways."""

from __future__ import annotations

import ast
import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import is_typeddict

import pytest

from plainloop.agent.core import run_store, seams

ROOT = Path(__file__).resolve().parent.parent

# A package is a floor; imports point down only. The longest name that fits decides.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("agent.dataclasses", "agent.errors", "agent.events", "agent.types"),
    ("agent.config",),
    ("agent.base",),
    ("agent.provenance",),
    ("agent.outbound", "agent.store"),
    ("agent.providers",),
    ("agent.core",),
    ("agent.intents",),
    ("agent.routers", "agent.workers", "agent.evaluators", "agent.usage", "agent.mcp"),
    ("agent.packs",),
    ("agent.designs",),
    ("agent.service", "agent.doctor"),
    ("agent.project",),
    ("agent.cli", "server"),
    # Beside the service, which imports none of them.
    ("plainloop_rules",),
    (
        *("plainloop_a2a", "plainloop_documents", "plainloop_frontends", "plainloop_importing"),
        *("plainloop_lab", "plainloop_langgraph", "plainloop_memory", "plainloop_operations"),
        "plainloop_wire",
    ),
    ("plainloop_retrieval",),
    ("plainloop_careers", "plainloop_staff"),
)
SERVICE = FLOORS.index(("agent.cli", "server"))
PACKS = FLOORS.index(("agent.packs",))
SIBLINGS = ("agent.routers", "agent.workers", "agent.evaluators")
SDKS = {"anthropic", "openai", "google"}
FILES_AT_MOST = 25  # in one folder
CORE_LINES_AT_MOST = 4_500
# What "read in an afternoon" means; 60 of them since prompts stay as a thread's epoch began, 80
# since the journal is two files that draw their states.
MACHINE_LINES_AT_MOST = 5_140
PATTERN_CHARS_AT_MOST = 120
# Of ours, that importing the loop pulls in; 700 of them declare settings and explain each.
# 40 more: the levels of effort, in requests, settings, handles and the table of providers.
LOOP_LINES_AT_MOST = 6_900
MACHINE = ("agent.core", "agent.routers", "agent.workers", "agent.evaluators")
SQL_ROOMS = (
    *("agent.store", "plainloop_importing.langgraph", "plainloop_lab.store"),
    "plainloop_operations.months",
)
TEXTS = {".py", ".sql", ".toml", ".html", ".css", ".js", ".md", ".jinja"}
README = ROOT / "README.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"


@dataclass(frozen=True)
class Import:
    module: str  # who imports
    target: str  # what
    line: int
    is_top_level: bool  # runs when the module is imported
    is_type_checking: bool

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


@cache
def list_modules() -> list[tuple[str, Path]]:
    tops = (ROOT / "agent", ROOT / "server", *ROOT.glob("packages/*/plainloop_*"))
    paths = sorted(path for top in tops for path in top.rglob("*.py"))
    return [(to_module_name(path), path) for path in paths]


def to_module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[2:] if parts[0] == "packages" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def to_path(module: str) -> Path:
    """Without its suffix."""
    top = module.partition(".")[0]
    home = ROOT / "packages" / top.removeprefix("plainloop_") if "_" in top else ROOT
    return home / Path(*module.split("."))


@cache
def list_imports() -> list[Import]:
    with uncollected():
        return [item for name, path in list_modules() for item in read_imports(name, path)]


def read_imports(module: str, path: Path) -> Iterator[Import]:
    yield from walk(parse_file(path), module, is_top_level=True, is_type_checking=False)


@cache
def parse_file(path: Path) -> ast.Module:
    with uncollected():
        return ast.parse(path.read_text(encoding="utf-8"), str(path))


@contextmanager
def uncollected() -> Iterator[None]:
    """The collector would look again and again at all that was parsed before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def walk(
    node: ast.AST, module: str, *, is_top_level: bool, is_type_checking: bool
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):  # which no import stands in
            continue
        inside = is_top_level and not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        typing_only = is_type_checking or (
            isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        )
        for target in dict.fromkeys(read_targets(child, module)):
            yield Import(module, target, getattr(child, "lineno", 0), inside, typing_only)
        yield from walk(child, module, is_top_level=inside, is_type_checking=typing_only)


def read_targets(node: ast.AST, module: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.removeprefix("plainloop.") for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        package = resolve(node, module)
        # `from ..core import loop` imports the module agent.core.loop.
        return [
            submodule if is_module(submodule := f"{package}.{alias.name}") else package
            for alias in node.names
        ]
    return []


def resolve(node: ast.ImportFrom, module: str) -> str:
    """What the `from` of an import means in this module: `..core` is agent.core in agent/cli."""
    if node.level == 0:
        return str(node.module).removeprefix("plainloop.")
    path = to_path(module)
    here = module.split(".") if (path / "__init__.py").exists() else module.split(".")[:-1]
    above = here[: len(here) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


@cache
def is_module(name: str) -> bool:
    path = to_path(name)
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def get_floor(module: str) -> int | None:
    for floor, packages in enumerate(FLOORS):
        if any(is_within(module, package) for package in packages):
            return floor
    return None


def get_pack(module: str) -> str | None:
    top = module.partition(".")[0]
    return top if top in FLOORS[-1] else None


def test_every_module_belongs_to_a_layer():
    modules = {name for name, _ in list_modules()} - {"agent"}

    assert sorted(name for name in modules if get_floor(name) is None) == []


def test_no_folder_has_more_than_its_maximum_of_files():
    folders = {path.parent for _, path in list_modules()}
    crowded = {
        str(folder.relative_to(ROOT)): count
        for folder in folders
        if (count := sum(1 for item in folder.glob("*.py"))) > FILES_AT_MOST
    }

    assert crowded == {}


def test_no_import_points_to_a_higher_layer():
    upward = [
        str(item)
        for item in list_imports()
        if not item.is_type_checking
        and (here := get_floor(item.module)) is not None
        and (there := get_floor(item.target)) is not None
        and there > here
    ]

    assert upward == []


def test_the_service_mentions_no_package_beside_it():
    """Not in a text either: what is installed is found by entry points."""
    packages = "|".join(path.name for path in (ROOT / "packages").iterdir() if path.is_dir())
    beside = re.compile(rf"plainloop_(?:{packages})\b")
    named = [
        str(path.relative_to(ROOT))
        for name, path in list_modules()
        if (floor := get_floor(name)) is not None and floor <= SERVICE
        if beside.search(path.read_text(encoding="utf-8"))
    ]

    assert named == []


def test_packages_import_only_declared_packages():
    undeclared = [
        str(item)
        for item in list_imports()
        if (here := item.module.partition(".")[0]).startswith("plainloop_")
        and (there := item.target.partition(".")[0]).startswith("plainloop_")
        and here != there
        and f'"{there.replace("_", "-")}==' not in read_project_file(here)
    ]

    assert undeclared == []


def read_project_file(package: str) -> str:
    return to_path(package).with_name("pyproject.toml").read_text(encoding="utf-8")


def test_there_are_no_import_cycles():
    uses: dict[str, set[str]] = {name: set() for name, _ in list_modules()}
    for item in list_imports():
        if item.target in uses and item.target != item.module:
            uses[item.module].add(item.target)

    TopologicalSorter(uses).prepare()  # a CycleError names the files


def test_the_architecture_page_lists_every_package():
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("## Where things are")[2]
    drawn = {*re.findall(r"[\w/.]+", text.partition("```\n")[2].partition("```")[0])}
    rooms = {
        folder.relative_to(ROOT)
        for top in ("agent", "server", "packages")
        for folder in (ROOT / top).iterdir()
        if any(folder.glob("*.py")) or top == "packages"
    }

    assert [str(room) for room in sorted(rooms) if not drawn & {f"{room}/", f"{room.name}/"}] == []


def test_files_named_in_readme_and_contributing_exist():
    named = {
        name
        for page in (README, ARCHITECTURE, CONTRIBUTING)
        for name in re.findall(
            r"(?:agent|server|packages|docs|scripts|tests|deploy|migrations|plainloop)/[\w/.-]*\w",
            page.read_text(encoding="utf-8"),
        )
    }

    assert len(named) >= 50
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_routers_workers_and_evaluators_do_not_import_one_another():
    sideways = [
        str(item)
        for item in list_imports()
        for own in SIBLINGS
        for other in SIBLINGS
        if own != other and is_within(item.module, own) and is_within(item.target, other)
    ]

    assert sideways == []


def test_packs_do_not_import_one_another():
    sideways = [
        str(item)
        for item in list_imports()
        if (own := get_pack(item.module)) and (other := get_pack(item.target)) and own != other
    ]

    assert sideways == []


def test_own_modules_are_not_imported_only_for_types():
    hidden = [
        str(item)
        for item in list_imports()
        if item.is_type_checking and get_floor(item.target) is not None
    ]

    assert hidden == []


def test_the_machine_stays_within_its_line_limit():
    lines = {
        room: sum(
            len(path.read_text(encoding="utf-8").splitlines())
            for name, path in list_modules()
            if is_within(name, room)
        )
        for room in MACHINE
    }

    assert lines["agent.core"] <= CORE_LINES_AT_MOST
    assert sum(lines.values()) <= MACHINE_LINES_AT_MOST


def test_importing_the_loop_loads_few_lines_and_no_driver():
    pulled = list_pulled("plainloop.agent.core.loop")
    lines = {
        module: len(Path(file).read_text(encoding="utf-8").splitlines())
        for module, file in pulled.items()
        if is_within(module, "plainloop")
    }

    assert "plainloop.agent.core.loop" in lines
    assert sum(lines.values()) <= LOOP_LINES_AT_MOST, sorted(lines.items(), key=lambda i: -i[1])
    assert "asyncpg" not in pulled


def test_pack_declarations_import_no_language_or_offline_code():
    pulled = list_pulled("plainloop.agent.core.spec")
    rooms = ("plainloop_rules", "plainloop.agent.intents")

    assert "plainloop.agent.core.spec" in pulled
    assert [name for name in pulled if any(is_within(name, room) for room in rooms)] == []


def list_pulled(module: str) -> dict[str, str]:
    """The modules, with their files, that a fresh process has once it has imported this one."""
    program = (
        f"import json, sys, {module}\n"
        "files = {name: getattr(m, '__file__', None) for name, m in [*sys.modules.items()]}\n"
        "print(json.dumps({name: file for name, file in files.items() if file}))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return json.loads(told.stdout)


def test_the_reading_path_covers_the_machine():
    path = CONTRIBUTING.read_text(encoding="utf-8").partition("## Read the engine")[2]
    named = re.findall(r"\]\((agent/[\w/.]+\.py)\)", path.partition("\n## ")[0])

    assert len(named) >= 20
    assert [name for name in named if not (ROOT / name).is_file()] == []
    for node in ("routers", "workers", "evaluators"):
        here = {f"agent/{node}/{file.name}" for file in (ROOT / "agent" / node).glob("*.py")}
        assert here & {*named}, f"the path leaves out agent/{node}"


def test_only_sql_packages_import_the_driver():
    outside = [
        str(item)
        for item in list_imports()
        if item.target.partition(".")[0] == "asyncpg"
        and not any(is_within(item.module, room) for room in SQL_ROOMS)
        and not (get_pack(item.module) and item.module.rpartition(".")[2] == "store")
    ]

    assert outside == []


def test_nothing_is_cast_to_a_seam_protocol():
    seams = {
        node.name
        for file in ("run_store.py", "seams.py")
        for node in parse_file(ROOT / "agent" / "core" / file).body
        if isinstance(node, ast.ClassDef)
    }
    casts = [
        f"{module}:{node.lineno}"
        for module, path in list_modules()
        for node in ast.walk(parse_file(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "cast"
        and {*re.findall(r"\w+", ast.unparse(node.args[0]))} & seams
    ]

    assert len(seams) >= 5
    assert casts == []


def test_seams_mention_only_records_and_protocols():
    named = {
        name: value
        for name, value in {**vars(run_store), **vars(seams)}.items()
        if isinstance(value, type) and is_within(value.__module__, "plainloop")
    }
    concrete = [
        name
        for name, value in named.items()
        if not (is_dataclass(value) or is_typeddict(value) or getattr(value, "_is_protocol", False))
    ]

    assert len(named) >= 20
    assert concrete == ["Journal"], "there is one, and no double of it"


def test_the_machine_uses_the_concrete_store_only_for_routes():
    """A handler of the server uses what it can do whole, and so does a program without a service
    (core.persistence); a run sees seams.
    """
    named = {
        item.module
        for item in list_imports()
        if item.target == "agent.store.store" and item.module.startswith(MACHINE)
    }

    assert named == {"agent.core.api", "agent.core.persistence"}


def test_no_module_imports_a_provider_sdk_at_import_time():
    eager = [
        str(item)
        for item in list_imports()
        if item.is_top_level and not item.is_type_checking and item.target.partition(".")[0] in SDKS
    ]

    assert eager == []


def test_the_engine_names_no_worker_of_a_pack():
    workers = list_worker_names()
    if not workers:
        pytest.skip("no pack is there: nothing to name")

    named = [
        f"{module}:{line} says {text!r}"
        for module, path in list_modules()
        if (floor := get_floor(module)) is not None and floor < PACKS
        for line, text in read_strings(path)
        if text.partition(".")[0] in workers
    ]

    assert named == []


def test_only_packs_mention_their_domain():
    """But for the words of a design's constructors, which stand in one place."""
    words = re.compile(
        r"""
        adzuna | jsearch | cover.?letter | \bcareers\b | staff.?onboarding
        | recruiter | vacanc(?:y|ies) | \b(?:job|open|new|saved)\W?postings?\b | curriculum.vitae
        | \b(?:an?|the|your|my|his|her|their|user's)\ r[eé]sum[eé]s?\b     # to resume is a verb
        """,
        re.IGNORECASE | re.VERBOSE,
    )
    named = {
        str(path.relative_to(ROOT))
        for top in ("agent", "server", "migrations", "deploy")
        for path in (ROOT / top).rglob("*")
        if path.suffix in TEXTS
        if words.search(path.read_text(encoding="utf-8"))
    }

    assert named == {"agent/designs/base.py"}


def test_regular_expressions_stay_below_their_length_limit():
    """A longer one is made of parts: one a line, by `re.VERBOSE`, or phrases that are joined."""
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for name, path in list_modules()
        if (floor := get_floor(name)) is not None and floor <= SERVICE
        for node in ast.walk(parse_file(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args
        if "re.VERBOSE" not in ast.unparse(node)
        if sum(
            len(part.value)
            for part in ast.walk(node.args[0])
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        > PATTERN_CHARS_AT_MOST
    ]

    assert long == []


def list_worker_names() -> set[str]:
    """The `name=` (or first argument) of every `WorkerSpec(…)` in the packs."""
    names: set[str] = set()
    for path in ROOT.glob("packages/*/plainloop_*/**/*.py"):
        for node in ast.walk(parse_file(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("WorkerSpec"):
                values = node.args[:1] + [kw.value for kw in node.keywords if kw.arg == "name"]
                names |= {
                    value.value
                    for value in values
                    if isinstance(value, ast.Constant) and isinstance(value.value, str)
                }
    return names


def read_strings(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parse_file(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import anthropic", [("anthropic", True, False)]),
        ("def f():\n    import openai", [("openai", False, False)]),
        ("class A:\n    from google import genai", [("google", True, False)]),
        ("try:\n    import openai\nexcept ImportError: ...", [("openai", True, False)]),
        (
            "if TYPE_CHECKING:\n    from agent.core.state import X",
            [("agent.core.state", True, True)],
        ),
        ("from agent.core import state", [("agent.core.state", True, False)]),
    ],
)
def test_imports_inside_functions_are_checked_too(
    source: str, expected: list[tuple[str, bool, bool]], tmp_path: Path
):
    path = tmp_path / "module.py"
    path.write_text(source)

    found = [
        (item.target, item.is_top_level, item.is_type_checking)
        for item in read_imports("module", path)
    ]

    assert found == expected
