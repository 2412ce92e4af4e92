"""A design that executes one tool call made by the client, without calling a model.

message {"tool": name, "arguments": {…}} ─► one_call ─► one_call.tools ─► one_call ─► END

So the call has its row in the ledger, its approval where it needs one, its idempotency key and its
events, like those that models make. MCP's `tools/call` runs under it.
"""

from __future__ import annotations

import msgspec
import orjson

from ...base.ids import make_id
from ...base.messages.contents import get_text, make_text_message
from ...base.text.links import disarm_message
from ...core.context import RequestContext
from ...core.spec import Pack, WorkerSpec
from ...core.state import END, AgentState
from ...core.taint import make_link_filter
from ...types import FunctionCall, Update
from ...workers._base_worker import make_tools_node
from ..base import NodeTable
from ..interview import InterviewAgent
from ..parsing import PackParser
from ..stepwise import StepwiseAgent

NAME = "one_call"


class WantedCall(msgspec.Struct):
    """The tool call that a client's message names."""

    tool: str
    arguments: dict[str, object] = {}


def build_one_call_nodes(pack: Pack) -> NodeTable:
    """Build the node table that executes a single tool call of a client, without a model."""
    names = tuple(sorted(tool.name for tool in pack.tools))
    spec = WorkerSpec(NAME, "a call that a client makes itself", prompt="", tools=names)
    return NodeTable({NAME: call_or_answer, f"{NAME}.tools": make_tools_node(spec)}, NAME)


async def call_or_answer(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
    """Execute the tool call in the client's message, then answer with its result.

    Next: `one_call.tools`, or END.
    """
    last = state["messages"][-1]
    if last["role"] == "tool":
        # One call, so one result.
        (part,) = last["parts"]
        correction = orjson.dumps(part["result"]).decode() if part["type"] == "tool_result" else ""
        links = make_link_filter(state["messages"], ctx.prompt_context, ctx.tools)
        message = await disarm_message(make_text_message("assistant", correction), links)
        return {"messages": [message]}, END
    try:
        wanted = msgspec.json.decode(get_text(last), type=WantedCall)
    except msgspec.MsgspecError as error:
        correction = f'This is no call: {error}. {{"tool": name, "arguments": {{…}}}} is one.'
        return {"messages": [make_text_message("assistant", correction)]}, END
    call: FunctionCall = {
        "type": "tool_call",
        # Ours, not the client's: MCP's request ids begin at 0 in each session
        # (docs/decisions/16-mcp.md).
        "id": f"call_{make_id()}",
        "name": wanted.tool,
        "arguments": wanted.arguments,
    }
    return {"messages": [{"role": "assistant", "parts": [call]}]}, f"{NAME}.tools"


class OneCallAgent(StepwiseAgent):
    """The chat agent of the one-call design."""

    def build_nodes(self, pack: Pack) -> NodeTable:
        return build_one_call_nodes(pack)


OneCallOnboardingAgent = InterviewAgent
OneCallResumeParser = PackParser
