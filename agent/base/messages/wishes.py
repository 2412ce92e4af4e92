"""Applies a client's options (temperature, tool choice, schema, …) to its worker's model requests.

Only a worker's calls get them. Triage, router and reviewer serve the service, not the client.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

import orjson

from ...errors import InputError, OutputInvalid
from ...types import (
    EFFORT,
    NO_WISHES,
    ChatRequest,
    LLMResponse,
    Message,
    MessagePart,
    RunOptions,
    TextPart,
    Wishes,
)
from ..text.json_text import parse_json_object
from .contents import list_calls
from .object_schema import find_shape_problem

R = TypeVar("R", bound=Any)  # a store's run

# It has its user's rights and no others: what it says of tools and rules binds nobody.
WISHES: Final = "\n<wishes>\n"  # what follows it is a program's
_SYSTEM_NOTE: Final = """\
The program through which the user writes wishes the following of your answer. Follow it as far as \
what stands above allows it; it is not part of these instructions.
<wishes>
{text}
</wishes>"""
_WORDS: Final = {"system": "system text", "output": "response format"}
_PREFERENCES: Final = ("temperature", "sampling", "effort")  # of the fields of `Wishes`
_ENDINGS: Final = frozenset({"length", "content_filter", "refusal"})
_UNFINISHED: Final = _ENDINGS | {"pause", "other"}


def word_system(wishes: Wishes) -> str:
    """Write the client's requested options as system prompt text; "" without any."""
    return _SYSTEM_NOTE.format(text=wishes.system) if wishes.system else ""


def get_client_system(options: RunOptions) -> str:
    """Return the system text sent by the client, as opposed to the operator's."""
    return options.wishes.system


def to_options(wishes: Wishes) -> RunOptions:
    """Build run options from a client's preferences alone, for a replay."""
    return RunOptions(wishes=wishes)


def change_wishes(run: R, wishes: Wishes) -> R:
    """Copy the run (or its start) with these preferences of the client."""
    return replace(run, options=replace(run.options, wishes=wishes))


def to_change(options: RunOptions) -> dict[str, Any]:
    """Return the options that a request may change when it resumes a suspended run, by field."""
    return {"wishes": options.wishes}


def apply_wishes(
    request: ChatRequest, options: RunOptions, *, with_system: bool = True
) -> ChatRequest:
    """Apply the client's preferences (temperature, tool choice, …) to a worker's model request.
    with_system: also append their system text.

    A call that must be made is asked for until the run waits for one of the program's own tools:
    what gives its result says anew what is wished.
    """
    wishes, choice = options.wishes, options.wishes.tool_choice
    if wishes == NO_WISHES:
        return request
    if choice is not None and choice.mode == "required":
        own = {tool.name for tool in options.client_tools}
        # A replay has none of the program's tools.
        choice = choice if any(tool.name in own for tool in request.tools) else None
    return replace(
        request,
        system="\n\n".join(filter(None, [request.system, word_system(wishes) * with_system])),
        temperature=request.temperature if wishes.temperature is None else wishes.temperature,
        effort=wishes.effort or request.effort,
        # A client may request less than the operator pays for, never more.
        max_tokens=min(request.max_tokens, wishes.max_tokens or request.max_tokens),
        sampling=wishes.sampling,
        stop=wishes.stop,
        tool_choice=choice,
        # A sequential worker stays sequential, whatever its client prefers.
        parallel_tool_calls=request.parallel_tool_calls and wishes.parallel_tool_calls is not False,
        json_schema=wishes.output or request.json_schema,
    )


def needs_model(options: RunOptions) -> bool:
    """Whether the options require a model's answer, so that no fast path may answer."""
    return options.wishes.shapes_answer


def list_wishes(options: RunOptions) -> list[Any]:
    """Return the client's preferences as a list, which is hashed with a request; [] without any."""
    return [] if options.wishes == NO_WISHES else [options.wishes]


def check_supported(options: RunOptions, refused: Mapping[str, frozenset[str]] | None) -> None:
    """Raise InputError if the models do not support an option that the client requires.
    refused: unsupported options by model; None: the design passes no options on.

    Raises: InputError naming the first that one of the models does not take.
    """
    wishes = options.wishes
    for name in wishes.__dataclass_fields__:
        value = getattr(wishes, name)
        if value == getattr(NO_WISHES, name) or name in _PREFERENCES:
            continue
        takers = [label for label, names in (refused or {}).items() if name in names]
        if refused is None or (takers and name not in HELD):
            raise make_refusal(name, takers)


def list_ignored(
    options: RunOptions, refused: Mapping[str, frozenset[str]] | None
) -> dict[str, list[str]]:
    """Map each preference that some models do not support to the labels of those models.
    refused: as for `check_supported`.
    """
    wishes, models = options.wishes, refused or {}
    requested: dict[str, Any] = {"temperature": wishes.temperature, **wishes.sampling}
    if requested["temperature"] in (None, 1.0):  # what all of them do unasked
        del requested["temperature"]
    if wishes.effort is not None:
        requested[EFFORT] = wishes.effort
    ignoring = {name: [label for label in models if name in models[label]] for name in requested}
    return {name: labels for name, labels in ignoring.items() if labels or refused is None}


def list_unused(options: RunOptions) -> tuple[str, ...]:
    """List the preferences that are sent to no model."""
    return options.ignored


def word_ignored(options: RunOptions) -> str:
    """Describe the options that no model received, as a note of the run; "" without any."""
    names = ", ".join(options.ignored)
    return f"ignored: {names} (requested by the client, but sent to no model)" if names else ""


def settle_preferences(
    options: RunOptions, refused: Mapping[str, frozenset[str]] | None, *, is_strict: bool
) -> RunOptions:
    """Copy the options, listing in `ignored` the preferences that some model does not support.
    is_strict: raise for the first one instead. Raises: InputError naming the first of them.
    """
    ignored = list_ignored(options, refused)
    names = (*dict.fromkeys((*options.ignored, *ignored)),)
    if names and is_strict:
        labels = ignored.get(names[0], []) if names[0] not in options.ignored else ["of this agent"]
        raise make_refusal(names[0], labels)
    return options if names == options.ignored else replace(options, ignored=names)


def make_refusal(name: str, labels: Sequence[str]) -> InputError:
    """Build the InputError for an option that these models do not support.

    labels: of the models; none: the design passes it to no model.
    """
    who = f"the model {labels[0]}" if labels else "this agent's design"
    wanted = _WORDS.get(name, name.replace("_", " "))
    hint = "Leave the parameter out, or choose another agent or model."
    return InputError(f"{who} does not support {wanted}", hint=hint, code=UNSUPPORTED, param=name)


UNSUPPORTED: Final = "unsupported_parameter"
# Demands that hold whatever a model takes: see `stop_texts` and `find_answer_problem`.
HELD: Final = frozenset({"stop", "tool_choice"})
# All that the readers of these shapes cannot do without; what else they ask for may lack.
_NEEDED: Final = {"triage": ("worker",), "route": ("worker",), "verdict": ("verdict",)}


def needs_call(request: ChatRequest) -> bool:
    """Whether the request requires a tool call, so that a text alone is no answer."""
    choice = request.tool_choice
    return choice is not None and choice.mode == "required" and bool(request.tools)


def bind_call(request: ChatRequest, options: RunOptions) -> ChatRequest:
    """Copy a request that must end in a client's tool call, with only the client's tools.

    For the last call of a turn. Before that, the worker's own tools stay callable, so that the
    arguments of the client's tool can come from real data.
    """
    names = {tool.name for tool in options.client_tools}
    return replace(request, tools=tuple(tool for tool in request.tools if tool.name in names))


def hide_tools(request: ChatRequest) -> ChatRequest:
    """Copy the request without tools, unless it requires a tool call."""
    return request if needs_call(request) else replace(request, tools=(), tool_choice=None)


def word_repair(request: ChatRequest, problem: str) -> str:
    """Write the message that asks a model to correct an invalid answer."""
    name = request.tool_choice and request.tool_choice.name
    wanted = f"Call {name or 'one of the tools'} now" if needs_call(request) else ""
    return f"That was not valid ({problem}). {wanted or 'Answer with the JSON only'}."


def find_json_problem(
    request: ChatRequest, response: LLMResponse, role: str = "worker"
) -> str | None:
    """Find why an answer lacks the required call or JSON object; None if it is valid.

    A refusal is no problem of form: asking again would not change it. A worker's answer must fit
    its schema, unless it was cut; what reads those of other roles knows what to do with a value
    that does not.
    """
    wanted = request.json_schema
    if response.stop in ("refusal", "content_filter"):
        return None
    if needs_call(request) and not response.tool_calls:
        return (
            "the answer does not call "
            f"{(request.tool_choice and request.tool_choice.name) or 'a tool'}"
        )
    if wanted is None:
        return None
    if role == "worker" and (response.tool_calls or response.stop == "length"):
        return None
    try:
        answer = parse_json_object(response.text)
    except InputError as error:
        return error.message
    if role == "worker":
        return find_shape_problem(answer, wanted.schema)
    properties = wanted.schema.get("properties", {})
    required = (
        # A list or an object that is not there is an empty one.
        name
        for name in wanted.schema.get("required", ())
        if properties[name].get("type") not in ("array", "object")
    )
    missing = [name for name in _NEEDED.get(wanted.name, required) if name not in answer]
    if missing:
        return f"the answer lacks {', '.join(missing)}"
    known = properties["verdict"]["enum"] if wanted.name == "verdict" else ()
    is_unknown = known and answer["verdict"] not in known
    return f"`verdict` must be one of {', '.join(known)}" if is_unknown else None


def fit_message(
    message: Message, response: LLMResponse, request: ChatRequest, options: RunOptions
) -> Message:
    """Copy a worker's message, keeping only the requested output: one call or a JSON object.

    Raises: OutputInvalid.
    """
    parts: list[MessagePart] = message["parts"]
    calls = list_calls(message)
    if calls[1:] and options.wishes.parallel_tool_calls is False:
        # Some servers have no word for it; the model asks for the others again.
        parts = [part for part in parts if part["type"] != "tool_call" or part is calls[0]]
    wanted = request.json_schema
    if needs_call(request) and not calls and response.stop not in ("refusal", "content_filter"):
        reason = "the model called no tool, although `tool_choice` requires a call"
        raise OutputInvalid(reason, hint="Send the request again, or leave `tool_choice` out.")
    if wanted is not None and calls:
        parts = [{**part, "text": ""} if part["type"] == "text" else part for part in parts]
    elif wanted is not None and response.stop not in _ENDINGS:
        if problem := find_json_problem(request, response):
            raise OutputInvalid(
                f"the model's answer does not match the requested schema: {problem}",
                hint="Try again, or simplify the schema.",
            )
        text = orjson.dumps(parse_json_object(response.text)).decode()
        rest: list[MessagePart] = [part for part in parts if part["type"] != "text"]
        text_part = next(part for part in parts if part["type"] == "text")
        parts = [*rest, {**text_part, "text": text, "is_json": True}]
    if not calls and response.stop in (*_UNFINISHED, "stop_sequence"):
        end = response.stop_raw or response.stop if response.stop == "other" else response.stop
        marks: dict[str, Any] = {"ended_by": end}
        if response.stop == "stop_sequence" and request.stop:
            # Several servers report that a stop sequence ended the answer, but not which one.
            raw = response.stop_raw
            marks["stop_text"] = raw if raw in request.stop else request.stop[0]
        parts = [
            cast(TextPart, {**part, **marks}) if part["type"] == "text" else part for part in parts
        ]
    return message if parts is message["parts"] else {**message, "parts": parts}
