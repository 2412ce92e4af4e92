"""Anthropic's Message Batches, after its documents: `…/v1/messages/batches` and what is below it.

    POST …            {"requests": [{"custom_id", "params"}, …]}
    GET  …[?limit, after_id]     GET …/{id}     GET …/{id}/results
    POST …/{id}/cancel

A batch's form is checked at once, each request's only when its turn comes; results are given out
of order.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from starlette.requests import Request

from plainloop.agent.base.text.foreign_json import as_list

from .. import anthropic
from ..answer import make_id
from ..api import WireError
from ..responding import Exchange
from ..strict import check_shape, find_duplicate
from .endpoint import make_routes, take_page
from .store import Batch, Line
from .working import DAY_S, cancel_batch, go_on, start_batch

BASE: Final = "/v1/messages/batches"
MOST_REQUESTS: Final = 100_000
MAX_BYTES: Final = 256 * 2**20
_DIALECT: Final = replace(anthropic.DIALECT, name="anthropic_batches")
_RESULTS: Final = replace(anthropic.DIALECT, name="anthropic_results")
_CUSTOM_ID: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_UNSUPPORTED: Final = ("stream", "speed")


async def create(on: Exchange) -> dict[str, Any]:
    if len(on.asked.body) > MAX_BYTES:
        raise WireError(413, "Request exceeds the maximum size", kind="request_too_large")
    lines = _read_requests(_DIALECT.load_body(on.asked))
    batch_id = make_id("msgbatch_01", f"{len(on.wire.batches)}:{on.asked.body[:4096]!r}", 22)
    batch = start_batch(
        on.wire, batch_id, anthropic.DIALECT, "/v1/messages", dict(on.asked.headers), lines
    )
    return to_batch(on.request, batch)


async def list_all(on: Exchange) -> dict[str, Any]:
    """Answer a page of Anthropic's message batches, newest first."""
    found = [batch for batch in on.wire.batches.values() if _is_ours(batch)]
    page, ends = take_page(on.asked, found, on.asked.query.get("after_id"), 1000)
    for batch in page:
        go_on(on.wire, batch)
    return {"data": [to_batch(on.request, batch) for batch in page], **ends}


async def read_one(on: Exchange) -> dict[str, Any]:
    return to_batch(on.request, _load(on))


async def cancel(on: Exchange) -> dict[str, Any]:
    batch = _load(on)
    if batch.ended_s is not None:
        raise WireError(400, f"Batch {batch.id} has already ended and cannot be canceled.")
    cancel_batch(on.wire, batch)
    told = to_batch(on.request, batch)
    none = {"succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
    counts = {"processing": len(batch.lines), **none}  # it tells of its end at the next look
    ending = {"ended_at": None, "results_url": None, "request_counts": counts}
    return {**told, "processing_status": "canceling", **ending}


async def read_results(on: Exchange) -> bytes:
    batch = _load(on)
    if batch.ended_s is None:
        raise WireError(404, f"Batch {batch.id} has no results yet.")
    return b"".join(orjson.dumps(_to_result(line)) + b"\n" for line in reversed(batch.lines))


def to_batch(request: Request, batch: Batch) -> dict[str, Any]:
    is_ended = batch.ended_s is not None
    counts = {
        name: batch.count(name) if is_ended else 0
        for name in ("succeeded", "errored", "canceled", "expired")
    }
    url = f"{request.base_url}v1/messages/batches/{batch.id}/results"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "ended" if is_ended else "in_progress",
        "request_counts": {"processing": 0 if is_ended else len(batch.lines), **counts},
        "ended_at": _to_time(batch.ended_s),
        "created_at": _to_time(batch.created_s),
        "expires_at": _to_time(batch.created_s + DAY_S),
        "archived_at": None,
        "cancel_initiated_at": _to_time(batch.cancelled_s),
        "results_url": url if is_ended else None,
    }


def _read_requests(body: dict[str, Any]) -> list[Line]:
    """Raises: ShapeError, WireError."""
    check_shape(body, (), {"requests": "array"})
    given = as_list(body["requests"])
    if not given:
        raise WireError(400, "requests: List should have at least 1 item after validation, not 0")
    if len(given) > MOST_REQUESTS:
        raise WireError(400, f"requests: List should have at most {MOST_REQUESTS} items")
    lines: list[Line] = []
    for index, value in enumerate(given):
        entry = check_shape(value, ("requests", index), {"custom_id": "string", "params": "object"})
        where = f"requests.{index}"
        if not _CUSTOM_ID.fullmatch(entry["custom_id"]):
            pattern = f"'^{_CUSTOM_ID.pattern}$'"
            raise WireError(400, f"{where}.custom_id: String should match pattern {pattern}")
        for name in _UNSUPPORTED:
            if entry["params"].get(name):
                raise WireError(400, f"{where}.params.{name}: not supported in batch requests")
        lines.append(Line(entry["custom_id"], orjson.dumps(entry["params"])))
    twice = find_duplicate([line.custom_id for line in lines])
    if twice is not None:
        raise WireError(400, f"requests: duplicate custom_id '{twice}'")
    return lines


def _to_result(line: Line) -> dict[str, Any]:
    result: dict[str, Any] = {"type": line.result}
    if line.result == "succeeded":
        result["message"] = line.answer
    elif line.result == "errored":
        result["error"] = line.answer
    return {"custom_id": line.custom_id, "result": result}


def _load(on: Exchange) -> Batch:
    """The batch of the path, as far as it is now. Raises: WireError."""
    batch = on.wire.batches.get(on.request.path_params["batch_id"])
    if batch is None or not _is_ours(batch):
        raise WireError(404, f"Message batch {on.request.path_params['batch_id']} not found")
    go_on(on.wire, batch)
    return batch


def _is_ours(batch: Batch) -> bool:
    return batch.dialect is anthropic.DIALECT


def _to_time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


ROUTES: Final = (
    *make_routes(
        BASE,
        _DIALECT,
        ("", "POST", create),
        ("", "GET", list_all),
        ("/{batch_id}", "GET", read_one),
        ("/{batch_id}/cancel", "POST", cancel),
    ),
    *make_routes(BASE, _RESULTS, ("/{batch_id}/results", "GET", read_results)),
)
