"""What the pack is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from plainloop.agent.core.routes import ApiRoute
from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import Interview, Pack, WorkerSpec
from plainloop.agent.core.state import AgentState

from .export import INTERVIEWER, delete_export
from .fields import ASKED, FIELD_NAMES, list_missing_fields
from .tools import COMMENTS, DOCUMENTS, export_data, read_data, write_data

_FOLDER: Final = Path(__file__).parent
_TOOLS: Final = (read_data, write_data, DOCUMENTS.make_tool(), export_data)


def build_pack() -> Pack:
    interviewer = make_interviewer()
    return Pack(
        name="staff_onboarding",
        title="Staff onboarding",
        workers=(interviewer,),
        default_worker=interviewer.name,
        tools=_TOOLS,
        migrations=_FOLDER / "migrations",
        data_fields=(*FIELD_NAMES, COMMENTS),
        onboarding=interviewer,
        load_routes=load_routes,
        screens=_FOLDER / "screens",
        load_offline_rules=load_offline_rules,
        forget_thread=delete_export,
    )


def make_interviewer() -> WorkerSpec:
    """Build the worker that interviews users about new colleagues.

    It makes one tool call at a time. Only an export ends the interview.
    """
    return WorkerSpec(
        name=INTERVIEWER,
        description="collects a new colleague's details and answers questions on the company",
        prompt=(_FOLDER / "prompts" / "interview.md").read_text(encoding="utf-8").strip(),
        tools=tuple(tool.name for tool in _TOOLS),
        parallel_tools=False,
        interview=Interview(list_missing=list_missing, final_tool=export_data.name, is_many=True),
    )


async def list_missing(state: AgentState, ctx: RunView) -> tuple[str, ...]:
    missing = list_missing_fields(state["data"], ASKED)
    return tuple(name.replace("_", " ") for name in missing)


def load_routes() -> tuple[ApiRoute, ...]:
    """Load the pack's HTTP routes."""
    from .routes import ROUTES

    return ROUTES


def load_offline_rules() -> Any:
    from .offline import load_rules  # its patterns are compiled where the stand-in answers

    return load_rules()
