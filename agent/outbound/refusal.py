"""How a job in the child says that it does not take a file."""

from __future__ import annotations


class Refusal(Exception):
    """Leaves a job with one of its words, which becomes `{"error": word}`."""
