"""A small pack that answers from documents, and what embeds for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ModelAuthError
from plainloop.agent.service.service import Service
from plainloop.agent.store.store import Store
from plainloop.agent.types import Embeddings, Usage
from plainloop_retrieval.indexing import add_document
from plainloop_retrieval.knowledge import Knowledge
from plainloop_retrieval.settings import RetrievalSettings
from tests.machine.scripted import ScriptedModels, ScriptedProvider

HANDBOOK = """# Handbook

## Working hours

The core time is from ten to three. Nobody needs to be reachable in the evening.

## Holidays

Every employee has 30 days of holiday. Book them two weeks ahead in the calendar.

## Equipment

A broken laptop is replaced within a day by the service desk.
"""
TRAVEL = "Trains are booked by yourself. Flights need the approval of your lead.\n"
DESK = Knowledge("desk")


@tool("write")
async def write_notice(tool: ToolContext, text: str) -> Any:
    """Put a notice on the board."""
    return {"written": text}


def make_pack(knowledge: Knowledge = DESK) -> Pack:
    worker = WorkerSpec(
        name="clerk",
        description="answers from the documents",
        prompt="Answer from the documents.",
        tools=(knowledge.tool_name, write_notice.name),
    )
    return Pack(
        name="answering",
        title="Desk",
        workers=(worker,),
        default_worker="clerk",
        tools=(knowledge.make_tool(), write_notice),
    )


class Embedding(ScriptedProvider):
    """Vectors by what a text is about. fails_after: after so many calls each one fails."""

    topics = (("holiday", "vacation", "leave"), ("laptop", "computer"), ("train", "flight"))

    def __init__(self, *script: Any) -> None:
        super().__init__(*script)
        self.embedded: list[list[str]] = []  # the texts of each call
        self.fails_after = 1_000_000
        self.meanwhile: Callable[[], Awaitable[Any]] | None = None  # done once, during a call

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        if len(self.embedded) >= self.fails_after:
            raise ModelAuthError("wrong key")
        self.embedded.append(list(texts))
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        vectors = [
            [float(any(word in text.casefold() for word in topic)) + 0.01 for topic in self.topics]
            for text in texts
        ]
        return Embeddings(vectors, Usage(input_tokens=len(texts)), "small")


@dataclass(frozen=True, slots=True)
class Desk:
    """A service with documents. knowledge: of its one pack."""

    service: Service
    provider: Embedding
    knowledge: Knowledge

    def open(self, tenant_id: str = "t1", user_id: str = "u1") -> AbstractAsyncContextManager[Any]:
        return self.service.open_context(self.service.pack, tenant_id, user_id)

    async def add(
        self, name: str, content: str | bytes, tenant_id: str = "t1", *, is_outside: bool = False
    ) -> dict[str, Any]:
        data = content.encode() if isinstance(content, str) else content
        async with self.open(tenant_id) as ctx:
            return await add_document(ctx, self.knowledge, name, data, is_outside=is_outside)


def open_desk(
    settings: Settings,
    store: Store,
    *script: Any,
    embeds: bool = False,
    folder: Path | None = None,
    **limits: int,
) -> Desk:
    """embeds: an embedding model is set. limits: of `[retrieval]`."""
    provider = Embedding(*script)
    roles = {"embedding": RoleSettings(provider="scripted")} if embeds else {}
    tables = {**settings.tables, RetrievalSettings: RetrievalSettings(**limits)}
    knowledge = replace(DESK, folder=folder)
    own = replace(settings, agents=roles, tables=tables)
    models = cast(Models, ScriptedModels(provider))
    return Desk(Service(own, store, models, (make_pack(knowledge),)), provider, knowledge)


async def count_rows(ctx: RunView, table: str, tenant_id: str = "t1") -> int:
    return await ctx.store.read(tenant_id).fetchval(
        f"select count(*) from {table} where tenant_id = $1", tenant_id
    )
