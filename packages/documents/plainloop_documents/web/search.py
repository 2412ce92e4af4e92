"""Web search by Tavily and Brave.

Source: docs.tavily.com/documentation/api-reference/endpoint/search,
api-dashboard.search.brave.com/api-reference/web/search/get.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object, list_objects
from plainloop.agent.core.seams import RunView
from plainloop.agent.dataclasses import dataclass

from .calls import SearchCall, call_search
from .results import SNIPPET_CHARS, WebResult, drop_empty, drop_same, to_plain_line, to_web_url

BRAVE_QUERY_CHARS: Final = 400
BRAVE_QUERY_WORDS: Final = 50


@dataclass(frozen=True, slots=True)
class WebProvider:
    """Describes a search provider: its address, and how its requests and answers are converted."""

    name: str
    base: str
    to_call: Callable[[str, str, str, int], SearchCall]  # base, key, query, number of results
    from_answer: Callable[[dict[str, Any]], list[WebResult]]


async def search_web(
    provider: WebProvider, key: str, query: str, num_results: int, ctx: RunView, base: str | None
) -> list[WebResult]:
    """Search the web with a provider; return at most `num_results` different pages.

    base: the operator's address of the provider; None: its public one.

    Raises: ToolError as call_search.
    """
    # One more, for what is doubled.
    call = provider.to_call(base or provider.base, key, query, num_results + 1)
    answer = await call_search(call, ctx)
    return drop_same(provider.from_answer(answer))[:num_results]


def to_tavily(base: str, key: str, query: str, num_results: int) -> SearchCall:
    """Build Tavily's request for a web search."""
    return SearchCall(
        "Tavily",
        base,
        "/search",
        method="POST",
        headers={"authorization": f"Bearer {key}"},
        json={"query": query, "max_results": num_results, "search_depth": "basic"},
    )


def from_tavily(answer: dict[str, Any]) -> list[WebResult]:
    """Convert Tavily's answer to search results."""
    return _build_results(list_objects(answer.get("results")), "content", "published_date")


def to_brave(base: str, key: str, query: str, num_results: int) -> SearchCall:
    """Build Brave's request for a web search.

    A query that is too long for Brave is cut.
    """
    words = query[:BRAVE_QUERY_CHARS].split()[:BRAVE_QUERY_WORDS]
    return SearchCall(
        "Brave",
        base,
        "/res/v1/web/search",
        params={"q": " ".join(words), "count": str(num_results)},
        headers={"x-subscription-token": key},
    )


def from_brave(answer: dict[str, Any]) -> list[WebResult]:
    """Convert Brave's answer to search results."""
    found = list_objects(as_object(answer.get("web")).get("results"))
    return _build_results(found, "description", "page_age")


WEB_PROVIDERS: Final = {
    "tavily": WebProvider("Tavily", "https://api.tavily.com", to_tavily, from_tavily),
    "brave": WebProvider("Brave", "https://api.search.brave.com", to_brave, from_brave),
}


def _build_results(found: list[dict[str, Any]], text: str, date: str) -> list[WebResult]:
    """Convert a provider's results to ours; `text`, `date`: its fields for snippet and date."""
    results: list[WebResult] = []
    for item in found:
        url = to_web_url(item.get("url"))
        if url:
            result: WebResult = {
                "title": to_plain_line(item.get("title")) or url,
                "url": url,
                "snippet": to_plain_line(item.get(text), SNIPPET_CHARS),
                "date": to_plain_line(item.get(date), 30),
            }
            results.append(drop_empty(result))
    return results
