"""Notices at a request's end: stored with its answer, and repeated there in later requests.

A reviewer's feedback, a budget's last words and changes of the prompt are no messages of the
thread. Requests of the same worker show them again from one cut of the history to the next, so
that each request extends the one before: a provider keeps its cache, a model its thinking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

from ...types import Message, Notice, Notices, ReasoningPart, Record, ToolSchema
from ..messages.contents import get_turn, make_text_message
from ..tokens.estimate import estimate_tokens
from .rare_tools import MORE

FEEDBACK: Final = "Reviewer feedback:\n{text}\n\nWrite the whole answer again without these faults."
WRAP_UP: Final = (
    "The budget for this work is nearly used up. Come to an end now: answer with what you have, "
    "and call a tool only where the answer is impossible without it."
)
CONTEXT_CHANGED: Final = (
    "(From the service: what stands below your own instructions has changed. It now reads:)\n\n"
)
NOTHING: Final = "(nothing)"
PROMPT_CHANGED: Final = (
    "(From the service: your instructions have changed. These hold from now on instead:)\n\n"
)
PROMPT_RESTORED: Final = (
    "(From the service: your instructions hold again as they stand at the beginning.)"
)
TOOLS_GONE: Final = "(From the service: these tools cannot be called at present: {names}.)"
TOOLS_RESTORED: Final = "(From the service: all your tools can be called again.)"
_TEXTS: Final = {"feedback": FEEDBACK, "wrap_up": WRAP_UP}
_CHANGES: Final = ("prompt", "tools")


class Head(Record, frozen=True):
    """The system prompt and tools that an epoch's requests begin with, unchanged for the cache.
    start: their first message's position. window_tokens: the window that cuts their history.
    """

    start: int
    window_tokens: int
    system: str
    tools: tuple[ToolSchema, ...]

    def holds(self, wanted: Sequence[ToolSchema]) -> bool:
        """Whether all these tools, with equal schemas, are already in the prompt's fixed start."""
        known = {tool.name: tool for tool in self.tools}
        return all(known.get(tool.name) == tool for tool in wanted)

    def tell_changes(
        self, prompt: str, system: str, tools: Sequence[ToolSchema], earlier: Sequence[Notice]
    ) -> list[Notice]:
        """List notices that tell the model how its prompt and tools differ from those first sent.
        prompt: the worker's own part of the system prompt; tools: those it may call now; earlier:
        notices sent so far.
        """
        text = ""
        if system != self.system:
            is_own = all(f"{it}\n\n".startswith(f"{prompt}\n\n") for it in (system, self.system))
            rest = system.removeprefix(prompt).strip() or NOTHING
            text = CONTEXT_CHANGED + rest if is_own else PROMPT_CHANGED + system
        known = {MORE, *(tool.name for tool in tools)}
        gone = ", ".join(tool.name for tool in self.tools if tool.name not in known)
        missing = TOOLS_GONE.format(names=gone) if gone else ""
        prompts = _tell_change("prompt", text, PROMPT_RESTORED, earlier)
        return [*prompts, *_tell_change("tools", missing, TOOLS_RESTORED, earlier)]


def _tell_change(
    kind: Literal["prompt", "tools"], text: str, restored: str, earlier: Sequence[Notice]
) -> list[Notice]:
    """Return the notice of a change not yet sent, or that the last one is void (no text)."""
    last = next((item["text"] for item in reversed(earlier) if item["kind"] == kind), "")
    text = text or (last and restored)
    return [] if text == last else [{"kind": kind, "text": text}]


class Epoch(Record, frozen=True):
    """A series of one worker's requests in a thread that extend each other (one cache prefix).

    start: the position of their first message; head: the digest of their system prompt and tools.
    """

    worker: str
    start: int
    head: str

    def keep(self, message: Message, items: Sequence[Notice], *, is_untrusted: bool) -> Message:
        """Copy an answer, storing in it the notices that were at the end of its request."""
        if not items and not has_notices([message]):
            return message
        parts = [part for part in message["parts"] if "notices" not in part]
        if items:
            kept: ReasoningPart = {
                "type": "reasoning",
                "text": "",
                "notices": {
                    "worker": self.worker,
                    "start": self.start,
                    "head": self.head,
                    "items": [*items],
                },
            }
            if is_untrusted:
                kept["is_untrusted"] = True
            parts = [kept, *parts]
        return {**message, "parts": parts}

    def list_items(self, messages: Sequence[Message]) -> list[Notice]:
        """List the notices that this worker's earlier requests stored in the messages."""
        if not has_notices(messages):
            return []
        return [item for message in messages for item in self._get_items(message)]

    def show(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Copy the messages, inserting each answer's stored notices as a user message before it."""
        if not has_notices(messages):
            return messages
        turn, shown = len(messages) - len(get_turn(messages)), list[Message]()
        for n, message in enumerate(messages):
            if items := self._get_items(message, is_in_turn=n >= turn):
                shown.append(make_notice_message(items))
            shown.append(message)
        return shown

    def _get_items(self, message: Message, *, is_in_turn: bool = False) -> list[Notice]:
        """Return the message's notices; of other epochs, in this turn, all but the prompt's."""
        kept = get_notices(message)
        if kept is None or kept["worker"] != self.worker:
            return []
        is_ours = (kept["start"], kept["head"]) == (self.start, self.head)
        return [
            item
            for item in kept["items"]
            if is_ours or (is_in_turn and item["kind"] not in _CHANGES)
        ]


def make_epoch(worker: str, start: int, system: str, tools_text: str) -> Epoch:
    """Build the `Epoch`: a series of one worker's requests, each extending the one before."""
    digest = hashlib.blake2b(f"{system}\0{tools_text}".encode(), digest_size=8)
    return Epoch(worker, start, digest.hexdigest())


def has_notices(messages: Sequence[Message]) -> bool:
    """Whether any of the messages has stored notices."""
    # A loop, not `any(…)`: every model call runs it, and a generator costs a frame for each
    # message.
    for message in messages:  # noqa: SIM110
        if message["parts"] and "notices" in message["parts"][0]:
            return True
    return False


def get_notices(message: Message) -> Notices | None:
    """Return the notices stored with a message; None if its request had none."""
    first = message["parts"][0] if message["parts"] else None
    return first.get("notices") if first is not None and first["type"] == "reasoning" else None


def make_notice_message(items: Sequence[Notice]) -> Message:
    """Build the user message that carries notices at the end of a request.
    A user's: never a system's, whoever wrote it.
    """
    # Sent with the role `user`: APIs refuse a system message after an assistant's, and a notice may
    # quote texts (a profile, a review) whose authors must not speak as the operator.
    texts = (_TEXTS.get(item["kind"], "{text}").replace("{text}", item["text"]) for item in items)
    return make_text_message("user", "\n\n".join(texts))


def list_last_words(feedback: str, *, is_near_end: bool, earlier: Sequence[Notice]) -> list[Notice]:
    """List the notices to add at a request's end: review feedback and a low-budget warning.
    earlier: notices already sent in this turn.
    """
    items: list[Notice] = [{"kind": "feedback", "text": feedback}] if feedback else []
    if is_near_end and all(item["kind"] != "wrap_up" for item in earlier):
        items.append({"kind": "wrap_up", "text": ""})
    return items


def count_changes(items: Sequence[Notice]) -> int:
    """Count the tokens of the notices that describe a changed prompt or changed tools."""
    return sum(estimate_tokens(item["text"]) for item in items if item["kind"] in _CHANGES)
