"""Spans as model calls: the GenAI conventions old and new, OpenInference, Traceloop.

Instrumentations of one service may differ, so each span is read by its own attributes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, Literal

from plainloop.agent.config.settings import Settings

from ..bodies import list_sent, read_output
from ..conversations import ModelCall, ToolSpan
from ..langsmith import find_result
from ..messages import OTHER_ANSWER, MessageReader, join_answers, split_system
from ..spool import Spool
from ..usage import read_usage
from ..values import (
    NAMES,
    as_dict,
    as_list,
    as_money,
    as_text,
    find_named,
    parse_json,
    parse_moment,
)
from .dialects import (
    find_answer,
    find_request,
    find_start,
    find_tools,
    get_kind,
    has_pieces,
    inherit,
    is_call,
    is_pending,
    is_sum,
    list_span_logs,
    make_stream_key,
    read_contents,
    read_langsmith,
)
from .otlp import read_otlp

MODEL_OPERATIONS: Final = ("chat", "text_completion", "generate_content", "completion")
GROUPS: Final = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "gcp.vertex.agent.session_id",
)
_ASSOCIATIONS: Final = (
    "traceloop.association.properties.",
    "ai.telemetry.metadata.",
    "langsmith.metadata.",
)
_NAMES: Final = (*NAMES, "chat_id", "threadId", "sessionId", "conversationId", "chatId")
_LEGACY: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_DETAILS: Final = "gen_ai.client.inference.operation.details"
# Names by which input contains what was cached: of OpenInference, of the conventions ("SHOULD be
# included in gen_ai.usage.input_tokens"), of Pydantic AI and Logfire (pydantic/logfire #1812).
_WHOLE: Final = re.compile(
    r"llm\.token_count\.prompt|gen_ai\.usage\.(?:details\.|raw$|cache_\w+\.input_tokens$)"
    r"|ai\.usage\.inputTokenDetails\."
)
_TOTALS: Final = frozenset(
    "input_tokens output_tokens total_tokens prompt_tokens completion_tokens".split()
)
# Of Pydantic AI and Logfire, of OpenInference, of OpenLIT. 0: not known there.
_COSTS: Final = ("operation.cost", "llm.cost.total", "gen_ai.usage.cost")
_MOST_PARENTS: Final = 100
_SUSPECT: Final = 64  # a text so short is its own end


def read_files(spool: Spool, files: Sequence[str], settings: Settings) -> None:
    """Put the model and tool calls of OpenTelemetry spans into the spool (a temporary store).

    Raises: InputError.
    """
    longest = _Longest()
    for path in files:
        for kind, item in read_otlp(path, spool.broken):
            if kind == "log":
                if item["name"].startswith("gen_ai."):
                    spool.put("log", item["span"], item["at"], item)
                continue
            attributes = item["attributes"]
            if is_pending(attributes):
                continue
            about = {"parent": item["parent"], "group": find_group(attributes)}
            spool.put("parent", item["span"], 0, about)
            if is_model(attributes) or is_tool(attributes):
                longest.see(attributes)
                spool.put("span", item["span"], item["start"], item)
                if (streamed := make_stream_key(item)) and streamed[1]:
                    spool.put("streamed", streamed[0], item["start"], item["span"])
                if item["parent"] and attributes.get("gen_ai.operation.name") in MODEL_OPERATIONS:
                    spool.put("below", item["parent"], 0, item["span"])
                if is_model(attributes):
                    spool.put("called", item["trace"], 0, True)
            elif list_usage(attributes) and not is_sum(attributes):
                spool.put("unread", item["trace"], 0, name_kind(item))
    spool.index()
    for trace, kinds in spool.list_all("unread", str):
        for kind in kinds:
            if kind != "invoke_agent" or not spool.load("called", trace, bool):
                spool.left_out[f"usage of a span of type {kind!r}: left out"] += 1
    for _, items in spool.list_all("span", dict[str, Any]):
        span = items[0]
        group = find_group(span["attributes"]) or _find_above(spool, span["parent"])
        if is_model(span["attributes"]):
            is_named = "gen_ai.operation.name" in span["attributes"]
            if not is_named and spool.load("below", span["span"], str):
                continue  # the call is the span below it
            streamed = make_stream_key(span)
            if streamed and not streamed[1] and spool.load("streamed", streamed[0], str):
                continue  # its answer's span has the request too
            above = spool.load("span", span["parent"], dict[str, Any])
            span["attributes"] = inherit(span["attributes"], *(one["attributes"] for one in above))
            logs = [*spool.load("log", span["span"], dict[str, Any]), *list_span_logs(span)]
            spool.put_call(make_call(span, logs, group, MessageReader(settings), longest.limit))
        else:
            spool.put_tool(make_tool(span, group))


def name_kind(span: dict[str, Any]) -> str:
    """Return the name of a span's operation, or the span's own name."""
    return as_text(span["attributes"].get("gen_ai.operation.name") or span["name"])[:40]


class _Longest:
    """Finds the length at which attributes were cut: several are exactly as long as the longest."""

    def __init__(self) -> None:
        self._length, self._count = 0, 0

    def see(self, attributes: dict[str, Any]) -> None:
        for value in attributes.values():
            if isinstance(value, str) and len(value) >= max(self._length, _SUSPECT):
                self._count = self._count + 1 if len(value) == self._length else 1
                self._length = len(value)

    @property
    def limit(self) -> int | None:
        return self._length if self._count > 1 else None


def is_model(attributes: dict[str, Any]) -> bool:
    """Whether a span is a model call, and not a chain or agent around one."""
    if (kind := get_kind(attributes)) is not None:
        return kind == "LLM"
    return (
        attributes.get("gen_ai.operation.name") in MODEL_OPERATIONS
        or attributes.get("llm.request.type") in MODEL_OPERATIONS
        or ("gen_ai.operation.name" not in attributes and is_call(attributes))
    )


def is_tool(attributes: dict[str, Any]) -> bool:
    return (
        attributes.get("gen_ai.operation.name") == "execute_tool"
        or attributes.get("traceloop.span.kind") == "tool"
        or get_kind(attributes) == "TOOL"
        or attributes.get("ai.operationId") == "ai.toolCall"
        # Pydantic AI's, before it named the operation (pydantic/pydantic-ai #5179)
        or ("gen_ai.tool.call.id" in attributes and "gen_ai.operation.name" not in attributes)
    )


def find_group(attributes: dict[str, Any]) -> str | None:
    """Return the conversation's name in a span's attributes.

    None if they have none.
    """
    named = [prefix + name for prefix in _ASSOCIATIONS for name in _NAMES]
    said = find_named(attributes, [*GROUPS, *named])
    return said or find_named(as_dict(parse_json(attributes.get("metadata"))), _NAMES)


def _find_above(spool: Spool, parent: str) -> str | None:
    for _ in range(_MOST_PARENTS):
        found = spool.load("parent", parent, dict[str, Any]) if parent else []
        if not found:
            return None
        if found[0]["group"]:
            return found[0]["group"]
        parent = found[0]["parent"]
    return None


def make_call(
    span: dict[str, Any],
    logs: Sequence[dict[str, Any]],
    group: str | None,
    reader: MessageReader,
    limit: int | None,
) -> ModelCall:
    attributes = dict(span["attributes"])
    for log in logs:
        if log["name"] == _DETAILS:
            attributes |= log["attributes"]
    attributes |= read_langsmith(attributes)
    began = parse_moment(find_start(span))
    call = ModelCall(span["span"], span["trace"], began, parse_moment(span["end"]), group=group)
    call.parent = span["parent"] or None
    call.provider = as_text(
        attributes.get("gen_ai.provider.name")
        or attributes.get("gen_ai.system")
        or attributes.get("llm.provider")
        or attributes.get("llm.system")
    )
    call.model = as_text(attributes.get("gen_ai.request.model") or attributes.get("llm.model_name"))
    answered = attributes.get("gen_ai.response.model") or attributes.get("llm.model_name")
    call.model_answered = as_text(answered) or None
    call.model = call.model or as_text(answered)
    call.response_id = as_text(attributes.get("gen_ai.response.id")) or None
    call.node = as_text(attributes.get("gen_ai.agent.name")) or None
    finish = attributes.get("gen_ai.response.finish_reasons")
    if isinstance(finish, str):  # JSON of Logfire; of LangSmith, before its #3570, "stop, length"
        finish = parse_json(finish) or finish.split(", ")
    finish = [*as_list(finish), attributes.get("llm.finish_reason")]
    call.finish = as_text(finish[0] or attributes.get("ai.response.finishReason")) or None
    call.cost_usd = next(filter(None, (as_money(attributes.get(name)) for name in _COSTS)), None)
    told = list_usage(attributes)
    # Input contains what was cached, except where Anthropic's own count of it is sent unchanged.
    vendor = call.provider.lower().partition(".")[0]  # of the AI SDK's "anthropic.messages"
    is_apart = vendor == "anthropic" and not any(map(_WHOLE.match, told))
    call.usage = read_usage(told, reader.note, is_input_apart=is_apart)
    call.tools = _read_tools(attributes)
    _read_words(call, attributes, logs, reader, limit)
    if span["is_error"]:
        raised = as_dict(next((e for e in span["events"] if e.get("name") == "exception"), None))
        call.error = (
            as_text(
                span["message"] or raised.get("exception.message") or attributes.get("error.type")
            )
            or "no answer"
        )
        call.answer = None
    call.notes = reader.list_notes()
    return call


def _read_words(
    call: ModelCall,
    attributes: dict[str, Any],
    logs: Sequence[dict[str, Any]],
    reader: MessageReader,
    limit: int | None,
) -> None:
    """Set a call's messages, sent and answered, from wherever the instrumentation put them."""
    told = parse_json(attributes.get("gen_ai.system_instructions"))
    system = "\n\n".join(as_text(as_dict(part).get("content", part)) for part in as_list(told))
    bodies = [(log["name"], as_dict(log["body"])) for log in logs]
    sent = _list_told(call, attributes, "input")
    if sent is None and not call.gaps:
        sent = [
            {"role": _LEGACY[name], "tool_call_id": body.get("id"), **body}
            for name, body in bodies
            if name in _LEGACY
        ] or None
    contents = attributes | read_contents(logs)
    if sent is None and not call.gaps:
        sent = list_sent(find_request(contents), reader.note)
    if sent is not None:
        head, said = split_system(reader.read(sent))
        said = join_answers(said) if has_pieces(attributes) else said
        call.system, call.sent = system or head, said or None
        if any(not one.parts and one.role != "assistant" for one in said):
            call.gaps.append("a message without content: its instrumentation stored none")
    answers = _list_told(call, attributes, "output")
    answers = answers or [body.get("message") for name, body in bodies if name == "gen_ai.choice"]
    if has_pieces(attributes) and not any(as_dict(one).get("finish_reason") for one in answers):
        pieces = join_answers(reader.read(answers))
        call.answer, answers = (pieces[0] if pieces else None), []
    for _ in answers[1:]:
        reader.note(OTHER_ANSWER)
    if answers:
        call.answer = reader.read_answer(as_dict(answers[0]))
    elif call.answer is None and not call.gaps:
        call.answer = read_output(reader, find_answer(contents))
    if call.answer is not None and not call.answer.parts:
        completion = as_dict(parse_json(attributes.get("output.value")))
        choice = as_dict((as_list(completion.get("choices")) or [None])[0])
        if message := as_dict(choice.get("message")):
            call.answer = reader.read_answer(message) or call.answer
        if not call.answer.parts:
            call.gaps.append("an answer without text: its instrumentation stored none")
    if sent is None and not call.gaps:
        call.gaps.append("no content: its instrumentation must be configured to send it")
    said = [one for one in (*(call.sent or []), call.answer) if one is not None]
    texts = [as_text(part.get("text", part.get("result"))) for one in said for part in one.parts]
    if limit is not None and any(len(text) == limit for text in texts):
        call.gaps.append(f"a text of exactly {limit:,} characters, which was probably cut")


def _list_told(
    call: ModelCall, attributes: dict[str, Any], side: Literal["input", "output"]
) -> list[Any] | None:
    """List the messages sent or answered from a span's attributes; None: none, or they were cut."""
    name = f"gen_ai.{side}.messages"
    if name in attributes:
        found = parse_json(attributes[name])
        if not isinstance(found, list):
            call.gaps.append(f"the attribute {name} was cut")
            return None
        return as_list(found)
    older = "gen_ai.prompt" if side == "input" else "gen_ai.completion"
    for prefix, shape in ((older, _to_chat), (f"llm.{side}_messages", _from_inference)):
        if items := [as_dict(item) for item in unflatten(attributes, prefix)]:
            if side == "output":
                call.finish = call.finish or as_text(items[0].get("finish_reason")) or None
            return [shape(item) for item in items]
    return None


def unflatten(attributes: dict[str, Any], prefix: str) -> list[Any]:
    """Build a list from attributes such as `prefix.0.role` and `prefix.0.tool_calls.1.name`.

    >>> unflatten({"p.0.role": "user", "p.0.calls.1.id": "b", "p.0.calls.0.id": "a"}, "p")
    [{'role': 'user', 'calls': [{'id': 'a'}, {'id': 'b'}]}]
    """
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        if not name.startswith(f"{prefix}."):
            continue
        at = tree
        *path, last = name[len(prefix) + 1 :].split(".")
        for step in path:
            found = at.setdefault(step, {})
            if not isinstance(found, dict):
                found = at[step] = {}
            at = as_dict(found) if found else at[step]
        at[last] = value
    return as_list(_to_lists(tree))


def _to_lists(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    found = as_dict(tree)
    if found and all(key.isdigit() for key in found):
        return [_to_lists(found[key]) for key in sorted(found, key=int)]
    return {key: _to_lists(value) for key, value in found.items()}


def _to_chat(item: dict[str, Any]) -> dict[str, Any]:
    """Parse the content of a Traceloop message if it is the JSON of its parts."""
    content = item.get("content")
    parts = parse_json(content) if as_text(content).startswith("[{") else None
    return {**item, "content": parts if isinstance(parts, list) else content}


def _from_inference(item: dict[str, Any]) -> dict[str, Any]:
    message = as_dict(item.get("message"))
    calls = [as_dict(as_dict(one).get("tool_call")) for one in as_list(message.get("tool_calls"))]
    parts: list[Any] = []
    for one in as_list(message.get("contents")):
        content = as_dict(as_dict(one).get("message_content"))
        url = as_dict(as_dict(content.get("image")).get("image")).get("url")
        parts.append({"type": "image_url", "image_url": {"url": url}} if url else content)
    return {**message, "tool_calls": calls, "content": parts or message.get("content")}


def _read_tools(attributes: dict[str, Any]) -> list[dict[str, Any]] | None:
    told = as_list(parse_json(attributes.get("gen_ai.tool.definitions")))
    if not told:
        told = [
            {**as_dict(one), "parameters": parse_json(as_dict(one).get("parameters"))}
            for one in unflatten(attributes, "llm.request.functions")
        ]
    if not told:
        items = unflatten(attributes, "llm.tools")
        told = [parse_json(as_dict(as_dict(one).get("tool")).get("json_schema")) for one in items]
    told = told or find_tools(attributes)
    return [as_dict(one) for one in told if as_dict(one)] or None


def list_usage(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return a span's attributes that state token usage, in any naming convention.

    Logfire's copy of the vendor's usage and LangSmith's details are JSON; of the copy, only its
    details: Anthropic's input excludes cached tokens there, but not in the attribute beside it.
    """
    told = {n: v for n, v in attributes.items() if ".usage." in n or ".token_count." in n}
    for name, value in told.items():
        if isinstance(value, str) and value.startswith("{"):
            found = as_dict(parse_json(value) or parse_json(value.replace("'", '"')))  # Python's
            told[name] = {n: v for n, v in found.items() if n not in _TOTALS}
    return told


def make_tool(span: dict[str, Any], group: str | None) -> ToolSpan:
    attributes = span["attributes"]
    output = (
        attributes.get("gen_ai.tool.call.result")
        or attributes.get("ai.toolCall.result")
        or attributes.get("tool_response")  # Pydantic AI's, formats 1 and 2
        or attributes.get("traceloop.entity.output")
        or attributes.get("output.value")
        or find_result(as_dict(parse_json(attributes.get("gen_ai.completion"))))[0]  # LangSmith's
    )
    name = (
        attributes.get("gen_ai.tool.name")
        or attributes.get("tool.name")
        or attributes.get("ai.toolCall.name")
        or attributes.get("traceloop.entity.name")
        or span["name"]
    )
    text = parse_json(output)  # of the AI SDK, a text is JSON
    output = text if isinstance(text, str) else output
    return ToolSpan(
        span["trace"],
        parse_moment(span["start"]),
        as_text(name),
        as_text(attributes.get("gen_ai.tool.call.id") or attributes.get("ai.toolCall.id")) or None,
        None if output is None else as_text(output),
        is_error=span["is_error"],
        group=group,
    )
