"""Files of OpenAI's products and of those who train by them; what an item is, its keys say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from plainloop.agent.config.settings import Settings

from .conversations import ModelCall, ToolSpan
from .files import read_items, refuse_unknown
from .messages import MessageReader, Said, join_answers, split_system
from .spool import Spool
from .usage import read_chat_usage
from .values import (
    NEVER,
    as_dict,
    as_list,
    as_text,
    find_named,
    parse_json,
    parse_moment,
    parse_time,
)
from .whole import keep_whole

PROVIDER: Final = "openai"
NAMES: Final = ("conversation_id", "conversation", "thread_id", "session_id")
_CHATML: Final = re.compile(r"<\|im_start\|>(\w+)\n(.*?)<\|im_end\|>", re.DOTALL)
_SHAREGPT: Final = {"human": "user", "gpt": "assistant", "system": "system"}


def read_files(spool: Spool, files: Sequence[str], settings: Settings) -> None:
    """Put all that the files tell into the spool. Raises: InputError for an unknown item."""
    for path in files:
        for number, item in enumerate(read_items(path, "data"), 1):
            found = as_dict(item)
            if not _take(spool, found, settings):
                raise refuse_unknown(item, f"{path}, item {number}", "OpenAI")
    spool.index()
    # What a call consists of may stand in several files.
    for make in (_make_stored, _make_batches, _make_responses, _make_agents):
        make(spool, settings)


def _take(spool: Spool, item: dict[str, Any], settings: Settings) -> bool:
    """Read an item, or put it aside until its other half is there."""
    if "mapping" in item:
        read_chatgpt(spool, item, MessageReader(settings))
    elif "custom_id" in item and "body" in item:
        spool.put("batch_in", str(item["custom_id"]), 0, item["body"])
    elif "custom_id" in item:
        spool.put("batch_out", str(item["custom_id"]), 0, item)
    elif "completion" in item and "list" in item:
        spool.put("stored_said", str(item["completion"]), 0, as_dict(item["list"]).get("data"))
    elif item.get("object") == "chat.completion":
        spool.put("stored", str(item.get("id")), 0, item)
    elif item.get("object") == "response" or "response" in item:
        response = as_dict(item.get("response")) or item
        inputs = as_list(as_dict(item.get("input_items")).get("data")) or as_list(item.get("input"))
        spool.put("response", str(response.get("id")), 0, [response, inputs[::-1]])
    elif item.get("object") in ("trace", "trace.span"):
        key = item.get("trace_id") or item.get("id")
        sort = parse_time(item.get("started_at"))
        spool.put("agents", str(key), sort.timestamp() if sort else 0.0, item)
    else:
        return _take_training(spool, item, MessageReader(settings))
    return True


def _take_training(spool: Spool, item: dict[str, Any], reader: MessageReader) -> bool:
    """A line of a file to train by: a conversation without a time, most without a name."""
    name = item.get("conversation_id") or item.get("id")
    own = str(name) if name else None
    if isinstance(item.get("messages"), list):
        tools = [*as_list(item.get("tools")), *as_list(item.get("functions"))]
        keep_whole(spool, reader, reader.read(item["messages"]), tools=tools or None, name=own)
    elif "preferred_output" in item:
        given = as_dict(item.get("input"))
        said = reader.read([*as_list(given.get("messages")), *as_list(item["preferred_output"])])
        reader.note("the answer that was not preferred: left out")
        keep_whole(spool, reader, said, tools=as_list(given.get("tools")) or None, name=own)
    elif isinstance(item.get("conversations"), list):
        said = _read_sharegpt(item, reader)
        tools = as_list(parse_json(item.get("tools")))
        system = as_text(item.get("system"))
        keep_whole(spool, reader, said, tools=tools or None, system=system, name=own)
    elif "<|im_start|>" in as_text(item.get("text")):
        turns = _CHATML.findall(item["text"])
        said = reader.read([{"role": role, "content": text} for role, text in turns])
        keep_whole(spool, reader, said, name=own)
    else:
        return False
    return True


def _read_sharegpt(item: dict[str, Any], reader: MessageReader) -> list[Said]:
    said: list[Said] = []
    for entry in as_list(item["conversations"]):
        found = as_dict(entry)
        kind, value = found.get("from"), found.get("value")
        if kind == "function_call":
            calls = as_list(parse_json(value)) or [parse_json(value)]
            shaped = [
                {"name": as_dict(c).get("name"), "arguments": as_dict(c).get("arguments")}
                for c in calls
            ]
            said += reader.read([{"role": "assistant", "tool_calls": shaped}])
        elif kind == "observation":
            said += reader.read([{"role": "tool", "content": value}])
        else:
            role = _SHAREGPT.get(str(kind), str(kind))
            said += reader.read([{"role": role, "content": value}])
    return join_answers(said)


def read_chatgpt(spool: Spool, item: dict[str, Any], reader: MessageReader) -> None:
    """A conversation of the chat product's export: a tree, of which one way is shown."""
    nodes = as_dict(item["mapping"])
    way: list[dict[str, Any]] = []
    at = item.get("current_node")
    while isinstance(at, str) and at in nodes and len(way) <= len(nodes):
        node = as_dict(nodes[at])
        way.append(as_dict(node.get("message")))
        at = node.get("parent")
    branches = sum(len(as_list(as_dict(node).get("children"))) > 1 for node in nodes.values())
    if branches:
        reader.note("other branches of it: left out")
    said: list[Said] = []
    times: list[datetime | None] = []
    for message in way[::-1]:
        for one in _read_chatgpt_message(message, reader):
            if not (said and said[-1].role == one.role == "assistant"):  # else they are joined
                times.append(parse_time(message.get("create_time")))
            said.append(one)
    name = item.get("conversation_id") or item.get("id")
    keep_whole(
        spool, reader, join_answers(said), name=str(name) if name else None,
        title=as_text(item.get("title")), times=times,
    )  # fmt: skip


def _read_chatgpt_message(message: dict[str, Any], reader: MessageReader) -> list[Said]:
    about = as_dict(message.get("metadata"))
    content = as_dict(message.get("content"))
    is_hidden = message.get("weight") == 0 or about.get("is_visually_hidden_from_conversation")
    if not message or is_hidden:
        if any(as_list(content.get("parts"))):
            reader.note("a hidden message: left out")
        return []
    role = as_text(as_dict(message.get("author")).get("role"))
    recipient = message.get("recipient")
    kind = content.get("content_type")
    if role == "assistant" and recipient not in (None, "all"):
        text = as_text(content.get("text")) or "".join(map(as_text, as_list(content.get("parts"))))
        arguments = parse_json(text)
        call = {"name": recipient, "arguments": as_dict(arguments) or {"text": text}}
        return reader.read([{"role": "assistant", "tool_calls": [call]}])
    if role == "tool":
        parts = "\n".join(
            p if isinstance(p, str) else f"[{as_dict(p).get('content_type')}]"
            for p in as_list(content.get("parts"))
        )
        return reader.read([{"role": "tool", "content": as_text(content.get("text")) or parts}])
    if kind in ("text", "multimodal_text"):
        parts = [
            part if isinstance(part, str) else {"type": as_dict(part).get("content_type")}
            for part in as_list(content.get("parts"))
        ]
        return reader.read([{"role": role, "content": [part for part in parts if part]}])
    if kind == "thoughts":
        told = [as_text(as_dict(one).get("content")) for one in as_list(content.get("thoughts"))]
        return [Said("assistant", [{"type": "reasoning", "text": "\n\n".join(told)}])]
    text = as_text(content.get("text") or content.get("result"))
    if not text:
        reader.note(f"content of the type {str(kind)[:40]!r}: left out")
        return []
    return reader.read([{"role": role, "content": text}])


def make_chat_call(
    reader: MessageReader,
    name: str,
    trace: str,
    request: dict[str, Any],
    response: dict[str, Any],
    at: datetime,
) -> ModelCall:
    """A call of Chat Completions by its request and its answer. request: with `messages`."""
    system, sent = split_system(reader.read(as_list(request.get("messages"))))
    call = ModelCall(name, trace, at, at, PROVIDER, system=system, sent=sent or None)
    call.model = as_text(request.get("model")) or as_text(response.get("model"))
    call.model_answered = as_text(response.get("model")) or None
    call.tools = as_list(request.get("tools")) or None
    call.response_id = as_text(response.get("id")) or None
    choice = as_dict((as_list(response.get("choices")) or [None])[0])
    if message := as_dict(choice.get("message")):
        call.answer = reader.read_answer(message)
    call.finish = as_text(choice.get("finish_reason")) or None
    call.usage = read_chat_usage(as_dict(response.get("usage")))
    call.notes = reader.list_notes()
    return call


def _make_stored(spool: Spool, settings: Settings) -> None:
    for name, items in spool.list_all("stored", dict[str, Any]):
        item = items[0]
        said = spool.load("stored_said", name, list[Any])
        at = parse_moment(item.get("created"))
        request = {
            "model": item.get("model"),
            "tools": item.get("tools"),
            "messages": said[0] if said else [],
        }
        for one in as_list(request["messages"]):
            if as_dict(one).get("content_parts"):
                one["content"] = one["content_parts"]
        call = make_chat_call(MessageReader(settings), name, name, request, item, at)
        call.group = find_named(as_dict(item.get("metadata")), NAMES)
        if not said:
            call.gaps.append(
                "no content: the messages of stored completions are a list of their own"
            )
        spool.put_call(call)


def _make_batches(spool: Spool, settings: Settings) -> None:
    """Join requests and answers. Those that have none come after all that have."""
    last = NEVER
    for _, items in spool.list_all("batch_out", dict[str, Any]):
        for item in items:
            body = as_dict(as_dict(item.get("response")).get("body"))
            last = max(last, parse_moment(body.get("created", body.get("created_at"))))
    for name, items in spool.list_all("batch_out", dict[str, Any]):
        requests = spool.load("batch_in", name, dict[str, Any])
        request = requests[0] if requests else {}
        answered = [
            item for item in items if as_dict(item.get("response")).get("status_code") == 200
        ]
        body = as_dict(as_dict(answered[0]["response"]).get("body")) if answered else as_dict(None)
        at = parse_time(body.get("created", body.get("created_at"))) or last
        call = make_chat_call(MessageReader(settings), name, name, request, body, at)
        call.group = find_named(as_dict(request.get("metadata")), NAMES)
        if not answered:
            error = as_dict(items[0].get("error"))
            call.error = as_text(error.get("message") or error.get("code")) or "no answer"
            call.gaps.append(f"the batch has no answer: {call.error[:120]}")
        if not requests:
            call.gaps.append("no content: the batch's input file was not given")
        spool.put_call(call)


def _make_responses(spool: Spool, settings: Settings) -> None:
    """History is not repeated: a response was sent all that those before it had, and more."""
    for name, items in spool.list_all("response", list[Any]):
        chain = [items[0]]
        while (before := as_dict(chain[-1][0]).get("previous_response_id")) and len(chain) < 10_000:
            found = spool.load("response", str(before), list[Any])
            if not found:
                break
            chain.append(found[0])
        reader = MessageReader(settings)
        said: list[Said] = []
        for response, inputs in chain[::-1]:
            said += reader.read(inputs)
            if response is not items[0][0]:
                said += reader.read(as_list(as_dict(response).get("output")))
        response = as_dict(items[0][0])
        at = parse_moment(response.get("created_at"))
        call = ModelCall(name, name, at, parse_time(response.get("completed_at")) or at, PROVIDER)
        call.sent = join_answers(one for one in said if one.role != "system")
        call.system = as_text(response.get("instructions"))
        answered = join_answers(reader.read(as_list(response.get("output"))))
        call.answer = answered[0] if answered else None
        call.model = as_text(response.get("model"))
        call.model_answered = call.model or None
        call.tools = as_list(response.get("tools")) or None
        call.response_id = name
        call.usage = read_chat_usage(as_dict(response.get("usage")))
        call.finish = as_text(as_dict(response.get("incomplete_details")).get("reason")) or None
        error = as_dict(response.get("error"))
        call.error = as_text(error.get("message")) or None
        named = as_dict(response.get("conversation")).get("id")
        first = as_dict(chain[-1][0])
        call.group = (
            as_text(named)
            or find_named(as_dict(response.get("metadata")), NAMES)
            or as_text(first.get("id"))
        )
        if first.get("previous_response_id"):
            call.gaps.append("its history begins in the middle: an earlier response is not there")
        call.notes = reader.list_notes()
        spool.put_call(call)


def _make_agents(spool: Spool, settings: Settings) -> None:
    """Traces of the Agents SDK. Its `task` and `turn` repeat what their generations used."""
    for trace, items in spool.list_all("agents", dict[str, Any]):
        head = as_dict(next((item for item in items if item.get("object") == "trace"), None))
        group = as_text(head.get("group_id")) or None
        for item in items:
            data = as_dict(item.get("span_data"))
            began = parse_moment(item.get("started_at"))
            if data.get("type") == "function":
                spool.put_tool(ToolSpan(
                    trace, began, as_text(data.get("name")), None, as_text(data.get("output")),
                    is_error=bool(item.get("error")), group=group,
                ))  # fmt: skip
            if data.get("type") not in ("generation", "response"):
                continue
            reader = MessageReader(settings)
            message = (as_list(data.get("output")) or [None])[0]
            request = {"messages": data.get("input"), "model": data.get("model")}
            response = {"choices": [{"message": message}], "usage": data.get("usage")}
            call = make_chat_call(reader, as_text(item.get("id")), trace, request, response, began)
            call.ended_at = parse_time(item.get("ended_at")) or began
            call.group, call.parent = group, as_text(item.get("parent_id")) or None
            call.response_id = as_text(data.get("response_id")) or None
            if item.get("error") or (message is None and data.get("type") == "generation"):
                error = as_dict(item.get("error"))
                call.error = (
                    as_text(as_dict(error.get("data")).get("error") or error.get("message"))
                    or "no answer"
                )
            if data.get("type") == "response":
                call.gaps.append("no content: a response's span has its number only")
            spool.put_call(call)
