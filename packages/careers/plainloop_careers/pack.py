"""What the pack is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plainloop.agent.core.routes import ApiRoute
from plainloop.agent.core.spec import Pack

from . import tools_contacts as contacts
from . import tools_jobs as jobs
from . import tools_profile as profile
from .entities import ENTITIES
from .onboarding import make_onboarding
from .profile import PROMPT_READ, load_prompt_context
from .resumes.parsing import parse_resume_text
from .settings import get_agent_keys
from .web import tools as web
from .workers import make_workers


def build_pack() -> Pack:
    """Build the careers pack: its workers, tools, entities, tables, routes and screens."""
    return Pack(
        name="careers",
        title="Careers",
        workers=make_workers(),
        default_worker="general",
        examples=(
            "add a job: Backend Engineer at Initech in Berlin, remote",
            "how many jobs have I applied to?",
            "list my saved jobs",
        ),
        tools=(*jobs.TOOLS, *contacts.TOOLS, *web.TOOLS, *profile.TOOLS),
        entities=ENTITIES,
        migrations=Path(__file__).parent / "migrations",
        load_prompt_context=load_prompt_context,
        prompt_reads=(PROMPT_READ,),
        onboarding=make_onboarding(),
        load_routes=load_routes,
        screens=Path(__file__).parent / "screens",
        parse=parse_resume_text,
        get_agent_keys=get_agent_keys,
        load_offline_rules=load_offline_rules,
    )


def load_routes() -> tuple[ApiRoute, ...]:
    """Load the pack's HTTP routes."""
    from .routes import list_routes

    return list_routes()


def load_offline_rules() -> Any:
    """Load the pack's rules for the offline provider."""
    # Its patterns take a while to compile, and most processes never need them.
    from .offline import load_rules

    return load_rules()
