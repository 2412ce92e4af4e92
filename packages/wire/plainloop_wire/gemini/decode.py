"""From a generateContent request to the call it means; a 400 in Google's words where wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plainloop.agent.types import ChatRequest, JsonSchema

from ..answer import dump_json
from ..api import WireError, load_api
from ..call import WireCall, WireRequest, make_segment, read_account
from ..prompt_cache import Segment
from ..strict import find_schema_problem
from .fields import GENERATION, KNOWN_MODEL, REQUEST, read_fields
from .history import check_history, read_contents, to_messages
from .signature import is_third_generation
from .tools import check_openapi, check_search, read_calling, read_tools

_API: Final = load_api("gemini")

_DEFAULT_MAX_TOKENS: Final = 65_536
_WINDOW: Final = 1_048_576  # Source: ai.google.dev, gemini-api/docs/models
_LEVELS: Final = ("MINIMAL", "LOW", "MEDIUM", "HIGH")
_JSON: Final = "application/json"


def check_key(wire: WireRequest) -> None:
    """Check Gemini's API key in header or query.

    Raises: WireError.
    """
    key = wire.headers.get("x-goog-api-key", "").strip() or wire.query.get("key", "")
    if not key:
        raise _API.refuse("no_key")
    if wire.rules.key is not None and key != wire.rules.key:
        reason = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }
        text = "API key not valid. Please pass a valid API key."
        raise WireError(400, text, details=[reason])


def read_call(given: dict[str, Any], wire: WireRequest) -> WireCall:
    """Check a generateContent request and parse it.

    Raises: WireError, ShapeError.
    """
    model = wire.path_model
    if wire.action == "streamGenerateContent" and wire.query.get("alt") != "sse":
        raise WireError(400, "this test server streams only with alt=sse: add it to the URL")
    if wire.rules.strict_models and not KNOWN_MODEL.match(model):
        raise _API.refuse("unknown_model", model=model, version=wire.version, action=wire.action)
    body = read_fields(given, (), {**REQUEST, "contents": "array"})
    contents = read_contents(body.get("contents") or [], "contents")
    account = read_account({"x-goog-api-key": wire.query.get("key", ""), **wire.headers})
    check_history(contents, model, account)
    tools = read_tools(body.get("tools") or [])
    check_search(body, may_combine=is_third_generation(model))
    offered, must_call = read_calling(body.get("toolConfig"), tools)
    config = read_fields(body.get("generationConfig") or {}, ("generation_config",), GENERATION)
    _check_config(config, has_tools=bool(tools), model=model)
    thinking = read_fields(
        config.get("thinkingConfig") or {},
        ("generation_config", "thinking_config"),
        _API.shapes["thinking"],
    )
    _check_thinking(thinking, model)
    system = read_contents([body.get("systemInstruction") or {"parts": []}], "system_instruction")
    return WireCall(
        request=ChatRequest(
            system="\n\n".join(part.get("text", "") for part in system[0]["parts"]),
            messages=to_messages(contents),
            tools=offered,
            json_schema=_read_schema(config),
            max_tokens=config.get("maxOutputTokens") or _DEFAULT_MAX_TOKENS,
            temperature=config.get("temperature"),
        ),
        model=model,
        window=_WINDOW,
        must_call=must_call,
        segments=build_segments(system[0], body.get("tools") or [], config, contents),
        stream=wire.action == "streamGenerateContent",
        stop_sequences=tuple(config.get("stopSequences") or ()),
        shows_reasoning=bool(thinking.get("includeThoughts")),
        options={"account": account},
    )


def _check_thinking(thinking: Mapping[str, Any], model: str) -> None:
    """Source: ai.google.dev, gemini-api/docs/thinking: levels from Gemini 3 on, budgets before."""
    level, budget = thinking.get("thinkingLevel"), thinking.get("thinkingBudget")
    # Thoughts are shown only where there are any, which Flash-Lite 2.5 has with a budget only.
    # Source: lobehub/lobehub #7985, QuantumNous/new-api #1404.
    if thinking.get("includeThoughts"):
        if not is_third_generation(model) and not model.startswith("gemini-2.5"):
            raise _API.refuse("no_thinking", model=model)
        if budget == 0 or (budget is None and model.startswith("gemini-2.5-flash-lite")):
            raise _API.refuse("no_thoughts")
    if level is None:
        return
    if not is_third_generation(model):
        raise WireError(400, "Thinking level is not supported for this model.")
    if budget is not None:
        raise WireError(400, "You can only set one of thinking budget and thinking level.")
    levels = _LEVELS[1:] if "-pro" in model else _LEVELS
    if level.upper() not in levels:
        raise WireError(400, f"Thinking level {level} is not supported for this model.")


def _check_config(config: Mapping[str, Any], *, has_tools: bool, model: str) -> None:
    temperature = config.get("temperature", 1)
    if not 0 <= temperature <= 2:
        raise _API.refuse("temperature", temperature=temperature)
    if config.get("maxOutputTokens", 1) < 1:
        raise WireError(400, "max_output_tokens must be positive.")
    if config.get("maxOutputTokens", 1) > _DEFAULT_MAX_TOKENS:
        value, end = config["maxOutputTokens"], _DEFAULT_MAX_TOKENS + 1
        raise _API.refuse("max_output", value=value, end=end)
    if config.get("candidateCount", 1) != 1:
        raise WireError(400, "Multiple candidates is not enabled for this model")
    wants_schema = "responseSchema" in config or "responseJsonSchema" in config
    is_json = config.get("responseMimeType") == _JSON
    if wants_schema and not is_json:
        raise _API.refuse("schema_without_json")
    if "responseSchema" in config and "responseJsonSchema" in config:
        raise _API.refuse("two_schemas")
    if is_json and has_tools and not is_third_generation(model):
        raise _API.refuse("tools_with_json")


def _read_schema(config: Mapping[str, Any]) -> JsonSchema | None:
    if config.get("responseMimeType") != _JSON:
        return None
    if "responseSchema" in config:
        where = ("generation_config", "response_schema")
        schema = check_openapi(config["responseSchema"], where)
    else:
        schema = config.get("responseJsonSchema", {"type": "object"})
    problem = find_schema_problem(schema)
    if problem:
        raise WireError(400, f"Invalid response schema at {problem[0]}: {problem[1]}")
    return JsonSchema(str(schema.get("title", "output")), schema)


def build_segments(
    system: Mapping[str, Any],
    tools: Sequence[Any],
    config: Mapping[str, Any],
    contents: Sequence[Mapping[str, Any]],
) -> tuple[Segment, ...]:
    """Split a request into the segments that the prompt cache compares, in order."""
    segments = [make_segment("gemini\n", extra_tokens=1)]
    segments += [make_segment(part.get("text", "") + "\n") for part in system["parts"]]
    segments += [make_segment(dump_json(tool) + "\n") for tool in tools]
    schema = config.get("responseSchema") or config.get("responseJsonSchema")
    if schema:
        segments.append(make_segment(dump_json(schema) + "\n"))
    for content in contents:
        for part in content["parts"]:
            # Signatures are opaque and cost nothing here.
            rest = {key: item for key, item in part.items() if key != "thoughtSignature"}
            text = part["text"] if "text" in part else dump_json(rest)
            segments.append(make_segment(f"{content['role']}:{text}\n", extra_tokens=1))
    return tuple(segments)
