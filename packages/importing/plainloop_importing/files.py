"""Files as sources export them: JSON lines, one large array, CSV; plain or gzip; in pieces."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import sys
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, cast

from plainloop.agent.errors import InputError

from .values import as_dict, as_list, parse_time

MOST_ITEM_BYTES: Final = 256 * 2**20  # one line, or one item of an array
_PIECE: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
# Of an item, an answer in it or a message of a chat; not of what was said.
TIMES: Final = frozenset(
    "completed_at create_time created created_at createdAt end_time endTime ended_at start_time"
    " startTime started_at update_time updated_at updatedAt".split()
)


@contextmanager
def open_file(source: str) -> Generator[IO[bytes]]:
    """Open a file, or stdin for `-`, and unpack gzip. Raises: InputError."""
    try:
        raw: Any = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115
    except OSError as error:
        raise InputError(
            f"{source} cannot be read: {error.strerror}",
            hint="Check the path and the file's permissions.",
        ) from error
    with raw:
        buffered: Any = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
        is_packed = buffered.peek(2)[:2] == _GZIP
        try:
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=buffered) if is_packed else buffered)
        except (EOFError, gzip.BadGzipFile) as error:
            raise InputError(
                f"{source} is truncated: its compressed data ends too early",
                hint="Download or compress it again.",
            ) from error


@dataclass(slots=True)
class Broken:
    """Says what becomes of records that cannot be read. is_skipped: they are listed, and the next
    one is read; else the first ends the import.

    file, line, item: of the record that is read now, from 1.
    """

    is_skipped: bool = False
    file: str = ""
    line: int = 0
    item: int = 0
    skipped: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def refuse(self, error: InputError) -> None:
        """Note the current record as skipped; raise the error if skipping is off."""
        if not self.is_skipped:
            raise error
        place = {"file": self.file, "line": self.line, "item": self.item}
        self.skipped.append({**place, "reason": error.message})


def read_items(source: str, *keys: str, broken: Broken) -> Iterator[Any]:
    """Yield a JSON file's items: of JSON lines, an array, or an array under one of the keys.

    Raises: InputError that names the place, also of a time that is none; where none is skipped.
    """
    broken.file, broken.item = source, 0
    for item in _read_values(source, keys, broken):
        broken.item += 1
        try:
            _check_times(as_dict(item), f"{source}, item {broken.item}")
        except InputError as error:
            broken.refuse(error)
        else:
            yield item


def _check_times(item: dict[str, Any], place: str) -> None:
    """Check that an item's times are times. Raises: InputError.

    What cannot be dated would be sorted before everything else.
    """
    response = as_dict(item.get("response"))
    told = as_dict(item.get("mapping")).values()
    nodes = (as_dict(as_dict(node).get("message")) for node in told)
    for found in (item, response, as_dict(response.get("body")), *nodes):
        for key in TIMES & found.keys():
            if found[key] not in (None, "", 0) and parse_time(found[key]) is None:
                raise InputError(
                    f"{place}: {key} is {str(found[key])[:40]!r}, which is not a time",
                    hint="Write the time as ISO 8601 text or Unix seconds, or remove it.",
                )


def _read_values(source: str, keys: Collection[str], broken: Broken) -> Iterator[Any]:
    with open_file(source) as file:
        text = _Text(file)
        number = 0
        if text.skip() == "[":
            text.take(1)
            while (mark := text.skip()) != "]":
                if not mark:
                    raise InputError(
                        "the JSON list in the file is incomplete", hint="Download the file again."
                    )
                if mark == ",":
                    text.take(1)
                    continue
                number += 1
                broken.line = text.count_line()
                yield text.read_value(number)
            return
        while text.skip():
            number += 1
            broken.line = text.count_line()
            try:
                item = text.read_value(number)
            except InputError as error:
                broken.item += 1
                broken.refuse(error)
                text.skip_line()
                continue
            held = next((key for key in keys if isinstance(as_dict(item).get(key), list)), None)
            yield from as_list(item[held]) if held else [item]


def read_rows(source: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a CSV file with a head line as dicts."""
    csv.field_size_limit(MOST_ITEM_BYTES)
    with open_file(source) as file:
        yield from csv.DictReader(io.TextIOWrapper(file, encoding="utf-8-sig", newline=""))


def has_head_of_csv(source: str) -> bool:
    return source.removesuffix(".gz").endswith(".csv")


def refuse_unknown(item: Any, place: str, source: str) -> InputError:
    """Make the error for an item that is not a record of this source."""
    keys = ", ".join(sorted(as_dict(item))[:8]) or type(item).__name__
    return InputError(
        f"{place}: this is not a record of {source}; unknown keys: {keys}",
        hint=f"`plainloop import {source.lower()} --help` lists the supported files.",
    )


class _Text:
    """A file's text, loaded as far as the current value needs."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._parse = json.JSONDecoder().raw_decode
        self._text, self._at, self._is_whole = "", 0, False
        self._lines, self._counted = 1, 0

    def skip(self) -> str:
        """Skip white space and return the next character; "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill(_PIECE):
                return ""

    def count_line(self) -> int:
        """Count the line of the next character, from 1."""
        self._lines += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._lines

    def skip_line(self) -> None:
        """Move to the beginning of the next line."""
        while (end := self._text.find("\n", self._at)) < 0 and self._fill(_PIECE):
            pass
        self._at = end + 1 if end >= 0 else len(self._text)

    def take(self, count: int) -> None:
        self._at += count

    def read_value(self, number: int) -> Any:
        """Parse the JSON value that begins at the current position. number: its count, from 1."""
        more = _PIECE
        while True:
            try:
                value, end = self._parse(self._text, self._at)
            except RecursionError as error:
                raise InputError(
                    f"item {number} is nested too deeply", hint="Leave it out with --skip-broken."
                ) from error
            except ValueError as error:
                # Twice as much each time: a long value is parsed few times.
                more = max(more, len(self._text) - self._at)
                if len(self._text) - self._at > MOST_ITEM_BYTES:
                    raise InputError(
                        f"item {number} is longer than {MOST_ITEM_BYTES:,} bytes",
                        hint="Leave it out with --skip-broken.",
                    ) from error
                if not self._fill(more):
                    raise InputError(
                        f"item {number} is not JSON: {error}",
                        hint="Correct it, or leave it out with --skip-broken.",
                    ) from error
                continue
            if end < len(self._text) or not self._fill(_PIECE):
                self._at = end
                return value
            # A number may go on in the next piece.

    def _fill(self, count: int) -> bool:
        if self._is_whole:
            return False
        self.count_line()
        self._counted = 0
        piece = self._file.read(count)
        self._is_whole = not piece
        rest = self._decode(piece, final=self._is_whole)
        self._text, self._at = self._text[self._at :] + rest, 0
        return bool(piece)
