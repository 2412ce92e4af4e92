"""`/api/profile`, `/api/contacts`, `/api/companies`."""

from __future__ import annotations

from typing import Final

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import InputError

from .. import store
from ..jobs.fields import clean_line
from ..onboarding import SKIPPED_NOTES, list_topics, read_answers
from ..profile import PROFILE_CHARS, strip_front_matter
from ..sections import fold_name, list_sections, set_section
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
    ProfileChange,
    ProfileSection,
)


async def read_profile(request: ApiRequest) -> Profile:
    """Return the user's profile."""
    row = await store.load_profile(request.db, request.owner)
    topics = list_topics()
    keys = set(map(fold_name, topics))
    sections: dict[str, ProfileSection] = {}
    for section in filter(lambda each: each.text, list_sections(row["content"], topics)):
        if known := sections.get(section.key):  # a heading that stands there twice
            known.text += f"\n\n{section.text}"
            continue
        made = ProfileSection(section.name, section.text, section.key in keys)
        sections[section.key] = made
    shown = list(sections.values())
    return Profile(row["content"], shown, row["is_onboarded"], row["updated_at"])


async def read_interview(request: ApiRequest) -> InterviewState:
    """Return how far the profile interview is: each topic with its answer in the profile."""
    row = await store.load_profile(request.db, request.owner)
    about = list_topics()
    answers = read_answers(row["content"], about)
    left_out = {name for name, answer in answers.items() if answer in SKIPPED_NOTES}
    topics = [
        InterviewTopic(name, text, "" if name in left_out else answers[name], name in left_out)
        for name, text in about.items()
    ]
    skipped = sum(topic.is_skipped for topic in topics)
    answered = sum(bool(topic.answer) for topic in topics)
    return InterviewState(topics, row["is_onboarded"], answered, skipped)


async def save_profile(request: ApiRequest, body: NewProfile) -> Profile:
    """Replace the profile's text, but not whether the interview is complete."""
    async with request.store.transaction(request.tenant_id) as tx:
        await store.save_profile(tx, request.owner, strip_front_matter(body.content))
    return await read_profile(request)


async def change_section(request: ApiRequest, body: ProfileChange) -> Profile:
    """Set the text of one section of the profile; the others stay as they are.

    Raises: InputError when the profile would be too long.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        row = await store.load_profile(tx, request.owner)
        name, text = clean_line(body.name) or "", strip_front_matter(body.text)
        content = set_section(row["content"], list_topics(), name, text)
        if len(content) > PROFILE_CHARS:
            raise InputError(
                f"the profile would be longer than {PROFILE_CHARS:,} characters",
                hint="Shorten this text, or another one of the profile.",
            )
        mark = row["is_untrusted"]  # the other sections may be from outside
        await store.save_profile(tx, request.owner, content, is_untrusted=mark)
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
    ApiRoute("PATCH", "/api/profile", change_section, "Set the text of one section of the profile"),
    ApiRoute("GET", "/api/contacts", list_contacts, "List contacts by name"),
    ApiRoute(
        "GET", "/api/companies", list_companies, "List companies by name, with their number of jobs"
    ),
)
