"""What clients do with tasks: send, read, list, cancel, watch. A task is a run of a thread."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import msgspec
import orjson
from msgspec import Meta, Struct

from plainloop.agent.base.ids import get_question_code
from plainloop.agent.base.messages.contents import get_text, name_files
from plainloop.agent.base.messages.files import ToldFile, read_files
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.service.consents import read_consent
from plainloop.agent.service.runs import RunTicket, ViewerDropped
from plainloop.agent.store.approvals import choose_pending, word_pending
from plainloop.agent.store.clients.names import Place, find_place, load_positions, save_place
from plainloop.agent.store.database import Row
from plainloop.agent.store.records import Approval, RunInfo, ThreadInfo
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.threads import load_run_messages
from plainloop.agent.types import RunRequest
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.conversations import Conversations, begin_once
from plainloop.server.protocols.encoder import Frame, encode_events
from plainloop.server.protocols.files import make_file

from .encoder import State, TaskEncoder, get_state, to_timestamp
from .errors import A2aError, make_push_refusal

SQL: Final = load_sql(Path(__file__).parent / "sql" / "tasks.sql")
# The space of a task's messages that decided something, with a checksum of what they say.
_DECISIONS: Final = "a2a.decision"
# Some of them no task of ours is ever in.
_STATES: Final = (*get_args(State), "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED")
_MODES: Final = frozenset({"text", "text/plain", "text/markdown", "text/*", "*/*"})  # of answers
_CODE: Final = re.compile(r"\b[0-9a-f]{12}\b")


class Part(Struct, rename="camel"):
    text: str | None = None
    data: Any = None
    raw: Any = None  # a file's bytes in base64
    url: Any = None  # where a file is
    media_type: Any = None
    filename: Any = None
    older: Any = msgspec.field(default=None, name="file")  # of 0.3: all three in one

    @property
    def words(self) -> str | None:
        """Return the part's content as text: its text, or its data as JSON; None for a file."""
        return self.text if self.data is None else orjson.dumps(self.data).decode()

    def read_file(self) -> ToldFile | None:
        """Return the file in this part, or None if it has none. Raises: InputError."""
        if told := as_object(self.older):
            data = told.get("bytes", told.get("uri"))
            return make_file(data, told.get("name"), told.get("mimeType"))
        data = self.url if self.raw is None else self.raw
        return None if data is None else make_file(data, self.filename, self.media_type)


class TaskMessage(Struct, rename="camel"):
    message_id: Annotated[str, Meta(min_length=1, max_length=200)]
    parts: Annotated[list[Part], Meta(min_length=1)]
    role: str
    task_id: str = ""
    context_id: str = ""

    @property
    def text(self) -> str:
        return "\n".join(part.words for part in self.parts if part.words is not None)


# None is given, which any number allows; a negative one is an error all the same.
HistoryLength = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Configuration(Struct, rename="camel"):
    history_length: HistoryLength | None = None
    return_immediately: bool = False
    blocking: bool = True  # the same in 0.3, the other way round
    accepted_output_modes: list[str] = []
    task_push_notification_config: Any = None
    push_notification_config: Any = None  # the same in 0.3

    def check(self) -> None:
        """Refuse options that are not supported. Raises: A2aError."""
        if self.task_push_notification_config or self.push_notification_config:
            raise make_push_refusal()
        modes = self.accepted_output_modes
        if modes and not _MODES.intersection(mode.partition(";")[0].strip() for mode in modes):
            told = "answers are only available as text/plain: add it to acceptedOutputModes"
            raise A2aError("CONTENT_TYPE_NOT_SUPPORTED", told)


class SendRequest(Struct):
    """Parameters of SendMessage and SendStreamingMessage."""

    message: TaskMessage
    configuration: Configuration = msgspec.field(default_factory=Configuration)


class TaskQuery(Struct, rename="camel"):
    """Parameters of GetTask."""

    id: str = ""
    history_length: HistoryLength | None = None
    tenant: str | None = None


class ListQuery(Struct, rename="camel"):
    """Parameters of ListTasks."""

    context_id: str | None = None
    status: str | None = None  # TASK_STATE_…
    page_size: Annotated[int, Meta(ge=1, le=100)] = 50
    page_token: Annotated[str, Meta(pattern=r"^\d{0,6}$")] = ""  # how many came before
    history_length: HistoryLength | None = None
    include_artifacts: bool = False
    status_timestamp_after: datetime | None = None
    tenant: str | None = None

    def check(self) -> None:
        """Check the query's state. Raises: A2aError for an unknown one."""
        if self.status not in (None, "", "TASK_STATE_UNSPECIFIED", *_STATES):
            known = ", ".join(_STATES)
            told = f"`status` must be one of {known}, not {str(self.status)[:40]!r}"
            raise A2aError("INVALID_PARAMS", told)

    @property
    def since(self) -> datetime | None:
        at = self.status_timestamp_after
        return at if at is None or at.tzinfo else at.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Tasks:
    """Serves the A2A tasks of the requesting user."""

    app: AppContext
    request: ApiRequest

    async def send(self, sent: SendRequest) -> RunInfo:
        """Start the run for a message, or join or resume one. Raises: A2aError, AgentError."""
        message = sent.message
        sent.configuration.check()
        if message.task_id:
            return await self._decide(message)
        text = message.text
        told = [file for part in message.parts if (file := part.read_file())]
        files = read_files(told, self.request.settings)
        if not text.strip() and not files:
            raise A2aError("CONTENT_TYPE_NOT_SUPPORTED", "the message must contain text or files")
        title = text.strip() or name_files(files)

        async def submit(thread: ThreadInfo, key: str) -> RunTicket:
            asked = RunRequest(text, files, key, "enqueue")
            return await self.app.submit(*self.request.owner, thread, asked)

        async def begin(thread: ThreadInfo | None, is_new: bool) -> RunTicket:
            thread_id = thread and thread.thread_id
            if thread_id and is_new:
                await self._chats.rename(self.request, message.context_id, thread_id)
            key = await self._make_key(message, thread_id)
            own = (self.app, self.request, key, thread_id, title)
            return await begin_once(*own, partial(submit, key=key))

        if context := message.context_id:
            opening = partial(self._chats.open, self.request, context, title)
            ticket = await self._chats.begin_in(self.request, context, opening, begin)
        else:
            ticket = await begin(None, False)
        return await self.load(ticket.run_id)

    @property
    def _chats(self) -> Conversations:
        return Conversations(self.app, "a2a")

    async def name_context(self, thread_id: str) -> str:
        """Return the A2A context id that stands for a thread, the client's own if it chose one."""
        request = self.request
        names = await load_positions(request.db, request.user_id, ("a2a",), thread_id)
        return next(iter(names), thread_id)

    async def _make_key(self, message: TaskMessage, thread_id: str | None) -> str:
        """Make the idempotency key of a message, whose id is unique only within its context."""
        key = f"a2a:{message.message_id}"
        if thread_id is None:
            return key
        known = await self.request.store.load_run_by_key(*self.request.owner, key)
        if known is not None and known.thread_id == thread_id:
            return key
        return hashlib.sha256(f"{key}\0{thread_id}".encode()).hexdigest()

    async def load(self, task_id: str) -> RunInfo:
        """Load a task's run. Raises: A2aError for an unknown task, and for another user's."""
        try:
            return await self.request.store.load_run(*self.request.owner, task_id)
        except NotFoundError as error:
            told = f"task not found: {task_id[:80]}; check the id: only the same user's are visible"
            raise A2aError("TASK_NOT_FOUND", told) from error

    async def read(self, run: RunInfo, history_length: int | None = None) -> Frame:
        """Return the A2A task for a run, with its newest messages."""
        encoder = TaskEncoder(run.run_id, await self.name_context(run.thread_id))
        told = await self.request.store.load_events(self.request.tenant_id, run.run_id)
        encode_events(encoder, told)
        if not told:  # begun, and nothing is written of it yet
            encoder.state = get_state(run.status, run.error_code)
        task = encoder.build_task()
        task["status"]["timestamp"] = to_timestamp(await self._find_change(run))
        if history_length:
            at, is_stored = run.input_position, run.status != "queued"
            db = self.request.db
            first = await load_run_messages(db, run.run_id, at, at) if is_stored else {}
            texts = map(get_text, first.values())
            said = [encoder.build_message("begin", "ROLE_USER", text) for text in texts]
            task["history"] = [*said, *encoder.exchange][-history_length:]
        return task

    async def _find_change(self, run: RunInfo) -> datetime:
        """Return when the task last changed its state: it ended, asked its user, or began."""
        if run.status != "waiting":
            return run.ended_at or run.created_at
        asked = await self.app.runs.list_approvals(*self.request.owner, run.run_id)
        return max([item.created_at for item in asked], default=run.created_at)

    async def wait(self, run: RunInfo, history_length: int | None = None) -> Frame:
        """Wait until the task ends or needs its user's input; return the task."""
        batches = self.app.runs.watch_turn(*self.request.owner, run.run_id)
        # Who is dropped is told by what is stored.
        with self.app.streams.held(*self.request.owner), suppress(ViewerDropped):
            async with aclosing(batches):
                async for _ in batches:
                    pass
        return await self.read(await self.load(run.run_id), history_length)

    async def list(self, asked: ListQuery) -> Frame:
        """List the user's tasks that match the query, latest change first. Raises: A2aError."""
        asked.check()
        thread, rows, begin = None, list[Row](), int(asked.page_token or 0)
        if asked.context_id:
            with suppress(NotFoundError):
                thread = await self._chats.find(self.request, asked.context_id)
        if thread is not None or not asked.context_id:
            thread_id = thread and thread.thread_id
            rows = await self.request.db.fetch(
                SQL["list_tasks"], *self.request.owner, thread_id, asked.since
            )
        found = [
            row["run_id"]
            for row in rows
            if asked.status not in _STATES
            or get_state(row["status"], row["error_code"]) == asked.status
        ]
        end = begin + asked.page_size
        runs = [await self.load(str(run_id)) for run_id in found[begin:end]]
        tasks = [await self.read(run, asked.history_length) for run in runs]
        if not asked.include_artifacts:
            for task in tasks:
                task.pop("artifacts", None)
        return {
            "tasks": tasks,
            "nextPageToken": str(end) if end < len(found) else "",
            "pageSize": len(tasks),  # of this response, as the protocol's TCK checks it
            "totalSize": len(found),
        }

    async def cancel(self, run: RunInfo) -> Frame:
        """Cancel a task. Raises: A2aError if it has ended or is still queued."""
        active = await self.app.runs.find_active(*self.request.owner, run.thread_id)
        if run.ended_at is not None or active != run.run_id:
            told = "the task is not active, so it cannot be cancelled; read its state with GetTask"
            raise A2aError("TASK_NOT_CANCELABLE", told)
        await self.app.runs.cancel(*self.request.owner, run.thread_id)
        return await self.wait(run)

    async def _decide(self, message: TaskMessage) -> RunInfo:
        """Resume a task that waits for its user, by the message's decisions."""
        run = await self.load(message.task_id)
        context = await self.name_context(run.thread_id)
        if message.context_id not in ("", run.thread_id, context):
            raise A2aError(
                "INVALID_PARAMS",
                "the task belongs to another context: send its contextId, or leave that field out",
            )
        sent = (self.request.user_id, f"{_DECISIONS}:{run.run_id}", message.message_id)
        content = zlib.crc32(msgspec.json.encode(message.parts)) >> 1
        if (place := await find_place(self.request.db, *sent)) is not None:
            if place.position == content:
                return run  # sent again, by hand or by an SDK: it has decided what it was for
            raise A2aError(
                "INVALID_PARAMS",
                "this messageId was used for another message of the task: use a new id",
            )
        runs, owner = self.app.runs, self.request.owner
        listed = await runs.list_approvals(*owner, run.run_id)
        pending = [item for item in listed if item.status == "pending"]
        if not pending:
            raise A2aError(
                "UNSUPPORTED_OPERATION", "the task is not waiting for input: start a new task"
            )
        try:
            decisions = _read_decisions(message, listed)
            for item, approve in decisions:
                decided = (item.approval_id, approve, self.request.user_id)
                await runs.decide_approval(*owner, run.run_id, *decided)
        except ConflictError as error:
            now = f"The pending question is: {word_pending(pending)}"
            raise A2aError("UNSUPPORTED_OPERATION", f"{error.public_message}. {now}") from error
        if not decisions:
            return run  # the question is still open, and the task's status asks it again
        async with self.request.store.transaction(self.request.tenant_id) as tx:
            await save_place(tx, *sent, Place(run.thread_id, content))
        return await self.load(run.run_id)


def _read_decisions(
    message: TaskMessage, listed: Sequence[Approval]
) -> list[tuple[Approval, bool]]:
    """Yes or no for the questions that it names, by `{"approvals": {id: true}}` or `yes CODE`;
    without a name for all that is asked, where nothing was asked before. listed: all that the task
    has asked. []: it is no clear answer, and decides nothing.

    Raises: A2aError for what an agent says; ConflictError QUESTION_UNNAMED.
    """
    if message.role.removeprefix("ROLE_").lower() == "agent":
        raise A2aError(
            "INVALID_PARAMS",
            "only a message with the role ROLE_USER can approve or deny a tool call",
        )
    for part in message.parts:
        given = as_object(part.data)
        by_id = as_object(given.get("approvals"))
        if found := [item for item in listed if item.approval_id in by_id]:
            return [(item, by_id[item.approval_id] is True) for item in found]
        if isinstance(given.get("approve"), bool):
            return [(item, given["approve"]) for item in choose_pending(listed)]
    if any(part.text is None for part in message.parts):
        return []
    said = message.text.lower()
    codes = _CODE.findall(said)
    approve = read_consent(_CODE.sub(" ", said))
    by_code = {get_question_code(item.approval_id): item for item in listed}
    if approve is None or not by_code.keys() >= {*codes}:
        return []
    meant = [by_code[code] for code in codes] or choose_pending(listed)
    return [(item, approve) for item in meant]
