"""Whatever a user sends at its limit, the loop that serves everybody else goes on.

`AGENT_TEST_CASES=all` uploads every kind of file to every path.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from packages.documents.tests.bombs import fill_body
from packages.documents.tests.children import list_children
from packages.documents.tests.samples import make_placed_pdf
from plainloop.agent.config.settings import Limits
from plainloop.server.observe.collector import tune_collector
from tests.drawing import IS_WHOLE

LIMITS = Limits()
MAX_PAUSE_S = 0.1
LINE = "A line of the handbook that says something about the desk.\n"
WORDS = "Led the migration of the billing platform to Kubernetes with 12 engineers in 2019. "


@dataclass
class Pauses:
    """How long the loop was busy at a stretch, in processor time: other work counts for nothing."""

    longest_s: float = 0.0
    where: str = ""
    now: str = field(default="", repr=False)


@contextmanager
def served_collector() -> Iterator[None]:
    """As `plainloop start` sets it: a full collection of all that thousands of tests left behind
    would be a pause of ours.
    """
    thresholds = gc.get_threshold()
    tune_collector()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@asynccontextmanager
async def watch() -> AsyncGenerator[Pauses]:
    pauses = Pauses()

    async def look() -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.005)
            busy_s = time.thread_time() - before
            if busy_s > pauses.longest_s:
                pauses.longest_s, pauses.where = busy_s, pauses.now

    with served_collector():
        task = asyncio.create_task(look())
        try:
            yield pauses
        finally:
            task.cancel()


def make_resume(size_bytes: int) -> dict[str, Any]:
    """JSON Resume of that size, all of it facts."""
    lines = [f"{WORDS}{i}" for i in range(size_bytes // (len(WORDS) + 12))]
    return {"basics": {"name": "Ann Lee"}, "work": [{"name": "Acme", "highlights": lines}]}


SHEET = ("company,title,notes\n" + "Acme,Cook,A fine place to work at\n" * 4_990)[:1_999_000]
FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "lines": ("a.txt", lambda: (LINE * 200_000).encode()[: LIMITS.upload_bytes]),
    "one line": ("a.txt", lambda: b"word " * (LIMITS.upload_bytes // 5)),
    "headings": ("a.md", lambda: b"# Desk\n" * 200_000),
    "paragraphs": ("a.docx", lambda: fill_body(b"<w:p/>" * 800_000)),
    "brackets": ("a.json", lambda: b"[" * 1_900_000),
    "json": ("a.json", lambda: b'[{"company":"Acme","title":"Cook"},' * 50_000 + b"{}]"),
    "sheet": ("a.csv", SHEET.encode),
    "pdf": (
        "a.pdf",
        lambda: make_placed_pdf(*((10, y, WORDS) for y in range(10, 270, 2)), (150, 15, "2019")),
    ),
}
UPLOADS = ("/api/resume", "/api/jobs/import", "/api/jobs/import/preview", "/api/knowledge")
BODIES: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
    ("PUT", "/api/resume"): lambda: {"data": make_resume(190_000)},
    ("PATCH", "/api/resume"): lambda: {"set": {"work[0].summary": WORDS * 1_000}},
    ("POST", "/api/documents"): lambda: {
        "title": "Letter",
        "kind": "cover_letter",
        "content": ("Dear team,\n\n" + WORDS * 1_300)[:100_000],
    },
    ("PUT", "/api/profile"): lambda: {"content": "# a\n- b: c\n" * 1_600},
    ("PATCH", "/api/profile"): lambda: {"name": "Salary", "text": "# a\n" * 500},
    ("POST", "/api/jobs"): lambda: {
        "company": "Acme",
        "title": "Cook",
        "notes": (WORDS * 1_300)[:100_000],
        "requirements": (WORDS * 1_300)[:100_000],
    },
    ("PATCH", "/api/jobs/{job_id}"): lambda: {"notes": (WORDS * 1_300)[:100_000]},
    ("POST", "/api/documents/{document_id}/versions"): lambda: {
        "content": ("Dear team,\n\n" + WORDS * 1_300)[:100_000]
    },
}
SMALL = {("POST", "/api/resume/parse"), ("POST", "/api/resume/versions")}  # a number


def list_uploads() -> list[tuple[str, str]]:
    """Half of the pairs: each path with four kinds of file, each kind at two of the paths. All of
    them with AGENT_TEST_CASES=all."""
    return [
        (path, kind)
        for i, path in enumerate(UPLOADS)
        for n, kind in enumerate(FILES)
        if IS_WHOLE or (i + n) % 2
    ]


async def test_the_event_loop_tests_cover_every_route_of_the_packs(serve: Any) -> None:
    served = await serve(packs=("careers", "staff_onboarding"))
    routes = [route for pack in served.service.packs for route in pack.list_routes()]

    assert {route.path for route in routes if route.upload} == set(UPLOADS)
    bodies = {(route.method, route.path) for route in routes if route.body is not None}
    assert bodies - SMALL == set(BODIES)
    assert {kind for _, kind in list_uploads()} == set(FILES)
    assert {path for path, _ in list_uploads()} == set(UPLOADS)


async def test_input_at_its_size_limit_does_not_block_the_event_loop(serve: Any) -> None:
    served = await serve(auth=False, packs=("careers", "staff_onboarding"), upload_parse_s=20.0)
    client = await served.client()
    files = {kind: (name, make()) for kind, (name, make) in FILES.items()}
    bodies = {key: make() for key, make in BODIES.items()}

    async with watch() as pauses:
        for path, kind in list_uploads():
            pauses.now = f"{path}: {kind}"
            name, content = files[kind]
            answer = await client.post(path, content=content, params={"filename": name})
            assert answer.status_code < 500, (path, kind, answer.text)
        for (method, path), body in bodies.items():
            pauses.now = f"{method} {path}"
            at = path.format(job_id=1, document_id=1)
            answer = await client.request(method, at, json=body, timeout=60)
            assert answer.status_code < 500, (method, path, answer.text)
        for format_ in ("pdf", "docx"):
            pauses.now = f"export as {format_}"
            answer = await client.get("/api/documents/1/export", params={"format": format_})
            assert answer.status_code < 500, answer.text

    assert pauses.longest_s <= MAX_PAUSE_S, pauses


async def test_an_abandoned_export_leaves_no_process_behind(serve: Any) -> None:
    served = await serve(auth=False)
    client = await served.client()
    content = "Dear team,\n\n" + "word **bold** word\n\n" * 4_000
    body = {"title": "Letter", "content": content[:100_000]}
    made = (await client.post("/api/documents", json=body)).json()
    path = f"/api/documents/{made['document_id']}/export?format=docx"
    before = list_children()

    tasks = [asyncio.create_task(client.get(path)) for _ in range(12)]
    while not list_children() - before:
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    deadline = time.monotonic() + 10
    while list_children() - before and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    assert list_children() <= before
