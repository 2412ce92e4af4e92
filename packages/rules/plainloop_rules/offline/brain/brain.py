"""The rules behind `offline`: one neutral request in, one answer out, always the same.

A pure function of what survives every wire: system text, messages, tools and the JSON schema.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import Any, Final

import orjson

from plainloop.agent.base.shown.rare_tools import MORE, unbundle_tools, wrap_call
from plainloop.agent.base.text.cleaning import clean_json, clean_text
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.base.tokens.estimate import (
    estimate_json_tokens,
    estimate_request_tokens,
    estimate_tokens,
)
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.types import ChatRequest, FunctionCall, LLMResponse, MessagePart, Usage

from ..reading import RULE_CHARS, Move, Reading, build_reading, cut_reading
from ..rules import get_rules
from .composing import compose_unread
from .schemas import Schema, build_object
from .triage import answer_triage
from .working import choose_move

MODEL: Final = PROVIDER_DEFAULTS["offline"].default_model
_EXACT: Final = re.compile(
    r"\b(?:respond|reply|answer) with (?:just|only|exactly)\s*[\"'“]([^\"'”]{1,200})[\"'”]", re.I
)
_PASSED: Final = {"verdict": "pass", "feedback": "", "score": 1.0}
_EMPTY: Final = {
    "verdict": "retry",
    "feedback": "The answer is empty: answer the request.",
    "score": 0,
}
_SUMMARY: Final = re.compile(r"\bsummar(?:y|i[sz]e|i[sz]ing)\b", re.I)
_SUMMARY_LINES: Final = 3
_SUMMARY_CHARS: Final = 160


def answer(request: ChatRequest) -> LLMResponse:
    """Answer a request by rules: text, tool calls or JSON. Deterministic, no I/O."""
    reading = _rephrase(build_reading(request))
    sent, request = request.tools, replace(request, tools=unbundle_tools(request.tools))
    shown = {tool.name for tool in sent}
    if request.json_schema is not None:
        move = Move(text=_answer_json(reading, request.json_schema.schema))
    elif request.tools:
        move = _choose_tool_move(reading, request)
    else:
        move = Move(text=_answer_plain(cut_reading(reading)))
    parts: list[MessagePart] = []
    for i, call in enumerate(move.calls):
        # Earlier ids are part of the hash, so the same words later in a thread get another id.
        seed = orjson.dumps([request.messages, i], option=orjson.OPT_SORT_KEYS, default=str)
        call_id = f"call_{hashlib.sha256(seed).hexdigest()[:16]}"
        name, given = call.name, clean_json(call.arguments)
        if name not in shown and MORE in shown:
            name, given = wrap_call(name, given)
        parts.append(FunctionCall(type="tool_call", id=call_id, name=name, arguments=given))
    if not parts:
        parts = [{"type": "text", "text": clean_text(move.text).strip() or compose_unread("")}]
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in sent
    ]
    return LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop="tool_use" if move.calls else "end",
        usage=Usage(
            input_tokens=estimate_request_tokens(request.system, request.messages, tools),
            output_tokens=estimate_tokens(move.text if not move.calls else "")
            + sum(estimate_tokens(c.name) + estimate_json_tokens(c.arguments) for c in move.calls),
            source="estimated",
        ),
        model=MODEL,
    )


def _rephrase(reading: Reading) -> Reading:
    """Return the reading with its request in the English sentence that a pack has for it."""
    for rules in get_rules():
        if rules.rephrase:
            reading = replace(reading, request=rules.rephrase(reading.request))
    return reading


def _answer_json(reading: Reading, schema: Schema) -> str:
    names = set(as_object(schema.get("properties")))
    value: Any
    if {"worker", "success_criteria"} <= names:
        value = answer_triage(cut_reading(reading), schema)
    elif {"verdict", "feedback"} <= names:
        # Emptiness fails, and nothing that is guessed: problems found ask no model.
        said = reading.request.lower().partition("<answer>")[2].rpartition("</answer>")[0]
        value = _PASSED if said.strip() else _EMPTY
    else:
        learned = [item for rules in get_rules() for item in rules.json_answers.items()]
        build = next((build for wanted, build in learned if wanted <= names), None)
        value = build(reading.request) if build else {}
    return json.dumps(build_object(schema, clean_json(value)), ensure_ascii=False)


def _choose_tool_move(reading: Reading, request: ChatRequest) -> Move:
    cut = cut_reading(reading)
    is_long = len(reading.request) > RULE_CHARS  # what is cut is not done by halves
    for turn in (turn for rules in get_rules() for turn in rules.turns):
        given = reading if turn.reads_all else cut
        if (turn.reads_all or not is_long) and turn.is_mine(given, request.tools):
            return turn.choose(given, request)
    if is_long:
        return Move(text=compose_unread(reading.request, reading.request[:RULE_CHARS]))
    return choose_move(cut, request.tools)


def _answer_plain(reading: Reading) -> str:
    exact = _EXACT.search(reading.system) or _EXACT.search(reading.request)
    if exact:
        return exact[1].strip(" .") or exact[1]
    if _SUMMARY.search(reading.system) or _SUMMARY.match(reading.request):
        lines = re.split(r"\n+|(?<=[.!?])\s+", reading.request)
        bullets = [f"- {line.strip(' -*•')[:_SUMMARY_CHARS]}" for line in lines if line.strip()]
        return "\n".join(bullets[:_SUMMARY_LINES])
    return compose_unread(reading.request, reading.request)
