"""`plainloop export`: stored threads as JSON lines, as `replay --from` and others take them."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import IO

import orjson

from ...base.text import format_count
from ...errors import InputError
from ...replay.sources.openai_format import to_openai
from ...replay.sources.thread_recording import load_recording, to_line
from ...store.recordings import list_made
from ...store.store import Store
from ..terminal import output
from .options import Selection
from .threads import load_conversation, select_threads


async def export_threads(
    store: Store, selection: Selection, target: Path | None, *, recording: bool, documents: bool
) -> None:
    """One line a thread, on stdout or in a new file; nothing is overwritten.

    recording: with all that a recorded replay needs beside the messages. documents: users' own
    texts that were parsed, too.
    """
    found = await select_threads(store, selection)
    made = await list_made(store.read(selection.tenant_id), found)
    closed = {key for key, ways in made.items() for kind, _, _ in ways if kind == "parse"}
    thread_ids = [key for key in found if documents or key not in closed]
    if left := len(found) - len(thread_ids):
        output.write_status(
            f"{left:,} left out: threads of uploaded documents (--documents includes them)"
        )
    with create_file(target) if target is not None else nullcontext() as file:
        for thread_id in thread_ids:
            line = to_openai(await load_conversation(store, selection.tenant_id, thread_id))
            told = orjson.dumps(line)
            if recording:
                told = to_line(await load_recording(store, selection.tenant_id, thread_id), line)
            output.write_line(told.decode()) if file is None else file.write(told + b"\n")
    if target is not None:
        output.write_line(f"{format_count(len(thread_ids), 'conversation')}: {target}")


def create_file(target: Path) -> IO[bytes]:
    """Raises: InputError when it is there already, or cannot be made."""
    try:
        return target.open("xb")
    except FileExistsError as error:
        raise InputError(f"{target} already exists", hint="Choose another name.") from error
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from error
