"""What the pack is made of."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Interview, Pack, WorkerSpec
from plainloop.agent.core.state import AgentState
from tests.tracker.entities import ENTITIES
from tests.tracker.offline import load_rules
from tests.tracker.routes import ROUTES
from tests.tracker.tools import TOOLS

MARKER = "[ONBOARDING_COMPLETE]"


async def list_missing(state: AgentState, ctx: RunView) -> tuple[str, ...]:
    return ("name",)


def build_pack() -> Pack:
    return Pack(
        name="tracker",
        title="Tracker",
        workers=(
            WorkerSpec(
                name="crm_worker",
                description="save, change, move, delete, list or show jobs in the tracker",
                prompt="You keep the user's job tracker with your tools.",
                tools=tuple(item.name for item in TOOLS),
            ),
            WorkerSpec(
                name="writer",
                description="write or rewrite a letter",
                prompt="You write letters.",
                tools=("list_jobs",),
                evaluate="always",
            ),
            WorkerSpec(
                name="general",
                description="everything else",
                prompt="You help with whatever comes up.",
                tools=("list_jobs",),
                evaluate="auto",
            ),
        ),
        default_worker="general",
        tools=TOOLS,
        entities=ENTITIES,
        migrations=Path(__file__).with_name("migrations"),
        onboarding=WorkerSpec(
            name="newcomer_interview",
            description="asks a newcomer's name",
            prompt=f"Ask for the user's name; then say {MARKER}.",
            tools=(),
            interview=Interview(list_missing=list_missing, marker=MARKER),
        ),
        routes=ROUTES,
        load_offline_rules=load_rules,
    )
