"""Commands that a pack of one's own brings."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Command
from tests.packs.test_what_a_pack_brings import write_pack


async def test_a_packs_command_is_listed_and_runs_with_the_packs_setting(plainloop: Command):
    write_pack(plainloop.folder)
    environ = {"PYTHONPATH": ".", "AGENT_PACKS": "own_shelf", "AGENT_SHELF_BOOKS": "9"}

    done = await plainloop("shelf", **environ)
    listed = await plainloop("--help", **environ)
    without = await plainloop("shelf")

    assert (done.code, done.out) == (0, "9\n"), done.err
    assert "Say how many books there is room for." in listed.out
    assert without.code == 2


async def test_the_env_file_gives_settings_that_the_environment_overrides(plainloop: Command):
    (plainloop.folder / ".env").write_text("AGENT_MODEL=from-file\nAGENT_LIMITS_LIST_ROWS=7\n")

    done = await plainloop("doctor", AGENT_MODEL="from-environment")

    assert "model = from-environment" in done.out + done.err
    assert "limits.list_rows = 7" in done.out + done.err


@pytest.mark.parametrize(
    ("command", "package"), [("gate", "plainloop-lab"), ("wire-server", "plainloop-wire")]
)
async def test_a_command_that_is_not_installed_names_its_package(
    command: str, package: str, plainloop: Command
):
    alone = "import importlib.metadata as m\nm.entry_points = lambda: m.EntryPoints(())\n"
    (plainloop.folder / "sitecustomize.py").write_text(alone)
    found = f"{plainloop.folder}:{plainloop.environ['PYTHONPATH']}"
    done = await plainloop(command, "rules.toml", PYTHONPATH=found)

    assert done.code == 2
    assert f"hint: Install it with `pip install {package}`" in done.err
