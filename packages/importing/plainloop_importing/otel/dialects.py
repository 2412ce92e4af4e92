"""Model calls of instrumentations that do not follow the GenAI conventions, or only in part.

Sources: vercel/ai packages/otel/src/legacy-open-telemetry.ts (`ai.*`, versions 3 to 6);
strands-agents/sdk-python telemetry/tracer.py, Azure's and Semantic Kernel's span events;
openlit and Spring AI (`gen_ai.content.*`); Axiom; Google's ADK; langchain-ai/langsmith-sdk
python/langsmith/_internal/otel/_otel_exporter.py and js/src/experimental/otel/translator.ts;
pydantic/logfire logfire/_internal/integrations/llm_providers; pydantic/pydantic-ai
pydantic_ai_slim/pydantic_ai/models/instrumented.py (formats 1 to 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..langsmith import find_answer as find_langsmith_answer
from ..values import as_dict, as_list, as_text, dump, parse_json

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
_CHOICE: Final = "gen_ai.choice"
_ANSWER: Final = "gen_ai.assistant.message"
_NS_PER_S: Final = 1_000_000_000
_LANGSMITH: Final = "langsmith.span.kind"
_LOGFIRE_TYPE: Final = "logfire.span_type"
# Of a run of Pydantic AI's agent: its messages, which its model calls have too.
_WHOLE_RUNS: Final = ("pydantic_ai.all_messages", "all_messages_events")


def get_kind(attributes: dict[str, Any]) -> str | None:
    """Return what LangSmith or OpenInference calls a span's kind, in capitals, or None.

    LangSmith's exporter names the operation of a prompt template `chat`, as a model call's.
    """
    kind = attributes.get("openinference.span.kind", attributes.get(_LANGSMITH))
    return None if kind is None else as_text(kind).upper()


def is_pending(attributes: dict[str, Any]) -> bool:
    """Whether a span is Logfire's first copy of one, exported when that began."""
    return attributes.get(_LOGFIRE_TYPE) == "pending_span"


def make_stream_key(span: dict[str, Any]) -> tuple[str, bool] | None:
    """Return (what the two spans of a streamed call share, whether this one has its answer).

    Logfire ends a call's span when the stream begins, and logs the answer as a second span. None:
    a span that is not Logfire's.
    """
    attributes = span["attributes"]
    if "request_data" not in attributes:
        return None
    shared = (attributes.get(name) for name in ("request_data", "gen_ai.input.messages"))
    is_answer = attributes.get(_LOGFIRE_TYPE) == "log"
    return dump([span["parent"], *shared]).decode(), is_answer


def find_start(span: dict[str, Any]) -> int:
    """Return when a call began, in nanoseconds; Logfire logs a stream's answer at its end."""
    duration = span["attributes"].get("duration")
    is_log = span["attributes"].get(_LOGFIRE_TYPE) == "log" and isinstance(duration, float)
    return span["start"] - int(duration * _NS_PER_S) if is_log else span["start"]


def has_pieces(attributes: dict[str, Any]) -> bool:
    """Whether messages in a row may be one answer: of the Responses API, Logfire splits it."""
    return "request_data" in attributes


def is_call(attributes: dict[str, Any]) -> bool:
    """Whether a span without the conventions' name of its operation is a model call."""
    if operation := as_text(attributes.get("ai.operationId")):
        return operation.endswith(_CALLS)
    is_request = any(name in attributes for name in (*_REQUESTS[:3], "events"))
    return "gen_ai.request.model" in attributes and is_request


def is_sum(attributes: dict[str, Any]) -> bool:
    """Whether a span's usage is the sum of the calls below it, as agents and chains write it."""
    is_run = get_kind(attributes) == "CHAIN" or any(name in attributes for name in _WHOLE_RUNS)
    return is_run or as_text(attributes.get("ai.operationId")) in (
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
    logged = as_dict(parse_json(attributes.get("response_data")))
    if "combined_chunk_content" in logged:  # Logfire's, of a stream of Anthropic
        return logged["combined_chunk_content"]
    return _unwrap_calls(_find(attributes, _ANSWERS), attributes)


def _unwrap_calls(answer: Any, attributes: dict[str, Any]) -> Any:
    """Take the arguments of Anthropic's calls out of the object in which Logfire writes them."""
    calls = as_list(as_dict(as_dict(answer).get("message")).get("tool_calls"))
    if "request_data" in attributes and attributes.get("gen_ai.system") == "anthropic":
        for function in (as_dict(as_dict(call).get("function")) for call in calls):
            sent = as_dict(parse_json(function.get("arguments")))
            if sent.keys() == {"input"}:
                function["arguments"] = sent["input"]
    return answer


def read_langsmith(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return, under the conventions' names, what LangSmith's exporter leaves in the answer's JSON.

    Its attributes have no cached tokens, and of LangChain's answers neither id nor model.
    """
    if _LANGSMITH not in attributes:
        return {}
    outputs = as_dict(parse_json(attributes.get("gen_ai.completion")))
    _, message, usage = find_langsmith_answer(outputs)
    about = as_dict(message.get("response_metadata"))
    told = {
        "gen_ai.response.id": about.get("id"),
        "gen_ai.response.model": about.get("model_name") or about.get("model"),
        "gen_ai.response.finish_reasons": about.get("finish_reason") or about.get("stop_reason"),
        **{f"gen_ai.usage.{name}": value for name, value in usage.items()},
    }
    return {name: value for name, value in told.items() if value is not None}


def find_tools(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    """List the tools that the AI SDK or Pydantic AI sent, in the form of the conventions."""
    told = [as_dict(parse_json(one)) for one in as_list(attributes.get("ai.prompt.tools"))]
    request = as_dict(parse_json(attributes.get("model_request_parameters")))
    told += [as_dict(one) for kind in ("function_tools", "output_tools")
             for one in as_list(request.get(kind))]  # fmt: skip
    schemas = ("inputSchema", "parameters_json_schema", "parameters")
    return [
        {
            **{name: one[name] for name in ("type", "name", "description") if one.get(name)},
            "parameters": next((one[name] for name in schemas if name in one), None),
        }
        for one in told
    ]


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

    Also those that Pydantic AI's first version and Logfire have as the attribute `events`.
    """
    events = [as_dict(one) for one in as_list(parse_json(span["attributes"].get("events")))]
    for event in events:  # of Gemini, Logfire's have no name
        known = _CHOICE if "message" in event else f"gen_ai.{event.get('role')}.message"
        event["event.name"] = event.get("event.name") or known
    if has_pieces(span["attributes"]):
        events = _join_answers(events)
    for event in [*map(as_dict, span["events"]), *events]:
        name = as_text(event.get("event.name") or event.get("name"))
        if not name.startswith("gen_ai."):
            continue
        body = {**event, **as_dict(parse_json(event.get("gen_ai.event.content")))}
        body |= as_dict(parse_json(event.get("event_body")))
        for key in ("content", "message", "tool_calls"):
            parsed = parse_json(body.get(key))
            if isinstance(parsed, list | dict):
                body[key] = parsed
        if name == _CHOICE and not isinstance(body.get("message"), dict):
            body["message"] = {"content": body.get("message", body.get("content"))}
        blocks = [as_dict(block) for block in as_list(body.get("content"))]
        if any("toolResult" in block for block in blocks):  # Bedrock's are a user's message
            body["role"] = "user"
        body.pop("name", None)
        yield {"name": name, "attributes": event, "body": body}


def _join_answers(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the events of one answer, and make the last ones the choice if there is none.

    Of the Responses API, Logfire has an event for each text and call, and none for the choice.
    """
    joined: list[dict[str, Any]] = []
    for event in events:
        if event["event.name"] != _ANSWER:
            joined.append(event)
            continue
        if not joined or joined[-1]["event.name"] != _ANSWER:
            joined.append({**event, "content": [], "tool_calls": []})
        content = event.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        joined[-1]["content"] += as_list(blocks)
        joined[-1]["tool_calls"] += as_list(event.get("tool_calls"))
    if joined and joined[-1]["event.name"] == _ANSWER:
        joined[-1] = {"event.name": _CHOICE, "message": joined[-1]}
    return joined


def read_contents(logs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the texts of the events `gen_ai.content.*`, by the event's name."""
    found: dict[str, Any] = {}
    for log in logs:
        if log["name"] in _CONTENTS:
            key = log["name"].replace(".content.", ".")
            found[log["name"]] = log["attributes"].get(key)
    return found
