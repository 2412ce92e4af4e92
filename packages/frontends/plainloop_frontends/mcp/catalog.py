"""The tools that foreign clients see: those of our workers, and whole runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from plainloop.agent.base.messages.object_schema import make_object_schema
from plainloop.agent.base.shown.rare_tools import FIND
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import Tool
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.packs.helping import list_helper_tools
from plainloop.agent.service.service import Service

ASK_PREFIX: Final = "ask_"
GET_RUN: Final = "get_run"
_ASK: Final = (
    "Give {who} a message in its own words and get its answer. {what}. The work goes on when the "
    "connection is closed, and get_run tells its end; to go on with a conversation give its "
    "thread_id."
)
_TEXT: Final = {"type": "string", "minLength": 1}
_RUN_SHAPE: Final = {
    "type": "object",
    "properties": {
        "run_id": {"type": "string"},
        "thread_id": {"type": "string"},
        "status": {"type": "string"},
    },
    "required": ["run_id", "thread_id", "status"],
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A pack's tool that is offered over MCP."""

    pack: Pack
    tool: Tool


def list_packs(service: Service) -> list[Pack]:
    """List the served packs with the tools that their MCP servers offer now."""
    return [service.get_pack(item.name) for item in service.packs]


def find_tools(service: Service) -> dict[str, Offered]:
    """Return the packs' own tools that MCP clients may call, by name.

    These are tools of chat workers. If two packs have a tool of the same name, the first pack's is
    offered. Not those of an interview, which mean nothing outside of it, nor what other servers
    lent us: we are not a way to them. Nor helpers: who asks for work asks the agent.
    """
    offered: dict[str, Offered] = {}
    for pack in list_packs(service):
        named = {name for item in pack.workers if item.interview is None for name in item.tools}
        for tool in pack.tools:
            is_helper = tool.name == FIND or tool.name in list_helper_tools(pack)
            if tool.name in named and tool.source == "local" and not is_helper:
                offered.setdefault(tool.name, Offered(pack, tool))
    return dict(sorted(offered.items()))


def list_tools(service: Service) -> list[dict[str, Any]]:
    """Return the descriptions of all tools offered over MCP, in a fixed order.

    The order keeps the prefix of clients' prompts.
    """
    return [*_list_own(service), *(_describe(item.tool) for item in find_tools(service).values())]


def _list_own(service: Service) -> Iterator[dict[str, Any]]:
    title = service.pack.title
    workers = "; ".join(worker.description for worker in service.pack.workers)
    yield {
        "name": f"{ASK_PREFIX}{service.design.name}",
        "title": f"Ask {title}",
        "description": _ASK.format(who=title, what=workers.rstrip(".")),
        "inputSchema": {
            "type": "object",
            "properties": {
                "message": {**_TEXT, "description": "what is wanted"},
                "thread_id": {**_TEXT, "description": "of a conversation to go on with"},
                "cancel_on_disconnect": {
                    "type": "boolean",
                    "description": "stop the work when the connection is closed",
                },
            },
            "required": ["message"],
            "additionalProperties": False,
        },
        "outputSchema": _RUN_SHAPE,
        "annotations": {"readOnlyHint": False, "openWorldHint": True},
    }
    yield {
        "name": GET_RUN,
        "title": "Read a run",
        "description": "How a run stands, what it has answered so far, and what it waits for.",
        "inputSchema": make_object_schema(
            {"run_id": {**_TEXT, "description": "as an earlier call gave it"}}
        ),
        "outputSchema": _RUN_SHAPE,
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def _describe(tool: Tool) -> dict[str, Any]:
    is_read, is_write = tool.effect == "read", tool.effect == "write"
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema.parameters,
        "annotations": {
            "readOnlyHint": is_read,
            "destructiveHint": not is_read and tool.undone_by is None,
            "idempotentHint": is_read or tool.is_keyed,
            "openWorldHint": not is_write and not tool.is_fixed,
        },
    }
