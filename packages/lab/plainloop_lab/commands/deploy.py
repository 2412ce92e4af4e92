"""`plainloop deploy check`: what a replica of this code would be judged to be."""

from __future__ import annotations

import time
from pathlib import Path

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.packs.loading import list_migration_folders, load_served_packs
from plainloop.agent.store.migrations import list_migrations
from plainloop_lab.replay.commands.files import open_folder
from plainloop_lab.replay.engine.no_network import block_network
from plainloop_lab.replay.report.recorded_report import RecordedReport
from plainloop_lab.replay.sources.stored import build_thread
from plainloop_lab.replay.sources.thread_recording import parse_recording

from ..deploy.allowed import load_allowed
from ..deploy.fingerprint import make_fingerprint
from ..deploy.gate import list_codes
from ..deploy.judging import Judge, judge_stored
from ..settings import CheckSettings
from ..store.deploys import list_deployed, list_judged_threads


async def check_deploy(file: Path | None, folder: Path | None) -> int:
    """Check this code by replaying recorded turns from a file, or else from the database.

    The file is one of `export --recording`; the database is only read. Returns: exit code 1 when a
    difference is not allowed.
    """
    settings = load_settings()
    began = time.perf_counter()
    open_folder(folder)
    allowed = load_allowed(settings.get_table(CheckSettings).allowed)
    packs = {pack.name: pack for pack in load_served_packs(settings)}
    with RecordedReport(folder, "stored threads" if file is None else file.name) as report:
        judge = Judge(packs, settings, allowed, report)
        await (_judge_stored(judge, settings) if file is None else _judge_file(judge, file))
        verdict = judge.tell_unseen()
    output.write_line(f"code {make_fingerprint(settings)}")
    for line in verdict.describe():
        output.write_line(line)
    for line in verdict.unseen:
        output.write_line(line)
    if verdict.unjudged:
        told = format_count(verdict.unjudged, "turn")
        output.write_line(f"not judged: {told} of designs that run as a single step")
    talks = format_count(verdict.conversations, "conversation")
    output.write_line(
        f"{talks}, {format_count(verdict.turns, 'turn')}: "
        f"{format_count(len(verdict.refused), 'difference')} not allowed · 0 "
        f"tokens · {time.perf_counter() - began:.1f} s"
    )
    unaccepted = [] if settings.get_table(CheckSettings).code == "warn" else verdict.unaccepted
    for head in unaccepted:
        output.write_line(f"not run by the check, changed and not allowed: {head}")
    if not verdict.turns:
        output.write_status("nothing was judged: the serving replicas have stored no run yet")
    if report.path is not None:
        output.write_line(f"report: {report.path}")
    elif verdict.refused:
        output.write_status(
            "--report DIR shows each difference. List intended ones in "
            "allowed.toml: docs/upgrade.md"
        )
    if unaccepted:
        output.write_status(
            "Test changed code in another way, then list it in allowed.toml: "
            f'pattern = "{unaccepted[0]}" (or AGENT_DEPLOY_CODE=warn)'
        )
    return 1 if verdict.refused or unaccepted else 0


async def _judge_stored(judge: Judge, settings: Settings) -> None:
    """Replay turns of the database's threads, with each deployed code as the reference."""
    folders = list_migration_folders(load_served_packs(settings))
    async with open_store(settings, migrate=False) as store:
        migrations = await list_migrations(store.database, folders)
        pending = [item.name for item in migrations if item.applied_at is None]
        if pending:
            output.write_status(
                f"the database lacks the migrations {', '.join(pending)}. If this "
                "code needs them, check it against a file written by "
                "`plainloop export --recording`"
            )
        codes = list_codes(await list_deployed(store))
        sample = settings.get_table(CheckSettings).sample
        threads = await list_judged_threads(store, sorted(codes) or None, sample)
        await judge_stored(judge, store, store, threads)


async def _judge_file(judge: Judge, file: Path) -> None:
    """Replay the turns of a file's recordings, without network.

    Raises: InputError for a file that cannot be read, or a line without a recording.
    """
    block_network()
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                recording = parse_recording(line, number)
                if recording is None:
                    raise InputError(
                        f"line {number} of {file} has no recording",
                        hint="Write the file with `plainloop export --recording -o FILE.jsonl`.",
                    )
                thread = build_thread(recording)
                judge.count(thread, [await judge.replay(thread, turn) for turn in thread.turns])
    except OSError as error:
        raise InputError(
            f"cannot read {file}: {error.strerror}",
            hint="Check the path and the file's permissions.",
        ) from error
