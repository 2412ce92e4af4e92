"""Files as sources export them: JSON lines, a list or CSV; UTF-8 or UTF-16; plain or gzip."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import shutil
import sys
import tempfile
import zlib
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, cast

import orjson

from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError

from .values import as_dict, as_list, parse_integer, parse_time

MOST_ITEM_BYTES: Final = 256 * 2**20  # one line, or one item of an array
_PIECE: Final = 1 << 20
_OPEN_CHARS: Final = 16  # what a literal, a number or an escape that is cut may have
_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
# Of an item, an answer in it or a message of a chat; not of what was said.
TIMES: Final = frozenset(
    "completed_at create_time created created_at createdAt end_time endTime ended_at start_time"
    " startTime started_at update_time updated_at updatedAt".split()
)


@contextmanager
def open_file(source: str) -> Generator[IO[bytes]]:
    """Open a file, or stdin for `-`, and unpack gzip.

    Raises: InputError.
    """
    try:
        raw: Any = copy_stdin() if source == "-" else Path(source).open("rb")  # noqa: SIM115
    except OSError as error:
        raise InputError(
            f"{source} cannot be read: {error.strerror}",
            hint="Check the path and the file's permissions.",
        ) from error
    with nullcontext(raw) if source == "-" else raw:
        raw.seek(0) if source == "-" else None
        buffered: Any = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
        head = buffered.peek(4)[:4]
        if head == _ZIP:
            raise InputError(
                f"{source} is a zip archive", hint="Unpack it, and name the files that it contains."
            )
        is_packed = head[:2] == _GZIP
        try:
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=buffered) if is_packed else buffered)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(
                f"{source} is truncated or damaged: {error}", hint="Download or compress it again."
            ) from error


@cache
def copy_stdin() -> IO[bytes]:
    """Copy stdin to a temporary file, so that it can be read twice.

    The first reading recognises the format.
    """
    copy = tempfile.TemporaryFile()  # noqa: SIM115
    shutil.copyfileobj(sys.stdin.buffer, copy)
    return copy


def find_encoding(head: bytes) -> str:
    """Return a text file's encoding, recognised by its first bytes.

    PowerShell's `>` writes UTF-16.

    >>> find_encoding("a".encode("utf-16")), find_encoding(b"a")
    ('utf-16', 'utf-8-sig')
    """
    return "utf-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


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
        """Record that the current broken item is skipped, or raise the error if skipping is off."""
        if not self.is_skipped:
            raise error
        place = {"file": self.file, "line": self.line, "item": self.item}
        self.skipped.append({**place, "reason": error.message})


def read_items(source: str, *keys: str, broken: Broken) -> Iterator[Any]:
    """Yield the items of a JSON file, or the rows of a CSV file.

    JSON has a line per item, an array, or an object with an array under one of the keys.

    Raises: InputError that names the place, also of a time that is none; where none is skipped.
    """
    broken.file, broken.item = source, 0
    for item in _read_values(source, keys, broken):
        broken.item += 1
        place = f"{source}, item {broken.item}"
        item = clean_json(item)
        try:
            orjson.dumps(item)
            _check_times(as_dict(item), place)
        except InputError as error:
            broken.refuse(error)
        except TypeError as error:
            hint = "Leave it out with --skip-broken."
            broken.refuse(InputError(f"{place} cannot be stored: {error}", hint=hint))
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
    if has_head_of_csv(source):
        yield from read_rows(source, broken)
        return
    with open_file(source) as file:
        text = _Text(file, source)
        number = 0
        if text.skip() == "[":
            text.take(1)
            while (mark := text.skip()) != "]":
                if not mark:
                    raise InputError(
                        f"{source}: the file's JSON list is incomplete",
                        hint="Download the file again.",
                    )
                if mark == ",":
                    text.take(1)
                    continue
                number += 1
                broken.line = text.count_line()
                try:
                    item = text.read_value(number)
                except InputError as error:  # where the next item begins is not known
                    hint = "Correct it: --skip-broken cannot go on after it in a JSON list."
                    raise InputError(error.message, hint=hint) from error
                yield item
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


def read_rows(source: str, broken: Broken) -> Iterator[dict[str, Any]]:
    """Yield the rows of a CSV file with a head line as dicts."""
    csv.field_size_limit(MOST_ITEM_BYTES)
    with open_file(source) as file:
        encoding = find_encoding(cast("Any", file).peek(2))
        reader = csv.DictReader(io.TextIOWrapper(file, encoding=encoding, newline=""))
        try:
            for row in reader:
                broken.line = reader.line_num
                if cast("Any", None) not in row:
                    yield row
                    continue
                broken.item += 1
                told = f"{source}, item {broken.item} has more cells than the head line"
                broken.refuse(InputError(told, hint="Leave it out with --skip-broken."))
        except (UnicodeDecodeError, csv.Error) as error:
            raise InputError(
                f"{source} cannot be read as CSV in UTF-8: {error}",
                hint="Export it again, as CSV in UTF-8 or as JSON.",
            ) from error


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

    def __init__(self, file: IO[bytes], source: str) -> None:
        self._file, self._source = file, source
        encoding = find_encoding(cast("Any", file).peek(2))
        self._decode = codecs.getincrementaldecoder(encoding)("replace").decode
        self._parse = json.JSONDecoder(parse_int=parse_integer).raw_decode
        self._text, self._at, self._is_whole = "", 0, False
        self._lines, self._counted = 1, 0

    def skip(self) -> str:
        """Skip white space and return the next character.

        "" at the end.
        """
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill(_PIECE):
                return ""

    def count_line(self) -> int:
        """Return the line number of the next character, counted from 1."""
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
        """Parse the JSON value that begins at the current position.

        number: its count in the file, from 1.
        """
        more, place = _PIECE, f"{self._source}, item {number}"
        while True:
            try:
                value, end = self._parse(self._text, self._at)
            except RecursionError as error:
                raise InputError(
                    f"{place} is nested too deeply", hint="Leave it out with --skip-broken."
                ) from error
            except json.JSONDecodeError as error:
                # No further text mends what is wrong well before the end of this; a string goes on.
                is_final = error.pos < len(self._text) - _OPEN_CHARS
                is_final &= not error.msg.startswith("Unterminated")
                # Twice as much each time: a long value is parsed few times.
                more = max(more, len(self._text) - self._at)
                if not is_final and len(self._text) - self._at > MOST_ITEM_BYTES:
                    raise InputError(
                        f"{place} is longer than {MOST_ITEM_BYTES:,} bytes",
                        hint="Leave it out with --skip-broken.",
                    ) from error
                if is_final or not self._fill(more):
                    raise InputError(
                        f"{place} is not JSON: {error}",
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
