"""A lane's models as they are asked by batches: each call waits for the batch that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.store.records import CallStart
from plainloop.agent.types import ChatRequest, LLMResponse

from ..live.lane import Lane
from ..live.paid_calls import PaidCalls, PaidChat, WrapHandle
from ..store.replays import Item
from .api import BatchApi
from .opening import open_batch_api

ROLES: Final = ("worker", "classifier", "router", "evaluator")
# A call may wait for a batch as often as it is tried, and a run has many calls.
LONGEST_S: Final = 90 * 86_400.0


@dataclass(frozen=True, slots=True)
class Place:
    """Names a variant's model, so that another process finds the same one."""

    lane: str
    role: str
    worker: str | None
    place: int  # in the role's chain


@dataclass(frozen=True, slots=True)
class BatchCall:
    """A call that is to be answered by a batch. start: the ledger's row, not written yet."""

    item: Item
    turn: int
    call: int
    start: CallStart
    request: ChatRequest
    handle: ModelHandle  # with the prices of a batch
    api: BatchApi
    where: Place


Ask = Callable[[BatchCall], Awaitable[LLMResponse]]


def make_wrap(item: Item, paid_calls: PaidCalls, ask: Ask) -> WrapHandle:
    """Make the function that lets batches answer the calls of an item's models.

    An item is a conversation in one variant. Answers that are stored already are not bought again.
    Raises: ConfigError without a batch API.
    """

    def wrap(handle: ModelHandle, role: str, worker: str | None, place: int) -> ModelHandle:
        priced, api = open_for_batches(handle)
        where = Place(item.lane, role, worker, place)

        async def buy(request: ChatRequest) -> LLMResponse:
            asked = item, paid_calls.turn, paid_calls.calls, paid_calls.take_start()
            return await ask(BatchCall(*asked, request, priced, api, where))

        return replace(priced, chat=PaidChat(priced.chat, paid_calls, buy))

    return wrap


def check_batching(lane: Lane, roles: tuple[str, ...]) -> None:
    """Check that each of a variant's models has a batch API.

    Raises: ConfigError when one of the lane's models has no batch API.
    """
    named = {name for name in lane.settings.agents if name not in ROLES} if len(roles) > 1 else ()
    wanted = [*((role, None) for role in roles), *(("worker", name) for name in sorted(named))]
    for role, worker in wanted:
        for handle in lane.models.resolve_chain(role, worker):
            try:
                open_batch_api(handle.chat)
            except ConfigError as error:
                raise ConfigError(
                    f"variant {lane.name}, {worker or role}: {error.message}", hint=error.hint
                ) from error


def open_for_batches(handle: ModelHandle) -> tuple[ModelHandle, BatchApi]:
    """Return the model with batch prices, and its provider's batch API.

    Raises: ConfigError without a batch API.
    """
    api = open_batch_api(handle.chat)
    return replace(handle, prices=handle.prices.at_batch_rates()), api


def lift_time_limits(settings: Settings) -> Settings:
    """Return settings without time limits, for calls that wait hours for a batch."""
    limits = replace(settings.limits, model_timeout_s=LONGEST_S, run_timeout_s=LONGEST_S)
    return replace(settings, limits=limits)
