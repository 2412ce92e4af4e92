"""`plainloop replay recorded`: conversations of then through the code of today."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

from ...base.text import format_count
from ...config.settings import Settings, load_settings
from ...errors import InputError
from ...packs.loading import load_served_packs
from ...replay.engine.no_network import block_network, list_database_addresses
from ...replay.engine.processes import Line, Replayer, choose_processes, replay_lines
from ...replay.engine.recorded import ConversationReplay
from ...replay.report.recorded_part import (
    PartHead,
    RecordedPart,
    Shard,
    digest_choice,
    digest_code,
    get_part_path,
    order_parts,
    read_head,
    read_part,
)
from ...replay.report.recorded_report import RecordedReport, Totals
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
    shard: Shard | None = None,
) -> int:
    """Conversations of a file. Exit code: 1 when one took another way than its recording.

    selection: only its sample counts. shard: only that part of them, which goes into the folder.
    """
    settings = load_settings()
    open_folder(folder)
    block_network()
    with open_source(source) as path:
        found = prepare(path, tools, repair=repair)
        if found.recordings:
            load_served_packs(settings)  # one that does not start is told at once
        chosen = choose_places(found.count, selection.sample, selection.seed)
        whole = f"file sha256:{found.digest}"
        report = open_report(folder, whole, sorted(chosen), shard, settings)
        if report is None:
            return 0
        if shard is not None:
            chosen = frozenset(shard.take(chosen))

        async def list_lines() -> AsyncIterator[Line]:
            with path.open("rb") as lines:
                for line in pick(number_lines(read_lines(lines)), chosen):
                    yield line

        replayer = Replayer(settings, found.shapes, repair)
        replays = replay_lines(list_lines(), replayer, choose_processes(processes, len(chosen)))
        code = await report_replays(replays, len(chosen), report)
        if found.recordings < found.count:
            output.write_line(MESSAGES_ONLY)
        return code


async def replay_threads(
    selection: Selection,
    folder: Path | None,
    processes: int | None,
    shard: Shard | None = None,
) -> int:
    """Stored threads. Exit code: 1 when one took another way than its recording."""
    settings = load_settings()
    open_folder(folder)
    async with open_store(settings) as store:
        thread_ids = await select_threads(store, selection)
        report = open_report(folder, "stored threads", thread_ids, shard, settings)
        if report is None:
            return 0
        if shard is not None:
            thread_ids = [thread_ids[place] for place in shard.take(range(len(thread_ids)))]
        url = settings.database.url
        block_network(list_database_addresses(url.reveal() if url else None))

        async def list_lines() -> AsyncIterator[Line]:
            for number, thread_id in enumerate(thread_ids, 1):
                recording = await load_recording(store, selection.tenant_id, thread_id)
                yield number, to_line(recording, {})

        replayer = Replayer(settings, (), repair=False)
        count = choose_processes(processes, len(thread_ids))
        replays = replay_lines(list_lines(), replayer, count)
        return await report_replays(replays, len(thread_ids), report)


async def merge_parts(paths: Sequence[Path], folder: Path | None) -> int:
    """The report of the whole, as one process would have written it. Exit code: as of the whole."""
    open_folder(folder)
    source, count, ordered = order_parts(paths)

    async def list_replays() -> AsyncIterator[ConversationReplay]:
        for path in ordered:
            for replay in read_part(path):
                yield replay

    return await report_replays(list_replays(), count, RecordedReport(folder, source))


def open_report(
    folder: Path | None,
    source: str,
    chosen: Sequence[object],
    shard: Shard | None,
    settings: Settings,
) -> RecordedReport | RecordedPart | None:
    """What takes the replays: the whole report, or a part of it; None: that part is there already.

    chosen: the conversations of all shards. Raises: InputError for a part without a folder.
    """
    if shard is None:
        return RecordedReport(folder, source)
    if folder is None:
        raise InputError("a shard is written into a folder", hint="--report DIR")
    head = PartHead(
        source,
        digest_choice(chosen),
        digest_code(settings),
        shard.number,
        shard.of,
        len(shard.take(range(len(chosen)))),
    )
    path = get_part_path(folder, shard)
    if path.exists() and read_head(path) == head:
        output.write_line(f"already done: {path}")
        return None
    return RecordedPart(path, head)


async def report_replays(
    replays: AsyncIterator[ConversationReplay], count: int, report: RecordedReport | RecordedPart
) -> int:
    """Report them as they come: a bar, the first divergences, totals.

    Exit code: 1 when any diverged; of a part 0, since it is the whole that has a verdict.
    """
    began, cpu, shown = time.perf_counter(), time.process_time(), 0
    with report, output.progress_bar("replaying", count) as advance:
        async for replay in replays:
            report.add(replay)
            advance()
            if replay.divergence is not None and shown < SHOWN_DIVERGENCES:
                show_divergence(replay)
                shown += 1
    duration_s = time.perf_counter() - began
    cpu_s = time.process_time() - cpu
    report.write_times({"duration_s": round(duration_s, 3), "cpu_s": round(cpu_s, 3)})
    show_totals(report.totals, duration_s, report.path)
    return 1 if report.totals.diverged and isinstance(report, RecordedReport) else 0


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


def show_totals(totals: Totals, duration_s: float, written: Path | None) -> None:
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
    if written is not None:
        output.write_line(f"report: {written}")
