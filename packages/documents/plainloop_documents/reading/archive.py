"""LinkedIn's copy of one's data: a ZIP of CSV files. Runs in the child."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Final

from .refusal import MAX_TEXT_CHARS, Refusal
from .word import check_container

_MAIN: Final = r"(?:[^/]+/)?(?:Profile|Positions)\.csv"
# Of a person; the others are messages, contacts and advertisements.
_FILES: Final = re.compile(
    r"(?:[^/]+/)?(Profile|Positions|Education|Skills|Languages|Certifications|Projects|Honors"
    r"|Publications|Volunteering|Volunteer Experiences|Email Addresses|Phone ?Numbers)\.csv"
)


def read(content: bytes) -> str | None:
    """Read the archive's files on the person as JSON: `{"linkedin": {name: [row, …]}}`.

    None if the content is another ZIP.

    Raises: Refusal `too_large`, `encrypted`.
    """
    try:
        container = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return None  # whoever reads it next says why
    named = {name: match[1] for name in container.namelist() if (match := _FILES.fullmatch(name))}
    if not any(re.fullmatch(_MAIN, name) for name in named):
        return None
    check_container(content, _MAIN)
    tables: dict[str, list[dict[str, str]]] = {}
    for name, table in named.items():
        if container.getinfo(name).file_size > MAX_TEXT_CHARS:
            raise Refusal("too_large")
        text = container.read(name).decode("utf-8-sig", "replace")
        rows = csv.DictReader(io.StringIO(text, newline=""), restval="", restkey="")
        tables[table] = [{key: value for key, value in row.items() if key} for row in rows]
    return json.dumps({"linkedin": tables}, ensure_ascii=False)
