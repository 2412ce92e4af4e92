"""What is served beside the packs that have documents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.embedding import ROLE
from plainloop.agent.core.routes import ApiRoute
from plainloop.agent.core.spec import Pack
from plainloop.agent.doctor.findings import Finding
from plainloop.agent.errors import ConfigError
from plainloop.agent.store.store import Store

from .knowledge import Knowledge, list_knowledge
from .search import NO_MODEL
from .store import count_all

NAME: Final = "knowledge"


def serve_documents(packs: tuple[Pack, ...]) -> tuple[Pack, ...]:
    """Return the packs, with one added that serves their documents.

    It has routes and a screen. Raises: ConfigError for a name that is taken.
    """
    known = list_knowledge(packs)
    if not known:
        return packs
    if any(pack.name == NAME for pack in packs):
        raise ConfigError(f"two packs have the same name: {NAME}", hint="Rename your own pack.")
    own = Pack(
        name=NAME,
        title="Documents",
        workers=(),
        default_worker="",
        tools=(),
        load_routes=cache(partial(load_routes, known)),
        screens=Path(__file__).parent / "screens",
        examine=examine,
    )
    return (*packs, own)


def load_routes(known: Mapping[str, Knowledge]) -> tuple[ApiRoute, ...]:
    """Load the HTTP routes of the documents."""
    from .routes import KnowledgeRoutes

    return KnowledgeRoutes(known).list_routes()


async def examine(settings: Settings, store: Store) -> list[Finding]:
    """Report for `plainloop doctor` the numbers of documents, passages and missing vectors."""
    counts = await count_all(store)
    if not counts["documents"]:
        return []
    held = f"{format_count(counts['documents'], 'document')}, "
    held += f"{format_count(counts['passages'], 'passage')}"
    found = [Finding("ok", "documents", held)]
    if ROLE not in settings.agents:
        found.append(
            Finding("note", "documents", f"documents are searched by words only: {NO_MODEL}")
        )
    elif counts["without"]:
        text = f"{format_count(counts['without'], 'passage')} without a vector"
        todo = "`plainloop knowledge index --tenant TENANT` creates the missing ones."
        found.append(Finding("note", "documents", text, todo))
    return found
