"""A recorded replay in shards: spread by an engine, their parts put together in their order, so
that a report is the same for any engine and any number of processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import pairwise
from math import ceil
from os import sched_getaffinity
from pathlib import Path
from typing import Any, Final, TypeVar

from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import AgentError

from ..engine.recorded import ConversationReplay
from ..report.digests import digest_code
from ..report.recorded_part import (
    PartHead,
    Shard,
    digest_choice,
    get_part_path,
    is_done,
    read_part,
    save_part,
)
from ..sources.line_ranges import LineIndex
from ..sources.survey import Survey
from ..sources.tool_schemas import ToolShape
from .tasks import ReplayTask, Run, SurveyTask, run_task

WORTH_A_PROCESS: Final = 200  # conversations: fewer are done before it has started
SHARD_CONVERSATIONS: Final = 250  # at most: what is lost with a killed worker
SHARDS: Final = 16  # at least, so that all processes end at about the same time
T = TypeVar("T")


def choose_processes(wanted: int | None, conversations: int) -> int:
    """Choose how many processes replay the conversations.

    wanted None: one per core, if there is enough work.
    """
    if wanted is not None:
        return max(1, min(wanted, conversations))
    return max(1, min(len(sched_getaffinity(0)), conversations // WORTH_A_PROCESS))


def split(places: Sequence[int]) -> list[Sequence[int]]:
    """Split positions into shards of consecutive conversations.

    Their size does not depend on the number of processes, so that another number continues with
    finished ones.

    >>> [len(part) for part in split(range(40))][:3], len(split(range(1_000_000)))
    ([2, 3, 2], 4000)
    """
    if not places:
        return []
    of = max(min(SHARDS, len(places)), ceil(len(places) / SHARD_CONVERSATIONS))
    ends = [len(places) * n // of for n in range(of + 1)]  # as `Shard.take`, which sorts each time
    return [places[begin:end] for begin, end in pairwise(ends)]


def survey_shards(run: Run, index: LineIndex, *, repair: bool) -> Iterator[Survey]:
    """Survey all shards of a source with an engine.

    The results are yielded in order. Raises: InputError, of the first line that cannot be taken.
    """
    tasks = [SurveyTask(index.get_range(part), repair) for part in split(range(len(index)))]
    found: dict[int, Any] = {}
    results = run(run_task, tasks)
    for place in range(len(tasks)):
        while place not in found:
            other, result = next(results)
            found[other] = result
        yield raise_error(found.pop(place))


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """The values that all parts of a replay share.

    settings: without secrets. shapes: tools of conversations without a recording.
    """

    index: LineIndex
    source: str  # as the report names it
    settings: Settings
    shapes: tuple[ToolShape, ...]
    repair: bool

    def build_tasks(self, places: Sequence[int]) -> list[ReplayTask]:
        """Build a task for each shard of the replay, to send to an engine.

        places: which conversations, in order.
        """
        parts = split(places)
        code = digest_code(self.settings)
        chosen = digest_choice([self.index.digest, *self.shapes, *places])
        return [
            ReplayTask(
                self.index.get_range(part),
                self.settings,
                self.shapes,
                self.repair,
                PartHead(self.source, chosen, code, number, len(parts), len(part)),
            )
            for number, part in enumerate(parts, 1)
        ]


async def replay_shards(
    run: Run, tasks: Sequence[ReplayTask], folder: Path
) -> AsyncIterator[ConversationReplay]:
    """Yield all conversations' replays in order, from an engine's tasks.

    folder: keeps finished parts until the whole is there; parts that are in it already are not run
    again.

    Raises: what `ReplayTask.run` raises.
    """
    paths = [get_part_path(folder, Shard(task.head.number, task.head.of)) for task in tasks]
    done = {n for n, task in enumerate(tasks) if is_done(paths[n], task.head)}
    waiting = [n for n in range(len(tasks)) if n not in done]
    results = run(run_task, [tasks[n] for n in waiting])
    for n, path in enumerate(paths):
        while n not in done:
            place, result = await _take(results)
            save_part(paths[waiting[place]], raise_error(result))
            done.add(waiting[place])
        for replay in read_part(path):
            yield replay


async def _take(results: Iterator[T]) -> T:
    """Return the engine's next result without blocking the event loop, so that Ctrl-C works."""
    step = asyncio.ensure_future(asyncio.to_thread(next, results))
    try:
        return await asyncio.shield(step)
    except asyncio.CancelledError:
        await asyncio.wait([step])  # the engine is closed after its last word
        raise


def raise_error(result: Any) -> Any:
    """Return a task's result, or raise it if it is an error."""
    if isinstance(result, AgentError):
        raise result
    return result
