"""The limits of retrieval, `[retrieval]`."""

from __future__ import annotations

from collections.abc import Mapping

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count
from plainloop.agent.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """`[retrieval]`: how documents are split, stored and searched."""

    passages: Count = setting(5, "number of passages that a search returns")
    candidates: Count = setting(
        20,
        "number of passages found by words, and by vectors, before the two rankings are combined",
    )
    passage_chars: Count = setting(
        900, "max. characters of a passage; a change indexes all documents again"
    )
    documents: Count = setting(2_000, "max. documents of a tenant in a collection")
    document_passages: Count = setting(5_000, "max. passages of a document")


TABLES: Mapping[str, type] = {"retrieval": RetrievalSettings}
