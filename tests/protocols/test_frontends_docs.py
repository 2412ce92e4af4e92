"""docs/frontends.md: each example runs as it stands."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from plainloop.agent.config.installed import find_entries
from tests.processes import run_program
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import FOLDER, require_node

LANGGRAPH_SDK = FOLDER.parents[2] / ".venv" / "langgraph-sdk"
TEXT = (Path(__file__).parents[2] / "docs" / "frontends.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(r"```(python|js)\n(.*?)```", TEXT, re.DOTALL)


def name_example(example: tuple[str, str]) -> str:
    return re.findall(r"(?:from|import) [\"']?([\w@/.-]+)", example[1])[0].replace("/", "-")


@pytest.mark.parametrize("example", EXAMPLES, ids=name_example)
async def test_the_documented_frontend_examples_run(
    example: tuple[str, str], serve: ServeNotes, tmp_path: Path
) -> None:
    language, source = example
    served = await serve(is_offline=True, has_auth=False)
    source = source.replace("http://127.0.0.1:8000", served.url).replace("careers/", "notes/")
    source = source.replace("jobs", "notes")
    if "langgraph_sdk" in source:
        pytest.importorskip("plainloop_langgraph")
        if not LANGGRAPH_SDK.is_dir():
            pytest.skip("langgraph-sdk is not installed: ./scripts/packages")
    path = tmp_path / "example.py"
    if language == "js":
        for package in re.findall(r"from \"([^\"]+)\"", source):
            require_node(package)
        path = FOLDER / f"{tmp_path.name}.mjs"  # where it finds its packages
    path.write_text(source)
    try:
        program = sys.executable if language == "python" else "node"
        more = {"PYTHONPATH": str(LANGGRAPH_SDK)} if "langgraph" in source else {}
        told = await run_program(program, str(path), folder=FOLDER.parents[2], environ=more)
    finally:
        path.unlink()

    assert "no notes" in told.lower() or "0 notes" in told, told


def test_every_protocol_is_named_on_the_frontends_page() -> None:
    names = {"openai": "/v1/chat", "ui": "/api/ui/", "agui": "/api/agui/", "mcp": "mcp.md"}
    names |= {"langgraph": "/langgraph", "anthropic": "/anthropic/v1", "a2a": "/a2a"}

    assert {*find_entries("protocols")} <= {*names}
    assert [name for name, path in names.items() if path not in TEXT] == []
