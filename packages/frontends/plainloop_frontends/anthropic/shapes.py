"""What clients of the Messages API send, in the words of the older of OpenAI's APIs: histories,
decisions and threads are then read by what reads those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, cast

from msgspec import Meta, Struct

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.types import EFFORT, Effort, RunOptions, ToolSchema, Wishes

from ..openai.bodies import ForeignBody
from ..openai.parameters import (
    check_parameters,
    choose_functions,
    list_other_tools,
    read_effort,
    read_format,
    read_sampling,
    read_tool_choice,
    refuse,
)
from ..openai.shapes import (
    MAX_STOP_SEQUENCES,
    CallOfMessage,
    ChatMessage,
    FunctionOfCall,
    Tokens,
    read_system,
)
from .blocks import list_unread, read_context, read_file_block, read_result_text, read_search_result

_TOOL_KEYS: Final = frozenset({"name", "description", "input_schema", "type"})
_FUNCTIONS: Final = (None, "custom")
_FORMAT: Final = "output_config.format"
# Thinking budgets in tokens, each with the effort up to it. Google's compatible API makes 1,024,
# 8,192 and 24,576 of the three levels: ai.google.dev/gemini-api/docs/openai.
_BUDGETS: Final[tuple[tuple[int, Effort], ...]] = ((4_096, "low"), (16_384, "medium"))
_LARGEST: Final[Effort] = "high"  # beyond them
_Stop = Annotated[str, Meta(min_length=1)]
Block = dict[str, Any]


class MessageOfBody(Struct):
    role: Literal["user", "assistant", "system"]
    content: str | list[Block]

    @property
    def blocks(self) -> list[Block]:
        content = self.content
        return [{"type": "text", "text": content}] if isinstance(content, str) else content


class CountBody(ForeignBody, kw_only=True):
    """Body of `/v1/messages/count_tokens`."""

    kept: ClassVar[Sequence[str]] = ()
    model: str = ""
    messages: Annotated[list[MessageOfBody], Meta(min_length=1)]
    system: str | list[Block] | None = None
    tools: list[Block] | None = None
    tool_choice: dict[str, Any] | None = None
    thinking: dict[str, Any] | None = None
    output_config: dict[str, Any] | None = None
    output_format: dict[str, Any] | None = None  # of betas, before output_config had it
    cache_control: Any = None
    context_management: Any = None
    compaction: Any = None
    billing_policy: Any = None
    speed: Any = None
    mcp_servers: Any = None
    user_profile_id: Any = None
    workspace_id: Any = None
    betas: Any = None

    @property
    def offered(self) -> list[dict[str, Any]]:
        """Return the tools that the client runs itself.

        Raises: InputError if all tools are of other types.
        """
        return choose_functions(self.tools, _FUNCTIONS)

    @property
    def chat(self) -> list[ChatMessage]:
        """Convert system prompt and messages to Chat Completions messages.

        Raises: InputError.
        """
        messages = self.messages
        if messages[-1].role == "assistant":
            told = "ending with an assistant message (a prefill) is not supported: remove it"
            raise refuse("messages", told)
        system = _read_texts(self.system)
        head = [ChatMessage("system", system)] if system else []
        last = len(messages) - 1
        return head + [
            message
            for n, item in enumerate(messages)
            for message in read_message(item, is_last=n == last)
        ]


class MessagesBody(CountBody, kw_only=True):
    """Body of `/v1/messages`. parameters.py states the effect of each field."""

    api: ClassVar[Mapping[str, str]] = {
        "output": _FORMAT,
        "stop": "stop_sequences",
        "parallel_tool_calls": "tool_choice.disable_parallel_tool_use",
        EFFORT: "output_config.effort",
    }
    max_tokens: Tokens
    stream: bool | None = None
    stop_sequences: Annotated[list[_Stop], Meta(max_length=MAX_STOP_SEQUENCES)] | None = None
    temperature: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=-1, le=2**31 - 1)] | None = None
    metadata: Any = None
    service_tier: Any = None
    container: Any = None
    diagnostics: Any = None
    inference_geo: Any = None
    fallbacks: Any = None
    fallback_credit_token: Any = None
    thread: Any = None

    def to_options(self, tools: Sequence[ToolSchema], limits: Limits) -> RunOptions:
        """Convert the body's parameters to a run's options.

        The options also name the parameters that are ignored. Raises: InputError for what is not
        served.
        """
        ignored = check_parameters(self)
        ignored += list_unread(block for item in self.messages for block in item.blocks)
        chosen, is_single = _read_choice(self.tool_choice)
        config = as_object(self.output_config)
        wanted = as_object(config.get("format") or self.output_format)
        wanted = {**wanted, "name": wanted.get("name") or "answer"} if wanted else None
        effort = read_effort(config.get("effort"), self.api[EFFORT], ignored)
        keys = {key for item in self.offered for key in item if item[key] is not None}
        ignored += [f"tools.{key}" for key in sorted(keys - _TOOL_KEYS)]
        ignored += list_other_tools(self.tools, _FUNCTIONS)
        tells, thought, unread = _read_thinking(self.thinking)
        wishes = Wishes(
            read_system(self.chat, limits, "system"),
            self.temperature,
            self.max_tokens,
            tuple(self.stop_sequences or ()),
            read_tool_choice(chosen, tools),
            False if is_single else None,
            read_format(wanted, _FORMAT, limits),
            read_sampling(self),
            "none" if thought == "none" else effort or thought,
        )
        own, names = tuple(tools), (*ignored, *unread)
        return RunOptions(client_tools=own, tells_reasoning=tells, wishes=wishes, ignored=names)


def read_message(item: MessageOfBody, *, is_last: bool) -> list[ChatMessage]:
    """Convert one message to Chat Completions messages.

    Each tool result becomes a message of its own. Raises: InputError.
    """
    if item.role == "system":
        return [ChatMessage("system", _read_texts(cast(Any, item.content)))]
    if item.role == "assistant":
        return [_read_answer(item.blocks)]
    results: list[ChatMessage] = []
    parts: list[dict[str, Any]] = []
    for block in item.blocks:
        if block.get("type") == "tool_result":
            call_id, text = block.get("tool_use_id"), read_result_text(block)
            if not isinstance(call_id, str):
                raise InputError(
                    "a tool_result has no tool_use_id",
                    hint="Copy the id of the tool_use that it answers.",
                    param="messages",
                )
            is_error = bool(block.get("is_error"))
            results.append(ChatMessage("tool", text, call_id, is_error=is_error))
        else:
            parts += read_context(block)
            parts.append(read_file_block(block) or read_search_result(block) or _read_text(block))
    if results and parts and is_last:
        message = ChatMessage("user", parts)
        if message.files:
            raise InputError(
                "a message with a tool_result cannot also contain a file",
                hint="Send the file in a message of its own.",
                param="messages",
            )
        results[-1].content = f"{results[-1].content}\n\n{message.text}"
        parts = []
    return [*results, *([ChatMessage("user", cast(Any, parts))] if parts else [])]


def _read_answer(blocks: Sequence[Block]) -> ChatMessage:
    """Read an assistant message's texts and calls; ignore thinking and server tools."""
    texts: list[str] = []
    calls: list[CallOfMessage] = []
    for block in blocks:
        if block.get("type") == "tool_use":
            function = FunctionOfCall(str(block.get("name")), block.get("input"))
            calls.append(CallOfMessage(function, str(block.get("id"))))
        elif block.get("type") == "text" or not isinstance(block.get("type"), str):
            texts.append(_read_text(block)["text"])
    return ChatMessage("assistant", "".join(texts), tool_calls=calls or None)


def _read_text(block: Block) -> dict[str, Any]:
    text = block.get("text")
    if block.get("type") != "text" or not isinstance(text, str):
        reason = f"a block of type {str(block.get('type'))[:40]!r} is not supported"
        raise InputError(reason, param="messages")
    return {"type": "text", "text": text}


def _read_texts(content: str | Sequence[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(_read_text(as_object(block))["text"] for block in as_list(content))


def _read_choice(choice: Mapping[str, Any] | None) -> tuple[str | dict[str, Any] | None, bool]:
    """Convert `tool_choice` to OpenAI's form: (choice, whether one call at a time is allowed)."""
    kinds = {"any": "required", "none": "none", "auto": "auto"}
    stated = choice or {"type": "auto"}
    is_single = stated.get("disable_parallel_tool_use") is True
    if stated.get("type") == "tool":
        return {"type": "function", "function": {"name": stated.get("name")}}, is_single
    if (kind := str(stated.get("type"))) not in kinds:
        told = "is not supported in this form: set `type` to auto, any, tool or none"
        raise refuse("tool_choice", told)
    return kinds[kind], is_single


def _read_thinking(
    thinking: Mapping[str, Any] | None,
) -> tuple[bool | None, Effort | None, list[str]]:
    """Return whether reasoning is sent to the client, the effort, and the ignored fields."""
    if thinking is None:
        return None, None, []
    budget = thinking.get("budget_tokens")
    effort: Effort | None = None
    if isinstance(budget, int):
        levels: list[Effort] = [level for max_tokens, level in _BUDGETS if budget <= max_tokens]
        effort = levels[0] if levels else _LARGEST
    read = ("type", "display", "budget_tokens" if effort else "")
    ignored = [f"thinking.{name}" for name in thinking if name not in read]
    if thinking.get("type") == "disabled":
        return False, "none", ignored
    return thinking.get("display") != "omitted", effort, ignored
