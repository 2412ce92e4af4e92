"""One shard of a recorded replay as a file: what `replay merge` makes the whole report of."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConflictError, InputError

from ..engine.recorded import ConversationReplay
from .recorded_report import Totals


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of the conversations; all parts in order are the whole."""

    number: int  # from 1
    of: int

    def take(self, places: Collection[int]) -> Sequence[int]:
        """Return this shard's share of the positions, which no other shard has.

        The positions are consecutive.

        >>> [list(Shard(n, 3).take(range(10))) for n in (1, 2, 3)]
        [[0, 1, 2], [3, 4, 5], [6, 7, 8, 9]]
        """
        ordered = places if isinstance(places, range) else sorted(places)
        begin, end = (len(ordered) * n // self.of for n in (self.number - 1, self.number))
        return ordered[begin:end]


def parse_shard(text: str) -> Shard:
    """Parse "2/8" to a shard, which is number 2 of 8.

    Raises: InputError.

    >>> parse_shard("2/8")
    Shard(number=2, of=8)
    """
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Shard(int(number), int(of))
    raise InputError(f"--shard must be I/N, such as 2/8, not {text!r}")


class PartHead(msgspec.Struct, frozen=True):
    """Describes the replay that a part belongs to. Parts of one replay differ only in number."""

    source: str
    chosen: str  # digest of which conversations of it, and of the tools that they have
    code: str  # digest of the code and the settings that it was replayed with
    number: int
    of: int
    conversations: int  # of this part
    unseen: tuple[str, ...] = ()  # what was not run and is another than then
    again: str = ""  # the command that replays a conversation whose id follows


class RecordedPart:
    """Writes one part of a recorded replay; the file appears when it is complete.

    unseen: as of a `RecordedReport`, but set before it is opened.
    """

    def __init__(self, path: Path, head: PartHead) -> None:
        self.totals = Totals()
        self.unseen: Sequence[str] = ()
        self.path = path
        self._head = head
        self._file: IO[bytes] | None = None

    def __enter__(self) -> RecordedPart:
        # In the same folder, so that the file can take its name in one step.
        self._file = tempfile.NamedTemporaryFile(
            dir=self.path.parent, prefix=f".{self.path.name}.", delete=False
        )
        self._write(msgspec.structs.replace(self._head, unseen=tuple(self.unseen)))
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._file is None:
            return
        self._file.close()
        made = Path(self._file.name)
        if kind is None:
            made.replace(self.path)
        else:
            made.unlink(missing_ok=True)

    def add(self, replay: ConversationReplay) -> None:
        """Write one conversation's replay into the part and count it."""
        self.totals.add(replay)
        self._write(replay)

    def write_times(self, times: dict[str, float]) -> None:
        """Do nothing, because a part's duration says nothing about the whole replay's."""

    def _write(self, value: object) -> None:
        if self._file is not None:
            self._file.write(msgspec.json.encode(value) + b"\n")


def get_part_path(folder: Path, shard: Shard) -> Path:
    """Build the path of a shard's file in the folder.

    >>> get_part_path(Path("parts"), Shard(2, 16)).name
    'part-02-of-16.jsonl'
    """
    width = len(str(shard.of))
    return folder / f"part-{shard.number:0{width}}-of-{shard.of}.jsonl"


def encode_part(head: PartHead, replays: Iterable[ConversationReplay]) -> bytes:
    """Encode a part's header (PartHead) and replays as the content of its file."""
    return b"".join(msgspec.json.encode(value) + b"\n" for value in (head, *replays))


def save_part(path: Path, content: bytes) -> None:
    """Write a part's file atomically, so that only complete files exist."""
    made = path.with_name(f".{path.name}")
    made.write_bytes(content)
    made.replace(path)


def is_done(path: Path, head: PartHead) -> bool:
    """Whether the part's file exists and belongs to the same replay."""
    return (
        path.exists()
        and msgspec.structs.replace(read_head(path), unseen=(), again=head.again) == head
    )


def read_head(path: Path) -> PartHead:
    """Read the header of a part's file.

    Raises: InputError.
    """
    try:
        with path.open("rb") as lines:
            return msgspec.json.decode(lines.readline(), type=PartHead)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"{path} is not the result of a shard",
            hint="`replay recorded --shard I/N` writes such files.",
        ) from error


def read_part(path: Path) -> Iterator[ConversationReplay]:
    """Yield the replays in a part's file."""
    decoder = msgspec.json.Decoder(ConversationReplay)
    with path.open("rb") as lines:
        lines.readline()
        for line in lines:
            yield decoder.decode(line)


def list_parts(path: Path) -> list[Path]:
    """List the part files in a folder, as `replay recorded --shard` wrote them.

    A file is returned as it is. Raises: InputError.
    """
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("part-*-of-*.jsonl"))
    if not found:
        raise InputError(
            f"{path} contains no result of a shard",
            hint="`replay recorded --shard I/N` writes such files.",
        )
    return found


def order_parts(paths: Sequence[Path]) -> tuple[str, int, list[Path], list[str]]:
    """Check that the parts of all shards are there, and sort them.

    Returns (source, number of conversations, paths, unseen changes). Unseen are code and models
    that are others today and were not run.

    Raises: InputError for a file that is no part; ConflictError when they are not one whole.
    """
    heads = {path: read_head(path) for path in paths}
    kinds = {(head.source, head.chosen, head.code, head.of) for head in heads.values()}
    if len(kinds) != 1:
        raise ConflictError(
            "these shards belong to different replays",
            hint="All shards need the same source, selection, settings and code.",
        )
    ordered = sorted(paths, key=lambda path: heads[path].number)
    (whole,) = kinds
    missing = sorted({*range(1, whole[3] + 1)} - {head.number for head in heads.values()})
    if missing or len(paths) != whole[3]:
        told = f"missing: {', '.join(map(str, missing))}" if missing else "one shard is there twice"
        raise ConflictError(
            f"found {len(paths)} of {whole[3]} shards; {told}",
            hint="Name the files of all shards, each once.",
        )
    unseen = dict.fromkeys(line for path in ordered for line in heads[path].unseen)
    return whole[0], sum(head.conversations for head in heads.values()), ordered, [*unseen]


def digest_choice(chosen: Sequence[object]) -> str:
    """Return a hash of the chosen conversations, by which parts of one replay are recognised."""
    return hashlib.sha256(repr(list(chosen)).encode()).hexdigest()
