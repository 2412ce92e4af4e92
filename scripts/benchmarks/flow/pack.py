"""The benchmark's pack: 16 tools, 3 workers, one entity."""

from __future__ import annotations

from pathlib import Path

from plainloop.agent.core.seams import RunView
from plainloop.agent.core.spec import EntitySpec, FieldSpec, Pack, WorkerSpec
from plainloop.agent.store.runs import load_prompt_read
from scripts.benchmarks.flow import tools

FOLDER = Path(__file__).parent
STATUSES = {name: (name, f"{name} to", f"{name} for") for name in ("saved", "applied", "rejected")}

JOBS = EntitySpec(
    name="jobs",
    table="bench_jobs",
    id_column="job_id",
    singular="job",
    words=("job", "jobs", "application", "applications"),
    fields=(
        FieldSpec("company", "company", words=("company", "employer", "at"), is_lookup=True),
        FieldSpec("title", "title", words=("title",), is_lookup=True),
        FieldSpec("status", "status", "enum", words=("status",), values=STATUSES),
        FieldSpec("location", "location", words=("location", "city")),
        FieldSpec("salary_max", "salary_max", "int", words=("salary",)),
        FieldSpec("notes", "notes", words=("notes",)),
    ),
    title=lambda row: f"#{row['job_id']} {row['title']} at {row['company']} ({row['status']})",
    default_order="company",
)
WORKERS = (
    WorkerSpec(
        name="tracker",
        description="save, change, move, list or show jobs in the tracker; change the profile",
        prompt=(FOLDER / "prompts/tracker.md").read_text().strip(),
        tools=tuple(item.name for item in tools.TRACKER),
        evaluate="never",
        rare=(
            *("delete_job", "list_contacts", "create_contact", "schedule_reminder"),
            *("read_resume", "update_user_profile"),
        ),
    ),
    WorkerSpec(
        name="search",
        description="find new openings, compare jobs or say which job fits best",
        prompt=(FOLDER / "prompts/search.md").read_text().strip(),
        tools=tuple(item.name for item in tools.SEARCH),
        evaluate="auto",
        evaluate_after=1,
        rare=("web_search", "scrape_url", "read_company"),
    ),
    WorkerSpec(
        name="letters",
        description="write or rewrite a cover letter for a job",
        prompt=(FOLDER / "prompts/letters.md").read_text().strip(),
        tools=tuple(item.name for item in tools.LETTERS),
        evaluate="always",
    ),
)


async def load_prompt_context(ctx: RunView) -> str:
    """The profile, as the careers pack puts it into every worker's prompt."""
    db = ctx.store.read(ctx.tenant_id)
    profile = await load_prompt_read(db, ctx.run, "bench_read_profile")
    return f"Profile of the user:\n{profile or ''}"


def make_pack() -> Pack:
    return Pack(
        name="bench",
        title="Benchmark",
        workers=WORKERS,
        default_worker="tracker",
        tools=tools.ALL_TOOLS,
        entities=(JOBS,),
        migrations=FOLDER / "migrations",
        load_prompt_context=load_prompt_context,
        prompt_reads=("bench_read_profile",),
    )
