"""What clients of OpenAI's API send. Of the many fields those that mean something to an agent;
others are taken and ignored, as every server of this protocol does.
"""

from __future__ import annotations

from typing import Annotated, Any, cast

from msgspec import Meta, Struct

from ....agent.errors import InputError


class FunctionOfCall(Struct):
    name: str
    arguments: str = "{}"


class CallOfMessage(Struct):
    id: str
    function: FunctionOfCall


class ChatMessage(Struct):
    role: str
    content: str | list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    tool_calls: list[CallOfMessage] | None = None

    @property
    def text(self) -> str:
        """Raises: InputError for what is no text."""
        if not isinstance(self.content, list):
            return self.content or ""
        return "".join(map(_get_text, self.content))


class StreamOptions(Struct):
    include_usage: bool | None = None


class ChatRequestBody(Struct):
    messages: Annotated[list[ChatMessage], Meta(min_length=1)]
    model: str = ""
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None

    @property
    def functions(self) -> list[dict[str, Any]]:
        """The client's own tools. Others (a hosted search, say) are none of ours."""
        if self.tool_choice == "none":
            return []
        told = [item.get("function") for item in self.tools or [] if item.get("type") == "function"]
        return [cast(dict[str, Any], item) for item in told if isinstance(item, dict)]


def _get_text(part: dict[str, Any]) -> str:
    text = part.get("text", part.get("refusal"))
    if not isinstance(text, str):
        raise InputError(f"a message part of type {part.get('type')!r} is not taken: text only")
    return text
