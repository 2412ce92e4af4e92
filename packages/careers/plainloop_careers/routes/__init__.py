"""The careers domain over HTTP: tracker, résumé, documents, profile."""

from __future__ import annotations

from plainloop.agent.core.api import ApiRoute

from . import documents, jobs, people, resume, saving


def list_routes() -> tuple[ApiRoute, ...]:
    """List all HTTP routes of the careers pack."""
    return (*jobs.ROUTES, *resume.ROUTES, *documents.ROUTES, *people.ROUTES, *saving.ROUTES)
