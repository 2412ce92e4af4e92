"""What operators use: the ledger's files, webhooks, schedules, moves of tenants, monthly tables."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
