"""What AI SDK's chat transports send. Fields of an app's own are taken and ignored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from ....agent.base.files import ToldFile
from ....agent.errors import InputError
from ....agent.types import RunOptions, ToolSchema
from ..files import read_ui_file

Name = Annotated[str, Meta(min_length=1, max_length=1000)]


class UiMessage(Struct):
    id: str
    role: Literal["system", "user", "assistant"]
    parts: list[dict[str, Any]] = []

    @property
    def text(self) -> str:
        texts = [part.get("text") for part in self.parts if part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))

    @property
    def files(self) -> list[ToldFile]:
        """Raises: InputError."""
        return [file for part in self.parts if (file := read_ui_file(part)) is not None]


class UiRequest(Struct):
    id: Name  # of the chat, as the client named it
    messages: list[UiMessage] = []
    message: UiMessage | None = None  # what apps send instead that send the newest one alone
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = field(default=None, name="messageId")
    # Of the client: name, description, parameters; assistant-ui names them by the keys.
    tools: list[dict[str, Any]] | dict[str, dict[str, Any]] = []
    send_reasoning: bool | None = field(default=None, name="sendReasoning")  # of ours, as `tools`

    @property
    def told_tools(self) -> list[dict[str, Any]]:
        if isinstance(self.tools, list):
            return self.tools
        return [{**told, "name": name} for name, told in self.tools.items()]

    @property
    def shown(self) -> list[UiMessage]:
        """Raises: InputError when there is no message."""
        shown = self.messages or ([self.message] if self.message else [])
        if not shown:
            raise InputError("there is no message")
        return shown

    def to_options(self, tools: Sequence[ToolSchema]) -> RunOptions:
        return RunOptions(client_tools=tuple(tools), tells_reasoning=self.send_reasoning)


class UiStopped(Struct):
    stopped: bool
