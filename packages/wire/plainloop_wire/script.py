"""A scripted model: answers read from a file instead of thought up, for tests and demos.

The file is a JSON list of steps, or JSON Lines with one step each, or
`{"steps": [...], "fallback": "brain"}`. One step:

    {
      "match": {
        "user": "how many jobs",     regular expression, searched in the newest user message
        "system": "You track",       regular expression, searched in the system text
        "schema": "triage",          JSON mode with a schema of this name or title, or with this
                                     property; true: any JSON mode; false: none
        "tool": "list_jobs",         a tool of this name is offered
        "after_tool": true           the newest message is a tool's result (false: it is not)
      },
      "answer": {
        "text": "You have 3 jobs.",
        "tool_calls": [{"name": "list_jobs", "arguments": {"status": "saved"}}],
        "json": {"worker": "crm_worker"},        sent as text, for JSON mode
        "reasoning": "The user wants …",
        "stop": "length"                         else "end", or "tool_use" with calls;
                                                 "refusal" takes "text" as the refusal
      },
      "times": 1                     how often it may be used; null: without end
    }

All keys of "match" must hold; an empty or absent "match" holds always. The first step that
matches and is not used up answers. A request that no step matches gets a 400 that says what was
asked; with `"fallback": "brain"` (in JSON Lines: a line `{"fallback": "brain"}`) the brain answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
import orjson

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.errors import ConfigError
from plainloop.agent.types import ChatRequest, FunctionCall, LLMResponse, MessagePart, Stop, Usage

from .api import WireError
from .call import Brain

_SHOWN_CHARS = 200


class Match(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Conditions on a request; all that are set must hold."""

    user: str | None = None
    system: str | None = None
    schema: str | bool | None = None
    tool: str | None = None
    after_tool: bool | None = None


class ScriptedCall(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: str
    arguments: dict[str, Any] = {}


class ScriptedAnswer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The answer of a script's step."""

    text: str = ""
    tool_calls: list[ScriptedCall] = []
    json: dict[str, Any] | None = None
    reasoning: str = ""
    stop: Stop | None = None


class Step(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One answer, and the conditions for giving it."""

    answer: ScriptedAnswer
    match: Match = Match()
    times: int | None = 1


class Script(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Steps in order of preference."""

    steps: list[Step]
    fallback: Literal["brain"] | None = None


class ScriptedBrain:
    """Answers from a script, each step as often as it allows."""

    def __init__(self, script: Script, fallback: Brain | None = None) -> None:
        self._script = script
        self._fallback = fallback if script.fallback == "brain" else None
        self._used = [0] * len(script.steps)

    def reset(self) -> None:
        self._used = [0] * len(self._script.steps)

    def answer(self, request: ChatRequest) -> LLMResponse:
        """Return the answer of the script's first matching step that is not used up.

        Raises: WireError. With a fallback, that answers instead of the error.
        """
        for i, step in enumerate(self._script.steps):
            is_left = step.times is None or self._used[i] < step.times
            if is_left and _is_match(step.match, request):
                self._used[i] += 1
                return _to_response(step.answer, request, use=sum(self._used))
        if self._fallback is not None:
            return self._fallback.answer(request)
        raise WireError(
            400,
            f"the script has no step left for {_describe(request)}: add one, or raise the `times` "
            "of a step",
        )


def load_script(path: Path) -> Script:
    """Load a script of answers from a file.

    Raises: ConfigError naming the file and the fault.
    """
    try:
        return parse_script(path.read_bytes())
    except OSError as e:
        raise ConfigError(
            f"cannot read the script {path}: {e.strerror}", hint="Check the path of the script."
        ) from e
    except ValueError as e:
        raise ConfigError(
            f"the script {path} is not valid: {e}",
            hint='docs/packs.md describes the format under "Tests".',
        ) from e


def parse_script(data: bytes | str | Sequence[Mapping[str, Any]]) -> Script:
    """Parse a script from a file's content or from steps as Python data.

    Raises: ValueError.
    """
    raw: Any = _parse_text(data) if isinstance(data, (bytes, str)) else {"steps": list(data)}
    script = msgspec.convert(raw, Script)
    for number, step in enumerate(script.steps, start=1):
        for pattern in (step.match.user, step.match.system):
            try:
                re.compile(pattern or "")
            except re.error as e:
                raise ValueError(
                    f"step {number}: {pattern!r} is not a valid regular expression: {e}"
                ) from e
    return script


def _parse_text(data: bytes | str) -> Any:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        text = data if isinstance(data, str) else data.decode()
        lines: list[Any] = []
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                lines += [orjson.loads(line)] if line.strip() else []
            except orjson.JSONDecodeError as e:
                raise ValueError(f"line {number} is not valid JSON: {e}") from e
        options = [line for line in lines if "fallback" in as_object(line)]
        script: dict[str, Any] = {"steps": [line for line in lines if line not in options]}
        return script | options[-1] if options else script
    if isinstance(value, list):
        return {"steps": as_list(cast(Any, value))}
    return value if "steps" in as_object(value) else {"steps": [value]}


def _is_match(match: Match, request: ChatRequest) -> bool:
    last = request.messages[-1] if request.messages else None
    checks = (
        match.user is None or re.search(match.user, _last_user_text(request)),
        match.system is None or re.search(match.system, request.system),
        match.schema is None or _is_schema(match.schema, request),
        match.tool is None or any(tool.name == match.tool for tool in request.tools),
        match.after_tool is None
        or match.after_tool == (last is not None and last["role"] == "tool"),
    )
    return all(checks)


def _is_schema(wanted: str | bool, request: ChatRequest) -> bool:
    given = request.json_schema
    if given is None or isinstance(wanted, bool):
        return wanted is (given is not None)
    return wanted in (given.name, given.schema.get("title"), *given.schema.get("properties", {}))


def _last_user_text(request: ChatRequest) -> str:
    for message in reversed(request.messages):
        if message["role"] == "user":
            return "".join(part["text"] for part in message["parts"] if part["type"] == "text")
    return ""


def _to_response(answer: ScriptedAnswer, request: ChatRequest, use: int) -> LLMResponse:
    parts: list[MessagePart] = []
    if answer.reasoning:
        parts.append({"type": "reasoning", "text": answer.reasoning})
    text = answer.text if answer.json is None else orjson.dumps(answer.json).decode()
    is_refusal = answer.stop == "refusal"
    if text and not is_refusal:
        parts.append({"type": "text", "text": text})
    for i, call in enumerate(answer.tool_calls):
        tool_call_id = f"script_{len(request.messages)}_{use}_{i}"
        parts.append(
            FunctionCall(
                type="tool_call", id=tool_call_id, name=call.name, arguments=call.arguments
            )
        )
    stop: Stop = answer.stop or ("tool_use" if answer.tool_calls else "end")
    return LLMResponse(
        message={"role": "assistant", "parts": parts},
        stop=stop,
        usage=Usage(source="missing"),
        model="script",
        refusal=text if is_refusal else None,
    )


def _describe(request: ChatRequest) -> str:
    last = request.messages[-1]["role"] if request.messages else "nothing"
    schema = request.json_schema.name if request.json_schema else None
    tools = [tool.name for tool in request.tools]
    return (
        f"user {_last_user_text(request)[:_SHOWN_CHARS]!r}, last message {last!r}, "
        f"schema {schema!r}, tools {tools}, system {request.system[:_SHOWN_CHARS]!r}"
    )
