"""What docs/hazards.md says is proven, is: every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    line for line in (ROOT / "docs/hazards.md").read_text("utf-8").splitlines() if "`tests/" in line
][1:]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:40])
def test_each_hazard_names_tests_that_exist(row: str):
    named = NAMED.findall(row)
    assert named
    for path, name in named:
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf"def {name}\(" if name else r"def test_", text), (path, name)


def test_none_got_lost():
    assert len(ROWS) >= 20
