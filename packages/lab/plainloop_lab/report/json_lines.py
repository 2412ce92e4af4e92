"""Files of JSON lines that people and earlier commands wrote, line by line of one kind."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from plainloop.agent.errors import InputError

Line = TypeVar("Line")


def read_json_lines(path: Path, kind: type[Line]) -> list[Line]:
    """Parse a JSON Lines file to structs.

    Blank lines are skipped. Raises: InputError that names the line.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}",
            hint="Check the path and the file's permissions.",
        ) from error
    found: list[Line] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=kind))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError(
                    f"{path}, line {number}: {error}", hint="Correct this line."
                ) from error
    return found
