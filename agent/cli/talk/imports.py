"""`plainloop import`: a résumé or a job from a file into the user's data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ...config.settings import load_settings
from ...outbound.reading.files import load_file
from ...packs.careers.entities import format_job
from ...packs.careers.jobs.files import read_jobs_file
from ...packs.careers.resumes.imports import ImportedResume, keep_resume, read_resume_file
from ...packs.careers.store import save_job
from ..terminal import output
from ..terminal.opening import Owner, open_store
from ..terminal.serving import open_service


async def import_resume(owner: Owner, path: str) -> None:
    """JSON Resume as it is; every other format through the parser's model."""
    source, name = read_source(path)
    settings = load_settings()
    # Before anything is started: a file that cannot be read is told at once.
    file = await read_resume_file(source, name, settings.limits)
    if file.data is not None:
        async with open_store(settings) as store:
            _say_resume(await keep_resume(store, owner.tenant_id, owner.user_id, file))
        return
    async with open_service(settings) as service:

        async def parse(text: str) -> dict[str, Any]:
            return await service.parse_resume(text, owner.tenant_id, owner.user_id)

        with output.progress("reading the résumé …"):
            imported = await keep_resume(service.store, owner.tenant_id, owner.user_id, file, parse)
        _say_resume(imported)


async def import_job(owner: Owner, path: str) -> None:
    source, name = read_source(path)
    settings = load_settings()
    content = load_file(source, settings.limits.upload_bytes)
    found = await read_jobs_file(content, name, settings.limits)
    async with open_store(settings) as store, store.transaction(owner.tenant_id) as db:
        for fields in found.jobs:
            row, is_new = await save_job(db, owner.tenant_id, owner.user_id, fields)
            known = "" if is_new else " (known already by its URL, not doubled)"
            output.write_line(f"job {format_job(row)}{known}")
    for row_number, said in found.rejected:
        output.write_status(f"row {row_number} is left out: {said}")


def read_source(path: str) -> tuple[Path | bytes, str]:
    """(the file, its name); `-` is stdin."""
    if path != "-":
        return Path(path), Path(path).name
    return sys.stdin.buffer.read(), "stdin"


def _say_resume(imported: ImportedResume) -> None:
    data: dict[str, Any] = imported.data or {}
    basics: dict[str, Any] = data.get("basics") or {}
    name = basics.get("name") or "no name in it"
    counts = [f"{len(data.get(key) or [])} in {key}" for key in ("work", "education", "skills")]
    output.write_line(f"résumé, version {imported.version}: {name} · {' · '.join(counts)}")
