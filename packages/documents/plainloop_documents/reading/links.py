"""Addresses behind words of a document, which its text does not show. Runs in the child."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1

from plainloop.agent.base.text.foreign_json import as_object, to_list

MAX_LINKS: Final = 100  # of a document, or of a page of a PDF
_ADDRESS: Final = re.compile(r"(?i)(?:https?://|mailto:)[^\s<>\"\x00-\x1f]{3,300}")
_BEFORE: Final = re.compile(r"(?i)^(?:https?://(?:www\.)?|mailto:)")


def add_addresses(lines: list[tuple[str, list[str]]]) -> list[str]:
    """Add to each line the addresses that it links to, unless they are shown in the text.

    Each is added once. What links to a place in the document, or to a file, is left out.

    >>> add_addresses([("Site", ["https://ann.io"]), ("a@ann.io", ["mailto:a@ann.io"])])
    ['Site (https://ann.io)', 'a@ann.io']
    """
    text = "".join("".join(line.split()) for line, _ in lines).casefold()
    known, made = set[str](), list[str]()
    for line, links in lines:
        added: list[str] = []
        for link in links:
            key = re.split(r"[?#]", _BEFORE.sub("", link.casefold()))[0].rstrip("/")
            if len(known) < MAX_LINKS and key not in known and _ADDRESS.fullmatch(link):
                known.add(key)
                is_mail = link.casefold().startswith("mailto:")
                is_shown = key in text.replace("@" + key, "")  # not as the end of an e-mail's
                added += [] if is_shown else [link[7:].split("?")[0] if is_mail else link]
        made.append(f"{line} ({', '.join(added)})".lstrip() if added else line)
    return made


def iter_links(page: PDFPage) -> Iterator[tuple[float, float, float, str]]:
    """Yield (left, right, height, address) of each link on a PDF's page."""
    for item in to_list(resolve1(page.annots))[:MAX_LINKS]:
        annotation = as_object(resolve1(item))
        address: Any = resolve1(as_object(resolve1(annotation.get("A"))).get("URI"))
        box = [resolve1(it) for it in to_list(resolve1(annotation.get("Rect")))]
        numbers = [float(it) for it in box if isinstance(it, int | float)]
        if isinstance(address, bytes) and len(numbers) == 4:
            left, bottom, right, top = numbers
            x, y = page.mediabox[:2]
            yield left - x, right - x, (bottom + top) / 2 - y, address.decode("utf-8", "replace")
