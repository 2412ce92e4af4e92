"""What clients of OpenAI's API send. Of the many fields those that mean something to an agent;
others are taken and ignored, as every server of this protocol does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, cast

from msgspec import Meta, Struct

from ....agent.base.files import ToldFile
from ....agent.base.foreign_json import as_list, list_objects
from ....agent.errors import InputError
from ....agent.types import RunOptions, ToolSchema
from ..files import read_openai_file

COMPACTION: Final = "compaction"


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
        """Raises: InputError for what is neither text nor a file."""
        if not isinstance(self.content, list):
            return self.content or ""
        return "".join(map(_get_text, self.content))

    @property
    def files(self) -> list[ToldFile]:
        """Raises: InputError."""
        parts = self.content if isinstance(self.content, list) else []
        return [file for part in parts if (file := read_openai_file(part)) is not None]


class StreamOptions(Struct):
    include_usage: bool | None = None


class ChatRequestBody(Struct):
    messages: Annotated[list[ChatMessage], Meta(min_length=1)]
    model: str = ""
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    include_reasoning: bool | None = None  # OpenRouter's word: its own API has none

    @property
    def functions(self) -> list[dict[str, Any]]:
        """The client's own tools. Others (a hosted search, say) are none of ours."""
        if self.tool_choice == "none":
            return []
        told = [item.get("function") for item in self.tools or [] if item.get("type") == "function"]
        return list_objects(told)

    def to_options(self, tools: Sequence[ToolSchema]) -> RunOptions:
        return RunOptions(client_tools=tuple(tools), tells_reasoning=self.include_reasoning)


class ReasoningWish(Struct):
    summary: str | None = None  # auto, concise or detailed: we have one kind


class ResponseBody(Struct):
    """Holds the body of `/v1/responses`."""

    input: str | list[dict[str, Any]]
    model: str = ""
    previous_response_id: str | None = None
    instructions: str | None = None
    stream: bool | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    store: bool | None = None  # False: nobody will ask for the response by its id
    reasoning: ReasoningWish | None = None
    background: bool | None = None  # True: whoever asks comes again for the answer

    def to_options(self, tools: Sequence[ToolSchema]) -> RunOptions:
        told = None if self.reasoning is None else self.reasoning.summary is not None
        return RunOptions(client_tools=tuple(tools), tells_reasoning=told)

    @property
    def functions(self) -> list[dict[str, Any]]:
        if self.tool_choice == "none":
            return []
        return [item for item in self.tools or [] if item.get("type") == "function"]

    @property
    def compaction(self) -> str | None:
        """Return what the last compaction item among the input stands for."""
        items = [] if isinstance(self.input, str) else self.input
        told = [item.get("encrypted_content") for item in items if item.get("type") == COMPACTION]
        return str(told[-1]) if told else None

    @property
    def messages(self) -> list[ChatMessage]:
        """The input in the words of the older API; of one with a compaction what comes after it.

        Raises: InputError.
        """
        if isinstance(self.input, str):
            return [ChatMessage("user", self.input)]
        places = [n for n, item in enumerate(self.input) if item.get("type") == COMPACTION]
        return read_items(self.input[places[-1] + 1 :] if places else self.input)


class CompactBody(Struct):
    """Holds the body of `/v1/responses/compact`."""

    model: str
    input: str | list[dict[str, Any]] | None = None
    previous_response_id: str | None = None

    @property
    def messages(self) -> list[ChatMessage]:
        """Raises: InputError."""
        if isinstance(self.input, str):
            return [ChatMessage("user", self.input)]
        return read_items(self.input or [])


class ResponseQuery(Struct):
    stream: bool = False
    starting_after: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


def read_items(items: Sequence[dict[str, Any]]) -> list[ChatMessage]:
    """Input items in the words of the older API. Raises: InputError."""
    return [message for item in items for message in _read_item(item)]


def _read_item(item: dict[str, Any]) -> list[ChatMessage]:
    """Items that only repeat what we have said of ourselves mean nothing here, but for the calls of
    the client's tools.
    """
    call_id, output = item.get("call_id"), item.get("output")
    if item.get("type") == "function_call_output":
        if not isinstance(call_id, str) or not isinstance(output, str | list):
            raise InputError("a function_call_output has a call_id and an output")
        if not all(isinstance(part, dict) for part in as_list(output)):
            raise InputError("a part of a function_call_output's output is an object")
        return [ChatMessage("tool", cast(Any, output), call_id)]
    if item.get("type") == "function_call" and isinstance(call_id, str):
        call = CallOfMessage(call_id, FunctionOfCall(str(item.get("name"))))
        return [ChatMessage("assistant", tool_calls=[call])]
    role, content = item.get("role"), item.get("content")
    if item.get("type", "message") != "message" or not isinstance(role, str):
        return []
    if not isinstance(content, str | list):
        raise InputError("a message has a content")
    if not all(isinstance(part, dict) for part in as_list(content)):
        raise InputError("a part of a message is an object")
    return [ChatMessage(role, cast(Any, content))]


def _get_text(part: dict[str, Any]) -> str:
    if read_openai_file(part) is not None:
        return ""
    text = part.get("text", part.get("refusal"))
    if not isinstance(text, str):
        raise InputError(f"a message part of type {part.get('type')!r} is not taken")
    return text
