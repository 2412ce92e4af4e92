"""Requests that a chat program makes for itself beside the conversation: titles, tags, follow-ups.

Open WebUI and LibreChat send them like any other; they are known by how they begin. They see no
tool and no thread, the cheapest role answers, and in the ledger their worker is `side_request`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.wishes import (
    apply_wishes,
    check_supported,
    list_unused,
    settle_preferences,
)
from plainloop.agent.base.text.cleaning import check_message, clean_text
from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.core.llm import ModelCall, call_model
from plainloop.agent.service.service import Service
from plainloop.agent.service.settings import RequestSettings
from plainloop.agent.service.variants import SIDE_REQUEST
from plainloop.agent.types import ChatRequest, LLMResponse, RunOptions

from .shapes import ChatMessage

WORKER: Final = SIDE_REQUEST
_TOKENS: Final = 1_000
_BEGINNING_CHARS: Final = 400
# How the default prompts of Open WebUI's tasks and of LibreChat's titles begin, blanks as one.
# "### Task:" alone is no sign: Open WebUI's template for documents begins so, too.
_BEGINNINGS: Final = (
    "### Task: Generate a concise title summarizing the chat history",
    "### Task: Generate a concise, 3-5 word title",
    "### Task: Generate 1-3 broad tags categorizing the main themes",
    "### Task: Suggest 3-5 relevant follow-up questions or prompts",
    "### Task: Analyze the chat history to determine the necessity of generating search queries",
    "### Task: You are an autocompletion system.",
    "### Task: Generate a detailed prompt for a",  # "am image generation task", as they write it
    "Your task is to reflect the speaker's likely facial expression through a fitting emoji.",
    "Create a concise, 3-5 word title with an emoji as a title for the",
    "Provide a concise, 5-word-or-less title for the conversation",
    "Please generate a concise, 5-word-or-less title for the conversation",
    "Analyze this conversation and provide: 1. The detected language of the conversation",
)


def is_side_request(messages: Sequence[ChatMessage]) -> bool:
    """Return whether a program sent the request itself, for a title, say.

    Programs are recognised by the beginnings of their prompts. LibreChat's older titles come as a
    system message, and nothing else.
    """
    users = [item for item in messages if item.role == "user"]
    newest = (users or messages)[-1:]
    texts = [item.text for item in newest if item.role in ("user", "system")]
    return any(
        " ".join(text.lstrip()[:_BEGINNING_CHARS].split()).startswith(_BEGINNINGS) for text in texts
    )


async def answer_side_request(
    service: Service, request: ApiRequest, messages: Sequence[ChatMessage], options: RunOptions
) -> tuple[LLMResponse, Sequence[str]]:
    """Answer a program's own request, such as one for a title, by one model call.

    No tools are offered and no run is started. Returns the answer, and the names of the ignored
    preferences.

    Raises: InputError for what the model does not take, and for more than a message may have;
    ModelError, BudgetExceeded.
    """
    limits = request.settings.limits
    check_message("\n".join(item.text for item in messages), limits.message_chars)
    system = "\n\n".join(item.text for item in messages if item.role == "system")
    spoken = [item for item in messages if item.role in ("user", "assistant") and item.text.strip()]
    if not any(item.role == "user" for item in spoken):
        spoken = [ChatMessage("user", system)]
    texts = [clean_text(text) for text in (system, *(item.text for item in spoken))]
    size = sum(map(estimate_tokens, texts))
    share = min(1.0, limits.window_tokens / max(1, size))
    system, *words = [_leave_out_middle(text, int(len(text) * share)) for text in texts]
    seen = [make_text_message(item.role, text) for item, text in zip(spoken, words, strict=True)]
    request_of_model = ChatRequest(system, seen, max_tokens=_TOKENS, effort="low")
    request_of_model = apply_wishes(request_of_model, options, with_system=False)
    handles = service.models.resolve_chain("classifier", WORKER)
    refused = {handle.label: handle.refuses for handle in handles}
    check_supported(options, refused)
    is_strict = request.settings.get_table(RequestSettings).preferences == "refuse"
    options = settle_preferences(options, refused, is_strict=is_strict)
    async with service.open_context(service.pack, *request.owner) as ctx:
        answer = await call_model(ModelCall("classifier", request_of_model, [], seen, WORKER), ctx)
    return answer, list_unused(options)


def _leave_out_middle(text: str, max_chars: int) -> str:
    """Shorten a text in its middle: the request is at its beginning, the newest message at its end.

    >>> _leave_out_middle("abcdefgh", 4)
    'ab…gh'
    """
    if len(text) <= max_chars:
        return text
    half = max_chars // 2
    return f"{text[:half]}…{text[len(text) - half :]}"
