"""`/api/careers.zip`: all that the pack keeps of a user, as files that other programs read."""

from __future__ import annotations

import asyncio
import io
import zipfile
from typing import Any, Final

import msgspec

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.store.database import Queryable

from .. import store
from ..jobs.pages import load_job_page
from ..jobs.sheets import write_csv
from ..letters.export import make_filename
from .shapes import JobFilter

ALL: Final = 2**31 - 1  # rows: as many as Postgres counts in an `int`
MEDIA_TYPE: Final = "application/zip"


async def save_all(request: ApiRequest) -> ApiFile:
    """Return the user's jobs, people, profile, résumés and letters, in all versions, as a ZIP file.

    What an erasure of the user removes from the pack's tables is in it.
    """
    files = await _read_files(request.db, request.owner)
    # Outside the event loop: some hundred letters take tens of milliseconds.
    content = await asyncio.to_thread(_pack, files)
    return ApiFile(content, MEDIA_TYPE, "careers.zip")


async def _read_files(db: Queryable, owner: store.Owner) -> dict[str, bytes]:
    """Read each file's content, by its path in the ZIP file."""
    jobs = await load_job_page(db, owner, JobFilter(), descending=False, limit=None)
    files = {"jobs.csv": write_csv(jobs).encode("utf-8-sig")}
    for name, rows in (
        ("contacts", await store.list_contacts(db, owner, ALL)),
        ("companies", await store.list_companies(db, owner, ALL)),
    ):
        own = [{key: row[key] for key in row if key != "total"} for row in rows]
        files[f"{name}.json"] = _to_json(own)
    profile = await store.load_profile(db, owner)
    files["profile.md"] = profile["content"].encode()
    for head in await store.list_resumes(db, owner):
        row = await store.load_resume(db, owner, head["version"])
        if row is not None:
            files[f"resume/version {row['version']}.txt"] = row["raw_text"].encode()
            if row["data"]:
                files[f"resume/version {row['version']}.json"] = _to_json(row["data"])
    for head in await store.load_document_page(db, owner, limit=ALL):
        document_id = head["document_id"]
        for version in await store.list_versions(db, owner, document_id):
            row = await store.load_document(db, owner, document_id, version["version"])
            if row is not None:
                name = make_filename(row["title"], row["version"], "md")
                files[f"letters/{document_id}-{name}"] = row["content"].encode()
    return files


def _to_json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value))


def _pack(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return packed.getvalue()


ROUTES: Final = (
    ApiRoute(
        *("GET", "/api/careers.zip", save_all),
        "Save jobs, people, profile, résumés and letters as a ZIP file",
        files=(MEDIA_TYPE,),
    ),
)
