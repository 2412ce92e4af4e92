"""A thread's messages as `UIMessage[]`: what the stream would build, from what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from plainloop.agent.base.messages.contents import get_text, list_files
from plainloop.agent.base.messages.files import to_data_url
from plainloop.agent.core.tools import describe_error
from plainloop.agent.store.api import StoredMessage
from plainloop.agent.store.records import Approval
from plainloop.agent.types import FilePart, FunctionResponse
from plainloop.server.routes.showing import make_message_id

from ..openai.chat import ask_in_words
from .shapes import WITH_APPROVALS


def to_ui_messages(
    thread_id: str,
    stored: Sequence[StoredMessage],
    names: Mapping[int, str],
    asked: Mapping[str, Approval],
    rated: Mapping[str, str],
    version: int,
) -> list[dict[str, Any]]:
    """Convert stored messages to messages of the client's AI SDK version.

    names: client ids of user messages by position. asked: decisions that a call waits or waited
    for, by call id. rated: the user's ratings of answers, by run. version: of the AI SDK; before 6,
    questions are texts.
    """
    shown: list[dict[str, Any]] = []
    turn: list[StoredMessage] = []
    for item in stored:
        if item.role != "user":
            turn.append(item)
            continue
        shown += _to_answer(thread_id, turn, asked, rated, version)
        turn = []
        parts = [*map(_to_file, list_files(item.message))]
        if text := get_text(item.message):
            parts.append({"type": "text", "text": text})
        if parts:
            name = names.get(item.position) or make_message_id(thread_id, item.position)
            shown.append({"id": name, "role": "user", "parts": parts})
    return [*shown, *_to_answer(thread_id, turn, asked, rated, version)]


def _to_file(part: FilePart) -> dict[str, Any]:
    shown = {"type": "file", "mediaType": part["media_type"], "url": to_data_url(part)}
    return {**shown, "filename": part["name"]} if "name" in part else shown


def _to_answer(
    thread_id: str,
    turn: Sequence[StoredMessage],
    asked: Mapping[str, Approval],
    rated: Mapping[str, str],
    version: int,
) -> list[dict[str, Any]]:
    """Build the assistant's message of a turn, if it has any content."""
    kept = [item.message for item in turn if item.status != "superseded"]
    results = {p["id"]: p for item in turn for p in item.parts if p["type"] == "tool_result"}
    parts: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []  # that wait, for who is asked in words
    for message in (item for item in kept if item["role"] == "assistant"):
        parts.append({"type": "step-start"})
        for part in message["parts"]:
            if part["type"] == "text" and part["text"]:
                parts.append({"type": "text", "text": part["text"], "state": "done"})
            elif part["type"] == "tool_call":
                call = {"toolName": part["name"], "toolCallId": part["id"]}
                given = {"input": part["arguments"], "providerExecuted": True}
                known = asked.get(part["id"])
                end = _describe_end(results.get(part["id"]), known)
                if version < WITH_APPROVALS and known and end.pop("approval", None):
                    is_open = end["state"] == "approval-requested"
                    questions += [asdict(known)] if is_open else []
                    told = {"state": "output-error", "errorText": f"denied: {known.question}"}
                    end = {"state": "input-available"} if is_open else told
                parts.append({"type": "dynamic-tool", **call, **given, **end})
    if questions:
        parts.append({"type": "text", "text": "\n\n" + ask_in_words(questions), "state": "done"})
    if not parts:
        return []
    first = turn[0]
    name = first.run_id or make_message_id(thread_id, first.position)
    shown: dict[str, Any] = {"id": name, "role": "assistant", "parts": parts}
    return [{**shown, "metadata": {"rating": rated[name]}} if name in rated else shown]


def _describe_end(result: FunctionResponse | None, asked: Approval | None) -> dict[str, Any]:
    """Return the state of a tool call for the AI SDK, by its result or approval."""
    if result is None:
        if asked is None or asked.status != "pending":
            return {"state": "input-available"}
        return {"state": "approval-requested", "approval": {"id": asked.approval_id}}
    if asked is not None and asked.status in ("denied", "expired"):
        approval = {"id": asked.approval_id, "approved": False}
        if asked.reason:
            approval["reason"] = asked.reason
        return {"state": "output-denied", "approval": approval}
    if result["is_error"]:
        return {"state": "output-error", "errorText": describe_error(result["result"])}
    return {"state": "output-available", "output": result["result"]}
