"""A posting's JSON-LD in the shapes that sites use, as arguments of create_job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import InputError
from plainloop_careers.jobs.files import read_file, read_jobs
from plainloop_careers.tools_jobs import create_job
from plainloop_careers.web.postings import from_posting

PAGE = "https://www.acme.example/careers/7?utm_source=x"
HOURLY = {"minValue": 30, "maxValue": 45, "unitText": "HOUR"}
LEAST = {"title": "Cook", "hiringOrganization": "Acme"}


def read(**fields: Any) -> dict[str, Any]:
    """What these fields add to a posting that says no more than title and company."""
    found = from_posting({**LEAST, **fields}, PAGE)
    assert create_job.read_arguments(found)
    least = from_posting(LEAST, PAGE)
    return {key: value for key, value in found.items() if least.get(key) != value}


def test_a_full_posting_becomes_the_arguments_of_create_job():
    posting = {
        "@type": "JobPosting",
        "title": "Web Developer (m/w/d)",
        "url": "/careers/7",
        "description": "<p>Long text</p>",
        "hiringOrganization": {"@type": "Organization", "name": "Acme &amp; Sons"},
        "jobLocation": {
            "@type": "Place",
            "address": {
                "@type": "PostalAddress",
                "addressLocality": "Berlin",
                "addressRegion": "Berlin",
                "addressCountry": {"@type": "Country", "name": "DE"},
            },
        },
        "jobLocationType": "TELECOMMUTE",
        "baseSalary": {
            "@type": "MonetaryAmount",
            "currency": "EUR",
            "value": {
                "@type": "QuantitativeValue",
                "minValue": "60000",
                "maxValue": 75000.0,
                "unitText": "YEAR",
            },
        },
        "employmentType": ["FULL_TIME", "CONTRACTOR"],
        "datePosted": "2026-11-01T10:00:00Z",
        "validThrough": "2026-12-31",
        "qualifications": "<ul><li>HTML</li><li>3 years of CSS</li></ul>",
        "skills": ["HTML", "Git"],
        "applicationContact": {"name": "Ann Lee", "email": "ann@acme.example"},
    }

    assert from_posting(posting, PAGE) == {
        "company": "Acme & Sons",
        "title": "Web Developer (m/w/d)",
        "url": "https://www.acme.example/careers/7",
        "location": "Berlin, DE",
        "remote_type": "remote",
        "salary_min": 60000,
        "salary_max": 75000,
        "salary_currency": "EUR",
        "salary_period": "year",
        "requirements": "HTML\n3 years of CSS\nGit",
        "contact_name": "Ann Lee",
        "contact_email": "ann@acme.example",
        "notes": "Type: full-time, contractor\nPosted: 2026-11-01\nApply until: 2026-12-31",
        "source": "web",
    }


def test_posting_fields_are_read_in_every_form_that_sites_use():
    """`postings.jsonl`: fields of a posting, and what they add to the arguments."""
    for line in Path(__file__).with_name("postings.jsonl").read_bytes().splitlines():
        case = json.loads(line)
        assert read(**case["fields"]) == case["added"]


@pytest.mark.parametrize(
    "posting",
    [
        {},
        {"title": "Cook"},
        {"hiringOrganization": "Acme"},
        {"title": 7},
        {**LEAST, "hiringOrganization": "confidential"},  # as Google asks for a hidden company
    ],
)
def test_a_posting_without_title_and_company_gives_no_job_fields(posting: dict[str, Any]):
    assert from_posting(posting, PAGE) == {}


def make_page(title: str = "", body: str = "", head: str = "") -> bytes:
    return f"<!doctype html><head><title>{title}</title>{head}</head><body>{body}</body>".encode()


def make_linked(*postings: Any) -> str:
    return "".join(
        f'<script type="application/ld+json">{json.dumps(item)}</script>' for item in postings
    )


ASKED = "<h2>About us</h2><p>We cook.</p><h3>Requirements</h3><ul><li>Knives</li><li>Fish</li></ul>"
LINKED = {"@type": "JobPosting", **LEAST, "description": ASKED}


@pytest.mark.parametrize(
    "linked",
    [
        [LINKED],
        [[LINKED, LINKED]],
        [{"@context": "x", "@graph": [{"@type": "WebSite"}, LINKED]}],
        [{"@type": "WebPage", "mainEntity": {**LINKED, "@type": ["JobPosting", "Thing"]}}],
    ],
    ids=["alone", "list", "graph", "inside"],
)
def test_a_postings_description_and_requirements_are_kept_as_text(linked: list[Any]):
    (job,) = read_jobs(make_page("Jobs", head=make_linked(*linked)), "a.html").jobs
    assert job["notes"] == "## About us\n\nWe cook.\n\n### Requirements\n\n- Knives\n- Fish"
    assert job["requirements"] == "Knives\nFish"


def test_a_postings_company_is_resolved_by_its_id_in_the_page():
    graph = [
        {"@type": "Organization", "@id": "#org", "name": "Baltic Cables"},
        {**LINKED, "hiringOrganization": {"@id": "#org"}},
    ]
    (job,) = read_jobs(make_page("Jobs", head=make_linked({"@graph": graph})), "a.html").jobs
    assert job["company"] == "Baltic Cables"


def test_slightly_invalid_json_ld_is_still_read():
    data = '{"@type": "JobPosting", "title": "Cook,\n}", "hiringOrganization": "Acme",}'
    head = f'<script type="application/ld+json">{data}</script>'
    (job,) = read_jobs(make_page("Jobs", head=head), "a.html").jobs
    assert (job["title"], job["company"]) == ("Cook, }", "Acme")


@pytest.mark.parametrize("amount", ["31,049", "31.049", 31049])
def test_salaries_with_thousands_separators_are_read(amount: str | int):
    value = {"value": amount, "unitText": "YEAR"}
    pay = read(baseSalary={"currency": "GBP", "value": value})
    assert (pay["salary_min"], pay["salary_max"]) == (31049, 31049)


def test_two_postings_in_one_page_become_two_jobs():
    head = make_linked(LINKED, {**LINKED, "title": "Chef"})
    found = read_jobs(make_page("Jobs", head=head), "a.html")
    assert [job["title"] for job in found.jobs] == ["Cook", "Chef"]


def test_microdata_is_read_like_json_ld():
    body = """<div itemscope itemtype="https://schema.org/JobPosting"><h1 itemprop="title">Cook</h1>
    <span itemprop="hiringOrganization" itemscope itemtype="http://schema.org/Organization">
    <b itemprop="name">Acme</b></span><div itemprop="jobLocation" itemscope><p itemprop="address"
    itemscope><i itemprop="addressLocality">Oslo</i></p></div><meta itemprop="employmentType"
    content="FULL_TIME"><div itemprop="description"><p>We cook.</p></div></div>"""
    (job,) = read_jobs(make_page("Jobs", body), "a.html").jobs
    assert job == {
        "title": "Cook",
        "company": "Acme",
        "location": "Oslo",
        "notes": "We cook.\n\nType: full-time",
        "source": "import",
    }


@pytest.mark.parametrize(
    ("title", "body", "code"),
    [
        ("This job is no longer available | Acme", "<h1>Sorry</h1>", "POSTING_CLOSED"),
        ("Cook", "<h1>Cook</h1><p>No longer accepting applications</p>", "POSTING_CLOSED"),
        ("Koch", "<h1>Diese Stelle ist nicht mehr verfügbar</h1>", "POSTING_CLOSED"),
        ("Cook", f"{make_linked(LINKED)}<p>This position has been filled.</p>", "POSTING_CLOSED"),
        ("Just a moment...", "<p>Checking your browser</p>", "PAGE_WITHOUT_POSTING"),
        ("Sign In | LinkedIn", "<h1>Sign in</h1>", "PAGE_WITHOUT_POSTING"),
    ],
)
def test_a_page_without_an_open_posting_is_refused(title: str, body: str, code: str):
    with pytest.raises(InputError) as caught:
        read_jobs(make_page(title, body), "a.html")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("title", "heading", "site", "expected"),
    [
        ("Uno - Cook", "", "", (None, None)),
        ("Uno - Cook", "Cook", "", ("Cook", None)),
        ("Cook - Detroit, MI - Indeed.com", "Cook", "", ("Cook", None)),
        ("Cook | Detroit", "Cook", "", ("Cook", None)),
        ("Cook - Uno GmbH", "Cook", "", ("Cook", "Uno GmbH")),
        ("Cook", "Cook", "Cafe Uno Careers", ("Cook", "Cafe Uno")),
        ("Cook (m/w/d) | Jobs bei Uno", "Cook (m/w/d)", "", ("Cook (m/w/d)", "Uno")),
        ("Uno Cook | SmartRecruiters", "Cook", "", ("Cook", "Uno")),
        ("Uno Cook Job in Detroit, MI | Glassdoor", "Cook", "", ("Cook", "Uno")),
        ("Cook at Uno • Detroit • Remote | Wellfound", "Cook", "", ("Cook", "Uno")),
    ],
)
def test_a_page_title_is_split_into_job_and_company_only_if_clear(
    title: str, heading: str, site: str, expected: tuple[str | None, str | None]
):
    head = f'<meta property="og:site_name" content="{site}">' if site else ""
    body = f"<h1>{heading}</h1><p>Cook and smile.</p>" if heading else "<p>Cook and smile.</p>"
    found = read_file(make_page(title, body, head), "a.html", {})
    (job,) = [*found.jobs, *found.incomplete]
    assert (job.get("title"), job.get("company")) == expected


WORKDAY = {
    "jobPostingInfo": {
        "title": "Cook",
        "jobDescription": "<p>We cook.</p>",
        "location": "Detroit",
        "timeType": "Full time",
        "startDate": "2026-10-01",
        "externalUrl": "https://acme.example/jobs/1",
    },
    "hiringOrganization": {"name": "Acme"},
}
SMART = {
    "id": "1",
    "name": "Cook",
    "company": {"identifier": "acme", "name": "Acme"},
    "location": {"city": "Detroit", "remote": False},
    "typeOfEmployment": {"label": "Full-time"},
    "jobAd": {"sections": {"jobDescription": {"title": "Job", "text": "<p>We cook.</p>"}}},
    "postingUrl": "https://acme.example/jobs/1",
}
PERSONIO = """<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>1</id>
<subcompany>Acme</subcompany><office>Detroit</office><name>Cook</name><schedule>full-time</schedule>
<jobDescriptions><jobDescription><name>Job</name><value><![CDATA[<p>We cook.</p>]]></value>
</jobDescription></jobDescriptions></position></workzag-jobs>"""


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        (json.dumps(WORKDAY), "We cook.\n\nType: Full time\nPosted: 2026-10-01"),
        (json.dumps(SMART), "## Job\n\nWe cook.\n\nType: Full-time"),
        (PERSONIO, "## Job\n\nWe cook.\n\nType: full-time"),
    ],
    ids=["workday", "smartrecruiters", "personio"],
)
def test_workday_smartrecruiters_and_personio_jobs_are_read(content: str, notes: str):
    (job,) = read_jobs(content.encode(), "board").jobs
    names = ("company", "title", "location", "notes")
    assert [job.get(name) for name in names] == ["Acme", "Cook", "Detroit", notes]


def test_api_answers_of_six_job_boards_are_read_as_jobs():
    """`boards.jsonl`: Workable, Recruitee, Teamtailor, The Muse, USAJOBS and Remote OK, by their
    public pages for developers. Teamtailor's names no company, and `/jobs/` is none.
    """
    for line in Path(__file__).with_name("boards.jsonl").read_bytes().splitlines():
        case = json.loads(line)
        found = read_file(json.dumps(case["answer"]).encode(), "board.json", {})
        (job,) = [*found.jobs, *found.incomplete]
        kept = {name: value for name, value in job.items() if name not in ("source", "status")}
        assert kept == case["job"]
