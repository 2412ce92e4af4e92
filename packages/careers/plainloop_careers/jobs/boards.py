"""Postings as job boards' APIs give them (Greenhouse, Lever, Ashby and the like), as jobs."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from plainloop.agent.base.text.foreign_json import as_object, list_objects, to_list
from plainloop.agent.errors import InputError

from ..files import load_data
from .salaries import parse_currency, parse_period, parse_salary

_UNITS: Final = re.compile(r"per-|-(?:salary|wage)")  # Lever: per-year-salary
_PLACE: Final = ("city", "region", "state", "country")


@cache
def _load_names() -> dict[str, list[str]]:
    return load_data(__file__, "boards.toml")


def find_postings(value: Any) -> list[Any] | None:
    """The list that an answer of a board holds; None for one that holds none."""
    if isinstance(value, list):
        return value  # pyright: ignore[reportUnknownVariableType]
    answer = as_object(value)
    lists = (answer[key] for key in _load_names()["lists"] if isinstance(answer.get(key), list))
    # One posting may have a list under such a name too.
    is_one = is_posting(answer) or "company" in answer or "title" in answer
    items = None if is_one else next(lists, None)
    if items and isinstance(answer.get("name"), str):  # Workable's: the whole answer is a company's
        items = [{"company_name": answer["name"], **item} for item in list_objects(items)]
    return items


def is_posting(item: dict[str, Any]) -> bool:
    """Whether an object is a board's posting, not a row of somebody's tracker."""
    has_mark = not item.keys().isdisjoint(_load_names()["marks"])
    return has_mark or isinstance(item.get("company"), dict)


def from_board(item: dict[str, Any]) -> dict[str, Any]:
    """A posting's fields; what it does not say is empty. A company that is named nowhere is read
    from the posting's address, where boards have it.
    """
    url = _find_text(item, "url")
    named = _find_text(item, "company")
    company = named or name_company(url)
    facts = (
        ("Type", _find_text(item, "type")),
        ("Team", _find_text(item, "team")),
        ("Posted", to_day(_find(item, "posted"))),
        ("Company as named in the posting's address", "" if named else company),
    )
    lines = [f"{word}: {said}" for word, said in facts if said]
    remote = str(_find(item, "remote") or "").strip().lower()
    modes: Any = _load_names()["remote_types"]
    return {
        "title": _find_text(item, "title"),
        "company": company,
        "url": url,
        "location": _find_text(item, "location"),
        "remote_type": next((mode for mode, said in modes.items() if remote in said), None),
        **read_pay(item),
        "notes": "\n\n".join(filter(None, (read_description(item), "\n".join(lines)))),
    }


def _find(item: dict[str, Any], what: str) -> Any:
    """The first value that says something under one of the names of it."""
    values = (_get(item, name) for name in _load_names()[what])
    return next((value for value in values if value not in (None, "", [], {})), None)


def _get(item: dict[str, Any], name: str) -> Any:
    value: Any = item
    for key in name.split("."):
        value = as_object(value).get(key)
    return value


def _find_text(item: dict[str, Any], what: str) -> str:
    return _to_line(_find(item, what))


def _to_line(value: Any) -> str:
    """Text in one line; of an object its name or its place, of a list its items."""
    if isinstance(value, str):
        return " ".join(html.unescape(value).split())
    if isinstance(value, list):
        return "; ".join(dict.fromkeys(filter(None, map(_to_line, value))))  # pyright: ignore[reportUnknownArgumentType]
    if not isinstance(value, dict):
        return ""
    about = as_object(value)  # pyright: ignore[reportUnknownArgumentType]
    name = about.get("name") or about.get("display_name") or about.get("label")
    places = [_to_line(about.get(key)) for key in _PLACE]
    return _to_line(name) or ", ".join(dict.fromkeys(filter(None, places)))


def name_company(url: str) -> str:
    """Name the company by its posting's address; "" where that has no path of two parts.

    >>> name_company("https://jobs.example.com/cafe-uno/ff")
    'Cafe Uno'
    """
    parts = urlsplit(url).path.split("/") if "://" in url else []
    slug = parts[1] if len(parts) > 2 else ""
    name = " ".join(re.split(r"[-_+]|%20", slug)).strip()
    return name.title() if name.islower() else name


def read_description(item: dict[str, Any]) -> str:
    """The description as readable text, with the sections that boards keep beside it."""
    from plainloop_documents.reading import page  # lxml: in the child alone

    texts = [_find(item, "text")]
    for name in _load_names()["more_text"]:
        for part in to_list(_get(item, name)):
            about = as_object(part)
            title, text = about.get("title") or about.get("text"), about.get("text")
            text = about.get("content") or text if about else part
            texts.append(f"<h2>{title}</h2><div>{text}</div>" if about and title and text else text)
    read = [page.read_fragment(text) for text in texts if isinstance(text, str)]
    return "\n\n".join(filter(None, dict.fromkeys(read)))


def from_personio(content: bytes) -> list[dict[str, Any]]:
    """The positions of a company's Personio feed.

    Source: https://developer.personio.de/docs/retrieving-open-job-positions.
    Raises: InputError when it is no XML.
    """
    from plainloop_documents.reading.page import etree  # in the child alone

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(content, parser)
    if root is None:
        raise InputError("the feed cannot be read as XML")
    postings: list[dict[str, Any]] = []
    for position in root.iter("position"):
        said = {node.tag: node.text for node in position if isinstance(node.tag, str) and node.text}
        sections = [
            {"title": part.findtext("name") or "", "text": part.findtext("value") or ""}
            for part in position.iter("jobDescription")
        ]
        postings.append(
            from_board(
                {
                    "name": said.get("name"),
                    "company_name": said.get("subcompany"),
                    "location": said.get("office"),
                    "department": said.get("department"),
                    "employmentType": said.get("schedule") or said.get("employmentType"),
                    "created_at": said.get("createdAt"),
                    "lists": sections,
                }
            )
        )
    return postings


def from_trello(value: Any) -> list[dict[str, Any]] | None:
    """The cards of a Trello board's export as rows of a sheet; None for anything else.

    Source: https://support.atlassian.com/trello/docs/exporting-data-from-trello/.
    """
    board = as_object(value)
    if not isinstance(board.get("cards"), list) or not isinstance(board.get("lists"), list):
        return None
    names = {item.get("id"): item.get("name") for item in list_objects(board["lists"])}
    return [
        {
            "Card Name": card.get("name"),
            "List Name": names.get(card.get("idList")),
            "Notes": card.get("desc"),
            "Labels": [
                name for item in list_objects(card.get("labels")) if (name := item.get("name"))
            ],
            "Card URL": card.get("shortUrl") or card.get("url"),
            "Due Date": card.get("due"),
        }
        for card in list_objects(board["cards"])
        if not card.get("closed")
    ]


def read_pay(item: dict[str, Any]) -> dict[str, Any]:
    """Pay in numbers, else as it is put in words."""
    found = _find(item, "pay_range")
    pay = as_object(found) or next(iter(list_objects(found)), as_object(None))
    cents = {end: as_amount(pay.get(f"{end}_cents"), 100) for end in ("min", "max")}
    low, high = (cents[end] or as_amount(pay.get(end)) for end in ("min", "max"))
    if low is None and high is None:
        low, high = (as_amount(item.get(f"salary_{end}")) for end in ("min", "max"))
    if low is None and high is None:
        said = _find(item, "pay")
        return parse_salary(str(said)) if isinstance(said, str | int | float) else {}
    currency = pay.get("currency") or pay.get("currency_type") or item.get("salary_currency")
    period = parse_period(_UNITS.sub("", _to_line(pay.get("interval") or "")))
    return {
        "salary_min": low,
        "salary_max": high,
        "salary_currency": parse_currency(currency) if isinstance(currency, str) else None,
        "salary_period": period,
    }


def as_amount(value: Any, parts: int = 1) -> int | float | None:
    """A number of whole currency units; None for what is none. parts: cents in one of them."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        return None
    amount = value / parts
    return int(amount) if amount == int(amount) else round(amount, 2)


def to_day(value: Any) -> str:
    """The day of a time in ISO format or in milliseconds."""
    if isinstance(value, str):
        return value[:10]
    try:
        return datetime.fromtimestamp(float(value) / 1000, UTC).date().isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return ""
