"""Decides which thinking blocks may go back to a Claude model that binds them to their prefix.

From version 5.1 on, a thinking block is valid only behind the same system prompt, tools and
messages, including other thinking. Otherwise the API refuses the request, or drops the block and
those after it. So every block is stored with a digest of the request that produced it, as sent, and
is left out when the current request differs. A block without a digest (stored by an older version)
is left out too: its prefix cannot be verified, and in threads with several workers most would fail.
The cost is the reasoning of finished turns.

Source: platform.claude.com, build-with-claude/preserved-thinking, …/prefix-checks and
…/fix-bound-to-a-different-conversation.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from ...base.text.cleaning import format_count
from ...base.text.foreign_json import as_object, list_objects
from ...types import MessagePart, ProviderState
from ..provider_state import SentCall

# A version floor, not a list: every later model binds. A snapshot date is not a minor version.
_BINDING_MODEL: Final = re.compile(r"claude-[a-z]+-(?:5[-.][1-9]\d?|[6-9]|[1-9]\d)(?!\d)")
# They think by default and send the text of it only on request. Source: platform.claude.com,
# build-with-claude/thinking, "Controlling thinking display".
_OMITTING_MODEL: Final = re.compile(r"claude-[a-z]+-(?:[5-9]|[1-9]\d)(?!\d)")
_MARK: Final = "cache_control"  # which is no part of the prefix
_THINKING: Final = ("thinking", "redacted_thinking")
_BETA: Final = "thinking-binding-controls-2026-08-01"
# The second safety net, for changes that our digest does not see.
_DROP_BLOCK: Final = {"prefix_mismatch_behavior": "drop_block"}
_OUTCOMES: Final = {"thinking_dropped": "dropped", "thinking_mismatch_allowed": "let through"}
CHANGED: Final = "left out thinking: the request before it has changed"
UNKNOWN: Final = "left out thinking: the request before it is not known"


class Prefix:
    """A running digest of a request: system and tools first, then each block in order."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        """Start with the body's system prompt and tools."""
        # Twelve bytes: stored with every thinking part, and compared only within one thread.
        self._hash = hashlib.blake2b(digest_size=12)
        for name in ("system", "tools"):
            items = body.get(name) or ()
            kept = [{k: item[k] for k in sorted(item) if k != _MARK} for item in items]
            self._hash.update(orjson.dumps(kept))

    def add(self, role: str, block: Mapping[str, Any]) -> None:
        """Add one content block to the digest, with its role but without cache marks."""
        kept = {key: block[key] for key in sorted(block) if key != _MARK}
        self._hash.update(orjson.dumps([role, kept]))

    @property
    def digest(self) -> str:
        """Return the digest of all blocks so far, which precede the next thinking block."""
        return self._hash.hexdigest()


def binds_prefix(model: str) -> bool:
    """Return whether the model's API accepts a thinking block only after the same blocks as before.

    >>> binds_prefix("anthropic/claude-sonnet-5-5@eu"), binds_prefix("claude-opus-6")
    (True, True)
    >>> binds_prefix("claude-opus-5-20260901"), binds_prefix("claude-haiku-4-5-20251001")
    (False, False)
    """
    return _BINDING_MODEL.search(model) is not None


def is_thinking(block: Mapping[str, Any]) -> bool:
    """Return whether the block is a thinking block, plain or redacted."""
    return block.get("type") in _THINKING


def store_prefixes(
    parts: Sequence[Sequence[MessagePart]], blocks: Sequence[Mapping[str, Any]], sent: SentCall
) -> None:
    """Store in each thinking part a digest of the blocks before it, if the model validates that.

    parts: of each block of the answer.
    """
    is_bound = binds_prefix(sent.target.model) and any(map(is_thinking, blocks))
    if not is_bound or not sent.body:  # a batch result that is read without its request
        return
    prefix = digest_request(sent.body)
    for made, block in zip(parts, blocks, strict=True):
        for part in made if is_thinking(block) else ():
            state: ProviderState | None = part.get("provider_state")
            if state:
                state["prefix"] = prefix.digest
        # Compare with the block as received: if we alter it, later blocks must not go back.
        prefix.add("assistant", to_returned_form(block))


def digest_request(body: Mapping[str, Any]) -> Prefix:
    """Digest a request, which precedes the first thinking block of the answer."""
    prefix = Prefix(body)
    for message in body["messages"]:
        for block in message["content"]:
            prefix.add(message["role"], block)
    return prefix


def to_thinking(body: Mapping[str, Any], *, shows_reasoning: bool) -> dict[str, Any]:
    """Return the request's field `thinking`; {} if the model needs none.

    The models that need it think adaptively by default, so the field changes nothing else. Invalid
    blocks are dropped instead of refused; a body without thinking does not ask for that, because a
    gateway may not know the field.
    """
    fields: dict[str, Any] = {}
    if shows_reasoning and _OMITTING_MODEL.search(body["model"]):
        fields["display"] = "summarized"
    if binds_prefix(body["model"]) and any(
        True
        for message in body["messages"]
        for block in message["content"]
        if block["type"] in _THINKING
    ):
        # Only beside thinking: a gateway that does not know the field refuses the request.
        fields["block_binding"] = _DROP_BLOCK
    return {"thinking": {"type": "adaptive", **fields}} if fields else {}


def to_headers(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the HTTP header that the body's thinking fields require; {} if none."""
    needs_beta = "block_binding" in as_object(body.get("thinking"))
    return {"anthropic-beta": _BETA} if needs_beta else {}


def read_transformations(value: object) -> list[str]:
    """Describe, as notes, how the API changed the thinking blocks that were sent."""
    counts = Counter(
        (str(entry.get("type")), str(entry.get("reason"))) for entry in list_objects(value)
    )
    return [
        f"the provider {_OUTCOMES.get(kind, kind)} {format_count(count, 'part')} of thinking: "
        f"{reason}"
        for (kind, reason), count in counts.items()
    ]


def to_returned_form(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert a block of an answer to the form in which later requests must repeat it."""
    match block.get("type"):
        case "text":
            citations = {"citations": block["citations"]} if block.get("citations") else {}
            return {"type": "text", "text": block.get("text"), **citations}
        case "tool_use":
            call = {"type": "tool_use", "id": block.get("id"), "name": block.get("name")}
            return {**call, "input": block.get("input") or {}}
        case "thinking":
            thinking, signature = block.get("thinking") or "", block.get("signature")
            return {"type": "thinking", "thinking": thinking, "signature": signature}
        case _:
            return block
