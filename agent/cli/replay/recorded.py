"""`plainloop replay recorded`: conversations of then through the code of today."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from ...base.text import format_count
from ...config.settings import load_settings
from ...packs.loading import load_served_packs
from ...replay.engine.no_network import block_network, list_database_addresses
from ...replay.engine.processes import Line, Replayer, choose_processes, replay_lines
from ...replay.engine.recorded import ConversationReplay
from ...replay.report.recorded_report import RecordedReport, Totals
from ...replay.report.report_files import PAGE_FILE
from ...replay.sources.openai_format import number_lines, read_lines
from ...replay.sources.thread_recording import load_recording, to_line
from ..terminal import output
from ..terminal.opening import open_store
from .files import open_folder, open_source, prepare
from .threads import Selection, choose_places, pick, select_threads

SHOWN_DIVERGENCES: Final = 5
MESSAGES_ONLY: Final = (
    "messages only: prompts, workers and rules of yours are in `plainloop export --recording`"
)


async def replay_file(
    source: Path,
    selection: Selection,
    folder: Path | None,
    tools: Path | None,
    *,
    repair: bool,
    processes: int | None,
) -> int:
    """Conversations of a file. Exit code: 1 when one took another way than its recording.

    selection: only its sample counts.
    """
    settings = load_settings()
    open_folder(folder)
    block_network()
    with open_source(source) as path:
        found = prepare(path, tools, repair=repair)
        if found.recordings:
            load_served_packs(settings)  # one that does not start is told at once
        chosen = choose_places(found.count, selection.sample, selection.seed)

        async def list_lines() -> AsyncIterator[Line]:
            with path.open("rb") as lines:
                for line in pick(number_lines(read_lines(lines)), chosen):
                    yield line

        replayer = Replayer(settings, found.shapes, repair)
        replays = replay_lines(list_lines(), replayer, choose_processes(processes, len(chosen)))
        code = await report_replays(replays, len(chosen), f"file sha256:{found.digest}", folder)
        if found.recordings < found.count:
            output.write_line(MESSAGES_ONLY)
        return code


async def replay_threads(selection: Selection, folder: Path | None, processes: int | None) -> int:
    """Stored threads. Exit code: 1 when one took another way than its recording."""
    settings = load_settings()
    open_folder(folder)
    async with open_store(settings) as store:
        thread_ids = await select_threads(store, selection)
        url = settings.database.url
        block_network(list_database_addresses(url.reveal() if url else None))

        async def list_lines() -> AsyncIterator[Line]:
            for number, thread_id in enumerate(thread_ids, 1):
                recording = await load_recording(store, selection.tenant_id, thread_id)
                yield number, to_line(recording, {})

        replayer = Replayer(settings, (), repair=False)
        count = choose_processes(processes, len(thread_ids))
        replays = replay_lines(list_lines(), replayer, count)
        return await report_replays(replays, len(thread_ids), "stored threads", folder)


async def report_replays(
    replays: AsyncIterator[ConversationReplay], count: int, source: str, folder: Path | None
) -> int:
    """Report them as they come: a bar, the first divergences, totals."""
    began, cpu, shown = time.perf_counter(), time.process_time(), 0
    with (
        RecordedReport(folder, source) as report,
        output.progress_bar("replaying", count) as advance,
    ):
        async for replay in replays:
            report.add(replay)
            advance()
            if replay.divergence is not None and shown < SHOWN_DIVERGENCES:
                show_divergence(replay)
                shown += 1
    duration_s = time.perf_counter() - began
    cpu_s = time.process_time() - cpu
    report.write_times({"duration_s": round(duration_s, 3), "cpu_s": round(cpu_s, 3)})
    show_totals(report.totals, duration_s, folder)
    return 1 if report.totals.diverged else 0


def show_divergence(replay: ConversationReplay) -> None:
    found = replay.divergence
    if found is None:
        return
    number = next(i for i, turn in enumerate(replay.turns) if turn.divergence is found)
    path = " → ".join(replay.turns[number].path) or "(no step)"
    output.write_line(f"{replay.conversation_id}, turn {number + 1}: another {found.kind}")
    output.write_line(f"  at step {found.step}, {found.node}; the way so far: {path}")
    for line in found.render_diff():
        output.write_line(f"  {line}")
    output.write_line()


def show_totals(totals: Totals, duration_s: float, folder: Path | None) -> None:
    turns = ", ".join(f"{count:,} {name}" for name, count in sorted(totals.turns.items()))
    talks = format_count(totals.conversations, "conversation")
    output.write_line(f"{talks}, {totals.diverged:,} diverged · turns: {turns}")
    if totals.repaired:
        mended = format_count(totals.repaired, "conversation")
        output.write_line(f"invalid histories were mended: {mended}")
    output.write_line(
        f"{totals.model_calls:,} model answers from the recording · 0 tokens · no network · "
        f"{duration_s:.1f} s"
    )
    if folder is not None:
        output.write_line(f"report: {folder / PAGE_FILE}")
