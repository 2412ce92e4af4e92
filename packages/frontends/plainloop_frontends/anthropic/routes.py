"""`/v1/messages`, its token counts and its models: what talks to Anthropic can talk to an agent.

All of it stands below `/anthropic`, and at `/v1/messages` for clients that are given this server's
address alone: they say `anthropic-version`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from starlette.responses import JSONResponse

from plainloop.agent.base.messages.files import read_files
from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.base.tokens.estimate import estimate_json_tokens, estimate_tokens
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.server.http.endpoint import AppContext
from plainloop.server.http.sse import EventStream
from plainloop.server.protocols.agents import (
    ANTHROPIC_VERSION,
    ModelsQuery,
    list_anthropic_models,
    to_anthropic_model,
)
from plainloop.server.settings import ServerLimits

from ..openai.asking import begin_answer, read_model
from .encoder import MessageEncoder, to_message
from .errors import name_request
from .shapes import CountBody, MessagesBody

BASE: Final = "/anthropic"
_MESSAGES: Final = "/v1/messages"
_COUNT: Final = _MESSAGES + "/count_tokens"


def list_anthropic_routes(app: AppContext) -> Sequence[ApiRoute]:
    return MessageRoutes(app).list_routes()


@dataclass(frozen=True, slots=True)
class MessageRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        models = f"{BASE}/v1/models"
        return (
            *(route for base in (BASE, "") for route in self._list_at(base)),
            ApiRoute("GET", models, self.list_models, "List the agents"),
            ApiRoute("GET", models + "/{name}", self.read_model, "Read an agent"),
            ApiRoute("GET", models + "/{pack}/{design}", self.read_model, "Read an agent"),
        )

    def _list_at(self, base: str) -> tuple[ApiRoute, ...]:
        max_bytes = self.app.settings.get_table(ServerLimits).message_bytes
        create, count = (self.create, self.count) if base else (self.create_here, self.count_here)
        return (
            ApiRoute(
                *("POST", base + _MESSAGES, create, "Ask an agent"),
                max_bytes=max_bytes,
                ends_with_client=True,
            ),
            ApiRoute("POST", base + _COUNT, count, "Count a message's tokens", max_bytes=max_bytes),
        )

    async def create_here(
        self, request: ApiRequest, body: MessagesBody
    ) -> EventStream | JSONResponse:
        check_version(request)
        return await self.create(request, body)

    async def create(self, request: ApiRequest, body: MessagesBody) -> EventStream | JSONResponse:
        sent = (self.app, request, "anthropic", body, body.chat)
        answer = await begin_answer(*sent, MessageEncoder)
        return await answer.serve(to_message, name_request(), is_stream=bool(body.stream))

    async def count_here(self, request: ApiRequest, body: CountBody) -> JSONResponse:
        check_version(request)
        return await self.count(request, body)

    async def count(self, request: ApiRequest, body: CountBody) -> JSONResponse:
        """Estimate the tokens of the posted request.
        Without the agent's own prompt and tools, in the tokens of its worker's model as far as
        known.
        """
        read_model(self.app, request, body.model)
        # The largest body takes seconds
        # (test_counting_tokens_of_a_large_body_does_not_block_the_event_loop).
        size = await asyncio.to_thread(estimate_body, body, request.settings)
        factor = self.app.service.models.resolve("worker").token_factor
        tokens = {"input_tokens": max(1, round(size * factor))}
        return JSONResponse(tokens, headers=name_request())

    async def list_models(self, request: ApiRequest, query: ModelsQuery) -> JSONResponse:
        return JSONResponse(list_anthropic_models(self.app, query), headers=name_request())

    async def read_model(self, request: ApiRequest) -> JSONResponse:
        name = "/".join(request.params.values())
        read_model(self.app, request, name)
        return JSONResponse(to_anthropic_model(name), headers=name_request())


def estimate_body(body: CountBody, settings: Settings) -> int:
    """Estimate the tokens of a body's messages, files, calls and tools.

    Raises: InputError.
    """
    messages = body.chat
    files = [part for item in messages for part in read_files(item.files, settings)]
    size = sum(estimate_tokens(clean_text(item.text)) for item in messages)
    calls = [call.function for item in messages for call in item.tool_calls or ()]
    size += sum(estimate_json_tokens([call.name, call.arguments]) for call in calls)
    return size + sum(part["tokens"] for part in files) + estimate_json_tokens(body.tools or [])


def check_version(request: ApiRequest) -> None:
    """Check that a request has Anthropic's version header.

    It is required on the path that two APIs share. Raises: InputError for a request that does not
    say that it is of Anthropic's API.
    """
    if ANTHROPIC_VERSION not in request.headers:
        wrong = f"{ANTHROPIC_VERSION}: header is required"
        hint = f"Send this header, or use the path {BASE}{_MESSAGES}."
        raise InputError(wrong, hint=hint, param=ANTHROPIC_VERSION)
