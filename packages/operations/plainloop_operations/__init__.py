"""What operators and admins use: the ledger's files, webhooks, schedules, moves of tenants."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
