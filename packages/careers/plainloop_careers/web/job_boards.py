"""Job search by Adzuna and JSearch (RapidAPI), filled up page by page.

Source: developer.adzuna.com/docs/search, rapidapi.com/letscrape-6bRBa3QguO5/api/jsearch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypedDict, cast

from plainloop.agent.base.text.foreign_json import list_objects
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.seams import RunView
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import ToolError
from plainloop_documents.reading.pay import Period
from plainloop_documents.web.calls import SearchCall, call_search, get_key
from plainloop_documents.web.results import (
    SNIPPET_CHARS,
    drop_empty,
    drop_same,
    to_plain_line,
    to_web_url,
)

from ..jobs.boards import find, read_posting, to_day
from ..settings import SearchSettings

Provider = Literal["adzuna", "jsearch"]

ADZUNA_BASE: Final = "https://api.adzuna.com"
JSEARCH_BASE: Final = "https://jsearch.p.rapidapi.com"
ADZUNA_PAGE: Final = 20
JSEARCH_PAGE: Final = 10
MAX_PAGES: Final = 3  # per tool call
# Source: developer.adzuna.com/overview, the countries that it serves.
_ADZUNA_MONEY: Final = {
    market[:2]: market[3:]
    for market in "at:EUR au:AUD be:EUR br:BRL ca:CAD ch:CHF de:EUR es:EUR fr:EUR gb:GBP in:INR "
    "it:EUR mx:MXN nl:EUR nz:NZD pl:PLN sg:SGD us:USD za:ZAR".split()
}
_COUNTRY: Final = re.compile(r"[a-z]{2}")
_REMOTE: Final = re.compile(r"\b(?:remote|home ?office|work from home|telecommut\w+)\b", re.I)


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


@dataclass(frozen=True, slots=True)
class JobQuery:
    """A search for job openings. page: 1 is the first; each holds `num_results`."""

    query: str
    location: str | None = None
    remote_only: bool = False
    salary_min: int | None = None
    salary_max: int | None = None
    num_results: int = 10
    page: int = 1


@dataclass(frozen=True, slots=True)
class FoundJobs:
    provider: str
    jobs: list[JobResult]
    total: int | None  # as the provider counts; None: it does not


@dataclass(frozen=True, slots=True)
class JobProvider:
    """A job search provider: how to request one of its pages and read the answer."""

    name: str
    page_size: int
    to_call: Callable[[JobQuery, int, Settings], SearchCall]
    from_answer: Callable[[dict[str, Any]], tuple[list[JobResult], int | None]]
    money: Mapping[str, str] = field(default_factory=dict[str, str])  # of all its pay, by country


async def search_jobs(wanted: JobQuery, provider: Provider | None, ctx: RunView) -> FoundJobs:
    """Search job openings page by page, until enough different ones match.

    Raises: ToolError as call_search, or naming the missing settings.
    """
    settings = ctx.settings
    search = settings.get_table(SearchSettings)
    has_jsearch_alone = search.adzuna_app_id is None and search.jsearch_api_key is not None
    source = JOB_PROVIDERS[provider or ("jsearch" if has_jsearch_alone else "adzuna")]
    skipped = (wanted.page - 1) * wanted.num_results
    first = skipped // source.page_size
    wanted_until = skipped + wanted.num_results - first * source.page_size
    jobs: list[JobResult] = []
    total: int | None = None
    for page in range(first + 1, first + 1 + MAX_PAGES):
        try:
            answer = await call_search(source.to_call(wanted, page, settings), ctx)
        except ToolError:
            if jobs:  # the first page is an answer too
                break
            raise
        found, total = source.from_answer(answer)
        if currency := source.money.get(search.adzuna_country.lower()):
            for job in found:
                if {"salary_min", "salary_max"} & job.keys():
                    job["salary_currency"] = currency
        fitting = (job for job in found if _fits(job, wanted))
        jobs = drop_same([*jobs, *fitting], _make_key)
        if len(found) < source.page_size or len(jobs) >= wanted_until:
            break
    start = skipped - first * source.page_size
    return FoundJobs(source.name, jobs[start : start + wanted.num_results], total)


def _make_key(job: JobResult) -> str:
    """Build the key that duplicates share: aggregators list one posting under several addresses."""
    words = (str(job.get(name, "")) for name in ("title", "company", "location"))
    return "|".join(" ".join(re.findall(r"\w+", word.casefold())) for word in words)


def _fits(job: JobResult, wanted: JobQuery) -> bool:
    """Whether an opening passes filters that its provider lacks; one without stated pay passes."""
    if wanted.remote_only and job.get("remote_type") != "remote":
        return False
    if job.get("salary_period", "year") != "year":
        return True
    highest, lowest = job.get("salary_max"), job.get("salary_min")
    if wanted.salary_min and highest is not None and highest < wanted.salary_min:
        return False
    return not (wanted.salary_max and lowest is not None and lowest > wanted.salary_max)


def to_adzuna(wanted: JobQuery, page: int, settings: Settings) -> SearchCall:
    """Build Adzuna's request for one page of openings."""
    search = settings.get_table(SearchSettings)
    country = search.adzuna_country.lower()
    if not _COUNTRY.fullmatch(country):
        raise ToolError("the operator must set AGENT_SEARCH_ADZUNA_COUNTRY to a code such as de")
    app_id = get_key(search.adzuna_app_id, "job search by Adzuna", "AGENT_SEARCH_ADZUNA_APP_ID")
    app_key = get_key(search.adzuna_app_key, "job search by Adzuna", "AGENT_SEARCH_ADZUNA_APP_KEY")
    params = {
        "app_id": app_id,
        "app_key": app_key,
        "results_per_page": str(ADZUNA_PAGE),
        "what": f"{wanted.query} remote" if wanted.remote_only else wanted.query,
        "content-type": "application/json",
    }
    if wanted.location:
        params["where"] = wanted.location
    for name, value in (("salary_min", wanted.salary_min), ("salary_max", wanted.salary_max)):
        if value:
            params[name] = str(value)
    path = f"/v1/api/jobs/{country}/search/{page}"
    return SearchCall("Adzuna", search.adzuna_api_base or ADZUNA_BASE, path, params=params)


def from_adzuna(answer: dict[str, Any]) -> tuple[list[JobResult], int | None]:
    """Convert Adzuna's answer to (openings, total or None)."""
    jobs: list[JobResult] = []
    for item in list_objects(answer.get("results")):
        if "redirect_url" not in item:
            continue
        job = _read_result({**item, "salary_period": "year"})
        if _REMOTE.search(f"{job.get('title')} {job.get('location')} {job.get('snippet')}"):
            job["remote_type"] = "remote"
        if job.get("salary_min") and str(item.get("salary_is_predicted")) == "1":
            job["salary_is_estimate"] = True
        jobs.append(job)
    count = answer.get("count")
    total = count if isinstance(count, int) and not isinstance(count, bool) else None
    return [job for job in jobs if job.get("url") and job.get("title")], total


def to_jsearch(wanted: JobQuery, page: int, settings: Settings) -> SearchCall:
    """Build JSearch's request for one page of openings."""
    search = settings.get_table(SearchSettings)
    key = get_key(search.jsearch_api_key, "job search by JSearch", "AGENT_SEARCH_JSEARCH_API_KEY")
    query = f"{wanted.query} in {wanted.location}" if wanted.location else wanted.query
    params = {"query": query, "page": str(page), "num_pages": "1"}
    if wanted.remote_only:
        params["work_from_home"] = "true"
    base = search.jsearch_api_base or JSEARCH_BASE
    headers = {"x-rapidapi-key": key, "x-rapidapi-host": JSEARCH_BASE.removeprefix("https://")}
    return SearchCall("JSearch", base, "/search", params=params, headers=headers)


def from_jsearch(answer: dict[str, Any]) -> tuple[list[JobResult], int | None]:
    """Convert JSearch's answer to (openings, None).

    It does not state the total.
    """
    items = list_objects(answer.get("data"))
    plain = ({key.removeprefix("job_"): item[key] for key in item} for item in items)
    jobs = [_read_result(item) for item in plain]
    return [job for job in jobs if job.get("url") and job.get("title")], None


def _read_result(item: dict[str, Any]) -> JobResult:
    """Convert an opening of a provider's answer to ours; a missing company is "unknown"."""
    found = read_posting(item)
    low, high = found.get("salary_min"), found.get("salary_max")
    if found.get("salary_period") == "year":  # averages of others have cents
        low, high = low and round(low), high and round(high)
    job: JobResult = {
        "title": found.get("title", ""),
        "company": found.get("company", "unknown"),
        "url": to_web_url(found.get("url")),
        "location": found.get("location", ""),
        "posted": to_day(find(item, "posted")),
        "snippet": to_plain_line(find(item, "text"), SNIPPET_CHARS),
    }
    kept = ("salary_currency", "salary_period", "remote_type")
    pay = {"salary_min": low, "salary_max": high, **{name: found.get(name) for name in kept}}
    return drop_empty(cast(JobResult, {**job, **pay}))


JOB_PROVIDERS: Final[dict[Provider, JobProvider]] = {
    "adzuna": JobProvider("Adzuna", ADZUNA_PAGE, to_adzuna, from_adzuna, _ADZUNA_MONEY),
    "jsearch": JobProvider("JSearch", JSEARCH_PAGE, to_jsearch, from_jsearch),
}
