"""HTML pages: Jinja2 with autoescape, one shell (`page.html`) and one style sheet (`style.css`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def make_pages(
    folder: Path, filters: Mapping[str, Callable[..., Any]] | None = None
) -> Environment:
    """Build a Jinja environment for a folder's templates and the shared `page.html`.

    A page has no script and loads nothing unless its template adds them: see the blocks of
    `page.html`. filters: by the name that templates use. An undefined name raises.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # most starts make no page

    pages = Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # jinja2 does not say what its filters are.
    pages.filters.update(filters or {})  # pyright: ignore[reportUnknownMemberType]
    return pages
