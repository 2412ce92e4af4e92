"""What docs/hazards.md says is proven, is: every test that it names exists; so does every test that
a comment names, where a race or a vendor forced the code.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plainloop.agent.packs.loading import list_pack_names

ROOT = Path(__file__).parents[1]
ROWS = [
    line for line in (ROOT / "docs/hazards.md").read_text("utf-8").splitlines() if "tests/" in line
][1:]
NAMED = re.compile(r"`((?:packages/\w+/)?tests/[\w/]+\.py)(?:::(\w+))?`")
PLACED = re.compile(r"((?:packages/\w+/)?tests/[\w/]+\.py)::(test_\w+)")
with_careers = pytest.mark.skipif(
    "careers" not in list_pack_names(), reason="some of the tests are that pack's"
)


@with_careers
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:40])
def test_each_hazard_names_tests_that_exist(row: str):
    named = NAMED.findall(row)
    assert named
    for path, name in named:
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf"def {name}\(" if name else r"def test_", text), (path, name)


def test_no_hazard_was_removed_from_the_list():
    assert len(ROWS) >= 20


@with_careers
def test_every_test_that_the_code_names_exists():
    paths = [
        path
        for top in ("agent", "server", "packages", "scripts")
        for path in (ROOT / top).rglob("*")
    ]
    texts = [path.read_text("utf-8") for path in paths if path.suffix in (".py", ".sql")]
    files = {
        name for text in texts for name in re.findall(r"(?:packages/\w+/)?tests/[\w/]+\.py", text)
    }
    names = {name for text in texts for name in re.findall(r"\((test_\w+)\)", text)}
    placed = {pair for text in texts for pair in PLACED.findall(text)}
    homes = (ROOT / "tests", *ROOT.glob("packages/*/tests"))
    suite = [path.read_text("utf-8") for home in homes for path in home.rglob("test_*.py")]
    defined = {name for text in suite for name in re.findall(r"def (test_\w+)\(", text)}

    assert len(files) >= 10
    assert len(names) >= 10
    assert [name for name in sorted(files) if not (ROOT / name).is_file()] == []
    assert names - defined == set()
    assert len(placed) >= 10
    assert [pair for pair in sorted(placed) if not is_defined(*pair)] == []


def is_defined(path: str, name: str) -> bool:
    file = ROOT / path
    return file.is_file() and f"def {name}(" in file.read_text("utf-8")
