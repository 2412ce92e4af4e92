"""`call_model` on the real store, over whatever models a test names."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.answers import AnswerStream
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.journal import Journal
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import ToolRegistry
from plainloop.agent.events import Event
from plainloop.agent.providers.lifetimes import Pauses
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.store.records import CallInfo
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatProvider, ChatRequest, LLMResponse, Message
from tests.core.store_samples import begin_run, create_thread

HELLO: Message = {"role": "user", "parts": [{"type": "text", "text": "Hello"}]}
PACK = Pack("none", "None", (), "none", ())


class FixedModels:
    """The same chain for every role."""

    def __init__(
        self,
        *chain: ChatProvider,
        factors: TokenFactors | None = None,
        pauses: Pauses | None = None,
    ) -> None:
        self.factors = factors or TokenFactors()
        pauses = pauses or Pauses()
        self._chain = tuple(
            ModelHandle(p.provider, p.model, p, self.factors, pauses=pauses) for p in chain
        )

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return self._chain

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self._chain[0]


class Caller:
    """One run's place in the store, from which models are called."""

    def __init__(self, store: Store, ctx: RequestContext, events: list[Event]) -> None:
        self.store = store
        self.ctx = ctx
        self.events = events

    async def call(
        self, request: ChatRequest | None = None, *, stream: bool = True, **details: Any
    ) -> LLMResponse:
        """A worker's call, unless the details say whose; its view is the request's messages."""
        request = request or ChatRequest(system="Be brief.", messages=[HELLO])
        answer = AnswerStream("", self.ctx) if stream else None
        details = {"role": "worker", "view": request.messages, "answer": answer, **details}
        try:
            return await call_model(ModelCall(request=request, **details), self.ctx)
        finally:
            await self.ctx.journal.settle_now(self.ctx.tenant_id)

    async def list_rows(self) -> list[CallInfo]:
        """The ledger rows of the run so far."""
        return await self.store.list_calls(self.ctx.tenant_id, self.ctx.run.run_id)

    def names(self) -> list[str]:
        return [event["event"] for event in self.events]


async def make_caller(
    store: Store, settings: Settings, *chain: ChatProvider, **options: Any
) -> Caller:
    """options: `factors`, `pauses`, and any of the limits."""
    factors, pauses = options.pop("factors", None), options.pop("pauses", None)
    tenant_id = options.pop("tenant_id", "acme")
    run = await begin_run(store, await create_thread(store, tenant_id), tenant_id=tenant_id)
    events: list[Event] = []
    journal = Journal(store, run, events.append)
    models: Any = FixedModels(*chain, factors=factors, pauses=pauses)
    ctx = RequestContext(
        thread_id=run.thread_id,
        tenant_id=run.tenant_id,
        schema_context="",
        tools=ToolRegistry(()),
        user_id=run.user_id,
        run=run,
        pack=PACK,
        prompt_context="",
        nodes=MappingProxyType({}),
        start_node="",
        store=store,
        models=models,
        journal=journal,
        emit=journal.emit,
        limits=replace(settings.limits, **options),
        settings=settings,
    )
    return Caller(store, ctx, events)
