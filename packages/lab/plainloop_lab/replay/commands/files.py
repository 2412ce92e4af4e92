"""The files of a replay: conversations to read, a folder to write reports to."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

from plainloop.agent.cli.terminal import output
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError

from ..sources.line_ranges import LineIndex, index_lines, is_remote, read_range
from ..sources.openai_format import refuse_second
from ..sources.survey import KEPT_NOTES, Survey, survey_lines
from ..sources.thread_recording import Asked, CodePart
from ..sources.tool_inference import INFERRED
from ..sources.tool_schemas import ToolShape, read_tool_file

GZIP: Final = b"\x1f\x8b"


def open_folder(folder: Path | None) -> None:
    """Create the report's folder before a replay begins.

    None creates none. Raises: InputError.
    """
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "a file has that name" if folder.exists() else error.strerror
        raise InputError(
            f"cannot create the folder {folder}: {reason}",
            hint="Choose another folder with --report DIR.",
        ) from error


@dataclass(frozen=True, slots=True)
class Prepared:
    """Result of a first pass over a file.

    recordings: how many conversations are whole recordings. digest: the file's sha256. models:
    those that the recordings called. codes: that began their runs. ids: of the conversations, in
    order.
    """

    shapes: tuple[ToolShape, ...]
    count: int
    recordings: int
    digest: str
    models: frozenset[Asked]
    codes: frozenset[CodePart]
    ids: tuple[str, ...] = ()


def prepare(index: LineIndex, surveys: Iterable[Survey], tools: Path | None) -> Prepared:
    """Merge the surveys of a file's lines into its ids, tools and notes.

    Reports the lines that were repaired. surveys: of the lines, in order. Raises: InputError.
    """
    given: tuple[ToolShape, ...] | None = None
    if tools is not None:
        with _readable(tools):
            given = read_tool_file(tools.read_bytes())
    found = Survey()
    for survey in surveys:
        found.merge(survey)
    seen: set[str] = set()
    for place, conversation_id in enumerate(found.ids):
        if conversation_id in seen:
            raise refuse_second(index.numbers[place], conversation_id)
        seen.add(conversation_id)
    for note in found.notes:
        output.write_status(note)
    if found.mended > KEPT_NOTES:
        output.write_status(f"… and {found.mended - KEPT_NOTES:,} more repairs")
    if not found.ids:
        raise InputError(
            "the file contains no conversation",
            hint="Write one conversation per line, as a JSON object.",
        )
    shapes = found.tools.to_shapes(given or ())
    missing = [shape.name for shape in shapes if shape.description == INFERRED]
    if missing and given is not None:
        raise InputError(
            f"the file given to --tools has no schema of {', '.join(missing)}",
            hint="Each called tool needs a schema. Without --tools, schemas are "
            "inferred from the calls.",
        )
    told = (index.digest, frozenset(found.models), frozenset(found.codes))
    return Prepared(shapes, len(found.ids), found.recordings, *told, tuple(found.ids))


def survey(index: LineIndex, *, repair: bool) -> Iterator[Survey]:
    """Survey all lines of a source (ids, tools, models) in this process.

    Yields one survey.
    """
    if len(index):
        yield survey_lines(read_range(index.get_range(range(len(index)))), repair=repair)


@contextmanager
def open_source(source: str | Path) -> Generator[str]:
    """Yield the address of a file with this source's bytes, which can be read repeatedly.

    stdin, a pipe and a compressed file are copied to a temporary file first.

    Raises: InputError.
    """
    if is_remote(str(source)):
        yield str(source)
        return
    source = Path(source)
    if source.is_file() and not _is_compressed(source):
        yield str(source.absolute())
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        with _readable(source), _open_binary(source) as given:
            is_compressed = given.peek(len(GZIP)).startswith(GZIP)
            shutil.copyfileobj(gzip.GzipFile(fileobj=given) if is_compressed else given, file)
            file.flush()
        yield file.name


def _is_compressed(source: Path) -> bool:
    with _readable(source), source.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def _open_binary(source: Path) -> AbstractContextManager[BufferedReader]:
    if str(source) != "-":
        return source.open("rb")
    return nullcontext(cast(BufferedReader, sys.stdin.buffer))


def index_source(url: str) -> LineIndex:
    """Index the lines of a source, with an error for the user if it cannot be read.

    Raises: InputError.
    """
    with _readable(url):
        return index_lines(url)


@contextmanager
def _readable(source: str | Path) -> Generator[None]:
    """Convert errors of reading a file inside the block to errors for the user.

    Raises: InputError for a file that cannot be read.
    """
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"no such file: {source}", hint="Check the path.") from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot read {source}: {reason}", hint="Check the path and the file's permissions."
        ) from error
