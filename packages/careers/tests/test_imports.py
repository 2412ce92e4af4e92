"""Résumés and jobs from files: good ones are stored, bad ones get one clear word.

`AGENT_FUZZ_EXAMPLES=1000` tries as many generated files (100).
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import plainloop_careers
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import ConflictError, InputError
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest
from plainloop_careers import store as careers
from plainloop_careers.jobs import boards
from plainloop_careers.jobs.files import read_jobs, read_jobs_file
from plainloop_careers.jobs.imports import from_text
from plainloop_careers.resumes.imports import (
    ImportedResume,
    ParseResume,
    keep_resume,
    read_resume_file,
    structure_resume,
    to_resume_file,
)
from plainloop_careers.resumes.parsing import parse_resume_text
from plainloop_careers.resumes.review import list_doubts, set_value
from plainloop_careers.tools_jobs import to_details
from plainloop_documents.reading import document
from plainloop_documents.reading.files import FileText
from plainloop_documents.reading.refusal import Refusal

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "100"))
SAMPLES = Path(__file__).parents[4] / "shared" / "data" / "jsonresume"
RESUME: dict[str, Any] = {"basics": {"name": "Ann"}, "work": [{"name": "Acme"}]}
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no sample files beside the repo")


def encode(value: Any) -> bytes:
    return json.dumps(value).encode()


async def parse_never(text: str) -> dict[str, Any]:
    raise AssertionError("a JSON résumé needs no parser")


async def keep(
    store: Store, source: Path | bytes, name: str, parse: ParseResume | None = None
) -> ImportedResume:
    return await keep_resume(
        store, ("t1", "u1"), await read_resume_file(source, name, Limits()), parse
    )


async def test_a_json_resume_is_stored_unchanged_without_a_parser(store: Store) -> None:
    imported = await keep(store, encode(RESUME), "cv.json", parse_never)
    row = await careers.load_resume(store.read("t1"), ("t1", "u1"))
    assert row is not None
    assert (imported.version, imported.data, row["data"]) == (1, RESUME, RESUME)
    assert (row["name"], row["format"], row["is_corrected"]) == ("cv.json", "json", False)


async def test_an_imported_text_resume_is_stored_with_its_parsed_data(store: Store) -> None:
    seen: list[str] = []

    async def parse(text: str) -> dict[str, Any]:
        seen.append(text)
        return RESUME

    content = "\ufeff# Ann\r\nCook\x00 at Acme".encode()
    imported = await keep(store, content, "cv.md", parse)
    row = await careers.load_resume(store.read("t1"), ("t1", "u1"))
    assert row is not None
    assert seen == ["# Ann\nCook at Acme"]
    assert (imported.format, imported.data, row["raw_text"]) == ("markdown", RESUME, seen[0])


async def test_a_failing_parser_keeps_the_imported_text(store: Store) -> None:
    async def fail(text: str) -> dict[str, Any]:
        raise InputError("the model gave no JSON")

    async def answer_wrongly(text: str) -> dict[str, Any]:
        return {}

    for parse in (fail, answer_wrongly):
        imported = await keep(store, b"Ann, cook", "cv.txt", parse)
        assert (imported.data, bool(imported.problem)) == (None, True)
        row = await careers.load_resume(store.read("t1"), ("t1", "u1"))
        assert row is not None
        assert (row["raw_text"], row["data"]) == ("Ann, cook", None)


async def test_a_designs_parser_can_store_a_resume_in_another_shape(store: Store) -> None:
    own = {"name": "Ann", "skills": ["cooking"], "work": "Acme, since 2019", "basics": "-"}

    async def parse(text: str) -> dict[str, Any]:
        return own

    imported = await keep(store, b"Ann, cook at Acme since 2019", "cv.txt", parse)
    row = await careers.load_resume(store.read("t1"), ("t1", "u1"))

    assert row is not None and (imported.data, row["data"]) == (own, own)
    assert set_value(own, "name", "Anna") == {**own, "name": "Anna"}
    assert list_doubts(own, row["raw_text"])


async def test_the_packs_parser_returns_json_resume_fields() -> None:
    async def answer(role: str, request: ChatRequest) -> dict[str, Any]:
        return {"basics": {"name": "Ann"}, "skills": ["cooking"]}

    with pytest.raises(InputError, match="not JSON Resume"):
        await parse_resume_text("Ann, cook", answer)


@pytest.mark.parametrize(
    ("head", "location"),
    [
        ("# Ann\nann@example.com | Oslo, Norway", {"city": "Oslo", "countryCode": "NO"}),
        ("# Ann\n\n**Lima, Peru**\n\nann@example.com", {"city": "Lima", "countryCode": "PE"}),
        ("Ann\nann@example.com, London SW1A 2AA, UK", {"city": "London", "countryCode": "GB"}),
        ("Ann\n+47 123 45 678 · Way 5, 0150 Oslo, Norway", {"city": "Oslo", "countryCode": "NO"}),
        ("Ann\nAustin, Texas, USA", {"city": "Austin", "region": "Texas", "countryCode": "US"}),
        ("Ann\nHead Cook, Norway Foods\nPython, SQL", {}),
        ("Ann\n## Work\nFish, Norway", {}),
        ("Ann\nExperience\nFish, Norway", {}),
        ("Ann\nAcme, Norway, 2019 - 2021", {}),
    ],
)
async def test_the_town_in_a_resumes_head_is_the_persons_location(
    head: str, location: dict[str, str]
) -> None:
    async def answer(role: str, request: ChatRequest) -> dict[str, Any]:
        return {"basics": {"name": "Ann"}}

    found = (await parse_resume_text(head, answer))["basics"].get("location", {})

    assert {key: text for key, text in found.items() if key != "postalCode"} == location


async def test_a_location_that_the_model_returned_is_not_replaced() -> None:
    async def answer(role: str, request: ChatRequest) -> dict[str, Any]:
        return {"basics": {"name": "Ann", "location": {"city": "Bergen"}}}

    found = await parse_resume_text("Ann\nOslo, Norway", answer)

    assert found["basics"]["location"] == {"city": "Bergen"}


async def test_a_likely_town_without_a_known_country_is_asked_about() -> None:
    data = {**RESUME, "basics": {"name": "Ann"}}

    told = list_doubts(data, "Ann\nAcme, Cook\n\nMadrid, España\n")

    assert "basics.location.city: is “Madrid, España” where you live? (line 4)" in told


@pytest.mark.parametrize(
    ("line", "town"),
    [
        ("ann@example.org | +49 30 1234567 | Berlin", "Berlin"),
        ("ann@example.org · Rio de Janeiro · +55 21 98765 4321", "Rio de Janeiro"),
        ("ann@example.org | +49 30 1234567 | LinkedIn", ""),
        ("ann@example.org | +49 30 1234567 | Python", ""),
        ("ann@example.org | +49 30 1234567 | Cook", ""),
        ("ann@example.org | Noma", ""),
        ("Ann Lee | ann@example.org | +49 30 1234567", ""),
        ("ann@example.org | +49 30 1234567 | Dutch | Married", ""),
    ],
)
async def test_a_lone_town_beside_address_and_number_is_asked_about(line: str, town: str) -> None:
    async def answer(role: str, request: ChatRequest) -> dict[str, Any]:
        return {"basics": {"name": "Ann"}}

    found = await parse_resume_text(f"Ann\n{line}", answer)
    doubts = list_doubts({**RESUME, "basics": {"name": "Ann"}}, f"Ann\n{line}")

    assert "location" not in found["basics"]
    places = [doubt for doubt in doubts if doubt.startswith("basics.location")]
    assert places == (
        [f"basics.location.city: is “{town}” where you live? (line 2)"] if town else []
    )


async def test_a_corrected_resume_is_not_parsed_again(store: Store) -> None:
    await keep(store, b"Ann, cook", "cv.txt")
    async with store.transaction("t1") as db:
        await careers.correct_resume(db, ("t1", "u1"), 1, RESUME)

    async def parse(text: str) -> dict[str, Any]:
        return {"basics": {"name": "Bob"}}

    with pytest.raises(ConflictError, match="corrected by hand"):
        await structure_resume(store, ("t1", "u1"), 2, "Ann, cook", parse)


BAD_RESUMES: list[tuple[bytes, str, str]] = [
    (b"", "cv.txt", "the file is empty"),
    (b" \n\t ", "cv.txt", "the file is empty"),
    (b"x" * 10_000_001, "cv.txt", "too large: it has 10,000,001 bytes"),
    (b"x" * 60_001, "cv.txt", "cv.txt has 60,001 characters; at most 60,000 are allowed"),
    (b"%PDF-1.7 ...", "cv.pdf", "cv.pdf is damaged"),
    (b"PK\x03\x04....", "cv.docx", "cv.docx is damaged"),
    (b"\x89PNG\r\n", "cv.png", "is an image"),
    (bytes(range(256)), "cv.bin", "is not a text file"),
    (b'{"basics": {"name": "Ann",}}', "cv.json", "at line 1, column 27"),
    (b'{\n "basics": {\n  "name" "Ann"}}', "cv.json", "at line 3, column 10"),
    (b'{"work": [{"name": 7}]}', "cv.json", "`work[0].name`"),
    (b'{"work": {"name": "Acme"}}', "cv.json", "`work`"),
    (b"[1, 2]", "cv.json", "this is not JSON Resume"),
    (b'{"title": "Cook", "company": "Acme"}', "cv.json", "none of the format's sections"),
    (b"[" * 100_000, "cv.json", "not valid JSON"),
]


@pytest.mark.parametrize(("content", "name", "message"), BAD_RESUMES)
async def test_an_unreadable_resume_file_is_refused_with_its_reason(
    content: bytes, name: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        await read_resume_file(content, name, Limits())
    assert message in caught.value.message


async def test_importing_a_missing_file_or_a_folder_gives_a_readable_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        await read_resume_file(tmp_path / "cv.md", "cv.md", Limits())
    with pytest.raises(InputError, match="cannot read"):
        await read_resume_file(tmp_path, "cv.md", Limits())


async def test_an_image_as_resume_is_refused_with_the_accepted_formats() -> None:
    with pytest.raises(InputError) as caught:
        await read_resume_file(b"\x89PNG\r\n", "cv.png", Limits())
    assert caught.value.hint == (
        "Accepted: PDF, Word (.docx), HTML, Markdown (.md), plain text (.txt) and JSON."
    )


def test_the_file_chooser_offers_resumes_saved_as_html() -> None:
    screens = Path(plainloop_careers.__file__).parent / "screens" / "screens.json"
    accepted = json.loads(screens.read_text(encoding="utf-8"))["upload"]["accept"].split(",")

    assert {".html", ".htm", ".pdf", ".docx", ".txt"} <= set(accepted)


async def test_resume_texts_in_other_encodings_are_read() -> None:
    for content in ("Zoë, Köchin".encode("cp1252"), "Zoë, Köchin".encode("utf-16")):
        assert (await read_resume_file(content, "cv.txt", Limits())).raw_text == "Zoë, Köchin"


async def test_lone_surrogates_in_an_imported_json_are_removed() -> None:
    file = await read_resume_file(b'{"basics": {"name": "A\\ud800\\u0000"}}', "cv.json", Limits())
    assert file.data == {"basics": {"name": "A\ufffd"}}


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["cv.json", "cv.md", "cv", "a.pdf"]))
def test_any_imported_bytes_are_read_or_refused_without_a_crash(content: bytes, name: str) -> None:
    with contextlib.suppress(InputError, Refusal):
        if document.detect_format(content, name) == "text":
            read = document.run(content, {"name": name, "max_pages": 50})
            to_resume_file(FileText("text", read["text"]), name)
    with contextlib.suppress(InputError, Refusal):
        read_jobs(content, name)


JOB_TEXT = b"""# Web Developer at Microsoft

**Location:** Berlin
Salary: 90k - 110k EUR
Remote: hybrid
Contact: Ann Lee

We build things: many of them.

## Requirements
- HTML
- CSS

## Nice to have
- React

Description: Small team.
"""


def test_a_pasted_job_text_is_read_by_its_labels() -> None:
    assert read_jobs(JOB_TEXT, "job.md").jobs[0] == {
        "title": "Web Developer",
        "company": "Microsoft",
        "location": "Berlin",
        "salary_min": 90000,
        "salary_max": 110000,
        "salary_currency": "EUR",
        "remote_type": "hybrid",
        "contact_name": "Ann Lee",
        "requirements": "HTML\nCSS",
        "nice_to_haves": "React",
        "notes": "# Web Developer at Microsoft\n\n\nWe build things: many of them.\n\nSmall team.",
        "source": "import",
    }


POSTING = b"""<!-- saved from url -->
<!DOCTYPE html><html><head><title>%s</title>
<link rel="canonical" href="https://noma.example/jobs/7"></head><body><nav>Home</nav>
<main><h1>%s</h1><p>We cook.</p><h2>Requirements</h2><ul><li>Knives</li></ul></main>%s
</body></html>"""
LINKED = b"""<script type="application/ld+json">{"@type": "JobPosting", "title": "Head Cook",
"hiringOrganization": {"name": "Noma"}, "url": "https://noma.example/jobs/7"}</script>"""


@pytest.mark.parametrize(
    ("title", "heading", "linked", "expected"),
    [
        (b"Jobs", b"Cook", LINKED, ("Head Cook", "Noma")),
        (b"Cook at Noma | Careers", b"Cook", b"", ("Cook", "Noma")),
        (b"Job Application for Sous Chef at Noma", b"Sous Chef", b"", ("Sous Chef", "Noma")),
        (b"Noma hiring Cook in Copenhagen | LinkedIn", b"Cook", b"", ("Cook", "Noma")),
        (b"Cook | Noma", b"Cook", b"", ("Cook", "Noma")),
        (b"Noma - Cook", b"Cook", b"", ("Cook", "Noma")),
    ],
)
async def test_an_html_file_of_a_posting_is_read_like_its_web_page(
    title: bytes, heading: bytes, linked: bytes, expected: tuple[str, str]
) -> None:
    content = POSTING % (title, heading, linked)
    (job,) = (await read_jobs_file(content, "posting.html", Limits())).jobs

    assert (job["title"], job["company"]) == expected
    assert job["url"] == "https://noma.example/jobs/7"
    if not linked:
        assert (job["requirements"], "We cook." in job["notes"]) == ("Knives", True)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (
            b"<!doctype html><title>Welcome</title><p>Hello",
            "a.html",
            "no title and no company found in a.html",
        ),
        (b"A fine place to work", "job.txt", "no title and no company found in job.txt"),
        (b"Title: Cook", "job.txt", "no company found in job.txt"),
        (b'{"title": "Cook"}', "job.json", "no company found in job.json"),
        (b'{"title": {"a": 1}, "company": "Acme"}', "job.json", "no title found in job.json"),
        (b'{"title": "Cook" "company"', "job.json", "line 1, column 18"),
    ],
)
def test_an_invalid_job_file_is_refused_with_its_reason(
    content: bytes, name: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_jobs(content, name)
    assert message in caught.value.message


GREENHOUSE = {
    "id": 7,
    "title": "Line Cook",
    "company_name": "Cafe Uno",
    "location": {"name": "Detroit, MI"},
    "absolute_url": "https://boards.example.com/cafe/jobs/7",
    "content": "&lt;p&gt;Cook &amp;amp; smile.&lt;/p&gt;&lt;li&gt;Fish&lt;/li&gt;",
    "departments": [{"name": "Kitchen"}],
    "pay_input_ranges": [{"min_cents": 3_000_000, "max_cents": 3500050, "currency_type": "USD"}],
}
LEVER = {
    "id": "ff",
    "text": "Line Cook",
    "categories": {"commitment": "Full-time", "location": "Detroit", "team": "Kitchen"},
    "hostedUrl": "https://jobs.example.com/cafe-uno/ff",
    "descriptionPlain": "Cook and smile.",
    "workplaceType": "hybrid",
    "createdAt": 1_790_000_000_000,
    "salaryRange": {"currency": "USD", "interval": "per-year-salary", "min": 30000, "max": 35000},
}
ASHBY = {
    "title": "Line Cook",
    "location": "Detroit",
    "isRemote": True,
    "jobUrl": "https://jobs.example.com/CafeUno/1",
    "descriptionPlain": "Cook.",
    "publishedAt": "2026-10-01T00:00:00Z",
    "compensation": {"compensationTierSummary": "€30K – €35K"},
}
LD = {"@type": "JobPosting", "title": "Line Cook", "hiringOrganization": {"name": "Cafe Uno"}}
SMART = {"name": "Line Cook", "company": {"name": "Cafe Uno"}, "location": {"city": "Detroit"}}
PAID = {"salary_min": 30000, "salary_max": 35000, "salary_currency": "USD"}


@pytest.mark.parametrize(
    ("posting", "expected"),
    [
        (
            GREENHOUSE,
            {
                **PAID,
                "company": "Cafe Uno",
                "location": "Detroit, MI",
                "url": "https://boards.example.com/cafe/jobs/7",
                "salary_max": 35000.5,
                "notes": "Cook & smile.\n\n- Fish\n\nTeam: Kitchen",
            },
        ),
        (
            LEVER,
            {
                **PAID,
                "company": "Cafe Uno",
                "location": "Detroit",
                "url": "https://jobs.example.com/cafe-uno/ff",
                "salary_period": "year",
                "remote_type": "hybrid",
                "notes": "Cook and smile.\n\nType: Full-time\nTeam: Kitchen\nPosted: 2026-09-21\n"
                "Company as named in the posting's address: Cafe Uno",
            },
        ),
        (
            ASHBY,
            {
                **PAID,
                "company": "CafeUno",
                "location": "Detroit",
                "url": "https://jobs.example.com/CafeUno/1",
                "salary_currency": "EUR",
                "remote_type": "remote",
                "notes": (
                    "Cook.\n\nPosted: 2026-10-01\nCompany as named in the "
                    "posting's address: CafeUno"
                ),
            },
        ),
        (SMART, {"company": "Cafe Uno", "location": "Detroit"}),
        (LD, {"company": "Cafe Uno"}),
    ],
    ids=["greenhouse", "lever", "ashby", "smartrecruiters", "json-ld"],
)
def test_a_job_boards_json_is_read_as_one_posting_or_a_list(
    posting: dict[str, Any], expected: dict[str, Any]
) -> None:
    expected = {"title": "Line Cook", "source": "import", **expected}
    other = {"company": "Noma", "title": "Chef"}

    (alone,) = read_jobs(encode(posting), "job.json").jobs
    assert alone == expected
    for wrapped in ([posting, other], {"jobs": [posting, other]}, {"data": [posting, other]}):
        found = read_jobs(encode(wrapped), "board.json")
        first, second = found.jobs
        assert ({**first, "status": None}, found.rejected) == ({**expected, "status": None}, [])
        assert (second["company"], second["title"]) == ("Noma", "Chef")


@pytest.mark.parametrize(
    "content",
    [b"[]", b"{}", b'{"jobs": []}', b"company,title\n", b"company,title\n,\n", b"[{}]", b"[[]]"],
)
def test_an_imported_file_without_a_job_is_refused(content: bytes) -> None:
    with pytest.raises(InputError):
        read_jobs(content, "jobs.json")


def test_a_row_with_unknown_columns_is_rejected_by_its_number() -> None:
    found = read_jobs(encode([{"id": "ff", "what": "Cook"}, {"title": "Cook"}]), "jobs.json")

    assert (found.jobs, found.rejected) == (
        [],
        [
            (1, "the row has no company and no title: fill in the cells"),
            (2, "the row has no company: fill in the cells"),
        ],
    )


NAMES = [name for names in boards.WORDS["names"].values() for name in names]
WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [*(name.rpartition(".")[2] for name in NAMES), "min", "max", "currency"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=EXAMPLES, deadline=None)
@example([{"lists": [], "absolute_url": None}])
@given(st.lists(st.dictionaries(st.sampled_from(NAMES), WILD, max_size=6), max_size=4))
def test_every_imported_item_becomes_a_job_or_a_rejected_row(items: list[Any]) -> None:
    filled = [item for item in items if any(value not in (None, "") for value in item.values())]
    try:
        found = read_jobs(encode(items), "jobs.json")
    except InputError as error:
        assert filled == [] or "valid JSON" in error.message or error.code == "SHEET_UNMAPPED"
        return
    assert len(found.jobs) + len(found.rejected) == len(filled)


async def test_an_imported_json_job_becomes_a_row(store: Store) -> None:
    job = {
        "title": "Cook",
        "company": "Noma",
        "url": "https://noma.example/1",
        "remote": "None",
        "salary": "40000",
        "location": {"city": "Copenhagen", "countryCode": "DK"},
        "qualifications": ["Knives", " - Fire "],
        "responsibilities": ["Cook"],
        "description": "Fine food.",
        "type": "Full-time",
        "skills": [{"name": "Kitchen", "keywords": ["fish", "meat"]}, {"name": "Order"}],
        "unknown": 1,
    }
    async with store.transaction("t1") as db:
        (fields,) = read_jobs(encode(job), "job.json").jobs
        row, is_new = await careers.save_job(db, ("t1", "u1"), fields)
        _, again = await careers.save_job(db, ("t1", "u1"), fields)
    assert (is_new, again) == (True, False)
    assert to_details(row) == {
        "job_id": 1,
        "company": "Noma",
        "title": "Cook",
        "status": "saved",
        "url": "https://noma.example/1",
        "location": "Copenhagen, DK",
        "remote_type": "onsite",
        "salary_min": 40000,
        "salary_max": 40000,
        "tags": "fish, meat, Order",
        "source": "import",
        "requirements": "Knives\nFire",
        "notes": "Fine food.\n\n- Cook\n\nType: Full-time",
    }


@needs_samples
async def test_the_published_sample_resume_and_job_are_imported_completely(store: Store) -> None:
    await keep(store, SAMPLES / "sample.resume.json", "r.json", parse_never)
    async with store.transaction("t1") as db:
        (fields,) = read_jobs((SAMPLES / "sample.job.json").read_bytes(), "j.json").jobs
        row, _ = await careers.save_job(db, ("t1", "u1"), fields)
        resume = await careers.load_resume(db, ("t1", "u1"))
    assert resume is not None
    assert resume["data"]["basics"]["name"] == "Richard Hendriks"
    assert (row["title"], row["company"], row["remote_type"]) == (
        "Web Developer",
        "Microsoft",
        "hybrid",
    )
    assert (row["salary_min"], row["location"]) == (100000, "Berlin, DE")


@pytest.mark.parametrize(
    ("written", "place", "workplace"),
    [
        ("Bodø (hybrid)", "Bodø", "hybrid"),
        ("Bodø, Norway (On-site)", "Bodø, Norway", "onsite"),
        ("Oslo (NO)", "Oslo (NO)", None),
        ("Oslo (Fornebu)", "Oslo (Fornebu)", None),
    ],
)
def test_a_workplace_in_brackets_behind_the_place_is_read(
    written: str, place: str, workplace: str | None
):
    found = from_text(f"Title: Cook\nCompany: Acme\nLocation: {written}\n")

    assert (found["location"], found["remote_type"]) == (place, workplace)
