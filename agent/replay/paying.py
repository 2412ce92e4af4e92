"""What a live replay pays for: each answer is kept before it is used, and never bought twice."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace

from agent.core.attempts import fingerprint_request, to_tools_text
from agent.core.models import ModelHandle, Models
from agent.core.records import CallSettled, CallStart
from agent.core.store_replays import PaidAnswer
from agent.errors import ConflictError
from agent.providers.types import ChatProvider, ChatRequest, LLMResponse, ModelInfo, StreamDelta

# turn, call within the turn, fingerprint of the request, answer
KeepAnswer = Callable[[int, int, str, LLMResponse], Awaitable[None]]
RecordStart = Callable[[CallStart], Awaitable[None]]


class Purse:
    """The model calls of one item. Begins with the answers that were paid for before.

    before_call: asked, with the provider, before each call that costs something; raises to stop.
    cache_key: the same for all requests of the item, whose prefix a provider may keep.
    """

    def __init__(
        self,
        paid: Sequence[PaidAnswer],
        keep: KeepAnswer,
        record_start: RecordStart,
        before_call: Callable[[str], Awaitable[None]],
        cache_key: str,
    ) -> None:
        self.cache_key = cache_key
        self._paid = deque(paid)
        self._keep = keep
        self._record_start = record_start
        self._before_call = before_call
        self._starts: dict[str, CallStart] = {}
        self._bought: set[str] = set()
        self._turn = 0
        self._calls = 0

    def begin_turn(self, turn: int) -> None:
        self._turn, self._calls = turn, 0

    def note_start(self, start: CallStart) -> None:
        """A call is about to be made; it has a ledger row only once it must be bought."""
        self._starts = {start.call_id: start}

    def is_bought(self, settled: CallSettled) -> bool:
        """Whether the settled call was made now, by us: only then it has a ledger row."""
        return settled.call_id in self._bought

    def take_paid(self, request: ChatRequest) -> LLMResponse | None:
        """The answer to this call when it was paid for before.

        Raises: ConflictError when it answers another request: code or data changed in between.
        """
        if not self._paid or self._paid[0].turn != self._turn:
            return None
        if self._paid[0].fingerprint != fingerprint_request(request, to_tools_text(request)):
            raise ConflictError(
                "what was paid for before answers another request: code, prompts or data changed",
                hint="Start a new replay.",
                code="REPLAY_CHANGED",
            )
        self._calls += 1
        return self._paid.popleft().response

    async def open_call(self, provider: str) -> None:
        """Raises: what forbids to spend more."""
        await self._before_call(provider)
        for start in self._starts.values():
            await self._record_start(start)
            self._bought.add(start.call_id)
        self._starts = {}

    async def keep(self, request: ChatRequest, response: LLMResponse) -> None:
        """Store an answer that was just bought."""
        fingerprint = fingerprint_request(request, to_tools_text(request))
        await self._keep(self._turn, self._calls, fingerprint, response)
        self._calls += 1


class PaidChat:
    """A model whose answers go through the purse."""

    def __init__(self, chat: ChatProvider, purse: Purse) -> None:
        self._chat = chat
        self._purse = purse

    @property
    def provider(self) -> str:
        return self._chat.provider

    @property
    def model(self) -> str:
        return self._chat.model

    async def generate(self, request: ChatRequest) -> LLMResponse:
        found = self._purse.take_paid(request)
        if found is not None:
            return found
        await self._purse.open_call(self.provider)
        response = await self._chat.generate(self._with_key(request))
        await self._purse.keep(request, response)
        return response

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        found = self._purse.take_paid(request)
        if found is not None:
            yield StreamDelta(text=found.text)
            yield found
            return
        await self._purse.open_call(self.provider)
        async for item in self._chat.generate_stream(self._with_key(request)):
            if isinstance(item, LLMResponse):
                await self._purse.keep(request, item)
            yield item

    async def list_models(self) -> list[ModelInfo]:
        return await self._chat.list_models()

    def _with_key(self, request: ChatRequest) -> ChatRequest:
        return replace(request, cache_key=self._purse.cache_key)


class PaidModels:
    """The lane's models, each behind the purse."""

    def __init__(self, models: Models, purse: Purse) -> None:
        self._models = models
        self._purse = purse
        self.provider = models.provider

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        return tuple(
            replace(handle, chat=PaidChat(handle.chat, self._purse))
            for handle in self._models.resolve_chain(role, worker)
        )

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.resolve_chain(role, worker)[0]
