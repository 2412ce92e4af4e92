"""Every encoder with what its client makes of its frames: the client's own code where there is
some for Python, else the rules of its protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from plainloop.server.edges.encoder import Encoder, Frame, encode_events
from plainloop.server.edges.openai.chat import MARK, ChatEncoder, ask_in_words, find_drafts
from tests.edges.golden import Golden
from tests.runs.effects_pack import World


@dataclass(frozen=True)
class Client:
    """make: an encoder of a run. show: the answer as its client shows it after these streams."""

    name: str
    make: Callable[[Golden], Encoder]
    show: Callable[[Golden, Sequence[Sequence[Frame]]], str]


def get_run_id(run: Golden) -> str:
    return run.events[0]["data"]["run_id"]


def split_streams(client: Client, run: Golden) -> list[list[Frame]]:
    """One stream up to each point at which the run waits for its user, and one to the end."""
    streams: list[list[Frame]] = []
    begin = 0
    for end in (*run.pauses, None):
        encoder = client.make(run)
        seen = [event for event in run.events if end is None or event["seq"] <= end]
        opening = encoder.reopen() if begin else []
        frames = [*opening, *encode_events(encoder, seen, begin)]
        streams.append([*frames, *(encoder.wait() if end is not None else [])])
        begin = end or 0
    return streams


def make_chat(run: Golden) -> Encoder:
    return ChatEncoder(get_run_id(run), "m", find_drafts(World().make_pack()), with_usage=True)


def show_chat(run: Golden, streams: Sequence[Sequence[Frame]]) -> str:
    """By openai-python's own accumulator. Questions, and answers that were corrected, go."""
    asked = [item["data"] for item in run.events if item["event"] == "approval_request"]
    question = ask_in_words([item["question"] for item in asked])
    shown = ""
    for frames in streams:
        state: Any = ChatCompletionStreamState()
        chunks = [frame for frame in frames if "error" not in frame]
        for frame in chunks:
            state.handle_chunk(ChatCompletionChunk.model_validate(frame))
        text = state.current_completion_snapshot.choices[0].message.content or "" if chunks else ""
        shown += text.removesuffix(question).removesuffix("\n\n")
    return shown.rpartition(MARK)[2]


CLIENTS = (Client("chat completions", make_chat, show_chat),)
