"""Tools of other people's servers, as a recorded run saw them: no server is asked for a replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from ...core.spec import Pack, WorkerSpec
from ...core.tools import Tool, ToolContext
from ...mcp.names import SEPARATOR
from ...service.fetching import fetch_more
from .thread_recording import CallRecording

# By worker, the declarations that its requests had: name, description, parameters.
Lent = Mapping[str, tuple[dict[str, Any], ...]]


def find_lent(calls: Iterable[CallRecording], texts: Mapping[str, str]) -> Lent:
    """Find the tools whose name says that they are a server's (`server__tool`), and the one that
    reads on in a cut result.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for call in calls:
        text = texts.get(call.tools, "")
        if call.worker and (SEPARATOR in text or fetch_more.name in text):
            for tool in orjson.loads(text):
                if SEPARATOR in tool["name"] or tool["name"] == fetch_more.name:
                    found.setdefault(call.worker, {})[tool["name"]] = tool
    return {worker: tuple(tools.values()) for worker, tools in found.items()}


def lend_tools(pack: Pack, lent: Lent) -> Pack:
    """The pack as it was then. None of these tools can be called: what they gave is recorded."""
    if not lent:
        return pack
    own = {tool.name for tool in pack.tools}
    new = {
        tool["name"]: _make_closed(tool)
        for tools in lent.values()
        for tool in tools
        if tool["name"] not in own
    }
    workers = tuple(_lend(worker, lent.get(worker.name, ())) for worker in pack.workers)
    return replace(pack, tools=(*pack.tools, *new.values()), workers=workers)


def _lend(worker: WorkerSpec, tools: Iterable[dict[str, Any]]) -> WorkerSpec:
    names = [tool["name"] for tool in tools if tool["name"] not in worker.tools]
    return replace(worker, tools=(*worker.tools, *names))


def _make_closed(tool: Mapping[str, Any]) -> Tool:
    async def refuse(context: ToolContext, /, **arguments: Any) -> Any:
        raise RuntimeError("a replay calls no tool server")

    return Tool(
        tool["name"],
        tool["description"],
        "external",
        refuse,
        parameters=tool["parameters"],
        source="mcp",
    )
