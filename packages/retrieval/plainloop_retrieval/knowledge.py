"""What a pack declares to have documents: where they come from, and the tool that finds them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from msgspec import Meta

from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import Tool, ToolContext, ToolOutcome
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError

from .search import find_passages, to_result
from .source import DocumentSource

QUERY_CHARS: Final = 500
DESCRIPTION: Final = "Search the documents. Name the document in your answer."


@dataclass(frozen=True, slots=True)
class Knowledge(DocumentSource):
    """Documents of a pack that its workers answer from.

    tool_name, description: of the tool that searches them, as the model sees it.
    """

    tool_name: str = "search_documents"
    description: str = DESCRIPTION

    def make_tool(self) -> Tool:
        """Build the tool by which workers search these documents."""
        # `read`: it runs again after a crash. Fixed: our own database, whatever it is asked.
        return Tool(self.tool_name, self.description, "read", self.search, is_fixed=True)

    async def search(
        self, tool: ToolContext, query: Annotated[str, Meta(max_length=QUERY_CHARS)]
    ) -> Any:
        """Return the best passages for a query to the model, each with document, heading and page.

        Of a document that others wrote the text is marked as text from outside.
        """
        found = await find_passages(tool.ctx, self, query)
        result: dict[str, Any] = {"status": "success", "passages": [*map(to_result, found.rows)]}
        if not found.rows:
            result["message"] = "No passage was found"
            if found.words_alone:
                result["hint"] = (
                    "Only words were compared, not meanings: search again with synonyms."
                )
        outside = [n for n, row in enumerate(found.rows) if row["is_outside"]]
        return ToolOutcome(result, outside=[f"passages/{n}" for n in outside])


def list_knowledge(packs: Iterable[Pack]) -> dict[str, Knowledge]:
    """Return the document collections of these packs by name, in the packs' order."""
    owners = [inspect.unwrap(tool.function) for pack in packs for tool in pack.tools]
    found = [getattr(function, "__self__", None) for function in owners]
    return {item.collection: item for item in found if isinstance(item, Knowledge)}


def choose_knowledge(known: Mapping[str, Knowledge], collection: str | None) -> Knowledge:
    """Return the document collection of this name.

    collection None: the first one. Raises: NotFoundError.
    """
    chosen = next(iter(known.values()), None) if collection is None else known.get(collection)
    if chosen is None:
        told = f"there is no collection {collection!r}" if collection else "no pack has documents"
        hint = (
            f"Existing collections: {', '.join(known)}."
            if known
            else "docs/retrieval.md shows how to add one."
        )
        raise NotFoundError(told, hint=hint)
    return chosen
