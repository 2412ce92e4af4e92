"""What clients without a protocol for it wish of an answer: texts beside the user's own, and the
settings of a model call by the AI SDK's names. Demands are held or refused by name, preferences
honoured or reported, as in `openai`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from plainloop.agent.config.settings import Limits
from plainloop.agent.types import Wishes
from plainloop.server.http.reading import convert

from .openai.parameters import read_effort, read_sampling, refuse
from .openai.shapes import ChatMessage, Penalty, Tokens, read_system

# Each of these demands something of the answer, so that none of them may be dropped.
_NOT_SERVED: Final = ("model", "modelName", "toolChoice", "baseUrl", "apiKey")
_IGNORED: Final = ("providerOptions", "logitBias")

_Stop = Annotated[str, Meta(min_length=1)]


class CallSettings(Struct, rename="camel"):
    """A client's settings of the model call that answers."""

    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Tokens | None = None
    max_output_tokens: Tokens | None = None
    stop_sequences: Annotated[list[_Stop], Meta(max_length=4)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=-1)] | None = None
    seed: int | None = None
    frequency_penalty: Penalty | None = None
    presence_penalty: Penalty | None = None
    reasoning_effort: Any = None


def read_wishes(
    texts: Sequence[str], settings: Mapping[str, Any], limits: Limits, names: tuple[str, str]
) -> tuple[Wishes, tuple[str, ...]]:
    """Read a client's settings as the preferences of a run.

    Returns (preferences, names of ignored settings). names: of both arguments in the request, for
    errors. Raises: InputError; ShapeError.
    """
    system, settings_name = names
    for name in _NOT_SERVED:
        if settings.get(name) is not None:
            raise refuse(f"{settings_name}.{name}")
    call = convert(dict(settings), CallSettings, settings_name)
    bounds = [item for item in (call.max_tokens, call.max_output_tokens) if item]
    ignored = [f"{settings_name}.{name}" for name in _IGNORED if settings.get(name) is not None]
    wishes = Wishes(
        read_system([ChatMessage("system", text) for text in texts], limits, system),
        call.temperature,
        min(bounds) if bounds else None,
        tuple(call.stop_sequences or ()),
        sampling=read_sampling(call),
        effort=read_effort(call.reasoning_effort, f"{settings_name}.reasoningEffort", ignored),
    )
    return wishes, tuple(ignored)
