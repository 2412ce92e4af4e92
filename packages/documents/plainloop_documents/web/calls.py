"""One call to a search provider: its JSON, or a tool error that says what can be done."""

from __future__ import annotations

import math
import time
from email.utils import parsedate_to_datetime
from itertools import zip_longest
from typing import Any, Final, NoReturn, cast

import orjson

from plainloop.agent.config.settings import Secret
from plainloop.agent.core.seams import RunView
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import ConfigError, InputError, ToolError
from plainloop.agent.outbound.addresses import AllowList, normalize_host, parse_allow_list
from plainloop.agent.outbound.client import Fetched, OutboundRequest, fetch

from .paid_requests import recorded_request

MAX_ANSWER_BYTES: Final = 4_000_000
MAX_WAIT_S: Final = 30 * 86_400


@dataclass(frozen=True, slots=True)
class SearchCall:
    """Describes a request to a search provider.

    Secrets go into headers or parameters, not into messages.
    """

    provider: str  # as people call it
    base: str  # the provider's address, or the operator's
    path: str
    method: str = "GET"
    params: dict[str, str] = field(default_factory=dict[str, str])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    json: Any = None


def get_key(secret: Secret | None, provider: str, variable: str) -> str:
    """Return the search provider's API key in plain text.

    Raises: ToolError naming the setting that is missing.
    """
    if secret is None:
        raise ToolError(
            f"{provider} needs a key: the operator must set {variable}", missing=variable
        )
    return secret.reveal()


async def call_search(call: SearchCall, ctx: RunView) -> dict[str, Any]:
    """Send a request to a search provider and return its JSON answer; record the cost.

    ctx: the run that pays for it.

    Raises: ToolError: no answer, refused key, used up quota, rate limit (with `retry_after_s`), no
    JSON.
    """
    settings = ctx.settings
    request = OutboundRequest(
        url=call.base.rstrip("/") + call.path,
        method=call.method,
        params=call.params,
        headers={"accept": "application/json", **call.headers},
        json=call.json,
        max_bytes=MAX_ANSWER_BYTES,
        timeout_s=settings.limits.fetch_timeout_s,
        max_redirects=0,  # no API moves, and a key must not follow
    )
    try:
        # The operator's doors, and the address that the operator configured.
        import httpx2

        allow = parse_allow_list(settings.outbound_allow)
        url = httpx2.URL(call.base)
        port = url.port or (443 if url.scheme == "https" else 80)
        doors = AllowList(allow.hosts | {(normalize_host(url.host), port)}, allow.networks)
        name, asked = call.provider.lower(), f"{call.params}{call.json}"
        async with recorded_request(name, asked, ctx):
            answer = await fetch(request, doors)
            if answer.status != 200:
                _raise_status(call.provider, answer)
    except (InputError, ConfigError) as error:
        raise ToolError(
            f"{call.provider} cannot be reached: {error.message}. Try again later"
        ) from error
    try:
        data = orjson.loads(answer.content)
    except orjson.JSONDecodeError as error:
        raise ToolError(
            f"{call.provider} answered with something that is not JSON: try again later"
        ) from error
    if not isinstance(data, dict):
        raise ToolError(f"{call.provider} answered in an unknown form: use another source")
    return cast(dict[str, Any], data)


def _raise_status(provider: str, answer: Fetched) -> NoReturn:
    """Raise a tool error with the next step for the model, by the provider's HTTP status."""
    if answer.status in (401, 403):
        raise ToolError(f"{provider} refused the key ({answer.status}); the operator must check it")
    if answer.status in (402, 432, 433):  # the latter are Tavily's
        raise ToolError(f"{provider}'s quota is used up ({answer.status}): use another source")
    if answer.status == 429:
        wait_s = find_wait_s(answer)
        minutes = (wait_s or 0) // 60
        wait = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
        wait = wait if minutes >= 2 else f"{wait_s} s"
        when = f"try again in {wait}" if wait_s else "try again later"
        details = {"retry_after_s": wait_s} if wait_s else {}
        raise ToolError(f"{provider}'s rate limit is reached; {when}", **details)
    if answer.status >= 500:
        raise ToolError(f"{provider} reported an internal error ({answer.status}); try again later")
    raise ToolError(f"{provider} refused the request ({answer.status}): change the query")


def find_wait_s(answer: Fetched) -> int | None:
    """Return after how many seconds the provider accepts a call again; None if unknown.

    Read from Retry-After (seconds or a date), else from the headers `…ratelimit…-reset`. Brave's
    lists several windows, "1, 1419704": the used up ones count, by `…-remaining`.
    """
    headers = answer.headers
    wait_s = _parse_wait(headers.get("retry-after", ""))
    waits: list[int | None] = [wait_s]
    for name, value in headers.items() if wait_s is None else ():
        if "ratelimit" in name and name.endswith("reset"):
            remaining = headers.get(name.removesuffix("reset") + "remaining", "").split(",")
            windows = zip_longest(value.split(","), remaining, fillvalue="0")
            waits += [_parse_wait(reset) for reset, left in windows if left.strip() in ("0", "")]
    return max((wait for wait in waits if wait is not None), default=None)


def _parse_wait(text: str) -> int | None:
    """Parse seconds, or a date in the future, to seconds from now; None for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(1, math.ceil(seconds)) if 0 <= seconds <= MAX_WAIT_S else None
