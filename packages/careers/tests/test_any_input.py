"""Uploads, postings and provider answers of any shape: none of them is a bug of ours.

AGENT_FUZZ_EXAMPLES sets how many (small by default).
"""

from __future__ import annotations

import asyncio
import os
import random
from typing import Any

import psutil
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from packages.careers.tests.search_answers import BRAVE, TAVILY, make_adzuna, make_jsearch
from packages.documents.tests.mutations import list_seeds
from plainloop.agent.errors import InputError
from plainloop_careers.jobs.files import read_jobs
from plainloop_careers.tools_jobs import create_job
from plainloop_careers.web.job_boards import from_adzuna, from_jsearch
from plainloop_careers.web.postings import from_posting
from plainloop_documents.web.search import from_brave, from_tavily

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "5"))
SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
fuzzed = hypothesis_settings(
    max_examples=EXAMPLES * 40, deadline=None, suppress_health_check=SLOW_IS_FINE
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=40),
    st.sampled_from(["https://a.example/1", "<b>x</b>", "2026-11-01", "YEAR", "TELECOMMUTE"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from("name value minValue maxValue unitText address title url".split())
            | st.text(max_size=8),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)
POSTING_KEYS = (
    "title name hiringOrganization jobLocation jobLocationType baseSalary employmentType url"
    " datePosted validThrough qualifications skills experienceRequirements applicationContact"
    " educationRequirements estimatedSalary"
).split()


@fuzzed
@given(st.dictionaries(st.sampled_from(POSTING_KEYS), VALUES), st.text(max_size=60))
def test_any_posting_becomes_valid_create_job_arguments_or_nothing(
    posting: dict[str, Any], url: str
):
    fields = from_posting({"title": "Cook", "hiringOrganization": "Acme", **posting}, url)

    if fields:
        create_job.read_arguments(fields)


ANSWERS = {
    from_tavily: TAVILY["results"][0],
    from_brave: BRAVE["web"]["results"][0],
    from_adzuna: make_adzuna(1)["results"][0],
    from_jsearch: make_jsearch(1)["data"][0],
}


@fuzzed
@given(st.sampled_from(list(ANSWERS)), st.data())
def test_any_search_answer_gives_only_results_with_urls(read: Any, data: st.DataObject):
    known = ANSWERS[read]
    changed = data.draw(st.dictionaries(st.sampled_from(list(known)), VALUES, max_size=6))
    items = [{**known, **changed}, data.draw(VALUES)]
    found = read({"results": items, "data": items, "web": {"results": items}, "count": items})

    results = found[0] if isinstance(found, tuple) else found
    assert all(item["url"].startswith(("http://", "https://")) for item in results)
    assert all(item["title"] for item in results)


@fuzzed
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(
                ["company", "title", "status", "salary_min", "Pay", "remote", "job_fit"]
            ),
            SCALARS,
            max_size=7,
        ),
        max_size=4,
    )
)
def test_any_job_sheet_is_imported_or_refused_without_a_crash(rows: list[dict[str, Any]]):
    import json

    try:
        found = read_jobs(json.dumps(rows).encode(), "jobs.json")
    except InputError:
        return
    assert all(job["company"] and job["title"] for job in found.jobs)
    assert len(found.jobs) + len(found.rejected) <= len(rows)


async def test_broken_uploads_do_not_block_other_requests(serve: Any):
    served = await serve(requests_per_minute=10**9, upload_parse_s=5.0)
    ann = await served.client()
    files = [break_file(random.Random(seed)) for seed in range(EXAMPLES * 8)]
    places = asyncio.Semaphore(40)  # with more of one user at once, one waits in vain

    async def upload(content: bytes) -> int:
        async with places:
            return (await ann.post("/api/resume", files={"file": ("cv.pdf", content)})).status_code

    statuses = await asyncio.gather(*(upload(content) for content in files))

    assert [status for status in statuses if status not in (201, 400, 413, 415)] == []
    assert (await ann.get("/readyz")).status_code == 200
    me = psutil.Process()
    readers = [
        child
        for child in me.children(True)
        if "plainloop_documents.child" in " ".join(child.cmdline())
    ]
    assert readers == []


def break_file(rng: random.Random) -> bytes:
    content = bytearray(rng.choice(list_seeds()))
    for _ in range(rng.randrange(12)):
        if content:
            content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content[: rng.randrange(len(content) + 1)] if rng.random() < 0.3 else content)
