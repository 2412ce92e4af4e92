"""What the endpoints of batches and files have in common: journal, delay, key, faults, errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from ..answering import Wire, take_request
from ..api import WireError
from ..call import Dialect, WireRequest
from ..responding import fail, make_headers, respond_error, respond_json
from ..sending import WireResponse
from ..strict import ShapeError
from .store import Batch

# The JSON that answers, or the bytes of a file.
Work = Callable[[Request, Wire, WireRequest], Awaitable[dict[str, Any] | bytes]]


def make_routes(base: str, dialect: Dialect, *works: tuple[str, str, Work]) -> tuple[Route, ...]:
    """Endpoints that are noted under the dialect's name. works: path below base, method, what it
    does.
    """

    def make_route(path: str, method: str, work: Work) -> Route:
        async def endpoint(request: Request) -> Any:
            # A fault with `after` lets the request take effect before it fails.
            wire: Wire = request.app.state.wire
            asked, entry = await take_request(request, dialect, dialect.name)
            try:
                dialect.check_key(asked)
                fault = wire.faults.take(dialect.name)
                if fault is not None:
                    entry["fault"] = {"status": fault.status, "after": fault.after}
                if fault is not None and fault.status is not None and not fault.after:
                    return fail(request, fault, dialect, entry, wire)
                answer = await work(request, wire, asked)
                if fault is not None and fault.status is not None:
                    await asyncio.sleep(fault.hold_ms / 1000)
                    return fail(request, fault, dialect, entry, wire)
            except ShapeError as error:
                return respond_error(dialect.api.refuse_shape(error), dialect, wire, entry)
            except WireError as error:
                return respond_error(error, dialect, wire, entry)
            if isinstance(answer, dict):
                return respond_json(200, answer, dialect, wire, entry, None)
            entry["status"] = 200
            return WireResponse(
                status=200,
                headers=make_headers(dialect, entry, "application/octet-stream"),
                frames=answer.splitlines(keepends=True),
                entry=entry,
                on_end=wire.journal.write_entry,
                delay_s=wire.faults.delay_s,
                cut=fault,
            )

        return Route(base + path, endpoint, methods=[method])

    return tuple(make_route(*each) for each in works)


def take_page(
    asked: WireRequest, batches: Sequence[Batch], after: str | None, most: int
) -> tuple[list[Batch], dict[str, Any]]:
    """Cut a page of the batches, the newest first, and say what lies around it. after: the id of
    the last one before the page. Raises: WireError.
    """
    text = asked.query.get("limit", "20")
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise WireError(400, f"limit: Input should be between 1 and {most}")
    ids = [batch.id for batch in reversed(batches)]
    if after is not None and after not in ids:
        raise WireError(404, f"No batch found with id '{after}'.")
    begin = 0 if after is None else ids.index(after) + 1
    end = begin + int(text)
    page = list(reversed(batches))[begin:end]
    ends = {"first_id": page[0].id, "last_id": page[-1].id} if page else {}
    return page, {"first_id": None, "last_id": None, **ends, "has_more": end < len(ids)}
