"""What a search finds, the same from every provider."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypedDict, TypeVar

from plainloop.agent.base.text.cleaning import clean_text, cut_text

from .urls import drop_tracking, make_url_key

SNIPPET_CHARS: Final = 300
LINE_CHARS: Final = 160
_TAG: Final = re.compile(r"<[^<>]{0,500}>")


class WebResult(TypedDict, total=False):
    """A page that a web search found. title and url are always present."""

    title: str
    url: str
    snippet: str
    date: str  # as the provider has it


Found = TypeVar("Found", bound=Mapping[str, Any])


def to_plain_line(value: Any, max_chars: int = LINE_CHARS) -> str:
    """Convert a provider's text to one line without HTML; "" for other values.

    >>> to_plain_line("<strong>Senior</strong> R&amp;D\\n cook")
    'Senior R&D cook'
    """
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: max_chars * 20]))
    return cut_text(" ".join(clean_text(text).split()), max_chars)


def to_web_url(value: Any) -> str:
    """Clean an http(s) URL of tracking parameters; "" for anything else."""
    url = value.strip() if isinstance(value, str) else ""
    return drop_tracking(url) if re.match(r"https?://[^\s/]", url, re.I) else ""


def drop_same(
    found: Iterable[Found], make_key: Callable[[Found], str] | None = None
) -> list[Found]:
    """Drop search results that occurred before, judged by their URL or key."""
    kept: list[Found] = []
    seen: set[str] = set()
    for item in found:
        keys = {make_url_key(item.get("url", "")), *([make_key(item)] if make_key else [])}
        if seen.isdisjoint(keys):
            kept.append(item)
        seen |= keys
    return kept


def drop_empty(item: Found) -> Found:
    """Drop the fields of a search result that are None, "" or False."""
    return {key: value for key, value in item.items() if value not in (None, "", False)}  # pyright: ignore[reportReturnType]
