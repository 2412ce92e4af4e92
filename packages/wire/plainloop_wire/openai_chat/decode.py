"""From a Chat Completions request to the call it means; a 400 in OpenAI's words where wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list
from plainloop.agent.types import ChatRequest, JsonSchema

from ..answer import dump_json
from ..api import WireError, load_api
from ..call import WireCall, WireRequest, make_segment
from ..prompt_cache import Segment
from ..prompt_schema import find_prompt_schema
from ..strict import check_shape
from .caching import find_breakpoint, make_scope, read_marks
from .fields import (
    COMPAT_REQUEST,
    ECHOED_MODEL,
    KNOWN_MODEL,
    OPENAI_MODEL,
    REASONING_MODEL,
    REQUEST,
)
from .history import check_history, join_system, read_text, to_messages
from .models import check_fields, find_rules
from .tools import read_response_format, read_tool_choice, read_tools

_API: Final = load_api("openai_chat")

_DEFAULT_MAX_TOKENS: Final = 128_000


def read_call(body: dict[str, Any], wire: WireRequest) -> WireCall:
    """Check a Chat Completions request and parse it.

    Raises: WireError, ShapeError.
    """
    if not body.get("model"):
        raise WireError(400, "you must provide a model parameter")
    model = str(body["model"])
    is_own = bool(OPENAI_MODEL.match(model))
    check_shape(
        body,
        (),
        {"model": "string", "messages": "array"},
        REQUEST if is_own else {**REQUEST, **COMPAT_REQUEST},
    )
    if wire.rules.strict_models and not KNOWN_MODEL.match(model):
        raise _API.refuse("unknown_model", model=model)
    _check_values(body, is_reasoning=bool(REASONING_MODEL.match(model)))
    check_fields(body, model)
    tools = read_tools(body.get("tools"))
    check_history(body["messages"], is_own=is_own)
    _check_echo(body, model)
    forced, offered = read_tool_choice(body, tools)
    schema = read_response_format(body)
    if not tools and (schema is None or "properties" not in schema.schema):
        schema = find_prompt_schema(join_system(body["messages"])) or schema
    if forced is not None:
        schema = JsonSchema(forced.name, forced.parameters)
    stop = body.get("stop") or ()
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    return WireCall(
        request=ChatRequest(
            system=join_system(body["messages"]),
            messages=to_messages(body["messages"]),
            tools=offered,
            json_schema=schema,
            max_tokens=limit or _DEFAULT_MAX_TOKENS,
            temperature=body.get("temperature"),
            parallel_tool_calls=body.get("parallel_tool_calls") is not False,
            cache_key=body.get("prompt_cache_key"),
        ),
        model=model,
        window=rules.window if (rules := find_rules(model)) else None,
        must_call=offered if body.get("tool_choice") == "required" else (),
        segments=build_segments(body),
        scope=make_scope(body, model),
        stream=bool(body.get("stream")),
        include_usage=_wants_usage(body),
        forced_tool=forced.name if forced else None,
        stop_sequences=(stop,) if isinstance(stop, str) else tuple(stop),
        shows_reasoning=not is_own,
    )


def check_key(wire: WireRequest) -> None:
    """Check the API key in the Authorization header.

    Raises: WireError.
    """
    key = wire.headers.get("authorization", "").removeprefix("Bearer").strip()
    if not key:
        raise _API.refuse("no_key")
    if wire.rules.key is not None and key != wire.rules.key:
        shown = key[:3] + "*" * 8 + key[-4:] if len(key) > 8 else "*" * len(key)
        raise WireError(401, f"Incorrect API key provided: {shown}.", code="invalid_api_key")


def _check_echo(body: Mapping[str, Any], model: str) -> None:
    """Thoughts come back with the calls that they led to, empty ones too."""
    if not ECHOED_MODEL.match(model) or body.get("thinking") == {"type": "disabled"}:
        return
    calling = (message for message in body["messages"] if message.get("tool_calls"))
    if any("reasoning_content" not in message for message in calling):
        raise _API.refuse("reasoning_not_back")


def _wants_usage(body: Mapping[str, Any]) -> bool:
    options = body.get("stream_options")
    if options is None:
        return not body.get("stream")
    check_shape(options, ("stream_options",), {}, _API.shapes["stream_options"])
    if not body.get("stream"):
        raise _API.refuse("stream_options_unstreamed")
    return bool(options.get("include_usage"))


def _check_values(body: Mapping[str, Any], *, is_reasoning: bool) -> None:
    if is_reasoning and body.get("max_tokens") is not None:
        raise _API.refuse("max_tokens_unsupported")
    for name in ("max_tokens", "max_completion_tokens"):
        if body.get(name) is not None and body[name] < 1:
            raise _API.refuse("below_minimum", name=name, least=1, given=body[name])
    temperature = body.get("temperature")
    if temperature is None:
        return
    if is_reasoning and temperature != 1 and body.get("reasoning_effort") != "none":
        raise _API.refuse("temperature_unsupported", temperature=temperature)
    if not 0 <= temperature <= 2:
        way, sign, bound = ("above max", "<=", 2) if temperature > 2 else ("below min", ">=", 0)
        raise _API.refuse(
            "temperature",
            way=way,
            code=way.replace(" ", "_"),
            bound=f"{sign} {bound}",
            given=temperature,
        )


def build_segments(body: Mapping[str, Any]) -> tuple[Segment, ...]:
    """Split a request into segments that the prompt cache compares: tools, format, messages."""
    segments = [make_segment("openai\n", extra_tokens=6)]
    segments += [make_segment(dump_json(tool) + "\n") for tool in as_list(body.get("tools"))]
    if body.get("response_format"):
        segments.append(make_segment(dump_json(body["response_format"]) + "\n"))
    first, messages = len(segments), body["messages"]
    segments += [_message_segment(message) for message in messages]
    found = ((n, find_breakpoint(item.get("content"))) for n, item in enumerate(messages, first))
    own = {n: mark for n, mark in found if mark is not None}
    return read_marks(body, str(body["model"]), segments, own)


def _message_segment(message: Mapping[str, Any]) -> Segment:
    text = f"{message['role']}:{read_text(message.get('content'))}\n"
    if message.get("tool_call_id"):
        text += message["tool_call_id"] + "\n"
    for key in ("tool_calls", "reasoning_content"):
        if message.get(key):
            text += dump_json(message[key]) + "\n"
    return make_segment(text, extra_tokens=3)
