"""The pack of `docs/memory.md`, as it stands there, remembers over two conversations."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop_memory.block import HEAD
from tests.machine.scripted import text, tools
from tests.server.conftest import ask, begin, serving

PAGE = Path(__file__).parents[3] / "packages" / "memory" / "docs" / "memory.md"
BLOCK = re.compile(r"^```python\n# file: (\S+)\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def own_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    ((path, content),) = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield path.removesuffix("/__init__.py").replace("/", ".")
    for module in [name for name in sys.modules if name.split(".")[0] == "acme"]:
        del sys.modules[module]


async def test_the_documented_memory_pack_remembers_without_a_setting(
    own_pack: str, settings: Settings
):
    served = replace(settings, tables={}, agent=replace(settings.agent, packs=(own_pack,)))
    script: tuple[Any, ...] = (
        tools(("c1", "remember", {"text": "I like aisle seats"})),
        *(text("Kept."), text("An aisle seat.")),
    )
    async with serving(replace(served, provider="offline"), *script) as replica:
        client = await replica.client()
        await ask(client, await begin(client), "I like aisle seats, remember that")
        await ask(client, await begin(client), "book a train")
        requests = replica.service.models.first.requests  # type: ignore[attr-defined]

    shown = f"{HEAD}\n#1 I like aisle seats"
    assert requests[-1].system.endswith(shown)
    assert shown in PAGE.read_text(encoding="utf-8")
    assert [tool.name for tool in requests[-1].tools] == ["recall", "remember"]
