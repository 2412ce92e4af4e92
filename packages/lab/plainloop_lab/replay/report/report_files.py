"""The files of a report. They appear when they are whole: a killed run leaves none behind."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import orjson

from plainloop.agent.base.text.cleaning import disarm_cell
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.errors import InputError

REPORT_FILE: Final = "report.json"
TURNS_FILE: Final = "turns.csv"
PAGE_FILE: Final = "report.html"


class ReportFiles:
    """Takes one conversation after the other, so that a replay of any size fits in memory.

    folder None: nothing is written. What an earlier report left there is taken away first.
    """

    def __init__(self, folder: Path | None, columns: Sequence[str]) -> None:
        self._folder = folder
        self._columns = columns
        self._lines: IO[bytes] | None = None
        self._turns: IO[str] | None = None
        self._count = 0

    def __enter__(self) -> ReportFiles:
        if self._folder is None:
            return self
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in (REPORT_FILE, TURNS_FILE, PAGE_FILE):
            (self._folder / name).unlink(missing_ok=True)
        self._lines = tempfile.TemporaryFile()  # what goes above them is known at the end
        self._turns = _get_partial(self._folder, TURNS_FILE).open("w", newline="", encoding="utf-8")
        self._write_rows([self._columns])
        return self

    def add(self, conversation: Mapping[str, Any], rows: Iterable[Sequence[Any]]) -> None:
        """Write one conversation and its rows of the CSV file."""
        if self._lines is not None:
            self._lines.write((b",\n" if self._count else b"") + orjson.dumps(conversation))
            self._write_rows(rows)
        self._count += 1

    def finish(self, head: Mapping[str, Any], page: str) -> None:
        """Finish the report's files, and give them their final names.

        head: of the JSON, above its conversations.
        """
        if self._folder is None or self._lines is None or self._turns is None:
            return
        self._turns.close()
        with _get_partial(self._folder, REPORT_FILE).open("wb") as file:
            file.write(orjson.dumps(head, option=orjson.OPT_INDENT_2)[:-2])
            file.write(b',\n  "conversations": [\n')
            self._lines.seek(0)
            shutil.copyfileobj(self._lines, file)
            file.write(b"\n  ]\n}\n")
        _get_partial(self._folder, PAGE_FILE).write_text(page, encoding="utf-8")
        for name in (REPORT_FILE, TURNS_FILE, PAGE_FILE):
            _get_partial(self._folder, name).replace(self._folder / name)

    def __exit__(self, *_: object) -> None:
        """Close the files and remove those that are incomplete."""
        for file in (self._lines, self._turns):
            if file is not None:
                file.close()
        if self._folder is not None:
            for name in (REPORT_FILE, TURNS_FILE, PAGE_FILE):
                _get_partial(self._folder, name).unlink(missing_ok=True)

    def _write_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        if self._turns is not None:
            disarmed = ([disarm_cell(cell) for cell in row] for row in rows)
            csv.writer(self._turns, lineterminator="\n").writerows(disarmed)


def get_report_path(place: Path) -> Path:
    """Return the path of a report's JSON file, given the file or its folder.

    place: a report's folder, or its file.
    """
    return place / REPORT_FILE if place.is_dir() else place


def list_report(path: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Read a report of any size as (head without conversations, iterator of conversations).

    A file that was rewritten without our line ends is read whole.

    Raises: InputError.
    """
    try:
        lines = path.open("rb")
    except OSError as error:
        raise InputError(
            f"{path} cannot be read as a report", hint="Use a folder written with --report DIR."
        ) from error
    head = b""
    for line in lines:
        if line.strip() == b'"conversations": [':
            return _parse_report(head.rstrip().removesuffix(b",") + b"}", path), _read_lines(lines)
        head += line
    lines.close()
    whole = _parse_report(head, path)
    if not isinstance(whole.get("conversations"), list):
        raise InputError(
            f"{path} is not a replay report", hint="Use a folder written with --report DIR."
        )
    return whole, iter(whole["conversations"])


def list_live_report(folder: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Read the report of a live replay in a folder.

    Returns it in the form of `list_report`. Raises: InputError, also for a recorded one's.
    """
    head, conversations = list_report(folder / REPORT_FILE)
    if head.get("mode") != "live":
        raise InputError(
            f"{folder} is not the report of a live replay",
            hint="Use a folder that `replay live` wrote with --report DIR.",
        )
    return head, conversations


def _parse_report(text: bytes, path: Path) -> dict[str, Any]:
    try:
        found: Any = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{path} is not a replay report", hint="Use a folder written with --report DIR."
        ) from error
    return as_object(found)


def _read_lines(lines: IO[bytes]) -> Iterator[dict[str, Any]]:
    with lines:
        for line in lines:
            if line.startswith(b"{"):
                yield orjson.loads(line.rstrip().removesuffix(b","))


def _get_partial(folder: Path, name: str) -> Path:
    return folder / f".{name}.partial"
