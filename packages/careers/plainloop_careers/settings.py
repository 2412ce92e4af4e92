"""The settings that this pack brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from plainloop.agent.config.settings import Secret, Settings, setting
from plainloop.agent.dataclasses import dataclass

WebSearch = Literal["tavily", "brave"]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`[search]`: keys of the search tools; a tool without its key reports which one is missing."""

    provider: WebSearch = setting("tavily", "provider of web searches: tavily or brave")
    api_key: Secret | None = setting(None, "API key for web searches")
    api_base: str | None = setting(
        None, "base URL of the search provider; unset: the provider's own"
    )
    adzuna_app_id: Secret | None = setting(None, "application id for job searches with Adzuna")
    adzuna_app_key: Secret | None = setting(None, "key for job searches with Adzuna")
    adzuna_country: str = setting("us", "country code for Adzuna")
    adzuna_api_base: str | None = setting(None, "base URL of Adzuna; unset: Adzuna's own")
    jsearch_api_key: Secret | None = setting(None, "key for job searches with JSearch")
    jsearch_api_base: str | None = setting(None, "base URL of JSearch; unset: RapidAPI's")


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """How documents become files."""

    pdf_font: str | None = setting(
        None, "TrueType font file for exported PDFs; unset: a font of the system"
    )


TABLES: Mapping[str, type] = {"search": SearchSettings, "": ExportSettings}


def get_agent_keys(settings: Settings) -> dict[str, Any]:
    """Return the search tools' keys and options, as arguments for a design's constructor."""
    search = settings.get_table(SearchSettings)
    return {
        "search_api_key": _reveal(search.api_key),
        "adzuna_app_id": _reveal(search.adzuna_app_id),
        "adzuna_app_key": _reveal(search.adzuna_app_key),
        "adzuna_country": search.adzuna_country,
        "jsearch_api_key": _reveal(search.jsearch_api_key),
    }


def _reveal(secret: Secret | None) -> str | None:
    return secret.reveal() if secret is not None else None
