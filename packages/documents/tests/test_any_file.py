"""Whatever is uploaded: it is read or refused in time, and no process stays behind.

AGENT_FUZZ_EXAMPLES sets how many (small by default).
"""

from __future__ import annotations

import os
import time

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from packages.documents.tests.children import list_children
from packages.documents.tests.mutations import broken_files
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.outbound.process import run_child
from plainloop_documents.reading.files import PAGE_JOB, REASONS, read_file

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "5"))
SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
LIMITS = Limits(upload_parse_s=5.0)
fuzzed = hypothesis_settings(
    max_examples=EXAMPLES * 4, deadline=None, suppress_health_check=SLOW_IS_FINE
)


@fuzzed
@given(broken_files())
async def test_any_file_is_read_or_refused_in_time(content: bytes):
    before, began = list_children(), time.monotonic()
    try:
        assert (await read_file(content, "cv", LIMITS)).format in ("pdf", "docx", "text")
    except InputError as error:
        assert error.code.startswith("FILE_")
    assert time.monotonic() - began < LIMITS.upload_parse_s + 15
    assert list_children() <= before


@fuzzed
@given(broken_files())
async def test_any_page_is_read_or_refused_in_time(content: bytes):
    before = list_children()
    page = await run_child(PAGE_JOB, content, timeout_s=5, charset=None)

    assert page.get("error") in (None, *REASONS)
    assert list_children() <= before
