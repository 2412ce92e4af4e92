"""`plainloop export`: stored threads as JSON lines, as `replay --from` and others take them."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import orjson

from ...base.text import format_count
from ...config.settings import load_settings
from ...errors import InputError
from ...replay.sources.openai_format import to_openai
from ...replay.sources.thread_recording import load_recording, to_line
from ...store.store import Store
from ..terminal import output
from ..terminal.opening import open_store
from .options import Selection
from .threads import load_conversation, select_threads


async def export_threads(selection: Selection, target: Path | None, *, recording: bool) -> None:
    """One line a thread, on stdout or in a new file; nothing is overwritten.

    recording: with all that a recorded replay needs beside the messages.
    """
    async with open_store(load_settings()) as store:
        thread_ids = await select_threads(store, selection)
        if target is None:
            for thread_id in thread_ids:
                line = await load_line(store, selection.tenant_id, thread_id, recording=recording)
                output.write_line(line.decode())
            return
        with create_file(target) as file:
            for thread_id in thread_ids:
                file.write(
                    await load_line(store, selection.tenant_id, thread_id, recording=recording)
                    + b"\n"
                )
        output.write_line(f"{format_count(len(thread_ids), 'conversation')}: {target}")


async def load_line(store: Store, tenant_id: str, thread_id: str, *, recording: bool) -> bytes:
    line = to_openai(await load_conversation(store, tenant_id, thread_id))
    if recording:
        return to_line(await load_recording(store, tenant_id, thread_id), line)
    return orjson.dumps(line)


def create_file(target: Path) -> IO[bytes]:
    """Raises: InputError when it is there already, or cannot be made."""
    try:
        return target.open("xb")
    except FileExistsError as error:
        raise InputError(f"{target} is there already", hint="Choose another name.") from error
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}") from error
