"""What the endpoints of batches and files have in common: journal, delay, key, faults, errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from ..api import WireError
from ..call import Dialect, WireRequest
from ..responding import Exchange, take_request
from .store import Batch

# The JSON that answers, or the bytes of a file.
Work = Callable[[Exchange], Awaitable[dict[str, Any] | bytes]]


def make_routes(base: str, dialect: Dialect, *works: tuple[str, str, Work]) -> tuple[Route, ...]:
    """Make an API's routes, whose requests are recorded in the journal.

    works: path below base, method, and the function that answers.
    """

    def make_route(path: str, method: str, work: Work) -> Route:
        async def endpoint(request: Request) -> Any:
            exchange = await take_request(request, dialect, dialect.name)
            return await exchange.settle(_do(work, exchange))

        return Route(base + path, endpoint, methods=[method])

    return tuple(make_route(*each) for each in works)


async def _do(work: Work, exchange: Exchange) -> Any:
    """A fault with `after` lets the request take effect before it fails."""
    exchange.dialect.check_key(exchange.asked)
    fault = exchange.take_fault()
    fails = fault is not None and fault.status is not None
    if fault is not None and fails and not fault.after:
        return exchange.fail(fault)
    answer = await work(exchange)
    if fault is not None and fails:
        await asyncio.sleep(fault.hold_ms / 1000)
        return exchange.fail(fault)
    if isinstance(answer, dict):
        return exchange.respond(answer)
    frames = answer.splitlines(keepends=True)
    return exchange.send(frames, "application/octet-stream", fault=fault)


def take_page(
    asked: WireRequest, batches: Sequence[Batch], after: str | None, most: int
) -> tuple[list[Batch], dict[str, Any]]:
    """Return one page of batches, newest first.

    Returns (batches, the page's fields `first_id`, `last_id`, `has_more`). after: the id of the
    last batch of the previous page. Raises: WireError.
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
