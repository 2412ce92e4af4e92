"""Lists settings with their values and sources, for people."""

from __future__ import annotations

from typing import Any, cast

from .settings import Settings, get_owner, list_known_settings


def describe_settings(settings: Settings) -> list[tuple[str, str, str, str]]:
    """List (key, environment variable, value, source) for each setting, with secrets masked."""
    rows = list_known_settings(tuple(sorted(settings.agents)), settings.agent.packs)
    return [
        (
            row.key,
            row.env,
            to_text(getattr(get_owner(settings, row), row.name)),
            settings.sources.get(row.key, "default"),
        )
        for row in rows
    ]


def to_text(value: Any) -> str:
    """Format a setting's value as an environment variable would hold it."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(cast("tuple[str, ...]", value))
    # `str` of a Secret is its mask, so no caller has to think of it
    # (test_no_secret_is_shown_by_settings_or_their_description).
    return str(value).lower() if isinstance(value, bool) else str(value)
