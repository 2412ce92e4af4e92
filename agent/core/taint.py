"""Decides what a model that read third-party text may do: addresses, tool calls, approvals.

A tool result with the key `untrusted`, or with fields that its tool says others wrote, the result
of a client's tool, an attached file, what a program wrapped into a message or posts as said, and
an answer made of marked rows taint the thread for as long as they are in view. A prompt that shows
what a tainted run wrote, a client's system text, or a tool server's description that the operator
has not accepted taints the run from its start. What the user types does not. From then on

- a call of a tool that declares its `reach` is judged by where its arguments come from
  (`provenance/rule.py`);
- of any other tool, an effect outside asks; a write asks, unless its tool names the one that
  undoes it; and an address that neither the user nor a trusted result named is a way to send data
  out: a call that goes there asks, whatever its effect (a URL to read carries as much as a mail
  does);
- such an address in an answer becomes text: clients load pictures and link what they show.

Pure: nothing is looked up, and `tests/runs/test_injections.py` is the table of what was tried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from ..base.text.addresses import list_addresses, to_key
from ..base.text.cleaning import cut_text
from ..base.text.links import NOTE, LinkFilter
from ..provenance.marking import UNTRUSTED, UNTRUSTED_NOTE, Reach
from ..provenance.rule import Judged, judge_call, trace_call
from ..provenance.sources import Sources, collect_sources, holds_outside
from ..provenance.tracing import Tracer
from ..types import FunctionCall, Message
from .tools import Tool, ToolRegistry

__all__ = ["UNTRUSTED", "UNTRUSTED_NOTE", "Guard", "has_untrusted_text", "make_link_filter"]

_MAX_QUOTED_CHARS: Final = 200
_CLEAN: Final = Judged("goes", "no text from outside was read")


def has_untrusted_text(
    messages: Sequence[Message], prompt_context: str = "", tools: ToolRegistry | None = None
) -> bool:
    """Whether the model would read third-party text in this thread or prompt."""
    outside_texts, only_last = ((), False) if tools is None else (tools.outside, tools.only_last)
    return holds_outside(messages, prompt_context, outside_texts, only_last=only_last)


def make_link_filter(
    messages: Sequence[Message], prompt_context: str, tools: ToolRegistry, note: str = NOTE
) -> LinkFilter | None:
    """Build the filter that makes untrusted links in the next answer unclickable.
    None without third-party text. The sources are sorted when the first address comes.
    """
    guard = Guard(messages, prompt_context, tools)
    return LinkFilter(guard.is_named, note, guard.sort_sources) if guard.is_tainted else None


class Guard:
    """Judges which tool calls a model may make after reading these messages.

    messages: all that the thread has in view; prompt_context: what the pack's prompt shows.
    """

    def __init__(
        self, messages: Sequence[Message], prompt_context: str, tools: ToolRegistry
    ) -> None:
        self._read = messages, prompt_context, tools.get_fields, tools.outside
        self._only_last = tools.only_last
        self.is_tainted = holds_outside(
            messages, prompt_context, tools.outside, only_last=tools.only_last
        )

    @cached_property
    def sources(self) -> Sources:
        """Return all texts that the model has read, grouped by origin (user, trusted, outside)."""
        return collect_sources(*self._read, only_last=self._only_last)

    def sort_sources(self) -> None:
        """Group the texts that the model has read by origin. It is slow: call it in a thread."""
        _ = self.sources

    def is_named(self, key: str) -> bool:
        """Whether the user or a trusted source has named this normalized address."""
        return key in self.sources.addresses

    async def judge_in_thread(self, call: FunctionCall, tool: Tool) -> Judged:
        """Judge a call as `judge` does, in a thread, because long texts take time."""
        return await asyncio.to_thread(self.judge, call, tool) if self.is_tainted else _CLEAN

    def judge(self, call: FunctionCall, tool: Tool) -> Judged:
        """Judge whether a call needs approval because the model has read third-party text."""
        if not self.is_tainted:
            return _CLEAN
        if tool.reach is not None:
            is_read = tool.effect == "read"
            return judge_call(call["arguments"], tool.reach, self.sources, is_read=is_read)
        reason = (
            "the call changes data" if tool.effect == "write" else "the call has an effect outside"
        )
        if tool.effect == "external" or (tool.effect == "write" and not tool.undone_by):
            every = tuple(call["arguments"])
            traced = trace_call(call["arguments"], Reach(every), Tracer(self.sources))
            return Judged("asks", f"{reason}, and text from outside was read", traced, every)
        if tool.effect == "write":
            return Judged("marked", f"{tool.undone_by} can undo the call")
        if tool.is_fixed:
            return Judged("goes", "the tool's address is fixed by the operator")
        return self._judge_addresses(call)

    def _judge_addresses(self, call: FunctionCall) -> Judged:
        known, every = self.sources, list_addresses(call["arguments"])
        new = (x for x in every if not (self.is_named(to_key(x)) or known.is_path_named(x)))
        if (first := next(new, None)) is None:
            return Judged("goes", "all addresses in the call were named")
        quoted = cut_text(first, _MAX_QUOTED_CHARS)
        reason = f"neither the user nor a trusted result named {quoted}, and text from outside was"
        return Judged("asks", f"{reason} read")
