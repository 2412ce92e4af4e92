"""Streams the answer to viewers, across tool calls, retries and reviews."""

from __future__ import annotations

from ..base.copies import replace
from ..base.messages.contents import get_answer, get_text, list_calls
from ..base.text.links import NOTE, LinkFilter, disarm_message, take_slices
from ..base.text.markers import MarkerFilter
from ..types import ChatRequest, Message, StreamDelta
from .context import RequestContext
from .seams import RunView
from .taint import make_link_filter

GAP = "\n\n"  # between what was said before a tool call and what is said after it


def make_answer_stream(
    messages: list[Message], ctx: RequestContext, hidden: MarkerFilter | None = None
) -> AnswerStream:
    """Build the stream that sends the next answer to viewers.
    Drafts at the messages' end stand until the answer begins.
    """
    end = len(messages)
    while end and is_draft(messages[end - 1]):
        end -= 1
    kept = get_answer(messages[:end])
    draft = get_answer(messages) if end < len(messages) else None
    stream = AnswerStream(kept, ctx, hidden, draft)
    stream.guard(messages, ctx)
    return stream


def is_draft(message: Message) -> bool:
    """Whether the message is an answer that a review may reject: one without tool calls."""
    return message["role"] == "assistant" and not list_calls(message)


class AnswerStream:
    """Streams one model answer after the text that this turn has already shown.

    Folding the events of a run (append `text_delta`, empty at `text_reset`) gives the text that
    `get_answer` reads from the stored messages, whenever the run ends.
    """

    def __init__(
        self, kept: str, ctx: RunView, hidden: MarkerFilter | None = None, draft: str | None = None
    ) -> None:
        """Show an answer. kept: said before in this turn, stays. hidden: takes a marker out before
        it is seen. draft: stands now (kept and a draft that a review sent back), until this
        replaces it.
        """
        self._kept = kept
        self._ctx = ctx
        self._hidden = hidden
        self._links: LinkFilter | None = None
        self._thoughts: LinkFilter | None = None
        requested = ctx.run.options.tells_reasoning
        self._tells_thoughts = ctx.settings.agent.reasoning if requested is None else requested
        self._draft = draft
        self._has_replaced = draft is None
        self._blank = ""  # whitespace before the first word: an answer of nothing else shows none

    def guard(self, messages: list[Message], ctx: RequestContext, note: str = NOTE) -> None:
        """Make untrusted links unclickable from now on, if the messages contain third-party text.
        note: says so at the end of the answer.
        """
        self._links = make_link_filter(messages, ctx.prompt_context, ctx.tools, note)
        if self._links is not None and self._tells_thoughts:
            self._thoughts = make_link_filter(messages, ctx.prompt_context, ctx.tools, note="")

    async def show(self, delta: StreamDelta) -> None:
        """Stream a piece of text, with reasoning and tool calls if the run requested them."""
        if (thought := delta.reasoning) and self._tells_thoughts:
            self._tell_thought(await self._thoughts.pass_on(thought) if self._thoughts else thought)
        elif delta.text and self._thoughts:
            self._tell_thought(self._thoughts.finish())
        self._append(await self._pass(delta.text) if self._hidden or self._links else delta.text)
        for piece in delta.calls if self._ctx.run.options.tells_arguments else ():
            self._ctx.emit({"event": "tool_arguments_delta", "data": piece})

    def finish(self) -> None:
        """End the answer's text by streaming the rest that was held back."""
        if self._thoughts:
            self._tell_thought(self._thoughts.finish())
        self._append(self._end())

    async def settle(self, message: Message) -> Message:
        """Make the streamed text equal to the final answer; return the message to store.
        Returns: the message to store, its addresses filtered as in the streamed text.
        """
        if self._links is not None:
            message = await disarm_message(message, self._links)
        self._reset()
        text = get_text(message)
        if self._hidden:
            text = await self._pass(text) + self._end()
        shown = self._ctx.journal.partial_text
        text = text if text.strip() else ""
        if not text.startswith(shown):
            self.restart("the answer was changed")
            shown = ""
        whole = f"{self._kept}{GAP if self._kept else ''}{text}"
        if not self._has_replaced and (more := whole.removeprefix(self._draft or "")) != whole:
            self._has_replaced, self._ctx.journal.partial_text = True, text  # a note below it, say
            self._ctx.emit({"event": "text_delta", "data": {"content": more}})
            return message
        self._append(text[len(shown) :])
        self._replace_draft()
        return message

    def begin(self, request: ChatRequest) -> ChatRequest:
        """Prepare the stream for a new attempt of the call; return the request to send."""
        self._reset()
        return replace(request, shows_reasoning=self._tells_thoughts)

    def restart(self, reason: str) -> None:
        """Withdraw the text that was streamed for this answer, but not for earlier ones."""
        self._ctx.journal.partial_text = ""
        self._blank = ""
        self._has_replaced = self._draft is None
        self._say_again(self._kept if self._draft is None else self._draft, reason)

    async def _pass(self, text: str) -> str:
        """What of it can be shown, by what looks for a marker and what looks for addresses."""
        if self._hidden:
            text = "".join([self._hidden.feed(piece) async for piece in take_slices(text)])
        return await self._links.pass_on(text) if self._links else text

    def _end(self) -> str:
        text = self._hidden.finish() if self._hidden else ""
        return self._links.feed(text) + self._links.finish() if self._links else text

    def _reset(self) -> None:
        self._blank = ""
        for each in filter(None, (self._hidden, self._links, self._thoughts)):
            each.reset()

    def _tell_thought(self, text: str) -> None:
        if text:
            self._ctx.emit({"event": "reasoning_delta", "data": {"content": text}})

    def _append(self, text: str) -> None:
        journal = self._ctx.journal
        if not journal.partial_text:
            text = self._blank + text
            if not text.strip():
                self._blank = text
                return
            self._replace_draft()
        lead = GAP if self._kept and not journal.partial_text else ""
        journal.partial_text += text
        if text:
            self._ctx.emit({"event": "text_delta", "data": {"content": lead + text}})

    def _replace_draft(self) -> None:
        if not self._has_replaced:
            self._has_replaced = True
            self._say_again(self._kept, "review")

    def _say_again(self, text: str, reason: str) -> None:
        self._ctx.emit({"event": "text_reset", "data": {"reason": reason}})
        if text:
            self._ctx.emit({"event": "text_delta", "data": {"content": text}})
