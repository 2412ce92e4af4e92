"""Imports conversations and traces of other systems."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
