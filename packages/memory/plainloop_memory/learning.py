"""What users said of themselves in conversations that have ended is kept, where a setting says so.

    a conversation is silent ──► claim what is new of it ──► a small model names quotes
                                                             those that the user said are kept

A model only chooses: what is kept is what the user typed, word for word, and nothing that a page, a
file, a tool or the model itself has said. A conversation is claimed before it is read: a replica
that dies meanwhile has read it, and keeps nothing of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.text.foreign_json import to_list
from plainloop.agent.base.text.json_text import parse_json_object
from plainloop.agent.core.api import ApiRoute
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.errors import AgentError, ConfigError, StoreError
from plainloop.agent.provenance.words import Words, is_plain
from plainloop.agent.service.service import Service
from plainloop.agent.store.outages import try_once
from plainloop.agent.types import ChatRequest, JsonSchema, Message

from .pack import NAME
from .settings import MemorySettings
from .store import Ended, NewMemory, claim_ended, list_ended, list_memories, save_memory
from .texts import fit_text, get_said

logger = logging.getLogger(__name__)

LOOK_S: Final = 60.0
AFTER_MOST_S: Final = 3_000.0
AT_ONCE: Final = 20  # conversations of one look
KEPT_MOST: Final = 3  # of what is new in one conversation
LEAST_WORDS: Final = 2
READ_CHARS: Final = 12_000  # of what the user said, the newest
ANSWER_TOKENS: Final = 400
PROMPT: Final = (Path(__file__).parent / "prompts" / "learn.md").read_text("utf-8").strip()
SHAPE: Final = JsonSchema(
    "quotes",
    {
        "type": "object",
        "properties": {"quotes": {"type": "array", "items": {"type": "string"}}},
        "required": ["quotes"],
    },
)


class LearnHost:
    """Reads conversations that have ended and saves memories from them, in the background."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._own = service.settings.get_table(MemorySettings)
        if (self._own.learn_after_s or 0) > AFTER_MOST_S:
            told = f"memory.learn_after_s must be at most {AFTER_MOST_S:g}"
            raise ConfigError(
                told, hint="The service can find ended conversations for one hour only."
            )
        self._packs = [p.name for p in service.packs if any(t.name == "remember" for t in p.tools)]
        self._task: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Return whether this service learns memories from ended conversations.

        Settings must allow it, and a served pack must store memories.
        """
        return self._own.learn_after_s is not None and any(
            pack.name == NAME for pack in self._service.packs
        )

    async def start(self) -> None:
        """Start polling for ended conversations, if settings turn learning on."""
        if self.is_on:
            self._task = asyncio.create_task(self._look_always())

    async def drain(self) -> None:
        """Stop reading conversations, because the service is shutting down."""
        if self._task is not None:
            await end_tasks(self._task)

    def list_routes(self, app: object) -> Iterable[ApiRoute]:
        """Return no routes, because the memory pack serves them."""
        return ()

    async def _look_always(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await try_once("learn", self.look())

    async def look(self) -> None:
        """Read ended conversations of all tenants, and save memories from each."""
        after_s = self._own.learn_after_s
        if after_s is None:
            return
        for ended in await list_ended(self._service.store, after_s, AT_ONCE, self._packs):
            try:
                await self._read(ended)
            except StoreError:
                raise
            except AgentError as error:  # no budget, no model: one conversation is no reason
                extra = {"thread_id": ended.thread_id, "code": error.code}
                logger.warning("memory_not_learned", extra=extra)

    async def _read(self, ended: Ended) -> None:
        """Read the new messages of an ended conversation, and save what the model quotes."""
        store, tenant_id, user_id = self._service.store, ended.tenant_id, ended.user_id
        async with store.transaction(tenant_id) as db:
            span = await claim_ended(db, tenant_id, user_id, ended.thread_id)
        if span is None:
            return
        messages = await store.load_messages(tenant_id, ended.thread_id)
        said = list_said(messages, span.first, span.until)
        if not said:
            return
        known = await list_memories(store.read(tenant_id), tenant_id, user_id)
        pack = self._service.get_pack(span.pack)
        async with self._service.open_context(pack, tenant_id, user_id) as ctx:
            request = build_request(said, [row["text"] for row in known])
            request = replace(request, timeout_s=ctx.limits.model_timeout_s)
            # The ledger keeps its numbers: these words have no conversation to go with.
            call = ModelCall("classifier", request, [], worker=NAME, is_stored=False)
            response = await call_model(call, ctx)
        quotes = to_list(parse_json_object(response.text).get("quotes"))
        whole = (quotes, said, ended.thread_id, self._own.text_chars)
        for new in await asyncio.to_thread(choose_quotes, *whole):
            async with store.transaction(tenant_id) as db:
                await save_memory(db, tenant_id, user_id, new, self._own.most)


def list_said(messages: Sequence[Message], first: int, until: int) -> list[tuple[int, str]]:
    """List what the user typed in these messages, as (position, text).

    first, until: the range of messages.
    """
    return [
        (position, text)
        for position, message in enumerate(messages[:until])
        if position >= first and (text := get_said(message).strip())
    ]


def build_request(said: Sequence[tuple[int, str]], known: Sequence[str]) -> ChatRequest:
    """Build the model request for quotes of the user that are worth remembering."""
    lines = "\n\n".join(text for _, text in said)
    kept = "\n".join(f"- {text}" for text in known) or "(nothing)"
    words = f"What is known:\n{kept}\n\nWhat the user said:\n{lines[-READ_CHARS:]}"
    return ChatRequest(
        system=PROMPT,
        messages=[make_text_message("user", words)],
        json_schema=SHAPE,
        max_tokens=ANSWER_TOKENS,
        effort="low",
    )


def choose_quotes(
    quotes: Sequence[Any], said: Sequence[tuple[int, str]], thread_id: str, most_chars: int
) -> list[NewMemory]:
    """Return as memories the model's quotes that the user really typed.

    Each has the position of its message.

    >>> said = [(4, "I live in Oslo now. Which seat is free?")]
    >>> quotes = ["I live in Oslo now", "I live in Rome now", "Oslo", 7]
    >>> [(new.text, new.position) for new in choose_quotes(quotes, said, "t", 300)]
    [('I live in Oslo now', 4)]
    """
    places = [(position, Words([text])) for position, text in said]
    found: list[NewMemory] = []
    for quote in quotes:
        text = fit_text(quote) if isinstance(quote, str) else ""
        is_kept = len(text.split()) >= LEAST_WORDS and len(text) <= most_chars and is_plain(text)
        position = next((place for place, words in places if text in words), None)
        if is_kept and position is not None:
            found.append(NewMemory(text, thread_id=thread_id, position=position))
    return found[:KEPT_MOST]
