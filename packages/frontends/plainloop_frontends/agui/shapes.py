"""What AG-UI's `HttpAgent` and CopilotKit's client send. The history is theirs: of it only the
texts that our own lacks are taken, and the results of their own tools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import orjson
from msgspec import Meta, Struct, field

from plainloop.agent.base.messages.files import ToldFile
from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.types import RunOptions, ToolSchema
from plainloop.server.protocols.conversations import PostedMessage
from plainloop.server.protocols.files import make_file

from ..wishing import read_wishes

Name = Annotated[str, Meta(min_length=1, max_length=1000)]


class AgUiMessage(Struct):
    id: str
    role: str
    content: str | list[dict[str, Any]] | None = None
    tool_call_id: str | None = field(default=None, name="toolCallId")
    error: str | None = None

    @property
    def text(self) -> str:
        """Return the message's text. Raises: InputError for parts that are no text or file."""
        if not isinstance(self.content, list):
            return self.content or ""
        others = [part for part in self.content if part.get("type") != "text"]
        if any(read_agui_file(part) is None for part in others):
            raise InputError(
                "only text, images and documents are supported", hint="Leave other parts out."
            )
        texts = (part.get("text", "") for part in self.content if part.get("type") == "text")
        return "".join(map(str, texts))

    @property
    def files(self) -> list[ToldFile]:
        """Return the message's files. Raises: InputError."""
        parts = self.content if isinstance(self.content, list) else []
        return [file for part in parts if (file := read_agui_file(part)) is not None]

    @property
    def is_said(self) -> bool:
        """Return whether the message is one of a user or assistant, which are stored."""
        return self.role in ("user", "assistant")

    def to_posted(self) -> PostedMessage:
        """Convert the message to its stored form.

        A user's message that was refused becomes a text with the reason.
        """
        if self.role == "assistant":
            parts = self.content if isinstance(self.content, list) else []
            texts = [str(part.get("text", "")) for part in parts if part.get("type") == "text"]
            text = self.content if isinstance(self.content, str) else "".join(texts)
            return PostedMessage(self.role, text, id=self.id)
        try:
            return PostedMessage(self.role, self.text, self.files, id=self.id)
        except InputError as error:
            return PostedMessage(self.role, f"[refused: {error.public_message}]", id=self.id)


class Resume(Struct):
    """The answer to an interrupt."""

    interrupt_id: str = field(name="interruptId")
    status: str = "resolved"  # or cancelled
    payload: Any = None

    @property
    def is_approved(self) -> bool:
        """Return whether the answer approves the call. Raises: InputError for changed arguments."""
        told = as_object(self.payload)
        if told.get("editedArgs") is not None:
            raise InputError(
                "the arguments of a tool call cannot be changed",
                hint="Deny the call, and describe what to do instead.",
            )
        if self.status == "cancelled":
            return False
        if not isinstance(told.get("approved"), bool):
            raise InputError(
                'the answer to an interrupt must be {"approved": true} or {"approved": false}'
            )
        return told["approved"]


class Context(Struct):
    """Something that the page shows or knows, such as CopilotKit's readables."""

    value: str
    description: str = ""


class RunInput(Struct):
    """AG-UI's `RunAgentInput`, without fields that have no effect here."""

    thread_id: Name = field(name="threadId")
    run_id: Name = field(name="runId")
    protocol_version: str | None = field(default=None, name="protocolVersion")  # since 1.0
    messages: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    resume: list[Resume] | None = None
    context: list[Context] = []
    state: Any = None  # of the page: read, never changed
    forwarded_props: Any = field(default=None, name="forwardedProps")

    def to_options(
        self, messages: Sequence[AgUiMessage], tools: Sequence[ToolSchema], limits: Limits
    ) -> RunOptions:
        """Convert the request to a run's options.

        Raises: InputError for unsupported fields. `forwardedProps: {reasoning: true}` requests
        reasoning: the protocol leaves that to servers.
        """
        props = as_object(self.forwarded_props)
        told = [item.text for item in messages if item.role in ("system", "developer")]
        told += [f"{item.description}\n{item.value}".strip() for item in self.context]
        told += (
            [f"The state of the page: {orjson.dumps(self.state).decode()}"] if self.state else []
        )
        wishes, ignored = read_wishes(told, props, limits, ("context", "forwardedProps"))
        wanted = props.get("reasoning")
        reasoning = wanted if isinstance(wanted, bool) else None
        own = tuple(tools)
        return RunOptions(
            client_tools=own, tells_reasoning=reasoning, wishes=wishes, ignored=ignored
        )


class StopInput(Struct):
    run_id: str | None = field(default=None, name="runId")


class Stopped(Struct):
    stopped: bool


def read_agui_file(part: Mapping[str, Any]) -> ToldFile | None:
    """Read the file in an AG-UI message part.

    Accepts `image` and `document` of AG-UI 1.0 and the older `binary`. Returns None for other
    parts.
    """
    match part.get("type"):
        case "image" | "document":
            source, more = as_object(part.get("source")), as_object(part.get("metadata"))
            return make_file(source.get("value"), more.get("filename"), source.get("mimeType"))
        case "binary":
            data = part.get("data") or part.get("url")
            return make_file(data, part.get("filename"), part.get("mimeType"))
        case _:
            return None
