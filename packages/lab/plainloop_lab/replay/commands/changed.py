"""Choose the conversations that a branch may change: `replay recorded --since-merge-base`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from plainloop.agent.config.pack_parts import find_code
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError

from ..sources.line_ranges import LineIndex, read_range
from ..sources.thread_recording import parse_recording

# The branch that a pull request is for: GitHub's, GitLab's.
TARGET_VARIABLES: Final = ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
TARGETS: Final = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
# Files that no code reads unless they are part of a pack.
HARMLESS: Final = frozenset({".md", ".rst", ".txt", ".png", ".jpg", ".jpeg", ".gif", ".svg"})


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a branch since its merge base.

    base: its commit. lines: of the file there; None: the file is unchanged. packs: those whose
    files changed; None: something that all packs may use.
    """

    base: str
    lines: frozenset[bytes] | None
    packs: frozenset[str] | None

    @property
    def is_nothing(self) -> bool:
        """Whether nothing changed that a conversation could depend on."""
        return self.lines is None and self.packs == frozenset()


def find_changes(source: Path, packs: Mapping[str, str]) -> Changes:
    """Find what changed since the branch's merge base: lines of the source, and packs.

    packs: the modules of packs, by pack.

    Raises: InputError where git does not know a merge base.
    """
    folder = source.resolve().parent
    top = Path(ask_git(folder, "rev-parse", "--show-toplevel"))
    base = find_base(folder)
    # A file that was moved has changed where it was, too; git would name only where it is now
    # (test_a_file_moved_out_of_a_pack_counts_as_a_change_of_the_pack).
    named = ask_git(top, "diff", "--name-only", "--no-renames", "-z", base).split("\0")
    named += ask_git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    changed = [top / name for name in named if name]
    own = source.resolve()
    lines: frozenset[bytes] | None = None
    if own in changed:
        before = ask_git(top, "show", f"{base}:{own.relative_to(top)}", is_checked=False)
        lines = frozenset(line.strip() for line in before.encode().splitlines())
    return Changes(base, lines, list_packs((path for path in changed if path != own), packs))


def list_packs(changed: Iterable[Path], packs: Mapping[str, str]) -> frozenset[str] | None:
    """Return the packs whose files changed.

    None if a changed file may belong to every pack.
    """
    places = {name: find_code(module) for name, module in packs.items()}
    folders = {name: place.resolve() for name, place in places.items() if place is not None}
    found: set[str] = set()
    for path in changed:
        of = {name for name, place in folders.items() if path == place or place in path.parents}
        if not of and path.suffix not in HARMLESS:
            return None
        found |= of
    return frozenset(found)


def choose_changed(index: LineIndex, places: Sequence[int], changes: Changes) -> list[int]:
    """Choose the conversations that a change may affect.

    Their pack's files changed, or their own line did.
    """
    if changes.packs is None:
        return [*places]
    if changes.is_nothing or not places:
        return []
    lines = read_range(index.get_range(places))
    chosen: list[int] = []
    for place, (number, line) in zip(places, lines, strict=True):
        recording = parse_recording(line, number)
        packs = {run.pack for run in recording.runs} if recording else set[str]()
        is_new = changes.lines is not None and line.strip() not in changes.lines
        if is_new or packs & changes.packs:
            chosen.append(place)
    return chosen


def find_base(folder: Path) -> str:
    """Return the commit where the branch left its target branch, as git knows it.

    Raises: InputError.
    """
    told = [f"origin/{os.environ[name]}" for name in TARGET_VARIABLES if os.environ.get(name)]
    for target in (*told, *TARGETS):
        base = ask_git(folder, "merge-base", "HEAD", target, is_checked=False).strip()
        if base:
            return base
    raise InputError(
        "git finds no common commit of this branch and its target branch",
        hint="Fetch the target branch with its history (actions/checkout: fetch-depth: 0).",
    )


def ask_git(folder: Path, *arguments: str, is_checked: bool = True) -> str:
    """Run git and return its output.

    is_checked: if False, return "" on failure. Raises: InputError.
    """
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise InputError(
            f"--since-merge-base needs git: {error.strerror}",
            hint="Install git, or leave the option out.",
        ) from error
    if done.returncode and is_checked:
        told = done.stderr.decode(errors="replace").strip()
        raise InputError(
            f"--since-merge-base needs a git repository: {told}",
            hint="Run the command inside the repository, or leave the option out.",
        )
    if done.returncode:
        return ""
    text = done.stdout.decode(errors="replace")
    return text if "-z" in arguments or arguments[0] == "show" else text.strip()
