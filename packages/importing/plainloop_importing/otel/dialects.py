"""Model calls of instrumentations that do not follow the GenAI conventions, or only in part.

Sources: vercel/ai packages/otel/src/legacy-open-telemetry.ts (`ai.*`, versions 3 to 6);
strands-agents/sdk-python telemetry/tracer.py, Azure's and Semantic Kernel's span events;
openlit and Spring AI (`gen_ai.content.*`); langsmith's OTEL exporter, Axiom, Logfire, Google's ADK.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..values import as_dict, as_list, as_text, parse_json

# In this order; each holds a whole request or answer in JSON, or a text.
_REQUESTS: Final = (
    "gen_ai.prompt",
    "gcp.vertex.agent.llm_request",
    "request_data",
    "gen_ai.content.prompt",
)
_ANSWERS: Final = (
    "gen_ai.completion",
    "gcp.vertex.agent.llm_response",
    "response_data",
    "gen_ai.content.completion",
)
_CALLS: Final = (".doGenerate", ".doStream")  # the last part of the AI SDK's ids of operations
_CONTENTS: Final = ("gen_ai.content.prompt", "gen_ai.content.completion")


def is_call(attributes: dict[str, Any]) -> bool:
    """Whether a span without the conventions' name of its operation is a model call."""
    if operation := as_text(attributes.get("ai.operationId")):
        return operation.endswith(_CALLS)
    is_request = any(name in attributes for name in (*_REQUESTS[:3], "events"))
    return "gen_ai.request.model" in attributes and is_request


def is_sum(attributes: dict[str, Any]) -> bool:
    """Whether a span's usage is the sum of the calls below it, as the AI SDK writes it."""
    return as_text(attributes.get("ai.operationId")) in (
        *("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"),
        *("ai.embed", "ai.embedMany"),
    )


def inherit(attributes: dict[str, Any], *above: dict[str, Any]) -> dict[str, Any]:
    """Add the request and answer that Google's ADK records in the span above a model call."""
    names = (*_REQUESTS, *_ANSWERS)
    said = {name: one[name] for one in above for name in names if name in one and is_call(one)}
    return said | attributes


def find_request(attributes: dict[str, Any]) -> Any:
    """Return the recorded request of a model call, parsed, or None."""
    if "ai.prompt.messages" in attributes:
        return {"messages": parse_json(attributes["ai.prompt.messages"])}
    return _find(attributes, ("ai.prompt", *_REQUESTS))


def find_answer(attributes: dict[str, Any]) -> Any:
    """Return the recorded answer of a model call, parsed, or None."""
    text = attributes.get("ai.response.text") or attributes.get("ai.response.object")
    calls = as_list(parse_json(attributes.get("ai.response.toolCalls")))
    if text or calls:
        thought = attributes.get("ai.response.reasoning")
        parts: list[dict[str, Any]] = [{"type": "reasoning", "text": thought}] if thought else []
        parts += [{"type": "text", "text": text}] if text else []
        parts += [{**as_dict(call), "type": "tool-call"} for call in calls]
        return {"role": "assistant", "content": parts}
    return _find(attributes, _ANSWERS)


def find_tools(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    """List the tools that the AI SDK sent, in the form of the conventions."""
    told = [as_dict(parse_json(one)) for one in as_list(attributes.get("ai.prompt.tools"))]
    return [{**one, "parameters": one.get("inputSchema", one.get("parameters"))} for one in told]


def _find(attributes: dict[str, Any], names: Sequence[str]) -> Any:
    value: Any = next((attributes[name] for name in names if attributes.get(name)), None)
    texts = as_list(value)
    if texts and all(isinstance(one, str) for one in texts):
        value = "\n".join(texts)
    parsed: Any = parse_json(value)
    found = as_dict(parsed)
    if config := as_dict(found.get("config")):  # Google's ADK
        parsed = {**config, **found}
    nested = as_list(found.get("messages"))
    if len(nested) == 1 and isinstance(nested[0], list):  # LangChain: a list of lists
        parsed = {**found, "messages": as_list(nested[0])}
    generations = as_list((as_list(found.get("generations")) or [None])[0])
    if generations:
        first = as_dict(generations[0])
        parsed = first.get("message") or first.get("text")
    return value if parsed is None else parsed


def list_span_logs(span: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a span's events that the conventions make log records, as log records.

    Also those that Pydantic AI's first version has as the attribute `events`.
    """
    events = [*span["events"], *as_list(parse_json(span["attributes"].get("events")))]
    for event in map(as_dict, events):
        name = as_text(event.get("event.name") or event.get("name"))
        if not name.startswith("gen_ai."):
            continue
        body = {**event, **as_dict(parse_json(event.get("gen_ai.event.content")))}
        for key in ("content", "message", "tool_calls"):
            parsed = parse_json(body.get(key))
            if isinstance(parsed, list | dict):
                body[key] = parsed
        if name == "gen_ai.choice" and not isinstance(body.get("message"), dict):
            body["message"] = {"content": body.get("message", body.get("content"))}
        blocks = [as_dict(block) for block in as_list(body.get("content"))]
        if any("toolResult" in block for block in blocks):  # Bedrock's are a user's message
            body["role"] = "user"
        body.pop("name", None)
        yield {"name": name, "attributes": event, "body": body}


def read_contents(logs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the texts of the events `gen_ai.content.*`, by the event's name."""
    found: dict[str, Any] = {}
    for log in logs:
        if log["name"] in _CONTENTS:
            key = log["name"].replace(".content.", ".")
            found[log["name"]] = log["attributes"].get(key)
    return found
