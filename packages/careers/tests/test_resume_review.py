"""What a person is asked to look at after an import, and how a value is corrected."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from plainloop.agent.errors import InputError
from plainloop_careers.offline.resumes import parse_resume
from plainloop_careers.resumes.review import MAX_DOUBTS, Doubt, list_doubts, set_value
from plainloop_careers.resumes.shape import parse_resume_data

RESUME: dict[str, Any] = {
    "basics": {"name": "Ann Lee", "email": "ann@example.com"},
    "work": [{"name": "Acme", "position": "Cook", "startDate": "2019", "endDate": "2021"}],
}
TEXT = "Ann Lee, ann@example.com. Cook at Acme, 2019 - 2021"


def test_a_well_parsed_resume_raises_no_doubt() -> None:
    assert list_doubts(RESUME, TEXT) == []


def test_only_listed_doubts_are_looked_up_in_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Doubt] = []
    find_source = Doubt.find_source

    def record(doubt: Doubt, raw_text: str) -> tuple[int, str] | None:
        searched.append(doubt)
        return find_source(doubt, raw_text)

    monkeypatch.setattr(Doubt, "find_source", record)
    work = [{**RESUME["work"][0], "highlights": ["led to"] * 1000}]
    assert list_doubts({**RESUME, "work": work}, TEXT)[-1] == f"and {1000 - MAX_DOUBTS} more"
    assert len(searched) == MAX_DOUBTS


@pytest.mark.parametrize(("lines_before", "line"), [(9, 10), (30_000, 1)])
def test_of_many_lines_with_a_text_only_the_first_are_weighed(lines_before: int, line: int) -> None:
    doubt = Doubt("work[0]", "endDate", "", "2017", ("Cook",))
    found = doubt.find_source("2017\n" * lines_before + "Cook until 2017\n")
    assert found is not None
    assert found[0] == line


@pytest.mark.parametrize(
    ("change", "text", "doubt"),
    [
        ({"basics": {"email": "ann@example.com"}}, TEXT, "no name was found"),
        (
            {"basics": {"name": "Ann Lee"}},
            TEXT,
            "basics.email is empty, but the text contains ann@",
        ),
        ({"work": []}, TEXT, "no positions and no education"),
        ({}, f"{TEXT} Clerk at Initech, 2008 - 2012", "the text contains 2008, 2012"),
        (
            {"work": [{**RESUME["work"][0], "name": "Initrode"}]},
            TEXT,
            "work[0].name: “Initrode” is not in the text",
        ),
        (
            {"work": [{**RESUME["work"][0], "startDate": "2023"}]},
            "",
            "work[0] ends (2021) before it begins (2023)",
        ),
        (
            {"work": [{**RESUME["work"][0], "highlights": ["Handled 20,000", "events a day"]}]},
            "",
            "“events a day” looks like part of a sentence",
        ),
        ({"education": [{"area": "Art"}]}, "", "education[0] has no institution"),
        (
            {"education": [{"institution": "Best student"}]},
            f"{TEXT}\n\nEducation\nBest student",
            "education[0]: is “Best student” the school? (line 4)",
        ),
        (
            {"work": [{"name": "Acme", "position": "Cook"}]},
            TEXT,
            "work[0]: which dates? Without an end it counts as ongoing (line 1)",
        ),
    ],
)
def test_each_doubtful_resume_value_is_listed(
    change: dict[str, Any], text: str, doubt: str
) -> None:
    assert [said for said in list_doubts({**RESUME, **change}, text) if doubt in said]


FAULTY = """Ingrid Solheim
Data Analyst
ingrid.solheim(at)example · +47 912 34 567
Experience
Senior Data Analyst, Havkraft AS
Mar 2018 – Present
• Built the forecast model.
Data Analyst, Vestbank
Aug 2018 – Feb 2017, Oslo
• Moved 40 reports to Power BI.
Education
MSc in Statistics, University of Bergen
graduated
"""


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("work[1] ends (2017-02) before it begins (2018-08)", 9),
        ("basics.email: is “ingrid.solheim(at)example” the e-mail address? It cannot be", 3),
        ("education[0]: which years? None is given", 12),
    ],
)
def test_a_doubt_names_the_line_of_its_own_entry(told: str, line: int) -> None:
    doubts = list_doubts(parse_resume(FAULTY), FAULTY)

    assert [said for said in doubts if said.startswith(told) and said.endswith(f"(line {line})")]
    assert len(doubts) == 3


def test_a_position_that_ends_months_before_it_begins_is_doubtful() -> None:
    work = [{**RESUME["work"][0], "startDate": "2021-08", "endDate": "2021-02"}]
    whole_year = [{**RESUME["work"][0], "startDate": "2021-08", "endDate": "2021"}]

    assert list_doubts({**RESUME, "work": work}, "") == [
        "work[0] ends (2021-02) before it begins (2021-08)"
    ]
    assert list_doubts({**RESUME, "work": whole_year}, "") == []


@pytest.mark.parametrize("title", ["Lebenslauf", "Curriculum Vitae", "CV", "RÉSUMÉ:", "Experience"])
def test_a_documents_title_is_never_accepted_as_the_persons_name(title: str) -> None:
    data = parse_resume_data({**RESUME, "basics": {"name": title, "email": "a@b.example"}})

    assert data["basics"] == {"email": "a@b.example"}


def test_resume_values_are_set_added_and_removed_by_path() -> None:
    data = set_value(RESUME, "work[0].position", "Chef")
    data = set_value(data, "skills[+].name", "Knives")
    data = set_value(data, "work[0].endDate", None)
    data = set_value(data, "basics.location.city", "Oslo")

    assert data == {
        "basics": {"name": "Ann Lee", "email": "ann@example.com", "location": {"city": "Oslo"}},
        "work": [{"name": "Acme", "position": "Chef", "startDate": "2019"}],
        "skills": [{"name": "Knives"}],
    }
    assert "skills" not in RESUME
    assert set_value(data, "work[0]", None)["work"] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [("", "x"), ("work[", "x"), ("work[7].name", "x"), ("basics[0]", "x"), ("work[0].name", 7)],
)
def test_setting_an_invalid_resume_path_is_refused_by_name(path: str, value: Any) -> None:
    with pytest.raises(InputError):
        set_value(RESUME, path, value)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("basics.email", "maria@@bad", "“maria@@bad” is not an e-mail address"),
        ("work[0].startDate", "yesterdayish", "“yesterdayish” is not a date"),
        ("work[0].endDate", "2019-13", "“2019-13” is not a date"),
        ("certificates[+]", {"name": "SQL", "date": "soon"}, "“soon” is not a date"),
        ("work[0].startDate", "Tomorrow 2021", "“Tomorrow 2021” is not a date"),
        ("work[0].startDate", "April 2021 – May 2022", "is not a date"),
    ],
)
def test_a_malformed_email_or_date_is_refused(path: str, value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        set_value(RESUME, path, value)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("April 2021", "2021-04"),
        ("Apr 2021", "2021-04"),
        ("März 2021", "2021-03"),
        ("2021", "2021"),
    ],
)
def test_a_month_in_words_is_stored_as_an_iso_date(text: str, date: str) -> None:
    entry = {"name": "SQL", "date": text}

    assert set_value(RESUME, "work[0].startDate", text)["work"][0]["startDate"] == date
    assert set_value(RESUME, "certificates[+]", entry)["certificates"][-1] == {
        **entry,
        "date": date,
    }


def test_an_invalid_date_that_the_file_had_can_be_kept() -> None:
    data = {"work": [{"name": "Acme", "startDate": "Spring 2019"}]}

    assert set_value(data, "work[0].startDate", "Spring 2019") == data
    assert set_value(data, "work[0].startDate", "2019-03")["work"][0]["startDate"] == "2019-03"


async def test_the_resume_api_lists_doubts_and_corrects_single_values(
    ann: httpx2.AsyncClient,
) -> None:
    file = ("cv.json", b'{"basics": {"name": "Lebenslauf"}, "work": [{"position": "Cook"}]}')
    uploaded = (await ann.post("/api/resume", files={"file": file})).json()
    change = {"set": {"basics.name": "Ann Lee", "work[0].name": "Acme"}}
    corrected = await ann.patch("/api/resume", json=change)
    wrong = await ann.patch("/api/resume", json={"set": {"work[9].name": "Acme"}})

    assert "basics.name: no name was found; letters will not be signed" in uploaded["please_check"]
    assert "work[0] has no name (line 1)" in uploaded["please_check"]
    told = corrected.json()
    dates = "Which dates? Without an end it counts as ongoing"
    assert (corrected.status_code, told["version"], told["is_corrected"]) == (200, 2, True)
    assert told["data"] == {
        "basics": {"name": "Ann Lee"},
        "work": [{"position": "Cook", "name": "Acme"}],
        "meta": {"open": [f"work[0].startDate: {dates}"]},
    }
    assert told["please_check"] == [f"work[0]: {dates[0].lower()}{dates[1:]} (line 1)"]
    assert wrong.status_code == 400
    assert (await ann.get("/api/resume")).json()["version"] == 2


def test_keys_and_dates_of_older_json_resumes_are_updated() -> None:
    work = [
        {"company": "Noma", "website": "https://noma.example", "startDate": "Mai 2019"},
        {"company": "Noma A/S", "name": "Noma", "startDate": 2017, "endDate": "Present"},
        {"name": "Ritz", "startDate": "Q3 2016", "endDate": "2016-12-31"},
    ]
    old = {
        "basics": {"name": "Ann Lee", "website": "https://ann.example", "picture": ""},
        "work": work,
        "education": [{"institution": "Chalmers", "gpa": 3.9}],
    }

    assert parse_resume_data(old) == {
        "basics": {"name": "Ann Lee", "url": "https://ann.example", "image": ""},
        "work": [
            {"name": "Noma", "url": "https://noma.example", "startDate": "2019-05"},
            {"company": "Noma A/S", "name": "Noma", "startDate": "2017"},
            work[2],
        ],
        "education": [{"institution": "Chalmers", "score": "3.9"}],
    }


async def test_a_correction_leaves_the_other_doubts_open_until_they_are_kept(
    ann: httpx2.AsyncClient,
):
    work = [
        {"name": "Acme", "position": "events a day", "startDate": "2021"},
        {"name": "Noma", "startDate": "2019", "endDate": "2020"},
    ]
    data = {"basics": {"name": "Ann Lee"}, "work": work}
    file = ("cv.json", json.dumps(data).encode())
    await ann.post("/api/resume", files={"file": file})

    async def change(path: str, value: Any) -> list[str]:
        told = (await ann.patch("/api/resume", json={"set": {path: value}})).json()
        return [f"{check['path']}: {check['message']}" for check in told["checks"]]

    before = (await ann.get("/api/resume")).json()["checks"]
    fragment, missing = (f"{check['path']}: {check['message']}" for check in before)
    assert await change("basics.email", "ann@example.org") == [fragment, missing]
    assert await change("work[0].position", "events a week") == [missing]
    assert await change("work[0]", None) == ["work[0].position: This is missing."]
    kept = "work[0].position: This is missing."
    assert await change("meta.dismissed", [kept]) == []
    assert await change("basics.label", "Cook") == []
