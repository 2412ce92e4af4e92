"""Builds the prompts and JSON schemas by which a model sorts a request. Pure."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ..base.caching.functions import cached_by_bytes, cached_by_identity
from ..base.messages.contents import (
    get_request_message,
    get_text,
    get_turn,
    get_words,
    make_text_message,
)
from ..base.messages.object_schema import make_object_schema
from ..base.text.cleaning import cut_text
from ..base.tokens.estimate import estimate_request_tokens
from ..core.spec import Pack
from ..types import ChatRequest, JsonSchema, Message

TRIAGE_MAX_TOKENS: Final = 2_000  # the answer takes 100; models that think first need the room
CONTEXT_CHARS: Final = 400  # of the exchange before, so that "yes, do it" can be sorted
ORDER: Final = ". Of values like a<b<c, field>=b means b or any later one"


def build_triage_request(pack: Pack, schema_context: str, messages: list[Message]) -> ChatRequest:
    """Build the request by which a model triages a message: worker, criteria, maybe a fast path."""
    own = pack.prompts.get("triage") or _read_prompt("triage.md")
    workers, _, schema = _read_pack(pack)
    return _build_request(_write_triage(own, workers, schema_context), schema, messages)


def build_route_request(pack: Pack, messages: list[Message]) -> ChatRequest:
    """Build the request by which a model chooses the worker for a message."""
    own = pack.prompts.get("route") or _read_prompt("route.md")
    workers, schema, _ = _read_pack(pack)
    return _build_request(own.format(workers=workers), schema, messages)


def estimate_tokens_of(request: ChatRequest) -> int:
    """Estimate a request's input tokens, without the JSON schema of its answer."""
    return estimate_request_tokens(request.system, request.messages)


@cached_by_identity(lambda _: 2**16)  # with the pack that it keeps
def _read_pack(pack: Pack) -> tuple[str, JsonSchema, JsonSchema]:
    """Return the list of workers for prompts, and the schemas of the router's and triage's answers.

    Records are one text: their shape in JSON took as many tokens as workers and entities together.
    """
    workers = "\n".join(f"- {worker.name}: {worker.description}" for worker in pack.workers)
    route: dict[str, Any] = {
        "worker": {"type": "string", "enum": [worker.name for worker in pack.workers]},
        "success_criteria": {"type": "string"},
    }
    triage = make_object_schema({**route, "records": {"type": "string"}})
    return workers, JsonSchema("route", make_object_schema(route)), JsonSchema("triage", triage)


def _build_request(prompt: str, schema: JsonSchema, messages: list[Message]) -> ChatRequest:
    return ChatRequest(
        system=prompt,
        messages=[*_build_context(messages), _copy(get_request_message(messages), None)],
        json_schema=schema,
        max_tokens=TRIAGE_MAX_TOKENS,
        effort="low",
    )


def _build_context(messages: list[Message]) -> list[Message]:
    """Return the previous question and its last answer, shortened."""
    before = messages[: len(messages) - len(get_turn(messages)) - 1]
    question = next((m for m in reversed(before) if m["role"] == "user"), None)
    answer = next((m for m in reversed(before) if m["role"] == "assistant" and get_text(m)), None)
    if question is None or answer is None:
        return []
    return [_copy(question, CONTEXT_CHARS), _copy(answer, CONTEXT_CHARS)]


def _copy(message: Message, max_chars: int | None) -> Message:
    text = get_words(message)
    cut = text if max_chars is None else cut_text(text, max_chars)
    return make_text_message(message["role"], cut)


@cached_by_bytes()  # all runs of a pack hold one text
def _write_triage(prompt: str, workers: str, entities: str) -> str:
    order = ORDER if "<" in entities else ""
    named = entities or "(none)"
    return prompt.format(workers=workers, entities=named, order=order)


@lru_cache(maxsize=8)
def _read_prompt(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").strip()
