"""The interview as a node table: one worker, its tools, nothing else."""

from __future__ import annotations

from agent.core.spec import Pack
from agent.designs.base import NodeTable
from agent.errors import ConfigError
from agent.workers._base_worker import make_tools_node, make_worker_node

TURNS = "onboarding_turns"


def build_interview_nodes(pack: Pack) -> NodeTable:
    """Raises: ConfigError when the pack holds no interview."""
    spec = pack.onboarding
    if spec is None:
        raise ConfigError(
            f"the pack {pack.name!r} has no onboarding interview",
            hint="choose another one with AGENT_ONBOARDING",
        )
    nodes = {spec.name: make_worker_node(spec, TURNS), f"{spec.name}.tools": make_tools_node(spec)}
    return NodeTable(nodes, spec.name)
