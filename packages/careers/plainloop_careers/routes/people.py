"""`/api/profile`, `/api/contacts`, `/api/companies`."""

from __future__ import annotations

from typing import Final

from plainloop.agent.core.api import ApiRequest, ApiRoute

from .. import store
from ..onboarding import SKIPPED_NOTES, list_topics, read_answers
from ..profile import strip_front_matter
from .reading import to_shape
from .shapes import (
    Companies,
    Company,
    CompanyQuery,
    Contact,
    ContactQuery,
    Contacts,
    InterviewState,
    InterviewTopic,
    NewProfile,
    Profile,
)


async def read_profile(request: ApiRequest) -> Profile:
    """Return the user's profile."""
    row = await store.load_profile(request.db, request.owner)
    return Profile(row["content"], row["is_onboarded"], row["updated_at"])


async def read_interview(request: ApiRequest) -> InterviewState:
    """Return how far the profile interview is: each topic with its answer in the profile."""
    row = await store.load_profile(request.db, request.owner)
    about = list_topics()
    answers = read_answers(row["content"], about)
    topics = [
        InterviewTopic(name, text, answers[name], answers[name].strip() in SKIPPED_NOTES)
        for name, text in about.items()
    ]
    skipped = sum(topic.is_skipped for topic in topics)
    answered = sum(bool(topic.answer) for topic in topics) - skipped
    return InterviewState(topics, row["is_onboarded"], answered, skipped)


async def save_profile(request: ApiRequest, body: NewProfile) -> Profile:
    """Replace the profile's text, but not whether the interview is complete."""
    async with request.store.transaction(request.tenant_id) as tx:
        await store.save_profile(tx, request.owner, strip_front_matter(body.content))
    return await read_profile(request)


async def list_contacts(request: ApiRequest, query: ContactQuery) -> Contacts:
    """List the user's contacts that match the query."""
    name, company = query.name or None, query.company or None
    rows = await store.list_contacts(
        request.db, request.owner, query.limit, name=name, company=company
    )
    return Contacts([to_shape(Contact, row) for row in rows], store.get_total(rows))


async def list_companies(request: ApiRequest, query: CompanyQuery) -> Companies:
    """List the user's companies that match the query."""
    rows = await store.list_companies(
        request.db, request.owner, query.limit, name=query.name or None
    )
    return Companies([to_shape(Company, row) for row in rows], store.get_total(rows))


ROUTES: Final = (
    ApiRoute("GET", "/api/profile", read_profile, "Read the profile"),
    ApiRoute(
        *("GET", "/api/profile/interview", read_interview),
        "List the answered and open topics of the profile interview",
    ),
    ApiRoute("PUT", "/api/profile", save_profile, "Replace the profile's Markdown"),
    ApiRoute("GET", "/api/contacts", list_contacts, "List contacts by name"),
    ApiRoute(
        "GET", "/api/companies", list_companies, "List companies by name, with their number of jobs"
    ),
)
