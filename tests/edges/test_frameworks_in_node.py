"""Agent frameworks in JavaScript, unmodified, each with a tool of its own and a shape it wants:
openai-agents, LangChain, LangGraph.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.edges.conftest import ServeNotes
from tests.edges.node_clients import get_end, require_node
from tests.edges.test_python_clients import AGENT, ANN, OSLO, answer

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


@pytest.mark.parametrize("framework", PACKAGES)
async def test_a_framework_gets_what_it_is_for(framework: str, serve: ServeNotes) -> None:
    require_node(PACKAGES[framework])
    served = await serve(*[answer] * 100, messages_per_minute=1_000)

    assert await get_end(served, "frameworks.mjs", framework) == TOLD[framework]
