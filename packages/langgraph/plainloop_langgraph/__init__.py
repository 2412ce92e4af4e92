"""The door for LangGraph's clients: `/langgraph`, an encoder over the one event log."""

from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
