"""Vendors' prompt caches and prices, as their pages state them; input tokens and what they cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from scripts.benchmarks.pauses import PAUSES

ANSWER_S: Final = 3.0
TOKENS_PER_S: Final = 80
LOOKUP_BLOCKS: Final = 22  # how far back of a mark a known prefix is looked for


class Segment(NamedTuple):
    """A piece of a request. key: the same for the same text; kind: where caches may end."""

    key: str
    tokens: int
    kind: Literal["head", "user", "answer", "passing"]


class Request(NamedTuple):
    """One call: what was sent, how many thinking parts, and how many of them were not valid."""

    turn: int
    segments: Sequence[Segment]
    output: int
    thinking: int
    of_thinking: int
    invalid: int


@dataclass(frozen=True, slots=True)
class Vendor:
    """USD per million tokens; writes by lifetime in seconds; the smallest prefix that is kept.

    marks: where its caches end: at marks of ours (anthropic), at the newest messages (openai),
    anywhere. thinking: whether it goes back.
    """

    fresh: float
    read: float
    write: dict[int, float]
    least: int
    marks: Literal["anthropic", "openai", "any"]
    thinking: bool


# List prices of genai-prices 0.2.3. That terra and Kimi bill reasoning which is sent back, and how
# long Gemini keeps a prefix, are assumptions.
VENDORS: Final = {
    "claude-sonnet-5-5": Vendor(2.0, 0.10, {300: 2.5, 3600: 4.0}, 1024, "anthropic", True),
    "gpt-6.1-terra": Vendor(1.0, 0.05, {1800: 1.25}, 1024, "openai", True),
    "gemini-3.8-flash": Vendor(0.75, 0.075, {1800: 0.75}, 4096, "any", False),
    "deepseek-flash": Vendor(0.15, 0.003, {86400: 0.15}, 64, "any", False),
    "kimi-k3.1-pro": Vendor(2.0, 0.2, {300: 2.0, 3600: 4.0}, 256, "any", True),
}


@dataclass(slots=True)
class Bill:
    """Input tokens of a thread and what they cost in USD."""

    read: int = 0
    written: int = 0
    fresh: int = 0
    cost: float = 0.0


def bill_thread(requests: Sequence[Request], script: Any, vendor: Vendor, pauses: str) -> Bill:
    """Bill a thread's requests at the cheaper of the vendor's lifetimes."""
    rows = PAUSES[pauses]["rows"] if pauses else [[1.0, 1, 40]]
    bills = [bill_lifetime(requests, script, vendor, rows, life) for life in vendor.write]
    return min(bills, key=lambda bill: bill.cost)


def bill_lifetime(
    requests: Sequence[Request], script: Any, vendor: Vendor, rows: Any, life: int
) -> Bill:
    """Bill the requests with caches that live so many seconds."""
    bill, kept, now, last = Bill(), dict[str, float](), 0.0, 0
    for request in requests:
        if request.turn != last:
            turn, last = script.turns[request.turn], request.turn
            now += draw_pause(rows, turn.share, turn.depth)
        points, total = list[tuple[str, int]](), 0
        for segment in request.segments:
            total += segment.tokens
            before = points[-1][0] if points else ""
            points.append((f"{hash((before, segment.key)):x}", total))
        marks, look = find_marks(request.segments, vendor)
        hit = find_hit(points, sorted(look, reverse=True), kept, now - life, vendor.least)
        end = max((points[n][1] for n in marks), default=0)
        end = max(hit, end if end >= vendor.least else 0)
        bill.read += hit
        bill.written += end - hit
        bill.fresh += total - end
        for n in look if hit else ():
            if points[n][1] <= hit and points[n][0] in kept:
                kept[points[n][0]] = now
        kept.update({points[n][0]: now for n in marks if points[n][1] >= vendor.least})
        now += ANSWER_S + request.output / TOKENS_PER_S
    prices = (bill.fresh * vendor.fresh, bill.read * vendor.read, bill.written * vendor.write[life])
    bill.cost = sum(prices) / 1e6
    return bill


def draw_pause(rows: Any, share: float, depth: float) -> float:
    """Draw seconds from a table of pauses: the row by `share`, within it by `depth`."""
    for part, least, most in rows:
        if share < part:
            return math.exp(math.log(least) + depth * (math.log(most) - math.log(least)))
        share -= part
    return rows[-1][2]


def find_marks(segments: Sequence[Segment], vendor: Vendor) -> tuple[set[int], set[int]]:
    """Where prefixes are kept, and where they are looked for."""
    heads = {n for n, segment in enumerate(segments) if segment.kind == "head"}
    users = [n for n, segment in enumerate(segments) if segment.kind == "user"]
    match vendor.marks:
        case "anthropic":
            marks = heads | {*users[-2:]}
        case "openai":
            marks = heads | {len(segments) - 1, *users[-3:]}
        case _:
            return {*range(len(segments))}, {*range(len(segments))}
    return marks, marks | {*users[-LOOKUP_BLOCKS:]}


def find_hit(
    points: Sequence[tuple[str, int]],
    places: Sequence[int],
    kept: dict[str, float],
    since: float,
    least: int,
) -> int:
    for n in places:
        key, tokens = points[n]
        if tokens < least:
            return 0
        if kept.get(key, -math.inf) >= since:
            return tokens
    return 0


def count_breaks(requests: Sequence[Request]) -> tuple[int, int]:
    """Count requests that do not extend the one before: all, and within a turn."""
    breaks = inside = 0
    for before, now in zip(requests, requests[1:], strict=False):
        old = [segment.key for segment in before.segments if segment.kind != "passing"]
        if [segment.key for segment in now.segments[: len(old)]] != old:
            breaks += 1
            inside += before.turn == now.turn
    return breaks, inside
