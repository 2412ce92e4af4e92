"""Files of OpenAI's products and of those who train by them; what an item is, its keys say.

Sources: openai/openai-openapi openapi.yaml (ChatCompletionMessageList: its messages name their
completion in their ids), openai/openai-python types/chat/chat_completion_store_message.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError

from .chatgpt import read_chatgpt
from .conversations import ModelCall, ToolSpan
from .evals import read_eval
from .files import read_items, refuse_unknown
from .messages import OTHER_ANSWER, MessageReader, Said, join_answers, split_system
from .spool import Spool
from .usage import read_usage
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
# Of what consists of two lists: one's kind, the other's, what each is.
_HALVES: Final = (
    ("stored_said", "stored", "messages of stored completions", "the list of completions"),
    ("stored_one", "stored", "messages of stored completions", "the list of completions"),
    ("batch_in", "batch_out", "the requests of a batch", "the batch's output file"),
)
NAMES: Final = ("conversation_id", "conversation", "thread_id", "session_id")
_STORED: Final = re.compile(r"(chatcmpl-.+)-(\d{1,6})")  # of a message of a stored completion
_CHATML: Final = re.compile(r"<\|im_start\|>(\w+)\n(.*?)<\|im_end\|>", re.DOTALL)
_SHAREGPT: Final = {"human": "user", "gpt": "assistant", "system": "system"}


def read_files(spool: Spool, files: Sequence[str], settings: Settings) -> None:
    """Read OpenAI's export files into the spool (a temporary store).

    Raises: InputError for an unknown record.
    """
    for path in files:
        for item in read_items(path, "data", broken=spool.broken):
            found = as_dict(item)
            if not _take(spool, found, settings):
                place = f"{path}, item {spool.broken.item}"
                spool.broken.refuse(refuse_unknown(item, place, "OpenAI"))
    spool.index()
    _check_halves(spool)
    # What a call consists of may stand in several files.
    for make in (_make_stored, _make_batches, _make_responses, _make_agents):
        make(spool, settings)


def _check_halves(spool: Spool) -> None:
    """Check that each half of a call has its counterpart. Raises: InputError naming the file."""
    for kind, other, has, lacks in _HALVES:
        if any(spool.list_by_time(kind)) and not any(spool.list_by_time(other)):
            raise InputError(
                f"the files contain {has}, but not {lacks}",
                hint="Name both files: plainloop import openai FILE FILE",
            )


def _take(spool: Spool, item: dict[str, Any], settings: Settings) -> bool:
    """Read an item, or store it until its counterpart is read; False for an unknown item."""
    if "mapping" in item:
        read_chatgpt(spool, item, MessageReader(settings))
    elif "custom_id" in item and "body" in item:
        spool.put("batch_in", str(item["custom_id"]), 0, item["body"])
    elif "custom_id" in item:
        spool.put("batch_out", str(item["custom_id"]), 0, item)
    elif "completion" in item and "list" in item:
        spool.put("stored_said", str(item["completion"]), 0, as_dict(item["list"]).get("data"))
    elif "role" in item and (named := _STORED.fullmatch(as_text(item.get("id")))):
        spool.put("stored_one", named[1], int(named[2]), item)
    elif item.get("object") == "chat.completion":
        spool.put("stored", str(item.get("id")), 0, item)
    elif item.get("object") == "response" or "response" in item:
        response = as_dict(item.get("response")) or item
        items = as_list(as_dict(item.get("input_items")).get("data"))[::-1]
        _put_response(spool, response, items or item.get("input"))
    elif item.get("object") in ("trace", "trace.span"):
        key = item.get("trace_id") or item.get("id")
        sort = parse_time(item.get("started_at"))
        spool.put("agents", str(key), sort.timestamp() if sort else 0.0, item)
    elif not read_eval(spool, item, settings):
        return _take_training(spool, item, MessageReader(settings))
    return True


def _put_response(spool: Spool, response: dict[str, Any], sent: Any) -> None:
    """Store a response until those before it are known. sent: items, or the user's text."""
    items = [{"role": "user", "content": sent}] if isinstance(sent, str) else as_list(sent)
    spool.put("response", str(response.get("id")), 0, [response, items])


def _take_training(spool: Spool, item: dict[str, Any], reader: MessageReader) -> bool:
    """Read a line of a fine-tuning file as a conversation without times; False for other items."""
    name = item.get("conversation_id") or item.get("id")
    own = str(name) if name else None
    if isinstance(item.get("messages"), list):
        tools = [*as_list(item.get("tools")), *as_list(item.get("functions"))]
        keep_whole(spool, reader, reader.read(item["messages"]), tools=tools or None, name=own)
    elif "preferred_output" in item:
        given = as_dict(item.get("input"))
        said = reader.read([*as_list(given.get("messages")), *as_list(item["preferred_output"])])
        reader.note("the rejected answer of a pair: left out")
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


def make_chat_call(
    reader: MessageReader,
    name: str,
    trace: str,
    request: dict[str, Any],
    response: dict[str, Any],
    at: datetime,
) -> ModelCall:
    """Make a model call from a Chat Completions request (with `messages`) and its response."""
    system, sent = split_system(reader.read(as_list(request.get("messages"))))
    call = ModelCall(name, trace, at, at, PROVIDER, system=system, sent=sent or None)
    call.model = as_text(request.get("model")) or as_text(response.get("model"))
    call.model_answered = as_text(response.get("model")) or None
    call.tools = as_list(request.get("tools")) or None
    call.response_id = as_text(response.get("id")) or None
    choice = as_dict((as_list(response.get("choices")) or [None])[0])
    if message := as_dict(choice.get("message")):
        call.answer = reader.read_answer(message)
    for _ in as_list(response.get("choices"))[1:]:
        reader.note(OTHER_ANSWER)
    call.finish = as_text(choice.get("finish_reason")) or None
    call.usage = read_usage(as_dict(response.get("usage")), reader.note)
    call.notes = reader.list_notes()
    return call


def _make_stored(spool: Spool, settings: Settings) -> None:
    for name, items in spool.list_all("stored", dict[str, Any]):
        item = items[0]
        said = spool.load("stored_said", name, list[Any])
        said = said or [spool.load("stored_one", name, dict[str, Any])]
        at = parse_moment(item.get("created"))
        request = {"model": item.get("model"), "tools": item.get("tools"), "messages": said[0]}
        for one in as_list(request["messages"]):
            if as_dict(one).get("content_parts"):
                one["content"] = one["content_parts"]
        call = make_chat_call(MessageReader(settings), name, name, request, item, at)
        call.group = find_named(as_dict(item.get("metadata")), NAMES)
        if not said[0]:
            call.gaps.append(
                "no content: the messages of stored completions are in a separate list"
            )
        spool.put_call(call)


def _make_batches(spool: Spool, settings: Settings) -> None:
    """Join the requests and answers of batches; those without an answer come last."""
    last = NEVER
    for _, items in spool.list_all("batch_out", dict[str, Any]):
        for item in items:
            body = as_dict(as_dict(item.get("response")).get("body"))
            last = max(last, parse_moment(body.get("created", body.get("created_at"))))
    for name, items in spool.list_all("batch_out", dict[str, Any]):
        requests = spool.load("batch_in", name, dict[str, Any])
        if any(request != requests[0] for request in requests[1:]):
            told = (
                f"several requests have the custom_id {name[:64]!r}, so their answers are unknown"
            )
            hint = "Import the files of each batch with a command of their own."
            spool.broken.refuse(InputError(told, hint=hint))
            continue
        request = requests[0] if requests else {}
        answered = [
            item for item in items if as_dict(item.get("response")).get("status_code") == 200
        ]
        body = as_dict(as_dict(answered[0]["response"]).get("body")) if answered else as_dict(None)
        at = parse_time(body.get("created", body.get("created_at"))) or last
        if body.get("object") == "response":
            _put_response(spool, body, request.get("input"))
            spool.flush()
            continue
        reader = MessageReader(settings)
        for _ in answered[1:]:
            reader.note(OTHER_ANSWER)
        call = make_chat_call(reader, name, name, request, body, at)
        call.group = find_named(as_dict(request.get("metadata")), NAMES)
        # The next batch counts its requests from 1 again, as in the examples of OpenAI's page.
        if call.group is None and answered:
            call.alias = f"{name} ({as_text(answered[0].get('id')) or call.response_id})"
        if not answered:
            error = as_dict(items[0].get("error"))
            call.error = as_text(error.get("message") or error.get("code")) or "no answer"
            call.gaps.append(f"the batch contains no answer: {call.error[:120]}")
        if not requests:
            call.gaps.append("no content: the batch's input file is missing")
        spool.put_call(call)


def _make_responses(spool: Spool, settings: Settings) -> None:
    """Make calls from responses, each with the messages of those before it in the chain."""
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
        prompts = [one.text for one in said if one.role == "system"]
        told = dict.fromkeys((as_text(response.get("instructions")), *prompts))
        call.system = "\n\n".join(filter(None, told))
        answered = join_answers(reader.read(as_list(response.get("output"))))
        call.answer = answered[0] if answered else None
        for _ in answered[1:]:
            reader.note("part of an answer after a tool result: left out")
        call.model = as_text(response.get("model"))
        call.model_answered = call.model or None
        call.tools = as_list(response.get("tools")) or None
        call.response_id = name
        call.usage = read_usage(as_dict(response.get("usage")), reader.note)
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
            call.gaps.append("the history starts in the middle: an earlier response is missing")
        call.notes = reader.list_notes()
        spool.put_call(call)


def _make_agents(spool: Spool, settings: Settings) -> None:
    """Make calls from Agents SDK traces; `task` and `turn` only repeat their generations' usage."""
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
            answers = as_list(data.get("output"))
            message = answers[0] if answers else None
            request = {"messages": data.get("input"), "model": data.get("model")}
            choices = [{"message": one} for one in answers or [None]]
            response = {"choices": choices, "usage": data.get("usage")}
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
                call.gaps.append("no content: a response's span contains only its id")
            spool.put_call(call)
