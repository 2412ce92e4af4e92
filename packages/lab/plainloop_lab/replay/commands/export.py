"""`plainloop export`: stored threads as JSON lines, as `replay --from` and others take them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

import orjson

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.pack_terminal import create_file
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.store.store import Store

from ...store.recordings import list_made
from ..redaction.recordings import list_own_texts, list_personal_parts, redact_recording
from ..redaction.redactor import Redactor
from ..sources.openai_format import to_openai
from ..sources.thread_recording import load_recording, to_line
from .options import Redaction, Selection
from .threads import load_conversation, select_threads


async def export_threads(
    store: Store,
    selection: Selection,
    target: Path | None,
    redaction: Redaction = Redaction(),  # noqa: B008 - frozen
    *,
    recording: bool,
    documents: bool,
) -> None:
    """Write stored threads as JSON lines, to stdout or to a new file.

    An existing file is not overwritten. recording: with all that a recorded replay needs beside the
    messages. documents: users' own texts that were parsed, too.
    """
    found = await select_threads(store, selection)
    made = await list_made(store.read(selection.tenant_id), found)
    closed = {key for key, ways in made.items() for kind, _, _ in ways if kind == "parse"}
    thread_ids = [key for key in found if documents or key not in closed]
    if left := len(found) - len(thread_ids):
        output.write_status(
            f"{left:,} left out: threads of uploaded documents (--documents includes them)"
        )
    lines = list_lines(store, selection.tenant_id, thread_ids, recording=recording)
    if redaction.redact:
        lines = list_redacted(store, selection.tenant_id, thread_ids, redaction)
    count = 0
    with new_file(target) if target is not None else nullcontext() as file:
        async for line in lines:
            count += 1
            output.write_line(line.decode()) if file is None else file.write(line + b"\n")
    if target is not None:
        output.write_line(f"{format_count(count, 'conversation')}: {target}")


async def export_thread(store: Store, tenant_id: str, thread_id: str, target: Path | None) -> None:
    """Write one thread as a JSON line, as `/export` in a chat does."""
    selection = Selection([thread_id], tenant_id=tenant_id)
    await export_threads(store, selection, target, recording=False, documents=False)


async def list_lines(
    store: Store, tenant_id: str, thread_ids: Sequence[str], *, recording: bool
) -> AsyncIterator[bytes]:
    """Yield each thread as a JSON line of OpenAI messages.

    recording: with all that a recorded replay needs.
    """
    for thread_id in thread_ids:
        line = to_openai(await load_conversation(store, tenant_id, thread_id))
        if recording:
            yield to_line(await load_recording(store, tenant_id, thread_id), line)
        else:
            yield orjson.dumps(line)


async def list_redacted(
    store: Store, tenant_id: str, thread_ids: Sequence[str], redaction: Redaction
) -> AsyncIterator[bytes]:
    """Yield recordings without personal data.

    Before each is yielded, a replay shows that it still matches today's code. One that cannot be
    redacted exactly is left out and named. Raises: InputError when none is left.
    """
    settings = load_settings()
    packs = load_served_packs(settings)
    names = read_names(redaction.redact_names)
    redactor = Redactor(list_own_texts(packs), names, redaction.redact_digits)
    # All threads before the first is written: a name found in one is replaced in all.
    for look in (redactor.learn_ordinary, redactor.collect):
        for thread_id in thread_ids:
            recording = await load_recording(store, tenant_id, thread_id)
            for part in list_personal_parts(recording):
                look(part)
    served = {pack.name: pack for pack in packs}
    count = 0
    for thread_id in thread_ids:
        recording = await load_recording(store, tenant_id, thread_id)
        redacted, reason = await redact_recording(recording, redactor, served, settings)
        if redacted is None:
            output.write_warning(f"1 left out: {thread_id} {reason}")
            continue
        line = to_openai(await load_conversation(store, tenant_id, thread_id))
        count += 1
        yield to_line(redacted, redactor.redact(line))
    told = ", ".join(format_count(n, kind) for kind, n in redactor.counts.items())
    output.write_status(f"stand-ins for {told}; read the file before you commit it")
    if not count:
        raise InputError(
            "no conversation could be redacted",
            hint="Leave out --redact, or choose other conversations.",
        )


def read_names(path: Path | None) -> list[str]:
    """Read a list of names to redact, one per line.

    [] without a file. Raises: InputError for a file that cannot be read.
    """
    if path is None:
        return []
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", hint="Write one name per line.") from error


@contextmanager
def new_file(target: Path) -> Generator[IO[bytes]]:
    """Open a new file for writing inside the block.

    Where the block fails before it wrote anything, the file goes again: it would be in the way of
    the next try. Raises: as `create_file`.
    """
    with create_file(target) as file:
        try:
            yield file
        except BaseException:
            if not file.tell():
                target.unlink()
            raise
