"""A pack that tests change line by line: every kind of code that a recorded replay does not run."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.core.spec import EntitySpec, FieldSpec, Pack, WorkerSpec

from .profile import load_profile
from .reviews import check_letter, store_letter
from .tools import TOOLS

BOOKS = EntitySpec(
    name="books",
    table="shelf_books",
    id_column="book_id",
    singular="book",
    words=("book", "books", "tome", "tomes"),
    fields=(
        FieldSpec("title", "title", words=("title",), is_lookup=True),
        FieldSpec("pages", "pages", "int", words=("pages",)),
    ),
    title=lambda row: f"#{row['book_id']} {row['title']}",
    default_order="title",
)


def make_pack() -> Pack:
    return Pack(
        name="shelf",
        title="Shelf",
        workers=(
            WorkerSpec(
                name="keeper",
                description="adds and finds books",
                prompt="You keep the shelf.",
                tools=tuple(item.name for item in TOOLS),
            ),
            WorkerSpec(
                name="writer",
                description="writes letters about books",
                prompt="You write letters.",
                tools=("find_books",),
                evaluate="always",
                check=check_letter,
                accept=store_letter,
            ),
        ),
        default_worker="keeper",
        tools=TOOLS,
        entities=(BOOKS,),
        migrations=Path(__file__).with_name("migrations"),
        load_prompt_context=load_profile,
    )
