"""A web page as a model sees it: its readable text, and the data that it carries."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError, OutboundFailed
from plainloop.agent.outbound.addresses import parse_allow_list
from plainloop.agent.outbound.client import Fetched, OutboundRequest, fetch
from plainloop_documents.process import Owner, run_child

from ..reading.document import LOOKS_LIKE_HTML
from ..reading.files import PAGE_JOB, make_refusal, read_file

ACCEPT: Final = "text/html,application/xhtml+xml,text/plain;q=0.8,application/pdf;q=0.5,*/*;q=0.1"
# Why a site did not give a page. 999 is LinkedIn's.
_REASONS: Final = {
    **dict.fromkeys(
        (401, 403, 407, 429, 451, 999),
        ": it does not allow programs to read this page; paste its text instead",
    ),
    **dict.fromkeys((404, 410), ": the page does not exist (any more)"),
}
_HTML: Final = frozenset({"text/html", "application/xhtml+xml", "application/xml", "text/xml"})
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
ReadItem = Callable[[dict[str, Any], str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Page:
    """Holds the text and data of a web page that was read.

    url: where it was in the end. items: what its data says.
    """

    url: str
    title: str
    text: str
    items: tuple[dict[str, Any], ...]
    is_cut: bool  # only its beginning was read


async def read_page(
    url: str, settings: Settings, owner: Owner, item_type: str, read_item: ReadItem
) -> Page:
    """Fetch a web page, if its address is allowed; return its text and its items of a type.

    read_item: makes something of each item of that type, and the page's URL; {} leaves it out.

    Raises: OutboundRefused, OutboundFailed (also for a status other than 2xx), InputError when it
    is no page that can be read.
    """
    limits = settings.limits
    answer = await fetch(
        OutboundRequest(
            url.strip(),
            headers={"accept": ACCEPT, "accept-language": "en,*;q=0.5"},
            max_bytes=limits.fetch_bytes,
            timeout_s=limits.fetch_timeout_s,
        ),
        parse_allow_list(settings.outbound_allow),
    )
    if not 200 <= answer.status < 300:
        raise OutboundFailed(
            f"the site answered with {answer.status}{_REASONS.get(answer.status, '')}",
            hint="Paste the page's text instead.",
        )
    if not answer.content.strip():
        raise OutboundFailed("the page is empty", hint="Paste the page's text instead.")
    if answer.media_type in _HTML or (
        answer.media_type in ("", "text/plain") and LOOKS_LIKE_HTML.match(answer.content)
    ):
        return await _read_html(answer, settings, owner, item_type, read_item)
    if answer.is_cut and not answer.media_type.startswith("text/"):
        raise OutboundFailed(
            f"the file is larger than {limits.fetch_bytes:,} bytes",
            hint="Download the file and send a part of it.",
        )
    file = await read_file(answer.content, "the page", limits, owner)
    return Page(answer.url, "", file.text, (), answer.is_cut)


async def _read_html(
    answer: Fetched, settings: Settings, owner: Owner, item_type: str, read_item: ReadItem
) -> Page:
    """Parse a fetched HTML page in a child process to its title, text and items."""
    charset = _CHARSET.search(answer.headers.get("content-type", ""))
    result = await run_child(
        PAGE_JOB,
        answer.content,
        timeout_s=settings.limits.upload_parse_s,
        owner=owner,
        charset=charset[1] if charset else None,
        item_type=item_type,
    )
    if "error" in result:
        raise make_refusal("the page", result, settings.limits)
    items = tuple(filter(None, (read_item(item, answer.url) for item in result["items"])))
    text = clean_text(result["text"])
    if not text and not items:
        raise InputError(
            "the page contains no text: a script creates its text in the browser",
            hint="Paste the page's text instead.",
            code="PAGE_WITHOUT_TEXT",
        )
    return Page(answer.url, clean_text(result["title"]), text, items, answer.is_cut)
