"""Tools of other people's servers, and of clients, as a recorded run saw them: nobody is asked for
a replay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from plainloop.agent.base.shown.rare_tools import FIND, list_findable
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.mcp.names import SEPARATOR
from plainloop.agent.packs.prompts import change_workers
from plainloop.agent.service.fetching import fetch_more

from .thread_recording import CallRecording
from .tool_schemas import ToolShape, make_closed_tool

# By worker, the declarations that its requests had: name, description, parameters.
Lent = Mapping[str, tuple[dict[str, Any], ...]]


def find_lent(
    calls: Iterable[CallRecording], texts: Mapping[str, str], brought: Collection[str] = ()
) -> Lent:
    """Find the tools in recorded requests that the pack does not define, by worker.

    These are servers' (`server__tool`), the service's own (`fetch_more`, and `find_tools` with the
    tools that it lists), and what the client brought.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    known = {fetch_more.name, FIND, *brought}
    for call in calls:
        text = texts.get(call.tools, "")
        if call.worker and (SEPARATOR in text or any(name in text for name in known)):
            for tool in (declared := orjson.loads(text)):
                if SEPARATOR in tool["name"] or tool["name"] in known:
                    found.setdefault(call.worker, {})[tool["name"]] = tool
            for name in list_findable(declared):  # its requests have no more of it than the name
                listed = {"name": name, "description": "", "parameters": {"type": "object"}}
                found[call.worker].setdefault(name, listed)
    return {worker: tuple(tools.values()) for worker, tools in found.items()}


def lend_tools(pack: Pack, lent: Lent) -> Pack:
    """Return the pack with lent tools (of servers and clients) added to its workers.

    lent: from `find_lent`. None of these can be called: their results are recorded.
    """
    if not lent:
        return pack
    own = {tool.name for tool in pack.tools}
    new = {
        tool["name"]: make_closed_tool(ToolShape(**tool), "mcp")
        for tools in lent.values()
        for tool in tools
        if tool["name"] not in own
    }

    def lend(worker: WorkerSpec) -> WorkerSpec:
        names = (tool["name"] for tool in lent.get(worker.name, ()))
        more = [name for name in names if name not in worker.tools]
        rare = list_findable(lent.get(worker.name, ())) or worker.rare
        return replace(worker, tools=(*worker.tools, *more), rare=rare)

    return replace(change_workers(pack, lend), tools=(*pack.tools, *new.values()))
