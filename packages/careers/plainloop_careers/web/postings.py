"""A job posting's JSON-LD as the arguments of create_job.

Source: https://schema.org/JobPosting. Sites fill it in freely: each value is taken in any of the
shapes that occur, or left out.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urljoin

from plainloop.agent.base.text.foreign_json import as_object, list_objects, to_list
from plainloop.agent.errors import InputError

from ..files import load_data
from ..jobs.boards import __file__ as boards_file
from ..jobs.imports import from_text
from ..jobs.salaries import FIELDS as PAY_FIELDS
from ..jobs.salaries import parse_currency, parse_period, parse_salary
from .results import to_amount, to_plain_line, to_web_url

ITEM_TYPE: Final = "JobPosting"  # of schema.org
MAX_LINES: Final = 15
LINE_CHARS: Final = 200
_LINE_END: Final = re.compile(
    r"(?:<br\s*/?>|</?(?:li|p|ul|ol|div|h\d)\b[^>]{0,200}>|[\n•;]|\s[-–]\s)", re.I
)


def from_posting(posting: dict[str, Any], page_url: str) -> dict[str, Any]:
    """Arguments of create_job; only what the posting says. {} without title and company."""
    fields = read_posting(posting, page_url)
    return fields if "title" in fields and "company" in fields else {}


def read_posting(posting: dict[str, Any], page_url: str) -> dict[str, Any]:
    """Read what a posting says, as arguments of create_job; its description is left out."""
    pay, pay_note = _read_salary(posting)
    contact = as_object(posting.get("applicationContact"))
    # `Berlin, DE; Hamburg, DE`
    value = posting.get("jobLocation")
    places = [_format_place(item) for item in list_objects(value) or [as_object(value)]]
    found = "; ".join(dict.fromkeys(place for place in places[:3] if place))
    # Lines of qualifications and skills, each once.
    lines: list[str] = []
    for key in ("qualifications", "experienceRequirements", "educationRequirements", "skills"):
        for item in to_list(posting.get(key)):
            text = item if isinstance(item, str) else _describe_requirement(as_object(item))
            lines += [to_plain_line(line, LINE_CHARS) for line in _LINE_END.split(text[:20_000])]
    fields: dict[str, Any] = {
        "company": _read_name(posting.get("hiringOrganization")),
        "title": to_plain_line(posting.get("title") or posting.get("name")),
        "url": _read_url(posting, page_url),
        "location": found or to_plain_line(value),
        "remote_type": _read_remote(posting),
        **pay,
        "requirements": "\n".join(
            [line for line in dict.fromkeys(lines) if len(line) > 1][:MAX_LINES]
        ),
        "contact_name": to_plain_line(contact.get("name")),
        "contact_email": to_plain_line(contact.get("email")),
        "notes": "\n".join(_iter_notes(posting, pay_note)),
        "source": "web",
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}


def add_description(fields: dict[str, Any], text: Any) -> dict[str, Any]:
    """The fields with a description in front of the notes, and what it asks for in its sections."""
    if not isinstance(text, str) or not text.strip():
        return fields
    asked = from_text(text)
    sections = {name: asked[name] for name in ("requirements", "nice_to_haves") if asked.get(name)}
    notes = "\n\n".join(filter(None, (text.strip(), fields.get("notes"))))
    return {**sections, **fields, "notes": notes}


def from_page(page: dict[str, Any], url: str) -> list[dict[str, Any]]:
    """The postings of a page as `reading.page` gives it: its data, else one from its title, its
    headings and labelled lines. What the page does not say for certain is missing or empty.

    Raises: InputError for a page that says that its posting is closed, or that it is none.
    """
    if page["items"]:
        shared = len(page["items"]) == 1
        return [
            add_description(read_posting(item, url if shared else ""), item.get("description"))
            for item in page["items"]
        ]
    _refuse_closed(page)
    found = from_text(page["text"])
    title, company = _split_title(page, url)
    named = {"title": found.get("title") or title, "company": found.get("company") or company}
    return [{**found, **named, "url": to_web_url(url)}]


def _refuse_closed(page: dict[str, Any]) -> None:
    """Raises: InputError."""
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
            hint="The site asked you to sign in or to prove that you are human. Open the posting "
            "and save it again, or paste its text.",
            code="PAGE_WITHOUT_POSTING",
        )


def _split_title(page: dict[str, Any], url: str) -> tuple[str, str]:
    """(position, company) from "Cook at Noma", "Noma hiring Cook in Oslo"; "" for the side that
    nothing confirms: "Noma - Cook" may be either way round, or name a place.
    """
    heading, title = page["heading"], _PAGES["board"].sub("", page["title"])
    for match in filter(None, (pattern.match(title) for pattern in _TITLES)):
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
    """Whether a part of a title is surely the company: the page's address or text says so."""
    slug = re.sub(r"[\W_]", "", name.casefold())
    if len(name) > 80 or len(slug) < 3 or _PAGES["generic"].fullmatch(name):
        return False
    if slug in re.sub(r"[\W_]", "", address.casefold()) or _PAGES["legal"].search(name):
        return True
    before = r"(?:[Aa]bout|[Jj]oin|[Üü]ber|[Bb]ei|[Cc]hez|[Aa]t|[Ss]obre|propos de)"
    return re.search(rf"{before} {re.escape(name)}\b", text[:50_000]) is not None


_CLOSED_CHARS: Final = 400
_WORDS: Final[dict[str, Any]] = load_data(boards_file, "boards.toml")
_PAGES: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(said, re.I) for name, said in _WORDS["pages"].items()
}
_PARTS: Final = re.compile(r"(?<!\s)(?:\s+[|–—·•-]\s+|\s*\|\s*)")
_TITLES: Final = tuple(re.compile(said, re.I) for said in _WORDS["titles"])


def _read_url(posting: dict[str, Any], page_url: str) -> str:
    """The posting's own address when it is on the same site; else where it was read."""
    own = posting.get("url")
    if isinstance(own, str) and own.strip():
        found = to_web_url(urljoin(page_url, own.strip()))
        if found and _get_site(found) == _get_site(page_url):
            return found
    return to_web_url(page_url)


def _get_site(url: str) -> str:
    return url.split("/")[2].removeprefix("www.").lower() if url.count("/") > 1 else ""


def _read_name(value: Any) -> str:
    items = list_objects(value) or [as_object(value)]
    return to_plain_line(value) or to_plain_line(items[0].get("name"))


def _format_place(place: dict[str, Any]) -> str:
    address = place.get("address")
    if not isinstance(address, dict):
        return to_plain_line(address) or to_plain_line(place.get("name"))
    known = as_object(address)
    keys = ("addressLocality", "addressRegion", "addressCountry")
    parts = [_read_name(known.get(key)) for key in keys]
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _read_remote(posting: dict[str, Any]) -> str | None:
    text = " ".join(map(str, to_list(posting.get("jobLocationType") or "")))
    if "telecommut" not in text.lower() and "remote" not in text.lower():
        return None
    return "hybrid" if "hybrid" in text.lower() else "remote"


def _read_salary(posting: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """(the tracker's columns, a note): pay for what is no period of ours is put in words."""
    value = posting.get("baseSalary") or posting.get("estimatedSalary")
    salary = (list_objects(value) or [as_object(value)])[0]
    amount = salary.get("value", value if isinstance(value, int | float | str) else None)
    range_ = as_object(amount) or {"value": amount, **salary}
    low = to_amount(range_.get("minValue") or range_.get("value"))
    high = to_amount(range_.get("maxValue") or range_.get("value"))
    if low is None and high is None:
        return parse_salary(to_plain_line(amount)), ""
    if low and high and low > high:
        low, high = high, low
    said = (
        _read_currency(range_)
        or _read_currency(salary)
        or _read_currency(posting, "salaryCurrency")
    )
    keys = [item.get(key) for item in (range_, salary) for key in ("unitText", "unitCode")]
    unit = next((text for key in keys if (text := to_plain_line(key, 40))), "")
    period = parse_period(unit)
    if unit and not period:
        words = "–".join(dict.fromkeys(str(item) for item in (low, high) if item))
        return {}, f"Pay: {words} {said or ''} per {unit.lower()}".replace("  ", " ")
    pay = (low, high, said, period)
    return {name: item for name, item in zip(PAY_FIELDS, pay, strict=True) if item}, ""


def _read_currency(item: dict[str, Any], key: str = "currency") -> str | None:
    return parse_currency(to_plain_line(item.get(key), 10))


def _describe_requirement(item: dict[str, Any]) -> str:
    months = round(to_amount(item.get("monthsOfExperience")) or 0)
    if months:
        return (
            f"{months // 12} years of experience"
            if months % 12 == 0
            else (f"{months} months of experience")
        )
    return to_plain_line(item.get("credentialCategory")) or to_plain_line(item.get("name"))


def _iter_notes(posting: dict[str, Any], pay_note: str) -> list[str]:
    kinds = (to_plain_line(item, 40) for item in to_list(posting.get("employmentType")))
    kind = ", ".join(filter(None, kinds)).replace("_", "-")
    facts = (
        ("Type", kind.lower()),
        ("Posted", to_plain_line(posting.get("datePosted"), 40)[:10]),
        ("Apply until", to_plain_line(posting.get("validThrough"), 40)[:10]),
    )
    return [pay_note] * bool(pay_note) + [f"{word}: {text}" for word, text in facts if text]
