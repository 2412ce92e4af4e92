"""`GET /api/careers.zip`: all that an erasure removes from the pack's tables, as files."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import httpx2

RESUME = {"basics": {"name": "Ada Lovelace", "email": "ada@example.org"}}


async def test_all_that_the_pack_keeps_is_saved_as_files(ann: httpx2.AsyncClient, served: Any):
    contact = {"contact_name": "Jo", "contact_email": "jo@uno.example"}
    await ann.post("/api/jobs", json={"company": "Café Uno", "title": "Cook", **contact})
    await ann.put("/api/profile", json={"content": "## Salary\n\n90k"})
    for text in ("Ann\nCook at Alpha", "Ann\nChef at Beta"):
        file = {"file": ("cv.txt", text.encode(), "text/plain")}
        assert (await ann.post("/api/resume", files=file)).status_code < 300
    letter = {"title": "Letter to Uno", "content": "Dear Uno,", "kind": "other"}
    made = (await ann.post("/api/documents", json=letter)).json()["document_id"]
    newer = {"content": "Dear team at Uno,"}
    assert (await ann.post(f"/api/documents/{made}/versions", json=newer)).status_code < 300
    bob = await served.client("bob")
    await bob.post("/api/jobs", json={"company": "Bob's Bar", "title": "Waiter"})

    answer = await ann.get("/api/careers.zip")

    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as saved:
        files = {name: saved.read(name).decode("utf-8-sig") for name in saved.namelist()}
    assert "Café Uno" in files["jobs.csv"]
    assert files["profile.md"] == "## Salary\n\n90k"
    assert [row["email"] for row in json.loads(files["contacts.json"])] == ["jo@uno.example"]
    assert [row["name"] for row in json.loads(files["companies.json"])] == ["Café Uno"]
    assert [files[f"resume/version {n}.txt"] for n in (1, 2)] == [
        "Ann\nCook at Alpha",
        "Ann\nChef at Beta",
    ]
    letters = {name: text for name, text in files.items() if name.startswith("letters/")}
    assert letters == {
        f"letters/{made}-letter-to-uno-v1.md": "Dear Uno,",
        f"letters/{made}-letter-to-uno-v2.md": "Dear team at Uno,",
    }
    assert not any("Bob" in text for text in files.values())


async def test_a_structured_resume_is_saved_as_json(ann: httpx2.AsyncClient):
    file = {"file": ("cv.json", json.dumps(RESUME).encode(), "application/json")}
    assert (await ann.post("/api/resume", files=file)).status_code < 300

    answer = await ann.get("/api/careers.zip")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as saved:
        assert json.loads(saved.read("resume/version 1.json"))["basics"] == RESUME["basics"]


async def test_a_user_without_data_saves_empty_files(ann: httpx2.AsyncClient):
    answer = await ann.get("/api/careers.zip")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as saved:
        assert saved.namelist() == ["jobs.csv", "contacts.json", "companies.json", "profile.md"]
        assert json.loads(saved.read("contacts.json")) == []
