"""Failures on demand: how the server misbehaves, told at start or while it runs.

A fault waits in a queue. Each request that is otherwise fine takes the first fault that applies to
it; a fault is used `times` times (null: for ever) after it let `skip` requests pass.

    {"first_ms": 200, "delay_ms": 5,
     "series": [{"status": 529, "times": 2},
                {"status": 0},                                    drop the connection
                {"status": 429, "retry_after_s": 1.5},
                {"status": 502, "body": "<html>…", "content_type": "text/html"},
                {"cut_after_bytes": 400},                         connection lost in mid-answer
                {"cut_after_events": 3, "end": "clean"},          end of file, no terminal event
                {"cut_after_events": 3, "end": "error"}]}         an error event inside a 200

Of batches: `"batch_ms": 500` is how long one takes; its endpoints are the dialects
`anthropic_batches`, `anthropic_results`, `openai_batches` and `openai_files`, its requests
`batch_line`:

                {"status": 0, "dialect": "openai_batches", "after": true, "hold_ms": 2000}
                                                 what was asked for happens, its answer is lost
                {"result": "expired", "dialect": "batch_line"}
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConfigError

from .api import WireError
from .options import End, ServerOptions

_FAIL = re.compile(r"(\d+)x(\d{1,3})")
_MESSAGES = {429: "Rate limit reached.", 529: "Overloaded", 503: "The model is overloaded."}


class Fault(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One way to fail. Either `status` (0: no answer at all), a cut, or a batch's `result`."""

    status: int | None = None
    message: str | None = None
    code: str | None = None  # the provider's error code: "insufficient_quota", …
    kind: str | None = None  # the provider's error type or status name
    retry_after_s: float | None = None
    body: str | None = None  # sent as it is instead of the provider's error JSON
    content_type: str = "application/json"
    cut_after_bytes: int | None = None
    cut_after_events: int | None = None  # streams only
    end: End = "abort"
    times: int | None = 1
    skip: int = 0
    dialect: str | None = None  # only requests of this dialect
    result: Literal["expired", "canceled"] | None = None  # of a request in a batch
    after: bool = False  # batches and files: only after what was asked for was done
    hold_ms: float = 0.0  # nothing happens for so long before the failure, or at the cut

    def to_error(self) -> WireError:
        status = self.status or 500
        return WireError(
            status,
            self.message or _MESSAGES.get(status, "Injected failure."),
            code=self.code,
            kind=self.kind,
            retry_after_s=self.retry_after_s,
        )


class Faults(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Failures and delays that the server injects."""

    first_ms: float = 0.0  # before the headers
    delay_ms: float = 0.0  # between two stream frames
    batch_ms: float = 0.0  # from a batch's creation to its last answer
    series: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Waiting:
    """A fault with what is left of its `skip` and `times`."""

    fault: Fault
    skip: int
    times: int | None


class FaultQueue:
    """Failures that the server still has to inject."""

    def __init__(self, faults: Faults) -> None:
        self.load(faults)

    def load(self, faults: Faults) -> None:
        """Replace the failures and delays that are still to come."""
        self.first_s = faults.first_ms / 1000
        self.delay_s = faults.delay_ms / 1000
        self.batch_s = faults.batch_ms / 1000
        self._waiting = [_Waiting(fault, fault.skip, fault.times) for fault in faults.series]

    def take(self, dialect: str) -> Fault | None:
        """Return the failure to inject into this request, or None."""
        named = (None, dialect) if dialect != "batch_line" else (dialect,)
        entry = next((e for e in self._waiting if e.fault.dialect in named), None)
        if entry is None:
            return None
        if entry.skip > 0:
            entry.skip -= 1
            return None
        if entry.times is not None:
            entry.times -= 1
            if entry.times <= 0:
                self._waiting.remove(entry)
        return entry.fault


def parse_faults(data: bytes | dict[str, Any]) -> Faults:
    """Parse failures from JSON or Python data.

    Raises: ValueError that names the field.
    """
    faults = (
        msgspec.json.decode(data, type=Faults)
        if isinstance(data, bytes)
        else msgspec.convert(data, Faults)
    )
    for fault in faults.series:
        is_cut = fault.cut_after_bytes is not None or fault.cut_after_events is not None
        if [fault.status is not None, is_cut, fault.result is not None].count(True) != 1:
            raise ValueError(
                "a fault needs exactly one of these: status; a cut (cut_after_bytes, "
                "cut_after_events or both); result"
            )
    return faults


def build_faults(options: ServerOptions) -> Faults:
    """Build the failures that a command's options name.

    Raises: ConfigError. A cut of every answer comes last.
    """
    series: list[Fault] = []
    for text in options.fail or ():
        match = _FAIL.fullmatch(text)
        if match is None:
            raise ConfigError(
                f"--fail must be TIMESxSTATUS, such as 2x529, not {text}", hint="Example: 2x529"
            )
        status = int(match[2])
        wait = options.retry_after_s if status in (429, 503, 529) else None
        series.append(Fault(status=status, times=int(match[1]), retry_after_s=wait))
    cut = (options.cut_after_bytes, options.cut_after_events)
    if cut != (None, None):
        bytes_, events = cut
        series.append(
            Fault(cut_after_bytes=bytes_, cut_after_events=events, end=options.cut_end, times=None)
        )
    return Faults(options.first_ms, options.delay_ms, series=tuple(series))
