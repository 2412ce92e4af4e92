"""The list of commands as a newcomer reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.main import get_command

from plainloop.agent.cli.app import PACKAGES, PANELS, app, run
from plainloop.agent.config.pack_parts import list_installed, load_part
from tests.fixtures import skip_without_package


def list_groups(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of each group of commands that does nothing by itself."""
    if hasattr(command, "commands"):
        if not command.invoke_without_command:
            yield path
        for name in command.list_commands(None):
            yield from list_groups(command.get_command(None, name), (*path, name))


def read_panels(page: str) -> dict[str, list[str]]:
    """The commands of a help page by the panel that they stand in."""
    found = re.findall(r"^(\S.*):\n((?:  \S.*\n)+)", page, re.M)
    return {panel: re.findall(r"^  (\S+)", rows, re.M) for panel, rows in found}


def test_every_command_is_in_a_help_panel():
    pytest.importorskip("plainloop_lab")
    command = get_command(app)
    listed = getattr(command, "list_commands")(None)  # noqa: B009
    ours = [name for names in PANELS.values() for name in names]

    assert [name for name in listed if name in ours] == ours
    assert listed[: len(PANELS["Talk"])] == list(PANELS["Talk"])


def test_the_help_page_lists_commands_of_core_and_packs_in_panels(
    capsys: pytest.CaptureFixture[str],
):
    pytest.importorskip("plainloop_lab")
    assert run(["--help"]) == 0
    panels = read_panels(capsys.readouterr().out)
    ours = {name for names in PANELS.values() for name in names}  # `import`: packs add to it
    brought = {
        f"Pack {pack}": [name for name in part.COMMANDS if name not in ours]
        for pack in list_installed()
        if (part := load_part(pack, "commands"))
    }

    packages = panels.pop(PACKAGES, [])
    assert {panel: panels[panel] for panel in PANELS if panel != PACKAGES} == {
        panel: list(names) for panel, names in PANELS.items() if panel != PACKAGES
    }
    assert not ours.intersection(packages)
    assert {panel: panels[panel] for panel in brought} == brought


@pytest.mark.parametrize("group", [*list_groups(get_command(app))], ids=" ".join)
def test_every_panel_of_the_help_page_has_a_heading(
    group: tuple[str, ...], capsys: pytest.CaptureFixture[str]
):
    assert run([*group, "--help"]) == 0

    assert not re.search(r"^\s*:\s*$", capsys.readouterr().out, re.M)


def test_a_packs_command_is_in_the_panel_it_names():
    pytest.importorskip("plainloop_lab")
    command: Any = get_command(app)
    pack = typer.Typer(add_completion=False)
    pack.command()(lambda: None)
    command.commands["shelf"] = get_command(pack)
    command.commands["shelf"].rich_help_panel = "Develop"
    page = command.get_help(command.make_context("plainloop", ["ask"], resilient_parsing=True))

    assert read_panels(page)["Develop"] == [*PANELS["Develop"], "shelf"]


@pytest.mark.parametrize("name", [name for names in PANELS.values() for name in names])
def test_every_command_has_a_help_page(name: str, capsys: pytest.CaptureFixture[str]):
    code, told = run([name, "--help"]), capsys.readouterr()
    skip_without_package(told.err)

    assert code == 0
    assert told.out.startswith(f"Usage: plainloop {name} ")


def test_a_command_group_without_a_subcommand_prints_its_help(capsys: pytest.CaptureFixture[str]):
    groups = [*list_groups(get_command(app))]
    assert len(groups) > 2
    for path in groups:
        assert run(path) == 2
        told = capsys.readouterr().err.splitlines()
        assert told[0].startswith(f"Usage: {' '.join(('plainloop', *path))} ")
        assert any(line.endswith(":") for line in told)
        assert not any("error[" in line for line in told)
