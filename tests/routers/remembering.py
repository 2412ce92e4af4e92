"""A service whose triage is a model behind the wire, which answers as the test says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import RunOutcome, Service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.records import StepInfo
from plainloop.agent.types import ChatRequest, LLMResponse, Message, Usage

TENANT, USER = "acme", "ann"
Sort = Callable[[str, bool], dict[str, Any]]


def worker(name: str = "general", criteria: str = "is right") -> dict[str, Any]:
    return {
        "worker": name,
        "success_criteria": criteria,
        "fast_intent": "none",
        "entity_type": "none",
        "filters": [],
    }


def fast(intent: str, entity: str = "jobs", **filters: str) -> dict[str, Any]:
    pairs = [{"field": name, "value": value} for name, value in filters.items()]
    return {**worker("crm_worker"), "fast_intent": intent, "entity_type": entity, "filters": pairs}


@dataclass
class SortingBrain:
    """sort: a sentence, and whether something was said before → triage's answer; every sentence
    that it was asked for is in `asked`. Workers say "Done.", or what `says` says.
    """

    sort: Sort = lambda _text, _within: worker()
    asked: list[str] = field(default_factory=list[str])
    says: str = "Done."

    def answer(self, request: ChatRequest) -> LLMResponse:
        text = self.says
        if (request.system or "").startswith("You sort requests"):
            said = get_text(request.messages[-1])
            self.asked.append(said)
            text = json.dumps(self.sort(said, len(request.messages) > 1))
        message: Message = {"role": "assistant", "parts": [{"type": "text", "text": text}]}
        return LLMResponse(message, "end", Usage(10, 0, 0, 5, None, raw={}), "any")


@dataclass
class Office:
    """Users of a service, each message in a new conversation unless one is named."""

    service: Service
    brain: SortingBrain

    async def ask(
        self, text: str, user: str = USER, tenant: str = TENANT, thread: str | None = None
    ) -> RunOutcome:
        found = await self.service.ensure_thread(tenant, user, thread, "test")
        return await self.service.answer(tenant, user, found.thread_id, text)

    async def teach(self, *texts: str, user: str = USER, times: int = 3) -> None:
        """Each said so often, in conversations of its own."""
        for text in texts:
            for _ in range(times):
                await self.ask(text, user)

    async def is_free(self, text: str, user: str = USER, tenant: str = TENANT, **more: Any) -> bool:
        """Whether triage was not asked."""
        before = len(self.brain.asked)
        await self.ask(text, user, tenant, **more)
        return len(self.brain.asked) == before

    async def load_steps(self, told: RunOutcome, tenant: str = TENANT) -> list[StepInfo]:
        return await self.service.store.load_steps(tenant, told.run.run_id)

    async def add_job(self, n: int, company: str, user: str = USER, **more: Any) -> None:
        row = {"tenant_id": TENANT, "user_id": user, "job_id": n, "company": company}
        row = {"title": f"Cook {n}", **row, **more}
        marks = ", ".join(f"${i}" for i in range(1, len(row) + 1))
        sql = f"insert into tracker_jobs ({', '.join(row)}) values ({marks})"
        await self.service.store.read(row["tenant_id"]).execute(sql, *row.values())


@asynccontextmanager
async def open_office(
    settings: Settings, base_url: str, brain: SortingBrain, **agent: Any
) -> AsyncIterator[Office]:
    """agent: settings of `[agent]`."""
    told = load_settings(
        {
            "AGENT_DATA_DIR": str(settings.data_dir),
            "AGENT_PACKS": ",".join(settings.agent.packs),
            "AGENT_PROVIDER": "anthropic",
            "AGENT_API_BASE": base_url,
            "ANTHROPIC_API_KEY": "any",
        }
    )
    own = replace(
        told.with_tables(settings.get_table(DatabaseSettings)), agent=replace(told.agent, **agent)
    )
    async with open_service(own, loads_sdk=False) as service:
        yield Office(service, brain)
