"""Titles of conversations: the small model writes one in the background after the first answer.

    the first answer is stored ──► the title is still the first words ──► one call at low effort
                                                                          └► replaces those words

A title that a person wrote, before or meanwhile, stays. Without a model the first words stay, and
so they do in conversations of the protocols, whose clients have titles of their own, or show none.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..base.finishing import end_tasks
from ..base.messages.contents import get_text, make_text_message
from ..base.text.cleaning import clean_text, make_title
from ..base.text.json_text import parse_json_object
from ..core.api import ApiRoute
from ..core.llm import ModelCall, call_model
from ..errors import AgentError, StoreError
from ..providers.defaults import PROVIDER_DEFAULTS
from ..providers.pricing import OFFLINE
from ..store.outages import try_once
from ..store.records import Run
from ..store.threads import replace_title
from ..types import ChatRequest, JsonSchema, Message
from .service import Service
from .settings import TitleSettings

logger = logging.getLogger(__name__)

NAME: Final = "titles"  # as whose work the ledger shows the calls
READ_CHARS: Final = 2_000  # of the message, and of the answer
ANSWER_TOKENS: Final = 300
PROMPT: Final = (Path(__file__).parent / "title.md").read_text("utf-8").strip()
SHAPE: Final = JsonSchema(
    "title",
    {
        "type": "object",
        "properties": {"title": {"type": "string"}},
        "required": ["title"],
        "additionalProperties": False,
    },
)


class Titles:
    """Writes conversation titles in the background: `begin` after each run, `drain` at the end."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.tasks: set[asyncio.Task[bool]] = set()

    async def start(self) -> None:
        """Do nothing. Other implementations may start a task here; this one reacts to `begin`."""

    async def drain(self) -> None:
        """Cancel the model calls for titles that are in progress."""
        await end_tasks(*self.tasks)

    def list_routes(self, app: object) -> Iterable[ApiRoute]:
        """Return no routes, because this implementation adds none to the HTTP API."""
        return ()

    def begin(self, run: Run) -> None:
        """Start to write a conversation's title after the run that answered its first message.
        Only if a model is there and the setting allows it.
        """
        service = self._service
        is_wanted = run.input_position == 0 and service.settings.get_table(TitleSettings).titles
        provider = service.models.resolve("classifier").provider if is_wanted else OFFLINE
        if provider == OFFLINE or provider not in PROVIDER_DEFAULTS:
            return
        task = asyncio.create_task(try_once(NAME, self.write(run)), name=f"title {run.run_id}")
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def write(self, run: Run) -> None:
        """Replace a conversation's first words, its provisional title, by a model's title.

        Raises: StoreError.
        """
        service, owner = self._service, (run.tenant_id, run.user_id)
        messages = await service.store.load_messages(run.tenant_id, run.thread_id)
        first_words = make_title(get_text(messages[0])) if messages else ""
        try:
            thread = await service.store.load_thread(*owner, run.thread_id)
            # A title that a person set, or a protocol's client, is worth no call.
            if thread.kind != "chat" or thread.title != first_words:
                return
            async with service.open_context(service.get_pack(run.pack), *owner) as ctx:
                # The ledger keeps the numbers only: an erased conversation leaves no title there.
                call = ModelCall(
                    "classifier", build_request(messages), [], worker=NAME, is_stored=False
                )
                response = await call_model(call, ctx)
        except StoreError:
            raise
        except AgentError as error:  # no budget, no model, erased meanwhile: nothing to name
            logger.warning("title_not_written", extra={"code": error.code})
            return
        title = fit_title(parse_json_object(response.text).get("title")) or first_words
        async with service.store.transaction(run.tenant_id) as tx:
            # By a condition in the statement: the person may set one while the model answers.
            await replace_title(tx, run.user_id, run.thread_id, first_words, title)


def build_request(messages: list[Message]) -> ChatRequest:
    """Build the model request for a conversation's title."""
    texts = [get_text(message)[:READ_CHARS] for message in (messages[0], messages[-1])]
    shown = "The user:\n{}\n\nThe answer:\n{}".format(*texts)
    return ChatRequest(
        system=PROMPT,
        messages=[make_text_message("user", shown)],
        json_schema=SHAPE,
        max_tokens=ANSWER_TOKENS,
        effort="low",
    )


def fit_title(text: object) -> str:
    """Convert a model's title to one line without quotation marks; "" if it is unusable.

    >>> fit_title(' "Letter to\\nContoso" '), fit_title("“Jobs in Berlin.”"), fit_title(None)
    ('Letter to Contoso', 'Jobs in Berlin', '')
    """
    line = " ".join(clean_text(text).split()) if isinstance(text, str) else ""
    return make_title(line.strip("\"'“”„«» ").removesuffix("."))
