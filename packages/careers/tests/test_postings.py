"""A posting's JSON-LD in the shapes that sites use, as arguments of create_job."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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


def test_sites_fill_it_in_freely():
    """`postings.jsonl`: fields of a posting, and what they add to the arguments."""
    for line in Path(__file__).with_name("postings.jsonl").read_bytes().splitlines():
        case = json.loads(line)
        assert read(**case["fields"]) == case["added"]


@pytest.mark.parametrize(
    "posting", [{}, {"title": "Cook"}, {"hiringOrganization": "Acme"}, {"title": 7}]
)
def test_without_title_and_company_it_is_no_proposal(posting: dict[str, Any]):
    assert from_posting(posting, PAGE) == {}
