"""What must not be in the tree: addresses of package indexes, paths of one machine, long pages."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.test_layers import parse_file

ROOT = Path(__file__).resolve().parent.parent
PAGE_LINES, LINE_LENGTH = 60, 200  # a decision is read at one sitting, in any editor
LOCKS = ("requirements.lock", "requirements-dev.lock")
FOR_SOME = {"ray", "dask", "spark", "remote", "parquet"}  # extras that scripts/lock leaves out

# Spelled in parts, so that this file does not find itself.
REGISTRY = re.compile(
    "|".join(
        ["pypi" + r"\.org", "pythonhosted" + r"\.org", "registry" + r"\.npmjs", "/simp" + "le/"]
    )
)
MACHINE_PATH = re.compile(
    "(?<![A-Za-z0-9_.~$}/-])/(?:"
    + "|".join(["ho" + "me", "ro" + "ot", "wo" + "rk", "Us" + "ers"])
    + ")/[A-Za-z]"
)


def list_tracked_texts() -> list[tuple[str, str]]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: the list of tracked files is not known")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    texts: list[tuple[str, str]] = []
    for name in filter(None, names):
        path = ROOT / name
        if not path.is_file():  # deleted, not yet committed
            continue
        try:
            texts.append((name, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:  # a binary file names nothing
            continue
    return texts


def find_lines(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in list_tracked_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_tracked_file_names_a_package_registry():
    assert find_lines(REGISTRY) == []


def test_no_tracked_file_contains_a_machine_path():
    assert find_lines(MACHINE_PATH) == []


@pytest.mark.parametrize("name", LOCKS)
def test_locks_pin_by_hash_and_contain_no_url(name: str):
    text = (ROOT / name).read_text()
    pinned = re.findall(
        r"^([a-z0-9][a-z0-9._-]*)==\S+(?: ; [^\\\n]+)? \\\n    --hash=sha256:", text, re.M
    )
    named = re.findall(r"^[a-z0-9]", text, re.M)

    assert "//" not in text
    assert re.findall(r"^\s*--(?!hash=)", text, re.M) == []
    assert len(pinned) == len(named) > 0


def test_both_locks_agree_on_every_version():
    runtime, development = (read_versions(name) for name in LOCKS)

    assert {name: development.get(name) for name in runtime} == runtime


def test_the_locks_cover_every_declared_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    ours = [project["project"], *(read_project(path) for path in list_packages())]
    declared = [item for one in ours for item in one["dependencies"]] + groups["build"]
    extras = [
        item
        for one in ours
        for name, group in one.get("optional-dependencies", {}).items()
        for item in group
        if name not in FOR_SOME
    ]
    development = declared + extras + groups["dev"]

    assert to_names(declared) - read_versions("requirements.lock").keys() == set()
    assert to_names(development) - read_versions("requirements-dev.lock").keys() == set()


def test_every_script_stops_at_its_first_error():
    scripts = [
        path for path in (*(ROOT / "scripts").iterdir(), ROOT / ".ci" / "run") if path.is_file()
    ]
    shell = [path for path in scripts if path.read_text().startswith("#!/usr/bin/env bash")]

    assert ROOT / "scripts" / "start" in shell
    assert [path.name for path in shell if "\nset -euo pipefail\n" not in path.read_text()] == []
    assert [path.name for path in shell if not path.stat().st_mode & 0o111] == []


def test_a_decision_is_one_page():
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    lines = {page.name: page.read_text(encoding="utf-8").splitlines() for page in pages}

    assert pages
    assert {name: len(read) for name, read in lines.items() if len(read) > PAGE_LINES} == {}
    assert [
        f"{name}:{number}"
        for name, read in lines.items()
        for number, line in enumerate(read, 1)
        if len(line) > LINE_LENGTH
    ] == []


def read_versions(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text()
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", text, re.M))


def list_packages() -> list[Path]:
    return sorted(ROOT.glob("packages/*/pyproject.toml"))


def read_project(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())["project"]


def to_names(requirements: list[str]) -> set[str]:
    """Of other people's packages."""
    names = (re.split(r"[\[<>=!~; ]", item, maxsplit=1)[0] for item in requirements)
    found = {re.sub(r"[-_.]+", "-", name).lower() for name in names}
    return {name for name in found if not name.startswith("plainloop")}


def test_all_packages_have_one_version_and_the_service_names_them():
    service = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    packages = [read_project(path) for path in list_packages()]
    pins = [f"{one['name']}=={service['version']}" for one in packages]
    needed = {item for one in packages for item in one["dependencies"] if "plainloop" in item}

    extras = service["optional-dependencies"]
    in_clones = [name for name in extras if name not in {"all", "ag-ui", "otel", *FOR_SOME}]
    assert extras["all"] == [f"plainloop[{','.join(in_clones)}]", *pins]
    assert needed <= {f"plainloop=={service['version']}", *pins}


# Shares of a room's functions that are private and called once: a jump for the reader.
JUMPS_AT_MOST, JUMPS_OF_SERVICE, JUMPS_OVER_ALL = 0.20, 0.11, 0.12


def count_jumps(path: Path) -> tuple[int, int]:
    """Private functions that one call in their file names and nothing else, of all functions."""
    nodes = list(ast.walk(parse_file(path)))
    defs = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    called = Counter(get_name(node.func) for node in nodes if isinstance(node, ast.Call))
    named = Counter(get_name(node) for node in nodes)
    # A decorator, a cache say, is a reason to be a function.
    private = [n.name for n in defs if re.match("_[^_]", n.name) and not n.decorator_list]
    return sum(called[name] == named[name] == 1 for name in private), len(defs)


def get_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def test_few_functions_are_private_and_called_once():
    rooms: dict[str, list[tuple[int, int]]] = {}
    tops = (ROOT / "agent", ROOT / "server", *ROOT.glob("packages/*/plainloop_*"))
    for path in (path for top in tops for path in top.rglob("*.py")):
        room = "/".join(path.relative_to(ROOT).parts[:2]).removesuffix(f"/{path.name}")
        rooms.setdefault(room, []).append(count_jumps(path))
    totals = {room: [sum(n) for n in zip(*found, strict=True)] for room, found in rooms.items()}
    shares = {room: once / (count or 1) for room, (once, count) in totals.items()}

    assert {r: s for r, s in shares.items() if s > JUMPS_AT_MOST} == {}
    service = [found for room, found in totals.items() if not room.startswith("packages/")]
    for most, of in ((JUMPS_OF_SERVICE, service), (JUMPS_OVER_ALL, totals.values())):
        once, count = (sum(n) for n in zip(*of, strict=True))
        assert once / count <= most
