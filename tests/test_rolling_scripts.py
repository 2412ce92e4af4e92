"""`deploy/systemd/roll` and `deploy/compose/roll`, with a systemctl and a docker that only talk."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).parent.parent / "deploy"
JUDGING = '{"status": "judging"} 503'
REFUSED = '{"status": "refused", "differences": ["tracker/default request worker"]} 503'
READY = '{"status": "ready"} 200'
# Each notes what it was asked to do; whoever asks for /readyz gets the next line of `answers`.
STUBS = {
    "systemctl": """
[ "$1" = is-failed ] && exit "${IS_FAILED:-1}"
echo "$*" "$(basename "$(readlink "$PLAINLOOP_HOME/current")")" >> "$NOTES"
""",
    "curl": """head -n 1 "$ANSWERS"; sed -i 1d "$ANSWERS" """,
    "docker": """
case "$*" in
    "inspect --format {{.Config.Image}} "*) echo old ;;
    inspect*) echo id-of-old ;;
    "image inspect"*) echo "${NAMED:-id-of-old}" ;;
    "compose ps"*) echo some-id ;;
    "compose exec"*) head -n 1 "$ANSWERS"; sed -i 1d "$ANSWERS" ;;
    *) echo "$*" "$PLAINLOOP_IMAGE" >> "$NOTES" ;;
esac
""",
    "sleep": "exit 0",
}


class Machine:
    """Runs a script where the stubs are first in the path. answers: of /readyz, in order."""

    def __init__(self, folder: Path) -> None:
        self.home, self.notes = folder / "home", folder / "notes"
        self.current = self.home / "current"
        self._answers, self._programs = folder / "answers", folder / "bin"
        self.notes.touch()
        self._programs.mkdir()
        for name, text in STUBS.items():
            self._make_program(self._programs / name, text)
        for release in ("old", "new"):
            (self.home / release / "bin").mkdir(parents=True)
            self._make_program(self.home / release / "bin" / "plainloop", "")
        self.current.symlink_to("old")

    def run(
        self, *command: str | Path, answers: list[str], **more: str
    ) -> subprocess.CompletedProcess[str]:
        self._answers.write_text("".join(f"{line}\n" for line in answers))
        environ = {
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "PLAINLOOP_HOME": str(self.home),
            "NOTES": str(self.notes),
            "ANSWERS": str(self._answers),
            **more,
        }
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120)

    def _make_program(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}")
        path.chmod(0o755)

    def list_notes(self) -> list[str]:
        return self.notes.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


ROLL = (DEPLOY / "systemd" / "roll", "new", "8001", "8002")
COMPOSE = (DEPLOY / "compose" / "roll", "new")
# The script, and what it asks for: the first one, the second.
KINDS = {
    "instances": (ROLL, ("restart plainloop@8001", "restart plainloop@8002")),
    "containers": (COMPOSE, [f"compose up -d --no-deps plainloop-{name}" for name in "ab"]),
}
every_kind = pytest.mark.parametrize(("command", "does"), KINDS.values(), ids=KINDS)


@every_kind
def test_a_rolling_update_waits_for_each_replica(machine: Machine, command: Any, does: Any) -> None:
    done = machine.run(*command, answers=["", JUDGING, READY, JUDGING, READY])
    assert (done.returncode, done.stderr) == (0, "")
    assert machine.list_notes() == [f"{does[0]} new", f"{does[1]} new"]
    assert machine.current.readlink() == Path("new" if command is ROLL else "old")


@every_kind
@pytest.mark.parametrize(
    ("answers", "more"),
    [([JUDGING, REFUSED], {}), ([""], {"IS_FAILED": "0"}), ([JUDGING] * 3, {})],
    ids=["refused", "does not start", "too slow"],
)
def test_a_failing_rolling_update_is_rolled_back(
    machine: Machine, command: Any, does: Any, answers: list[str], more: dict[str, str]
) -> None:
    done = machine.run(*command, answers=answers, ROLL_WAIT_S="3", **more)
    assert done.returncode == 1
    assert command is COMPOSE or "plainloop@8001: " in done.stderr
    assert machine.list_notes() == [f"{does[0]} new", f"{does[0]} old"]
    assert machine.current.readlink() == Path("old")


def test_a_missing_release_changes_nothing(machine: Machine) -> None:
    done = machine.run(DEPLOY / "systemd" / "roll", "none", "8001", answers=[])
    assert done.returncode == 2
    assert machine.list_notes() == []
    assert machine.current.readlink() == Path("old")


def test_a_rollback_uses_the_old_image_even_if_its_tag_moved(machine: Machine) -> None:
    machine.run(*COMPOSE, answers=[REFUSED], NAMED="id-of-new")
    assert machine.list_notes()[1:] == ["compose up -d --no-deps plainloop-a id-of-old"]
