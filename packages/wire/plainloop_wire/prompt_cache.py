"""What the providers' prompt caches would do: which part of a prompt was seen before, and still is.

Three kinds. `marked` (Anthropic, OpenAI from 5.6 on, Kimi k3): a prefix is stored where the client,
or the server by itself, set a mark, and found again when a later request has the same prefix at, or
up to 20 blocks before, a mark. `automatic` (older OpenAI models, Gemini): any prefix of at least
`min_tokens` counts, in steps. `none` (Ollama): it keeps prefixes too, but says nothing of them.

What was written lives for its own lifetime, from the start of the request that wrote or last read
it, and can be read once that request's answer has begun. A prefix that is warm for five minutes and
then marked for an hour stays one of five minutes, unless `lifts` says otherwise: what the providers
do is not told, and no client may gain by it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, Literal

from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.dataclasses import dataclass

LOOKBACK_BLOCKS: Final = 20  # Source: Anthropic's prompt caching guide
TTL_S: Final = {"5m": 300.0, "30m": 1800.0, "1h": 3600.0, "12h": 43_200.0}
LONG: Final = ("1h", "12h")  # of each model's two lifetimes the one that is dearer to write
_GRAIN_CHARS: Final = 256  # how finely an automatic cache compares; about half a step
_MAX_ENTRIES: Final = 200_000

Ttl = Literal["5m", "30m", "1h", "12h"]


@dataclass(frozen=True, slots=True)
class Segment:
    """One block of a prompt. ttl: there is a cache mark after it."""

    text: str
    tokens: int
    ttl: Ttl | None = None


@dataclass(frozen=True, slots=True)
class CacheRule:
    kind: Literal["marked", "automatic", "none"]
    min_tokens: int = 1024
    step: int = 1  # cached tokens are a multiple of this
    ttl_s: float = 300.0  # automatic only


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """A prompt's tokens in disjoint buckets, one for each price."""

    uncached: int
    read: int = 0
    write: int = 0
    write_long: int = 0

    @property
    def total(self) -> int:
        return self.uncached + self.read + self.written

    @property
    def written(self) -> int:
        return self.write + self.write_long


@dataclass(slots=True)
class _Block:
    lifetime_s: float
    expires_s: float
    ready_s: float  # when the answer of the request that wrote it began


class PromptCache:
    """Cached prompt prefixes by hash, until they expire. One per server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, lifts: bool = False) -> None:
        """Keep nothing yet. lifts: a warm prefix takes the longer lifetime of a new mark for
        nothing.
        """
        self.clock = clock
        self._lifts = lifts
        self._blocks: dict[bytes, _Block] = {}
        self._ends: set[bytes] = set()  # prefixes that were marked: only these are found

    def clear(self) -> None:
        self._blocks.clear()
        self._ends.clear()

    def measure(
        self,
        rule: CacheRule,
        scope: str,
        segments: Sequence[Segment],
        started_s: float | None = None,
    ) -> PromptTokens:
        """Count how many of a prompt's tokens are cached, and cache the prompt.

        Returns the tokens as cached, newly cached and uncached.

        scope: prefixes are shared only within it (whose they are, the model, how it was asked).
        started_s: when the request came; None: now.
        """
        if rule.kind == "none":
            return PromptTokens(sum(segment.tokens for segment in segments))
        now = self.clock() if started_s is None else started_s
        if len(self._blocks) > _MAX_ENTRIES:
            live = [(key, block) for key, block in self._blocks.items() if block.expires_s > now]
            self._blocks = dict(live[-_MAX_ENTRIES // 2 :])
            self._ends &= self._blocks.keys()
        if rule.kind == "marked":
            return self._measure_marked(rule, scope, segments, now)
        return self._measure_automatic(rule, scope, segments, now)

    def _measure_marked(
        self, rule: CacheRule, scope: str, segments: Sequence[Segment], now: float
    ) -> PromptTokens:
        """Anthropic's billing: what is found is read; after it up to the last long mark is written
        for long, up to the last mark for short, and the rest is not cached.
        """
        sums = list(accumulate(segment.tokens for segment in segments))
        # For each segment the hash of everything up to and including it.
        running = hashlib.blake2b(scope.encode(), digest_size=16)
        digests: list[bytes] = []
        for segment in segments:
            running.update(b"\x1e" + segment.text.encode())
            digests.append(running.copy().digest())
        marks = [i for i, item in enumerate(segments) if item.ttl and sums[i] >= rule.min_tokens]
        found = self._find_prefix(marks, digests, now)
        for i in range(found + 1):
            block = self._blocks[digests[i]]
            if self._lifts:
                asked = [TTL_S[segments[mark].ttl or "5m"] for mark in marks if mark >= i]
                block.lifetime_s = max([block.lifetime_s, *asked])
            block.expires_s = max(block.expires_s, now + block.lifetime_s)
        written = {False: 0, True: 0}
        position, ready_s = found, self.clock()
        for mark in marks:
            ttl = segments[mark].ttl or "5m"
            self._ends.add(digests[mark])
            if mark <= position:
                continue
            start = sums[position] if position >= 0 else 0
            written[ttl in LONG] += sums[mark] - start
            for digest in digests[position + 1 : mark + 1]:
                self._blocks[digest] = _Block(TTL_S[ttl], now + TTL_S[ttl], ready_s)
            position = mark
        read = sums[found] if found >= 0 else 0
        rest = (sums[-1] if sums else 0) - read - sum(written.values())
        return PromptTokens(rest, read, written[False], written[True])

    def _find_prefix(self, marks: Sequence[int], digests: Sequence[bytes], now: float) -> int:
        """The last block of the longest prefix that is there as a whole; -1: none."""
        last = marks[-1] + 1 if marks else 0
        alive = next((i for i in range(last) if not self._is_alive(digests[i], now)), last)
        for mark in reversed(marks):
            for i in range(min(mark, alive - 1), max(-1, mark - LOOKBACK_BLOCKS), -1):
                if digests[i] in self._ends:
                    return i
        return -1

    def _measure_automatic(
        self, rule: CacheRule, scope: str, segments: Sequence[Segment], now: float
    ) -> PromptTokens:
        total = sum(segment.tokens for segment in segments)
        # The hash of the prompt's first 256, 512, 768 … characters.
        text = "".join(segment.text for segment in segments)
        running = hashlib.blake2b(scope.encode(), digest_size=16)
        digests: list[bytes] = []
        for start in range(0, len(text) - _GRAIN_CHARS + 1, _GRAIN_CHARS):
            running.update(text[start : start + _GRAIN_CHARS].encode())
            digests.append(running.copy().digest())
        known = next(
            (i for i in range(len(digests), 0, -1) if self._is_alive(digests[i - 1], now)), 0
        )
        ready_s = self.clock()
        for n, digest in enumerate(digests):
            ready = (
                self._blocks[digest].ready_s if n < known and digest in self._blocks else ready_s
            )
            self._blocks[digest] = _Block(rule.ttl_s, now + rule.ttl_s, ready)
        read = min(_tokens_before(segments, known * _GRAIN_CHARS), max(0, total - 1))
        read -= read % rule.step
        if read < rule.min_tokens:
            read = 0
        return PromptTokens(total - read, read)

    def _is_alive(self, digest: bytes, now: float) -> bool:
        block = self._blocks.get(digest)
        return block is not None and block.ready_s <= now < block.expires_s


def _tokens_before(segments: Sequence[Segment], chars: int) -> int:
    """Tokens in the prompt's first `chars` characters."""
    tokens = 0
    for segment in segments:
        if chars < len(segment.text):
            return tokens + estimate_tokens(segment.text[:chars])
        chars -= len(segment.text)
        tokens += segment.tokens
    return tokens
