"""What `plainloop import` does with the sources of this package."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Final

import orjson

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import AgentError, InputError, StoreError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.packs.terminal import Terminal
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.store import Store

from . import langfuse, langsmith, openai_files
from .conversations import Conversation
from .files import Broken
from .langgraph.state import read_threads
from .options import Destination, Reading
from .otel import spans
from .report import Report
from .spool import Spool, group_calls, list_conversations, open_spool
from .target import Target
from .writing import roll_up, write_conversation

TOLD_EACH: Final = 1_000
TOLD_AFTER_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Request:
    """An import's options, and its source."""

    source: str
    files: list[str]
    destination: Destination
    reading: Reading = field(default_factory=Reading)
    is_dry: bool = False


async def import_threads(
    terminal: Terminal, request: Request, schema: str | None, messages_key: str | None
) -> None:
    settings = load_settings()
    found = read_threads(request.files[0], settings, schema=schema, messages_key=messages_key)
    await _import(terminal, request, found)


async def import_files(terminal: Terminal, request: Request) -> None:
    settings = load_settings()
    with open_spool() as spool:
        spool.broken.is_skipped = request.reading.skip_broken
        began = time.monotonic()
        with terminal.progress(f"reading {', '.join(request.files)} …"):
            fill_spool(spool, request.source, request.files, settings)
        if (elapsed := time.monotonic() - began) > TOLD_AFTER_S:
            terminal.remark(f"{spool.rows:,} rows read, {spool.rows / elapsed:,.0f} a second")
        _tell_skipped(terminal, request.reading.skipped, spool.broken)
        await _import(terminal, request, list_all(spool, settings))


def _tell_skipped(terminal: Terminal, path: Path, broken: Broken) -> None:
    """Write the list of skipped records to its file, a line for each with place and reason."""
    if not broken.skipped:
        return
    with terminal.create_file(path) as file:
        file.write(b"".join(orjson.dumps(record) + b"\n" for record in broken.skipped))
    told = format_count(len(broken.skipped), "record")
    terminal.say(f"{told} skipped, each with its line and reason: {path}")


def fill_spool(spool: Spool, source: str, files: list[str], settings: Settings) -> None:
    """Read files into the spool (a temporary store), grouped by conversation.

    Raises: InputError for other records.
    """
    readers = {"openai": openai_files, "otel": spans, "langfuse": langfuse, "langsmith": langsmith}
    readers[source].read_files(spool, files, settings)
    group_calls(spool)


async def list_all(spool: Spool, settings: Settings) -> AsyncIterator[Conversation | InputError]:
    """Yield an InputError for each unusable item, and then all conversations."""
    for error in (*spool.load("error", "", str), *spool.left_out.elements()):
        yield InputError(error)
    for name in spool.list_by_time("whole"):
        for one in spool.load("whole", name, Conversation):
            yield one
    for one in list_conversations(spool, settings):
        yield one


async def _import(
    terminal: Terminal, request: Request, found: AsyncIterator[Conversation | InputError]
) -> None:
    settings = load_settings()
    report = Report(request.source)
    if request.is_dry:
        async for one in found:
            if isinstance(one, InputError):
                report.refuse(request.source, one.message)
            else:
                report.add(one, "new" if one.messages else "numbers")
        terminal.say("nothing was written: --dry-run")
        _tell(terminal, request, report)
        _check_any(request, report)
        return
    began = time.monotonic()
    async with open_store(settings) as store:
        target = make_target(store, settings, request)
        report.money = target.money
        try:
            path = request.reading.ids
            with terminal.create_file(path) if path else nullcontext() as ids:
                await write_all(target, found, report, terminal.remark, ids)
        finally:
            await roll_up(target)
    if (elapsed := time.monotonic() - began) > TOLD_AFTER_S:
        terminal.remark(f"{report.messages / elapsed:,.0f} messages a second")
    _tell(terminal, request, report)
    _check_any(request, report)


def make_target(store: Store, settings: Settings, request: Request) -> Target:
    """Make the import's target from settings.

    Raises: ConfigError if no pack is named or served.
    """
    return Target(
        store=store,
        settings=settings,
        prices=Prices(settings.prices),
        source=request.source,
        tenant_id=request.destination.tenant,
        user_id=request.destination.user,
        pack=request.destination.pack or load_served_packs(settings)[0].name,
        expire_s=settings.limits.approval_s,
    )


async def write_all(
    target: Target,
    found: AsyncIterator[Conversation | InputError],
    report: Report,
    remark: Callable[[str], None] = lambda _: None,
    ids: IO[bytes] | None = None,
) -> None:
    """Write the conversations one by one, and report those that cannot be written.

    ids: receives a line with the name and the id of each conversation with messages.
    """
    async for one in found:
        if isinstance(one, InputError):
            report.refuse(target.source, one.message)
            continue
        try:
            report.add(one, await write_conversation(target, one))
            if ids is not None and one.messages:
                known = {"name": one.name, "conversation_id": target.name_thread(one.name)}
                ids.write(orjson.dumps(known) + b"\n")
            if one.expected is not None:
                line = {"conversation_id": target.name_thread(one.name), "expected": one.expected}
                report.expected.append(line)
        except StoreError:
            raise
        except AgentError as error:
            report.refuse(one.name, error.message)
        if report.conversations % TOLD_EACH == 0:
            remark(f"{format_count(report.conversations, 'conversation')} …")


def _check_any(request: Request, report: Report) -> None:
    """Check that the import found a conversation or a model call. Raises: InputError."""
    if not report.conversations:
        raise InputError(
            f"{', '.join(request.files)}: no conversation and no model call found",
            hint=f"`plainloop import {request.source} --help` lists the supported files.",
        )


def _tell(terminal: Terminal, request: Request, report: Report) -> None:
    for line in report.list_lines():
        terminal.say(line)
    if (path := request.destination.report) is not None:
        with terminal.create_file(path) as file:
            file.write(orjson.dumps(report.to_json(), option=orjson.OPT_INDENT_2))
    if (path := request.reading.expected) is not None and report.expected:
        with terminal.create_file(path) as file:
            file.write(b"".join(orjson.dumps(line) + b"\n" for line in report.expected))
        told = format_count(len(report.expected), "expected answer")
        terminal.say(f"{told} written: plainloop gate … --expected {path}")
