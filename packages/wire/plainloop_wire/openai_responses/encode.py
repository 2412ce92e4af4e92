"""From an answer to a response object: its items, its status, what was asked echoed."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.types import Stop

from ..answer import Answer, AnswerPart, Counts, make_id
from .sealing import make_item_id, make_reasoning_id, seal

_INCOMPLETE: Final[dict[Stop, str]] = {
    "length": "max_output_tokens",
    "content_filter": "content_filter",
}
# Models that tell commentary before calls from the final answer.
_PHASED: Final = re.compile(r"gpt-(5\.[6-9]|[6-9]|\d\d)")
# What of the request is in every response, and what it is where it was not set.
_ECHOED: Final[dict[str, Any]] = {
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
}
Item = dict[str, Any]


def to_body(answer: Answer) -> dict[str, Any]:
    reason = _INCOMPLETE.get(answer.stop)
    return {
        **to_head(answer, "incomplete" if reason else "completed"),
        "completed_at": None if reason else answer.created_s,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": [to_item(answer, part) for part in list_parts(answer)],
        "usage": to_usage(answer.counts),
    }


def to_head(answer: Answer, status: str) -> dict[str, Any]:
    """Build the response object with this status, but without output and usage."""
    asked = answer.options["asked"]
    echoed = {key: asked.get(key) or default for key, default in _ECHOED.items()}
    return {
        "id": make_id("resp_", answer.seed, 48),
        "object": "response",
        "created_at": answer.created_s,
        "status": status,
        "background": False,
        "completed_at": None,
        "error": None,
        "incomplete_details": None,
        "model": answer.model,
        "output": [],
        "service_tier": "default",
        "usage": None,
        **echoed,
    }


def to_usage(counts: Counts) -> dict[str, Any]:
    output = counts.output + counts.reasoning
    return {
        "input_tokens": counts.prompt.total,
        "input_tokens_details": {
            "cache_write_tokens": counts.prompt.written,
            "cache_write_tokens_details": {
                "ttl_30m_tokens": counts.prompt.write,
                "ttl_12h_tokens": counts.prompt.write_long,
            },
            "cached_tokens": counts.prompt.read,
        },
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": counts.reasoning},
        "total_tokens": counts.prompt.total + output,
    }


def list_parts(answer: Answer) -> list[AnswerPart]:
    """List the parts of an answer that become output items.

    The list of a reasoning model begins with reasoning.
    """
    said = [part for part in answer.parts if part.kind != "reasoning"]
    if answer.refusal is not None:
        said.append(AnswerPart("text", ""))
    if not answer.options["reasons"]:
        return said
    thought = "".join(part.text for part in answer.parts if part.kind == "reasoning")
    return [AnswerPart("reasoning", thought if answer.shows_reasoning else ""), *said]


def to_item(answer: Answer, part: AnswerPart) -> Item:
    """Convert a part of the answer to its finished output item."""
    if part.kind == "reasoning":
        item_id = make_reasoning_id(answer.seed)
        item: Item = {"id": item_id, "type": "reasoning", "summary": []}
        if answer.options["encrypts"]:
            item |= {
                "content": [],
                "encrypted_content": seal(answer.model, answer.options["account"], item_id),
            }
        if part.text:
            item["summary"] = [{"type": "summary_text", "text": part.text}]
        return item
    status = "incomplete" if part.is_cut else "completed"
    if part.kind == "tool_call":
        return {
            "id": _make_item_id(answer, "fc_", part),
            "type": "function_call",
            "status": status,
            "arguments": part.text,
            "call_id": make_id("call_", part.id, 24),
            "name": part.name,
        }
    has_calls = any(other.kind == "tool_call" for other in answer.parts)
    phase = {"phase": "commentary" if has_calls else "final_answer"}
    return {
        "id": _make_item_id(answer, "msg_", part),
        "type": "message",
        "status": status,
        "content": [to_content(answer, part)],
        "role": "assistant",
        **(phase if _PHASED.match(answer.model) else {}),
    }


def to_content(answer: Answer, part: AnswerPart) -> Item:
    """Convert a text part to the content of a message.

    If the model refused, an empty text becomes the refusal.
    """
    if not part.text and answer.refusal is not None:
        return {"type": "refusal", "refusal": answer.refusal}
    return {"type": "output_text", "annotations": [], "logprobs": [], "text": part.text}


def _make_item_id(answer: Answer, prefix: str, part: AnswerPart) -> str:
    has_reasoning = bool(answer.options["reasons"])
    return make_item_id(prefix, answer.seed, part.id + part.text, has_reasoning=has_reasoning)
