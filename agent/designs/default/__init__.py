"""The orchestrator: classify, take a fast path or a worker, evaluate where it is worth it."""

from __future__ import annotations

from typing import Final

from ...base.caching.functions import cached_by_identity
from ...core.context import Node
from ...core.spec import Pack, WorkerSpec
from ...evaluators._base_evaluator import make_evaluator_node
from ...routers.agent_router import agent_router
from ...routers.fast_paths import fast_count, fast_list, fast_lookup, format_result
from ...routers.intent_classifier import intent_classifier
from ...workers._base_worker import make_answer_node, make_tools_node, make_worker_node
from ..base import NodeTable
from ..interview import InterviewAgent
from ..parsing import PackParser
from ..stepwise import StepwiseAgent

# docs/architecture.md shows the same drawing; a test walks its edges and those of real runs.
GRAPH: Final = """\
message ─► intent_classifier ─► fast_lookup | fast_count | fast_list ─► format_result ─► END
                  │      ▲            │            │            │
                  │      └──not found─┴────────────┴────────────┘
                  └─► agent_router ─► WORKER ⇄ WORKER.tools ─► [needs_evaluator?]
                                         ▲                        │no        │yes
                                         │                       END   WORKER.evaluator ─► pass ─► END
                                         └────────── retry, with feedback ──────┘
"""  # noqa: E501


def build_orchestrator_nodes(pack: Pack) -> NodeTable:
    """Build the default design's node table for this pack. GRAPH is its drawing."""
    nodes: dict[str, Node] = {
        "intent_classifier": intent_classifier,
        "fast_lookup": fast_lookup,
        "fast_count": fast_count,
        "fast_list": fast_list,
        "format_result": format_result,
        "agent_router": agent_router,
        **{name: node for spec in pack.workers for name, node in build_worker_nodes(spec).items()},
    }
    return NodeTable(nodes, "intent_classifier")


def build_worker_nodes(spec: WorkerSpec) -> dict[str, Node]:
    """Build one worker's nodes by name: model, tools, evaluator, and those its pack adds."""
    return {
        spec.name: make_worker_node(spec),
        f"{spec.name}.tools": make_tools_node(spec),
        **{f"{spec.name}.{name}": make_answer_node(spec, name) for name in spec.after},
        f"{spec.name}.evaluator": make_evaluator_node(spec),
    }


# One table for all runs of a pack: nodes keep nothing. Counted with the pack that it keeps.
_build_once = cached_by_identity(lambda _: 2**16)(build_orchestrator_nodes)


class DefaultAgent(StepwiseAgent):
    """The chat agent of the default design."""

    def build_nodes(self, pack: Pack) -> NodeTable:
        """Build the node table of the default design for this pack."""
        return _build_once(pack)


DefaultOnboardingAgent = InterviewAgent
DefaultResumeParser = PackParser
