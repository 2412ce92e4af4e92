"""What a live replay pays for: each answer is kept before it is used, and never bought twice, nor
where another lane has it (`sharing`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from plainloop.agent.base.messages.requests import fingerprint_request, to_tools_text
from plainloop.agent.core.models import Models
from plainloop.agent.errors import ConflictError, LimitReached
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.room import fit_answer
from plainloop.agent.store.records import CallSettled, CallStart
from plainloop.agent.types import (
    ChatProvider,
    ChatRequest,
    LLMResponse,
    MessagePart,
    ModelInfo,
    StreamDelta,
)

from ..store.replays import PaidAnswer
from .sharing import RECORDING, SharedAnswers, identify_recorded, identify_request
from .spend_limit import SpendLimitReached, hold_whole, make_cut_stop

REPLAY_CHANGED: Final = "REPLAY_CHANGED"  # the replay's own fault, no side's

# call within the turn, answer
KeepAnswer = Callable[[int, PaidAnswer], Awaitable[None]]
# Returns how many output tokens the call may use; None: as many as it requests.
RecordStart = Callable[[CallStart], Awaitable[int | None]]
# handle, role, worker, place in the role's chain
WrapHandle = Callable[[ModelHandle, str, str | None, int], ModelHandle]


class PaidCalls:
    """The model calls of one item. Begins with the answers that were paid for before.

    before_call: asked, with the provider, before each call that costs something; raises to stop.
    cache_key: the same for all requests of the item, whose prefix a provider may keep. shared: what
    need not be bought; None: nothing.
    wrap: how models are asked in place of at once; None: at once.
    """

    wrap: WrapHandle | None = None

    def __init__(
        self,
        paid: Sequence[PaidAnswer],
        keep: KeepAnswer,
        record_start: RecordStart,
        before_call: Callable[[str], Awaitable[None]],
        cache_key: str,
        shared: SharedAnswers | None = None,
    ) -> None:
        self.cache_key = cache_key
        self._shared = shared or SharedAnswers()
        self._opaque: list[MessagePart] = []  # of bought answers, what fingerprints do not see
        self._paid = deque(paid)
        self._keep = keep
        self._record_start = record_start
        self._before_call = before_call
        self._starts: dict[str, CallStart] = {}
        self._bought: set[str] = set()  # calls that were made now, by us: they have a ledger row
        self._unsettled: dict[str, PaidAnswer] = {}  # by the call that took it
        self._open_call: tuple[str | None, float] = (None, 0.0)  # its id, when it began
        self.stop: SpendLimitReached | None = None  # the cost limit cut an answer off
        self.begin_turn(0)

    def begin_turn(self, turn: int, most_calls: int | None = None) -> None:
        """Begin a turn, and limit how many model calls it may make.

        Failed calls count too. most_calls None: any number.
        """
        self.turn, self._most_calls = turn, most_calls
        self._begun = 0
        self.calls = 0  # of the turn that were answered so far
        self.saved_ms = 0  # what its answers took when they were bought
        self.shared_calls: set[str] = set()  # ids of the turn's calls that another lane answered

    def note_start(self, start: CallStart) -> None:
        """Record that a model call is about to be made.

        Its ledger row is written only if an answer is bought. Raises: LimitReached when the turn
        has made as many as it may.
        """
        if self._begun == self._most_calls:
            raise LimitReached(
                f"the replayed turn used all its {self._most_calls} model calls, so it was stopped",
                hint="AGENT_LIMITS_REPLAY_TIMES and AGENT_LIMITS_REPLAY_CALLS set the limit.",
            )
        self._begun += 1
        self._starts = {start.call_id: start}

    def list_settlements(self, calls: Sequence[CallSettled]) -> list[CallSettled]:
        """List the calls whose ledger rows have to be settled.

        These are calls that were just made, and calls whose answer was bought before a crash.
        """
        found: list[CallSettled] = []
        for call in calls:
            answer = self._unsettled.pop(call.call_id, None)
            if answer is not None and answer.call_id is not None:
                ms = answer.duration_ms
                found.append(replace(call, call_id=answer.call_id, duration_ms=ms))
            elif call.call_id in self._bought:
                found.append(call)
        return found

    def identify(self, chat: ChatProvider, request: ChatRequest) -> str:
        """Return the key by which equal requests share an answer.

        "" if the request must not share an answer.
        """
        if self._shared.source != RECORDING:
            return identify_request(chat, request)
        # A signature or a thought that was bought now is not the recorded one.
        sent = (part for message in request.messages for part in message["parts"])
        is_ours = bool(self._opaque) and any(part in self._opaque for part in sent)
        fingerprint = fingerprint_request(request, to_tools_text(request))
        return "" if is_ours else identify_recorded(f"{chat.provider}:{chat.model}", fingerprint)

    async def take_shared(self, identity: str, request: ChatRequest) -> LLMResponse | None:
        """Return the shared answer to an equal request, or None without one.

        It is stored as this variant's own answer.
        """
        found = self._shared.find(identity)
        if found is None:
            return None
        fingerprint = fingerprint_request(request, to_tools_text(request))
        own = replace(
            found,
            turn=self.turn,
            fingerprint=fingerprint,
            call_id=None,
            identity=identity,
            source=self._shared.source,
            is_unsettled=False,
        )
        await self._keep(self.calls, own)
        return self._take(own)

    def take_paid(self, request: ChatRequest) -> LLMResponse | None:
        """Return the answer to this call that was bought before a restart, or None.

        Raises: ConflictError when it answers another request: code or data changed in between.
        """
        if not self._paid or self._paid[0].turn != self.turn:
            return None
        tools = to_tools_text(request)
        # The second form: answers bought before requests' parameters were part of it.
        plain = fingerprint_request(request, tools, with_parameters=False)
        if self._paid[0].fingerprint not in (fingerprint_request(request, tools), plain):
            raise ConflictError(
                "a prompt, a setting, the code or the data has changed since this conversation's "
                "first answers were paid: they answer other requests than today's",
                hint="Continue the replay once more: the conversation is then answered anew on "
                "every side, and paid again.",
                code=REPLAY_CHANGED,
            )
        answer = self._paid.popleft()
        if answer.is_unsettled:
            self._unsettled |= dict.fromkeys(self._starts, answer)
        return self._take(answer)

    def _take(self, answer: PaidAnswer) -> LLMResponse:
        self._note_answered(answer)
        self.saved_ms += answer.duration_ms
        if answer.source:
            self.shared_calls |= self._starts.keys()
        return answer.response

    def _note_answered(self, answer: PaidAnswer) -> None:
        self.calls += 1
        self._shared.note_answered(answer.identity)
        if not answer.source:
            parts = answer.response.message["parts"]
            self._opaque += [p for p in parts if p["type"] == "reasoning" or "provider_state" in p]

    async def open_call(self, provider: str, request: ChatRequest) -> ChatRequest:
        """Write the ledger row of the next call to buy, and return the request to send.

        Near the cost limit, it requests fewer output tokens. Raises: ReplayStopped if the call is
        refused.
        """
        if self.stop is not None:
            raise self.stop
        await self._before_call(provider)
        request = replace(request, cache_key=self.cache_key)
        for start in self._starts.values():
            request = fit_answer(request, await self._record_start(start))
            self._bought.add(start.call_id)
            self._open_call = (start.call_id, time.perf_counter())
        self._starts = {}
        return request

    def take_start(self) -> CallStart:
        """Remove and return the start of the next call.

        A batch writes its ledger row instead.
        """
        (start,) = self._starts.values()
        self._starts = {}
        self._open_call = (None, time.perf_counter())
        return hold_whole(start)

    async def keep(
        self, request: ChatRequest, response: LLMResponse, identity: str, max_tokens: int
    ) -> None:
        """Store an answer that was just bought, before it is used.

        max_tokens: as sent. An answer that ends there, and not at the request's own maximum, is not
        stored, and `stop` says so: the cost limit and not the variant made it so short.
        """
        if response.stop == "length" and max_tokens < request.max_tokens:
            self.stop = make_cut_stop(max_tokens)
            return
        fingerprint = fingerprint_request(request, to_tools_text(request))
        call_id, began = self._open_call
        duration_ms = round((time.perf_counter() - began) * 1000)
        bought = self.turn, fingerprint, response, call_id, duration_ms
        answer = PaidAnswer(*bought, identity=identity)
        await self._keep(self.calls, answer)
        self._note_answered(answer)


class PaidChat:
    """A model whose answers go through the paid_calls. buy: how it is asked in place of at once."""

    def __init__(
        self,
        chat: ChatProvider,
        paid_calls: PaidCalls,
        buy: Callable[[ChatRequest], Awaitable[LLMResponse]] | None = None,
    ) -> None:
        self._chat = chat
        self._paid_calls = paid_calls
        self._buy = buy
        self.provider = chat.provider
        self.model = chat.model

    async def generate(self, request: ChatRequest) -> LLMResponse:
        """Return the stored or shared answer to a request, or buy an answer and store it."""
        found, identity = await self._find(request)
        if found is not None:
            return found
        if self._buy is not None:
            sent = replace(request, cache_key=self._paid_calls.cache_key)
            response = await self._buy(sent)
        else:
            sent = await self._paid_calls.open_call(self.provider, request)
            response = await self._chat.generate(sent)
        await self._paid_calls.keep(request, response, identity, sent.max_tokens)
        return response

    async def _find(self, request: ChatRequest) -> tuple[LLMResponse | None, str]:
        """Return (an answer that need not be bought, "") or (None, the request's sharing key)."""
        found = self._paid_calls.take_paid(request)
        if found is not None:
            return found, ""
        identity = self._paid_calls.identify(self._chat, request)
        return await self._paid_calls.take_shared(identity, request), identity

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        """Stream the stored or shared answer to a request, or buy an answer and store it."""
        if self._buy is not None:
            found, identity = await self.generate(request), ""
        else:
            found, identity = await self._find(request)
        if found is not None:
            yield StreamDelta(text=found.text)
            yield found
            return
        sent = await self._paid_calls.open_call(self.provider, request)
        async for item in self._chat.generate_stream(sent):
            if isinstance(item, LLMResponse):
                await self._paid_calls.keep(request, item, identity, sent.max_tokens)
            yield item

    async def list_models(self) -> list[ModelInfo]:
        return await self._chat.list_models()


class PaidModels:
    """The lane's models, each behind the paid_calls."""

    def __init__(self, models: Models, paid_calls: PaidCalls) -> None:
        self._models = models
        self._paid_calls = paid_calls
        self.provider = models.provider

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        """Return the models for a role and worker, wrapped to reuse stored and shared answers."""
        chain, wrap = self._models.resolve_chain(role, worker), self._paid_calls.wrap
        if wrap is not None:
            return tuple(wrap(handle, role, worker, place) for place, handle in enumerate(chain))
        chats = (PaidChat(handle.chat, self._paid_calls) for handle in chain)
        return tuple(replace(handle, chat=chat) for handle, chat in zip(chain, chats, strict=True))

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.resolve_chain(role, worker)[0]
