"""Finds how many tokens an answer may have: learnt from a server's refusals, else from the list.

What was learnt holds for an hour: a server may be started again with a larger window.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..base.caching.bounded import BoundedCache
from ..base.copies import replace
from ..base.messages.requests import estimate_input, to_tools_text
from ..errors import AnswerTooLong, ContextTooLong
from ..types import ChatRequest
from .defaults import name_provider
from .http.wordings import StatedRoom
from .model_handle import ModelHandle
from .pricing import UNLISTED, load_prices

LEARNT_S: Final = 3600.0
SMALLEST: Final = 256  # tokens; for less room than this, a history is shortened first
# At 1.2 times the estimate, 0.75 % of 2,262 measured texts still had more tokens.
INPUT_MARGIN: Final = 1.25  # how far a model's own count of a prompt may lie above our estimate
INPUT_OVERHEAD: Final = 200
_NOTHING: Final = StatedRoom()
_learnt: Final = BoundedCache()


class RoomLeft(NamedTuple):
    """The maximum answer tokens to retry with after a refusal.

    is_stated: by the refusal's own numbers. is_enough: the history need not become shorter.
    """

    tokens: int
    is_stated: bool
    is_enough: bool


def fit_answer(request: ChatRequest, max_tokens: int | None) -> ChatRequest:
    """Return the request with `max_tokens` lowered to this maximum. 0 and None set no maximum."""
    if not max_tokens or request.max_tokens <= max_tokens:
        return request
    return replace(request, max_tokens=max_tokens)


def find_room(handle: ModelHandle, estimated_input: int) -> int | None:
    """Return how many answer tokens fit into the model's window beside the prompt; else None."""
    learnt = _recall(handle)
    window = learnt.window or _find_listed_window(handle.provider, handle.model)
    if window is None:
        return learnt.max_answer
    prompt = estimated_input * handle.token_factor
    rest = window - round(prompt * INPUT_MARGIN) - INPUT_OVERHEAD
    if prompt >= window:
        return learnt.max_answer  # the server knows better than an estimate
    if rest < SMALLEST:  # the margin takes more than there is
        rest = max(SMALLEST, window - round(prompt))
    return min(rest, learnt.max_answer or rest)


def leave_room(
    error: ContextTooLong, request: ChatRequest, room: int | None, handle: ModelHandle
) -> RoomLeft:
    """Compute how many answer tokens a retry may request after a refusal as too long.

    room: what an earlier refusal left. Where no numbers are stated, half of what was asked for.
    """
    estimate = estimate_input(request, to_tools_text(request))
    requested = min(request.max_tokens, room or find_room(handle, estimate) or request.max_tokens)
    stated: StatedRoom = error.stated or _NOTHING
    if stated.window or stated.max_answer:
        _remember(handle, stated)
    rest = stated.max_answer or stated.leave(requested)
    if rest is None and stated.window:
        rest = find_room(handle, estimate)
    is_stated = rest is not None and rest < requested  # else the numbers do not say why
    tokens = rest if rest is not None and is_stated else requested // 2
    is_enough = room is None and is_stated and tokens >= SMALLEST
    return RoomLeft(tokens, is_stated, is_enough or isinstance(error, AnswerTooLong))


def keep_room(handle: ModelHandle, tokens: int | None) -> None:
    """Remember `tokens` as the model's maximum answer, unless a refusal has stated its limits."""
    if tokens is not None and _recall(handle) == _NOTHING:
        _remember(handle, StatedRoom(max_answer=tokens))


def _remember(handle: ModelHandle, stated: StatedRoom) -> None:
    known = _recall(handle)
    merged = StatedRoom(
        stated.window or known.window, max_answer=stated.max_answer or known.max_answer
    )
    _learnt.put(_key(handle), (merged, time.monotonic()), len(handle.label))


def _recall(handle: ModelHandle) -> StatedRoom:
    learnt: Any = _learnt.get(_key(handle))
    if learnt is None or time.monotonic() - learnt[0][1] > LEARNT_S:
        return _NOTHING
    return learnt[0][0]


def _key(handle: ModelHandle) -> tuple[str, str | None]:
    return handle.label, handle.base_url


@lru_cache(maxsize=256)
def _find_listed_window(provider: str, model: str) -> int | None:
    """Return the model's window in the public price list; None if unknown."""
    if provider in UNLISTED:
        return None
    snapshot = load_prices().data_snapshot.get_snapshot()
    try:
        listed = snapshot.find_provider_model(
            model, None, name_provider(provider, "price_list"), None
        )
    except LookupError:
        return None
    return listed[1].context_window
