"""One's own memories over HTTP: seen, searched, written, corrected, erased."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct, convert

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import ConflictError, InputError, NotFoundError
from plainloop.agent.store.database import Row

from .settings import MemorySettings
from .store import (
    NewMemory,
    correct_memory,
    delete_memories,
    delete_memory,
    list_memories,
    load_memory,
    save_memory,
    search_memories,
)
from .texts import fit_text

_MOST_DIGITS = 18


class Memory(Struct):
    """A memory as the API shows it, with the message that it comes from."""

    memory_id: int
    version: int  # 1, 2, 3 …: each correction adds one
    text: str
    is_untrusted: bool  # words of somebody outside: no prompt shows it, `recall` finds it
    conversation_id: str | None  # null: the user wrote it
    run_id: str | None
    position: int | None  # of the message in the conversation, 0, 1, 2 …
    created_at: datetime  # of this version


class Memories(Struct):
    memories: list[Memory]  # the newest first; of a search the best first
    most: int  # that a user may have


class MemoryText(Struct, forbid_unknown_fields=True):
    text: str


class MemoryQuery(Struct):
    q: Annotated[str, Meta(max_length=300)] = ""  # words to search for; "": all


class Erased(Struct):
    count: int


def to_memory(row: Row) -> Memory:
    return convert({**row, "conversation_id": row["thread_id"]}, Memory)


async def list_all(request: ApiRequest, query: MemoryQuery) -> Memories:
    most = request.settings.get_table(MemorySettings).most
    if query.q.strip():
        rows = await search_memories(request.db, *request.owner, query.q, most)
    else:
        rows = await list_memories(request.db, *request.owner)
    return Memories([to_memory(row) for row in rows], most)


async def load_one(request: ApiRequest) -> Memory:
    memory_id = read_id(request)
    row = await load_memory(request.db, *request.owner, memory_id)
    if row is None:
        raise make_missing(memory_id)
    return to_memory(row)


async def add(request: ApiRequest, body: MemoryText) -> Memory:
    most = request.settings.get_table(MemorySettings).most
    new = NewMemory(check_text(request, body.text))
    async with request.store.transaction(request.tenant_id) as db:
        saved = await save_memory(db, *request.owner, new, most)
    if saved is None:
        hint = "Delete some, or raise AGENT_MEMORY_MOST."
        raise ConflictError(f"the user already has {most} memories", hint=hint, code="MEMORY_FULL")
    return to_memory(saved[0])


async def correct(request: ApiRequest, body: MemoryText) -> Memory:
    memory_id = read_id(request)
    new = NewMemory(check_text(request, body.text))
    async with request.store.transaction(request.tenant_id) as db:
        row = await correct_memory(db, *request.owner, memory_id, new)
    if row is None:
        raise make_missing(memory_id)
    return to_memory(row)


async def erase_one(request: ApiRequest) -> None:
    memory_id = read_id(request)
    async with request.store.transaction(request.tenant_id) as db:
        is_gone = await delete_memory(db, *request.owner, memory_id)
    if not is_gone:
        raise make_missing(memory_id)


async def erase_all(request: ApiRequest) -> Erased:
    async with request.store.transaction(request.tenant_id) as db:
        return Erased(await delete_memories(db, *request.owner))


def check_text(request: ApiRequest, text: str) -> str:
    """Return a memory's text as one line.

    Raises: InputError if it is empty or too long.
    """
    most = request.settings.get_table(MemorySettings).text_chars
    kept = fit_text(text)
    if not 1 <= len(kept) <= most:
        hint = "Shorten it, or raise AGENT_MEMORY_TEXT_CHARS."
        raise InputError(f"a memory must have 1 to {most} characters", hint=hint)
    return kept


def read_id(request: ApiRequest) -> int:
    """Return the memory's id in the request's path.

    Raises: NotFoundError if it is not a number.
    """
    given = request.params["memory_id"]
    if not (given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS):
        raise make_missing(given)
    return int(given)


def make_missing(memory_id: int | str) -> NotFoundError:
    return NotFoundError(
        f"there is no memory {memory_id}",
        hint="Check the id; only memories of the same user are visible.",
    )


ROUTES = (
    ApiRoute("GET", "/api/memories", list_all, "List or search your memories"),
    ApiRoute("POST", "/api/memories", add, "Add a memory", status=201),
    ApiRoute("DELETE", "/api/memories", erase_all, "Delete all your memories"),
    ApiRoute("GET", "/api/memories/{memory_id}", load_one, "Read a memory"),
    ApiRoute("PATCH", "/api/memories/{memory_id}", correct, "Correct a memory"),
    ApiRoute("DELETE", "/api/memories/{memory_id}", erase_one, "Erase a memory", status=204),
)
