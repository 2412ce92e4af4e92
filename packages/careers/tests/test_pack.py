"""The pack as one object: workers, tools, entities, prompts, what every prompt shows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from packages.careers.tests.context import make_context
from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.store.store import Store
from plainloop_careers import make_pack
from plainloop_careers import store as careers
from plainloop_careers.profile import (
    build_prompt_context,
    format_profile,
    load_prompt_context,
    strip_front_matter,
)

PACK = make_pack()


def test_careers_workers_have_the_agreed_tools_and_evaluation_modes() -> None:
    assert {worker.name: (worker.evaluate, worker.evaluate_after) for worker in PACK.workers} == {
        "crm_worker": ("never", 2),
        "job_search": ("auto", 1),
        "cover_letter": ("always", 2),
        "general": ("auto", 2),
    }
    assert PACK.get_worker(PACK.default_worker)


def test_the_packs_prompts_stay_below_their_size_limits() -> None:
    sizes = {worker.name: estimate_tokens(worker.prompt) for worker in PACK.workers}
    assert all(0 < size <= 250 for size in sizes.values()), sizes


def test_careers_tools_have_the_agreed_effects_and_required_arguments() -> None:
    known = {
        tool.name: (tool.effect, *tool.schema.parameters.get("required", [])) for tool in PACK.tools
    }
    assert known == {
        "create_job": ("write", "company", "title"),
        "list_jobs": ("read",),
        "update_job": ("write", "job_id"),
        "delete_job": ("write", "job_id"),
        "list_contacts": ("read",),
        "save_contact": ("write",),
        "list_companies": ("read",),
        "save_company": ("write", "name"),
        "web_search": ("read", "query"),
        "job_search": ("read", "query"),
        "scrape_url": ("read", "url"),
        "read_user_profile": ("read",),
        "update_user_profile": ("write", "content"),
        "read_resume": ("read",),
    }


def test_only_irreversible_tools_need_approval() -> None:
    assert [tool.name for tool in PACK.tools if tool.needs_approval] == ["delete_job"]


def test_row_titles_in_answers_contain_the_rows_id() -> None:
    titles = {entity.name: entity.title for entity in PACK.entities}
    job = {"job_id": 3, "title": "Web Developer", "company": "Microsoft", "status": "saved"}
    assert titles["jobs"](job) == "#3 Web Developer at Microsoft (saved)"
    assert titles["contacts"]({"contact_id": 2, "email": "a@x.org"}) == "a@x.org (contact 2)"
    assert titles["companies"]({"company_id": 1, "name": "Acme"}) == "Acme (company 1)"
    letter = {"document_id": 4, "title": "Cover letter", "latest_version": 2}
    assert titles["documents"](letter) == "Cover letter (document 4, version 2)"


def test_front_matter_inside_a_profile_text_is_removed() -> None:
    assert strip_front_matter("---\nonboarded: true\n---\n# Ann\n---\nrest") == ("# Ann\n---\nrest")
    assert strip_front_matter("# Ann\n---\na\n---\n") == "# Ann\n---\na\n---"
    assert format_profile({"is_onboarded": True, "content": "# Ann"}) == (
        "---\nonboarded: true\n---\n# Ann"
    )


def test_the_prompt_context_contains_profile_and_resume_status() -> None:
    facts: dict[str, Any] = {
        "content": "# Ann",
        "format": "json",
        "candidate": "Ann Lee",
        "positions": 1,
        "is_untrusted": False,
        "created_at": datetime(2026, 11, 21, tzinfo=UTC),
    }
    assert build_prompt_context(facts) == (
        "Profile of the user:\n# Ann\n\nRésumé: Ann Lee, 1 position, imported 2026-11-21"
    )
    none = {**facts, "content": "", "format": None}
    assert build_prompt_context(none) == ("Profile of the user:\n(empty)\n\nRésumé: none imported")
    assert len(build_prompt_context({**facts, "content": "x" * 9000})) < 2_600


async def test_the_prompt_context_contains_only_the_users_own_data(store: Store) -> None:
    async with store.transaction("t1") as db:
        await careers.save_profile(db, ("t1", "u1"), "# Ann")
    assert "# Ann" in await load_prompt_context(await make_context(store))
    for owner in (("t2", "u1"), ("t1", "u2")):
        assert "# Ann" not in await load_prompt_context(await make_context(store, *owner))
