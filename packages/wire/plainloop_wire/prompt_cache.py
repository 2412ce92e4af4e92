"""What the providers' prompt caches would do: which part of a prompt was seen before.

Three kinds. `breakpoints` (Anthropic): a prefix is stored where the client set `cache_control`, and
found again when a later request has the same prefix at, or up to 20 blocks before, a breakpoint.
`automatic` (OpenAI, Gemini): any prefix of at least `min_tokens` counts, in steps. `none` (Ollama):
it keeps prefixes too, but says nothing of them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal

from plainloop.agent.base.tokens import estimate_tokens

_LOOKBACK_BLOCKS: Final = 20  # Source: Anthropic's prompt caching guide
_TTL_S: Final = {"5m": 300.0, "1h": 3600.0}
_GRAIN_CHARS: Final = 256  # how finely an automatic cache compares; about half a step
_MAX_ENTRIES: Final = 200_000


@dataclass(frozen=True, slots=True)
class Segment:
    """One block of a prompt. ttl: the client set a cache breakpoint after it."""

    text: str
    tokens: int
    ttl: Literal["5m", "1h"] | None = None


@dataclass(frozen=True, slots=True)
class CacheRule:
    kind: Literal["breakpoints", "automatic", "none"]
    min_tokens: int = 1024
    step: int = 1  # cached tokens are a multiple of this
    ttl_s: float = 300.0  # automatic only


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """A prompt's tokens in disjoint buckets."""

    uncached: int
    read: int = 0
    write_5m: int = 0
    write_1h: int = 0

    @property
    def total(self) -> int:
        return self.uncached + self.read + self.write_5m + self.write_1h


class PromptCache:
    """Prefixes seen, by hash, until they expire. One per server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._expires: dict[bytes, float] = {}

    def clear(self) -> None:
        self._expires.clear()

    def measure(self, rule: CacheRule, scope: str, segments: Sequence[Segment]) -> PromptTokens:
        """Count a prompt against what was seen, and remember it.

        scope: prefixes are shared only within it (the model).
        """
        if rule.kind == "none":
            return PromptTokens(sum(segment.tokens for segment in segments))
        if len(self._expires) > _MAX_ENTRIES:
            now = self._clock()
            live = [(digest, expires) for digest, expires in self._expires.items() if expires > now]
            self._expires = dict(live[-_MAX_ENTRIES // 2 :])
        if rule.kind == "breakpoints":
            return self._measure_breakpoints(rule, scope, segments)
        return self._measure_automatic(rule, scope, segments)

    def _measure_breakpoints(
        self, rule: CacheRule, scope: str, segments: Sequence[Segment]
    ) -> PromptTokens:
        sums = list(accumulate(segment.tokens for segment in segments))
        total = sums[-1] if sums else 0
        # For each segment the hash of everything up to and including it.
        running = hashlib.blake2b(scope.encode(), digest_size=16)
        digests: list[bytes] = []
        for segment in segments:
            running.update(b"\x1e" + segment.text.encode())
            digests.append(running.copy().digest())
        marks = [
            i for i, segment in enumerate(segments) if segment.ttl and sums[i] >= rule.min_tokens
        ]
        found = self._find_prefix(marks, digests)
        read = sums[found] if found >= 0 else 0
        written = {"5m": 0, "1h": 0}
        position = read
        for mark in marks:
            ttl = segments[mark].ttl or "5m"
            self._remember(digests[mark], _TTL_S[ttl])
            written[ttl] += max(0, sums[mark] - position)
            position = max(position, sums[mark])
        return PromptTokens(total - position, read, written["5m"], written["1h"])

    def _find_prefix(self, marks: Sequence[int], digests: Sequence[bytes]) -> int:
        for mark in reversed(marks):
            for i in range(mark, max(-1, mark - _LOOKBACK_BLOCKS), -1):
                if self._is_known(digests[i]):
                    return i
        return -1

    def _measure_automatic(
        self, rule: CacheRule, scope: str, segments: Sequence[Segment]
    ) -> PromptTokens:
        total = sum(segment.tokens for segment in segments)
        # The hash of the prompt's first 256, 512, 768 … characters.
        text = "".join(segment.text for segment in segments)
        running = hashlib.blake2b(scope.encode(), digest_size=16)
        digests: list[bytes] = []
        for start in range(0, len(text) - _GRAIN_CHARS + 1, _GRAIN_CHARS):
            running.update(text[start : start + _GRAIN_CHARS].encode())
            digests.append(running.copy().digest())
        known = next((i for i in range(len(digests), 0, -1) if self._is_known(digests[i - 1])), 0)
        for digest in digests:
            self._remember(digest, rule.ttl_s)
        read = min(_tokens_before(segments, known * _GRAIN_CHARS), max(0, total - 1))
        read -= read % rule.step
        if read < rule.min_tokens:
            read = 0
        return PromptTokens(total - read, read)

    def _is_known(self, digest: bytes) -> bool:
        expires = self._expires.get(digest)
        return expires is not None and expires > self._clock()

    def _remember(self, digest: bytes, ttl_s: float) -> None:
        self._expires[digest] = max(self._expires.get(digest, 0.0), self._clock() + ttl_s)


def _tokens_before(segments: Sequence[Segment], chars: int) -> int:
    """Tokens in the prompt's first `chars` characters."""
    tokens = 0
    for segment in segments:
        if chars < len(segment.text):
            return tokens + estimate_tokens(segment.text[:chars])
        chars -= len(segment.text)
        tokens += segment.tokens
    return tokens
