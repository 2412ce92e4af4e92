"""`/langgraph/assistants`: the pack that serves chat, with each of the designs."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import JSONResponse

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError, ShapeError
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.agents import list_agents

from .shapes import AssistantSearch

PATH: Final = "/langgraph/assistants"
TOTAL_HEADER: Final = "x-pagination-total"
_SPACE: Final = uuid.UUID("8f0c7b54-5d0e-4b7b-9a43-3a4c0a5f3d10")
_BEGUN: Final = datetime.now(UTC).isoformat()
_SCHEMAS: Final = ("input_schema", "output_schema", "state_schema")
_MESSAGES: Final[dict[str, Any]] = {
    "type": "object",
    "title": "State",
    "properties": {"messages": {"type": "array", "title": "Messages", "items": {}}},
}


@dataclass(frozen=True, slots=True)
class Assistant:
    """An agent that clients can call. graph_id: its name there; design: the one that answers."""

    graph_id: str
    design: str

    @property
    def assistant_id(self) -> str:
        return str(uuid.uuid5(_SPACE, self.graph_id))

    @property
    def names(self) -> dict[str, str]:
        return {"graph_id": self.graph_id, "assistant_id": self.assistant_id}


def list_assistants(app: AppContext) -> list[Assistant]:
    """List the assistants that LangGraph's clients can choose.

    The default design is called as its pack, every other design by its own name.
    """
    own, pack = app.service.design.name, app.service.pack.name
    designs = [name for name in list_agents(app) if name != pack]
    return [Assistant(pack, own), *(Assistant(name, name) for name in designs)]


def find_assistant(app: AppContext, named: str) -> Assistant:
    """Find an assistant by its graph's name or its id.

    Raises: ShapeError.
    """
    assistants = list_assistants(app)
    for item in assistants:
        if named in (item.graph_id, item.assistant_id):
            return item
    told = f"Invalid assistant: {named[:80]!r}"
    hint = f"Use one of the registered graphs: {', '.join(item.graph_id for item in assistants)}."
    raise ShapeError(told, hint=hint, param="assistant_id")


@dataclass(frozen=True, slots=True)
class AssistantRoutes:
    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        one = PATH + "/{assistant_id}"
        return (
            ApiRoute("POST", PATH + "/search", self.search, "List the assistants"),
            ApiRoute("POST", PATH + "/count", self.count, "Count assistants"),
            ApiRoute("GET", one, self.read, "An assistant"),
            ApiRoute(
                "GET", one + "/schemas", self.read_schemas, "Read the schemas of an assistant"
            ),
            ApiRoute("GET", one + "/graph", self.read_graph, "Its nodes"),
            ApiRoute("GET", one + "/subgraphs", self.list_subgraphs, "None"),
        )

    async def search(self, request: ApiRequest, body: AssistantSearch) -> JSONResponse:
        found = [self._to_shown(item) for item in self._find(body)]
        shown = found[body.offset :][: body.limit]
        if body.select:
            shown = [{name: item[name] for name in body.select if name in item} for item in shown]
        return JSONResponse(shown, headers={TOTAL_HEADER: str(len(found))})

    async def count(self, request: ApiRequest, body: AssistantSearch) -> JSONResponse:
        return JSONResponse(len(self._find(body)))

    async def read(self, request: ApiRequest) -> dict[str, Any]:
        return self._to_shown(self._get(request))

    async def read_schemas(self, request: ApiRequest) -> dict[str, Any]:
        shapes: dict[str, Any] = dict.fromkeys(_SCHEMAS, _MESSAGES)
        more: dict[str, Any] = {"config_schema": {}, "context_schema": None}
        return {"graph_id": self._get(request).graph_id, **shapes, **more}

    async def read_graph(self, request: ApiRequest) -> dict[str, Any]:
        """Return the graph of an assistant: its workers, between start and end."""
        self._get(request)
        names = [spec.name for spec in self.app.service.pack.workers]
        return {
            "nodes": [
                {"id": "__start__", "type": "runnable", "data": {"name": "__start__"}},
                *({"id": name, "type": "runnable", "data": {"name": name}} for name in names),
                {"id": "__end__"},
            ],
            "edges": [
                edge
                for name in names
                for edge in (
                    {"source": "__start__", "target": name, "conditional": True},
                    {"source": name, "target": "__end__", "conditional": True},
                )
            ],
        }

    async def list_subgraphs(self, request: ApiRequest) -> dict[str, Any]:
        self._get(request)
        return {}

    def _find(self, wanted: AssistantSearch) -> list[Assistant]:
        return [
            item
            for item in list_assistants(self.app)
            if wanted.graph_id in (None, item.graph_id)
            if wanted.ids is None or item.assistant_id in wanted.ids
            if (wanted.name or "").lower() in item.graph_id.lower()
            if all(pair == ("created_by", "system") for pair in (wanted.metadata or {}).items())
        ]

    def _get(self, request: ApiRequest) -> Assistant:
        try:
            return find_assistant(self.app, request.params["assistant_id"])
        except ShapeError as error:
            raise NotFoundError(error.public_message, hint=error.hint) from error

    def _to_shown(self, item: Assistant) -> dict[str, Any]:
        return {
            **item.names,
            "name": item.graph_id,
            "description": self.app.service.pack.title,
            "config": {},
            "context": {},
            "metadata": {"created_by": "system"},
            "created_at": _BEGUN,
            "updated_at": _BEGUN,
            "version": 1,
        }
