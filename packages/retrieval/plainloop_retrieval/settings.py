"""The limits of retrieval, `[retrieval]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plainloop.agent.config.settings import setting
from plainloop.agent.config.values import Count


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """`[retrieval]`: how documents are cut, and how many are kept and found."""

    passages: Count = setting(5, "passages that a search gives")
    candidates: Count = setting(20, "passages by words, and by vectors, before ranks are fused")
    passage_chars: Count = setting(900, "a passage's length at most; changed: all is indexed anew")
    documents: Count = setting(2_000, "documents of a tenant in a collection")
    document_passages: Count = setting(5_000, "passages of a document")


TABLES: Mapping[str, type] = {"retrieval": RetrievalSettings}
