"""Request bodies of OpenAI's API, and which of their fields are the caller's preferences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from msgspec import Meta, Struct, to_builtins

from plainloop.agent.base.messages.files import ToldFile
from plainloop.agent.base.text.cleaning import clean_json, clean_text
from plainloop.agent.base.text.foreign_json import as_list, as_object, list_objects
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.types import EFFORT, RunOptions, ToolSchema, Wishes
from plainloop.server.protocols.files import read_openai_file

from .bodies import ForeignBody
from .parameters import (
    check_parameters,
    choose_functions,
    list_other_tools,
    read_effort,
    read_format,
    read_sampling,
    read_tool_choice,
    refuse,
)

COMPACTION: Final = "compaction"
# An item's id, as `responses.py` makes it: of a run, from an event on.
_OURS: Final = re.compile(r"[a-z]{1,9}_([0-9a-f]{32})_([0-9]{1,9})_[0-9]{1,9}")
# What another provider's model thought, in a history that its program posts here.
_THOUGHTS: Final = ("thinking", "redacted_thinking", "reasoning")
# Fields of a response's request that chat completions name otherwise, or have no use for.
_OF_RESPONSES: Final = frozenset(
    "input instructions max_output_tokens text reasoning include truncation".split()
)
_FUNCTIONS: Final = ("function", None)  # Cursor leaves the type out
Penalty = Annotated[float, Meta(ge=-2, le=2)]
MAX_STOP_SEQUENCES: Final = 64  # of a request; each is looked for in every piece of text
Tokens = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class FunctionOfCall(Struct):
    name: str
    arguments: Any = "{}"  # some programs post an object; which of ours it was is known by its id


class CallOfMessage(Struct):
    function: FunctionOfCall
    id: str | None = None  # not all servers give one


Role = Literal["system", "developer", "user", "assistant", "tool"]
ROLES: Final[tuple[str, ...]] = get_args(Role)


class ChatMessage(Struct):
    role: Role
    content: str | list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    tool_calls: list[CallOfMessage] | None = None
    is_error: bool = False  # of what a tool gave

    @property
    def text(self) -> str:
        """Return the message's text parts, joined.

        Raises: InputError for an unknown part.
        """
        if not isinstance(self.content, list):
            return self.content or ""
        return "".join(map(_get_text, self.content))

    @property
    def files(self) -> list[ToldFile]:
        """Return the message's files, not yet checked.

        Raises: InputError for a file without data.
        """
        parts = self.content if isinstance(self.content, list) else []
        return [file for part in parts if (file := read_openai_file(part)) is not None]


class StreamOptions(Struct):
    include_usage: bool | None = None


class AskBody(ForeignBody, kw_only=True):
    """The fields of either API's request beside the conversation. parameters.py applies them;
    fields of the type `Any` are refused or ignored.
    """

    kept: ClassVar[Sequence[str]] = ()  # preferences that are served here
    model: str = ""
    stream: bool | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    store: bool | None = None  # False: the response cannot be read by its id
    metadata: Any = None
    user: Any = None
    safety_identifier: Any = None
    prompt_cache_key: Any = None
    prompt_cache_retention: Any = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=-1, le=2**31 - 1)] | None = None
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | None = None
    frequency_penalty: Penalty | None = None
    presence_penalty: Penalty | None = None
    top_logprobs: Any = None
    service_tier: Any = None
    verbosity: Any = None

    @property
    def offered(self) -> list[dict[str, Any]]:
        """Return the tools that the client runs itself.

        Raises: InputError if all tools are of other types.
        """
        if not self.tools:
            return []
        functions = choose_functions(self.tools, _FUNCTIONS)
        return list_objects([item.get("function", item) for item in functions])


class ChatRequestBody(AskBody):
    api: ClassVar[Mapping[str, str]] = {"system": "messages", "output": "response_format"}
    messages: Annotated[list[ChatMessage], Meta(min_length=1)]
    stream_options: StreamOptions | None = None
    max_tokens: Tokens | None = None
    max_completion_tokens: Tokens | None = None
    stop: str | Annotated[list[str], Meta(max_length=MAX_STOP_SEQUENCES)] | None = None
    response_format: dict[str, Any] | None = None
    include_reasoning: bool | None = None  # OpenRouter's word: its own API has none
    n: Any = None
    logprobs: Any = None
    logit_bias: Any = None
    modalities: Any = None
    audio: Any = None
    prediction: Any = None
    reasoning_effort: Any = None
    web_search_options: Any = None
    # Of before there were tools.
    functions: Any = None
    function_call: Any = None

    @classmethod
    def fit(cls, body: dict[str, Any]) -> dict[str, Any]:
        """Convert a Responses API body that was posted to Chat Completions.

        Cursor's agent sends one to this path, and reads chunks:
        https://forum.cursor.com/t/override-openai-base-url-sends-responses-api-payload-to-chat-completions-but-expects-chat-completions-output/159298
        """
        if "messages" in body or "input" not in body:
            return super().fit(body)
        stated = body["input"]
        said = [{"role": "user", "content": stated}] if isinstance(stated, str) else stated
        messages = to_builtins(read_items(list_objects(said)))
        if body.get("instructions"):
            messages = [{"role": "system", "content": body["instructions"]}, *messages]
        moved = {
            "messages": messages,
            "max_completion_tokens": body.get("max_output_tokens"),
            "response_format": as_object(body.get("text")).get("format"),
            EFFORT: as_object(body.get("reasoning")).get("effort"),
        }
        kept = {name: body[name] for name in body if name not in _OF_RESPONSES}
        return super().fit({**kept, **moved})

    def __post_init__(self) -> None:
        """Take the last prompt for the user's message if a program sends prompts alone, as one node
        of a workflow may.
        """
        if all(item.role in ("system", "developer") for item in self.messages):
            self.messages[-1].role = "user"

    def to_options(self, tools: Sequence[ToolSchema], limits: Limits) -> RunOptions:
        """Convert the body's parameters to a run's options.

        The options also name the parameters that are ignored. Raises: InputError for what is not
        served.
        """
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or []
        if not all(stop):
            raise InputError("`stop` contains an empty string: leave it out", param="stop")
        bounds = [item for item in (self.max_tokens, self.max_completion_tokens) if item]
        ignored = check_parameters(self, served=self.kept)
        ignored += list_other_tools(self.tools, _FUNCTIONS)
        wishes = Wishes(
            read_system(self.messages, limits, "messages"),
            self.temperature,
            min(bounds) if bounds else None,
            tuple(clean_json(stop)),
            read_tool_choice(self.tool_choice, tools),
            self.parallel_tool_calls,
            read_format(self.response_format, "response_format", limits),
            read_sampling(self),
            read_effort(self.reasoning_effort, EFFORT, ignored),
        )
        shows_reasoning, own, names = self.include_reasoning, tuple(tools), tuple(ignored)
        return RunOptions(
            client_tools=own, tells_reasoning=shows_reasoning, wishes=wishes, ignored=names
        )


class ReasoningWish(Struct):
    summary: str | None = None  # auto, concise or detailed: we have one kind
    effort: Any = None


class TextWish(Struct):
    format: dict[str, Any] | None = None
    verbosity: Any = None


class ResponseBody(AskBody, kw_only=True):
    """Holds the body of `/v1/responses`."""

    api: ClassVar[Mapping[str, str]] = {
        "system": "instructions",
        "output": "text.format",
        "max_tokens": "max_output_tokens",
        EFFORT: "reasoning.effort",
    }
    kept: ClassVar[Sequence[str]] = ("store", "metadata")
    input: str | list[dict[str, Any]]
    previous_response_id: str | None = None
    instructions: str | None = None
    max_output_tokens: Tokens | None = None
    text: TextWish | None = None
    reasoning: ReasoningWish | None = None
    background: bool | None = None  # True: the client reads the answer later
    include: list[str] | None = None
    truncation: str | None = None
    metadata: dict[str, Any] | None = None
    stream_options: dict[str, Any] | None = None
    max_tool_calls: Any = None
    conversation: Any = None
    prompt: Any = None
    context_management: Any = None

    def __post_init__(self) -> None:
        """Continue the response of the last item of ours in the input, as @ai-sdk/openai does; the
        input after that item is new.
        """
        items = [] if isinstance(self.input, str) else self.input
        matches = [
            (n, _OURS.fullmatch(str(item.get("id"))))
            for n, item in enumerate(items)
            if item.get("type") == "item_reference"
        ]
        if self.previous_response_id is None and matches and (match := matches[-1][1]):
            after = "" if match[2] == "0" else f"_{match[2]}"
            self.previous_response_id = f"resp_{match[1]}{after}"
            self.input = items[matches[-1][0] + 1 :]

    def to_options(self, tools: Sequence[ToolSchema], limits: Limits) -> RunOptions:
        """Convert the body's parameters to a run's options.

        The options also name the parameters that are ignored. Raises: InputError for what is not
        served.
        """
        ignored = check_parameters(self, served=self.kept)
        ignored += list_other_tools(self.tools, _FUNCTIONS)
        if self.text is not None and self.text.verbosity not in (None, "medium"):
            ignored.append("text.verbosity")
        if "message.output_text.logprobs" in (self.include or []):
            raise refuse("include", "of logprobs is not supported")
        shows_reasoning = None if self.reasoning is None else self.reasoning.summary is not None
        messages = [ChatMessage("system", self.instructions or ""), *self.messages]
        wishes = Wishes(
            read_system(messages, limits, "instructions"),
            self.temperature,
            self.max_output_tokens,
            (),
            read_tool_choice(self.tool_choice, tools),
            self.parallel_tool_calls,
            read_format(self.text and self.text.format, "text.format", limits),
            read_sampling(self),
            read_effort(self.reasoning and self.reasoning.effort, self.api[EFFORT], ignored),
        )
        own = tuple(tools)
        return RunOptions(
            client_tools=own, tells_reasoning=shows_reasoning, wishes=wishes, ignored=tuple(ignored)
        )

    @property
    def echo(self) -> dict[str, Any]:
        """Return the request's fields that the response repeats."""
        fixed = {
            "previous_response_id": self.previous_response_id,
            "instructions": self.instructions,
            "metadata": self.metadata or {},
            "store": self.store is not False,
            "background": bool(self.background),
            "max_output_tokens": self.max_output_tokens,
        }
        stated = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "tool_choice": self.tool_choice,
            "parallel_tool_calls": self.parallel_tool_calls,
            "text": {"format": self.text.format} if self.text and self.text.format else None,
        }
        return fixed | {name: value for name, value in stated.items() if value is not None}

    @property
    def compaction(self) -> str | None:
        """Return the encrypted content of the input's last compaction, or None.

        A compaction replaces the history before it.
        """
        items = [] if isinstance(self.input, str) else self.input
        contents = [
            item.get("encrypted_content") for item in items if item.get("type") == COMPACTION
        ]
        return str(contents[-1]) if contents else None

    @property
    def messages(self) -> list[ChatMessage]:
        """Convert the input after its last compaction to Chat Completions messages.

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
        """Convert the input to Chat Completions messages.

        Raises: InputError.
        """
        if isinstance(self.input, str):
            return [ChatMessage("user", self.input)]
        return read_items(self.input or [])


class ResponseQuery(Struct):
    stream: bool = False
    starting_after: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


def read_items(items: Sequence[dict[str, Any]]) -> list[ChatMessage]:
    """Convert input items of the Responses API to Chat Completions messages.

    Raises: InputError.
    """
    return [message for item in items for message in _read_item(item)]


def read_system(messages: Sequence[ChatMessage], limits: Limits, param: str) -> str:
    """Return the system and developer messages as one text.

    Raises: InputError if too long.
    """
    texts = [item.text for item in messages if item.role in ("system", "developer")]
    text = clean_text("\n\n".join(filter(str.strip, texts)))
    if len(text) > limits.message_chars:
        wrong = f"the system messages have more than {limits.message_chars:,} characters"
        raise InputError(
            wrong, hint="Shorten the message, or raise AGENT_LIMITS_MESSAGE_CHARS.", param=param
        )
    return text


def _read_item(item: dict[str, Any]) -> list[ChatMessage]:
    """Convert an item of the input to messages; [] for items that only repeat a server's output,
    except calls of the client's tools of any type.
    """
    call_id, output = item.get("call_id"), item.get("output")
    kind = str(item.get("type", "message"))
    if kind.endswith("_call_output"):
        call_id = call_id or item.get("id")  # all that a local_shell_call_output has
        if not isinstance(call_id, str) or not isinstance(output, str | list):
            raise InputError(f"a {kind[:40]} needs `call_id`, and `output` as text or parts")
        if not all(isinstance(part, dict) for part in as_list(output)):
            raise InputError(
                f"each part of a {kind[:40]}'s `output` must be an object",
                hint="Give each part a type, such as input_text, and its content.",
            )
        return [ChatMessage("tool", cast(Any, output), call_id)]
    if kind == "reasoning" or kind.endswith("_call"):
        call = CallOfMessage(FunctionOfCall(str(item.get("name", kind))), cast(Any, call_id))
        return [ChatMessage("assistant", tool_calls=[call])] if isinstance(call_id, str) else []
    role: Any = item.get("role")
    content = item.get("content")
    if kind != "message" or role not in ROLES:
        item_text = f"of type {kind[:40]!r} and role {str(role)[:40]!r} is not supported"
        raise refuse("input", f"with an item {item_text}")
    if not isinstance(content, str | list):
        raise InputError("a message needs `content`", hint="Add text or parts as its `content`.")
    if not all(isinstance(part, dict) for part in as_list(content)):
        raise InputError(
            "each part of a message must be an object",
            hint="Give each part a type, such as text, and its content.",
        )
    return [ChatMessage(role, cast(Any, content))]


def _get_text(part: dict[str, Any]) -> str:
    if part.get("type") in _THOUGHTS or read_openai_file(part) is not None:
        return ""
    text = part.get("text", part.get("refusal"))
    if not isinstance(text, str):
        raise InputError(
            f"a message part of type {part.get('type')!r} is not supported",
            hint="docs/protocols.md lists the supported parts.",
        )
    return text
