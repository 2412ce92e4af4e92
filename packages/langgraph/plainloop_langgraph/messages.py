"""A thread's messages as LangChain's, from what is stored.

A message has one id in chunks, states and history: clients join them by it. Of an answer it is made
of its run and of how many rounds of tools came before, which the event log tells as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from plainloop.agent.base.messages.contents import get_text, list_calls, list_files
from plainloop.agent.base.messages.files import to_data_url
from plainloop.agent.store.api import StoredMessage
from plainloop.agent.types import FilePart, FunctionCall
from plainloop.server.routes.showing import make_message_id

Shown = dict[str, Any]


class Placed(NamedTuple):
    """A message with its position; several tool results of one stored message share it."""

    position: int
    message: Shown
    source: StoredMessage


def make_answer_id(run_id: str, rounds: int) -> str:
    return f"{run_id}-{rounds}"


def make_ai(message_id: str, text: str = "", calls: Sequence[Shown] = ()) -> Shown:
    return {
        "type": "ai",
        "id": message_id,
        "content": text,
        "additional_kwargs": {},
        "response_metadata": {},
        "tool_calls": [*calls],
        "invalid_tool_calls": [],
    }


def make_call(call_id: str, name: str, arguments: Any) -> Shown:
    return {"type": "tool_call", "id": call_id, "name": name, "args": arguments}


def make_tool_message(call_id: str, name: str, result: Any, *, is_error: bool) -> Shown:
    return {
        "type": "tool",
        "id": f"result-{call_id}",
        "name": name,
        "content": result if isinstance(result, str) else orjson.dumps(result).decode(),
        "tool_call_id": call_id,
        "status": "error" if is_error else "success",
        "additional_kwargs": {},
        "response_metadata": {},
    }


def to_placed(
    thread_id: str, stored: Sequence[StoredMessage], names: Mapping[int, str]
) -> list[Placed]:
    """Convert stored messages to LangChain's, with their positions.

    Replaced drafts are left out. names: the client's ids of user messages, by position.
    """
    rounds: Counter[str | None] = Counter()
    placed: list[Placed] = []
    for item in stored:
        name = names.get(item.position) or make_message_id(thread_id, item.position)
        if item.role == "user":
            text, files = get_text(item.message), list_files(item.message)
            words = [{"type": "text", "text": text}] if text else []
            if content := [*map(_to_block, files), *words] if files else text:
                told = {"type": "human", "id": name, "content": content}
                told |= {"additional_kwargs": {}, "response_metadata": {}}
                placed.append(Placed(item.position, told, item))
        elif item.role == "tool":
            rounds[item.run_id] += 1
            for part in (part for part in item.parts if part["type"] == "tool_result"):
                said = (part["id"], part["name"], part["result"])
                told = make_tool_message(*said, is_error=part["is_error"])
                placed.append(Placed(item.position, told, item))
        elif item.status != "superseded":
            if item.run_id is not None:
                name = make_answer_id(item.run_id, rounds[item.run_id])
            placed.append(Placed(item.position, _to_ai(name, item), item))
    return placed


def _to_block(part: FilePart) -> Shown:
    if part["media_type"].startswith("image/"):
        return {"type": "image_url", "image_url": {"url": to_data_url(part)}}
    told = {"type": "file", "source_type": "base64", "mime_type": part["media_type"]}
    more = {"metadata": {"filename": part["name"]}} if "name" in part else {}
    return {**told, "data": part["data"], **more}


def _to_ai(message_id: str, item: StoredMessage) -> Shown:
    calls = list_calls(item.message)
    whole = [call for call in calls if "invalid_arguments" not in call]
    shown = make_ai(message_id, get_text(item.message), [*map(_to_call, whole)])
    shown["invalid_tool_calls"] = [
        {
            "type": "invalid_tool_call",
            "id": call["id"],
            "name": call["name"],
            "args": call["invalid_arguments"],
            "error": "the arguments are not a JSON object",
        }
        for call in calls
        if "invalid_arguments" in call
    ]
    return shown


def _to_call(call: FunctionCall) -> Shown:
    return make_call(call["id"], call["name"], call["arguments"])
