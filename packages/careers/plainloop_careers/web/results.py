"""What a search finds, the same from every provider."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any, Final, Literal, TypedDict, TypeVar

from plainloop.agent.base.text.cleaning import clean_text, cut_text

from ..jobs.salaries import MOST, Period
from ..jobs.urls import drop_tracking, make_url_key

SNIPPET_CHARS: Final = 300
LINE_CHARS: Final = 160
_TAG: Final = re.compile(r"<[^<>]{0,500}>")


class WebResult(TypedDict, total=False):
    """A page. title and url are always there."""

    title: str
    url: str
    snippet: str
    date: str  # as the provider has it


class JobResult(TypedDict, total=False):
    """An opening, under the names of create_job; title, company and url are always there."""

    title: str
    company: str
    url: str
    location: str
    salary_min: int | float
    salary_max: int | float
    salary_currency: str
    salary_period: Period
    salary_is_estimate: bool  # the provider's guess, not the employer's word
    remote_type: Literal["remote"]  # absent: not said
    posted: str  # YYYY-MM-DD
    snippet: str
    tracked_as: str  # "#3": it is in the tracker already


Found = TypeVar("Found", WebResult, JobResult)


def to_plain_line(value: Any, max_chars: int = LINE_CHARS) -> str:
    """One line without tags and entities; "" for anything but text.

    >>> to_plain_line("<strong>Senior</strong> R&amp;D\\n cook")
    'Senior R&D cook'
    """
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub("", value[: max_chars * 20]))
    return cut_text(" ".join(clean_text(text).split()), max_chars)


def to_amount(value: Any) -> int | float | None:
    """An amount of money, or None for what is none."""
    try:
        amount = round(float(value), 2)
    except (TypeError, ValueError, OverflowError):
        return None
    if not 0 < amount <= MOST:
        return None
    return int(amount) if amount.is_integer() else amount


def to_web_url(value: Any) -> str:
    """The http(s) URL without tracking parameters; "" for anything else."""
    url = value.strip() if isinstance(value, str) else ""
    return drop_tracking(url) if re.match(r"https?://[^\s/]", url, re.I) else ""


def drop_same(found: Iterable[Found], *, is_job: bool = False) -> list[Found]:
    """Each page once, by its canonical URL; the first mention stays. is_job: an opening also by its
    title, company and place, since aggregators list one posting under several addresses.
    """
    kept: list[Found] = []
    seen: set[str] = set()
    for item in found:
        keys = {make_url_key(item.get("url", ""))}
        if is_job:
            keys.add(_make_job_key(item))
        if seen.isdisjoint(keys):
            kept.append(item)
        seen |= keys
    return kept


def drop_empty(item: Found) -> Found:
    return {key: value for key, value in item.items() if value not in (None, "", False)}  # pyright: ignore[reportReturnType]


def _make_job_key(job: WebResult | JobResult) -> str:
    words = (str(job.get(name, "")) for name in ("title", "company", "location"))
    return "|".join(" ".join(re.findall(r"\w+", word.casefold())) for word in words)
