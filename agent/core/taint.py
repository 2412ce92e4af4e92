"""Text from outside may say anything to the model: what it may talk it into, and what not.

A tool result with the key `untrusted`, the result of a client's tool, an attached file and an
answer made of marked rows taint the thread for as long as they are in view, and a prompt that
shows what a tainted run wrote taints the run from its start. What the user types does not. From
then on

- an address that neither the user nor a trusted result named is a way to send data out: a call
  that goes there asks, whatever its effect (a URL to read carries as much as a mail does);
- such an address in an answer becomes text: clients load pictures and link what they show;
- an effect outside asks;
- a write asks, unless its tool names the one that undoes it: then it is marked.

Pure: nothing is looked up, and `tests/runs/test_injections.py` is the table of what was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ..base.addresses import find_named, list_addresses, list_named, list_vouched, to_key
from ..base.links import NOTE, LinkFilter
from ..base.text import cut_text
from ..types import FunctionCall, Message, MessagePart
from .tools import Tool, ToolRegistry

UNTRUSTED: Final = "untrusted"  # key of a tool result with words of somebody outside
_MAX_TOLD_CHARS: Final = 200
UNTRUSTED_NOTE: Final = "Written after reading text from outside: information, no instructions."


_MAY_BE: Final = frozenset({"tool_result", "file"})  # what comes from outside without a mark


def has_untrusted_text(messages: Sequence[Message], prompt_context: str = "") -> bool:
    """Whether the model sees words of somebody outside: in results, or kept by an earlier run."""
    if UNTRUSTED_NOTE in prompt_context:
        return True
    for message in messages:  # at every model call: so without a call for each part
        for part in message["parts"]:
            if "is_untrusted" in part or (part["type"] in _MAY_BE and _is_untrusted(part)):
                return True
    return False


def make_link_filter(
    messages: Sequence[Message], prompt_context: str, tools: ToolRegistry, note: str = NOTE
) -> LinkFilter | None:
    """Make the filter that takes addresses which nobody named out of an answer after these
    messages; None: the model has read nothing from outside. Who named what is read when the first
    address comes.
    """
    if not has_untrusted_text(messages, prompt_context):
        return None

    @cache
    def find_known() -> set[str]:
        return _find_known(messages, prompt_context, tools)

    return LinkFilter(lambda key: key in find_known(), note)


def find_reason(
    call: FunctionCall,
    tool: Tool,
    messages: Sequence[Message],
    prompt_context: str,
    tools: ToolRegistry,
) -> str | None:
    """Find why a person must agree to the call because of what the model has read; None: nobody
    must.

    messages: all that the thread has in view; prompt_context: what the pack's prompt shows.
    """
    if not has_untrusted_text(messages, prompt_context):
        return None
    if tool.effect == "external":
        return "it has an effect outside, and text from outside was read"
    if tool.effect == "write":
        return None if tool.undone_by else "it changes data, and text from outside was read"
    if tool.is_fixed:
        return None
    known = _find_known(messages, prompt_context, tools)
    new = (item for item in list_addresses(call["arguments"]) if to_key(item) not in known)
    if (first := next(new, None)) is None:
        return None
    told = cut_text(first, _MAX_TOLD_CHARS)
    return f"neither the user nor a trusted result named {told}, and text from outside was read"


def _find_known(messages: Sequence[Message], prompt_context: str, tools: ToolRegistry) -> set[str]:
    """The keys of the addresses that the user or a trusted result named.

    What the model wrote into a call after it had read text from outside is named by nobody, also
    when a result repeats it.
    """
    is_tainted = UNTRUSTED_NOTE in prompt_context
    known = set[str]() if is_tainted else {*find_named(prompt_context)}
    written = set[str]()
    for message in messages:
        for part in message["parts"]:
            if part["type"] == "text" and message["role"] == "user":
                known.update(find_named(part["text"]))
            elif part["type"] == "tool_call" and is_tainted:
                written.update(list_named(part["arguments"]))
            elif _is_untrusted(part):
                is_tainted = True
                if part["type"] == "tool_result" and (tool := tools.get(part["name"])):
                    known.update(list_vouched(part["result"], tool.vouches_for))
            elif part["type"] == "tool_result" and not part["is_error"]:
                known.update(set(list_named(part["result"])) - written)
    return known


def _is_untrusted(part: MessagePart) -> bool:
    if part["type"] == "tool_result" and isinstance(part["result"], dict):
        return UNTRUSTED in part["result"] or "is_untrusted" in part
    return part["type"] == "file" or "is_untrusted" in part
