"""The settings that this pack brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plainloop.agent.config.settings import Secret, Settings, setting

WebSearch = Literal["tavily", "brave"]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`[search]`: keys of the search tools; without one the tool says which is missing."""

    provider: WebSearch = setting("tavily", "who searches the web: tavily or brave")
    api_key: Secret | None = setting(None, "web search")
    api_base: str | None = setting(None, "its address; unset: the provider's own")
    adzuna_app_id: Secret | None = setting(None, "job search by Adzuna, application id")
    adzuna_app_key: Secret | None = setting(None, "job search by Adzuna, key")
    adzuna_country: str = setting("us", "Adzuna's country code")
    adzuna_api_base: str | None = setting(None, "Adzuna's address; unset: its own")
    jsearch_api_key: Secret | None = setting(None, "job search by JSearch")
    jsearch_api_base: str | None = setting(None, "JSearch's address; unset: RapidAPI's")


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """How documents become files."""

    pdf_font: str | None = setting(
        None, "TrueType file for exported PDFs; unset: one of the system's"
    )


TABLES: Mapping[str, type] = {"search": SearchSettings, "": ExportSettings}


def get_agent_keys(settings: Settings) -> dict[str, Any]:
    """Return what the constructors of designs are given to search with."""
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
