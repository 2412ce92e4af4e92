"""What README and docs show in a terminal is what a terminal shows.

A ```console block is run line by line, on an empty database per document, and its output compared
(ids, times of day and durations apart). After a change that is meant, write the new output into
the documents with `PLAINLOOP_UPDATE_DOCS=1 ./scripts/test tests/test_docs.py`.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import make_environ

ROOT = Path(__file__).parents[1]
DOCUMENTS = [Path("README.md"), *sorted(p.relative_to(ROOT) for p in ROOT.glob("docs/**/*.md"))]
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)")
UPDATE = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))
COMMAND_TIMEOUT_S = 60
VARYING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "TIME"),
    (re.compile(r"\b\d+(?:\.\d+)? m?s\b"), "DURATION"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "ADDRESS"),
)


def list_documents_with_commands() -> list[Path]:
    return [path for path in DOCUMENTS if BLOCK.search((ROOT / path).read_text(encoding="utf-8"))]


def hide_varying(text: str) -> str:
    for pattern, name in VARYING:
        text = pattern.sub(name, text)
    return text


def list_commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


async def run_block(block: str, environ: dict[str, str], folder: Path) -> str:
    """The block as a terminal shows it: each command, then what it printed."""
    shown: list[str] = []
    for command in list_commands(block):
        program, *arguments = shlex.split(command)
        assert program == "./scripts/start", f"only ./scripts/start can be shown: {command}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "agent", *arguments),
            cwd=folder,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        async with asyncio.timeout(COMMAND_TIMEOUT_S):
            out, _ = await process.communicate()
        assert process.returncode == 0, f"{command}: {out.decode()}"
        printed = "".join(line.rstrip() + "\n" for line in out.decode().splitlines())
        shown.append(f"$ {command}\n{printed}")
    return "\n".join(shown)


@pytest.mark.parametrize("path", list_documents_with_commands(), ids=str)
async def test_terminal_output_in_the_documents_is_true(
    path: Path, database_url: str, tmp_path: Path
) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    environ = make_environ(tmp_path) | {"DATABASE_URL": database_url, "COLUMNS": "100"}
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    outputs = [await run_block(found[0], environ, tmp_path) for found in BLOCK.finditer(text)]
    if UPDATE:
        blocks = iter(outputs)
        (ROOT / path).write_text(BLOCK.sub(lambda _: next(blocks), text), encoding="utf-8")
        return
    for found, output in zip(BLOCK.finditer(text), outputs, strict=True):
        assert hide_varying(output) == hide_varying(found[0])


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (ROOT / path.parent / link).exists()]
    assert not missing
