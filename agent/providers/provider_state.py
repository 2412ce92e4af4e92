"""Defines the target of a call, how state that a provider wants back is tagged, and call ids."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from ..dataclasses import dataclass
from ..types import (
    ChatRequest,
    FunctionCall,
    Message,
    ProviderState,
    ReasoningPart,
    Record,
    TextPart,
)
from .defaults import Quirks


@dataclass(frozen=True, slots=True)
class Target:
    """One model at one provider, with the quirks of the server that serves it."""

    provider: str
    model: str
    quirks: Quirks
    refuses: frozenset[str] = frozenset()  # fields of `Wishes` that it cannot honour
    owner: str = ""  # address and account, from `name_owner`

    def tag(self, value: Any) -> ProviderState:
        """Wrap an opaque value with its model's name, to send it back to that model only."""
        state: ProviderState = {"provider": self.provider, "model": self.model, "value": value}
        return {**state, "owner": self.owner} if self.owner else state

    def make_part(
        self, kind: Literal["text", "reasoning"], text: str, state: Any = None
    ) -> TextPart | ReasoningPart:
        """Build a text or reasoning part of this model's answer.

        state: what is sent back unchanged; None: nothing.
        """
        part: Any = {"type": kind, "text": text}
        if state is not None:
            part["provider_state"] = self.tag(state)
        return part

    def read_model(self, stated: object) -> str:
        """Return the name of the model that answered, as stated, or else the requested one."""
        return stated if isinstance(stated, str) and stated else self.model


class SentCall(Record, frozen=True):
    """A request as it was sent, with the data needed to read its answer."""

    request: ChatRequest
    target: Target
    body: Mapping[str, Any]
    notes: list[str]  # on what the body could not carry
    request_id: str | None  # the server's own, known from its headers


def name_owner(base_url: str, api_key: str) -> str:
    """Return a name for a provider account, made of its address and a hash of its key.

    >>> name_owner("https://api.anthropic.com", "sk-1")
    'api.anthropic.com#0f2c10bf'
    """
    # A digest: it is stored in threads, and shown by `doctor thread`; the key must not be.
    account = hashlib.sha256(api_key.encode()).hexdigest()[:8]
    parts = urlsplit(base_url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}#{account}"


def read_id(body: Mapping[str, Any]) -> str | None:
    """Return the id that the server gave to its answer; None without one."""
    stated = body.get("id")
    return stated if isinstance(stated, str) and stated else None


class ToolIds:
    """Assigns ids to the calls of one answer: the provider's if unique, else our own."""

    def __init__(self, target: Target, history: Iterable[Message]) -> None:
        self._target = target
        self._used = {
            part["id"]
            for message in history
            for part in message["parts"]
            if part["type"] == "tool_call"
        }

    def assign(
        self, call: FunctionCall, wire_id: str | None, state: dict[str, Any]
    ) -> FunctionCall:
        """Return the call with an id that is unique in the thread, if possible the provider's.

        What it sent is kept for the way back where it would not go back as it is: models read
        their ids (Kimi K2 stalls on another than its own `functions.NAME:0`).
        """
        # Kimi counts ids in each message anew (`get_weather_0`), and two calls of one id in a
        # thread leave their results unmatched
        # (test_repeated_provider_call_ids_become_unique_in_the_thread).
        if wire_id and wire_id not in self._used and not self._target.quirks.ids_repeat:
            call["id"] = wire_id
        else:
            call["id"] = f"call_{uuid.uuid4().hex[:24]}"
        if wire_id and to_wire_id(self._target, call["id"]) != wire_id:
            state = {**state, "id": wire_id}
        if state:
            call["provider_state"] = self._target.tag(state)
        self._used.add(call["id"])
        return call


def to_wire_id(target: Target, tool_call_id: str) -> str:
    """Convert a tool call's id, always in the same way, to a form that the target accepts."""
    if re.fullmatch(target.quirks.tool_id_pattern, tool_call_id):
        return tool_call_id
    # A digest, not a random id: the same thread must be sent in the same bytes, or no cache finds
    # it.
    return f"call_{hashlib.sha256(tool_call_id.encode()).hexdigest()[:24]}"
