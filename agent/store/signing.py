"""Computes search signatures of threads, so that a search need not read all messages.

Written by whoever searches, never by a turn (docs/decisions/17-scale.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from .sql_blocks import CORE_SQL, load_sql
from .store import Store

SQL: Final = load_sql(CORE_SQL / "signing.sql")
# By one search, which waits for them: a signature of 20,000 letters takes 7 ms.
SIGNED_AT_ONCE: Final = 20  # threads
SIGNED_OF_ONE: Final = 5  # signatures of a thread
SIGNED_TOGETHER: Final = 20  # messages: more make most bits of a signature 1
SLICED_TOGETHER: Final = 4096  # signatures, a multiple of 8
# What a byte's bit is as a digit, the first bit first.
_DIGITS: Final = [bytes(48 + (byte >> bit & 1) for byte in range(256)) for bit in range(7, -1, -1)]


async def sign_messages(store: Store, tenant_id: str, threads: int = SIGNED_AT_ONCE) -> int:
    """Compute missing search signatures, which tell a search what threads it can skip.
    Returns: how many were written; 0 also while another search does so.
    """
    async with store.transaction(tenant_id) as tx:
        # Tried, not waited for: the search that holds it does the same work
        # (test_only_one_process_at_a_time_indexes_threads_for_search).
        if not await tx.fetchval(SQL["lock_signatures"], tenant_id):
            return 0
        most = (threads, SIGNED_TOGETHER, SIGNED_OF_ONE)
        signed = await tx.execute(SQL["save_signatures"], tenant_id, *most)
        rows = await tx.fetch(SQL["lock_unsliced"], tenant_id, SLICED_TOGETHER)
        if len(rows) == SLICED_TOGETHER:  # nobody else has some of them
            place = [[row[name] for row in rows] for name in ("thread_id", "first_position")]
            found = await tx.fetch(SQL["load_unsliced"], tenant_id, *place)
            # In a thread, as other runs must not wait: 4,096 signatures of 512 bytes, bit by bit.
            turned = await asyncio.to_thread(turn_bits, [row["signature"].bytes for row in found])
            holders: list[Any] = [asyncpg.BitString.frombytes(bits) for bits in turned.values()]
            await tx.execute(SQL["save_slice"], tenant_id, *place, [*turned], holders)
        await tx.execute(SQL["mark_signed"], tenant_id, threads)  # locks: the last thing here
        return signed


def turn_bits(signatures: Sequence[bytes]) -> dict[int, bytes]:
    """Map each bit that any signature has to a bit string of the signatures that have it.

    >>> turn_bits([b"\\x80\\x01", b"\\x00\\x01", *[b"\\x00\\x00"] * 6])
    {0: b'\\x80', 15: b'\\xc0'}
    """
    joined, size = b"".join(signatures), len(signatures[0])
    turned: dict[int, bytes] = {}
    for n in range(size):
        column = joined[n::size]
        for bit, digits in enumerate(_DIGITS):
            if holders := int(column.translate(digits), 2):
                turned[8 * n + bit] = holders.to_bytes(len(signatures) // 8, "big")
    return turned
