"""Live replays, decisions by measurement, and candidates beside what is served."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
