"""`plainloop ask`: sends one message; prints the answer and a line about the run."""

from __future__ import annotations

import sys
from typing import Any

from ...base.text.cleaning import check_message
from ...config.settings import load_settings
from ...errors import InputError
from ...service.service import Service
from ..terminal.opening import find_thread
from ..terminal.options import Owner
from ..terminal.serving import open_service
from .answering import make_start, show_run


async def ask(text: str, owner: Owner, thread: str | None, *, as_json: bool) -> None:
    """Send one message in a thread and print the answer as it streams.
    thread: an id or the beginning of one; `last`; None for a new thread.

    Raises: AgentError; CancelledError, with the thread kept.
    """
    settings = load_settings()
    # Before anything is started or stored: an unusable message leaves no trace.
    message = check_message(read_text(text), settings.limits.message_chars)
    async with open_service(settings) as service:
        thread_id = await choose_thread(service, owner, thread, message)
        start = make_start(service, owner, thread_id, message)
        await show_run(service, owner, thread_id, start, as_json=as_json)


def read_text(text: str) -> str:
    """Return the text, or all of stdin for `-`. Raises: InputError when stdin is closed."""
    if text != "-":
        return text
    stdin: Any = sys.stdin  # None when it was closed
    if stdin is None:
        raise InputError(
            "the message is missing, and stdin is empty",
            hint='Write it after the command, as in `plainloop ask "how many jobs do I have?"`.',
        )
    return stdin.read()


async def choose_thread(
    service: Service, owner: Owner, thread: str | None, first_message: str
) -> str:
    """Return the id of the named thread, or of a new one titled after the message."""
    if thread is not None:
        return (await find_thread(service.store, owner, thread)).thread_id
    made = await service.ensure_thread(owner.tenant_id, owner.user_id, None, first_message)
    return made.thread_id
