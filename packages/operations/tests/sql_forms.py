"""Statements of this package whose gaps are filled when they are sent."""

from __future__ import annotations

from collections.abc import Callable

from plainloop_operations.ledger.focus import LIST_ROWS
from plainloop_operations.months.partitions import SQL as MONTHS

FORMS: dict[str, Callable[[], list[str]]] = {
    "list_ledger_rows": lambda: [LIST_ROWS],
    "are_calls_old": lambda: [MONTHS["are_calls_old"].format(part="llm_calls")],
    "are_events_old": lambda: [MONTHS["are_events_old"].format(part="run_events")],
}
