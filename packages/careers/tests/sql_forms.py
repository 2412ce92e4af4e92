"""The pack's statements with gaps, in every form that is ever sent: for `tests/core`."""

from __future__ import annotations

from collections.abc import Callable

from plainloop_careers.jobs.pages import SORTS, build_page_sql

FORMS: dict[str, Callable[[], list[str]]] = {
    "load_job_page": lambda: [
        build_page_sql(sort, descending=descending)
        for sort in SORTS
        for descending in (True, False)
    ]
}
