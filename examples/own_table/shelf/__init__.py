"""A shelf of books: one table, three tools, one worker. `make_pack` is what plainloop looks for."""

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from plainloop.agent.core.spec import EntitySpec, FieldSpec, Pack, WorkerSpec
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ToolError

INSERT = """insert into shelf_books (tenant_id, user_id, title) values ($1, $2, $3)
returning book_id, title, status"""
SELECT = """select book_id, title, status from shelf_books
where tenant_id = $1 and user_id = $2 order by book_id"""
DELETE = """delete from shelf_books where tenant_id = $1 and user_id = $2 and book_id = $3
returning book_id, title, status"""

Title = Annotated[str, Meta(min_length=1, max_length=200, description="the book's title")]


@tool("write")
async def add_book(tool: ToolContext, title: Title) -> Any:
    """Put a book on the shelf."""
    return {"book": await tool.db.fetchrow(INSERT, tool.tenant_id, tool.user_id, title)}


@tool("read")
async def list_books(tool: ToolContext) -> Any:
    """The books on the user's shelf."""
    return {"books": await tool.db.fetch(SELECT, tool.tenant_id, tool.user_id)}


async def ask_delete(tool: ToolContext, book_id: int) -> str:
    """Word the question for people."""
    return f"Take book #{book_id} off the shelf for good?"


@tool("write", needs_approval=True, ask=ask_delete)
async def delete_book(tool: ToolContext, book_id: int) -> Any:
    """Take a book off the shelf for good, by its number."""
    book = await tool.db.fetchrow(DELETE, tool.tenant_id, tool.user_id, book_id)
    if book is None:
        raise ToolError(f"there is no book {book_id}")  # the model reads it and tries again
    return {"book": book}


BOOKS = EntitySpec(
    name="books",
    table="shelf_books",
    id_column="book_id",
    singular="book",
    words=("book", "books"),
    fields=(
        FieldSpec("title", "title", is_lookup=True),
        FieldSpec("status", "status", "enum", values={"unread": ("unread",), "read": ("read",)}),
    ),
    title=lambda row: f"#{row['book_id']} {row['title']} ({row['status']})",
    default_order="title",
    own=("books",),
)
LIBRARIAN = WorkerSpec(
    name="librarian",
    description="adds, lists and removes the user's books",
    prompt="You keep the user's shelf of books. Answer in one or two sentences.",
    tools=("add_book", "list_books", "delete_book"),
)


def make_pack() -> Pack:
    """The pack."""
    return Pack(
        name="shelf",
        title="A shelf of books",
        workers=(LIBRARIAN,),
        default_worker="librarian",
        tools=(add_book, list_books, delete_book),
        entities=(BOOKS,),
        migrations=Path(__file__).parent / "migrations",
    )
