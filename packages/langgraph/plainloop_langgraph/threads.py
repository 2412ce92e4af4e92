"""`/langgraph/threads`: conversations, their states, and what clients note down beside them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from starlette.responses import JSONResponse, Response

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import ConflictError, NotFoundError, ShapeError
from plainloop.agent.store.api import list_messages
from plainloop.agent.store.clients.names import fork_thread
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.store.runs import list_runs
from plainloop.server.http.endpoint import AppContext, encode_json
from plainloop.server.protocols.conversations import Conversations, create_thread
from plainloop.server.routes.conversations import ConversationRoutes
from plainloop.server.routes.shapes import EraseQuery

from .assistants import TOTAL_HEADER, list_assistants
from .interrupts import find_interrupt
from .messages import Placed, to_placed
from .shapes import HistoryInput, NewThread, StateInput, StateQuery, ThreadPatch, ThreadSearch
from .states import History
from .store import SPACE, FoundThread, load_metadata, save_metadata, search_threads

PATH: Final = "/langgraph/threads"
ONE: Final = PATH + "/{thread_id}"
_MOST_MESSAGES: Final = 1_000  # of one state
_FIELDS: Final = (
    *("thread_id", "created_at", "updated_at", "state_updated_at", "metadata", "status"),
    *("config", "values", "error", "interrupts"),
)


@dataclass(frozen=True, slots=True)
class Threads:
    """Finds conversations by their clients' ids, and loads their history."""

    app: AppContext

    @property
    def chats(self) -> Conversations:
        return Conversations(self.app, SPACE)

    async def find(self, request: ApiRequest, name: str) -> ThreadInfo:
        """Load the user's thread by its UUID, or by the id that an imported thread had.

        Raises: NotFoundError; ShapeError for what is no UUID either.
        """
        try:
            return await self.chats.find(request, to_name(name))
        except NotFoundError as error:
            read_uuid(name)
            raise NotFoundError(
                f"Thread with ID {name} not found",
                hint="Check the id; only threads of the same user are visible.",
            ) from error

    async def create(
        self, request: ApiRequest, name: str | None, metadata: Mapping[str, Any]
    ) -> tuple[ThreadInfo, bool]:
        """Create a thread; return it, and whether this call created it.

        name: its id at the client; None: our own.
        """
        if name is None:
            thread, is_new = await create_thread(request, ""), True
        else:
            thread, is_new = await self.chats.open(request, name, "")
            await self.chats.rename(request, name, thread.thread_id)
        await self.note(request, thread, metadata)
        return thread, is_new

    async def note(
        self,
        request: ApiRequest,
        thread: ThreadInfo,
        metadata: Mapping[str, Any],
        run_id: str | None = None,
    ) -> None:
        """Merge keys into the stored metadata of a thread, or of one of its runs."""
        async with request.store.transaction(request.tenant_id) as tx:
            await save_metadata(tx, thread.thread_id, run_id or thread.thread_id, metadata)

    @property
    def default_metadata(self) -> dict[str, str]:
        return list_assistants(self.app)[0].names

    async def load_placed(self, request: ApiRequest, thread: ThreadInfo) -> list[Placed]:
        """Load the thread's messages, converted to LangChain's."""
        stored = await list_messages(request.db, thread.thread_id, _MOST_MESSAGES, None)
        names = await self.chats.list_names(request, thread.thread_id)
        return to_placed(thread.thread_id, stored, names)

    async def load_history(self, request: ApiRequest, thread: ThreadInfo, name: str) -> History:
        """Load a thread's messages, metadata, last run and interrupt, for building its states."""
        runs = await list_runs(request.db, thread.thread_id)
        noted = await load_metadata(request.db, [thread.thread_id])
        asked = await self.chats.list_questions(request, thread)
        mine = [item for item in asked if not item.is_client]
        placed = await self.load_placed(request, thread)
        metadata = self.default_metadata | noted.get(thread.thread_id, {})
        last = runs[-1] if runs else None
        return History(thread, name, placed, metadata, last, find_interrupt(mine))


@dataclass(frozen=True, slots=True)
class ThreadRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        state = ONE + "/state"
        return (
            ApiRoute("POST", PATH, self.create, "Create a thread"),
            ApiRoute("POST", PATH + "/search", self.search, "Search threads"),
            ApiRoute("POST", PATH + "/count", self.count, "Count threads"),
            ApiRoute("GET", ONE, self.read, "Read a thread with its newest state"),
            ApiRoute("PATCH", ONE, self.change, "Add to a thread's metadata"),
            ApiRoute("DELETE", ONE, self.erase, "Erase a thread", status=204),
            ApiRoute("POST", ONE + "/copy", self.copy, "Copy a thread"),
            ApiRoute("GET", state, self.read_state, "Read a thread's newest state"),
            ApiRoute(
                "GET", state + "/{checkpoint_id}", self.read_state, "Read a state of a thread"
            ),
            ApiRoute("POST", state + "/checkpoint", self.find_state, "Read a state of a thread"),
            ApiRoute(
                "POST", ONE + "/history", self.list_states, "List a thread's states, newest first"
            ),
        )

    @property
    def _threads(self) -> Threads:
        return Threads(self.app)

    async def create(self, request: ApiRequest, body: NewThread) -> dict[str, Any]:
        name = None if body.thread_id is None else read_uuid(body.thread_id)
        if name is not None:
            with suppress(NotFoundError):
                thread = await self._threads.find(request, name)
                if body.if_exists == "raise":
                    raise ConflictError(
                        f"Thread {name} already exists",
                        hint="Send `if_exists: do_nothing` to use it.",
                        code="THREAD_EXISTS",
                    )
                return await self._show(request, thread, name)
        thread, _ = await self._threads.create(request, name, drop_nulls(body.metadata))
        return await self._show(request, thread, name or thread.thread_id)

    async def search(self, request: ApiRequest, body: ThreadSearch) -> Response:
        found = await self._search(request, body, body.limit)
        fields = [name for name in body.select or _FIELDS if name in _FIELDS]
        if {*fields} <= {"thread_id", "created_at", "updated_at", "metadata", "status"}:
            shown = [_show_found(item) for item in found]
        else:
            self._check_rows(len(found), "select only `thread_id`, `metadata`, `status` and times")
            shown: list[dict[str, Any]] = []
            for item in found:
                thread = await request.store.load_thread(*request.owner, item.thread_id)
                shown.append(await self._show(request, thread, item.name))
        # A page beyond the end has no row with the total.
        total = found[0].total if found else await self._count(request, body)
        content = [{name: item[name] for name in fields if name in item} for item in shown]
        return _to_json(content, {TOTAL_HEADER: str(total)})

    async def count(self, request: ApiRequest, body: ThreadSearch) -> JSONResponse:
        return JSONResponse(await self._count(request, body))

    async def read(self, request: ApiRequest) -> dict[str, Any]:
        name = to_name(request.params["thread_id"])
        return await self._show(request, await self._threads.find(request, name), name)

    async def change(self, request: ApiRequest, body: ThreadPatch) -> dict[str, Any]:
        name = to_name(request.params["thread_id"])
        thread = await self._threads.find(request, name)
        await self._threads.note(request, thread, body.metadata)
        return await self._show(request, thread, name)

    async def erase(self, request: ApiRequest) -> None:
        thread = await self._threads.find(request, request.params["thread_id"])
        asked = replace(request, params={"conversation_id": thread.thread_id})
        await ConversationRoutes(self.app).erase(asked, EraseQuery())

    async def copy(self, request: ApiRequest) -> dict[str, Any]:
        thread = await self._threads.find(request, request.params["thread_id"])
        noted = await load_metadata(request.db, [thread.thread_id])
        async with request.store.transaction(request.tenant_id) as tx:
            new = await fork_thread(tx, request.user_id, thread.thread_id, thread.messages)
            await save_metadata(tx, new.thread_id, new.thread_id, noted.get(thread.thread_id, {}))
        return await self._show(request, new, new.thread_id)

    async def read_state(self, request: ApiRequest, query: StateQuery) -> dict[str, Any]:
        return await self._read_state(request, request.params.get("checkpoint_id"))

    async def find_state(self, request: ApiRequest, body: StateInput) -> dict[str, Any]:
        return await self._read_state(request, body.checkpoint.checkpoint_id)

    async def list_states(self, request: ApiRequest, body: HistoryInput) -> Response:
        history = await self._load(request)
        end = len(history.counts) if history.placed else 0
        if body.checkpoint is not None and body.checkpoint.checkpoint_id is not None:
            end = history.find_index(body.checkpoint.checkpoint_id) + 1
        if (before := _read_before(body.before)) is not None:
            end = min(end, history.find_index(before))
        begin = max(0, end - body.limit)
        self._check_rows(end - begin, "get the rest with `before`")
        return _to_json([history.make_state(index) for index in reversed(range(begin, end))])

    def _check_rows(self, count: int, otherwise: str) -> None:
        """Refuse a page that holds the messages of too many rows. Raises: ShapeError."""
        # Not cut: a client that gets fewer rows than its `limit` takes the page for the last one
        # (test_a_page_of_threads_or_states_is_whole_or_refused).
        max_rows = self.app.settings.limits.page_rows
        if count > max_rows:
            raise ShapeError(
                f"`limit`: this page has {count} rows, more than {max_rows} (limits.page_rows)",
                hint=f"Use a `limit` of at most {max_rows}, or {otherwise}.",
                param="limit",
            )

    async def _search(
        self, request: ApiRequest, body: ThreadSearch, limit: int
    ) -> Sequence[FoundThread]:
        default = self._threads.default_metadata
        return await search_threads(request.db, request.user_id, body, limit, default)

    async def _count(self, request: ApiRequest, body: ThreadSearch) -> int:
        """Return how many threads match, whatever page the search names."""
        found = await self._search(request, msgspec.structs.replace(body, offset=0), 1)
        return found[0].total if found else 0

    async def _load(self, request: ApiRequest) -> History:
        name = to_name(request.params["thread_id"])
        thread = await self._threads.find(request, name)
        return await self._threads.load_history(request, thread, name)

    async def _read_state(self, request: ApiRequest, checkpoint_id: str | None) -> dict[str, Any]:
        history = await self._load(request)
        if checkpoint_id is None:
            return history.make_state(len(history.counts) - 1)
        return history.make_state(history.find_index(checkpoint_id))

    async def _show(self, request: ApiRequest, thread: ThreadInfo, name: str) -> dict[str, Any]:
        return _show_history(await self._threads.load_history(request, thread, name))


def to_name(text: str) -> str:
    """Convert a client's thread id to the form in which it is stored.

    UUIDs become canonical; other ids stay unchanged.
    """
    with suppress(ShapeError):
        return read_uuid(text)
    return text


def read_uuid(text: str) -> str:
    """Return a UUID in canonical form.

    Raises: ShapeError.
    """
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise ShapeError("Invalid thread ID: must be a UUID", param="thread_id") from error


def drop_nulls(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Drop the metadata's null values."""
    return {name: value for name, value in (metadata or {}).items() if value is not None}


def _read_before(before: Any) -> str | None:
    """Return the checkpoint's id from either of the forms in which clients send it."""
    if isinstance(before, dict):
        inside: Any = before.get("configurable", before)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        before = inside.get("checkpoint_id") if isinstance(inside, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return before if isinstance(before, str) else None


def _show_history(history: History) -> dict[str, Any]:
    thread, interrupt = history.thread, history.interrupt
    status = {"queued": "busy", "running": "busy", "waiting": "interrupted"}
    ended = "error" if history.error else "idle"
    run = history.run
    return {
        "thread_id": history.name,
        "created_at": thread.created_at,
        "updated_at": thread.updated_at,
        "state_updated_at": thread.updated_at,
        "metadata": history.metadata,
        "status": status.get(run.status, ended) if run else "idle",
        "config": {},
        "values": history.values,
        "error": history.error,
        "interrupts": {run.run_id: [interrupt]} if run and interrupt else {},
    }


def _show_found(found: FoundThread) -> dict[str, Any]:
    return {
        "thread_id": found.name,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "metadata": found.metadata,
        "status": found.status,
    }


def _to_json(content: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encode_json(content), media_type="application/json", headers=headers)
