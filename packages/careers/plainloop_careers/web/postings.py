"""The postings of a page: its JSON-LD or microdata, else what its title and headings say."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urljoin

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.errors import InputError
from plainloop_documents.web.results import to_web_url

from ..jobs.boards import WORDS, read_posting
from ..jobs.imports import add_description, from_text

ITEM_TYPE: Final = "JobPosting"  # of schema.org


def from_posting(posting: dict[str, Any], page_url: str) -> dict[str, Any]:
    """Convert a posting on a web page to arguments of create_job; {} if it is incomplete."""
    fields = _read_on_page(posting, page_url)
    return {**fields, "source": "web"} if {"title", "company"} <= fields.keys() else {}


def _read_on_page(posting: dict[str, Any], page_url: str) -> dict[str, Any]:
    """Read a posting; its URL is its own if that is on the page's site, else the page's."""
    own = posting.get("url")
    url = to_web_url(urljoin(page_url, own.strip())) if isinstance(own, str) else ""
    url = url if _get_site(url) == _get_site(page_url) else ""
    fields = {**read_posting(posting), "url": url or to_web_url(page_url)}
    return {name: value for name, value in fields.items() if value}


def from_page(page: dict[str, Any], url: str) -> list[dict[str, Any]]:
    """Return the job postings on a web page.

    What the page does not say for certain is missing or empty.

    Raises: InputError for a page that says that its posting is closed, or that it is none.
    """
    if len(page["items"]) < 2:  # of several, the page says it of one
        _refuse_closed(page)
    if page["items"]:
        shared = len(page["items"]) == 1
        return [
            add_description(_read_on_page(item, url if shared else ""), item.get("description"))
            for item in page["items"]
        ]
    found = from_text(page["text"])
    title, company = _split_title(page, url)
    named = {"title": found.get("title") or title, "company": found.get("company") or company}
    return [{**found, **named, "url": to_web_url(url)}]


def _refuse_closed(page: dict[str, Any]) -> None:
    """Refuse a page whose posting is closed, or that is a sign-in page.

    Raises: InputError.
    """
    for said in (page["heading"], page["title"], *page["text"][:_CLOSED_CHARS].splitlines()):
        if _PAGES["closed"].search(said[:300]):
            raise InputError(
                "the page says that this job posting is no longer available",
                hint="If the job is still open, paste the text of the posting.",
                code="POSTING_CLOSED",
            )
    if _PAGES["locked"].match(page["title"]) or _PAGES["locked"].match(page["heading"]):
        raise InputError(
            f"this page is not a job posting: {page['title'][:80] or page['heading'][:80]}",
            hint="The site may have shown a sign-in page or a CAPTCHA. Open the "
            "posting and save it again, or paste its text.",
            code="PAGE_WITHOUT_POSTING",
        )


def _split_title(page: dict[str, Any], url: str) -> tuple[str, str]:
    """Split a page's title into (position, company); "" for a side that nothing confirms.

    "Cook at Noma" and "Noma hiring Cook in Oslo" are clear; "Noma - Cook" may be either way round,
    or name a place.
    """
    heading, title = page["heading"], _PAGES["board"].sub("", page["title"])
    told = (title, _PAGES["board"].sub("", page["shared"]))
    for match in filter(None, (said.match(name) for name in told for said in _TITLES)):
        position, company = match["title"].strip(), match["company"].strip()
        if not heading or heading.casefold().startswith(position.casefold()):
            return heading or position, company
    parts = [part.strip() for part in _PARTS.split(title) if part.strip()]
    headings = [heading, *re.findall(r"(?m)^#+ (.{1,120})$", page["text"][:2_000])]
    position = heading or next((part for part in parts if part in headings), "")
    if not position and len(parts) == 1 and not _PAGES["generic"].fullmatch(parts[0]):
        position = parts[0]
    # "Cafe Uno Line Cook | SmartRecruiters", where the heading is the position.
    before, is_there, _ = title.partition(f" {position}")
    if position and is_there and _PAGES["company_first"].search(page["title"]):
        return position, before
    site: re.Match[str] | None = _PAGES["careers"].match(page["site"])
    others = (part for part in parts if part.casefold() != position.casefold())
    address = f"{url} {page['site']}"
    confirmed = (part for part in others if _is_company(part, page["text"], address))
    return position, next(confirmed, site["company"].strip() if site else "")


def _is_company(name: str, text: str, address: str) -> bool:
    """Whether a part of a page's title is surely the company, by the page's address or text."""
    slug = re.sub(r"[\W_]", "", name.casefold())
    if len(name) > 80 or len(slug) < 3 or _PAGES["generic"].fullmatch(name):
        return False
    if slug in re.sub(r"[\W_]", "", address.casefold()) or _PAGES["legal"].search(name):
        return True
    before = r"(?:[Aa]bout|[Jj]oin|[Üü]ber|[Bb]ei|[Cc]hez|[Aa]t|[Ss]obre|propos de)"
    return re.search(rf"{before} {re.escape(name)}\b", text[:50_000]) is not None


_CLOSED_CHARS: Final = 400
_PAGES: Final[dict[str, re.Pattern[str]]] = {
    name: compile_lazily(said, re.I) for name, said in WORDS["pages"].items()
}
_PARTS: Final = compile_lazily(r"(?<!\s)(?:\s+[|–—·•-]\s+|\s*\|\s*)")
_TITLES: Final = tuple(compile_lazily(said, re.I) for said in WORDS["titles"])


def _get_site(url: str) -> str:
    return url.split("/")[2].removeprefix("www.").lower() if url.count("/") > 1 else ""
