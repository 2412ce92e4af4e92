"""The careers pack: job tracker, profile, résumé, grounded cover letters."""

from __future__ import annotations

from pathlib import Path

from agent.core.spec import Pack
from agent.packs.careers.entities import ENTITIES
from agent.packs.careers.onboarding import make_onboarding
from agent.packs.careers.profile import load_prompt_context
from agent.packs.careers.routes import list_routes
from agent.packs.careers.tools_contacts import (
    list_companies,
    list_contacts,
    save_company,
    save_contact,
)
from agent.packs.careers.tools_jobs import create_job, delete_job, list_jobs, update_job
from agent.packs.careers.tools_profile import read_resume, read_user_profile, update_user_profile
from agent.packs.careers.tools_web import job_search, scrape_url, web_search
from agent.packs.careers.workers import make_workers


def make_pack() -> Pack:
    return Pack(
        name="careers",
        title="Careers",
        workers=make_workers(),
        default_worker="general",
        tools=(
            create_job,
            list_jobs,
            update_job,
            delete_job,
            list_contacts,
            save_contact,
            list_companies,
            save_company,
            web_search,
            job_search,
            scrape_url,
            read_user_profile,
            update_user_profile,
            read_resume,
        ),
        entities=ENTITIES,
        migrations=Path(__file__).parent / "migrations",
        load_prompt_context=load_prompt_context,
        onboarding=make_onboarding(),
        routes=list_routes(),
    )
