"""Since when a rule is red: the gate's earlier verdicts, by branch."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from packages.lab.tests.test_gate import write_talks
from plainloop.agent.errors import InputError
from plainloop_lab.report.history import find_branch, read_history
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

RULES = '[[rule]]\nmeasure = "reward"\nat_least = 0.5\n'
GATE = ("gate", "rules.toml", "-c", "now.jsonl", "--history", "history.jsonl")


async def gate(plainloop: Command, folder: Path, reward: float, branch: str) -> str:
    write_talks(folder / "now.jsonl", [reward] * 60)
    done = await plainloop(
        *GATE, "--branch", branch, "--markdown", "gate.md", GITHUB_SHA="c0ffee12"
    )
    assert done.code == (0 if reward else 1), done
    return (folder / "gate.md").read_text()


async def test_a_gate_with_history_states_when_a_rule_began_to_fail(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    first = await gate(plainloop, tmp_path, 1.0, "main")
    assert "| history |" in first
    assert "green since" in first
    await gate(plainloop, tmp_path, 0.0, "main")
    again = await gate(plainloop, tmp_path, 0.0, "main")
    lines = [orjson.loads(line) for line in (tmp_path / "history.jsonl").read_bytes().splitlines()]
    red_since = f"red since {lines[1]['at'][:10]} (c0ffee12) █▁▁"
    assert red_since in again
    assert [line["verdict"] for line in lines] == ["passed", "failed", "failed"]
    other = await gate(plainloop, tmp_path, 1.0, "feature")
    assert ("green since" in other, "▁" in other) == (True, False)


async def test_the_branch_option_without_a_history_file_is_refused(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "rules.toml").write_text(RULES)
    write_talks(tmp_path / "now.jsonl", [1.0] * 60)
    done = await plainloop(*GATE[:4], "--branch", "main")
    assert (done.code, "--branch needs --history" in done.err) == (2, True), done


def test_the_verdict_history_records_the_pipelines_branch() -> None:
    assert find_branch({"GITHUB_HEAD_REF": "fix", "GITHUB_REF_NAME": "7/merge"}) == "fix"
    assert find_branch({"GITHUB_HEAD_REF": "", "GITHUB_REF_NAME": "main"}) == "main"


def test_an_unreadable_line_of_the_verdict_history_is_named(tmp_path: Path) -> None:
    (tmp_path / "h.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="line 1: Object missing required field"):
        read_history(tmp_path / "h.jsonl", "main")
