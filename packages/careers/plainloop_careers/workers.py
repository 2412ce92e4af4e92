"""The careers workers. Their prompts are the `.md` files beside this one."""

from __future__ import annotations

from typing import Final

from plainloop.agent.core.spec import WorkerSpec

from .files import load_prompt
from .letters.answers import accept_letter, check_letter

_JOBS: Final = ("create_job", "list_jobs", "update_job")
_CONTACTS: Final = ("list_contacts", "save_contact", "list_companies", "save_company")
_WEB: Final = ("web_search", "scrape_url")
_PROFILE: Final = ("read_user_profile", "update_user_profile")


def make_workers() -> tuple[WorkerSpec, ...]:
    """Build the specs of the careers workers, with their prompts loaded."""
    return (
        WorkerSpec(
            name="crm_worker",
            description="save, change, move, delete, list or show jobs, contacts and companies in "
            "the tracker; read or change the profile; questions about the résumé",
            prompt=load_prompt("crm_worker"),
            tools=(*_JOBS, "delete_job", *_CONTACTS, "scrape_url", "read_resume", *_PROFILE),
            rare=("delete_job", *_CONTACTS, "read_resume", *_PROFILE),
            evaluate="never",
        ),
        WorkerSpec(
            name="job_search",
            description="find new openings on job boards, compare jobs or say which job fits best",
            prompt=load_prompt("job_search"),
            tools=(*_WEB, "job_search", "list_jobs", "create_job", "read_resume", _PROFILE[0]),
            rare=("create_job", "web_search", _PROFILE[0]),
            evaluate="auto",
            evaluate_after=1,
        ),
        WorkerSpec(
            name="cover_letter",
            description="write or rewrite a cover letter for a job",
            prompt=load_prompt("cover_letter"),
            tools=("list_jobs", "read_resume", "read_user_profile"),
            evaluate="always",
            check=check_letter,
            accept=accept_letter,
        ),
        WorkerSpec(
            name="general",
            description="career advice, interview preparation and everything else",
            prompt=load_prompt("general"),
            tools=("list_jobs", "read_resume", *_WEB, *_PROFILE),
            evaluate="auto",
            evaluate_after=2,
        ),
    )
