"""Which stored threads are replayed, and a random sample of them that can be drawn again."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace

from plainloop.agent.errors import InputError
from plainloop.agent.store.database import Queryable

from ...store.recordings import ThreadFilter, list_replay_threads


def choose_places(count: int, sample: int | None, seed: int) -> Collection[int]:
    """Choose a sample of conversations by position.

    The same seed chooses the same conversations.

    >>> choose_places(3, None, 0), len(choose_places(100, 5, seed=1))
    (range(0, 3), 5)
    """
    if sample is None or sample >= count:
        return range(count)
    return frozenset(random.Random(seed).sample(range(count), sample))


async def choose_threads(
    tx: Queryable, wanted: ThreadFilter, others: float | None, seed: int
) -> list[str]:
    """Choose the ids of threads that match the filter, and a sample of others.

    The oldest come first. others: and so many times as many that fit but for their rating, drawn by
    seed; None: none.

    Raises: InputError for others of no rating.
    """
    found = sorted(await list_replay_threads(tx, wanted))
    if others is None:
        return found
    if wanted.rating is None:
        raise InputError("`others` needs a rating", hint="Also choose a rating: up or down.")
    rest = sorted({*await list_replay_threads(tx, replace(wanted, rating=None))} - {*found})
    places = choose_places(len(rest), round(others * len(found)), seed)
    return sorted([*found, *(thread_id for n, thread_id in enumerate(rest) if n in places)])
