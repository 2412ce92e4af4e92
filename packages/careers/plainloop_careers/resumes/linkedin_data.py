"""LinkedIn's copy of one's data as JSON Resume, without a model.

Source: Settings, Data privacy, "Get a copy of your data"; columns as in published archives.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object, list_objects

_URL: Final = re.compile(r"https?://[^\s,\]]+")
_DATES: Final = {"startDate": "Started On", "endDate": "Finished On"}
# Of each file, the section of JSON Resume, and which column fills which key.
_SECTIONS: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    (
        *("Positions", "work"),
        {"name": "Company Name", "position": "Title", "location": "Location"}
        | {**_DATES, "summary": "Description"},
    ),
    (
        *("Education", "education"),
        {"institution": "School Name", "studyType": "Degree Name", "startDate": "Start Date"}
        | {"endDate": "End Date", "notes": "Notes", "activities": "Activities"},
    ),
    ("Skills", "skills", {"name": "Name"}),
    ("Languages", "languages", {"language": "Name", "fluency": "Proficiency"}),
    (
        *("Certifications", "certificates"),
        {"name": "Name", "issuer": "Authority", "date": "Started On", "url": "Url"},
    ),
    (
        *("Projects", "projects"),
        {"name": "Title", "description": "Description", "url": "Url", **_DATES},
    ),
    ("Honors", "awards", {"title": "Title", "summary": "Description", "date": "Issued On"}),
    (
        *("Publications", "publications"),
        {"name": "Name", "publisher": "Publisher", "releaseDate": "Published On"}
        | {"summary": "Description", "url": "Url"},
    ),
    *(
        (
            *(file, "volunteer"),
            {"organization": "Company Name", "position": "Role", **_DATES}
            | {"summary": "Description"},
        )
        for file in ("Volunteering", "Volunteer Experiences")
    ),
)


def from_linkedin(value: Any) -> Any:
    """Convert the rows of LinkedIn's archive to JSON Resume; return another value unchanged.

    >>> from_linkedin({"linkedin": {"Skills": [{"Name": "Fish"}]}})
    {'skills': [{'name': 'Fish'}]}
    """
    tables = as_object(as_object(value).get("linkedin"))
    if not tables:
        return value
    resume: dict[str, Any] = {}
    if basics := _read_basics(tables):
        resume["basics"] = basics
    for file, section, columns in _SECTIONS:
        rows = list_objects(tables.get(file))
        found = [{key: row.get(name) for key, name in columns.items()} for row in rows]
        entries = [{key: text for key, text in one.items() if text} for one in found]
        if entries := list(filter(None, entries)):
            resume[section] = [*resume.get(section, []), *entries]
    return resume


def read_linkedin_csv(name: str, text: str) -> dict[str, Any] | None:
    """Read one CSV file of the archive, as `from_linkedin` takes it; None for another file."""
    columns = next((columns for file, _, columns in _SECTIONS if file == name), None)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), restkey="", restval=""))
    is_known = columns is not None and rows and {*columns.values()} <= rows[0].keys()
    return {"linkedin": {name: rows}} if is_known else None


def _read_basics(tables: dict[str, Any]) -> dict[str, Any]:
    profile = as_object(next(iter(list_objects(tables.get("Profile"))), None))
    emails = list_objects(tables.get("Email Addresses"))
    email = next((one for one in emails if one.get("Primary") == "Yes"), (emails or [{}])[0])
    numbers = list_objects(tables.get("PhoneNumbers") or tables.get("Phone Numbers"))
    names = (profile.get("First Name"), profile.get("Last Name"))
    site = _URL.search(str(profile.get("Websites") or ""))
    place = profile.get("Geo Location")
    found = {
        "name": " ".join(filter(None, names)),
        "label": profile.get("Headline"),
        "email": email.get("Email Address"),
        "phone": next((one.get("Number") for one in numbers if one.get("Number")), None),
        "url": site[0] if site else None,
        "summary": profile.get("Summary"),
        "location": {"city": place} if place else None,
    }
    return {key: item for key, item in found.items() if item}
