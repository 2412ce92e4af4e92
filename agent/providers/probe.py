"""Finds out what a provider supports, by a handful of small real calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Literal

from ..base.messages.contents import make_text_message
from ..base.messages.object_schema import make_object_schema
from ..base.tokens.estimate import estimate_tokens
from ..dataclasses import dataclass, replace
from ..errors import ModelAuthError, ModelConnectionError, ModelError, ModelQuotaError
from ..types import ChatProvider, ChatRequest, LLMResponse, Message, MessagePart, ToolSchema

MAX_TOKENS: Final = 2_000  # room for models that think first
WINDOW_TOKENS: Final = 6_000  # more than servers at home read by default
READ_SHARE: Final = 0.7  # of the prompt, by our estimate, that must have been read
_CLOCK: Final = ToolSchema(
    "get_time", "The time now in a city.", make_object_schema({"city": {"type": "string"}})
)
_HOPELESS: Final = (ModelAuthError, ModelConnectionError, ModelQuotaError)


@dataclass(frozen=True, slots=True)
class Probe:
    """A feature that was probed, and the result. no: the provider works without it."""

    level: Literal["ok", "no", "fail"]
    what: str  # models | answer | usage | tools | reasoning | window
    text: str
    hint: str | None = None


async def probe_provider(chat: ChatProvider) -> list[Probe]:
    """Test by real calls what a model supports; return one result for each test.

    A failure is a result too, and may end it early.
    """
    probes: list[Probe] = []
    for what, ask in _QUESTIONS:
        try:
            probes += await ask(chat)
        except ModelError as error:
            level = "no" if what in _OPTIONAL and not isinstance(error, _HOPELESS) else "fail"
            probes.append(Probe(level, what, f"{error.message} [{error.code}]", error.hint))
            if isinstance(error, _HOPELESS):
                break
    return probes


async def _ask_models(chat: ChatProvider) -> list[Probe]:
    models = await chat.list_models()
    text = f"{len(models)} listed"
    ids = {model.id.removesuffix(":latest") for model in models}  # Ollama's name for the plain one
    if chat.model.removesuffix(":latest") in ids:
        return [Probe("ok", "models", f"{text}, {chat.model} among them")]
    return [Probe("no", "models", f"{text}, {chat.model} not among them")]


async def _ask_answer(chat: ChatProvider) -> list[Probe]:
    answer = await _stream(
        chat,
        ChatRequest(
            "You are a helpful assistant. Respond with just 'OK'.",
            [make_text_message("user", "Hello")],
        ),
    )
    usage = answer.usage
    if not answer.text.strip():
        return [Probe("fail", "answer", f"an empty answer, stopped by {answer.stop_raw}")]
    probes = [Probe("ok", "answer", f"{answer.model} answered {answer.text.strip()[:20]!r}")]
    if usage.source == "provider" and usage.input_total is not None:
        text = f"reported in the stream: {usage.input_total} in, {usage.output_total} out"
        return [*probes, Probe("ok", "usage", text)]
    return [*probes, Probe("no", "usage", "not reported in the stream: tokens are estimated")]


async def _ask_tools(chat: ChatProvider) -> list[Probe]:
    """Test a tool call and its result, which the second request sends back."""
    request = ChatRequest(
        "Use the tool, then answer in one word.",
        [make_text_message("user", "What time is it in Oslo? Call get_time.")],
        tools=(_CLOCK,),
    )
    first = await _stream(chat, request)
    if not first.tool_calls:
        hint = "Workers need tools: choose a model that supports them."
        return [Probe("no", "tools", "the model did not call the tool when asked to", hint)]
    broken = [call for call in first.tool_calls if "invalid_arguments" in call]
    if broken:
        return [Probe("fail", "tools", "the arguments in the stream were not a JSON object")]
    results: list[MessagePart] = [
        {
            "type": "tool_result",
            "id": call["id"],
            "name": call["name"],
            "result": {"time": "12:00"},
            "is_error": False,
        }
        for call in first.tool_calls
    ]
    thread: list[Message] = [*request.messages, first.message, {"role": "tool", "parts": results}]
    await _stream(chat, replace(request, messages=thread))
    probe = Probe("ok", "tools", f"the stream contained a call: {first.tool_calls[0]['arguments']}")
    parts = first.message["parts"]
    if kept := sum("provider_state" in part for part in parts):
        thought = Probe("ok", "reasoning", f"{kept} parts with state were accepted when sent back")
    elif any(part["type"] == "reasoning" for part in parts):
        thought = Probe("ok", "reasoning", "shown; the provider does not need it back")
    else:
        thought = Probe("no", "reasoning", "none came")
    return [probe, thought]


async def _ask_window(chat: ChatProvider) -> list[Probe]:
    """Test whether Ollama reads a long prompt whole: it cuts without an error, only counts tell."""
    if chat.provider != "ollama":
        return []
    text = " ".join(f"Line {n} is only here to be read." for n in range(WINDOW_TOKENS // 9))
    sent = estimate_tokens(text)
    answer = await _stream(
        chat, ChatRequest("Respond with just 'OK'.", [make_text_message("user", text)])
    )
    read = answer.usage.input_total
    if read is None:
        return [Probe("no", "window", "the server does not report the tokens it read: not tested")]
    if read < sent * READ_SHARE:
        hint = "Raise OLLAMA_CONTEXT_LENGTH, or choose a model with a larger window."
        return [Probe("fail", "window", f"{read} of about {sent} tokens were read", hint)]
    return [Probe("ok", "window", f"{read} tokens were read of about {sent}")]


_QUESTIONS: Final[tuple[tuple[str, Callable[[ChatProvider], Awaitable[list[Probe]]]], ...]] = (
    ("models", _ask_models),
    ("answer", _ask_answer),
    ("tools", _ask_tools),
    ("window", _ask_window),
)
_OPTIONAL: Final = frozenset({"models", "tools"})


async def _stream(chat: ChatProvider, request: ChatRequest) -> LLMResponse:
    answer: LLMResponse | None = None
    async for item in chat.generate_stream(replace(request, max_tokens=MAX_TOKENS)):
        if isinstance(item, LLMResponse):
            answer = item
    assert answer is not None  # the contract of generate_stream
    return answer
