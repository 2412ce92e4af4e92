"""`/langgraph/threads/{id}/runs`: runs that are begun, watched, waited for, answered, stopped.

An answer to an interrupt does not begin a run: the one that waits goes on, under its own id.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import orjson
from starlette.responses import JSONResponse, Response

from plainloop.agent.base.messages.contents import get_text, list_files
from plainloop.agent.base.messages.files import read_files
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import AgentError, ConflictError, NotFoundError, ShapeError
from plainloop.agent.events import WAITING, Event
from plainloop.agent.store.records import RunInfo, ThreadInfo
from plainloop.agent.store.runs import list_runs
from plainloop.agent.types import RunOptions, WhenBusy
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import RUN_HEADER, EventStream, open_stream
from plainloop.server.protocols.encoder import follow_run, list_questions
from plainloop.server.protocols.pasts import Placed, bring_past
from plainloop.server.routes.branching import find_question
from plainloop.server.settings import ServerLimits

from .asking import read_input
from .assistants import Assistant, find_assistant
from .encoder import BEGINNING, Cursor, FrameWriter, RunEncoder, read_cursor
from .interrupts import read_resume
from .shapes import CancelQuery, JoinQuery, RunInput, RunsQuery
from .store import load_metadata
from .threads import ONE, Threads, drop_nulls, read_uuid, to_name

RUNS: Final = ONE + "/runs"
RUN: Final = RUNS + "/{run_id}"
_STATUS: Final = {
    "queued": "pending",
    "running": "running",
    "waiting": "interrupted",
    "succeeded": "success",
    "cancelled": "interrupted",
    "failed": "error",
    "limit": "error",
}
_STOPPING_HINT: Final = "Read the thread in a moment; its state will contain the answer."


@dataclass(frozen=True, slots=True)
class Turn:
    """The run that answers a request.

    name: the thread's id at its client. after: for a resumed run, the last event sent before.
    is_ended: cancelled by this request, so that its end is no error.
    """

    run_id: str
    thread: ThreadInfo
    name: str
    assistant: Assistant
    after: Cursor = BEGINNING
    is_ended: bool = False

    @property
    def path(self) -> str:
        """Return the run's path below the server's base URL."""
        return f"/threads/{self.name}/runs/{self.run_id}"


@dataclass(frozen=True, slots=True)
class RunRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        most = self.app.settings.get_table(ServerLimits).message_bytes
        return (
            ApiRoute("POST", RUNS, self.create, "Start a run", max_bytes=most),
            ApiRoute(
                "POST", RUNS + "/stream", self.stream, "Start a run and stream it", max_bytes=most
            ),
            ApiRoute(
                "POST", RUNS + "/wait", self.wait, "Start a run and wait for it", max_bytes=most
            ),
            ApiRoute(
                "POST",
                "/langgraph/runs",
                self.create,
                "Start a run in a new thread",
                max_bytes=most,
            ),
            ApiRoute(
                *("POST", "/langgraph/runs/stream", self.stream, "Start a run in a new thread"),
                max_bytes=most,
            ),
            ApiRoute(
                *("POST", "/langgraph/runs/wait", self.wait, "Start a run in a new thread"),
                max_bytes=most,
            ),
            ApiRoute("GET", RUNS, self.list_page, "List a thread's runs, newest first"),
            ApiRoute("GET", RUN, self.read, "Read a run"),
            ApiRoute("GET", RUN + "/stream", self.join_stream, "Join a run's stream"),
            ApiRoute("GET", RUN + "/join", self.join, "Wait for a run to end"),
            ApiRoute("POST", RUN + "/cancel", self.cancel, "Stop a run"),
        )

    @property
    def _threads(self) -> Threads:
        return Threads(self.app)

    async def create(self, request: ApiRequest, body: RunInput) -> Response:
        turn = await self._begin(request, body)
        run = await self._load(request, turn.run_id)
        [shown] = await self._show(request, turn.name, [run])
        return JSONResponse(shown, headers={"content-location": turn.path})

    async def stream(self, request: ApiRequest, body: RunInput) -> EventStream:
        turn = await self._begin(request, body)
        cancels = body.on_disconnect == "cancel"
        return self._watch(request, turn, body.modes, turn.after, cancels=cancels)

    async def wait(self, request: ApiRequest, body: RunInput) -> Response:
        return await self._wait(request, await self._begin(request, body))

    async def list_page(self, request: ApiRequest, query: RunsQuery) -> list[dict[str, Any]]:
        name = to_name(request.params["thread_id"])
        thread = await self._threads.find(request, name)
        runs = reversed(await list_runs(request.db, thread.thread_id))
        wanted = [run for run in runs if query.status in (None, _STATUS[run.status])]
        return await self._show(request, name, wanted[query.offset :][: query.limit])

    async def read(self, request: ApiRequest) -> dict[str, Any]:
        turn = await self._find(request)
        run = await self._load(request, turn.run_id)
        [shown] = await self._show(request, turn.name, [run])
        return shown

    async def join_stream(self, request: ApiRequest, query: JoinQuery) -> EventStream:
        turn, after = await self._find(request), request.headers.get("last-event-id", "")
        cancels = query.cancel_on_disconnect
        return self._watch(request, turn, query.modes, read_cursor(after), cancels=cancels)

    async def join(self, request: ApiRequest) -> Response:
        return await self._wait(request, await self._find(request))

    async def cancel(self, request: ApiRequest, query: CancelQuery) -> Response:
        turn = await self._find(request)
        active = await self.app.runs.find_active(*request.owner, turn.thread.thread_id)
        if active == turn.run_id:
            await self.app.runs.cancel(*request.owner, turn.thread.thread_id)
        elif (await self._load(request, turn.run_id)).ended_at is None:
            raise ConflictError(
                "the run is queued, so it cannot be cancelled",
                hint="Cancel the active run of the thread first.",
            )
        if not query.wait:
            return Response(status_code=202)
        await follow_run(self.app, request, turn.run_id, _STOPPING_HINT)
        return JSONResponse({})

    async def _begin(self, request: ApiRequest, body: RunInput) -> Turn:
        """Start the run that answers the request, or resume a waiting one.

        Raises: ShapeError, NotFoundError, ConflictError, and as `AppContext.submit`.
        """
        assistant = find_assistant(self.app, body.assistant_id)
        body.read_tags(request.settings.limits)
        named = request.params.get("thread_id")
        name = None if named is None else to_name(named)

        async def begin(thread: ThreadInfo, _: bool) -> Turn:
            at = (assistant, thread, name or thread.thread_id)
            if body.command and "resume" in body.command:
                return await self._answer(request, body, *at)
            if body.ends_question:
                return await self._end_question(request, *at)
            return await self._ask(request, body, *at)

        opening = partial(self._open, request, body, name)
        return await self._threads.chats.begin_in(request, name or "", opening, begin)

    async def _ask(
        self,
        request: ApiRequest,
        body: RunInput,
        assistant: Assistant,
        thread: ThreadInfo,
        name: str,
    ) -> Turn:
        """Start the run that answers a user's message, or one that precedes the named state."""
        chats, known, key = self._threads.chats, None, None
        history = await self._threads.load_history(request, thread, name)
        sent = {item.message["id"] for item in history.placed}
        asked = read_input(body.input, sent, history.open_calls)
        if asked is not None and asked.message_id is not None:
            key = chats.make_key(name, body.state or "", asked.message_id)
            known = await request.store.load_run_by_key(*request.owner, key)
        if known is not None:  # sent again: joined, or refused if its content differs
            thread, place = await request.store.load_thread(*request.owner, known.thread_id), None
        elif body.state is None:
            place = None  # the end
        else:
            index = history.find_index(body.state)
            is_end = index == len(history.counts) - 1 and body.input is not None
            place = None if is_end else history.counts[index]
        if asked is None:
            if place is None:
                raise ShapeError(
                    "input.messages is empty: there is no message to answer",
                    hint="Send at least one message.",
                )
            place, said = await find_question(
                *(request.store, request.owner, thread, max(0, place - 1))
            )
            text, files = get_text(said), list_files(said)
        else:
            text, files = asked.text, read_files(asked.files, request.settings)
        if not (text.strip() or files):
            raise ShapeError("the message is empty", hint="Write a question.", param="input")
        busy = await self._choose_when_busy(request, thread, body)
        if place is not None:
            thread = await chats.fork(request, thread, place, name, stops=False)
        placed = Placed(thread)
        if asked is not None and asked.before and known is None:
            unsaid = await bring_past(chats, request, thread, asked.before, sent)
            placed = Placed(thread, unsaid)
        options = RunOptions(tags=body.read_tags(request.settings.limits))
        wanted = placed.make_request(text, files, request.settings)
        wanted = replace(
            wanted, idempotency_key=key, when_busy=busy, design=assistant.design, options=options
        )
        ticket = await self.app.submit(*request.owner, thread, wanted)
        if asked is not None and asked.message_id is not None:
            await chats.remember(request, ticket.run_id, asked.message_id)
        await self._threads.note(request, thread, assistant.names)
        await self._threads.note(request, thread, drop_nulls(body.metadata), ticket.run_id)
        return Turn(ticket.run_id, thread, name, assistant)

    async def _open(
        self, request: ApiRequest, body: RunInput, name: str | None
    ) -> tuple[ThreadInfo, bool]:
        """Return the thread to run in, by its id at the client, and whether it was created now."""
        if name is None:
            if body.command or body.state:
                raise ShapeError(
                    "command.resume needs a thread", hint="Send it to /threads/{thread_id}/runs."
                )
            return await self._threads.create(request, None, {})
        try:
            return await self._threads.find(request, name), False
        except NotFoundError:
            if body.if_not_exists == "reject":
                raise
            return await self._threads.create(request, name, {})

    async def _choose_when_busy(
        self, request: ApiRequest, thread: ThreadInfo, body: RunInput
    ) -> WhenBusy:
        """Choose what to do if the thread is busy; a pending question is given up instead."""
        asked = await self._threads.chats.list_questions(request, thread)
        if any(item.status == "pending" for item in asked):
            return await self._threads.chats.choose_when_busy(request, thread)
        told = body.multitask_strategy
        return "enqueue" if told is None or told == "rollback" else told

    async def _answer(
        self,
        request: ApiRequest,
        body: RunInput,
        assistant: Assistant,
        thread: ThreadInfo,
        name: str,
    ) -> Turn:
        """Decide the thread's pending approvals as `command.resume` states, and resume its run."""
        if body.input:
            raise ShapeError("send either `input` or `command.resume`, not both", param="command")
        runs = await list_runs(request.db, thread.thread_id)
        if not runs:
            raise ConflictError(
                "the thread has no pending interrupt",
                hint="It was answered or has expired; send `input` instead.",
                code="NO_INTERRUPT",
            )
        active = await self.app.runs.find_active(*request.owner, thread.thread_id)
        run_id = active or runs[-1].run_id
        if body.state is not None:
            history = await self._threads.load_history(request, thread, name)
            if history.find_index(body.state) != len(history.counts) - 1:
                told = "the thread has changed since the state that this interrupt belongs to"
                raise ConflictError(told, code="QUESTION_UNNAMED")
        asked = await self.app.runs.list_approvals(*request.owner, run_id)
        resume: Any = (body.command or {}).get("resume")
        decided = read_resume(resume, asked, is_named=body.state is not None)
        for item, decision in decided:
            told = (item.approval_id, decision.is_approved, request.user_id, decision.reason)
            await self.app.runs.decide_approval(*request.owner, run_id, *told)
        events = await request.store.load_events(request.tenant_id, run_id)
        ids = {item.approval_id for item, _ in decided}
        asking = list_questions(events)
        seqs = [item["seq"] for item in asking if item["data"].get("approval_id") in ids]
        after = Cursor(max(seqs, default=0))
        return Turn(run_id, thread, name, assistant, after)

    async def _end_question(
        self, request: ApiRequest, assistant: Assistant, thread: ThreadInfo, name: str
    ) -> Turn:
        """Cancel the run whose approvals are pending. Raises: ConflictError NO_INTERRUPT."""
        asked = await self._threads.chats.list_questions(request, thread)
        waiting = [item for item in asked if item.status == "pending"]
        if not waiting:
            raise ConflictError(
                "the thread has no pending interrupt",
                hint="It was answered or has expired; send `input` instead.",
                code="NO_INTERRUPT",
            )
        run_id = waiting[0].run_id
        events = await request.store.load_events(request.tenant_id, run_id)
        await self.app.runs.cancel(*request.owner, thread.thread_id)
        return Turn(run_id, thread, name, assistant, Cursor(events[-1]["seq"]), is_ended=True)

    async def _find(self, request: ApiRequest) -> Turn:
        """Find the path's run. Raises: NotFoundError, also for another thread's run."""
        name = to_name(request.params["thread_id"])
        thread = await self._threads.find(request, name)
        run_id = read_uuid(request.params["run_id"])
        with suppress(NotFoundError):
            run = await self._load(request, run_id)
            if run.thread_id == thread.thread_id:
                noted = await load_metadata(request.db, [run.thread_id])
                return Turn(run_id, thread, name, self._read_assistant(noted, run))
        raise NotFoundError(
            f"Run with ID {run_id} not found",
            hint="Check both ids; only runs of the same user are visible.",
        )

    def _read_assistant(self, noted: Mapping[str, Mapping[str, Any]], run: RunInfo) -> Assistant:
        """Return the assistant in the metadata of the run's thread, else the run's design."""
        name = noted.get(run.thread_id, {}).get("graph_id")
        with suppress(ShapeError):
            return find_assistant(self.app, str(name))
        return Assistant(run.design, run.design)

    async def _load(self, request: ApiRequest, run_id: str) -> RunInfo:
        return await request.store.load_run(*request.owner, run_id)

    async def _show(
        self, request: ApiRequest, name: str, runs: Sequence[RunInfo]
    ) -> list[dict[str, Any]]:
        """Build the client's view of a thread's runs, with one query for all metadata."""
        ids = dict.fromkeys(key for run in runs for key in (run.thread_id, run.run_id))
        noted = await load_metadata(request.db, [*ids])
        shown: list[dict[str, Any]] = []
        for run in runs:
            assistant = self._read_assistant(noted, run)
            shown.append(
                {
                    "run_id": run.run_id,
                    "thread_id": name,
                    "assistant_id": assistant.assistant_id,
                    "metadata": {**assistant.names, **noted.get(run.run_id, {})},
                    "status": _STATUS[run.status],
                    "kwargs": {},
                    "multitask_strategy": "enqueue",
                    "created_at": run.created_at.isoformat(),
                    "updated_at": (run.ended_at or run.created_at).isoformat(),
                }
            )
        return shown

    def _watch(
        self,
        request: ApiRequest,
        turn: Turn,
        modes: tuple[str, ...],
        after: Cursor,
        *,
        cancels: bool,
    ) -> EventStream:
        names = {"run_id": turn.run_id, "thread_id": turn.name, **turn.assistant.names}
        encoder = RunEncoder(names, modes, tells_stop=not turn.is_ended)
        asked = "&".join(f"stream_mode={mode}" for mode in modes)
        return open_stream(
            self.app,
            request,
            self._feed(request, turn, encoder, cancels=cancels),
            headers={
                RUN_HEADER: turn.run_id,
                "content-location": turn.path,
                "location": f"{turn.path}/stream?{asked}",
            },
            writer=FrameWriter(encoder, modes, after, is_answer=turn.after != BEGINNING),
        )

    async def _feed(
        self, request: ApiRequest, turn: Turn, encoder: RunEncoder, *, cancels: bool
    ) -> AsyncGenerator[list[Event]]:
        """Yield a run's events, and load the thread's history when the run begins.

        cancels: a client that disconnects cancels the run.
        """
        try:
            async for events in self.app.runs.watch_turn(*request.owner, turn.run_id):
                if not encoder.history and any(item["event"] == "run_start" for item in events):
                    # What was said up to the message that the run answers.
                    run = await self._load(request, turn.run_id)
                    placed = await self._threads.load_placed(request, turn.thread)
                    encoder.history = [
                        orjson.Fragment(orjson.dumps(item.message))
                        for item in placed
                        if item.position <= run.input_position
                    ]
                yield events
        except (asyncio.CancelledError, GeneratorExit):
            if cancels:
                stopping = asyncio.ensure_future(self._stop(request, turn))
                _STOPPING.add(stopping)
                stopping.add_done_callback(_STOPPING.discard)
            raise

    async def _stop(self, request: ApiRequest, turn: Turn) -> None:
        with suppress(AgentError):
            active = await self.app.runs.find_active(*request.owner, turn.thread.thread_id)
            if active == turn.run_id:
                await self.app.runs.cancel(*request.owner, turn.thread.thread_id)

    async def _wait(self, request: ApiRequest, turn: Turn) -> Response:
        """Answer the thread's state with which the run ends or waits for its user.

        Other runs may have followed by then: their messages are none of this run's.
        """
        last = await follow_run(self.app, request, turn.run_id, _STOPPING_HINT)
        thread = await self._threads.find(request, turn.name)
        history = await self._threads.load_history(request, thread, turn.name)
        values: dict[str, Any] = history.get_values_of(turn.run_id) or {}
        if last["event"] == "error":
            told = {"error": last["data"]["code"], "message": last["data"]["message"]}
            values = {**values, "__error__": told}
        if history.interrupt is not None and last["event"] in WAITING:
            values = {**values, "__interrupt__": [history.interrupt]}
        location = {"location": f"{turn.path}/join", "content-location": turn.path}
        return Response(orjson.dumps(values), media_type="application/json", headers=location)


_STOPPING: Final[set[asyncio.Future[None]]] = set()  # so that nobody forgets them half-way
