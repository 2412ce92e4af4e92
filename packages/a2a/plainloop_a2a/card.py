"""The card at `/.well-known/agent-card.json`: who answers here, and how to talk to them. Clients of
0.3 find their fields in it, those of before at `/.well-known/agent.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plainloop.agent import __version__
from plainloop.agent.base.messages.settings import FileSettings
from plainloop.server.http.endpoint import AppContext
from plainloop.server.observe.logs import ROUTE_KEY

from .older import build_older_card

CARD: Final = "/.well-known/agent-card.json"
OLD_CARD: Final = "/.well-known/agent.json"
PATH: Final = "/a2a"
VERSION: Final = "1.0"


def list_open_routes(app: AppContext) -> Sequence[Route]:
    async def tell(request: Request) -> Response:
        request.scope[ROUTE_KEY] = request.url.path
        card = build_card(app, str(request.base_url).rstrip("/"))
        older = build_older_card(card)
        if request.url.path == OLD_CARD:
            return JSONResponse(older)
        for name, scheme in card.get("securitySchemes", {}).items():
            scheme |= older["securitySchemes"][name]
        return JSONResponse({**older, **card})

    return [Route(CARD, tell), Route(OLD_CARD, tell)]


def build_card(app: AppContext, base: str) -> dict[str, Any]:
    """Build the agent card, by which A2A clients learn what this agent can do."""
    pack = app.service.pack
    workers = [worker for worker in pack.workers if worker.interview is None]
    bindings = ("JSONRPC", "HTTP+JSON")
    card: dict[str, Any] = {
        "name": pack.title,
        "description": "; ".join(worker.description for worker in workers) or pack.title,
        "version": __version__,
        "supportedInterfaces": [
            {"url": base + PATH, "protocolBinding": binding, "protocolVersion": VERSION}
            for binding in bindings
        ],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "defaultInputModes": [
            *dict.fromkeys(("text/plain", *app.settings.get_table(FileSettings).file_types))
        ],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {
                "id": worker.name,
                "name": worker.name.replace("_", " "),
                "description": worker.description,
                "tags": [pack.name],
            }
            for worker in workers
        ],
    }
    if not app.auth.is_local:
        scheme = {"httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "JWT"}}
        card["securitySchemes"] = {"bearer": scheme}
        card["securityRequirements"] = [{"schemes": {"bearer": {"list": []}}}]
    return card
