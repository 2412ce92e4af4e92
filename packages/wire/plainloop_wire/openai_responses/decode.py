"""From a Responses request to the call it means; a 400 in OpenAI's words where wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import ChatRequest, JsonSchema

from ..answer import dump_json
from ..api import WireError, load_api
from ..call import WireCall, WireRequest, make_segment, read_account
from ..openai_chat.caching import find_breakpoint, make_scope, read_marks
from ..openai_chat.fields import KNOWN_MODEL, OPENAI_MODEL, REASONING_MODEL, refuse_value
from ..openai_chat.models import check_fields, find_rules
from ..prompt_cache import Segment
from ..strict import check_shape
from .history import Item, join_system, read_input, to_messages
from .tools import read_format, read_tool_choice, read_tools

_API: Final = load_api("openai_responses")

_DEFAULT_MAX_TOKENS: Final = 128_000
_MIN_MAX_TOKENS: Final = 16
_ENCRYPTED: Final = "reasoning.encrypted_content"
# Source: developers.openai.com, api/docs/guides/reasoning, "Reasoning summaries".
_SUMMARIES: Final = ("auto", "concise", "detailed")
_NOT_STORED: Final = ("previous_response_id", "conversation", "prompt")


def read_call(body: dict[str, Any], wire: WireRequest) -> WireCall:
    """Check a Responses request and parse it.

    Raises: WireError, ShapeError.
    """
    check_shape(body, (), {"model": "string", "input": "string_or_array"}, _API.shapes["request"])
    model = body["model"]
    if wire.rules.strict_models and not KNOWN_MODEL.match(model):  # here it is no 404
        raise _API.refuse("requested_model", model=model)
    _check_stored(body)
    _check_values(body, model)
    check_fields(body, model)
    summary = as_object(body.get("reasoning")).get("summary")
    if summary is not None and summary not in _SUMMARIES:
        raise refuse_value(summary, _SUMMARIES, "reasoning.summary")
    # Source: BerriAI/litellm #16032, of organisations that are not verified.
    if summary is not None and wire.rules.hides_thinking:
        raise _API.refuse("unverified")
    tools = read_tools(body.get("tools"))
    items = read_input(body["input"], model, read_account(wire.headers))
    forced, offered = read_tool_choice(body, tools)
    schema = read_format(body)
    if forced is not None:
        schema = JsonSchema(forced.name, forced.parameters)
    return WireCall(
        request=ChatRequest(
            system="\n\n".join(filter(None, (body.get("instructions"), join_system(items)))),
            messages=to_messages(items),
            tools=offered,
            json_schema=schema,
            max_tokens=body.get("max_output_tokens") or _DEFAULT_MAX_TOKENS,
            temperature=body.get("temperature"),
            parallel_tool_calls=body.get("parallel_tool_calls") is not False,
            cache_key=body.get("prompt_cache_key"),
        ),
        model=model,
        window=rules.window if (rules := find_rules(model)) else None,
        must_call=offered if body.get("tool_choice") == "required" else (),
        segments=build_segments(body, items),
        scope=make_scope(body, model),
        stream=bool(body.get("stream")),
        forced_tool=forced.name if forced else None,
        shows_reasoning=bool(as_object(body.get("reasoning")).get("summary")),
        options={
            "asked": body,
            "reasons": is_reasoning(model),
            "account": read_account(wire.headers),
            "encrypts": _ENCRYPTED in as_list(body.get("include")),
        },
    )


def is_reasoning(model: str) -> bool:
    """Return whether this model's answers begin with a reasoning item."""
    return bool(REASONING_MODEL.match(model)) and "-chat" not in model


def _check_stored(body: Mapping[str, Any]) -> None:
    """Here nothing is ever stored, so what refers to it is not found."""
    for name in _NOT_STORED:
        value = body.get(name)
        if value is None:
            continue
        shown = value if isinstance(value, str) else as_object(value).get("id")
        words = name.removesuffix("_id").replace("_", " ").capitalize()
        code = f"{name.removesuffix('_id')}_not_found"
        raise WireError(
            404 if name == "conversation" else 400,
            f"{words} with id '{shown}' not found.",
            param=name,
            code=code,
        )


def _check_values(body: Mapping[str, Any], model: str) -> None:
    limit = body.get("max_output_tokens")
    if limit is not None and limit < _MIN_MAX_TOKENS:
        raise _API.refuse(
            "below_minimum", name="max_output_tokens", least=_MIN_MAX_TOKENS, given=limit
        )
    for index, name in enumerate(as_list(body.get("include"))):
        if name not in _API.lists["includable"]:
            raise refuse_value(name, _API.lists["includable"], f"include[{index}]")
    for field in ("stream_options", "reasoning"):
        check_shape(body.get(field) or {}, (field,), {}, _API.shapes[field])
    if is_reasoning(model):
        _refuse(body, ("temperature", "top_p"), model)
    elif OPENAI_MODEL.match(model):
        if _ENCRYPTED in as_list(body.get("include")):
            raise _API.refuse("encrypted_unsupported")
        efforts = as_object(body.get("reasoning"))
        _refuse({f"reasoning.{key}": value for key, value in efforts.items()}, None, model)


def _refuse(fields: Mapping[str, Any], names: tuple[str, ...] | None, model: str) -> None:
    for name in names or fields:
        if fields.get(name) is not None:
            raise _API.refuse("unsupported_parameter", name=name)


def build_segments(body: Mapping[str, Any], items: list[Item]) -> tuple[Segment, ...]:
    """Split a request into segments for the prompt cache: tools, format, instructions, items."""
    segments = [make_segment("openai\n", extra_tokens=6)]
    segments += [make_segment(dump_json(tool) + "\n") for tool in as_list(body.get("tools"))]
    if as_object(body.get("text")).get("format"):
        segments.append(make_segment(dump_json(body["text"]["format"]) + "\n"))
    if body.get("instructions"):
        segments.append(make_segment(f"system:{body['instructions']}\n", extra_tokens=3))
    found = (
        (n, find_breakpoint(item.get("content"))) for n, item in enumerate(items, len(segments))
    )
    own = {n: mark for n, mark in found if mark is not None}
    segments += [_item_segment(item) for item in items]
    return read_marks(body, body["model"], segments, own)


def _item_segment(item: Item) -> Segment:
    """Ids and the encryption are no part of what the model reads."""
    hidden = ("id", "encrypted_content", "status", "phase")
    shown = {key: value for key, value in item.items() if key not in hidden}
    if item["type"] == "message" and isinstance(item["content"], str):
        return make_segment(f"{item['role']}:{item['content']}\n", extra_tokens=3)
    if isinstance(item.get("content"), list):  # a mark is no part of what the model reads
        shown["content"] = [
            {key: value for key, value in part.items() if key != "prompt_cache_breakpoint"}
            for part in item["content"]
        ]
    return make_segment(dump_json(shown) + "\n", extra_tokens=3)
