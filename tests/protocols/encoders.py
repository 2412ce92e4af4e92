"""Every encoder with what its client makes of its frames: the client's own code where there is
some for Python, else the rules of its protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import Event as AgUiEvent
from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import RawMessageStreamEvent
from mcp_types import CallToolResult, InputRequiredResult, TextContent
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from plainloop.agent.mcp.session import MODERN
from plainloop.server.http.drafts import find_drafts
from plainloop.server.protocols.encoder import Encoder, Frame, encode_events
from plainloop_frontends.agui.encoder import AgUiEncoder
from plainloop_frontends.anthropic.encoder import MessageEncoder
from plainloop_frontends.mcp.encoder import RunEncoder
from plainloop_frontends.mcp.eras import Era
from plainloop_frontends.openai.chat import MARK, ChatEncoder, ask_in_words
from plainloop_frontends.openai.responses import ResponseEncoder
from plainloop_frontends.ui.encoder import UiEncoder
from tests.protocols.golden import Golden
from tests.runs.effects_pack import World

RESPONSE_EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
MESSAGE_EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
AGUI_EVENT: TypeAdapter[Any] = TypeAdapter(AgUiEvent)


@dataclass(frozen=True)
class Client:
    """make: an encoder of a run, for what comes after an event. show: the answer as its client
    shows it after these streams."""

    name: str
    make: Callable[[Golden, int], Encoder]
    show: Callable[[Golden, Sequence[Sequence[Frame]]], str]


def get_run_id(run: Golden) -> str:
    return run.events[0]["data"]["run_id"]


def split_streams(client: Client, run: Golden) -> list[list[Frame]]:
    """One stream up to each point at which the run waits for its user, and one to the end."""
    streams: list[list[Frame]] = []
    begin = 0
    for end in (*run.pauses, None):
        encoder = client.make(run, begin)
        seen = [event for event in run.events if end is None or event["seq"] <= end]
        opening = encoder.reopen() if begin else []
        frames = [*opening, *encode_events(encoder, seen, begin)]
        streams.append([*frames, *(encoder.wait() if end is not None else [])])
        begin = end or 0
    return streams


def make_chat(run: Golden, after: int) -> Encoder:
    return ChatEncoder(get_run_id(run), "m", find_drafts(World().make_pack()), with_usage=True)


def show_chat(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By openai-python's own accumulator. Questions, and answers that were corrected, go."""
    asked = [item["data"] for item in run.events if item["event"] == "approval_request"]
    question = ask_in_words(asked)
    shown = ""
    for frames in streams:
        state: Any = ChatCompletionStreamState()
        chunks = [frame for frame in frames if "error" not in frame]
        for frame in chunks:
            state.handle_chunk(ChatCompletionChunk.model_validate(frame))
        text = state.current_completion_snapshot.choices[0].message.content or "" if chunks else ""
        shown += text.removesuffix(question).removesuffix("\n\n")
    return shown.rpartition(MARK)[2]


def make_ui(run: Golden, after: int, version: int = 7) -> Encoder:
    return UiEncoder(get_run_id(run), "thread", version, find_drafts(World().make_pack()))


def make_ui_6(run: Golden, after: int) -> Encoder:
    return make_ui(run, after, 6)


def make_ui_5(run: Golden, after: int) -> Encoder:
    return make_ui(run, after, 5)


def show_ui(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By the rules of AI SDK's `processUIMessageStream`: one message over all streams. Questions in
    words go.
    """
    parts: list[dict[str, Any]] = []
    for frames in streams:
        texts: dict[str, dict[str, Any]] = {}
        assert frames[0]["type"] == "start" and frames[-1]["type"] == "finish"
        for frame in frames:
            kind, call_id = frame["type"], frame.get("toolCallId")
            if kind == "start-step":
                parts.append({"type": "step-start"})
            elif kind == "reset-step":
                last = max(n for n, part in enumerate(parts) if part["type"] == "step-start")
                del parts[last + 1 :]
                texts.clear()
            elif kind == "text-start":
                texts[frame["id"]] = {"type": "text", "text": ""}
                parts.append(texts[frame["id"]])
            elif kind == "text-delta":
                texts[frame["id"]]["text"] += frame["delta"]
            elif kind == "text-end":
                del texts[frame["id"]]
            elif kind == "tool-input-available":
                known = [part for part in parts if part.get("id") == call_id]
                parts += [] if known else [{"type": "tool", "id": call_id}]
            elif call_id is not None:
                assert any(part.get("id") == call_id for part in parts), frame
        assert not texts or frames[-1]["finishReason"] == "tool-calls"
    return strip_ui(run, "".join(part["text"] for part in parts if part["type"] == "text"))


def strip_ui(run: Golden, shown: str) -> str:
    """Without what clients of before 7 are told in words: questions, and what was corrected."""
    asked = [item["data"] for item in run.events if item["event"] == "approval_request"]
    return shown.replace("\n\n" + ask_in_words(asked), "").rpartition(MARK)[2]


def make_agui(run: Golden, after: int) -> Encoder:
    history = [{"id": "u", "role": "user", "content": "hi"}]
    return AgUiEncoder(get_run_id(run), "thread", "run", history)


def make_old_agui(run: Golden, after: int) -> Encoder:
    return AgUiEncoder(get_run_id(run), "thread", "run", is_old=True)


def show_agui(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """Each frame by the models of ag-ui-protocol, the order by its client's rules."""
    messages: dict[str, str] = {}
    for frames in streams:
        open_texts: set[str] = set()
        steps: set[str] = set()
        assert frames[0]["type"] == "RUN_STARTED"
        assert frames[-1]["type"] in ("RUN_FINISHED", "RUN_ERROR")
        for frame in frames:
            AGUI_EVENT.validate_python(frame)
            kind, name = frame["type"], frame.get("messageId", "")
            if kind == "MESSAGES_SNAPSHOT":
                assert not open_texts
                told = [item for item in frame["messages"] if item["role"] == "assistant"]
                messages = {item["id"]: item.get("content", "") for item in told}
            elif kind == "TEXT_MESSAGE_START":
                assert name not in messages or not messages[name]
                open_texts.add(name)
                messages[name] = ""
            elif kind == "TEXT_MESSAGE_CONTENT":
                assert name in open_texts and frame["delta"]
                messages[name] += frame["delta"]
            elif kind == "TEXT_MESSAGE_END":
                open_texts.remove(name)
            elif kind == "STEP_STARTED":
                assert frame["stepName"] not in steps
                steps.add(frame["stepName"])
            elif kind == "STEP_FINISHED":
                steps.remove(frame["stepName"])
            elif kind == "RUN_FINISHED":
                assert not open_texts and not steps
    return "".join(messages.values())


def make_response(run: Golden, after: int) -> Encoder:
    return ResponseEncoder(get_run_id(run), "m", after)


def show_response(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """Each frame by openai-python's types; the answer is what its `output_text` gives."""
    asked = [item["data"] for item in run.events if item["event"] == "approval_request"]
    question = ask_in_words(asked)
    shown = ""
    for frames in streams:
        assert [frame["sequence_number"] for frame in frames] == [*range(len(frames))]
        for frame in frames:
            if frame["type"] != "error":
                RESPONSE_EVENT.validate_python(frame)
        final = Response.model_validate(frames[-1]["response"])
        shown += final.output_text.removesuffix(question).removesuffix("\n\n")
    return shown


def make_mcp(run: Golden, after: int = 0) -> Encoder:
    return RunEncoder(1, Era(MODERN, can_ask=True), get_run_id(run), "thread", progress_token=1)


def show_mcp(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By the official package's types: the last answer; of a failed call what it said before."""
    results = [frame["result"] for frames in streams for frame in frames if "result" in frame]
    for frame in results[:-1]:
        if frame["resultType"] == "input_required":
            assert InputRequiredResult.model_validate(frame).input_requests
    result = CallToolResult.model_validate(results[-1])
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    return "".join(texts[:-1] if result.is_error else texts)


def make_message(run: Golden, after: int) -> Encoder:
    drafts = find_drafts(World().make_pack())
    return MessageEncoder(get_run_id(run), "m", drafts, after=after)


def show_message(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By anthropic-python's own accumulator. Questions, and answers that were corrected, go."""
    asked = [item["data"] for item in run.events if item["event"] == "approval_request"]
    question, shown = ask_in_words(asked), list[str]()
    for frames in streams:
        message: Any = None
        pieces: dict[int, bytes] = {}
        for frame in frames:
            if frame["type"] in ("ping", "error"):
                continue
            event = MESSAGE_EVENT.validate_python(frame)
            message = accumulate_event(event=event, current_snapshot=message, json_bufs=pieces)
        texts = [block.text for block in message.content if block.type == "text"] if message else []
        shown.append("".join(texts).removesuffix(question).removesuffix("\n\n"))
    return "\n\n".join(filter(None, shown)).rpartition(MARK)[2]


CLIENTS = (
    Client("messages", make_message, show_message),
    Client("mcp", make_mcp, show_mcp),
    Client("responses", make_response, show_response),
    Client("ag-ui", make_agui, show_agui),
    Client("ag-ui 0.0.59", make_old_agui, show_agui),
    Client("chat completions", make_chat, show_chat),
    Client("ui messages", make_ui, show_ui),
    Client("ui messages 6", make_ui_6, show_ui),
    Client("ui messages 5", make_ui_5, show_ui),
)
