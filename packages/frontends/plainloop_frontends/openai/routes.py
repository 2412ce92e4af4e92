"""`/v1/models` and `/v1/chat/completions`: what talks to OpenAI can talk to an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from starlette.responses import JSONResponse, Response

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.messages.wishes import HELD
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.events import Event
from plainloop.agent.types import LLMResponse
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import EVENT_STREAM, EventStream
from plainloop.server.protocols.agents import (
    ANTHROPIC_VERSION,
    ModelsQuery,
    list_anthropic_models,
    list_names,
    list_refusals,
    to_anthropic_model,
)
from plainloop.server.protocols.encoder import encode_events, tell_ignored
from plainloop.server.settings import ServerLimits

from .asking import act_for_user, begin_answer, read_model
from .chat import ChatEncoder, to_completion
from .parameters import PARAMETERS
from .shapes import ChatRequestBody
from .side import answer_side_request, is_side_request

OWNER: Final = "plainloop"
_WISHED: Final = {name: field for field, name in ChatRequestBody.api.items()}


@dataclass(frozen=True, slots=True)
class ChatRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute("GET", "/v1/models", self.list_models, "List the agents"),
            ApiRoute("GET", "/v1/models/{name}", self.read_model, "Read an agent"),
            ApiRoute("GET", "/v1/models/{pack}/{design}", self.read_model, "Read an agent"),
            ApiRoute(
                *("POST", "/v1/chat/completions", self.complete, "Ask an agent"),
                max_bytes=self.app.settings.get_table(ServerLimits).message_bytes,
                ends_with_client=True,
            ),
        )

    async def list_models(self, request: ApiRequest, query: ModelsQuery) -> dict[str, Any]:
        if ANTHROPIC_VERSION in request.headers:  # a client of that API with this server's address
            return list_anthropic_models(self.app, query)
        names = list_names(self.app)
        models = [self._describe(name, design) for name, design in names.items()]
        return {"object": "list", "data": models}

    async def read_model(self, request: ApiRequest) -> dict[str, Any]:
        name = "/".join(request.params.values())
        design = read_model(self.app, request, name)
        if ANTHROPIC_VERSION in request.headers:
            return to_anthropic_model(name)
        return self._describe(name, design)

    async def complete(
        self, request: ApiRequest, body: ChatRequestBody
    ) -> EventStream | dict[str, Any] | Response:
        usage = bool(body.stream_options and body.stream_options.include_usage)
        make_encoder = partial(ChatEncoder, with_usage=usage)
        if is_side_request(body.messages):
            read_model(self.app, request, body.model)
            request = act_for_user(request)
            self.app.messages.take(*request.owner)
            wanted = body.to_options((), request.settings.limits)
            side_request = (self.app.service, request, body.messages, wanted)
            reply, ignored = await answer_side_request(*side_request)
            encoder = make_encoder(make_id(), body.model, {})
            headers = tell_ignored(ignored)
            return to_side_answer(encoder, reply, headers, is_stream=bool(body.stream))
        sent = (self.app, request, "openai", body, body.messages)
        answer = await begin_answer(*sent, make_encoder)
        return await answer.serve(
            lambda frames: to_completion(frames, answer.encoder.usage), is_stream=bool(body.stream)
        )

    def _describe(self, name: str, design: str) -> dict[str, Any]:
        return {
            "id": name,
            "object": "model",
            "created": 0,
            "owned_by": OWNER,
            "supported_parameters": list_supported(self.app, design),
        }


def list_supported(app: AppContext, design: str) -> list[str]:
    """List the fields of a chat completion's body that this design's models support."""
    refused = list_refusals(app, design)
    fields = [name for name in ChatRequestBody.__struct_fields__ if PARAMETERS[name].is_served]
    return [name for name in fields if name in HELD or _WISHED.get(name, name) not in refused]


def to_side_answer(
    encoder: ChatEncoder, answer: LLMResponse, headers: Mapping[str, str], *, is_stream: bool
) -> Response:
    """Build the response to a program's own request, such as one for a title.

    It has the form of a run's answer.
    """
    usage, text = answer.usage, answer.text.strip()
    data = {
        "input_tokens": usage.input_total,
        "output_tokens": usage.output_total,
        "cache_read_tokens": usage.cache_read_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
    }
    events: Sequence[Event] = (
        {"seq": 1, "event": "text_delta", "data": {"content": text}},
        {"seq": 2, "event": "usage", "data": data},
        {"seq": 3, "event": "done", "data": {"content": text}},
    )
    frames = encode_events(encoder, events)
    if not is_stream:
        return JSONResponse(to_completion(frames, encoder.usage), headers=headers)
    content = b"".join(map(encoder.to_bytes, frames)) + encoder.trailer
    return Response(content, media_type=EVENT_STREAM, headers=headers)
