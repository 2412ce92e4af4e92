"""Files that decisions are written to: whole, or not there."""

from __future__ import annotations

from pathlib import Path

import orjson

from plainloop.agent.errors import InputError


def write_json(path: Path | None, value: object) -> None:
    """Write a value as indented JSON with `write_file`."""
    write_file(path, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


def write_file(path: Path | None, content: bytes) -> None:
    """Write a file whole or not at all; does nothing if the path is None. Raises: InputError."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.partial")
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", hint="Choose a folder that you can write to."
        ) from error
