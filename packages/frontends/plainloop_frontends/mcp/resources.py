"""What a client can read, and what it can begin with: resources and prompts.

A resource is a route of our API that only reads, as the same user: conversations, and whatever the
packs have (jobs, documents, a profile). `plainloop://api/jobs/7` is `GET /api/jobs/7`. A prompt is
one of a pack's sentences to try.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from plainloop.agent.core.api import ApiRequest
from plainloop.agent.errors import AgentError, NotFoundError, ShapeError
from plainloop.agent.service.service import Service
from plainloop.server.http.endpoint import AppContext, OwnedRoute, encode_json
from plainloop.server.http.error_table import to_words
from plainloop.server.http.reading import check_params, read_query
from plainloop.server.protocols.json_rpc import INVALID_PARAMS, Message, RpcError, read_refusal
from plainloop.server.routes.conversations import ConversationRoutes

from .catalog import list_packs

SCHEME: Final = "plainloop:/"
_JSON: Final = "application/json"
_MAX_NAME_CHARS: Final = 64


def list_resources(app: AppContext, *, is_template: bool) -> list[Message]:
    """List the readable routes as MCP resources, or as resource templates.

    is_template: list only the routes with an id in their path, else only the others.
    """
    key = "uriTemplate" if is_template else "uri"
    return [
        {
            key: SCHEME + item.route.path,
            "name": item.route.path.rpartition("/api/")[2],
            "title": item.route.summary,
            "mimeType": _JSON,
        }
        for item in _list_readable(app)
        if ("{" in item.route.path) is is_template
    ]


async def read_resource(app: AppContext, request: ApiRequest, uri: Any) -> Message:
    """Return the contents of an MCP resource by calling the route of its path.

    Raises: RpcError.
    """
    path, _, query = str(uri).removeprefix(SCHEME).partition("?")
    # Fixed paths win, as over HTTP.
    for item in sorted(_list_readable(app), key=lambda item: "{" in item.route.path):
        match = _to_pattern(item.route.path).fullmatch(path)
        if match is None or not str(uri).startswith(SCHEME):
            continue
        try:
            content = await _read(app, request, item, match.groupdict(), query)
        except NotFoundError as error:
            raise RpcError(INVALID_PARAMS, to_words(error), status=200) from error
        except AgentError as error:
            raise read_refusal(error) from error
        text = encode_json(content).decode()
        return {"contents": [{"uri": uri, "mimeType": _JSON, "text": text}]}
    raise RpcError(
        INVALID_PARAMS,
        f"unknown resource {str(uri)[:200]!r}: resources/list shows all resources",
        status=200,
    )


def list_prompts(service: Service) -> dict[str, str]:
    """Return the packs' example messages by name, to offer them as MCP prompts.

    A name is made of its message's words.
    """
    examples = [text for pack in list_packs(service) for text in pack.examples]
    names = [re.sub(r"\W+", "_", text.lower()).strip("_")[:_MAX_NAME_CHARS] for text in examples]
    return dict(zip(names, examples, strict=True))


def get_prompt(service: Service, name: Any) -> Message:
    """Return the MCP prompt of this name as one user message.

    Raises: RpcError.
    """
    text = list_prompts(service).get(str(name))
    if text is None:
        raise RpcError(
            INVALID_PARAMS,
            f"unknown prompt {str(name)[:80]!r}: prompts/list shows all prompts",
            status=200,
        )
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": text, "messages": [message]}


def _list_readable(app: AppContext) -> list[OwnedRoute]:
    """List the GET routes of service and packs that do not answer with files."""
    service = app.service
    own = ConversationRoutes(app).list_routes()
    owned = [OwnedRoute(route, service.pack) for route in own]
    owned += [
        OwnedRoute(route, pack) for pack in list_packs(service) for route in pack.list_routes()
    ]
    return [item for item in owned if item.route.method == "GET" and not item.route.files]


@cache
def _to_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))


async def _read(
    app: AppContext, request: ApiRequest, item: OwnedRoute, params: Mapping[str, str], query: str
) -> Any:
    """Call a route's handler with the path's and the query's values, read as over HTTP.

    Raises: AgentError, RpcError.
    """
    api_request = replace(
        request,
        pack=item.pack.name,
        service=app.service.make_host(*request.owner, item.pack),
        params=check_params({name: unquote(value) for name, value in params.items()}),
    )
    kind = item.route.query
    try:
        pairs = parse_qsl(query, keep_blank_values=True)
        sent = {} if kind is None else {"query": read_query(pairs, kind)}
    except ShapeError as error:
        raise RpcError(INVALID_PARAMS, to_words(error)) from error
    return await item.route.handler(api_request, **sent)
