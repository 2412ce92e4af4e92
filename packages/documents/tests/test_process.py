"""The children that read and write files: whose turn it is, and what they may take."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from typing import Any

import pytest

from packages.documents.tests.children import list_children
from packages.documents.tests.samples import make_pdf_bomb
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import TooManyRequests
from plainloop_documents import process
from plainloop_documents.reading.files import DOCUMENT_JOB, PAGE_JOB, read_file

LIMITS = Limits()
NEVER = ("t1", "greedy")


async def read_bomb(owner: process.Owner) -> dict[str, Any]:
    """Takes until it is cancelled."""
    bomb = make_pdf_bomb()
    options = {"max_pages": 50, "name": "cv"}
    return await process.run_child(DOCUMENT_JOB, bomb, timeout_s=60, owner=owner, **options)


async def test_one_users_many_files_do_not_delay_other_users():
    before = list_children()
    greedy = [asyncio.create_task(read_bomb(NEVER)) for _ in range(20)]
    while len(list_children() - before) < process.PER_USER:
        await asyncio.sleep(0.01)
    try:
        # Another of the same tenant, and another tenant: each has a place at once.
        for owner in (("t1", "ann"), ("t2", "bob")):
            file = await asyncio.wait_for(read_file(b"some words", "a.txt", LIMITS, owner), 30)
            assert file.text == "some words"
        assert len(list_children() - before) <= process.PER_USER
        assert not any(task.done() for task in greedy)
    finally:
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
    assert list_children() <= before


async def test_one_tenants_users_cannot_occupy_all_reader_slots():
    before = list_children()
    users = [asyncio.create_task(read_bomb(("t1", f"u{i}"))) for i in range(8)]
    while len(list_children() - before) < process.PER_TENANT:
        await asyncio.sleep(0.01)
    try:
        file = await asyncio.wait_for(read_file(b"words", "a.txt", LIMITS, ("t2", "bob")), 30)
        assert file.text == "words"
    finally:
        for task in users:
            task.cancel()
        await asyncio.gather(*users, return_exceptions=True)


async def test_a_user_with_too_many_queued_files_gets_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "MAX_WAITING", 3)
    tasks = [asyncio.create_task(read_file(b"words", "a.txt", LIMITS, NEVER)) for _ in range(5)]

    results = await asyncio.gather(*tasks, return_exceptions=True)

    assert [isinstance(result, TooManyRequests) for result in results].count(True) == 2


async def test_the_reader_process_reads_an_open_file_from_its_start():
    with tempfile.TemporaryFile() as file:
        file.write(b"first words")

        assert (await read_file(file, "a.txt", LIMITS)).text == "first words"
        assert (await read_file(file, "a.txt", LIMITS)).text == "first words"


async def test_a_reader_process_with_too_much_output_is_killed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1_000)
    answer = await process.run_child(
        DOCUMENT_JOB, b"word " * 1_000, timeout_s=20, max_pages=1, name="a.txt"
    )

    assert answer == {"error": "too_large"}


@pytest.mark.parametrize("job", [DOCUMENT_JOB, PAGE_JOB])
def test_a_reader_process_does_not_load_the_event_loop(job: str):
    """To load it takes as long as the rest of the start."""
    loaded = f"import sys, {job}, plainloop_documents.child; print('asyncio' in sys.modules)"
    command = (sys.executable, "-I", "-c", loaded)
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"
