"""What a request for advice asks for."""

from __future__ import annotations

from typing import Final

from plainloop.agent.dataclasses import dataclass

MAX_SAMPLE: Final = 10_000  # conversations for each worker
MARGINS: Final = ("5pp", "10pp", "20pp")  # that a plan compares, the narrowest first
MAX_PLANNED: Final = 1_000  # of them over HTTP, where the service itself reads each for the plan


@dataclass(frozen=True, slots=True)
class Wanted:
    """Says what is tried for whom, and what that may cost. user_id: whose conversations; None:
    the whole tenant's. candidates and workers: () chooses them.
    """

    max_cost_usd: float
    candidates: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()
    successor: bool = False  # only vendors' successors of models that end
    sample: int = 300
    margin: str = "5pp"
    judge: str | None = None
    batch_api: bool = False
    seed: int = 0
    user_id: str | None = None
