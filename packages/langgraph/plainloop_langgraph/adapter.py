"""What the service finds by the entry point `plainloop.protocols`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import JSONResponse, Response

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.core.routes import Method
from plainloop.agent.errors import AgentError, NotFoundError
from plainloop.server.http.endpoint import AppContext, build_error_headers
from plainloop.server.http.error_table import get_mapping, to_words
from plainloop.server.protocols.registry import ProtocolAdapter

from .assistants import AssistantRoutes
from .runs import RunRoutes
from .threads import ONE, ThreadRoutes

ROOT: Final = "/langgraph"
VERSION: Final = "0.16.7"  # of the server that these routes were compared with
_INVALID: Final = 422  # what these clients know for an input that is refused
# What the platform has besides: told by name, so that nobody looks for a mistake of theirs.
_ABSENT: Final[tuple[tuple[Method, str, str], ...]] = (
    ("PUT", "/store/items", "the store"),
    ("GET", "/store/items", "the store"),
    ("DELETE", "/store/items", "the store"),
    ("POST", "/store/items/search", "the store"),
    ("POST", "/store/namespaces", "the store"),
    ("POST", "/runs/crons", "a cron job"),
    ("POST", "/runs/crons/search", "a cron job"),
    ("POST", "/runs/batch", "a batch of runs"),
    ("POST", "/runs/cancel", "stopping many runs at once"),
    ("POST", "/assistants", "a custom assistant"),
    ("POST", "/threads/prune", "pruning threads"),
    ("POST", "/threads/{thread_id}/state", "changing a state from outside"),
    ("PATCH", "/threads/{thread_id}/state", "changing a state from outside"),
    ("POST", "/threads/{thread_id}/commands", "the streaming protocol v3"),
    ("GET", "/threads/{thread_id}/stream", "the stream of a whole thread"),
    ("DELETE", "/threads/{thread_id}/runs/{run_id}", "deleting a single run"),
)


def list_langgraph_routes(app: AppContext) -> Sequence[ApiRoute]:
    return (
        ApiRoute("GET", ROOT + "/ok", _tell_ok, "Check that the server is running"),
        ApiRoute("GET", ROOT + "/info", _tell_info, "List the server's features"),
        *AssistantRoutes(app).list_routes(),
        *ThreadRoutes(app).list_routes(),
        *RunRoutes(app).list_routes(),
        *(ApiRoute(method, ROOT + path, _refuse(what), what) for method, path, what in _ABSENT),
    )


def tell_error(error: AgentError) -> Response:
    """Build an error response in LangGraph's form: `{"detail": …}`."""
    status = get_mapping(error).status
    told = {"detail": to_words(error), "code": error.code}
    return JSONResponse(told, _INVALID if status == 400 else status, build_error_headers(error))


async def _tell_ok(request: ApiRequest) -> dict[str, Any]:
    return {"ok": True}


async def _tell_info(request: ApiRequest) -> dict[str, Any]:
    flags = {"assistants": True, "crons": False, "langsmith": False}
    return {"version": VERSION, "flags": flags}


def _refuse(what: str) -> Any:
    async def refuse(request: ApiRequest) -> None:
        hint = "docs/frontends.md of plainloop lists the alternatives."
        raise NotFoundError(f"{what} is not supported", hint=hint, code="NOT_OFFERED")

    return refuse


ADAPTER: Final = ProtocolAdapter(list_langgraph_routes, tell_error)
__all__ = ["ADAPTER", "ONE"]
