"""One reason–act–observe loop over all of the pack's tools: the plain design to compare with.

message ─► react ⇄ react.tools ─► END
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ...core.spec import Pack, WorkerSpec
from ...packs.tool_finding import list_hidden
from ...workers._base_worker import make_tools_node, make_worker_node
from ..base import NodeTable
from ..interview import InterviewAgent
from ..parsing import PackParser
from ..stepwise import StepwiseAgent


def build_react_nodes(pack: Pack, prompt: str | None = None) -> NodeTable:
    """Build the node table of a single worker that has all tools of the pack.
    prompt: replaces the design's own.
    """
    spec = WorkerSpec(
        name="react",
        description="any request",
        prompt=pack.prompts.get("react") or read_prompt() if prompt is None else prompt,
        tools=tuple(sorted(tool.name for tool in pack.tools)),
        evaluate="never",
        rare=list_hidden(pack),
    )
    nodes = {"react": make_worker_node(spec, "react_turns"), "react.tools": make_tools_node(spec)}
    return NodeTable(nodes, "react")


class ReactAgent(StepwiseAgent):
    """The chat agent of the react design."""

    def build_nodes(self, pack: Pack) -> NodeTable:
        """Build the node table of the react design for this pack."""
        return build_react_nodes(pack)


ReactOnboardingAgent = InterviewAgent
ReactResumeParser = PackParser


@lru_cache(maxsize=1)
def read_prompt() -> str:
    """Read the design's own system prompt from `prompt.md`, once."""
    return Path(__file__).with_name("prompt.md").read_text(encoding="utf-8").strip()
