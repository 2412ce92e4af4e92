"""`/api/runs/{run_id}/calls/{call_id}`: what a model was asked, and what broke the cached prefix.

The ledger keeps no request a second time, only where its texts are: the prompt and the tools by
their hash, the thread's messages by position, and what cannot be made from the thread again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from ...agent.base.shown.notices import make_epoch
from ...agent.base.tokens.estimate import estimate_json_tokens, estimate_tokens
from ...agent.core.api import ApiRequest
from ...agent.core.history import build_request_messages
from ...agent.errors import NotFoundError
from ...agent.store.recordings import KeptRequest, load_request
from ...agent.store.threads import load_run_messages
from .shapes import Prefix, SentRequest
from .showing import to_visible_parts

_CHARS_BEFORE: Final = 80
_MAX_CHARS: Final = 600


async def read_request(request: ApiRequest) -> SentRequest:
    """Rebuild the request of a recorded model call, and compare it with the one before.

    Raises: NotFoundError.
    """
    run = await request.store.load_run(*request.owner, request.params["run_id"])
    key = (run.run_id, request.params["call_id"])
    kept = await load_request(request.db, *key)
    if kept is None:
        raise NotFoundError(
            "there is no such call in this run",
            hint="GET /api/runs/{id}/steps lists the run's calls.",
        )
    before = await load_request(request.db, *key, is_before=True)
    sent = await _build(request, kept)
    if before is not None:
        sent.prefix = compare_prefix(before.run_id, await _build(request, before), sent)
    return sent


async def _build(request: ApiRequest, kept: KeptRequest) -> SentRequest:
    messages = kept.extra_messages or []
    if kept.first_position is not None and kept.last_position is not None and kept.thread_id:
        places = (kept.first_position, kept.last_position)
        stored = await load_run_messages(request.db, kept.run_id, *places)
        view = [stored[position] for position in sorted(stored)]
        head = (kept.system or "", kept.tools or "")
        epoch = make_epoch(kept.worker or "", kept.first_position, *head)
        messages, _ = build_request_messages(view, messages, epoch)
    shown = [{"role": m["role"], "parts": to_visible_parts(m["parts"])} for m in messages]
    tools: list[dict[str, Any]] = orjson.loads(kept.tools) if kept.tools else []
    return SentRequest(kept.call_id, kept.system, tools, shown, None)


def compare_prefix(before_run_id: str, before: SentRequest, now: SentRequest) -> Prefix:
    """Find the first difference of two requests in cache order: tools, system, messages.

    Returns it with the tokens before and after it.
    """
    pieces, shared = [*_list_pieces(now)], 0
    difference: tuple[str | None, int | None, str, str] = (None, None, "", "")
    old = [*_list_pieces(before)]
    for n, (where, place, was) in enumerate(old):
        _, _, new = pieces[n] if n < len(pieces) else (where, place, None)
        if new != was:
            difference = (where, place, *_excerpt(_write(was), _write(new)))
            break
        shared += 1
    sizes = [_estimate(piece) for _, _, piece in pieces]
    return Prefix(
        before.call_id, before_run_id, *difference, sum(sizes[:shared]), sum(sizes[shared:])
    )


def _list_pieces(sent: SentRequest) -> Iterator[tuple[str, int | None, Any]]:
    yield "tools", None, sent.tools
    yield "system", None, sent.system
    for place, message in enumerate(sent.messages):
        yield "messages", place, message


def _estimate(piece: Any) -> int:
    if not piece:
        return 0
    return estimate_tokens(piece) if isinstance(piece, str) else estimate_json_tokens(piece)


def _write(piece: Any) -> str:
    return piece if isinstance(piece, str) else orjson.dumps(piece).decode() if piece else ""


def _excerpt(before: str, now: str) -> tuple[str, str]:
    """Cut both texts from shortly before the first character that differs.

    >>> _excerpt("a" * 99 + "b", "a" * 99 + "c")[0] == "a" * 80 + "b"
    True
    """
    pairs = enumerate(zip(before, now, strict=False))
    differs = next((n for n, (a, b) in pairs if a != b), min(len(before), len(now)))
    begin = max(0, differs - _CHARS_BEFORE)
    return before[begin:][:_MAX_CHARS], now[begin:][:_MAX_CHARS]
