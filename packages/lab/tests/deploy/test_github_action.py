"""The GitHub action and the pre-commit hooks, run step by step as their files say."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import TIMEOUT_S, make_environ, write_command

yaml = pytest.importorskip("yaml")
pytest.importorskip("plainloop_lab")
ROOT = Path(__file__).parents[4]
EXAMPLE = ROOT / "examples" / "replay_in_ci"
ACTION = yaml.safe_load((ROOT / "deploy" / "github" / "action.yml").read_text())
DEFAULTS = {name: item["default"] for name, item in ACTION["inputs"].items()}


class Runner:
    """Runs commands in a copy of the example, with a `plainloop` and a `pip` on the path."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder = folder / "example"
        shutil.copytree(EXAMPLE, self.folder)
        made = {"DATABASE_URL": database_url, "AGENT_PROVIDER": "offline", "AGENT_PACKS": ""}
        self.environ = make_environ(folder) | made
        del self.environ["AGENT_PACKS"]
        command = folder / "bin" / "plainloop"
        command.parent.mkdir()
        self.needed = write_command(command)
        pip = command.with_name("pip")
        pip.write_text('#!/bin/sh\necho "pip $*" >> "$PIP_LOG"\n')
        pip.chmod(0o755)
        places = (command.parent, Path(sys.executable).parent, self.environ["PATH"])
        self.environ["PATH"] = os.pathsep.join(map(str, places))
        self.environ["PIP_LOG"] = str(folder / "pip.log")
        self.environ["GITHUB_STEP_SUMMARY"] = str(folder / "summary.md")

    async def run(self, script: str, **environ: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *("bash", "-eo", "pipefail", "-c", script),
            stdout=PIPE,
            stderr=STDOUT,
            cwd=self.folder,
            env=self.environ | environ,
            pass_fds=self.needed,
        )
        async with asyncio.timeout(TIMEOUT_S):
            told, _ = await process.communicate()
        return await process.wait(), told.decode()

    async def use_action(self, **inputs: str) -> list[tuple[str, int, str]]:
        """Run the action's steps until one fails: its name, exit code and output."""
        given = DEFAULTS | inputs
        done: list[tuple[str, int, str]] = []
        for step in ACTION["runs"]["steps"]:
            asked = re.fullmatch(r"inputs\.([\w-]+) != ''", step.get("if", ""))
            if asked and not given[asked[1]]:
                continue
            environ = {key: fill(value, given) for key, value in step["env"].items()}
            code, told = await self.run(step["run"], **environ)
            done.append((step["name"], code, told))
            if code:
                break
        return done


def fill(text: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


@pytest.fixture
def runner(tmp_path: Path, database_url: str) -> Runner:
    return Runner(tmp_path, database_url)


async def test_the_github_action_replays_recordings_without_a_key(
    runner: Runner, tmp_path: Path
) -> None:
    done = await runner.use_action(recordings="talks.jsonl")
    assert [(name, code) for name, code, _ in done] == [
        ("Install", 0),
        ("Recorded conversations", 0),
    ], done
    assert "2 conversations, 0 diverged" in done[1][2]
    assert (tmp_path / "pip.log").read_text() == "pip install plainloop plainloop-lab\n"


async def test_the_github_action_gates_a_candidate_within_a_cost_limit(
    runner: Runner, tmp_path: Path
) -> None:
    done = await runner.use_action(
        recordings="talks.jsonl",
        conversations="talks.jsonl",
        packages="",
        candidate="--prompts prompts",
        rules="rules.toml",
        history="gate.jsonl",
    )
    names = ["Recorded conversations", "Live conversations", "Verdict"]
    assert [name for name, _, _ in done] == names, done
    assert [code for _, code, _ in done] == [0, 0, 10], "two talks decide nothing, and that stops"
    assert "| history |" in (tmp_path / "summary.md").read_text()


async def test_the_actions_steps_run_no_command_from_an_input(runner: Runner) -> None:
    done = await runner.use_action(recordings="$(touch hacked); x", packages="")
    assert done[0][1] != 0
    assert not (runner.folder / "hacked").exists()


def test_the_actions_scripts_contain_no_interpolated_input() -> None:
    steps: list[dict[str, Any]] = ACTION["runs"]["steps"]
    assert [step["name"] for step in steps if "${{" in step["run"]] == []


async def test_both_pre_commit_hooks_run_as_written(runner: Runner) -> None:
    config = yaml.safe_load((EXAMPLE / ".pre-commit-config.yaml").read_text())
    hooks = config["repos"][0]["hooks"]
    assert [hook["stages"] for hook in hooks] == [["pre-commit"], ["pre-push"]]
    for hook in hooks:
        code, told = await runner.run(hook["entry"])
        assert code == 0, (hook["id"], told)


def test_the_workflow_names_inputs_that_the_action_has() -> None:
    jobs = yaml.safe_load((EXAMPLE / "workflow.yaml").read_text())["jobs"]
    used = [
        step for job in jobs.values() for step in job["steps"] if step["uses"] == "./deploy/github"
    ]
    assert len(used) == 2
    assert {name for step in used for name in step["with"]} <= ACTION["inputs"].keys()
