"""Draw a worker's conversations so that each beginning of the draw is like all of them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from plainloop_lab.selection.features import name_length
from plainloop_rules.matching import guess_language

from ..store.workers import WorkerThread


def draw_threads(threads: Sequence[WorkerThread], sample: int, seed: int) -> list[str]:
    """Draw a random sample of threads, and return their ids.

    It has the same mix of length, language and rating.

    >>> talks = [WorkerThread(f"t{n}", "hi", 9 if n < 2 else 1, None) for n in range(20)]
    >>> drawn = draw_threads(talks, 10, seed=0)
    >>> len(drawn), len({*drawn} & {"t0", "t1"})
    (10, 1)
    """
    draw = random.Random(seed)
    strata: dict[tuple[object, ...], list[str]] = {}
    for thread in sorted(threads, key=lambda item: item.thread_id):
        key = (name_length(thread.turns), guess_language(thread.title or ""), thread.rating)
        strata.setdefault(key, []).append(thread.thread_id)
    placed: list[tuple[float, str]] = []
    for members in strata.values():
        draw.shuffle(members)
        begin = draw.random()  # so that small strata do not all stand at the same place
        for n, thread_id in enumerate(members):
            placed.append(((n + begin) / len(members), thread_id))
    return [thread_id for _, thread_id in sorted(placed)[:sample]]
