"""`bench week`: a week of conversations of several tenants, users and models, then `usage` of it.

The whole machine runs, over a wire server that answers from rules and fails now and then; each run
is then moved to its place in the week. The same seed gives the same conversations.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import AgentError
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop_rules.offline.brain import brain
from plainloop_wire.app import make_app
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.serving import build_environ, serve_wire
from scripts.benchmarks.rig.postgres import scratch_postgres

MODELS: Final = (
    ("anthropic", "claude-sonnet-5-5"),
    ("openai", "gpt-6.1-terra"),
    ("gemini", "gemini-3.8-flash"),
    ("openai", "a-model-of-our-own"),
)
USERS: Final = {"acme": ("ada", "bo", "cleo"), "initech": ("dan", "eve"), "umbrella": ("fay",)}
MESSAGES: Final = (
    "how many jobs have I applied to?",
    "list my saved jobs",
    "add a job: {title} at {company}, remote",
    "move the {company} job to applied",
    "write a cover letter for the {company} job",
    "what should I ask in an interview at {company}?",
    "find me remote {title} jobs and compare them",
)
COMPANIES: Final = ("Hooli", "Cafe Uno", "Stark Industries", "Wonka", "Acme Rockets")
TITLES: Final = ("Web Developer", "Cook", "Data Engineer", "Nurse")
FAILING: Final = 0.12  # of the conversations meet one of these, once
FAULTS: Final = (Fault(status=529), Fault(cut_after_events=4), Fault(status=429, retry_after_s=0.1))


@dataclass(frozen=True, slots=True)
class Visit:
    """One conversation: whose, with which model, when."""

    tenant: str
    user: str
    model: int
    at: datetime
    messages: tuple[str, ...]


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench week", description=__doc__)
    parser.add_argument("--conversations", type=int, default=60, help="in the week")
    parser.add_argument("--seed", type=int, default=7, help="another seed is another week")
    parser.add_argument("--tenant", default="*", help="whose usage is shown; * for all")
    options = parser.parse_args(argv)
    logging.disable(logging.CRITICAL)
    with scratch_postgres() as url, tempfile.TemporaryDirectory() as folder:
        base = {"DATABASE_URL": url, "AGENT_DATA_DIR": folder, "PATH": os.environ["PATH"]}
        now = datetime.now(UTC)
        asyncio.run(play(plan_week(options.conversations, options.seed, now), base))
        command = [sys.executable, "-m", "plainloop", "usage", "--tenant", options.tenant]
        subprocess.run(command, env=base, check=True)


def plan_week(conversations: int, seed: int, now: datetime) -> list[Visit]:
    """More on weekdays, by day; some users write more than others."""
    rng = random.Random(seed)
    owners = [(tenant, user) for tenant, users in USERS.items() for user in users]
    weights = [1 / (n + 1) for n in range(len(owners))]
    visits: list[Visit] = []
    while len(visits) < conversations:
        at = now - timedelta(hours=rng.uniform(2, 7 * 24))
        if rng.random() > (0.3 if at.weekday() > 4 else 1.0) * (1 if 7 < at.hour < 20 else 0.1):
            continue
        tenant, user = rng.choices(owners, weights)[0]
        texts = rng.choices(MESSAGES, k=rng.randint(1, 4))
        said = tuple(
            text.format(title=rng.choice(TITLES), company=rng.choice(COMPANIES)) for text in texts
        )
        model = rng.choices(range(len(MODELS)), (6, 4, 3, 1))[0]
        visits.append(Visit(tenant, user, model, at, said))
    return sorted(visits, key=lambda visit: visit.at)


async def play(visits: Sequence[Visit], base: dict[str, str]) -> None:
    async with AsyncExitStack() as stack:
        app = make_app(brain)
        url = await stack.enter_async_context(serve_wire(app))
        services = [
            await stack.enter_async_context(open_service(load_settings(_aim(base, n, url))))
            for n in range(len(MODELS))
        ]
        faults = app.state.wire.faults
        rng = random.Random(len(visits))
        for visit in visits:
            if rng.random() < FAILING:
                faults.load(Faults(series=(rng.choice(FAULTS),)))
            await _hold(services[visit.model], visit)


def _aim(base: dict[str, str], n: int, url: str) -> dict[str, str]:
    provider, model = MODELS[n]
    return base | build_environ(provider, url) | {"AGENT_MODEL": model}


async def _hold(service: Service, visit: Visit) -> None:
    thread = await service.ensure_thread(visit.tenant, visit.user, None, visit.messages[0])
    for n, text in enumerate(visit.messages):
        with suppress(AgentError):  # it is in the ledger
            await service.answer(visit.tenant, visit.user, thread.thread_id, text)
        await _move(service, visit.tenant, visit.at + timedelta(minutes=3 * n))


async def _move(service: Service, tenant: str, at: datetime) -> None:
    """What was written just now happened then."""
    recent = datetime.now(UTC) - timedelta(hours=1)
    async with service.store.transaction(tenant) as tx:
        for table, column in (("llm_calls", "created_at"), ("steps", "started_at")):
            await tx.execute(
                f"update {table} set {column} = $2 where tenant_id = $1 and {column} > $3",
                tenant,
                at,
                recent,
            )
