"""OpenAPI 3.1 from the routes' own types: what is checked is what is told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from ...agent import __version__
from ...agent.config.settings import Limits
from ...agent.core.api import ApiFile, ApiRoute
from ...agent.core.spec import Pack
from ...agent.errors import ConfigError
from ...agent.events import EVENT_NAMES, RunEvent
from ...agent.service.changes import Changed, Nothing
from ..auth.session import COOKIE
from ..http.endpoint import OwnedRoute
from ..http.reading import SCHEMA_REF, describe_struct
from ..http.sse import EVENT_STREAM, EventStream
from ..routes.changes import PATH as CHANGES_PATH
from ..routes.health import Health, Readiness
from ..ws.frames import ClientFrame, ServerFrame
from ..ws.opening import list_paths

_PARAM: Final = re.compile(r"\{(\w+)(?::path)?\}")  # `:path` takes slashes
_JSON: Final = "application/json"
_ERRORS: Final = {
    "400": "The request is not valid",
    "401": "The token is missing, wrong or expired",
    "402": "A budget or the provider's balance is used up",
    "403": "Not allowed",
    "404": "Not found, or it belongs to another user",
    "409": "Conflicts with the current state",
    "413": "Too large",
    "415": "The content type is not supported",
    "422": "Valid, but it cannot be processed",
    "429": "Too many requests; retry after `Retry-After`",
    "500": "An internal error, or a mistake in the service's settings",
    "503": "Not available now: the database, the provider, or this process is shutting down",
}
# What anybody may ask without a token, and what is told.
_OPEN: Final = (
    ("/api/health", "The process is running", Health),
    (
        "/readyz",
        "Ready for new work; 503 while it drains, checks its code, or was refused",
        Readiness,
    ),
)
_STREAM: Final = (
    f"The run's events: {', '.join(EVENT_NAMES)}. Exactly one of done and "
    "error ends the stream. If a stream ends without either, attach again with "
    "Last-Event-ID."
)
# Of the one stream that is no run's.
_CHANGES: Final[dict[str, Any]] = {"change": Changed, "reset": Nothing, "resumed": Nothing}
# Path values that are not any text; another's id and what is none are 404 alike.
_UUID: Final = {"type": "string", "format": "uuid"}
_NUMBER: Final = {"type": "integer", "minimum": 0}
_PARAM_SCHEMAS: Final = {
    **dict.fromkeys(("conversation_id", "run_id", "approval_id", "call_id"), _UUID),
    **dict.fromkeys(("budget_id", "replay_id"), _UUID),
    **dict.fromkeys(("position", "part", "n"), _NUMBER),
}
# Bodies as they are sent most, each checked against its schema by a test.
EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "NewConversation": {"title": "Applications"},
    "ConversationChange": {"title": "Applications in Oslo"},
    "NewMessage": {"content": "how many jobs do I have?", "when_busy": "enqueue"},
    "NewBranch": {"before": 4},
    "NewBudget": {"scope": "user", "user_id": "ann", "period": "month", "limit_usd": "20"},
    "ProviderChoice": {"provider": "openai", "model": "gpt-6.1-terra"},
    "NewVerdict": {"verdict": "better", "note": "names the company"},
    "Answer": {
        "run_id": "01a214fa-15b2-7912-b762-5fd086188634",
        "conversation_id": "01a214fa-0c11-7d4e-9b1a-6b2f5a1f9d11",
        "status": "succeeded",
        "message_id": "0b0f1f6e-5a51-5c8e-9d0b-0f4a3a9c7e21",
        "content": "You have 3 jobs.",
    },
}
_DESCRIPTION: Final = (
    "An agent service: conversations, runs, their streams, and the packs. "
    "`x-websockets` describes the frames of the WebSockets. `x-protocols` lists "
    "the routes of third-party protocols. Their own specifications describe "
    "them; docs/frontends.md describes what differs here."
)
_ERROR_REF: Final = {"$ref": SCHEMA_REF.format(name="Error")}
_ERROR_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "examples": ["NOT_FOUND"]},
                "message": {"type": "string", "examples": ["no such conversation: …"]},
                "hint": {"type": "string", "description": "How to fix it"},
                "action": {
                    "type": "object",
                    "description": "Screen of the console that helps, and its label",
                },
            },
        }
    },
}

_SCHEMES: Final[dict[str, Any]] = {
    "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    # What POST /api/session gives a browser for its token.
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
}


def build_openapi(
    owned: Iterable[OwnedRoute],
    limits: Limits,
    foreign: Iterable[tuple[str, str, str]] = (),
    *,
    is_local: bool,
) -> dict[str, Any]:
    """Build the whole OpenAPI document from the routes, with their shapes and errors.

    foreign: method, path and summary of each route of third-party handlers.
    """
    routes = sorted((item.route for item in owned), key=lambda route: (route.path, route.method))
    schemas = _SchemaBook(routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(_PARAM.sub(r"{\1}", route.path), {})[route.method.lower()] = (
            _describe_route(route, schemas, limits)
        )
    # A setting decides it, so it cannot stand in the type.
    for kind in ("NewMessage", "MessageFrame"):
        if (shape := schemas.components.get(kind)) is not None:
            shape["properties"]["content"]["maxLength"] = limits.message_chars
    for kind, example in EXAMPLES.items():
        if kind in schemas.components:
            schemas.components[kind]["examples"] = [example]
    others: dict[str, dict[str, str]] = {}
    for method, path, summary in foreign:
        others.setdefault(path, {})[method] = summary
    for path, summary, kind in _OPEN:
        refusal = {"anyOf": [schemas.get(kind), _ERROR_REF]}
        paths[path] = {
            "get": {
                "summary": summary,
                "operationId": "get_" + "_".join(re.findall(r"\w+", path.removeprefix("/api"))),
                "tags": ["health"],
                "security": [],
                "responses": {
                    "200": _describe_json(summary, schemas.get(kind)),
                    "503": _describe_json(_ERRORS["503"], refusal),
                },
            }
        }
    operations = [item for methods in paths.values() for item in methods.values()]
    tags = {tag for item in operations for tag in item["tags"]}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "plainloop",
            "version": __version__,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in sorted(tags)],
        "paths": paths,
        "components": {"schemas": {**schemas.components, "Error": _ERROR_SCHEMA}},
        # OpenAPI 3.1 has no words for a WebSocket: its frames stand beside the paths.
        "x-websockets": {
            path: {
                "client": {"oneOf": [schemas.get(kind) for kind in get_args(ClientFrame)]},
                "server": {"oneOf": [schemas.get(kind) for kind in get_args(ServerFrame)]},
            }
            for path in list_paths()
        },
        "x-protocols": others,
    }
    document["components"]["securitySchemes"] = _SCHEMES
    # Without keys in [auth] nobody needs any of them, and whoever sends one is let in as well.
    document["security"] = [*([{}] if is_local else []), *({name: []} for name in _SCHEMES)]
    return document


def check_types(pack: Pack) -> None:
    """Check, when the server starts, that OpenAPI can describe the types in a pack's routes.

    Raises: ConfigError for a route of the pack whose types cannot be read or described.
    """
    routes = pack.list_routes()
    try:  # all at once: they share most of their types
        msgspec.json.schema_components([kind for r in routes for kind in list_route_types(r)])
    except (NameError, TypeError):
        for route in routes:
            _check_route(pack.name, route)


def _check_route(pack: str, route: ApiRoute) -> None:
    try:
        msgspec.json.schema_components(list_route_types(route))
    except (NameError, TypeError) as error:
        # Before the last line, msgspec says what it would take to describe the type.
        reason = str(error).splitlines()[-1]
        raise ConfigError(
            f"pack {pack}, {route.method} {route.path}: {reason}",
            hint="In the handler's signature, use only structs, dataclasses and JSON types.",
        ) from error


def list_stream_types(route: ApiRoute) -> dict[str, Any]:
    """Return the payload types of the events that a route streams, by event name."""
    return _CHANGES if route.path == CHANGES_PATH else list_event_types()


def list_event_types() -> dict[str, Any]:
    """Return the payload types of a run's events by event name."""
    hints = [get_type_hints(member) for member in get_args(RunEvent)]
    return {get_args(hint["event"])[0]: hint["data"] for hint in hints}


class _SchemaBook:
    """Collects the JSON Schemas of all types that routes use, each once."""

    def __init__(self, routes: list[ApiRoute]) -> None:
        kinds: list[Any] = [kind for _, _, kind in _OPEN]
        kinds += [*list_event_types().values(), *_CHANGES.values()]
        kinds += [*get_args(ClientFrame), *get_args(ServerFrame)]
        for route in routes:
            kinds += list_route_types(route)
        # The same type twice is one entry; unhashable aliases cannot be put into a set.
        self._types = [kind for n, kind in enumerate(kinds) if kind not in kinds[:n]]
        listed, self.components = msgspec.json.schema_components(
            self._types, ref_template=SCHEMA_REF
        )
        self._schemas = list(listed)

    def get(self, kind: Any) -> dict[str, Any]:
        return self._schemas[self._types.index(kind)]


def list_route_types(route: ApiRoute) -> list[Any]:
    """List the types of the JSON bodies that a route accepts and returns."""
    body = [route.body] if route.body is not None and not route.upload else []
    return [*body, *list_json_kinds(route)]


def list_answers(route: ApiRoute) -> tuple[Any, ...]:
    """List the types that the route's handler may return, each member of a union by itself."""
    answer = route.answer
    return get_args(answer) if get_origin(answer) in (Union, UnionType) else (answer,)


def list_json_kinds(route: ApiRoute) -> list[Any]:
    """List the types of a route's JSON answers that have a schema.

    Files, streams and unknown types have none.
    """
    others = (ApiFile, EventStream, NoneType, Any, None)
    return [kind for kind in list_answers(route) if kind not in others]


def is_stream(route: ApiRoute) -> bool:
    return EventStream in list_answers(route)


def _describe_route(route: ApiRoute, schemas: _SchemaBook, limits: Limits) -> dict[str, Any]:
    words = re.findall(r"\w+", _PARAM.sub(r"\1", route.path).removeprefix("/api"))
    described: dict[str, Any] = {
        "summary": route.summary,
        "operationId": "_".join([route.method.lower(), *words]),
        "tags": [route.path.removeprefix("/api/").strip("/").partition("/")[0].partition(".")[0]],
        "parameters": [*_list_parameters(route, limits)],
        "responses": {str(route.status): _describe_answer(route, schemas)},
    }
    if route.upload:
        fields: dict[str, Any] = {"file": {"type": "string", "format": "binary"}}
        if route.body is not None:
            fields |= describe_struct(route.body).get("properties", {})
        form = {"type": "object", "required": ["file"], "properties": fields}
        content = {"multipart/form-data": {"schema": form}}
        described["requestBody"] = {"required": True, "content": content}
    elif route.body is not None:
        described["requestBody"] = {
            "required": bool(describe_struct(route.body).get("required")),
            "content": {_JSON: {"schema": schemas.get(route.body)}},
        }
    if is_stream(route) and route.path != CHANGES_PATH:
        text = "No run is active, or the client has all of its events"
        described["responses"]["204"] = {"description": text}
    for status, text in _ERRORS.items():
        described["responses"][status] = _describe_json(text, _ERROR_REF)
    return described


def _describe_json(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {_JSON: {"schema": schema}}}


def _list_parameters(route: ApiRoute, limits: Limits) -> Iterable[dict[str, Any]]:
    for name in _PARAM.findall(route.path):
        schema = _PARAM_SCHEMAS.get(name, {"type": "string"})
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    if route.query is not None:
        schema = describe_struct(route.query)
        for name, value in schema.get("properties", {}).items():
            required = name in schema.get("required", ())
            if name == "limit" and value.get("minimum") == 1:  # of a page: a setting says the most
                value = {"maximum": limits.page_rows, **value}
            yield {"name": name, "in": "query", "required": required, "schema": value}
    if is_stream(route):
        if route.method == "POST":
            text = (
                "The same key and body join the first request's run; the same key "
                "with another body is a 409"
            )
            yield _describe_header("Idempotency-Key", text, {"type": "string", "minLength": 1})
        text = "`id` of the last event that the client received"
        yield _describe_header("Last-Event-ID", text, {"type": "integer", "minimum": 0})


def _describe_header(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": text, "schema": schema}


def _describe_answer(route: ApiRoute, schemas: _SchemaBook) -> dict[str, Any]:
    if route.status == 204:
        return {"description": "Done"}
    text, content = route.summary, dict[str, Any]()
    schemas_of_kinds = [schemas.get(kind) for kind in list_json_kinds(route)]
    if schemas_of_kinds:
        # A whole report as a JSON file has no schema of its own.
        schema = (
            {"anyOf": [*schemas_of_kinds, {"type": "object"}]}
            if _JSON in route.files
            else schemas_of_kinds[0]
        )
        content[_JSON] = {"schema": schema}
    elif route.answer is Any:
        content[_JSON] = {"schema": {}}
    if is_stream(route):
        # OpenAPI 3.1 has no words for the events of a stream: their payloads stand beside it.
        events = {name: schemas.get(kind) for name, kind in list_stream_types(route).items()}
        content[EVENT_STREAM] = {"schema": {"type": "string"}, "x-events": events}
        text = _STREAM if route.path != CHANGES_PATH else route.summary
        if (
            schemas_of_kinds
        ):  # which comes first: generators type an answer by the first that they can read
            text += " With `Accept: application/json`, the finished answer is returned instead."
    for media_type in route.files:
        content.setdefault(
            media_type.partition(";")[0], {"schema": {"type": "string", "format": "binary"}}
        )
    return {"description": text, "content": content}
