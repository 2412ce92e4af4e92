"""What clients without a protocol for it wish of an answer: texts beside the user's own, and the
settings of a model call by the AI SDK's names. Honoured, or refused by name, as in `openai`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from ...agent.config.settings import Limits
from ...agent.types import Wishes
from ..http.reading import convert
from .openai.parameters import refuse
from .openai.shapes import ChatMessage, Tokens, read_system

# Of these each changes an answer, so that none of them may be dropped.
_NOT_SERVED: Final = (
    *("model", "modelName", "toolChoice", "topP", "topK", "presencePenalty", "frequencyPenalty"),
    *("seed", "providerOptions", "baseUrl", "apiKey"),
)

_Stop = Annotated[str, Meta(min_length=1)]


class CallSettings(Struct, rename="camel"):
    """Holds what a client sets of the model call that answers."""

    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Tokens | None = None
    max_output_tokens: Tokens | None = None
    stop_sequences: Annotated[list[_Stop], Meta(max_length=4)] | None = None


def read_wishes(
    texts: Sequence[str], settings: Mapping[str, Any], limits: Limits, names: tuple[str, str]
) -> Wishes:
    """Read what is wished. names: of both in the request. Raises: InputError; ShapeError."""
    system, told = names
    for name in _NOT_SERVED:
        if settings.get(name) is not None:
            raise refuse(f"{told}.{name}")
    call = convert(dict(settings), CallSettings, told)
    most = [item for item in (call.max_tokens, call.max_output_tokens) if item]
    return Wishes(
        read_system([ChatMessage("system", text) for text in texts], limits, system),
        call.temperature,
        min(most) if most else None,
        tuple(call.stop_sequences or ()),
    )
