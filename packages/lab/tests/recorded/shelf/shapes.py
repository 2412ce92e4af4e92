"""What rows of books are shown as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Shape:
    """How much of a book is shown."""

    most_chars: int = 80
    has_pages: bool = True

    def cut(self, text: str) -> str:
        return text[: self.most_chars]


SHAPE = Shape()


def show_book(row: Mapping[str, Any]) -> dict[str, Any]:
    """One book for the model."""
    shown = {"id": row["book_id"], "title": SHAPE.cut(row["title"])}
    if SHAPE.has_pages and row["pages"] > 0:
        shown["pages"] = row["pages"]
    return shown
