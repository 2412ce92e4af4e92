"""What a command imports: no provider SDK and no web framework where none is used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from plainloop.agent.cli.terminal.running import make_loop
from plainloop.agent.config.settings import load_settings
from tests.cli.conftest import Command

# Runs the command in its own process and tells what it has imported.
PROBE = """
import atexit, json, sys
def tell():
    with open("imported.json", "w") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(tell)
"""
# Each costs 0.05 s or more, or draws in many that do. The names of commands and options need none.
SDKS = ("anthropic", "openai", "google.genai")
FOR_FEW = (
    *(*SDKS, "httpx2", "urllib.request", "starlette", "uvicorn"),
    *("genai_prices", "rich", "tiktoken", "markdown_it"),
)
FOR_WORK = ("asyncio", "asyncpg", "httpx", "prompt_toolkit", "plainloop.agent.store.store")


async def list_imported(plainloop: Command, *arguments: str) -> set[str]:
    (plainloop.folder / "sitecustomize.py").write_text(PROBE)
    environ = {"PYTHONPATH": f"{plainloop.folder}:{plainloop.environ['PYTHONPATH']}"}
    done = await plainloop(*arguments, **environ)

    assert done.code == 0, done
    return set(json.loads((plainloop.folder / "imported.json").read_text()))


@pytest.mark.parametrize(
    "arguments",
    [["usage"], ["migrate", "--status"], ["ask", "list my jobs"], ["ask", "sing me a song"]],
    ids=" ".join,
)
async def test_simple_commands_load_no_sdk_and_no_web_framework(
    arguments: list[str], plainloop: Command
):
    assert await list_imported(plainloop, *arguments) & {*FOR_FEW} == set()


@pytest.mark.parametrize(
    "arguments", [["ask", "list my jobs", "--tag", "a"], ["threads"]], ids=" ".join
)
async def test_plain_options_are_read_without_pydantic(arguments: list[str], plainloop: Command):
    assert "pydantic" not in await list_imported(plainloop, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["ask", "--help"],
        ["replay", "--help"],
        ["knowledge", "add", "--help"],
    ],
    ids=" ".join,
)
async def test_help_and_completion_load_no_heavy_module(arguments: list[str], plainloop: Command):
    assert await list_imported(plainloop, *arguments) & {*FOR_FEW, *FOR_WORK} == set()


async def test_help_lists_exit_codes_and_complete_summaries(plainloop: Command):
    done = await plainloop("--help")

    assert "130" in done.out
    assert "..." not in done.out.partition("Talk:")[2], "it would say nothing"


async def test_shell_completion_lists_commands(plainloop: Command):
    environ = {
        "COMP_WORDS": "plainloop exp",
        "COMP_CWORD": "1",
        "_TYPER_COMPLETE_ARGS": "plainloop exp",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    for shell in ("bash", "zsh", "fish"):
        done = await plainloop(**environ, _PLAINLOOP_COMPLETE=f"complete_{shell}")
        assert "explain" in done.out, shell


async def test_python_m_agent_runs_the_plainloop_command(plainloop: Command):
    script = Path(sys.executable).parent / "plainloop"
    if not script.exists():
        pytest.skip("the console script is not installed beside this Python")
    environ = {"COLUMNS": "80", "PYTHONPATH": str(Path(__file__).parents[2])}
    by_script = subprocess.run(
        [script, "--help"], capture_output=True, text=True, check=False, env=environ
    )

    assert by_script.stdout == (await plainloop("--help", COLUMNS="80")).out


@pytest.mark.parametrize(
    ("is_wanted", "is_installed", "module"),
    [(True, True, "uvloop"), (False, True, "asyncio"), (True, False, "asyncio")],
)
def test_uvloop_is_used_if_installed_and_enabled(
    is_wanted: bool, is_installed: bool, module: str, monkeypatch: pytest.MonkeyPatch
):
    if not is_installed:
        monkeypatch.setitem(sys.modules, "uvloop", None)
    loop = make_loop(load_settings({"AGENT_SERVER_UVLOOP": str(is_wanted).lower()}))
    loop.close()

    assert type(loop).__module__.partition(".")[0] == module
