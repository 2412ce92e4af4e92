"""README keeps its length, its program answers as shown, its samples are what is printed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command, make_environ
from tests.processes import run_program
from tests.test_docs import hide_varying, serve_plainloop

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
LINES_AT_MOST = 120
PROGRAM_LINES_AT_MOST = 14
SERVICE = "127.0.0.1:8000"
UPDATE = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))
CALL_ID = re.compile(r"call_(?:[0-9a-f]+|…)")
SAMPLE = re.compile(r"(?<=^```text\n\$ \./scripts/bench choice\n).*?(?=^```$)", re.M | re.S)


def read_block(language: str, beginning: str = "") -> str:
    """The first block of README in this language that begins so."""
    pattern = rf"^```{language}\n({re.escape(beginning)}.*?)^```$"
    return re.findall(pattern, README.read_text(encoding="utf-8"), re.M | re.S)[0]


def test_readme_can_be_read_in_two_minutes():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LINES_AT_MOST


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
async def test_readmes_program_prints_the_shown_answer(database_url: str, tmp_path: Path):
    pytest.importorskip("plainloop_careers")
    program = read_block("python")
    (tmp_path / "shop.py").write_text(program, encoding="utf-8")
    environ = make_environ(tmp_path) | {"AGENT_PACKS": "shop", "DATABASE_URL": database_url}

    async with serve_plainloop(environ, tmp_path) as address:
        script = read_block("sh", "API=").replace(SERVICE, address)
        out = await run_program("bash", "-euo", "pipefail", "-c", script, folder=tmp_path)

    assert len(program.splitlines()) <= PROGRAM_LINES_AT_MOST
    streamed = [CALL_ID.sub("CALL", line) for line in out.splitlines()]
    shown = [CALL_ID.sub("CALL", line) for line in read_block("", "data:").splitlines()]
    assert [line for line in streamed if line in shown] == shown
    (events,) = re.findall(r"a stream of (\d+) events", README.read_text(encoding="utf-8"))
    assert sum(line.startswith("id:") for line in streamed) == int(events)


async def test_readmes_demo_lines_are_the_demos_output(tmp_path: Path):
    pytest.importorskip("plainloop_lab")
    shown = read_block("text", "$ uvx plainloop demo").splitlines()[1:]

    told = await Command(make_environ(tmp_path), tmp_path)("demo", "--once", "--no-open")

    assert told.code == 0, told.err
    assert [line for line in told.out.splitlines() if line in shown] == shown


async def test_readmes_gate_and_usage_sample_is_the_benchs_output():
    pytest.importorskip("plainloop_careers")
    bench = (sys.executable, "-m", "scripts.benchmarks", "choice")
    out = await run_program(*bench, folder=ROOT, timeout_s=400)
    text = README.read_text(encoding="utf-8")

    if UPDATE:
        README.write_text(SAMPLE.sub(lambda _: out.rstrip() + "\n", text), encoding="utf-8")
        return
    assert hide_varying(SAMPLE.findall(text)[0].rstrip()) == hide_varying(out.rstrip())
