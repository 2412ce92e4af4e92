"""`plainloop demo`: what it shows is computed, so another break has another verdict."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainloop_lab.demo.running import make_environ
from plainloop_lab.demo.talks import TALKS
from tests.cli.conftest import Command
from tests.cli.conftest import make_environ as make_bare_environ


@pytest.fixture
def bare(tmp_path: Path) -> Command:
    """Without a database of its own: the demo starts one."""
    return Command(make_bare_environ(tmp_path), tmp_path)


async def test_the_demos_gate_fails_the_broken_prompt(bare: Command):
    told = await bare("demo", "--once", "--no-open", "--keep", "kept")

    assert told.code == 0, told.err
    assert f"{TALKS} conversations, 0 diverged" in told.out
    assert f"{TALKS} conversations, {TALKS} diverged" in told.out
    assert "cancel_order was called 8 times, and not executed" in told.out
    assert re.search(r"at gpt-6-luna's prices \$0\.\d+ → \$0\.\d+ for all conversations", told.out)
    assert "verdict: failed\n     exit code 1" in told.out
    assert "now with your own data:" in told.out
    advice = told.out.partition("6. would a cheaper model do?")[2]
    assert "Switch shop: saves about $" in advice
    assert re.search(r"shop +offline:offline-rules +cheaper-rules +\$0\.\d+ .* switch \(", advice)
    assert '[agents.shop]\n       model = "cheaper-rules"\n' in advice
    report = json.loads((bare.folder / "kept" / "report" / "report.json").read_bytes())
    assert report["summary"]["worse"]["conversations"] == 8
    example = told.out.splitlines()[-1].split()
    assert example[:2] == ["plainloop", "advise"]
    own = {k: v for k, v in make_bare_environ(bare.folder).items() if not k.startswith("AGENT_")}
    continued = Command(own, bare.folder / "kept")
    planned = await continued(*example[1:])
    assert planned.out.startswith("shop: 20 conversations, today offline:offline-rules"), planned
    assert "too few for a verdict: the margin needs at least 91 conversations" in planned.out


async def test_the_demos_gate_passes_a_change_without_effect(bare: Command):
    told = await bare("demo", "--once", "--no-open", "--without", "Be friendly")

    assert told.code == 0, told.err
    assert "verdict: passed\n     exit code 0" in told.out


async def test_the_demo_lists_the_prompts_lines_if_the_given_one_is_unknown(bare: Command):
    told = await bare("demo", "--without", "be rude")

    assert told.code == 2
    assert "Be friendly." in told.err


def test_the_demo_uses_no_key_and_no_setting_of_the_user(tmp_path: Path):
    given = {"OPENAI_API_KEY": "k", "AGENT_MODEL": "m", "DATABASE_URL": "u", "PATH": "p"}

    assert make_environ(given, tmp_path) == {
        "PATH": "p",
        "AGENT_CONFIG": str(tmp_path / "plainloop.toml"),
        "AGENT_DATA_DIR": str(tmp_path / "data"),
        "AGENT_PACKS": "plainloop_lab.demo",
        "AGENT_PROVIDER": "offline",
        "COLUMNS": "100",
    }


async def test_the_demo_replaces_no_project_of_the_users(bare: Command):
    own = bare.folder / "own" / "plainloop.toml"
    own.parent.mkdir()
    own.write_text('provider = "openai"\n')
    told = await bare("demo", "--once", "--no-open", "--keep", "own")

    assert (told.code, "own is not empty" in told.err) == (2, True), told
    assert own.read_text() == 'provider = "openai"\n'
    assert [*own.parent.iterdir()] == [own]
