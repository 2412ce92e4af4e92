"""What deciding.md says for a pipeline is run step by step, as far as that goes here."""

from __future__ import annotations

import asyncio
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import yaml

from plainloop.agent.store.store import Store
from plainloop_lab.decide.rules import read_rules
from tests.cli.conftest import Command, make_environ

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "packages" / "lab" / "docs" / "deciding.md").read_text(encoding="utf-8")
GATE = """
[[rule]]
measure = "failed"
margin = "50pp"
[[rule]]
measure = "same_arguments"
margin = "10pp"
needed = false
"""


def find_block(language: str) -> str:
    block, *_ = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return block


def test_the_documented_gate_rules_are_valid(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(find_block("toml"), encoding="utf-8")
    assert len(read_rules(tmp_path / "rules.toml").rule) == 4


async def run_step(step: dict[str, Any], folder: Path, environ: dict[str, str]) -> int:
    here = step["run"].replace("./scripts/start", f"{shlex.quote(sys.executable)} -m plainloop")
    process = await asyncio.create_subprocess_exec(
        *("bash", "-eo", "pipefail", "-c", here), cwd=folder, env=environ
    )
    return await process.wait()


async def test_the_documented_workflow_runs(
    database_url: str, store: Store, tmp_path: Path
) -> None:
    steps = yaml.safe_load(find_block("yaml"))["jobs"]["gate"]["steps"]
    (tmp_path / "gate" / "prompts").mkdir(parents=True)
    (tmp_path / "gate" / "prompts" / "react.md").write_text("You book rooms, briefly.\n")
    (tmp_path / "gate" / "rules.toml").write_text(GATE)
    talks = (
        (ROOT / "packages" / "lab" / "docs" / "samples" / "before.jsonl").read_bytes().splitlines()
    )
    (tmp_path / "gate" / "talks.jsonl").write_bytes(b"\n".join(talks[:10]))
    environ = make_environ(tmp_path) | {
        "DATABASE_URL": database_url,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    codes = {
        step["name"]: await run_step(step, tmp_path, environ) for step in steps if "run" in step
    }
    assert codes == {"What it will cost": 0, "Both sides": 0, "The verdict": 0, "Tell it": 0}
    assert "Gate: passed" in (tmp_path / "summary.md").read_text()
    assert (tmp_path / "gate.xml").exists()
    # The same from the replay's rows, without a report's folder.
    command = Command(environ, tmp_path)
    (replay_id,) = re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", (await command("replay", "list")).out)
    again = await command("gate", "gate/rules.toml", "--candidate", replay_id)
    assert (again.code, again.out.splitlines()[-1]) == (0, "verdict: passed")
    [kept] = await store.read("local").fetch("select verdict, candidates from gate_verdicts")
    assert (kept["verdict"], kept["candidates"][0]["replay_id"]) == ("passed", replay_id)
    table = await command("compare", replay_id, "--ledger")
    assert (table.code, table.out.split()[0]) == (0, "same_arguments"), table
