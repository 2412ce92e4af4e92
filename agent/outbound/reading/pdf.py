"""A PDF's text. Runs in the child."""

from __future__ import annotations

import io
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from .refusal import MAX_TEXT_CHARS, Refusal, to_result


def read(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Raises: Refusal `encrypted`, `too_many_pages`, `too_large`, `no_text`; pypdf's own errors."""
    reader = PdfReader(io.BytesIO(content))
    try:
        # Many files are protected against changes only and open with the empty password.
        if reader.is_encrypted and not reader.decrypt(""):
            raise Refusal("encrypted")
    except (DependencyError, NotImplementedError) as error:
        raise Refusal("encrypted") from error
    pages = len(reader.pages)
    if pages > options["max_pages"]:
        raise Refusal("too_many_pages")
    texts: list[str] = []
    chars = 0
    for page in reader.pages:
        texts.append(page.extract_text() or "")
        if not texts[-1]:
            _check_contents(page)
        chars += len(texts[-1])
        if chars > MAX_TEXT_CHARS:
            raise Refusal("too_large")
    return to_result("\n\n".join(texts), pages)


def _check_contents(page: PageObject) -> None:
    """A page too large to unpack has no text for pypdf, which is not the same as a picture.

    Raises: Refusal `too_large`.
    """
    try:
        contents = page.get_contents()
        if contents is not None:
            contents.get_data()
    except LimitReachedError as error:
        raise Refusal("too_large") from error
    except (PyPdfError, ValueError):
        return
