"""Statements of this package whose gaps are filled when they are sent."""

from __future__ import annotations

from collections.abc import Callable

from plainloop_operations.ledger.focus import LIST_ROWS

FORMS: dict[str, Callable[[], list[str]]] = {"list_ledger_rows": lambda: [LIST_ROWS]}
