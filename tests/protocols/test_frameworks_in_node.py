"""Agent frameworks in JavaScript, unmodified, each with a tool of its own and a shape it wants:
openai-agents, LangChain, LangGraph.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import get_end, require_node
from tests.protocols.test_python_clients import AGENT, ANN, OSLO, answer
from tests.wire_fixtures import StartWire

PACKAGES = {
    "agents": "@openai/agents",
    "langchain": "@langchain/openai",
    "langgraph": "@langchain/langgraph",
}
STATE = {"kinds": AGENT, "said": OSLO, "data": ANN}
TOLD: dict[str, dict[str, Any]] = {
    "agents": {
        key: value
        for kind in ("chat", "responses")
        for key, value in ((kind, OSLO), (f"{kind} streamed", [OSLO, OSLO]), (f"{kind} data", ANN))
    },
    "langchain": {
        method + way: ANN
        for method in ("jsonSchema", "functionCalling", "jsonMode")
        for way in ("", " streamed")
    },
    "langgraph": {"whole": STATE, "streamed": STATE},
}


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("framework", PACKAGES)
async def test_each_node_framework_works_unmodified(
    framework: str, behind: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    require_node(PACKAGES[framework])
    served = await serve_behind(behind, answer, serve, wire_server)

    assert await get_end(served, "frameworks.mjs", framework) == TOLD[framework]
