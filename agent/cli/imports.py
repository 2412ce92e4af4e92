"""`plainloop import`: a résumé or a job from a file into the user's data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from agent.cli import output
from agent.cli.opening import Owner, open_store
from agent.cli.serving import open_service
from agent.config import load_settings
from agent.core.persistence import Store
from agent.packs.careers.entities import format_job
from agent.packs.careers.job_import import import_job as store_job
from agent.packs.careers.job_import import parse_job_file
from agent.packs.careers.resumes import ImportedResume, ParseResume, parse_resume_file
from agent.packs.careers.resumes import import_resume as store_resume


async def import_resume(owner: Owner, path: str) -> None:
    """JSON Resume as it is; text and Markdown through the parser's model."""
    source, name = read_source(path)
    settings = load_settings()
    # Before anything is started: a file that cannot be read is told at once.
    if parse_resume_file(source, name).data is not None:
        async with open_store(settings) as store:
            _say_resume(await _store_resume(store, owner, source, name, None))
        return
    async with open_service(settings) as service:

        async def parse(text: str) -> dict[str, Any]:
            return await service.parse_resume(text, owner.tenant_id, owner.user_id)

        with output.progress("reading the résumé …"):
            imported = await _store_resume(service.store, owner, source, name, parse)
        _say_resume(imported)


async def import_job(owner: Owner, path: str) -> None:
    source, name = read_source(path)
    parse_job_file(source, name)
    async with open_store(load_settings()) as store, store.transaction(owner.tenant_id) as db:
        row, is_new = await store_job(db, owner.tenant_id, owner.user_id, source, name)
    known = "" if is_new else " (known already by its URL, not doubled)"
    output.write_line(f"job {format_job(row)}{known}")


def read_source(path: str) -> tuple[Path | bytes, str]:
    """(the file, its name); `-` is stdin."""
    if path != "-":
        return Path(path), Path(path).name
    return sys.stdin.buffer.read(), "stdin"


async def _store_resume(
    store: Store, owner: Owner, source: Path | bytes, name: str, parse: ParseResume | None
) -> ImportedResume:
    return await store_resume(store, owner.tenant_id, owner.user_id, source, name, parse)


def _say_resume(imported: ImportedResume) -> None:
    data: dict[str, Any] = imported.data or {}
    basics: dict[str, Any] = data.get("basics") or {}
    name = basics.get("name") or "no name in it"
    counts = [f"{len(data.get(key) or [])} in {key}" for key in ("work", "education", "skills")]
    output.write_line(f"résumé, version {imported.version}: {name} · {' · '.join(counts)}")
