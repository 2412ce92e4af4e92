"""Where a process can be stopped: wrappers around the store, the models and the tools' world.

Nothing of the service is patched: the wrappers are what it is given. One boundary per process; the
first time that it is reached the process says so and stands still until it is told to go on.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plainloop.agent.core.models import Models
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.store.connecting.queryable import StepTransaction
from plainloop.agent.store.records import CallStart, Granted, Run, StepCommit
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatProvider, ChatRequest

BOUNDARIES: Final = (
    "before_model_call",
    "mid_stream",
    "answered_before_commit",
    "committed_before_tool",
    "tool_started",
    "tool_acted",
    "tool_done_before_commit",
    "tool_committed",
    "done_before_seen",
)
TOOL_BOUNDARIES: Final = ("tool_started", "tool_acted", "tool_done_before_commit")

Reach = Callable[[str], Awaitable[None]]


class StoppingStore(Store):
    """The real store; `reach` is called around what it writes."""

    reach: Reach

    @classmethod
    def wrap(cls, store: Store, reach: Reach) -> StoppingStore:
        wrapped = cls(store.database)
        wrapped.reach = reach
        return wrapped

    async def record_call_start(self, start: CallStart) -> Granted | None:
        granted = await super().record_call_start(start)
        if start.role == "worker":
            await self.reach("before_model_call")
        return granted

    async def record_steps(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None = None,
        call: CallStart | None = None,
    ) -> None:
        calls_tool = commits[-1].next_node.endswith(".tools")
        if calls_tool:
            await self.reach("answered_before_commit")
        has_tool = any(commit.node.endswith(".tools") for commit in commits)
        if has_tool:
            await self.reach("tool_done_before_commit")
        await super().record_steps(run, commits, tx, call)
        if call is not None and call.role == "worker":
            await self.reach("before_model_call")
        if has_tool:
            await self.reach("tool_committed")
        if calls_tool:
            await self.reach("committed_before_tool")
        if commits[-1].end is not None:
            await self.reach("done_before_seen")


class StoppingModels:
    """The real models; `reach` is called in the middle of a text."""

    def __init__(self, models: Models, reach: Reach) -> None:
        self._models = models
        self._reach = reach
        self.provider = models.provider
        self.factors = models.factors

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return tuple(
            replace(handle, chat=_StoppingChat(handle.chat, self._reach))
            for handle in self._models.resolve_chain(role, worker)
        )

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.resolve_chain(role, worker)[0]


class _StoppingChat:
    def __init__(self, chat: ChatProvider, reach: Reach) -> None:
        self._chat = chat
        self._reach = reach

    def __getattr__(self, name: str) -> Any:
        return getattr(self._chat, name)

    async def generate_stream(self, request: ChatRequest) -> AsyncIterator[Any]:
        texts = 0
        async for item in self._chat.generate_stream(request):
            yield item
            texts += bool(getattr(item, "text", "")) and not hasattr(item, "message")
            if texts == 1:  # pieces that arrive together are one: there may be no second
                await self._reach("mid_stream")


class World:
    """Someone else's system: a file that every call is appended to."""

    def __init__(self, log: Path, reach: Reach) -> None:
        self._log = log
        self._reach = reach

    async def act(self, name: str, key: str) -> dict[str, Any]:
        await self._reach("tool_started")
        with self._log.open("a") as log:
            log.write(f"{name} {key}\n")
        await self._reach("tool_acted")
        return {"ok": True}

    def stand_still(self, fence: int) -> None:
        """Stop the event loop until `tell_fence` has told a higher one: however slow the machine,
        the lease is over by then.
        """
        told = _find_fence(self._log)
        while not told.exists() or int(told.read_text()) <= fence:
            time.sleep(0.01)


def tell_fence(log: Path, fence: int) -> None:
    """Let those who stand still know whose turn it is. log: the world's."""
    new = log.with_suffix(".new")
    new.write_text(str(fence))
    new.replace(_find_fence(log))


def _find_fence(log: Path) -> Path:
    return log.with_suffix(".fence")
