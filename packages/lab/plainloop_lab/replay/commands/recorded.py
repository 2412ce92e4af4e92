"""`plainloop replay recorded`: conversations of then through the code of today."""

from __future__ import annotations

import shlex
import time
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.packs.code_parts import digest_parts, list_changes
from plainloop.agent.packs.loading import load_served_packs

from ..engine.models_today import list_changed_models
from ..engine.no_network import block_network
from ..engine.recorded import ConversationReplay
from ..engines.opening import LOCAL, load_engine
from ..engines.shards import ReplayPlan, choose_processes, replay_shards, survey_shards
from ..engines.tasks import Run, drop_secrets
from ..report.causes import find_cause
from ..report.digests import digest_code
from ..report.recorded_part import (
    PartHead,
    RecordedPart,
    Shard,
    digest_choice,
    get_part_path,
    is_done,
    list_parts,
    order_parts,
    parse_shard,
    read_head,
    read_part,
)
from ..report.recorded_report import RecordedReport, Totals, describe_left_out
from ..sources.line_ranges import LineIndex, index_lines, is_remote
from ..sources.thread_recording import (
    Asked,
    CodePart,
    list_codes,
    list_models,
    load_recording,
    to_line,
)
from ..sources.tool_schemas import ToolShape
from .changed import choose_changed, find_changes
from .files import Prepared, index_source, open_folder, open_source, prepare
from .options import Selection, Source, Spread
from .threads import choose_places, select_threads

AGAIN: Final = "plainloop replay recorded --thread"
SHOWN_DIVERGENCES: Final = 5
PARTS: Final = ".parts"  # in a report's folder
MESSAGES_ONLY: Final = (
    "this file has only messages; `plainloop export --recording` adds prompts, workers and rules"
)


async def replay_recorded(
    source: Source, selection: Selection, spread: Spread, folder: Path | None
) -> int:
    """Replay a file's conversations or stored threads with this code.

    Returns the exit code. folder: for the report.

    Exit code: 1 when one took another way than its recording.
    """
    shard = None if spread.shard is None else parse_shard(spread.shard)
    settings = load_settings()
    open_folder(folder)
    if source.file is None:
        return await _replay_threads(selection, folder, spread, shard, settings)
    return await _replay_file(source, selection, folder, spread, shard, settings)


def _open_engine(spread: Spread, conversations: int) -> AbstractContextManager[Run]:
    processes = choose_processes(spread.processes, conversations)
    return load_engine(spread.engine)(spread.address, processes)


async def _replay_file(
    source: Source,
    selection: Selection,
    folder: Path | None,
    spread: Spread,
    shard: Shard | None,
    served: Settings,
) -> int:
    """Replay a file's conversations with this code; return the exit code.

    selection: only its sample counts. With a shard only that part goes into the folder.
    """
    settings = drop_secrets(served)
    assert source.file is not None
    if spread.engine == LOCAL and not is_remote(source.file):
        block_network()
    with open_source(source.file) as url:
        index = index_source(url)
        with _open_engine(spread, len(index)) as run:
            found = prepare(index, survey_shards(run, index, repair=source.repair), source.tools)
            if found.recordings:
                load_served_packs(settings)  # one that does not start is told at once
            chosen = choose_conversations(found, selection)
            if source.since_merge_base:
                chosen = choose_since_merge_base(Path(source.file), index, chosen, served)
                if not chosen:
                    return 0
            whole = f"file sha256:{found.digest}"
            again = f"plainloop replay recorded --from {shlex.quote(source.file)} --thread"
            report = open_report(folder, whole, chosen, shard, settings, again, found.shapes)
            if report is None:
                return 0
            report.unseen = list_unseen(found.models, found.codes, served)
            plan = ReplayPlan(index, whole, settings, found.shapes, source.repair)
            keep = folder / PARTS if folder is not None and shard is None else None
            taken = chosen if shard is None else shard.take(chosen)
            code = await replay_all(run, plan, taken, report, keep)
        if found.recordings < found.count:
            output.write_line(MESSAGES_ONLY)
        return code


def choose_since_merge_base(
    file: Path, index: LineIndex, chosen: Sequence[int], settings: Settings
) -> list[int]:
    """Choose the conversations that this branch may change, and print how many."""
    names = (*settings.agent.packs, settings.agent.onboarding)
    packs = {name.rpartition(".")[2]: name for name in names if name is not None}
    changes = find_changes(file, packs)
    found = choose_changed(index, chosen, changes)
    count = format_count(len(chosen), "conversation")
    output.write_line(f"since the merge base {changes.base[:8]}: {len(found):,} of {count}")
    return found


def choose_conversations(found: Prepared, selection: Selection) -> list[int]:
    """Choose which of a file's conversations to replay, and return their positions.

    They are the named ones, or else a sample. Raises: InputError for an id that it lacks.
    """
    if not selection.thread:
        return sorted(choose_places(found.count, selection.sample, selection.seed))
    places = {conversation_id: place for place, conversation_id in enumerate(found.ids)}
    missing = [text for text in selection.thread if text not in places]
    if missing:
        raise InputError(
            f"the file has no conversation {missing[0]}",
            hint="Name a conversation by the `conversation_id` of its line.",
        )
    return sorted({places[text] for text in selection.thread})


async def _replay_threads(
    selection: Selection,
    folder: Path | None,
    spread: Spread,
    shard: Shard | None,
    settings: Settings,
) -> int:
    if spread.engine != LOCAL:
        hint = "Run `plainloop export --recording -o FILE.jsonl`, then use --from FILE.jsonl."
        raise InputError("a replay on other hosts needs the conversations in a file", hint=hint)
    asked, codes = set[Asked](), set[CodePart]()
    with NamedTemporaryFile(suffix=".jsonl") as file:
        async with open_store(settings) as store:
            thread_ids = await select_threads(store, selection)
            report = open_report(folder, "stored threads", thread_ids, shard, settings)
            if report is None:
                return 0
            if shard is not None:
                thread_ids = [thread_ids[place] for place in shard.take(range(len(thread_ids)))]
            for thread_id in thread_ids:
                recording = await load_recording(store, selection.tenant_id, thread_id)
                asked |= list_models(recording)
                codes |= list_codes(recording)
                file.write(to_line(recording, {}) + b"\n")
        file.flush()
        report.unseen = list_unseen(asked, codes, settings)
        block_network()
        index = index_lines(file.name)
        plan = ReplayPlan(index, "stored threads", drop_secrets(settings), (), repair=False)
        with _open_engine(spread, len(index)) as run:
            return await replay_all(run, plan, range(len(index)), report, None)


def list_unseen(
    asked: Collection[Asked], codes: Collection[CodePart], settings: Settings
) -> list[str]:
    """List changed models and code parts that a recorded replay does not test."""
    changed = list_changed_models(asked, settings) if asked else []
    today = digest_parts(load_served_packs(settings), settings) if codes else {}
    told = (f"model changed: {line}" for line in changed)
    return [*told, *(f"but {line}" for line in list_changes(codes, today))]


async def replay_all(
    run: Run,
    plan: ReplayPlan,
    chosen: Sequence[int],
    report: RecordedReport | RecordedPart,
    keep: Path | None,
) -> int:
    """Replay the chosen conversations with an engine, and report them.

    Returns the exit code. keep: a folder for finished parts until all are done, so that a replay
    that is begun again continues there.
    """
    open_folder(keep)
    with TemporaryDirectory() as passing:
        tasks = plan.build_tasks(chosen) if chosen else []
        replays = replay_shards(run, tasks, keep or Path(passing))
        code = await report_replays(replays, len(chosen), report)
    if keep is not None:
        rmtree(keep, ignore_errors=True)
    return code


async def merge_parts(paths: Sequence[Path], folder: Path | None) -> int:
    """Merge parts of a recorded replay into the report that one process would have written.

    Returns: the exit code of the whole.
    """
    open_folder(folder)
    found = [part for path in paths for part in list_parts(path)]
    source, count, ordered, unseen = order_parts(found)

    async def list_replays() -> AsyncIterator[ConversationReplay]:
        for path in ordered:
            for replay in read_part(path):
                yield replay

    again = read_head(ordered[0]).again
    report = RecordedReport(folder, source, unseen, again)
    return await report_replays(list_replays(), count, report)


def open_report(
    folder: Path | None,
    source: str,
    chosen: Sequence[object],
    shard: Shard | None,
    settings: Settings,
    again: str = AGAIN,
    shapes: Sequence[ToolShape] = (),
) -> RecordedReport | RecordedPart | None:
    """Open the report of a recorded replay for writing, or a shard's part of it.

    None if the part is complete already. chosen: the conversations of all shards. shapes: the tools
    that they are replayed with, from which a part with other tools is told apart. Raises:
    InputError for a part without a folder.
    """
    if shard is None:
        return RecordedReport(folder, source, again=again)
    if folder is None:
        raise InputError("--shard needs a folder for its result", hint="Use --report DIR.")
    head = PartHead(
        source,
        digest_choice([*shapes, *chosen]),
        digest_code(settings),
        shard.number,
        shard.of,
        len(shard.take(range(len(chosen)))),
        again=again,
    )
    path = get_part_path(folder, shard)
    if is_done(path, head):
        output.write_line(f"already done: {path}")
        return None
    return RecordedPart(path, head)


async def report_replays(
    replays: AsyncIterator[ConversationReplay], count: int, report: RecordedReport | RecordedPart
) -> int:
    """Report each conversation's replay as it ends, and then the totals.

    Shows the progress and the first divergences. Returns the exit code. Exit code: 1 when any
    diverged or all were left out; of a part 0, since it is the whole that has a verdict.
    """
    began, cpu, shown = time.perf_counter(), time.process_time(), 0
    with report, output.progress_bar("replaying", count) as advance:
        async for replay in replays:
            report.add(replay)
            advance()
            place, found = replay.diverged_turn, replay.divergence
            if place is None or found is None or shown == SHOWN_DIVERGENCES:
                continue
            shown += 1
            path = " → ".join(replay.turns[place].path) or "(no step)"
            output.write_line(f"{replay.conversation_id}, turn {place + 1}: different {found.kind}")
            output.write_line(f"  {find_cause(found).sentence}")
            output.write_line(f"  at step {found.step}, {found.node}; path so far: {path}")
            output.write_lines(f"  {line}" for line in found.render_diff())
            output.write_line()
    duration_s = time.perf_counter() - began
    cpu_s = time.process_time() - cpu
    report.write_times({"duration_s": round(duration_s, 3), "cpu_s": round(cpu_s, 3)})
    show_totals(report.totals, duration_s, report.path, report.unseen)
    totals = report.totals
    is_nothing = bool(totals.left_out) and not totals.conversations  # nothing says it is the same
    return 1 if isinstance(report, RecordedReport) and (totals.diverged or is_nothing) else 0


def show_totals(
    totals: Totals, duration_s: float, written: Path | None, unseen: Sequence[str]
) -> None:
    """Print the totals of a recorded replay, and what it left out."""
    turns = ", ".join(f"{count:,} {name}" for name, count in sorted(totals.turns.items()))
    talks = format_count(totals.conversations, "conversation")
    output.write_line(f"{talks}, {totals.diverged:,} diverged · turns: {turns}")
    for line in describe_left_out(totals.left_out):
        output.write_warning(line)
    if totals.repaired:
        mended = format_count(totals.repaired, "conversation")
        output.write_line(f"repaired invalid histories: {mended}")
    output.write_line(
        f"{totals.model_calls:,} model answers from the recording · 0 tokens · no network · "
        f"{duration_s:.1f} s"
    )
    for line in unseen:
        output.write_line(line)
    if written is not None:
        output.write_line(f"report: {written}")
