"""OpenAI Responses, for its reasoning models."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..http.exchange import Wire
from .provider import OpenAIProvider
from .responses_fold import ResponseFold
from .responses_wire import from_response, to_body

RESPONSES: Final = Wire(
    path="/responses",
    terminal="response.completed",
    to_body=to_body,
    from_body=from_response,
    make_fold=ResponseFold,
    may_give_up=True,
)
make_responses_provider: Final = partial(OpenAIProvider, RESPONSES)
