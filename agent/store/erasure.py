"""Erases a conversation or a user, in the packs' tables as well.

Of the ledger the numbers stay, and of the audit trail the deeds, without a name: what was spent was
spent, what was done was done.
"""

from __future__ import annotations

from typing import Any, Final

from . import threads as store_threads
from .admin.audit import SQL as AUDIT
from .connecting.open_transaction import Transaction
from .database import parse_id
from .helper_runs import SQL as HELPERS
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "erasure.sql")
# Erased by statements of their own; in all others a user's rows are deleted.
_LEDGER: Final = frozenset(
    {"llm_calls", "prompt_texts", "usage_days", "usage_runs", "usage_avoided"}
)
_SUMS: Final = {
    "usage_runs": ", thread_id = null, run_id = null, tags = '{}'",
    "usage_days": "",
    "usage_avoided": "",
}
BLANKED: Final = (
    SQL["blank_calls_of_user"],
    *(SQL["blank_sums_of_user"].format(table=table, more=_SUMS[table]) for table in _SUMS),
)
_OF_THREADS: Final = frozenset({"threads", "messages", "runs", "approvals"})


async def erase_thread_rows(tx: Transaction, user_id: str, thread_id: str) -> None:
    """Erase a thread with all data that belongs to it, in every table.

    That includes its runs, helpers' threads, and prompts that only this thread used.

    Raises: NotFoundError when it is missing or another's; then nothing was erased.
    """
    thread_id = parse_id(thread_id, "thread")
    # Before the thread is deleted: its runs alone do not lead to its helpers' threads
    # (test_erasing_a_thread_erases_its_helper_runs).
    for row in await tx.fetch(HELPERS["delete_helpers"], tx.tenant_id, thread_id):
        if row["thread_id"] is not None:
            await erase_thread_rows(tx, user_id, row["thread_id"])
    # Listed before the calls are blanked, which name their prompts no more afterwards
    # (test_erasing_a_thread_reads_only_its_own_rows).
    prompts = await _list_prompts(tx, "list_prompts_of_thread", thread_id)
    await store_threads.delete_thread(tx, user_id, thread_id)
    await _delete_rows(tx, [thread_id])
    await _delete_unused_prompts(tx, prompts)


async def erase_user_rows(tx: Transaction, user_id: str) -> list[str]:
    """Erase all data of a user, in every table; return the ids of the erased threads.

    It includes replays of the user's threads by admins. The ids serve to erase data outside the
    database.
    """
    prompts = await _list_prompts(tx, "list_prompts_of_user", user_id)
    found = await tx.fetch(SQL["list_threads_of_user"], tx.tenant_id, user_id)
    threads = [str(row["thread_id"]) for row in found]
    for thread_id in threads:
        await store_threads.delete_thread(tx, user_id, thread_id)
    # Blanked, not deleted: sums by day and model must stay what was paid
    # (test_an_erased_user_leaves_anonymous_totals).
    for statement in BLANKED:
        await tx.execute(statement, tx.tenant_id, user_id)
    await tx.execute(AUDIT["blank_audit_of_user"], tx.tenant_id, user_id)
    await _delete_rows(tx, threads, user_id)
    await _delete_unused_prompts(tx, prompts)
    return threads


async def _delete_rows(tx: Transaction, threads: list[str], user_id: str | None = None) -> None:
    """Delete rows of these threads, and of the user if set, in all tables not cleared elsewhere."""
    # Read from the catalog, not a list here: a table that a pack makes tomorrow is erased too
    # (test_an_erased_user_is_in_no_column_of_any_table).
    for table in await tx.fetch(SQL["list_user_tables"]):
        name = table["name"]  # of the catalog
        if table["has_user"] and user_id is not None and name not in _LEDGER:
            statement = f'delete from "{name}" where tenant_id = $1 and user_id = $2'
            await tx.execute(statement, tx.tenant_id, user_id)
        if table["has_thread"] and name not in _LEDGER | _OF_THREADS:
            statement = f'delete from "{name}" where tenant_id = $1 and thread_id = any($2)'
            await tx.execute(statement, tx.tenant_id, threads)


async def _list_prompts(tx: Transaction, block: str, owner: str) -> list[Any]:
    """List hashes of the stored prompts that the owner's calls used, before these are erased.
    block: the statement; owner: the thread's or user's id.
    """
    return [row["hash"] for row in await tx.fetch(SQL[block], tx.tenant_id, owner)]


async def _delete_unused_prompts(tx: Transaction, prompts: list[Any]) -> None:
    """Delete those of these prompt texts that no remaining call refers to."""
    if prompts:
        await tx.execute(SQL["delete_unused_prompts"], tx.tenant_id, prompts)
