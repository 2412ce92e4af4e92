"""What operators use: ledger files, webhooks, schedules, moves, monthly tables, shared rates."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
