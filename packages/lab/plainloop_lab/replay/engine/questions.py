"""Which calls a person is asked about: the rules of today held against what was asked then."""

from __future__ import annotations

from typing import Final

from plainloop.agent.base.messages.contents import list_open_calls
from plainloop.agent.core.context import Node, RequestContext
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.state import AgentState
from plainloop.agent.core.taint import Guard
from plainloop.agent.core.tools import ToolRegistry
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.packs.helping import list_helper_tools
from plainloop.agent.packs.prompts import list_workers
from plainloop.agent.types import Update
from plainloop.agent.workers.approvals import find_approval_reason, is_well_formed

from ..sources.recording import RecordedTurn
from .divergence import Diverged, Divergence

TOOLS: Final = ".tools"  # behind a worker's name


def watch_questions(table: NodeTable, pack: Pack, turn: RecordedTurn) -> NodeTable:
    """Wrap tool nodes to raise Diverged if approvals are needed for other calls than recorded.

    Nobody is asked: what each call came to is recorded.

    pack: with its own tools and no others, whose declarations are the rules.
    """
    then = turn.asked
    if then is None:
        return table
    # A helper's own run asks within the call, whatever rules say of the call itself.
    helpers = list_helper_tools(pack)
    tools = ToolRegistry(tool for tool in pack.tools if tool.name not in helpers)
    told = {key for key, result in turn.results.items() if "is_untrusted" in result}
    shown = {worker.name: worker.tools for worker in list_workers(pack)}

    async def find_asked(
        name: str, state: AgentState, ctx: RequestContext
    ) -> dict[str, tuple[str, str]]:
        """Return by call id what open calls of the pack's own tools came to, then and today."""
        guard = Guard(state["messages"], ctx.prompt_context, tools)
        allowed = shown.get(name.removesuffix(TOOLS), tuple(tools.list_names()))
        found: dict[str, tuple[str, str]] = {}
        for call in list_open_calls(state["messages"]):
            tool = tools.get(call["name"])
            if tool is None:
                continue
            reason = None
            if is_well_formed(call, tool, allowed):
                judged = await guard.judge_in_thread(call, tool)
                reason = find_approval_reason(call, tool, judged, state["messages"])
            was = f"{tool.name} asks" if call["id"] in then else f"{tool.name} goes on"
            found[call["id"]] = was, f"{tool.name} {'goes on' if reason is None else 'asks'}"
        return found

    def watch(name: str, node: Node) -> Node:
        async def watched(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            found = await find_asked(name, state, ctx)
            # What a step that is not recorded yet will ask may just not have been asked.
            is_known = ctx.journal.step < len(turn.steps)
            sides = [both for key, both in found.items() if is_known or key in then]
            was, now = [one for one, _ in sides], [other for _, other in sides]
            if was != now:
                raise Diverged(Divergence("approval", ctx.journal.step, name, was, now))
            update, next_node = await node(state, ctx)
            for message in update.get("messages", []):
                for part in message["parts"]:
                    # Clients answered calls of their own tools then: their words are marked so.
                    if part["type"] == "tool_result" and part["id"] in told:
                        part["is_untrusted"] = True
            return update, next_node

        return watched

    nodes = {name: node for name, node in table.nodes.items() if name.endswith(TOOLS)}
    watched = {name: watch(name, node) for name, node in nodes.items()}
    return NodeTable({**table.nodes, **watched}, table.start)
