"""What designs and packs see of the service: bound to one tenant, user and pack."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from ..base.finishing import end_tasks
from ..base.messages.contents import get_text
from ..base.text.cleaning import make_title
from ..core.context import RequestContext
from ..core.journal import Viewer
from ..core.spec import Pack
from ..core.tools import ToolRegistry
from ..dataclasses import dataclass
from ..designs.base import DesignEvent, NodeTable
from ..designs.synchronous import callable_from_threads
from ..designs.whole_run import (
    WholeRun,
    call_for_design,
    execute_for_design,
    get_whole_run,
    read_json_answer,
)
from ..errors import InputError
from ..events import TERMINAL, Event
from ..store.store import Store
from ..types import ChatRequest, LLMResponse, Message, ToolSchema


@dataclass(frozen=True, slots=True)
class HostFunctions:
    """The functions of the service that `ServiceHost` calls."""

    store: Store
    run_table: Callable[[NodeTable, str, str, str, str | None, Viewer], Coroutine[Any, Any, object]]
    get_registry: Callable[[Pack], ToolRegistry]
    open_context: Callable[[Pack, str, str], AbstractAsyncContextManager[RequestContext]]
    parse_text: Callable[[Pack, str, str, str], Awaitable[dict[str, Any]]]


class ServiceHost:
    """The service as a design or a pack's route sees it: bound to a tenant, user and pack.
    It implements `designs.base.Host` and `core.api.ApiService`.
    """

    def __init__(self, service: HostFunctions, tenant_id: str, user_id: str, pack: Pack) -> None:
        self._service = service
        self._tenant_id = tenant_id
        self._user_id = user_id
        self._pack = pack

    @property
    def pack(self) -> Pack:
        return self._pack

    async def stream_nodes(
        self, table: NodeTable, messages: list[Message], conversation_id: str | None, kind: str
    ) -> AsyncIterator[DesignEvent]:
        """Answer the newest message with a node table in a stored run; yield the run's events.

        Without a conversation the run is a new thread's, which then begins with the messages before
        the newest one. An interview without any message: the agent speaks first.

        Raises: InputError when the last message is not the user's.
        """
        text = _get_request(messages, kind)
        thread_id = conversation_id or await self._create_thread(messages[:-1], text or "", kind)
        queue: asyncio.Queue[Event] = asyncio.Queue()
        work = asyncio.create_task(
            self._service.run_table(
                table, self._tenant_id, self._user_id, thread_id, text, queue.put_nowait
            )
        )
        try:
            async for event in _drain(queue, work):
                yield {"event": event["event"], "data": event["data"]}
        finally:
            await end_tasks(work)

    async def _create_thread(self, before: list[Message], text: str, kind: str) -> str:
        """Create a thread with these earlier messages, titled by the new text; return its id."""
        store, tenant_id = self._service.store, self._tenant_id
        thread = await store.create_thread(
            tenant_id, self._user_id, title=make_title(text), pack=self.pack.name, kind=kind
        )
        for message in before:
            await store.save_message(tenant_id, thread.thread_id, None, message)
        return thread.thread_id

    @callable_from_threads
    async def call(self, role: str, request: ChatRequest) -> LLMResponse:
        """Make a model call for a design, in its current run if there is one."""
        async with self._open_run() as run:
            return await call_for_design(role, request, run)

    def get_tool_definitions(self) -> tuple[ToolSchema, ...]:
        """Return the schemas of all tools of the pack."""
        run = get_whole_run()
        tools = run.ctx.tools if run else self._service.get_registry(self._pack)
        return tools.get_tool_definitions()

    @callable_from_threads
    async def execute(self, name: str, arguments: dict[str, Any]) -> Any:
        """Execute a tool for a design and return its result; a failure is a dict with `error`."""
        async with self._open_run() as run:
            return await execute_for_design(name, arguments, run)

    @asynccontextmanager
    async def _open_run(self) -> AsyncGenerator[WholeRun]:
        """Yield the run that the design works on; outside any, a context for our own tenant."""
        run = get_whole_run()
        if run is not None:
            yield run
            return
        async with self.open_context() as ctx:
            yield WholeRun(ctx, {}, [])

    def open_context(self) -> AbstractAsyncContextManager[RequestContext]:
        """Open a context in which a pack's route can call models, outside any run."""
        return self._service.open_context(self._pack, self._tenant_id, self._user_id)

    async def parse_text(self, raw_text: str) -> dict[str, Any]:
        """Parse a user's text to the pack's JSON, by the parser of the configured design."""
        owner = (self._tenant_id, self._user_id)
        return await self._service.parse_text(self._pack, raw_text, *owner)

    @callable_from_threads
    async def call_json(self, role: str, request: ChatRequest) -> dict[str, Any]:
        """Call the role's model and parse its answer as a JSON object. Raises: InputError."""
        return read_json_answer(await self.call(role, request))


def _get_request(messages: list[Message], kind: str) -> str | None:
    """Return the text of the last message, to be answered; None: the agent speaks first."""
    if not messages and kind == "onboarding":
        return None
    if not messages or messages[-1]["role"] != "user":
        raise InputError(
            "the last message is not the user's",
            hint="Send a message with role `user` last.",
            code="EMPTY_MESSAGE",
        )
    return get_text(messages[-1])


async def _drain(queue: asyncio.Queue[Event], work: asyncio.Task[Any]) -> AsyncIterator[Event]:
    """Yield events up to the run's last one; raise the work's error if it ends without one."""
    while True:
        getter = asyncio.ensure_future(queue.get())
        # Wait for the work too: it may fail before its first event, and then no event would come.
        await asyncio.wait({getter, work}, return_when=asyncio.FIRST_COMPLETED)
        if not getter.done():
            # An event that is put in this very moment stays in the queue: `Queue.get` takes it when
            # it resumes.
            getter.cancel()
            if queue.empty():
                work.result()
                return
            continue
        event = getter.result()
        yield event
        if event["event"] in TERMINAL:
            return
