"""Interviews through the real service: what was said, which events, what the model was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.events import Event
from plainloop.agent.packs.prompts import change_prompts
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse, StreamDelta
from tests.machine.scripted import ScriptedModels, ScriptedProvider
from tests.replaying import load_recorded, replay_stored

SETTINGS = {"AGENT_PROVIDER": "offline"}


@dataclass
class Turn:
    """What one message came to. error: the code that ended it; shown: the events folded."""

    events: list[Event] = field(default_factory=list[Event])
    error: str | None = None

    def list_data(self, name: str) -> list[dict[str, Any]]:
        return [event["data"] for event in self.events if event["event"] == name]

    @property
    def tools(self) -> list[str]:
        return [item["name"] for item in self.list_data("tool_start")]

    @property
    def ending(self) -> list[str]:
        """The events that tell how it ended."""
        telling = {"onboarding_complete", "done", "error"}
        return [event["event"] for event in self.events if event["event"] in telling]

    @property
    def shown(self) -> str:
        text = ""
        for event in self.events:
            if event["event"] == "text_reset":
                text = ""
            elif event["event"] == "text_delta":
                text += event["data"]["content"]
        return text

    @property
    def done(self) -> str:
        (data,) = self.list_data("done")
        return data["content"]


@dataclass
class Interviewing:
    """One user in the interview of a service."""

    service: Service
    tenant_id: str = "t1"
    user_id: str = "u1"

    async def say(self, text: str | None) -> Turn:
        """text None: the agent is to speak first."""
        turn = Turn()
        thread = await self.service.ensure_interview(self.tenant_id, self.user_id)
        await self.service.answer(
            self.tenant_id, self.user_id, thread.thread_id, text, turn.events.append
        )
        turn.error = next((data["code"] for data in turn.list_data("error")), None)
        return turn


class Letters(ScriptedProvider):
    """A scripted provider whose stream comes in pieces of `size` characters."""

    size = 1

    async def generate_stream(
        self, request: ChatRequest
    ) -> AsyncIterator[StreamDelta | LLMResponse]:
        response = await self.generate(request)
        for start in range(0, len(response.text), self.size):
            yield StreamDelta(text=response.text[start : start + self.size])
        yield response


def make_scripted(
    settings: Settings, store: Store, pack: Pack, *script: Any, size: int = 1
) -> tuple[Service, ScriptedProvider]:
    """A service whose model answers from the script; the caller keeps the store."""
    provider = Letters(*script)
    provider.size = size
    models = cast(Models, ScriptedModels(provider))
    return Service(settings, store, models, (pack,)), provider


@asynccontextmanager
async def open_offline(settings: Settings, **environ: str) -> AsyncIterator[Service]:
    """The whole service on the test's database, without a language model."""
    own = load_settings({**SETTINGS, "AGENT_DATA_DIR": str(settings.data_dir), **environ})
    async with open_service(own.with_tables(settings.get_table(DatabaseSettings))) as service:
        yield service


async def replay_interview(
    service: Service, prompts: Mapping[str, str] = MappingProxyType({})
) -> Any:
    """The user's interview through the code of today, by way of a file. prompts: today's."""
    thread = await service.ensure_interview("t1", "u1")
    recorded = await load_recorded(service.store, "t1", thread.thread_id)
    packs = {pack.name: change_prompts(pack, prompts) for pack in service.packs}
    return await replay_stored(recorded, packs, service.settings)
