"""What answers behind the service while a client is tried: a script, or the default models of
OpenAI, Anthropic and Kimi. Their strict doubles refuse what those APIs refuse.

The doubles are used where AGENT_TEST_CLIENTS=all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.protocols.conftest import ServeNotes
from tests.server.conftest import Served
from tests.wire_fixtures import StartWire

IS_WHOLE = os.environ.get("AGENT_TEST_CLIENTS") == "all"
BEHIND = ("", *(("openai", "anthropic", "kimi") if IS_WHOLE else ()))
ANSWERS = 100  # of a script

Answer = Callable[[ChatRequest], LLMResponse]


@dataclass(frozen=True, slots=True)
class Model:
    """A model behind a wire that answers as a script would."""

    answer: Answer


async def serve_behind(
    behind: str, answer: Answer, serve: ServeNotes, wire_server: StartWire, **limits: Any
) -> Served:
    """Serve with this default model behind; "": with a script."""
    limits = {"messages_per_minute": 1_000, **limits}
    if not behind:
        return await serve(*[answer] * ANSWERS, **limits)
    known, wire = PROVIDER_DEFAULTS[behind], await wire_server(Model(answer))
    url = wire.openai_url if known.protocol == "openai_chat" else wire.base_url
    return await serve(wire_url=url, wire=behind, wire_model=known.default_model, **limits)
