"""Plays turns through the service and writes down what became of them, without what may differ.

Ids, times and the ledger differ between two plays; node path, tool calls, texts and the domain's
rows may not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainloop.agent.service.service import Service
from plainloop.agent.store.records import CallInfo
from plainloop.agent.types import Message
from plainloop_careers.jobs.files import read_jobs
from plainloop_careers.resumes.imports import keep_resume, read_resume_file
from plainloop_careers.store import save_job

USER = "mira"
DATA = Path(__file__).parent / "data"
_ROWS = """
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name like $1 and column_name <> 'tenant_id'
        and data_type not in ('uuid', 'timestamp with time zone')
    group by table_name
    order by table_name
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message and what it led to."""

    asked: str
    path: list[str]  # the nodes, in order
    tools: list[tuple[str, dict[str, Any], str]]  # name, arguments, status
    messages: list[list[dict[str, Any]]]  # the parts of each, without ids and provider state
    answer: str


@dataclass(slots=True)
class Played:
    """A conversation: `turns` and `rows` are the same on every wire, `calls` are its cost."""

    turns: list[Turn] = field(default_factory=list[Turn])
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, Any])
    calls: list[list[CallInfo]] = field(default_factory=list[list[CallInfo]])


async def play(
    service: Service,
    tenant_id: str,
    asked: Iterable[str],
    *,
    resume: Path = DATA / "resume.md",
    job: Path = DATA / "job.txt",
) -> Played:
    """Import résumé and job, then say the turns in one thread."""
    await import_files(service, tenant_id, resume, job)
    thread = await service.ensure_thread(tenant_id, USER, None, "six turns")
    played = Played()
    for text in asked:
        await play_turn(service, tenant_id, thread.thread_id, text, played)
    played.rows = await load_rows(service, tenant_id)
    return played


async def import_files(
    service: Service,
    tenant_id: str,
    resume: Path = DATA / "resume.md",
    job: Path = DATA / "job.txt",
) -> None:
    async def parse(text: str) -> dict[str, Any]:
        return await service.parse_text(service.pack, text, tenant_id, USER)

    file = await read_resume_file(resume, resume.name, service.settings.limits)
    await keep_resume(service.store, (tenant_id, USER), file, parse)
    async with service.store.transaction(tenant_id) as db:
        (fields,) = read_jobs(job.read_bytes(), job.name).jobs
        await save_job(db, (tenant_id, USER), fields)


async def play_turn(
    service: Service, tenant_id: str, thread_id: str, text: str, played: Played
) -> None:
    outcome = await service.answer(tenant_id, USER, thread_id, text)
    run_id = outcome.run.run_id
    steps = await service.store.load_steps(tenant_id, run_id)
    tool_calls = await service.store.list_tool_calls(tenant_id, run_id)
    written = [message for step in steps for message in step.update.get("messages", [])]
    played.turns.append(
        Turn(
            asked=text,
            path=[step.node for step in steps],
            tools=[(call.name, call.arguments, call.status) for call in tool_calls],
            messages=[describe_message(message) for message in written],
            answer=outcome.answer,
        )
    )
    played.calls.append(await service.store.list_calls(tenant_id, run_id))


def describe_message(message: Message) -> list[dict[str, Any]]:
    """The role, then the parts without ids and without what a model keeps to itself."""
    hidden = {"id", "provider_state"}
    parts = [part for part in message["parts"] if part["type"] != "reasoning"]
    return [
        {"role": message["role"]},
        *({key: value for key, value in part.items() if key not in hidden} for part in parts),
    ]


async def load_rows(service: Service, tenant_id: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of the pack's tables but tenant, times and UUIDs."""
    rows: dict[str, list[dict[str, Any]]] = {}
    async with service.store.transaction(tenant_id) as db:
        for table in await db.fetch(_ROWS, f"{service.pack.name}\\_%"):
            columns = ", ".join(f'"{name}"' for name in sorted(table["columns"]))
            found = await db.fetch(
                f'select {columns} from "{table["name"]}" where tenant_id = $1', tenant_id
            )
            rows[table["name"]] = sorted((dict(row) for row in found), key=repr)
    return rows
