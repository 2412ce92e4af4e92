"""What AI SDK's chat transports send. Fields of an app's own are taken and ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

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
# All versions of the SDK send the same, so an application says which one reads the answer.
VERSION_HEADER: Final = "x-ai-sdk-version"
WITH_APPROVALS: Final = 6  # the version that brought them
WITH_RESETS: Final = 7
_VERSION: Final = re.compile(r"(?:^|(?<![\w-])ai(?:-sdk)?/)(\d{1,3})(?:\.|$)")


class UiQuery(Struct):
    ai_sdk: int | None = None  # its version, for who sets an address and no headers


def read_version(told: int | None, headers: Mapping[str, str], default: int) -> int:
    """Read the client's AI SDK version.

    `default` if it states none. Raises: InputError.

    >>> read_version(None, {"x-ai-sdk-version": "6.0.325"}, 5)
    6
    >>> read_version(None, {"user-agent": "ai-sdk/7.0.173 runtime/node.js/22"}, 5)
    7
    """
    if told is not None:
        return told
    if stated := headers.get(VERSION_HEADER):
        found = _VERSION.match(stated)
        if found is None:
            raise InputError(f"{VERSION_HEADER} must be the AI SDK's major version: 5, 6 or 7")
    else:
        found = _VERSION.search(headers.get("user-agent", ""))
    return default if found is None else int(found[1])


class UiMessage(Struct):
    id: str
    role: Literal["system", "user", "assistant"]
    parts: list[dict[str, Any]] = []

    @property
    def text(self) -> str:
        texts = [part.get("text") for part in self.parts if part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))

    @property
    def approvals(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield each approval in the message's parts, with the state of its part."""
        for part in self.parts:
            told = as_object(part.get("approval"))
            if isinstance(told.get("id"), str):
                yield told, str(part.get("state"))

    @property
    def files(self) -> list[ToldFile]:
        """Return the message's files.

        Raises: InputError.
        """
        return [file for part in self.parts if (file := read_ui_file(part)) is not None]

    def to_posted(self) -> PostedMessage:
        """Convert the message to the form that is stored.

        An assistant's message is reduced to its text. A user's message that was refused becomes a
        text with the reason.
        """
        if self.role != "user":
            return PostedMessage(self.role, self.text, id=self.id)
        try:
            return PostedMessage(self.role, self.text, self.files, id=self.id)
        except InputError as error:
            return PostedMessage(self.role, f"[refused: {error.public_message}]", id=self.id)


class UiRequest(Struct):
    id: Name  # of the chat, as the client named it
    messages: list[UiMessage] = []
    message: UiMessage | None = None  # what apps send instead that send the newest one alone
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = field(default=None, name="messageId")
    # Of the client: name, description, parameters; assistant-ui names them by the keys.
    tools: list[dict[str, Any]] | dict[str, dict[str, Any]] = []
    # Of assistant-ui: what the parts of its page say beside the user, and set.
    system: str | None = None
    call_settings: dict[str, Any] | None = field(default=None, name="callSettings")
    config: dict[str, Any] | None = None
    send_reasoning: bool | None = field(default=None, name="sendReasoning")  # of ours, as `tools`

    @property
    def told_tools(self) -> list[dict[str, Any]]:
        if isinstance(self.tools, list):
            return self.tools
        return [{**told, "name": name} for name, told in self.tools.items()]

    @property
    def shown(self) -> list[UiMessage]:
        """Return the request's messages.

        Raises: InputError if there is none.
        """
        shown = self.messages or ([self.message] if self.message else [])
        if not shown:
            raise InputError(
                "the request contains no message",
                hint="Send `message`, or `messages` with a user's message.",
            )
        return shown

    def to_options(self, tools: Sequence[ToolSchema], limits: Limits) -> RunOptions:
        """Convert the request to a run's options.

        Raises: InputError for unsupported fields.
        """
        told = [item.text for item in self.shown if item.role == "system"]
        settings = {**(self.config or {}), **(self.call_settings or {})}
        names = ("system", "callSettings")
        wishes, ignored = read_wishes([self.system or "", *told], settings, limits, names)
        own, told_too = tuple(tools), self.send_reasoning
        return RunOptions(
            client_tools=own, tells_reasoning=told_too, wishes=wishes, ignored=ignored
        )


class UiStopped(Struct):
    stopped: bool


def read_ui_file(part: Mapping[str, Any]) -> ToldFile | None:
    """Read a `FileUIPart` of the AI SDK.

    None for other parts. Raises: InputError.
    """
    if part.get("type") != "file":
        return None
    return make_file(part.get("url"), part.get("filename"), part.get("mediaType"))
