"""Files that decisions are written to, whole or not there, and the folders of long searches."""

from __future__ import annotations

import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import orjson

from plainloop.agent.base.text.cleaning import clean_json, clean_text
from plainloop.agent.errors import ConflictError, InputError


def write_json(path: Path | None, value: object) -> None:
    """Write a value as indented JSON with `write_file`."""
    # The name of a file may have bytes that are no UTF-8, which Python gives as lone surrogates.
    write_file(path, orjson.dumps(clean_json(value), option=orjson.OPT_INDENT_2) + b"\n")


def write_file(path: Path | None, content: bytes | str) -> None:
    """Write a file whole or not at all.

    Does nothing if the path is None. Raises: InputError. A pipe, a device or what a link names is
    written to as it is.
    """
    if path is None:
        return
    if isinstance(content, str):
        content = clean_text(content).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # To rename a file to it would replace /dev/stdout itself for all programs
        # (test_results_are_written_through_pipes_and_links).
        if path.is_symlink() or (path.exists() and not path.is_file()):
            with path.open("wb") as file:
                file.write(content)
            return
        partial = path.with_name(f".{path.name}.partial")
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", hint="Choose a folder that you can write to."
        ) from error


@contextmanager
def lock_folder(folder: Path, command: str) -> Generator[None]:
    """Lock the folder inside the block.

    Raises: ConflictError if another process has locked it.
    """
    with (folder / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConflictError(
                f"another process is running `{command}` in {folder}",
                hint="Wait until that process ends, or join it with `plainloop replay resume`.",
            ) from error
        yield
