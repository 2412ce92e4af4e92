"""What the server's own tests hold of every route, held of this pack's; and that all are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.server.settings import AuthSettings
from plainloop_memory.settings import MemorySettings
from tests.server.conftest import SECRET, serving
from tests.server.test_contract_answers import (
    UseRoutes,
    test_every_answer_matches_the_openapi_contract,
)
from tests.server.test_contract_fuzz import test_requests_generated_from_the_contract_cause_no_500
from tests.server.test_erasure import (
    MARKER,
    MarkRows,
    test_an_erased_user_is_in_no_column_of_any_table,
)
from tests.server.test_tenants import (
    KeepSecret,
    Owned,
    fill,
    served,
    test_no_route_answers_without_a_token,
    test_no_route_serves_another_tenants_data,
)
from tests.server.test_unknown_fields import test_every_body_refuses_unknown_fields

__all__ = [
    "fill",
    "served",
    "test_no_route_serves_another_tenants_data",
    "test_every_answer_matches_the_openapi_contract",
    "test_every_body_refuses_unknown_fields",
    "test_requests_generated_from_the_contract_cause_no_500",
    "test_no_route_answers_without_a_token",
    "test_an_erased_user_is_in_no_column_of_any_table",
]

HTTP_PAGE = (Path(__file__).parents[3] / "docs" / "routes.md").read_text(encoding="utf-8")
RESUME = b"# Ada Lovelace\n\nada@example.org\n\n## Experience\n\nCook at Cafe Uno, 2019-2022\n"


@pytest.fixture
def all_packs() -> tuple[str, ...]:
    return ("careers", "staff_onboarding")


@pytest.fixture
def keep_secret() -> KeepSecret:
    async def keep(client: httpx2.AsyncClient) -> Owned:
        job = {"company": "Secret Cafe", "title": "Cook"}
        letter = {"title": "Secret letter", "content": "Dear Secret Cafe"}
        return {
            "job_id": str((await client.post("/api/jobs", json=job)).json()["job_id"]),
            "document_id": str(
                (await client.post("/api/documents", json=letter)).json()["document_id"]
            ),
        }

    return keep


@pytest.fixture
def mark_rows() -> MarkRows:
    async def mark(client: httpx2.AsyncClient) -> None:
        await client.put("/api/profile", json={"content": f"# {MARKER}"})
        resume = f"# {MARKER}\n\nCook".encode()
        await client.post("/api/resume", files={"file": ("cv.md", resume)})
        letter = {"title": MARKER, "content": f"Dear {MARKER}"}
        await client.post("/api/documents", json=letter)

    return mark


@pytest.fixture
def use_routes() -> UseRoutes:
    async def use(client: httpx2.AsyncClient) -> None:
        await keep_jobs_and_documents(client)
        await keep_resume_and_profile(client)

    return use


async def keep_jobs_and_documents(client: httpx2.AsyncClient) -> None:
    whole = {
        "company": "Acme",
        "title": "Cook",
        "url": "https://jobs.example/1",
        "status": "applied",
        "salary_min": 1000,
        "tags": "a,b",
        "contact_name": "Bob",
        "job_fit": 4,
    }
    job = (await client.post("/api/jobs", json=whole)).json()["job_id"]
    await client.post("/api/jobs", json=whole)
    sheet = {"file": ("jobs.csv", b"company,title\nBeta,Chef\nGamma,\n", "text/csv")}
    await client.post("/api/jobs/import/preview", files=sheet)
    await client.post("/api/jobs/import", files=sheet)
    for path in ("", "?limit=1", "/stats", f"/{job}", ".csv"):
        await client.get(f"/api/jobs{path}")
    await client.patch(f"/api/jobs/{job}", json={"status": "offer"})
    await client.get(f"/api/jobs/{job}/statuses")
    for path in ("/api/contacts", "/api/companies"):
        await client.get(path)
    letter = {"title": "Letter", "content": "Dear Acme", "kind": "cover_letter", "job_id": job}
    made = (await client.post("/api/documents", json=letter)).json()["document_id"]
    one = f"/api/documents/{made}"
    await client.post(f"{one}/versions", json={"content": "Dear Acme, again"})
    for path in ("", "/versions", "/export?format=md", "/export?format=docx", "/export?format=pdf"):
        await client.get(one + path)
    await client.get("/api/documents")
    await client.get("/api/careers.zip")
    await client.delete(one)
    await client.delete(f"/api/jobs/{job}")


async def keep_resume_and_profile(client: httpx2.AsyncClient) -> None:
    await client.post("/api/resume", files={"file": ("cv.md", RESUME, "text/markdown")})
    parsed = (await client.post("/api/resume/parse")).json()
    await client.put("/api/resume", json={"version": parsed["version"], "data": parsed["data"]})
    await client.patch("/api/resume", json={"set": {"basics.name": "Ann Lee"}})
    await client.post("/api/resume/versions", json={"version": parsed["version"]})
    for path in ("/api/resume", "/api/resume/versions", "/api/profile", "/api/profile/interview"):
        await client.get(path)
    await client.delete("/api/resume")
    await client.put("/api/profile", json={"content": "# Ada"})
    await client.patch("/api/profile", json={"name": "Salary", "text": "90k"})


async def test_the_careers_pack_serves_exactly_the_listed_routes(
    settings: Settings, all_packs: tuple[str, ...]
):
    """As the service tells them, with every pack that is ours served, and the memory."""
    own = replace(
        settings.change(AuthSettings, jwt_secret=Secret(SECRET)),
        provider="offline",
        agent=replace(settings.agent, packs=all_packs),
        tables={**settings.tables, MemorySettings: MemorySettings(workers=("*",))},
    )
    async with serving(own) as replica:
        document = (await (await replica.client()).get("/openapi.json")).json()
    served_routes = {
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    }
    table = HTTP_PAGE.partition("# The routes")[2]
    listed = {
        (method, path)
        for methods, path in re.findall(r"((?:`[A-Z]+`, )*`[A-Z]+) (/[^`]*)`", table)
        for method in re.findall("[A-Z]+", methods)
    }
    pages = ("/", "/docs", "/usage", "/openapi.json", "/metrics", "/ws/chat", "/ws/onboarding")
    assert listed == served_routes | {("GET", path) for path in pages}
