"""What an engine's workers do: look through a run of lines, and replay one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.spec import Pack
from plainloop.agent.dataclasses import dataclass, fields, is_dataclass, replace
from plainloop.agent.errors import AgentError, ConflictError
from plainloop.agent.packs.loading import load_served_packs

from ..engine.no_network import block_network, replaying
from ..engine.recorded import ConversationReplay, replay_imported
from ..engine.stored import replay_stored
from ..report.digests import digest_code
from ..report.recorded_part import PartHead, encode_part
from ..sources.line_ranges import LineRange, read_range
from ..sources.openai_format import parse_conversation
from ..sources.stored import build_thread
from ..sources.survey import Survey, survey_lines
from ..sources.thread_recording import parse_recording
from ..sources.tool_schemas import ToolShape

RETRIES: Final = 3  # of a shard whose worker died
_is_blocked = False  # in this process, for replays
T = TypeVar("T")


class Task(Protocol):
    """Can be sent to a worker: it and its result can be pickled."""

    @property
    def lines(self) -> LineRange: ...

    def run(self) -> Any:
        """Do the task's work in a worker and return its result.

        Raises: AgentError.
        """
        ...


# Calls with every one of them, on any worker; yields (its place, its result) in any order. One
# whose worker died is begun again. Not all are sent at once: a result waits until it is taken.
Run = Callable[[Callable[[Task], Any], Sequence[Task]], Iterator[tuple[int, Any]]]


def run_task(task: Task) -> Any:
    """Run a task and return its result, or the AgentError that it raised.

    Engines would wrap a raised error.
    """
    try:
        return task.run()
    except AgentError as error:
        return error


@dataclass(frozen=True, slots=True)
class SurveyTask:
    lines: LineRange
    repair: bool

    def run(self) -> Survey:
        return survey_lines(read_range(self.lines), repair=self.repair)


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """Replays one part of the conversations in a worker. settings: without secrets. shapes: tools
    of conversations without a recording.
    """

    lines: LineRange
    settings: Settings
    shapes: tuple[ToolShape, ...]
    repair: bool
    head: PartHead

    def run(self) -> bytes:
        """Replay this shard's conversations and return the content of the shard's part file.

        Raises: ConflictError on a worker with other code; ConfigError for a pack or a design that
        is not there or does not start.
        """
        global _is_blocked
        if digest_code(self.settings) != self.head.code:
            raise ConflictError(
                "a worker runs different code than the process that started the replay",
                hint="Install the same version on every host.",
            )
        if not _is_blocked:
            _is_blocked = True
            block_network(replays_only=True)
        return encode_part(self.head, asyncio.run(self._replay_all()))

    async def _replay_all(self) -> list[ConversationReplay]:
        """Replay each conversation: a recording by its own design, others under `react`."""
        packs: dict[str, Pack] = {}
        found: list[ConversationReplay] = []
        for number, line in read_range(self.lines):
            with replaying():
                recording = parse_recording(line, number)
                if recording is None:
                    said = parse_conversation(line, number, repair=self.repair)
                    found.append(await replay_imported(said, self.shapes, self.settings))
                    continue
                if not packs:
                    packs = {pack.name: pack for pack in load_served_packs(self.settings)}
                found.append(await replay_stored(build_thread(recording), packs, self.settings))
        return found


def drop_secrets(settings: Settings) -> Settings:
    """Return settings without keys and environment, safe to send to other hosts."""
    kept: Settings = _drop(settings)
    return replace(kept, _environ={}, sources={})


def _drop(value: Any) -> Any:
    if isinstance(value, Secret):
        return None
    if isinstance(value, Mapping):
        return {key: _drop(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, tuple):
        return tuple(_drop(item) for item in cast("tuple[Any, ...]", value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _drop(getattr(value, f.name)) for f in fields(value)})
    return value
