"""Twenty talks with the shop: what its customers say."""

from __future__ import annotations

from typing import Final

TALKS: Final = 20


def list_talks() -> list[tuple[str, ...]]:
    """List the demo's conversations as the user's messages: order questions and cancellations."""
    talks: list[tuple[str, ...]] = []
    for n in range(TALKS):
        number = 1001 + n * 7
        if n % 5 in (1, 3):
            talks.append((f"Please cancel order {number}.", "Yes, please."))
        else:
            talks.append((f"Where is order {number}?", f"And order {number + 1}?"))
    return talks
