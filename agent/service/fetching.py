"""The tool `fetch_more`, which reads the rest of a tool result that was cut.

What was cut once stays cut in the thread, so that every request of it begins as the one before.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, cast

import msgspec
import orjson
from msgspec import Meta

from ..base.tokens.estimate import ELLIPSIS, estimate_json_tokens, fit_text
from ..core.results import cut_result
from ..core.spec import Pack, WorkerSpec
from ..core.taint import UNTRUSTED
from ..core.tools import Tool, ToolContext, ToolOutcome, tool
from ..errors import ConfigError, ToolError
from ..store.runs import load_cut_result

WHOLE: Final = "whole"  # in the call's receipt
MAX_RESULT_BYTES: Final = 1_000_000  # of a result that is kept
ROOM_TOKENS: Final = 60  # for what stands around a part


Place = Annotated[int, Meta(ge=0)]


@tool("read", is_fixed=True)
async def fetch_more(
    tool: ToolContext,
    name: Annotated[str, Meta(description="of the tool whose result was cut")],
    start: Annotated[Place | None, Meta(description="unset: after what was shown")] = None,
    back: Annotated[int, Meta(ge=0, description="0: its newest cut result, 1: the one before")] = 0,
) -> Any:
    """The rest of a result whose note says that it was cut to fit."""
    whole = await load_cut_result(tool.db, tool.ctx.thread_id, name, back)
    if whole is None:
        raise ToolError(
            f"nothing to fetch: no result of the tool {name} was cut in this conversation. Call "
            "the tool itself"
        )
    return read_part(whole, start, tool.ctx.limits.tool_result_tokens)


def read_part(whole: Any, start: int | None, max_tokens: int) -> dict[str, Any]:
    """Return a part of a shortened tool result, by default the part that follows the cut.

    `next`: where to go on; null: this was the end.
    """
    key, body = _find_body(whole)
    if start is None:
        cut: Any = cut_result(ToolOutcome(whole), max_tokens).result
        seen: Any = cast("dict[str, Any]", cut).get(key, "") if isinstance(cut, dict) else cut
        start = len(seen.removesuffix(ELLIPSIS) if isinstance(seen, str) else seen)
    room = max(1, max_tokens - ROOM_TOKENS)
    if isinstance(body, str):
        rest = body[start:]
        part = fit_text(rest, room)
        part = part if part == rest else rest[: max(1, len(part.removesuffix(ELLIPSIS)))]
    else:
        part = _take(body, start, room)
    end = start + len(part)
    excerpt = {key: part, "start": start, "of": len(body), "next": end if end < len(body) else None}
    is_marked = isinstance(whole, dict) and UNTRUSTED in whole
    return {**excerpt, UNTRUSTED: True} if is_marked else excerpt


def _find_body(whole: Any) -> tuple[str, str | list[Any]]:
    """Find the part of a tool result to read on in: key and value of its largest list or text."""
    if isinstance(whole, list):
        return "items", cast("list[Any]", whole)
    if isinstance(whole, dict):
        fields = cast("dict[str, Any]", whole)
        long = [name for name, value in fields.items() if isinstance(value, list | str) and value]
        if long:
            key = max(long, key=lambda name: len(orjson.dumps(fields[name])))
            return key, fields[key]
    return "text", whole if isinstance(whole, str) else orjson.dumps(whole).decode()


def _take(items: Sequence[Any], start: int, max_tokens: int) -> list[Any]:
    """Return the items from `start` on that fit `max_tokens`, at least one."""
    kept: list[Any] = []
    for item in items[start:]:
        max_tokens -= estimate_json_tokens(item) + 1
        if kept and max_tokens < 0:
            break
        kept.append(item)
    return kept


class _Keeping:
    """Wraps a tool's function: a result that will be cut is stored whole with the call."""

    def __init__(self, item: Tool) -> None:
        function = item.function
        functools.update_wrapper(self, function)  # arguments are read from what is wrapped
        self._function, self._outside = function, item.outside
        # Annotations are text (`from __future__ import annotations`), and are resolved by the names
        # of the module in which the function stands.
        self.__globals__: Mapping[str, Any] = getattr(function, "__globals__", {})

    async def __call__(self, tool: ToolContext, /, **arguments: Any) -> Any:
        returned = await self._function(tool, **arguments)
        outcome = returned if isinstance(returned, ToolOutcome) else ToolOutcome(returned)
        try:
            text = orjson.dumps(msgspec.to_builtins(outcome.result, str_keys=True))
        except (TypeError, ValueError):
            return returned  # no JSON: whoever called says so
        # Parsed again: the stored JSON must be cut where the model's text was cut.
        whole = ToolOutcome(orjson.loads(text))
        is_cut = cut_result(whole, tool.ctx.limits.tool_result_tokens) is not whole
        if not is_cut or len(text) > MAX_RESULT_BYTES:
            return returned
        kept: Any = whole.result
        if self._outside or outcome.outside:  # what is read on of it is marked as a whole
            is_dict = isinstance(kept, dict)
            fields = cast("dict[str, Any]", kept if is_dict else {_find_body(kept)[0]: kept})
            kept = {**fields, UNTRUSTED: True}
        return replace(outcome, receipt={**outcome.receipt, WHOLE: kept})


class ResultPager:
    """Adds the tool `fetch_more`, which reads on in cut results, to packs if settings say so."""

    def __init__(self, *, is_on: bool) -> None:
        self._is_on = is_on
        self._equipped: dict[str, tuple[Pack, Pack]] = {}

    def equip(self, pack: Pack) -> Pack:
        """Return the pack with the tool `fetch_more`, by which models read cut results.
        If the tool is off, the pack is unchanged.
        The same pack object gives the same result object.

        Raises: ConfigError where the pack has a tool of this name.
        """
        if not self._is_on:
            return pack
        known = self._equipped.get(pack.name)
        if known is None or known[0] is not pack:
            known = self._equipped[pack.name] = (pack, _equip(pack))
        return known[1]


def _equip(pack: Pack) -> Pack:
    """Return the pack with `fetch_more` for its workers, and tools that store whole results."""
    if any(item.name == fetch_more.name for item in pack.tools):
        raise ConfigError(
            f"the pack {pack.name!r} must not define {fetch_more.name}: the service has a tool of "
            "that name",
            hint="Set AGENT_FETCH_MORE=false, or rename the pack's tool.",
        )
    workers = tuple(map(_equip_worker, pack.workers))
    return replace(pack, tools=(*map(_keep, pack.tools), fetch_more), workers=workers)


def _keep(item: Tool) -> Tool:
    """Return the tool with its function wrapped by `_Keeping`; a client's tool unchanged."""
    return item if item.is_client else replace(item, function=_Keeping(item))


def _equip_worker(worker: WorkerSpec) -> WorkerSpec:
    """Return the worker with `fetch_more` if it has any tools."""
    return replace(worker, tools=(*worker.tools, fetch_more.name)) if worker.tools else worker
