"""What becomes of each field that OpenAI's clients may send: one table, from which a part of
docs/frontends.md is made, and the refusals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from ....agent.base.foreign_json import as_object
from ....agent.base.object_schema import check_schema
from ....agent.base.text import clean_json
from ....agent.base.wishes import UNSUPPORTED
from ....agent.config.settings import Limits
from ....agent.errors import InputError
from ....agent.types import JsonSchema, ToolChoice, ToolSchema

_BELOW: Final = "below the pack's own prompt, as the wishes of the program that asks"
_NOTHING_CHANGES: Final = "taken; changes no answer"
# A text: served, and how. A tuple: refused, but for these values, which ask for nothing.
PARAMETERS: Final[Mapping[str, str | tuple[Any, ...]]] = {
    "model": "the agent",
    "messages": f"the conversation; `system` and `developer` {_BELOW}; a message's `name` changes "
    "no answer: not every provider takes one",
    "input": f"the same: `system` and `developer` {_BELOW}",
    "instructions": _BELOW,
    "temperature": "of the worker's model; refused where that takes none but 1",
    "max_tokens": "of each answer of the worker's model",
    "max_completion_tokens": "of each answer of the worker's model",
    "max_output_tokens": "of each answer of the worker's model",
    "stop": "of the worker's model; refused where that takes none",
    "response_format": "of the answer: checked, asked for once more, then an error",
    "text": "`format`: of the answer, checked, asked for once more, then an error",
    "tools": "functions of the client's own; other types are refused",
    "tool_choice": "`none`: no tool at all; `required` or a name: until a tool of the client's is "
    "called; refused where the model knows no such thing",
    "parallel_tool_calls": "false: one call at a time",
    "stream": "served",
    "stream_options": "`include_usage`",
    "include_reasoning": "what the model thinks is told",
    "reasoning": "`summary`: what the model thinks is told; `effort` is refused",
    "previous_response_id": "served",
    "background": "served",
    "store": "of Responses: false: nobody finds it by its id. Chat completions keep none: true is "
    "refused",
    "metadata": "given back by Responses; changes no answer",
    "include": "of what is not there; `message.output_text.logprobs` is refused",
    "truncation": "what a model sees of a thread is chosen here, either way",
    "user": _NOTHING_CHANGES,
    "safety_identifier": _NOTHING_CHANGES,
    "prompt_cache_key": _NOTHING_CHANGES,
    "prompt_cache_retention": _NOTHING_CHANGES,
    "n": (1,),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "logit_bias": ({},),
    "seed": (),
    "top_p": (1,),
    "frequency_penalty": (0,),
    "presence_penalty": (0,),
    "modalities": (["text"],),
    "audio": (),
    "prediction": (),
    "reasoning_effort": (),
    "verbosity": ("medium",),
    "service_tier": ("auto", "default"),
    "web_search_options": (),
    "functions": ([],),
    "function_call": ("auto", "none"),
    "max_tool_calls": (),
    "conversation": (),
    "prompt": (),
    "context_management": (),
}
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MODES: Final[Mapping[str, ToolChoice | None]] = {
    "auto": None,
    "none": ToolChoice("none"),
    "required": ToolChoice("required"),
}


def refuse(param: str, told: str = "is not supported") -> InputError:
    """Make the error for what this service does not do."""
    hint = "docs/frontends.md lists what is served. Leave it out."
    return InputError(f"{param} {told}", hint=hint, code=UNSUPPORTED, param=param)


def check_parameters(body: msgspec.Struct) -> None:
    """Raises: InputError naming the first field that asks for what is not served."""
    for name in body.__struct_fields__:
        served, value = PARAMETERS[name], getattr(body, name)
        if isinstance(served, tuple) and value is not None and value not in served:
            raise refuse(name)


def read_tool_choice(told: str | dict[str, Any] | None, tools: Sequence[ToolSchema]) -> Any:
    """The wish of either API. Raises: InputError."""
    if told is None or (isinstance(told, str) and told in _MODES):
        choice = _MODES[told or "auto"]
        if choice is not None and choice.mode == "required" and not tools:
            wrong = "tool_choice needs tools: there is none of the client's own to be called"
            raise InputError(wrong, param="tool_choice")
        return choice
    said = as_object(told)
    if said.get("type") != "function":
        raise refuse("tool_choice", "is not supported in this form")
    name = as_object(said.get("function", said)).get("name")
    if all(tool.name != name for tool in tools):
        wrong = f"tool_choice names {str(name)[:80]!r}, which is none of the request's tools"
        raise InputError(wrong, param="tool_choice")
    return ToolChoice("required", name)


def read_format(told: Mapping[str, Any] | None, param: str, limits: Limits) -> JsonSchema | None:
    """The shape that an answer is to have; None: words. told: {type, …}, the schema in it or in its
    `json_schema`.

    Raises: InputError.
    """
    kind = (told or {"type": "text"}).get("type")
    if told is None or kind == "text":
        return None
    if kind == "json_object":
        return JsonSchema("answer", {})
    if kind != "json_schema":
        raise refuse(param, f"of type {str(kind)[:40]!r} is not supported")
    wanted = as_object(told.get("json_schema", told))
    schema = as_object(wanted.get("schema"))
    if not schema or not _NAME.fullmatch(str(wanted.get("name"))):
        raise InputError(
            f"{param} has a name (up to 64 of a-z, 0-9, _ and -) and a schema", param=param
        )
    most = limits.client_tools_bytes
    if len(msgspec.json.encode(schema)) > most:
        hint = "AGENT_LIMITS_CLIENT_TOOLS_BYTES raises it."
        raise InputError(f"{param} has more than {most:,} bytes", hint=hint, param=param)
    try:
        check_schema(schema)
    except InputError as error:
        raise InputError(f"{param}: {error.message}", param=param) from error
    said = wanted.get("description")
    more = {"description": said} if isinstance(said, str) and "description" not in schema else {}
    return JsonSchema(str(wanted["name"]), clean_json({**schema, **more}))
