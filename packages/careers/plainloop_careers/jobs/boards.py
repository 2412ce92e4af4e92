"""Postings in JSON, as boards' APIs, feeds, pages (schema.org) and JSON Resume state them.

`boards.toml` lists the names that each of them has for a thing. A value is taken in any shape that
occurs, or left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from plainloop.agent.base.text.foreign_json import as_list, as_object, list_objects, to_list
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.errors import InputError
from plainloop_documents.reading.pay import MOST, parse_currency, parse_period
from plainloop_documents.web.results import to_plain_line

from ..files import load_data
from .imports import add_description
from .salaries import FIELDS, parse_salary

WORDS: Final[dict[str, Any]] = load_data(__file__, "boards.toml")
_NAMES: Final[dict[str, list[str]]] = WORDS["names"]
_MODES: Final = [(mode, compile_lazily(said, re.I)) for mode, said in WORDS["remote_types"].items()]
_NOBODY: Final = compile_lazily(WORDS["no_company"], re.I)
_UNITS: Final = compile_lazily(r"per-|-(?:salary|wage)")  # Lever: per-year-salary
MAX_LINES: Final = 15
MAX_PLACES: Final = 3
LINE_CHARS: Final = 200
_LINE_END: Final = compile_lazily(
    r"(?:<br\s*/?>|</?(?:li|p|ul|ol|div|h\d)\b[^>]{0,200}>|[\n•;]|\s[-–]\s)", re.I
)


def find_postings(value: Any) -> list[Any] | None:
    """Return the postings in a job board's JSON; None if it has no list of them."""
    if isinstance(value, list):
        return value  # pyright: ignore[reportUnknownVariableType]
    answer = as_object(value)
    # One posting may have a list under such a name too.
    if is_posting(answer) or "company" in answer or "title" in answer:
        return None
    found = find(answer, "lists")
    items = as_list(found) or ([found] if is_posting(as_object(found)) else None)
    if items and isinstance(answer.get("name"), str):  # Workable's: the whole answer is a company's
        items = [{"company_name": answer["name"], **item} for item in list_objects(items)]
    return items


def is_posting(item: dict[str, Any]) -> bool:
    """Whether an object is a job board's posting, not a row of a user's own list."""
    return not item.keys().isdisjoint(_NAMES["marks"]) or isinstance(item.get("company"), dict)


def from_board(item: dict[str, Any]) -> dict[str, Any]:
    """Convert a job board's posting to arguments of the tool create_job.

    A company that is named nowhere is read from the posting's address, if it is in that.
    """
    fields = read_posting(item)
    company = "" if "company" in fields else name_company(fields.get("url", ""))
    if company:
        told = f"Company as named in the posting's address: {company}"
        notes = "\n".join(filter(None, (fields.get("notes"), told)))
        fields |= {"company": company, "notes": notes}
    return add_description(fields, read_description(item))


def read_posting(item: dict[str, Any]) -> dict[str, Any]:
    """Convert a posting's fields to arguments of the tool create_job, without the description."""
    pay, pay_note = _read_pay(item)
    kinds = [to_line(kind) for kind in to_list(find(item, "type"))]
    facts = (
        ("Type", ", ".join(k.replace("_", "-").lower() if k.isupper() else k for k in kinds if k)),
        ("Experience", find_line(item, "experience")),
        ("Team", find_line(item, "team")),
        ("Posted", to_day(find(item, "posted"))),
        ("Apply until", to_day(find(item, "until"))),
    )
    company = find_line(item, "company")
    mode = " ".join(str(said) for said in to_list(find(item, "remote")) if said is not None)
    fields = {
        "title": find_line(item, "title"),
        "company": "" if len(company) > 2 and _NOBODY.fullmatch(company) else company,
        "url": find_line(item, "url"),
        "location": to_place(find(item, "location")) or _join_place(item),
        "remote_type": next((name for name, said in _MODES if said.search(mode)), None),
        **pay,
        "requirements": "\n".join(_list_requirements(item)),
        "tags": ", ".join(dict.fromkeys(word.replace(",", " ") for word in _iter_tags(item))),
        "contact_name": find_line(item, "contact_name"),
        "contact_email": find_line(item, "contact_email"),
        "notes": "\n".join(filter(None, (pay_note, *(f"{a}: {b}" for a, b in facts if b)))),
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}


def find(item: dict[str, Any], what: str) -> Any:
    """Return the posting's value for `what`, under whichever name the job board uses."""
    values = (_get(item, name) for name in _NAMES[what])
    return next((value for value in values if value not in (None, "", [], {})), None)


def find_line(item: dict[str, Any], what: str) -> str:
    """Return the posting's value for `what` as one line of text; "" without one."""
    return to_line(find(item, what))


def _get(item: dict[str, Any], name: str) -> Any:
    value: Any = item
    for key in name.split("."):
        value = as_object(value).get(key)
    return value


def to_line(value: Any) -> str:
    """Convert a JSON value, such as an object with a name or a list, to one line of text."""
    if isinstance(value, list):
        return "; ".join(dict.fromkeys(filter(None, map(to_line, value))))  # pyright: ignore[reportUnknownArgumentType]
    about = as_object(value)
    return to_plain_line(value) or next(
        (said for key in _NAMES["called"] if (said := to_plain_line(about.get(key)))), ""
    )


def to_place(value: Any) -> str:
    """Convert a place, or a list of places, to text such as `Berlin, DE; Hamburg, DE`."""
    if isinstance(value, list):
        places = [to_place(item) for item in as_list(value)[:MAX_PLACES]]
        return "; ".join(dict.fromkeys(filter(None, places)))
    about = as_object(value)
    inside = to_place(about["address"]) if isinstance(about.get("address"), dict) else ""
    return inside or to_line(value) or _join_place(about) or to_plain_line(about.get("address"))


def _join_place(about: dict[str, Any]) -> str:
    parts = [to_line(about.get(key)) for key in _NAMES["place"]]
    return ", ".join(dict.fromkeys(filter(None, parts)))


def name_company(url: str) -> str:
    """Derive a company's name from the URL of its posting; "" if the URL does not contain it.

    >>> name_company("https://jobs.example.com/cafe-uno/ff")
    'Cafe Uno'
    """
    parts = urlsplit(url).path.split("/") if "://" in url else []
    slug = parts[1] if len(parts) > 2 else ""
    name = " ".join(re.split(r"[-_+]|%20", slug)).strip()
    return "" if _NOBODY.fullmatch(name) else name.title() if name.islower() else name


def read_description(item: dict[str, Any]) -> str:
    """Return a posting's description and further sections as readable text."""
    from plainloop_documents.reading import page  # lxml: in the child alone

    texts = [find(item, "text")]
    for value in (_get(item, name) for name in _NAMES["more_text"]):
        parts = to_list(value)
        if parts is value:
            lines = [part.strip(" \t-•*") for part in parts if isinstance(part, str)]
            texts.append("\n".join(f"- {line}" for line in lines if line))
        for part in list_objects(parts) or [value]:
            about = as_object(part)
            title, text = about.get("title") or about.get("text"), about.get("text")
            text = about.get("content") or text if about else part
            texts.append(f"<h2>{title}</h2><div>{text}</div>" if about and title and text else text)
    read = [page.read_fragment(text) for text in texts if isinstance(text, str)]
    return "\n\n".join(filter(None, dict.fromkeys(read)))


def from_personio(content: bytes) -> list[dict[str, Any]]:
    """Parse a company's Personio feed (XML) to a list of postings.

    Source: https://developer.personio.de/docs/retrieving-open-job-positions.
    Raises: InputError when it is no XML.
    """
    from plainloop_documents.reading.page import etree  # in the child alone

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(content, parser)
    if root is None:
        raise InputError(
            "the feed cannot be read as XML", hint="Try again later, or use another feed."
        )
    postings: list[dict[str, Any]] = []
    for position in root.iter("position"):
        said = {node.tag: node.text for node in position if isinstance(node.tag, str) and node.text}
        sections = [
            {"title": part.findtext("name") or "", "text": part.findtext("value") or ""}
            for part in position.iter("jobDescription")
        ]
        postings.append(from_board({**said, "lists": sections}))
    return postings


def from_trello(value: Any) -> list[dict[str, Any]] | None:
    """Convert a Trello board's JSON export to one row for each card; None for other JSON.

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
            "Labels": [said["name"] for said in list_objects(card.get("labels")) if "name" in said],
            "Card URL": card.get("shortUrl") or card.get("url"),
            "Due Date": card.get("due"),
        }
        for card in list_objects(board["cards"])
        if not card.get("closed")
    ]


def _read_pay(item: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Read a posting's pay as (the tracker's fields, a note with pay for other periods)."""
    found = find(item, "pay_range")
    pay = (list_objects(found) or [as_object(found)])[0]
    own = {key: value for key, value in item.items() if "salary" in key.lower()}
    said = {**own, **pay, **as_object(pay.get("value"))}
    low, high = _find_amount(said, _NAMES["low"]), _find_amount(said, _NAMES["high"])
    if low is None and high is None:
        texts = (_get(item, name) for name in _NAMES["pay"])
        text = next((text for text in texts if isinstance(text, str | int | float)), "")
        return parse_salary(to_plain_line(str(text))), ""
    if low and high and low > high:
        low, high = high, low
    codes = (parse_currency(to_plain_line(said.get(key), 10)) for key in _NAMES["currency"])
    currency = next(filter(None, codes), None)
    units = (to_plain_line(said.get(key), 40) for key in _NAMES["unit"])
    unit = _UNITS.sub("", next(filter(None, units), ""))
    period = parse_period(unit)
    if unit and not period:
        words = "–".join(dict.fromkeys(str(end) for end in (low, high) if end))
        return {}, " ".join(filter(None, ("Pay:", words, currency, "per", unit.lower())))
    return dict(zip(FIELDS, (low, high, currency, period), strict=True)), ""


def _find_amount(said: dict[str, Any], names: Sequence[str]) -> int | float | None:
    for name in names:
        amount = to_amount(said.get(name))
        if amount is not None:
            return to_amount(amount / 100) if name.endswith("_cents") else amount
    return None


def to_amount(value: Any) -> int | float | None:
    """Convert a value to an amount of money; None if it is no plausible number.

    >>> [to_amount(value) for value in (45.5, "31,049", "45.000", "much")]
    [45.5, 31049, 45000, None]
    """
    if isinstance(value, str) and re.fullmatch(r"\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)", value):
        value = re.sub(r"[.,]", "", value)  # money has no three decimals
    try:
        amount = round(float(value), 2)
    except (TypeError, ValueError, OverflowError):
        return None
    if not 0 < amount <= MOST:
        return None
    return int(amount) if amount.is_integer() else amount


def _list_requirements(item: dict[str, Any]) -> list[str]:
    """List a posting's qualifications, experience and skills as lines, each once."""
    lines: list[str] = []
    for value in (_get(item, name) for name in _NAMES["requirements"]):
        for said in to_list(value):
            text = said if isinstance(said, str) else _describe_requirement(as_object(said))
            lines += [to_plain_line(line, LINE_CHARS) for line in _LINE_END.split(text[:20_000])]
    return [line for line in dict.fromkeys(lines) if len(line) > 1][:MAX_LINES]


def _describe_requirement(item: dict[str, Any]) -> str:
    months = round(to_amount(item.get("monthsOfExperience")) or 0)
    if months:
        many = f"{months} months" if months % 12 else f"{months // 12} years"
        return f"{many} of experience"
    return to_plain_line(item.get("credentialCategory"))


def _iter_tags(item: dict[str, Any]) -> Iterator[str]:
    """Yield the keywords of each skill of a posting, or the skill's name if it has no keywords."""
    for group in [*to_list(item.get("tags")), *list_objects(item.get("skills"))]:
        words = as_object(group).get("keywords") or [group]
        yield from filter(None, map(to_line, to_list(words)))


def to_day(value: Any) -> str:
    """Convert a time, in ISO format or milliseconds, to a day; "" if it is neither."""
    if isinstance(value, str):
        return to_plain_line(value, 40)[:10]
    try:
        return datetime.fromtimestamp(float(value) / 1000, UTC).date().isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return ""
