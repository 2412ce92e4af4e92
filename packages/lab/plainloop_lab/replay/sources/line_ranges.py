"""Where the conversations of a file are, so that a process reads its own lines and no others."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from plainloop.agent.base.extras import load_extra
from plainloop.agent.dataclasses import dataclass, field

from .openai_format import clean_line, read_lines

Line = tuple[int, bytes]  # its number in the source, from 1; a conversation


@dataclass(frozen=True, slots=True)
class LineRange:
    """A run of lines. first: the number of its first line. wanted: numbers; None: all of them."""

    url: str
    begin: int  # bytes, as `end`
    end: int
    first: int
    wanted: frozenset[int] | None = None


@dataclass(slots=True)
class LineIndex:
    """Knows where each conversation of a source begins, in bytes; 16 bytes for each are held."""

    url: str
    digest: str = ""  # sha256 of all bytes
    size_bytes: int = 0
    starts: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        return len(self.starts)

    def get_range(self, places: Sequence[int]) -> LineRange:
        """Return the range of bytes and lines that holds these conversations.

        places: from 0, in order, at least one.
        """
        after = places[-1] + 1
        end = self.starts[after] if after < len(self) else self.size_bytes
        is_run = len(places) == after - places[0]
        wanted = None if is_run else frozenset(self.numbers[place] for place in places)
        first = places[0]
        return LineRange(self.url, self.starts[first], end, self.numbers[first], wanted)


def index_lines(url: str) -> LineIndex:
    """Index where each conversation of a source begins, in one pass over its bytes.

    Raises: OSError.
    """
    index, digest = LineIndex(url), hashlib.sha256()
    with open_bytes(url) as file:
        for number, line in enumerate(read_lines(file), 1):
            digest.update(line)
            if clean_line(number, line):
                index.starts.append(index.size_bytes)
                index.numbers.append(number)
            index.size_bytes += len(line)
    index.digest = digest.hexdigest()
    return index


def read_range(lines: LineRange) -> Iterator[Line]:
    """Yield (line number, line) of the conversations in a range."""
    with open_bytes(lines.url) as file:
        file.seek(lines.begin)
        number, left = lines.first, lines.end - lines.begin
        for line in read_lines(file):
            text = clean_line(number, line)
            if text and (lines.wanted is None or number in lines.wanted):
                yield number, text
            number, left = number + 1, left - len(line)
            if left <= 0:
                return


def is_remote(url: str) -> bool:
    """Whether fsspec has to open an address: `s3://…`, `gs://…`, `memory://…`."""
    return "://" in url


def open_bytes(url: str) -> IO[bytes]:
    """Open a local file, or a remote address through fsspec, for reading bytes.

    Raises: OSError; ConfigError for an address without the package that reads it.
    """
    if not is_remote(url):
        return Path(url).open("rb")
    fsspec: Any = load_extra("fsspec", "remote")
    try:
        opened: IO[bytes] = fsspec.open(url, "rb").open()
    except ImportError as error:  # fsspec's own way to name the package for this kind of address
        raise OSError(str(error)) from error
    return opened
