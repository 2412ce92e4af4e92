"""A posting's JSON-LD in the shapes that sites use, as arguments of create_job."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("fields", "added"),
    [
        ({"url": "https://evil.example/x"}, {}),
        ({"url": "http://acme.example/jobs/8"}, {"url": "http://acme.example/jobs/8"}),
        ({"url": "javascript:alert(1)"}, {}),
        ({"jobLocation": "Paris"}, {"location": "Paris"}),
        ({"jobLocation": {"address": "Rue 1, Paris"}}, {"location": "Rue 1, Paris"}),
        (
            {"jobLocation": [{"name": "Oslo"}, {"address": {"addressLocality": "Bergen"}}]},
            {"location": "Oslo; Bergen"},
        ),
        ({"jobLocationType": ["TELECOMMUTE"]}, {"remote_type": "remote"}),
        ({"jobLocationType": "ONSITE"}, {}),
        ({"baseSalary": 50000}, {"salary_min": 50000, "salary_max": 50000}),
        ({"baseSalary": {"value": 50000}}, {"salary_min": 50000, "salary_max": 50000}),
        (
            {"baseSalary": {"minValue": 40000, "maxValue": 50000, "unitText": "YEAR"}},
            {"salary_min": 40000, "salary_max": 50000, "salary_period": "year"},
        ),
        (
            {"baseSalary": {"currency": "USD", "value": HOURLY}},
            {
                "salary_min": 30,
                "salary_max": 45,
                "salary_currency": "USD",
                "salary_period": "hour",
            },
        ),
        (
            {"baseSalary": {"currency": "€", "value": {"value": 17.5, "unitCode": "HUR"}}},
            {
                "salary_min": 17.5,
                "salary_max": 17.5,
                "salary_currency": "EUR",
                "salary_period": "hour",
            },
        ),
        (
            {"baseSalary": {"currency": "USD", "value": {"value": 300, "unitText": "SHIFT"}}},
            {"notes": "Pay: 300 USD per shift"},
        ),
        (
            {"baseSalary": "£40,000 - £50,000 per annum"},
            {
                "salary_min": 40000,
                "salary_max": 50000,
                "salary_currency": "GBP",
                "salary_period": "year",
            },
        ),
        (
            {"baseSalary": {"value": {"minValue": 9e4, "maxValue": 8e4}}},
            {"salary_min": 80000, "salary_max": 90000},
        ),
        ({"baseSalary": "competitive"}, {}),
        ({"baseSalary": {"value": "N/A"}}, {}),
        (
            {"experienceRequirements": {"monthsOfExperience": 36}},
            {"requirements": "3 years of experience"},
        ),
        (
            {"educationRequirements": [{"credentialCategory": "bachelor degree"}]},
            {"requirements": "bachelor degree"},
        ),
        ({"qualifications": None, "skills": 7, "employmentType": {}}, {}),
    ],
)
def test_sites_fill_it_in_freely(fields: dict[str, Any], added: dict[str, Any]):
    assert read(**fields) == added


@pytest.mark.parametrize(
    "posting", [{}, {"title": "Cook"}, {"hiringOrganization": "Acme"}, {"title": 7}]
)
def test_without_title_and_company_it_is_no_proposal(posting: dict[str, Any]):
    assert from_posting(posting, PAGE) == {}
