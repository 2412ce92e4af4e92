"""The tracker over HTTP, on a real socket: pages, changes, statistics, CSV."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx2
import pytest

from plainloop_careers import store
from plainloop_careers.routes.reading import to_cursor

LEAST = {"company": "Acme", "title": "Cook"}


async def add(client: httpx2.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/api/jobs", json={**LEAST, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def list_titles(client: httpx2.AsyncClient, **query: Any) -> list[str]:
    answer = await client.get("/api/jobs", params=query)
    assert answer.status_code == 200, answer.text
    return [job["title"] for job in answer.json()["jobs"]]


async def test_the_jobs_api_creates_reads_changes_and_deletes_a_job(ann: httpx2.AsyncClient):
    made = await add(
        ann,
        url="https://acme.example/7?utm_source=x",
        tags="a,b ,",
        requirements="- HTML\n\n- CSS",
        salary_min=50000,
        job_fit=5,
    )
    empty = ("location", "remote_type", "salary_max", "salary_currency", "salary_period")
    empty += ("contact_name", "contact_email", "source")

    assert made == {
        "job_id": 1,
        "company": "Acme",
        "title": "Cook",
        "status": "saved",
        "url": "https://acme.example/7?utm_source=x",
        "tags": "a, b",
        "salary_min": 50000,
        "requirements": "HTML\nCSS",
        "nice_to_haves": None,
        "notes": None,
        "job_fit": 5,
        "applied_at": None,
        "created_at": made["created_at"],
        "updated_at": made["updated_at"],
        **dict.fromkeys(empty),
    }
    assert (await ann.get("/api/jobs/1")).json() == made
    changed = await ann.patch("/api/jobs/1", json={"status": "applied", "tags": None})
    told = changed.json()
    assert (told["status"], told["tags"], told["title"]) == ("applied", None, "Cook")
    assert told["applied_at"] is not None
    assert told["taken_back"] == {}
    assert (await ann.patch("/api/jobs/1", json={})).json() == told
    assert (await ann.delete("/api/jobs/1")).status_code == 204
    assert (await ann.get("/api/jobs/1")).status_code == 404


WRONG_JOBS: list[tuple[dict[str, Any], int, str]] = [
    ({"title": "Cook"}, 422, "INVALID_FORMAT"),
    ({**LEAST, "company": " "}, 400, "INVALID_INPUT"),
    ({**LEAST, "status": "maybe"}, 422, "INVALID_FORMAT"),
    ({**LEAST, "salary_min": 2, "salary_max": 1}, 400, "INVALID_INPUT"),
    ({**LEAST, "salary_min": -1}, 422, "INVALID_FORMAT"),
    ({**LEAST, "salary_min": 10**12}, 422, "INVALID_FORMAT"),
    ({**LEAST, "job_fit": 6}, 422, "INVALID_FORMAT"),
    ({**LEAST, "job_id": 7}, 422, "INVALID_FORMAT"),
    ({**LEAST, "notes": "x" * 100_001}, 422, "INVALID_FORMAT"),
]


async def test_a_move_back_names_the_dates_it_removes_and_they_can_be_restored(
    ann: httpx2.AsyncClient, served: Any
):
    async def read_history() -> dict[str, str]:
        told = (await ann.get("/api/jobs/1/statuses")).json()["statuses"]
        return {item["status"]: item["reached_at"] for item in told}

    await add(ann, status="applied")
    for status in ("interviewing", "rejected"):
        before = (await ann.patch("/api/jobs/1", json={"status": status})).json()
    history = await read_history()
    assert list(history) == ["saved", "applied", "interviewing", "rejected"]

    back = (await ann.patch("/api/jobs/1", json={"status": "saved"})).json()
    assert back["taken_back"] == {name: at for name, at in history.items() if name != "saved"}
    assert (back["applied_at"], list(await read_history())) == (None, ["saved"])
    again = {"status": "rejected", "reached": back["taken_back"]}
    restored = (await ann.patch("/api/jobs/1", json=again)).json()

    assert (restored["applied_at"], restored["taken_back"]) == (before["applied_at"], {})
    assert await read_history() == history
    bob = await served.client("bob")
    assert (await bob.get("/api/jobs/1/statuses")).status_code == 404
    no_zone = {"status": "applied", "reached": {"applied": "2026-01-02T03:04:05"}}
    assert (await ann.patch("/api/jobs/1", json=no_zone)).status_code == 422


async def test_taking_back_the_last_change_restores_its_time(ann: httpx2.AsyncClient):
    made = await add(ann)
    moved = (await ann.patch("/api/jobs/1", json={"status": "applied"})).json()
    undone = {"updated_at": moved["updated_at"], "before": made["updated_at"]}
    back = {"status": "saved", "reached": {}, "undone": undone}
    assert moved["updated_at"] > made["updated_at"]
    assert (await ann.patch("/api/jobs/1", json=back)).json() == {**made, "taken_back": {
        "applied": moved["applied_at"]
    }}  # fmt: skip

    moved = (await ann.patch("/api/jobs/1", json={"status": "applied"})).json()
    noted = (await ann.patch("/api/jobs/1", json={"notes": "by somebody else"})).json()
    back["undone"] = {"updated_at": moved["updated_at"], "before": made["updated_at"]}
    last = (await ann.patch("/api/jobs/1", json=back)).json()
    assert last["updated_at"] > noted["updated_at"]
    no_zone = {"status": "saved", "undone": {**undone, "before": "2026-01-02T03:04:05"}}
    assert (await ann.patch("/api/jobs/1", json=no_zone)).status_code == 422


async def test_the_jobs_api_refuses_invalid_jobs(ann: httpx2.AsyncClient):
    for body, status, code in WRONG_JOBS:
        answer = await ann.post("/api/jobs", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), body
    await add(ann, salary_min=50000)
    assert (await ann.patch("/api/jobs/1", json={"salary_max": 40000})).status_code == 400
    assert (await ann.patch("/api/jobs/1", json={"company": " "})).status_code == 400
    for text in ("0", "x", "-1", "1.5", "99999999999", "²", "2147483648"):
        for method in ("GET", "PATCH", "DELETE"):
            answer = await ann.request(method, f"/api/jobs/{text}", json={"title": "x"})
            assert answer.status_code == 404, (method, text)
    for cursor in ("x", "", "Zm9v", "WzFd", "é", "WyJhIiwiYiIsImMiLDFd"):
        answer = await ann.get("/api/jobs", params={"cursor": cursor})
        assert answer.status_code == 400, cursor
    for content, status in NO_JOBS:
        assert (await upload(ann, content, "jobs.csv")).status_code == status, content[:20]
    assert await list_titles(ann) == ["Cook"]


async def test_names_are_stored_up_to_their_limit_and_refused_above_it(ann: httpx2.AsyncClient):
    longest = "\U0001f600" * 300

    made = await add(ann, company=longest, contact_name=longest)
    refused = await ann.patch("/api/jobs/1", json={"contact_name": longest + "x"})

    assert made["contact_name"] == longest
    assert refused.status_code == 400
    assert "contact_name is longer than 300 characters" in refused.json()["error"]["message"]


async def test_the_jobs_api_refuses_a_second_job_with_one_url(ann: httpx2.AsyncClient):
    await add(ann, url="https://acme.example/7")
    await add(ann, title="Chef")
    again = await ann.post("/api/jobs", json={**LEAST, "url": "http://www.acme.example/7/"})
    moved = await ann.patch("/api/jobs/2", json={"url": "acme.example/7"})
    same = await ann.patch("/api/jobs/1", json={"url": "https://acme.example/7#x"})

    assert [again.status_code, moved.status_code, same.status_code] == [409, 409, 200]
    assert again.json()["error"] == {
        "code": "JOB_EXISTS",
        "message": "the job 1 in the tracker already has this URL",
        "hint": "Change that job with PATCH /api/jobs/1.",
    }


async def test_the_jobs_api_lists_only_jobs_that_match_its_filters(ann: httpx2.AsyncClient):
    await add(ann, title="A", status="applied", remote_type="remote", tags="css, html")
    await add(ann, title="B", company="Beta", location="Berlin", salary_max=80000, job_fit=4)
    await add(ann, title="C", notes="says Berlin too", salary_min=60000, tags="html5", job_fit=2)

    assert await list_titles(ann, status="applied") == ["A"]
    assert await list_titles(ann, status=["applied", "saved"], order="asc") == ["A", "B", "C"]
    assert await list_titles(ann, remote_type="remote") == ["A"]
    assert await list_titles(ann, company="BET") == ["B"]
    assert await list_titles(ann, tag="HTML") == ["A"]
    assert await list_titles(ann, location="berl") == ["B"]
    assert await list_titles(ann, q="berlin") == ["C", "B"]
    assert await list_titles(ann, q="berlin beta") == ["B"]
    assert await list_titles(ann, salary_min=70000) == ["B"]
    assert await list_titles(ann, fit_min=3) == ["B"]
    assert await list_titles(ann, q="%") == []
    today = datetime.now(UTC).date()
    assert await list_titles(ann, created_from=str(today + timedelta(days=2))) == []
    assert len(await list_titles(ann, created_to=str(today + timedelta(days=1)))) == 3
    assert await list_titles(ann, company="") == ["C", "B", "A"]


SORTED = {
    "created_at": "1 2 3 4 5",
    "company": "5 4 3 2 1",
    "title": "2 4 1 3 5",
    "status": "2 1 3 4 5",
    "salary": "3 4 5 1 2",
    "fit": "4 5 3 1 2",
    "applied_at": "1 3 4 5 2",
    "updated_at": "1 2 3 4 5",
}


async def test_pages_in_any_sort_order_contain_each_job_once(ann: httpx2.AsyncClient):
    await add(ann, company="e", title="m", salary_max=10, job_fit=1)
    await add(ann, company="d", title="A", salary_min=20, job_fit=2, status="applied")
    await add(ann, company="C", title="m", job_fit=0)
    await add(ann, company="b", title="b")
    await add(ann, company="a", title="z")
    for sort, ids in SORTED.items():
        for order, expected in (("asc", ids.split()), ("desc", ids.split()[::-1])):
            assert await list_ids(ann, sort=sort, order=order, limit=2) == expected, sort


async def list_ids(client: httpx2.AsyncClient, **query: Any) -> list[str]:
    """Page after page."""
    seen: list[str] = []
    while True:
        page = (await client.get("/api/jobs", params=query)).json()
        assert page["total"] == 5
        seen += [str(job["job_id"]) for job in page["jobs"]]
        if page["next_cursor"] is None:
            return seen
        query["cursor"] = page["next_cursor"]


async def test_a_page_cursor_of_another_sort_order_is_refused(ann: httpx2.AsyncClient):
    for _ in range(3):
        await add(ann)
    page = (await ann.get("/api/jobs", params={"limit": 1})).json()
    other = await ann.get("/api/jobs", params={"sort": "title", "cursor": page["next_cursor"]})

    assert other.status_code == 400


async def test_statistics_count_statuses_answers_and_weeks(ann: httpx2.AsyncClient):
    empty = (await ann.get("/api/jobs/stats", params={"weeks": 1})).json()
    for status in ("saved", "applied", "applied", "interviewing", "rejected"):
        await add(ann, status=status)
    told = (await ann.get("/api/jobs/stats", params={"weeks": 3})).json()
    today = datetime.now(UTC).date()
    monday = today - timedelta(days=today.weekday())

    assert (empty["total"], empty["response_rate"]) == (0, None)
    assert told == {
        "total": 5,
        "by_status": {
            **dict.fromkeys(("offer", "accepted", "withdrawn"), 0),
            "saved": 1,
            "applied": 2,
            "interviewing": 1,
            "rejected": 1,
        },
        "applications": 4,
        "responses": 2,
        "response_rate": 0.5,
        "per_week": [
            {"week": str(monday - timedelta(days=14)), "saved": 0, "applied": 0},
            {"week": str(monday - timedelta(days=7)), "saved": 0, "applied": 0},
            {"week": str(monday), "saved": 5, "applied": 4},
        ],
    }
    assert date.fromisoformat(told["per_week"][0]["week"]).weekday() == 0


async def upload(client: httpx2.AsyncClient, content: bytes | str, name: str) -> httpx2.Response:
    return await client.post("/api/jobs/import", files={"file": (name, content)})


async def test_exported_jobs_can_be_imported(ann: httpx2.AsyncClient, served: Any):
    pay = {"salary_min": 17.5, "salary_currency": "EUR", "salary_period": "hour"}
    await add(ann, title="=1+1", notes='say "hi",\nthere', tags="a, b", job_fit=0, **pay)
    await add(ann, company="Ö & Söhne", status="offer", requirements="HTML\nCSS", url="x.org/1")
    answer = await ann.get("/api/jobs.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    bob = await served.client("bob")
    report = (await upload(bob, answer.content, "jobs.csv")).json()
    again = (await upload(bob, answer.content, "jobs.csv")).json()

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert [row["title"] for row in rows] == ["'=1+1", "Cook"]
    assert [report[key] for key in ("created", "updated", "known", "rejected")] == [
        [3, 4],
        [],
        [],
        [],
    ]
    assert [again[key] for key in ("created", "updated", "known")] == [[], [], [3, 4]]
    mine = (await ann.get("/api/jobs", params={"order": "asc"})).json()["jobs"]
    theirs = (await bob.get("/api/jobs", params={"order": "asc"})).json()["jobs"]
    assert [{**job, "job_id": 0} for job in mine] == [{**job, "job_id": 0} for job in theirs]
    stats = [(await client.get("/api/jobs/stats")).json() for client in (ann, bob)]
    assert stats[0] == stats[1]


async def test_the_jobs_api_filters_pay_by_currency_and_period(ann: httpx2.AsyncClient):
    await add(ann, title="A", salary_min=90000, salary_currency="EUR", salary_period="year")
    await add(ann, title="B", salary_min=45.5, salary_currency="usd", salary_period="hour")
    await add(ann, title="C", salary_min=90000)
    assert await list_titles(ann, salary_currency="EUR") == ["A"]
    assert await list_titles(ann, salary_min=45.5, salary_period="hour") == ["B"]
    assert (await ann.get("/api/jobs/2")).json()["salary_currency"] == "USD"
    refused = await ann.patch("/api/jobs/2", json={"salary_currency": "shells"})
    assert refused.json()["error"]["code"] == "INVALID_INPUT"


async def test_a_csv_sheet_with_bad_rows_imports_the_good_ones(ann: httpx2.AsyncClient):
    sheet = (
        "\ufeffCompany;Job Title;Link;Status;Salary;Remote;Unknown\r\n"
        'Acme;Cook;https://a.example/1;Applied;"60k - 70k";yes;x\r\n'
        ";Chef;;;;;\r\n\r\n"
        "Beta;Baker;;sleeping;;;\r\n"
    )
    report = (await upload(ann, sheet.encode("utf-8"), "sheet.csv")).json()
    job = (await ann.get("/api/jobs/1")).json()

    other = (await ann.get("/api/jobs/2")).json()

    assert report["created"] == [1, 2]
    assert report["rejected"] == [{"row": 2, "error": "the row has no company: fill in the cells"}]
    assert report["noted"] == [{"row": 4, "error": "Status: sleeping"}]
    assert [other["status"], other["notes"]] == ["saved", "Status: sleeping"]
    assert [column["name"] for column in report["columns"] if not column["is_known"]] == ["Unknown"]
    assert job["notes"] == "Unknown: x"
    assert [job[key] for key in ("title", "status", "salary_min", "salary_max", "remote_type")] == [
        "Cook",
        "applied",
        60000,
        70000,
        "remote",
    ]


async def test_the_jobs_api_imports_json_labelled_text_and_tsv_files(ann: httpx2.AsyncClient):
    files = {
        "a.json": b'[{"title": "A", "company": "x"}, {"title": "B", "company": "y"}]',
        "b.json": b'{"title": "C", "company": "x"}',
        "c.txt": b"Title: D\nCompany: x",
        "d.tsv": b"company\ttitle\nx\tE",
    }
    for name, content in files.items():
        assert (await upload(ann, content, name)).status_code == 200
    assert await list_titles(ann, order="asc") == ["A", "B", "C", "D", "E"]


NO_JOBS: list[tuple[bytes, int]] = [
    (b"", 400),
    (b"\x89PNG\r\n\x1a\n", 415),
    (b"%PDF-1.7", 415),
    (b"[1, 2]", 400),
    (b'[{"title":]', 400),
    (b"hello", 400),
    (b"company,title\n" + b"a,b\n" * 5_001, 413),
    (b'company,title\n"' + b"a" * 200_000, 400),
]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("documents", ("abc", 1)),
        ("documents", ("2026-01-01", 2**60)),
        ("jobs", ("created_at", "desc", "abc", 1)),
        ("jobs", ("created_at", "desc", "a\0", 1)),
    ],
)
async def test_a_cursor_with_impossible_values_is_refused(
    ann: httpx2.AsyncClient, path: str, parts: tuple[Any, ...]
) -> None:
    refused = await ann.get(f"/api/{path}", params={"cursor": to_cursor(*parts)})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "the cursor is not valid for this list and order"


async def test_a_url_stored_during_a_change_is_refused_like_a_known_one(
    ann: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = {"url": "https://acme.example/9"}
    await add(ann, **url)
    await add(ann)
    find = store.load_job_by_url

    async def look_too_early(*_: Any) -> None:
        """Return what the check saw before the other request stored its job."""
        monkeypatch.setattr(store, "load_job_by_url", find)

    monkeypatch.setattr(store, "load_job_by_url", look_too_early)
    refused = await ann.patch("/api/jobs/2", json=url)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "JOB_EXISTS")
