"""A pack that answers from its documents: one line names the folder, one adds the tool."""

from pathlib import Path

from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop_retrieval.knowledge import Knowledge

HANDBOOK = Knowledge("canteen", folder=Path(__file__).parent / "handbook")


def make_pack() -> Pack:
    clerk = WorkerSpec(
        name="clerk",
        description="answers questions about the canteen",
        prompt="Answer from the documents alone, and name the document.",
        tools=(HANDBOOK.tool_name,),
    )
    return Pack(
        name="canteen",
        title="Canteen",
        workers=(clerk,),
        default_worker="clerk",
        tools=(HANDBOOK.make_tool(),),
    )
