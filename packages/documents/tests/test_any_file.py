"""Whatever is uploaded: it is read or refused in time, and no process stays behind.

AGENT_FUZZ_EXAMPLES sets how many (small by default).
"""

from __future__ import annotations

import asyncio
import os

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from packages.documents.tests.children import list_children
from packages.documents.tests.mutations import broken_files
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop_documents.process import run_child
from plainloop_documents.reading.files import PAGE_JOB, REASONS, read_file

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "5"))
SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
LIMITS = Limits(upload_parse_s=5.0)
HANGS_AFTER_S = 60  # a slow machine needs longer than the limit for a process's start and end
fuzzed = hypothesis_settings(
    max_examples=EXAMPLES * 4, deadline=None, suppress_health_check=SLOW_IS_FINE
)


@fuzzed
@given(broken_files())
async def test_any_file_is_read_or_refused_within_the_time_limit(content: bytes):
    before = list_children()
    try:
        async with asyncio.timeout(HANGS_AFTER_S):
            read = await read_file(content, "cv", LIMITS)
        assert read.format in ("pdf", "docx", "text")
    except InputError as error:
        assert error.code.startswith("FILE_")
    assert list_children() <= before


@fuzzed
@given(broken_files())
async def test_any_page_is_read_or_refused_within_the_time_limit(content: bytes):
    before = list_children()
    page = await run_child(PAGE_JOB, content, timeout_s=5, charset=None)

    assert page.get("error") in (None, *REASONS)
    assert list_children() <= before
