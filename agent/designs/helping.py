"""The design of helper runs: one worker from the first step, without routing.

task ─► WORKER ⇄ WORKER.tools ─► as after that worker in any run ─► END
"""

from __future__ import annotations

from typing import Any, ClassVar

from ..core.spec import Pack
from ..errors import ConfigError
from .base import Design, NodeTable
from .default import build_worker_nodes
from .interview import InterviewAgent
from .parsing import PackParser
from .stepwise import StepwiseAgent


class HelpingAgent(StepwiseAgent):
    """The chat agent that runs a single worker as a helper."""

    worker: ClassVar[str]

    def build_nodes(self, pack: Pack) -> NodeTable:
        """Build the nodes of this design's only worker: model, tools and evaluator.
        Raises: ConfigError when the pack has no such worker.
        """
        spec = pack.get_worker(self.worker)
        if spec is None:
            raise ConfigError(
                f"the pack {pack.name!r} has no worker {self.worker!r}",
                hint="Name one of its workers as the helper.",
            )
        return NodeTable(build_worker_nodes(spec), spec.name)


def make_helping_design(name: str, worker: str) -> Design:
    """Build a design that runs only this worker, as a helper. name: as recorded in runs."""
    agent: type[Any] = type("HelpingAgent", (HelpingAgent,), {"worker": worker})
    return Design(name, agent, InterviewAgent, PackParser)
