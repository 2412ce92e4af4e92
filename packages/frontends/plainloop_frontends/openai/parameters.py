"""What becomes of each field that OpenAI's clients may send: one table, from which a part of
docs/protocols.md is made, and the refusals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec

from plainloop.agent.base.messages.object_schema import check_schema
from plainloop.agent.base.messages.wishes import UNSUPPORTED
from plainloop.agent.base.text.cleaning import clean_json
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.providers.efforts import LEVELS
from plainloop.agent.types import EFFORT, Effort, JsonSchema, ToolChoice, ToolSchema

_BELOW: Final = "placed below the pack's own prompt, as the client program's instructions"
_OF_MODEL: Final = "sent to the worker's model if it supports this field"
Kind = Literal["demand", "preference"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """States what becomes of a field. note: how it is served, or why not; nothing: values that
    ask for nothing. is_served: of a preference, whether some model receives it.
    """

    kind: Kind
    note: str = ""
    nothing: tuple[Any, ...] = ()
    is_served: bool = True


def _hold(note: str, *nothing: Any) -> Parameter:
    return Parameter("demand", note, nothing)


def _refuse(*nothing: Any) -> Parameter:
    return Parameter("demand", "", nothing, is_served=False)


def _prefer(*nothing: Any) -> Parameter:
    return Parameter("preference", _OF_MODEL, nothing)


def _ignore(*nothing: Any, note: str = "ignored") -> Parameter:
    return Parameter("preference", note, nothing, is_served=False)


# What becomes of each field; the table of docs/protocols.md is made from it. A demand is held, or
# refused by name; a preference is honoured where the model takes it, else ignored and reported.
PARAMETERS: Final[Mapping[str, Parameter]] = {
    "model": _hold("the agent, by any of its names"),
    "messages": _hold(
        f"the conversation. `system` and `developer` messages are {_BELOW}. A message's `name` is "
        "ignored, because not every provider supports it"
    ),
    "input": _hold("has the meaning of `messages`"),
    "instructions": _hold(_BELOW),
    "max_tokens": _hold("limits each answer of the worker's model", -1),
    "max_completion_tokens": _hold("limits each answer of the worker's model", -1),
    "max_output_tokens": _hold("limits each answer of the worker's model", -1),
    "system": _hold(_BELOW),
    "stop": _hold(
        "the text ends before this sequence, even if the model's API lacks the field", ""
    ),
    "stop_sequences": _hold(
        "the text ends before this sequence, even if the model's API lacks the field", []
    ),
    "response_format": _hold(
        "plainloop checks the answer, and the request fails if the answer is invalid twice", {}
    ),
    "text": _hold("`format` means `response_format`"),
    "tools": _hold(
        "the client's own functions. plainloop ignores other types beside functions, and refuses "
        "a request with only other types"
    ),
    "tool_choice": _hold(
        "With `none`, the model calls no tool. With `required`, the model must call one of the "
        "client's tools, and may call the worker's tools first. With a name, the model must call "
        "that tool. If the model answers in text twice, the request fails",
        "",
    ),
    "output_config": _hold(
        "`format` means `response_format`, and `effort` means `reasoning_effort`"
    ),
    "output_format": _hold("means `output_config.format`"),
    "thinking": _hold(
        "the answer includes reasoning, unless `display` is `omitted`. `disabled` and "
        "`budget_tokens` set the effort"
    ),
    "parallel_tool_calls": _hold("`false` allows one call at a time"),
    "stream": _hold("supported"),
    "stream_options": _hold("`include_usage` is supported"),
    "include_reasoning": _hold("the answer includes reasoning"),
    "reasoning": _hold(
        "with `summary`, the answer includes reasoning, and `effort` means `reasoning_effort`"
    ),
    "previous_response_id": _hold("supported"),
    "background": _hold("supported"),
    "include": _hold(
        "no effect, because the service has no such items. plainloop refuses "
        "`message.output_text.logprobs`"
    ),
    "truncation": _hold(
        "no effect, because the service chooses the part of a thread that the model sees"
    ),
    "temperature": _prefer(),
    "top_p": _prefer(1),
    "top_k": _prefer(0, -1),
    "seed": _prefer(),
    "frequency_penalty": _prefer(0),
    "presence_penalty": _prefer(0),
    "store": _ignore(
        False,
        note="in Responses, `false` means that the response cannot be read by its id. Chat "
        "Completions ignores the field",
    ),
    "metadata": _ignore({}, note="returned in Responses and ignored elsewhere"),
    "user": _ignore(""),
    "safety_identifier": _ignore(""),
    "prompt_cache_key": _ignore(""),
    "prompt_cache_retention": _ignore(),
    "service_tier": _ignore("auto", "default", "standard_only"),
    "cache_control": _ignore(),
    "context_management": _ignore(),
    "diagnostics": _ignore(),
    "inference_geo": _ignore(),
    "speed": _ignore("standard"),
    "user_profile_id": _ignore(),
    "workspace_id": _ignore(),
    "betas": _ignore([]),
    "fallbacks": _ignore([]),
    "fallback_credit_token": _ignore(),
    "logit_bias": _ignore({}, note="ignored: token ids differ between models"),
    EFFORT: Parameter(
        "preference", "the worker's model uses its nearest level", ("auto", "default")
    ),
    "verbosity": _ignore("medium"),
    "prediction": _ignore(),
    "extras": _ignore(
        [],
        note="plainloop ignores known fields of client programs (extras.py) and refuses unknown "
        "fields",
    ),
    "n": _refuse(1),
    "logprobs": _refuse(False),
    "top_logprobs": _refuse(0),
    "modalities": _refuse(["text"]),
    "audio": _refuse(),
    "web_search_options": _refuse(),
    "functions": _refuse([]),
    "function_call": _refuse("auto", "none"),
    "max_tool_calls": _refuse(),
    "conversation": _refuse(),
    "prompt": _refuse(),
    "container": _refuse(),
    "mcp_servers": _refuse([]),
    "thread": _refuse(),
    "compaction": _refuse(),
    "billing_policy": _refuse({"type": "billing_policy", "bill_to": "self"}),
}
SAMPLING: Final = tuple(name for name, it in PARAMETERS.items() if it.note == _OF_MODEL)
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MODES: Final[Mapping[str, ToolChoice | None]] = {
    "auto": None,
    "none": ToolChoice("none"),
    "required": ToolChoice("required"),
    "any": ToolChoice("required"),  # Mistral's word: docs.mistral.ai/capabilities/function_calling
}


def refuse(param: str, reason: str = "is not supported") -> InputError:
    """Build the error for a parameter that is not supported."""
    hint = "Leave it out; docs/protocols.md lists the supported fields."
    return InputError(f"{param} {reason}", hint=hint, code=UNSUPPORTED, param=param)


def asks_nothing(name: str, value: Any) -> bool:
    """Return whether a field with this value can be omitted without effect.

    >>> asks_nothing("max_tokens", -1), asks_nothing("max_tokens", 5), asks_nothing("top_p", 1)
    (True, False, False)
    """
    known = PARAMETERS.get(name)
    if known is None or known.kind != "demand" or not known.is_served:
        return value is None
    return value is None or value in known.nothing


def check_parameters(
    body: msgspec.Struct, table: Mapping[str, Parameter] = PARAMETERS, served: Sequence[str] = ()
) -> list[str]:
    """List the fields of the request that are ignored because no model receives them.

    served: parameters that this API supports itself.

    Raises: InputError naming the first field that demands what is not served.
    """
    ignored: list[str] = []
    for name in body.__struct_fields__:
        known, value = table[name], getattr(body, name)
        if known.is_served or name in served or value is None or value in known.nothing:
            continue
        if known.kind == "demand":
            raise refuse(name)
        ignored += value if name == "extras" else [name]
    return ignored


def choose_functions(
    tools: Sequence[dict[str, Any]] | None, kinds: Sequence[str | None]
) -> list[dict[str, Any]]:
    """Choose the tools that the client itself executes.
    Coding programs declare all tools that they know, including a vendor's search: without its
    declaration the model calls another tool. kinds: the types of a client's own tools.

    Raises: InputError if all tools are of other types: the request then needs those.
    """
    functions = [item for item in tools or [] if item.get("type") in kinds]
    if tools and not functions:
        raise refuse("tools", f"of type {str(tools[0].get('type'))[:40]!r} are not supported")
    return functions


def list_other_tools(
    tools: Sequence[dict[str, Any]] | None, kinds: Sequence[str | None]
) -> list[str]:
    """List the types of the tools that the client does not run itself.

    They are reported as ignored.
    """
    others = [item.get("type") for item in tools or [] if item.get("type") not in kinds]
    return [f"tools.{str(kind)[:40]}" for kind in dict.fromkeys(map(str, others))]


def read_sampling(body: Any, names: Mapping[str, str] = MappingProxyType({})) -> dict[str, float]:
    """Return the body's sampling options, without temperature and default values.

    names: of fields that are called otherwise there.
    """
    values = {name: getattr(body, names.get(name, name), None) for name in SAMPLING}
    return {
        name: value
        for name, value in values.items()
        if name != "temperature" and value is not None and value not in PARAMETERS[name].nothing
    }


def read_effort(value: Any, name: str, ignored: list[str]) -> Effort | None:
    """Return the requested reasoning effort, or None for the model's default.

    Adds `name` to `ignored` if the value is not a known level.
    """
    if value is None or value in PARAMETERS[EFFORT].nothing:
        return None
    if value not in LEVELS:
        ignored.append(name)
        return None
    return value


def read_tool_choice(stated: str | dict[str, Any] | None, tools: Sequence[ToolSchema]) -> Any:
    """Convert a `tool_choice` of OpenAI's or Anthropic's form to ours.

    None lets the model choose. Raises: InputError.
    """
    if isinstance(stated, dict) and (mode := str(stated.get("type"))) in _MODES:
        stated = mode  # {"type": "auto"}, Anthropic's form
    if stated is None or (isinstance(stated, str) and stated in _MODES):
        choice = _MODES[stated or "auto"]
        if choice is not None and choice.mode == "required" and not tools:
            wrong = "`tool_choice` requires a call, but the request has no `tools`"
            raise InputError(wrong, param="tool_choice")
        return choice
    fields = as_object(stated)
    if fields.get("type") != "function":
        raise refuse("tool_choice", "is not supported in this form")
    name = as_object(fields.get("function", fields)).get("name")
    if all(tool.name != name for tool in tools):
        wrong = f"`tool_choice` names {str(name)[:80]!r}, which is not one of the request's tools"
        raise InputError(wrong, param="tool_choice")
    return ToolChoice("required", name)


def read_format(stated: Mapping[str, Any] | None, param: str, limits: Limits) -> JsonSchema | None:
    """Return the JSON schema that the request sets for the answer.

    None for plain text. stated: {type, …}, with the schema in it or in `json_schema`.

    Raises: InputError.
    """
    kind = (stated or {"type": "text"}).get("type")
    if stated is None or kind == "text":
        return None
    if kind == "json_object":
        return JsonSchema("answer", {})
    if kind != "json_schema":
        raise refuse(param, f"of type {str(kind)[:40]!r} is not supported")
    wanted = as_object(stated.get("json_schema", stated))
    schema = as_object(wanted.get("schema"))
    if not schema or not _NAME.fullmatch(str(wanted.get("name"))):
        raise InputError(
            f"{param} needs a schema, and a name of up to 64 characters from "
            "a-z, A-Z, 0-9, _ and -",
            param=param,
        )
    max_bytes = limits.client_tools_bytes
    if len(msgspec.json.encode(schema)) > max_bytes:
        hint = "The setting AGENT_LIMITS_CLIENT_TOOLS_BYTES raises the limit."
        raise InputError(f"{param} has more than {max_bytes:,} bytes", hint=hint, param=param)
    try:
        check_schema(schema)
    except InputError as error:
        raise InputError(
            f"{param}: {error.message}", hint="Correct the schema.", param=param
        ) from error
    description = wanted.get("description")
    more = (
        {"description": description}
        if isinstance(description, str) and "description" not in schema
        else {}
    )
    return JsonSchema(str(wanted["name"]), clean_json({**schema, **more}))
