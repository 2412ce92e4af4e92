"""The files of a report. They appear when they are whole: a killed run leaves none behind."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import orjson

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
        if self._lines is not None:
            self._lines.write((b",\n" if self._count else b"") + orjson.dumps(conversation))
            self._write_rows(rows)
        self._count += 1

    def finish(self, head: Mapping[str, Any], page: str) -> None:
        """All files, each complete under its name. head: of the JSON, above its conversations."""
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
        """What is not finished goes."""
        for file in (self._lines, self._turns):
            if file is not None:
                file.close()
        if self._folder is not None:
            for name in (REPORT_FILE, TURNS_FILE, PAGE_FILE):
                _get_partial(self._folder, name).unlink(missing_ok=True)

    def _write_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        if self._turns is not None:
            csv.writer(self._turns, lineterminator="\n").writerows(rows)


def _get_partial(folder: Path, name: str) -> Path:
    return folder / f".{name}.partial"
