"""The careers domain over HTTP: tracker, résumé, documents, profile."""

from __future__ import annotations

from agent.core.api import ApiRoute
from agent.packs.careers.routes import documents, jobs, people, resume


def list_routes() -> tuple[ApiRoute, ...]:
    return (*jobs.ROUTES, *resume.ROUTES, *documents.ROUTES, *people.ROUTES)
