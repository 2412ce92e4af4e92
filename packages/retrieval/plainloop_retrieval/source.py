"""Where a pack's documents come from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from plainloop.agent.dataclasses import dataclass

# Whose rows the documents are that packs ship: every tenant finds them, no tenant is called so.
SHARED: Final = "*packs*"


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """A pack's collection of documents, and the folder of those that it ships.

    collection: keeps them apart from those of others; a pack's name, say. folder: documents that
    the pack ships, the same for every tenant; beside them each tenant has those that its
    administrators upload.
    """

    collection: str
    folder: Path | None = None
