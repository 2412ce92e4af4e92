"""Résumé, documents and profile over HTTP, on a real socket."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from typing import Any

import docx
import httpx2
import pypdf
import pytest

from packages.documents.tests.samples import LINES, fill_resume, make_docx, make_pdf
from tests.server.conftest import Served

DATA: dict[str, Any] = {"basics": {"name": "Ann Lee"}, "work": [{"name": "Acme"}]}


async def upload(client: httpx2.AsyncClient, content: bytes, name: str = "cv") -> httpx2.Response:
    return await client.post("/api/resume", files={"file": (name, content)})


async def test_an_uploaded_pdf_resume_is_parsed_and_readable(ann: httpx2.AsyncClient):
    sent = await upload(ann, make_pdf(*LINES), "cv.pdf")
    before = (await ann.get("/api/resume")).json()
    parsed = await ann.post("/api/resume/parse", json={})
    after = (await ann.get("/api/resume")).json()

    assert (sent.status_code, sent.json()) == (
        201,
        {
            "version": 1,
            "name": "cv.pdf",
            "format": "pdf",
            "characters": len("\n".join(LINES)),
            "is_parsed": False,
            "please_check": [],
            "replaces_correction": None,
        },
    )
    assert (before["data"], before["raw_text"]) == (None, "\n".join(LINES))
    assert parsed.json() == after
    assert after["data"]["basics"]["name"] == "Richard Hendriks"
    assert after["data"]["work"][0]["name"] == "Pied Piper"


async def test_parsing_an_uploaded_text_that_is_no_resume_is_refused(ann: httpx2.AsyncClient):
    await upload(ann, b"12345 67890\n", "cv.txt")
    parsed = await ann.post("/api/resume/parse", json={})

    stored = (await ann.get("/api/resume")).json()
    error = parsed.json()["error"]
    assert (parsed.status_code, error["code"]) == (422, "RESUME_UNREAD")
    assert error["message"] == (
        "version 1 of the résumé could not be parsed: "
        "the text contains no name and no work experience"
    )
    assert "fill in the fields by hand" in error["hint"]
    assert (stored["data"], stored["raw_text"]) == (None, "12345 67890\n")


async def test_an_upload_is_503_if_no_reader_process_can_start(
    ann: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/nowhere/python")
        sent = await upload(ann, make_pdf(*LINES), "cv.pdf")

    assert (sent.status_code, sent.json()["error"]["code"]) == (503, "READER_UNAVAILABLE")
    assert "Your file is not the cause" in sent.json()["error"]["hint"]
    assert sent.headers["retry-after"] == "60"
    assert (await upload(ann, make_pdf(*LINES), "cv.pdf")).status_code == 201


async def test_uploaded_word_and_json_resumes_are_parsed(ann: httpx2.AsyncClient):
    word = (await upload(ann, make_docx(fill_resume), "cv.docx")).json()
    plain = (await upload(ann, json.dumps(DATA).encode(), "cv.json")).json()

    assert (word["format"], word["is_parsed"]) == ("docx", False)
    assert (plain["version"], plain["format"], plain["is_parsed"]) == (2, "json", True)
    assert (await ann.get("/api/resume")).json()["data"] == DATA


async def test_a_resume_can_be_uploaded_as_the_raw_body(ann: httpx2.AsyncClient):
    answer = await ann.post(
        "/api/resume?filename=cv.md", content=b"# Ann", headers={"content-type": "text/markdown"}
    )

    assert (answer.status_code, answer.json()["format"]) == (201, "markdown")


NO_RESUMES: list[tuple[bytes, int, str]] = [
    (b"\xff\xfe\x00\x00", 400, "FILE_EMPTY"),
    (b"\x89PNG\r\n\x1a\n", 415, "FILE_UNSUPPORTED"),
    (make_pdf("x", pages=51), 413, "FILE_TOO_LONG"),
    (b"x" * 60_001, 413, "FILE_TOO_LONG"),
    (b'{"basics": ', 400, "INVALID_INPUT"),
]


async def test_an_uploaded_file_that_is_no_resume_is_refused(ann: httpx2.AsyncClient):
    """Without a résumé there is nothing to read, parse or correct."""
    for content, status, code in NO_RESUMES:
        answer = await upload(ann, content)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    for body, status in WRONG_DOCUMENTS:
        assert (await ann.post("/api/documents", json=body)).status_code == status, body
    assert (await ann.get("/api/resume")).status_code == 404
    assert (await ann.post("/api/resume/parse", json={})).status_code == 404
    assert (await ann.put("/api/resume", json={"data": DATA})).status_code == 404
    assert (await ann.get("/api/resume", params={"version": 9})).status_code == 404
    assert (await ann.delete("/api/resume")).status_code == 204


async def test_a_corrected_resume_version_is_never_overwritten_by_a_parser(ann: httpx2.AsyncClient):
    await upload(ann, make_pdf(*LINES), "cv.pdf")
    await ann.post("/api/resume/parse", json={})
    corrected = (await ann.put("/api/resume", json={"data": DATA})).json()
    refused = await ann.post("/api/resume/parse", json={})
    earlier = await ann.post("/api/resume/parse", json={"version": 1})
    newest = (await ann.get("/api/resume")).json()
    again = (await upload(ann, make_pdf(*LINES), "cv.pdf")).json()
    versions = (await ann.get("/api/resume/versions")).json()["versions"]

    assert (corrected["version"], corrected["data"], corrected["is_corrected"]) == (2, DATA, True)
    assert corrected["raw_text"] == "\n".join(LINES)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "RESUME_CORRECTED")
    assert (earlier.status_code, newest["data"]) == (200, DATA)
    assert again["replaces_correction"] == 2
    assert [(item["version"], item["is_corrected"]) for item in versions] == [
        (3, False),
        (2, True),
        (1, False),
    ]


async def test_an_older_resume_version_can_be_used_again(served: Served):
    ann, bob = await served.client("ann"), await served.client("bob")
    await upload(ann, make_pdf(*LINES), "cv.pdf")
    await ann.post("/api/resume/parse", json={})
    await ann.put("/api/resume", json={"data": DATA})
    first = (await ann.get("/api/resume", params={"version": 1})).json()

    used = await ann.post("/api/resume/versions", json={"version": 1})
    again = (await ann.post("/api/resume/versions", json={"version": 2})).json()

    assert used.status_code == 201
    kept = ("name", "format", "raw_text", "data", "is_corrected", "checks")
    assert {key: used.json()[key] for key in kept} == {key: first[key] for key in kept}
    assert used.json()["version"] == 3
    assert (again["version"], again["data"], again["is_corrected"]) == (4, DATA, True)
    for client, version in ((ann, 9), (bob, 1)):
        refused = await client.post("/api/resume/versions", json={"version": version})
        assert refused.status_code == 404
    assert (await ann.get("/api/resume")).json() == again
    await upload(bob, make_pdf(*LINES), "cv.pdf")
    for client, same in ((ann, {4: 2, 3: 1, 2: None, 1: None}), (bob, {1: None})):
        versions = (await client.get("/api/resume/versions")).json()["versions"]
        assert {item["version"]: item["same_as"] for item in versions} == same


async def test_a_correction_of_the_wrong_shape_is_refused(ann: httpx2.AsyncClient):
    await upload(ann, json.dumps(DATA).encode())
    wrong = [{"data": {}}, {"data": {"work": 7}}, {"data": [1]}, {}, {"data": DATA, "version": 0}]
    for body in wrong:
        assert (await ann.put("/api/resume", json=body)).status_code in (400, 422), body
    assert (await ann.get("/api/resume")).json()["version"] == 1


LETTER = "Dear Hiring Manager,\n\nI worked at Acme and at Globex.\n\nSincerely,\nAnn Lee"


async def test_a_letter_is_kept_in_versions_checked_and_exported(ann: httpx2.AsyncClient):
    await upload(ann, json.dumps(DATA).encode())
    await ann.post("/api/jobs", json={"company": "Beta", "title": "Cook"})
    body = {"title": "My letter", "content": LETTER, "kind": "cover_letter", "job_id": 1}
    made = (await ann.post("/api/documents", json=body)).json()
    second = await ann.post("/api/documents/1/versions", json={"content": "Dear Beta,\n\nHello."})
    versions = (await ann.get("/api/documents/1/versions")).json()["versions"]
    first = (await ann.get("/api/documents/1", params={"version": 1})).json()
    pdf = await ann.get("/api/documents/1/export", params={"version": 1})
    word = await ann.get("/api/documents/1/export", params={"format": "docx"})
    plain = await ann.get("/api/documents/1/export", params={"format": "md", "version": 1})

    assert (made["document_id"], made["version"], made["company"]) == (1, 1, "Beta")
    assert len(made["problems"]) == 1
    assert "Globex" in made["problems"][0]
    assert any("resume.work[0].name" in item["sources"] for item in made["sources"])
    assert (second.status_code, second.json()["version"]) == (201, 2)
    assert [item["version"] for item in versions] == [2, 1]
    assert {**first, "latest_version": 1} == made
    assert "I worked at Acme" in pypdf.PdfReader(io.BytesIO(pdf.content)).pages[0].extract_text()
    assert pdf.headers["content-type"] == "application/pdf"
    assert "my-letter-v1.pdf" in pdf.headers["content-disposition"]
    assert docx.Document(io.BytesIO(word.content)).paragraphs[0].text == "Dear Beta,"
    assert plain.text == LETTER + "\n"


async def test_documents_are_listed_in_pages_and_deleted(ann: httpx2.AsyncClient):
    for number in range(5):
        body = {"title": f"Note {number}", "content": "text"}
        assert (await ann.post("/api/documents", json=body)).status_code == 201
    seen: list[int] = []
    query: dict[str, Any] = {"limit": 2, "kind": "other"}
    while query.get("cursor", "") is not None:
        page = (await ann.get("/api/documents", params=query)).json()
        seen += [item["document_id"] for item in page["documents"]]
        query["cursor"] = page["next_cursor"]

    assert seen == [5, 4, 3, 2, 1]
    assert (await ann.get("/api/documents", params={"job_id": 1})).json()["documents"] == []
    assert (await ann.get("/api/documents", params={"cursor": "x"})).status_code == 400
    assert (await ann.delete("/api/documents/3")).status_code == 204
    for path in ("", "/versions", "/export"):
        assert (await ann.get(f"/api/documents/3{path}")).status_code == 404
    assert (await ann.delete("/api/documents/3")).status_code == 404
    gone = await ann.post("/api/documents/3/versions", json={"content": "x"})
    assert gone.status_code == 404


WRONG_DOCUMENTS: list[tuple[dict[str, Any], int]] = [
    ({"title": "x", "content": " \n"}, 400),
    ({"title": "", "content": "x"}, 422),
    ({"title": "x", "content": "x", "job_id": 9}, 404),
    ({"title": "x", "content": "x", "kind": "poem"}, 422),
]


async def test_replacing_the_profile_cannot_mark_it_onboarded(ann: httpx2.AsyncClient):
    empty = (await ann.get("/api/profile")).json()
    text = "---\nonboarded: true\n---\n# Ann\x00"
    saved = (await ann.put("/api/profile", json={"content": text})).json()

    assert empty == {"content": "", "sections": [], "onboarded": False, "updated_at": None}
    assert (saved["content"], saved["onboarded"]) == ("# Ann", False)
    assert (await ann.put("/api/profile", json={"content": "x" * 20_001})).status_code == 422
    windows = await ann.put("/api/profile", json={"content": text.replace("\n", "\r\n")})
    assert windows.json()["content"] == "# Ann"


async def test_saving_a_version_returns_it_even_if_a_newer_one_was_saved(ann: httpx2.AsyncClient):
    body = {"title": "Letter", "kind": "other", "content": "0"}
    created = (await ann.post("/api/documents", json=body)).json()
    place = f"/api/documents/{created['document_id']}/versions"
    saved = await asyncio.gather(
        *(ann.post(place, json={"content": str(number)}) for number in range(1, 9))
    )

    assert [answer.json()["content"] for answer in saved] == [str(n) for n in range(1, 9)]
    assert sorted(answer.json()["version"] for answer in saved) == [*range(2, 10)]


@pytest.mark.parametrize("extra", ['{"a":' * 300 + "1" + "}" * 300, "1" + "0" * 30])
async def test_a_resume_that_cannot_be_stored_is_refused(ann: httpx2.AsyncClient, extra: str):
    content = f'{{"basics": {{"name": "Ann Lee"}}, "meta": {{"x": {extra}}}}}'.encode()
    refused = await ann.post("/api/resume", files={"file": ("cv.json", content)})
    assert refused.status_code == 400, refused.text
    assert "number that is too large" in refused.json()["error"]["message"]


async def test_a_resume_with_an_endless_number_is_refused_and_nan_left_out(ann: httpx2.AsyncClient):
    for extra, status in (("1" * 5_000, 400), ("NaN", 201)):
        content = f'{{"basics": {{"name": "Ann Lee"}}, "meta": {{"x": {extra}}}}}'.encode()
        answer = await ann.post("/api/resume", files={"file": ("cv.json", content)})
        assert answer.status_code == status, answer.text
