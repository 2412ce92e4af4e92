"""`bench encoders`: CPU time per streamed token of each protocol's encoder, beside our plain SSE.

All write the same run, one event at a time as a slow reader's stream does, by turns.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from plainloop.agent.events import Event
from plainloop.agent.mcp.session import MODERN
from plainloop.server.http.sse import SseWriter, StreamWriter
from plainloop.server.protocols.encoder import EncodedWriter, Encoder
from plainloop.server.ws.frames import to_frame
from plainloop_a2a.encoder import TaskEncoder
from plainloop_frontends.agui.encoder import AgUiEncoder
from plainloop_frontends.mcp.encoder import RunEncoder
from plainloop_frontends.mcp.eras import Era
from plainloop_frontends.openai.chat import ChatEncoder
from plainloop_frontends.openai.responses import ResponseEncoder
from plainloop_frontends.ui.encoder import UiEncoder
from scripts.benchmarks.rig.report import print_json, print_table, to_ratio

WARM_UP_ROUNDS = 3
PLAIN = "plain SSE"
RUN_ID = "0199c000-0000-7000-8000-000000000000"
WORDS = ("The ", "tracker ", "holds ", "seven ", "jobs, ", "two ", "of ", "them ", "saved. ")


class FrameWriter:
    """Our own WebSocket's frames, as `ws/outlet.py` sends them."""

    def write(self, events: list[Event]) -> bytes:
        frames = [to_frame(event, "thread", None) for event in events]
        return b"".join(orjson.dumps(frame) for frame in frames if frame is not None)


ENCODERS: Mapping[str, Callable[[], Encoder]] = {
    "AI SDK": lambda: UiEncoder(RUN_ID, "thread", 7, {}),
    "chat completions": lambda: ChatEncoder(RUN_ID, "m", {}, with_usage=True),
    "Responses": lambda: ResponseEncoder(RUN_ID, "m"),
    "AG-UI": lambda: AgUiEncoder(RUN_ID, "thread", "run"),
    "A2A": lambda: TaskEncoder(RUN_ID, "thread"),
    "MCP": lambda: RunEncoder(1, Era(MODERN, can_ask=True), RUN_ID, "thread", progress_token=1),
}


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench encoders", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="measured streams of each encoder")
    parser.add_argument("--tokens", type=int, default=1000, help="text deltas of the run")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = measure(options.rounds, options.tokens)
    if options.json:
        print_json(result)
    else:
        print_result(result)


def measure(rounds: int, tokens: int) -> dict[str, Any]:
    """`{"encoders": {name: {"us_per_token", "bytes_per_token", "lines"}}}`, medians."""
    makers: dict[str, Callable[[], StreamWriter | FrameWriter]] = {
        PLAIN: SseWriter,
        "WebSocket": FrameWriter,
        **{name: _make_writer(make) for name, make in ENCODERS.items()},
    }
    events = make_run(tokens)
    taken: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, int] = {}
    for number in range(WARM_UP_ROUNDS + rounds):
        for name in makers if number % 2 else reversed(makers):
            cpu_s, sizes[name] = _time_writer(makers[name](), events)
            if number >= WARM_UP_ROUNDS:
                taken[name].append(cpu_s)
    return {
        "rounds": rounds,
        "tokens": tokens,
        "encoders": {
            name: {
                "us_per_token": round(median(taken[name]) / tokens * 1e6, 2),
                "bytes_per_token": round(sizes[name] / tokens),
                "lines": _count_lines(name),
            }
            for name in makers
        },
    }


def make_run(tokens: int) -> list[Event]:
    """A run that says this many words."""
    said = [WORDS[n % len(WORDS)] for n in range(tokens)]
    told: list[tuple[str, dict[str, Any]]] = [
        ("run_start", {"run_id": RUN_ID, "thread_id": "thread"}),
        ("node_start", {"node": "general", "step": 1}),
        *(("text_delta", {"content": word}) for word in said),
        ("node_end", {"node": "general", "step": 1, "next": "END"}),
        ("done", {"content": "".join(said)}),
    ]
    made: Any = [
        {"seq": seq, "event": name, "data": data} for seq, (name, data) in enumerate(told, 1)
    ]
    return made


def _make_writer(make: Callable[[], Encoder]) -> Callable[[], StreamWriter]:
    return lambda: EncodedWriter(make())


def _time_writer(writer: StreamWriter | FrameWriter, events: list[Event]) -> tuple[float, int]:
    """CPU seconds for the whole run, and its bytes."""
    gc.collect()  # nobody pays for what the one before left behind
    size_bytes = 0
    before = time.process_time()
    for event in events:
        size_bytes += len(writer.write([event]))
    return time.process_time() - before, size_bytes


def _count_lines(name: str) -> int | None:
    """Of the encoder's file; None: it is no file of its own."""
    if name not in ENCODERS:
        return None
    return len(Path(inspect.getfile(type(ENCODERS[name]()))).read_text("utf-8").splitlines())


def print_result(result: dict[str, Any]) -> None:
    encoders = result["encoders"]
    plain = encoders[PLAIN]["us_per_token"]
    rows = [
        [
            name,
            item["us_per_token"],
            to_ratio(plain, item["us_per_token"]),
            item["bytes_per_token"],
            item["lines"],
        ]
        for name, item in encoders.items()
    ]
    columns = ["", "us a token", "of plain SSE", "bytes a token", "lines"]
    print_table(f"A run of {result['tokens']:,} tokens, one event at a time", columns, rows)
