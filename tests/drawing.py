"""A part of a product of cases, the same in each run; `AGENT_TEST_CASES=all` for all of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import Final, TypeVar

IS_WHOLE: Final = os.environ.get("AGENT_TEST_CASES") == "all"
T = TypeVar("T")


def draw_cases(cases: Iterable[T], count: int, seed: str = "") -> list[T]:
    """Draw so many of the cases by the seed, in their order; all of them if there are no more."""
    all_cases = list(cases)
    if IS_WHOLE or len(all_cases) <= count:
        return all_cases
    drawn = sorted(random.Random(seed).sample(range(len(all_cases)), count))
    return [all_cases[n] for n in drawn]
