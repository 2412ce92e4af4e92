"""Answers in the documented shapes of the search providers, written by hand."""

from __future__ import annotations

from typing import Any

TAVILY: dict[str, Any] = {
    "query": "acme",
    "follow_up_questions": None,
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Acme &amp; Sons",
            "url": "https://acme.example/?utm_source=x",
            "content": "Acme makes <b>anvils</b>.\nSince 1920.",
            "score": 0.91,
            "raw_content": None,
        },
        {"title": "Same", "url": "http://www.acme.example", "content": "again", "score": 0.5},
        {"title": "Script", "url": "javascript:alert(1)", "content": "x", "score": 0.4},
        {"title": "News", "url": "https://news.example/a", "content": "Acme grows", "score": 0.4},
    ],
    "response_time": "1.09",
    "request_id": "r1",
}

BRAVE: dict[str, Any] = {
    "type": "search",
    "query": {"original": "acme", "more_results_available": True},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Acme",
                "url": "https://acme.example/about",
                "description": "The <strong>Acme</strong> company",
                "page_age": "2026-01-02T03:04:05",
                "language": "en",
            }
        ],
    },
}


def make_adzuna(*numbers: int, count: int = 57, **fields: Any) -> dict[str, Any]:
    """A page of results with these ids."""
    return {
        "__CLASS__": "Adzuna::API::Response::JobSearchResults",
        "count": count,
        "mean": 64000.5,
        "results": [
            {
                "__CLASS__": "Adzuna::API::Response::Job",
                "id": str(number),
                "title": f"<strong>Web</strong> Developer {number}",
                "description": "We use React &amp; CSS …",
                "created": "2026-11-02T08:00:00Z",
                "redirect_url": f"https://www.adzuna.com/details/{number}?utm_medium=api&v=9",
                "company": {"display_name": "Acme"},
                "location": {"display_name": "Austin, TX", "area": ["US", "Texas"]},
                "category": {"tag": "it-jobs", "label": "IT Jobs"},
                "salary_min": 90000.4,
                "salary_max": 110000,
                "salary_is_predicted": "0",
                **fields,
            }
            for number in numbers
        ],
    }


def make_jsearch(*numbers: int, **fields: Any) -> dict[str, Any]:
    return {
        "status": "OK",
        "request_id": "r1",
        "parameters": {"query": "web developer", "page": 1, "num_pages": 1},
        "data": [
            {
                "job_id": f"id{number}",
                "employer_name": "Acme",
                "job_publisher": "Board",
                "job_title": f"Web Developer {number}",
                "job_apply_link": f"https://board.example/jobs/{number}",
                "job_description": "Build pages.",
                "job_is_remote": True,
                "job_posted_at_datetime_utc": "2026-11-02T08:00:00.000Z",
                "job_city": "Austin",
                "job_state": "TX",
                "job_country": "US",
                "job_min_salary": 90000,
                "job_max_salary": 110000,
                "job_salary_period": "YEAR",
                **fields,
            }
            for number in numbers
        ],
    }
