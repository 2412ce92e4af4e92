"""The files of a replay: conversations to read, a folder to write reports to."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import sys
import tempfile
import zlib
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Final, cast

from ...errors import InputError
from ...replay.sources.conversations import Conversation
from ...replay.sources.openai_format import read_conversations, read_lines
from ...replay.sources.thread_recording import parse_recording
from ...replay.sources.tool_inference import INFERRED, infer_tools
from ...replay.sources.tool_schemas import ToolShape, read_tool_file
from ..terminal import output

SHOWN_REPAIRS: Final = 5
GZIP: Final = b"\x1f\x8b"


def open_folder(folder: Path | None) -> None:
    """Make the report's folder before anything is run. Raises: InputError."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if folder.exists() else error.strerror
        raise InputError(f"{folder} cannot be a folder: {reason}", hint="--report DIR") from error


@dataclass(frozen=True, slots=True)
class Prepared:
    """What one pass over a file found. recordings: how many conversations are whole recordings.
    digest: the file's sha256.
    """

    shapes: tuple[ToolShape, ...]
    count: int
    recordings: int
    digest: str


def prepare(path: Path, tools: Path | None, *, repair: bool) -> Prepared:
    """One pass before anything is run, so that a bad line is told at once. What is mended is told
    as well.

    Raises: InputError.
    """
    given: tuple[ToolShape, ...] | None = None
    if tools is not None:
        with _readable(tools):
            given = read_tool_file(tools.read_bytes())
    count = mended = recordings = 0

    def read_all() -> Generator[Conversation]:
        nonlocal count, mended
        with path.open("rb") as lines:
            for conversation in read_conversations(watch(lines), repair=repair):
                count += 1
                for note in conversation.repairs[: SHOWN_REPAIRS - mended]:
                    output.write_status(f"{conversation.conversation_id}, {note}")
                mended += len(conversation.repairs)
                yield conversation

    def watch(lines: IO[bytes]) -> Generator[bytes]:
        nonlocal recordings
        for number, line in enumerate(read_lines(lines), 1):
            yield line  # its messages are read first: they say best what is wrong with it
            recordings += parse_recording(line, number) is not None

    shapes = infer_tools(read_all(), given or ())
    if mended > SHOWN_REPAIRS:
        output.write_status(f"… and {mended - SHOWN_REPAIRS:,} more places were mended")
    if count == 0:
        raise InputError("there is no conversation in the file", hint="One JSON object a line.")
    missing = [shape.name for shape in shapes if shape.description == INFERRED]
    if missing and given is not None:
        raise InputError(
            f"the tools file lacks {', '.join(missing)}",
            hint="Every tool that was called needs a schema; without --tools they are inferred.",
        )
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Prepared(shapes, count, recordings, digest)


@contextmanager
def open_source(source: Path) -> Generator[Path]:
    """The file. What cannot be read twice (stdin, a pipe) or is compressed becomes a file first.

    Raises: InputError.
    """
    if source.is_file() and not _is_compressed(source):
        yield source
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        with _readable(source), _open_binary(source) as given:
            is_compressed = given.peek(len(GZIP)).startswith(GZIP)
            shutil.copyfileobj(gzip.GzipFile(fileobj=given) if is_compressed else given, file)
            file.flush()
        yield Path(file.name)


def _is_compressed(source: Path) -> bool:
    with _readable(source), source.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def _open_binary(source: Path) -> AbstractContextManager[BufferedReader]:
    if str(source) != "-":
        return source.open("rb")
    return nullcontext(cast(BufferedReader, sys.stdin.buffer))


@contextmanager
def _readable(source: Path) -> Generator[None]:
    """Raises: InputError for a file that cannot be read."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"there is no file {source}") from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {source}: {reason}") from error
