"""The shelf's tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import Any

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ToolError

from . import shapes

MOST_BOOKS = 10
FIND = Path(__file__).with_name("find.sql").read_text(encoding="utf-8")
INSERT = "insert into shelf_books (tenant_id, user_id, title) values ($1, $2, $3) returning *"


def named(function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Refuse a book without a title."""

    @wraps(function)
    async def checked(tool: ToolContext, title: str) -> Any:
        if not title.strip():
            raise ToolError("a book has a title")
        return await function(tool, title)

    return checked


async def load_books(tool: ToolContext, words: str) -> list[Any]:
    pattern = f"%{words}%"
    rows = await tool.db.fetch(FIND, tool.tenant_id, tool.user_id, pattern)
    return rows[:MOST_BOOKS]


@tool("write")
@named
async def add_book(tool: ToolContext, title: str) -> Any:
    """Put a book on the shelf."""
    row = await tool.db.fetchrow(INSERT, tool.tenant_id, tool.user_id, title)
    return {"book": shapes.show_book(row or {})}


@tool("read")
async def find_books(tool: ToolContext, words: str = "") -> Any:
    """Find books by words of their titles."""
    found = await load_books(tool, words)
    return {"books": [shapes.show_book(row) for row in found], "total": len(found)}


TOOLS = (add_book, find_books)
