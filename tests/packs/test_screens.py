"""What packs' screens say of tools is of tools that are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SCREENS = sorted(Path(__file__).parents[2].glob("packages/*/plainloop_*/screens/screens.json"))
# Written with the decorator, or made under a name.
TOOL = re.compile(r"@tool\([^@]*?async def (\w+)\(|name=\"(\w+)\"|= \"(\w+)\"", re.S)


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.parts[-3])
def test_every_tool_of_a_screens_file_exists(path: Path):
    named = set(json.loads(path.read_text(encoding="utf-8")).get("tools", {}))
    sources = [source.read_text(encoding="utf-8") for source in path.parents[1].rglob("*.py")]

    assert named <= {name for source in sources for item in TOOL.findall(source) for name in item}
