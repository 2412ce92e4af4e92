"""Files that decisions are written to: whole, or not there."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputError


def write_file(path: Path | None, content: bytes) -> None:
    """None: nothing. Raises: InputError."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.partial")
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
