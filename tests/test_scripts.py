"""`scripts/setup` and `scripts/start`, with an installer that only talks."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.test_repository import LOCKS, ROOT, list_packages

# Stands for uv, for Python and for the Python of .venv, and installs nothing at length.
INSTALLER = """#!/bin/sh
case "$*" in
    *"pip install"*) seq -f "Collecting package %g" 266; exit "${INSTALLER_CODE:-0}" ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
"""
TOOLS = "basename bash cat cmp cp dirname flock grep head ln mkdir mv rm seq sh sleep tail".split()


class Checkout:
    """What `scripts/setup` needs of a clone, with an installer that only talks."""

    def __init__(self, folder: Path, installer: str) -> None:
        self.folder = folder
        packages = [str(path.relative_to(ROOT)) for path in list_packages()]
        for name in ("scripts/setup", "scripts/start", "pyproject.toml", *packages, *LOCKS):
            (folder / name).parent.mkdir(exist_ok=True, parents=True)
            shutil.copy(ROOT / name, folder / name)
        tools = folder / "tools"
        tools.mkdir()
        for name in TOOLS:
            found = shutil.which(name)
            if found:  # flock is not everywhere, and not needed
                (tools / name).symlink_to(found)
        for name in {"python3", installer}:
            (tools / name).write_text(INSTALLER)
            (tools / name).chmod(0o755)

    def set_up(self, stderr: int = subprocess.PIPE, code: int = 0) -> list[str]:
        """The lines on stderr, where it is a pipe."""
        done = subprocess.run(
            [str(self.folder / "scripts/setup"), "runtime"],
            env={"PATH": str(self.folder / "tools"), "INSTALLER_CODE": str(code)},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        assert (bool(done.returncode), done.stdout) == (bool(code), "")
        return (done.stderr or "").splitlines()


@pytest.fixture(params=["uv", "python3"])
def checkout(tmp_path: Path, request: pytest.FixtureRequest) -> Checkout:
    return Checkout(tmp_path, request.param)


def test_the_first_start_reports_its_setup_and_the_second_nothing(checkout: Checkout):
    making, installing, installed = checkout.set_up()
    assert making.startswith("plainloop: making .venv with ")
    assert re.search(
        r"installing \d+ packages .*: the first time one to three minutes$", installing
    )
    assert installed == "plainloop: installed"
    assert checkout.set_up() == []


def test_setup_on_a_terminal_shows_one_line(checkout: Checkout):
    master, slave = pty.openpty()
    checkout.set_up(stderr=slave)
    os.close(slave)
    shown = b""
    with suppress(OSError):  # EIO is a terminal's end; one read may bring only a part
        while part := os.read(master, 65536):
            shown += part
    os.close(master)
    shown = shown.decode()
    assert re.search(r"installing, \d+ s", shown)
    assert shown.count("\n") == 3
    assert "Collecting" not in shown


def test_a_failing_setup_names_its_log_file(checkout: Checkout):
    *_, why, first, _, last, again = checkout.set_up(code=3)
    log = checkout.folder / ".venv" / "install.log"
    assert why == f"plainloop: the installation failed; {log} says why, and ends with:"
    assert (first, last) == ("Collecting package 264", "Collecting package 266")
    assert again == "plainloop: run ./scripts/setup runtime to try again."
    assert log.read_text().splitlines()[-266:] == [f"Collecting package {i}" for i in range(1, 267)]


def test_scripts_start_passes_bare_options_to_start(tmp_path: Path):
    meant = {
        "": "start",
        "--open --port 0": "start --open --port 0",
        "-p 0": "start -p 0",
        "ask hello --json": "ask hello --json",
        "--help": "--help",
        "--version": "--version",
        "--debug ask hello": "--debug ask hello",
    }
    checkout = Checkout(tmp_path, "uv")
    checkout.set_up()
    (tmp_path / ".venv/bin/plainloop").write_text('#!/bin/sh\necho "$*"\n')
    (tmp_path / ".venv/bin/plainloop").chmod(0o755)
    told = {
        typed: subprocess.check_output(
            [str(tmp_path / "scripts/start"), *typed.split()],
            env={"PATH": str(tmp_path / "tools")},
            text=True,
        ).removesuffix("\n")
        for typed in meant
    }
    assert told == meant
