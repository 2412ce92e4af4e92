"""Requests that a chat program makes for itself beside the conversation: titles, tags, follow-ups.

Open WebUI and LibreChat send them like any other; they are known by how they begin. They see no
tool and no thread, the cheapest role answers, and in the ledger their worker is `side_request`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....agent.base.messages import make_text_message
from ....agent.base.text import clean_text
from ....agent.core.api import ApiRequest
from ....agent.core.llm import ModelCall, call_model
from ....agent.service.service import Service
from ....agent.types import ChatRequest, LLMResponse
from .shapes import ChatMessage

WORKER: Final = "side_request"
_TOKENS: Final = 1_000
# How the default prompts of Open WebUI's tasks and of LibreChat's titles begin.
_BEGINNINGS: Final = (
    "### Task:",
    "Provide a concise, 5-word-or-less title for the conversation",
    "Please generate a concise, 5-word-or-less title for the conversation",
    "Analyze this conversation and provide:",
)


def is_side_request(messages: Sequence[ChatMessage]) -> bool:
    """Whether no person has asked this."""
    texts = [item.text.lstrip() for item in messages if item.role in ("user", "system")]
    return any(text.startswith(_BEGINNINGS) for text in texts)


async def answer_side_request(
    service: Service, request: ApiRequest, messages: Sequence[ChatMessage]
) -> LLMResponse:
    """One call without tools. Raises: ModelError, BudgetExceeded."""
    system = "\n\n".join(item.text for item in messages if item.role == "system")
    said = [
        make_text_message(item.role, clean_text(item.text))
        for item in messages
        if item.role in ("user", "assistant") and item.text.strip()
    ]
    if not any(message["role"] == "user" for message in said):
        said = [make_text_message("user", clean_text(system))]
    asked = ChatRequest(clean_text(system), said, max_tokens=_TOKENS, effort="low")
    async with service.open_context(service.pack, *request.owner) as ctx:
        return await call_model(ModelCall("classifier", asked, [], said, WORKER), ctx)
