"""The READMEs of both domains list their tools as the code declares them.

After a change that is meant: `PLAINLOOP_UPDATE_DOCS=1 ./scripts/test tests/test_tool_tables.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import pytest

from plainloop.agent.core.spec import Pack

ROOT: Final = Path(__file__).parents[1]
UPDATE: Final = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))
BLOCK: Final = re.compile(
    r"(<!-- made by tests/test_tool_tables.py: \w+ -->\n).*?(?=<!-- end -->)", re.S
)


def build_table(pack: Pack) -> str:
    """Build a row for each tool: effect, arguments, and the workers that have it."""
    rows = ["| tool | what it does | effect | arguments | workers |", "|---|---|---|---|---|"]
    for item in pack.tools:
        schema = item.schema.parameters
        required = schema.get("required", [])
        arguments = ", ".join(
            f"**`{name}`**" if name in required else f"`{name}`" for name in schema["properties"]
        )
        workers = [worker.name for worker in pack.workers if item.name in worker.tools]
        effect = f"{item.effect}, asks first" if item.needs_approval else item.effect
        told = item.description.split("\n")[0]
        names = ", ".join(f"`{name}`" for name in workers)
        rows.append(f"| `{item.name}` | {told} | {effect} | {arguments or '–'} | {names} |")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("folder", ["careers", "staff"])
def test_pack_readmes_list_every_tool_completely(folder: str):
    package = pytest.importorskip(f"plainloop_{folder}")
    pack: Pack = package.make_pack()
    page = ROOT / "packages" / folder / "README.md"
    text = page.read_text(encoding="utf-8")
    written = BLOCK.sub(lambda found: found[1] + build_table(pack), text)
    if UPDATE:
        page.write_text(written, encoding="utf-8")

    told = text.partition("## Results and failures")[2]
    assert [item.name for item in pack.tools if f"`{item.name}`" not in told] == []
    assert UPDATE or text == written
