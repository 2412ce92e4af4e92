"""Recorded replays on several cores: conversations go out as lines, their replays come back in
the same order, so that a report is the same for any number of processes.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from ...config.settings import Settings, load_settings
from ...core.spec import Pack
from ...packs.loading import load_served_packs
from ..sources.openai_format import parse_conversation
from ..sources.stored import build_thread
from ..sources.thread_recording import parse_recording
from ..sources.tool_schemas import ToolShape
from .no_network import block_network
from .recorded import ConversationReplay, replay_imported
from .stored import replay_stored

LINES_AT_ONCE: Final = 8  # that a process takes with it
WORTH_A_PROCESS: Final = 200  # conversations: fewer are done before it has started
Line = tuple[int, bytes]  # its number in the source, a conversation


@dataclass(slots=True)
class Replayer:
    """What one process replays with. shapes: tools of conversations without a recording."""

    settings: Settings
    shapes: tuple[ToolShape, ...]
    repair: bool
    _packs: dict[str, Pack] = field(default_factory=dict[str, Pack])

    async def replay(self, number: int, line: bytes) -> ConversationReplay:
        """A whole recording by its own design, else the conversation under `react`.

        Raises: ConfigError for a pack or a design that is not there or does not start.
        """
        recording = parse_recording(line, number)
        if recording is None:
            found = parse_conversation(line, number, repair=self.repair)
            return await replay_imported(found, self.shapes, self.settings)
        if not self._packs:
            self._packs = {pack.name: pack for pack in load_served_packs(self.settings)}
        return await replay_stored(build_thread(recording), self._packs, self.settings)


def choose_processes(wanted: int | None, conversations: int) -> int:
    """Wanted None: as many as the machine has cores, where there is enough to do."""
    if wanted is not None:
        return max(1, min(wanted, conversations))
    return max(1, min(len(os.sched_getaffinity(0)), conversations // WORTH_A_PROCESS))


async def replay_lines(
    lines: AsyncIterator[Line], replayer: Replayer, processes: int
) -> AsyncIterator[ConversationReplay]:
    """Each line's replay, in their order. Raises: as `Replayer.replay`."""
    if processes == 1:
        async for number, line in lines:
            yield await replayer.replay(number, line)
        return
    pool = ProcessPoolExecutor(
        processes,
        multiprocessing.get_context("spawn"),
        _start_process,
        (replayer.shapes, replayer.repair),
    )
    try:
        sent: deque[Future[list[ConversationReplay]]] = deque()
        async for chunk in _split(lines):
            sent.append(pool.submit(_replay_chunk, chunk))
            if len(sent) > 2 * processes:
                for replay in await asyncio.wrap_future(sent.popleft()):
                    yield replay
        for future in sent:
            for replay in await asyncio.wrap_future(future):
                yield replay
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def _split(lines: AsyncIterator[Line]) -> AsyncIterator[list[Line]]:
    chunk: list[Line] = []
    async for line in lines:
        chunk.append(line)
        if len(chunk) == LINES_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


_replayer: Replayer | None = None  # of a process of the pool


def _start_process(shapes: tuple[ToolShape, ...], repair: bool) -> None:
    global _replayer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's to answer
    _replayer = Replayer(load_settings(), shapes, repair)
    block_network()


def _replay_chunk(lines: list[Line]) -> list[ConversationReplay]:
    return asyncio.run(_replay_all(lines))


async def _replay_all(lines: list[Line]) -> list[ConversationReplay]:
    assert _replayer is not None
    return [await _replayer.replay(number, line) for number, line in lines]
