"""`plainloop doctor thread`: checks a stored conversation and repairs a copy of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from plainloop.agent.base.ids import make_id
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.failures import to_line
from plainloop.agent.cli.terminal.opening import find_thread
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.history import repair_history
from plainloop.agent.core.models import Models
from plainloop.agent.errors import AgentError
from plainloop.agent.providers.detection import detect_provider
from plainloop.agent.providers.state_reader import Origin
from plainloop.agent.providers.unsent_state import describe_unsent
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import insert_messages, make_missing_thread
from plainloop.agent.types import Message

SQL: Final = load_sql(Path(__file__).parent / "doctor_thread.sql")


async def doctor_thread(store: Store, owner: Owner, thread: str, *, fix: bool) -> int:
    """Check a stored thread and print its faults; return 1 if any remain.

    fix: save the repaired conversation as a new thread; the old one stays as the record.
    """
    found = await find_thread(store, owner, thread)
    messages = await store.load_messages(owner.tenant_id, found.thread_id)
    repaired, notes = repair_history(messages)
    for fact in describe_unsent(messages, await load_owners()):  # nothing to repair
        output.write_line(f"info  {to_line(fact)}")
    for note in notes:
        output.write_line(f"WARN  {to_line(note)}")
    if not notes:
        output.write_line(f"ok    {len(messages)} messages, nothing to repair")
        return 0
    output.write_line(
        f"{len(notes)} repairs needed; until they are stored, each model call repairs its own copy"
    )
    if not fix:
        output.write_line("→ `--fix` writes the repaired conversation as a new thread")
        return 1
    copy = await write_repaired(store, owner, found, repaired)
    output.write_line(f"fixed: the new thread {copy.thread_id} has {len(repaired)} messages")
    return 0


async def load_owners() -> dict[Origin, str]:
    """Map each worker model to the provider account that can read its opaque state."""
    settings = load_settings()
    try:
        models = Models(settings, settings.provider or await detect_provider(settings))
        handles = models.resolve_chain("worker")
    except AgentError:
        return {}
    owners = {(it.provider, it.model): getattr(it.chat, "owner", "") for it in handles}
    return {origin: owner for origin, owner in owners.items() if owner}


async def write_repaired(
    store: Store, owner: Owner, thread: ThreadInfo, messages: list[Message]
) -> ThreadInfo:
    """Save the repaired messages as a new thread that otherwise copies the old one.

    Raises: ConflictError while a run works on the thread: its open calls are no damage.
    """
    # End a run whose process has died; open calls of a run that is still active are no damage.
    await store.close_abandoned_run(owner.tenant_id, owner.user_id, thread.thread_id)
    whose = (owner.user_id, thread.thread_id)
    async with store.transaction(owner.tenant_id) as tx:
        title = f"{thread.title} (repaired)".strip()
        # Into a new thread: messages are never changed, since recordings and usage refer to their
        # positions (test_doctor_thread_reports_damage_and_fixes_a_copy).
        row = await tx.fetchrow(SQL["copy_thread"], tx.tenant_id, *whose, make_id(), title)
        if row is None:
            raise make_missing_thread(thread.thread_id)
        copy = ThreadInfo(**row)
        await insert_messages(tx, copy.thread_id, None, messages)
    return copy
