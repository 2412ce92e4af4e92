"""Who gives the tokens that we take: RFC 9728, and the header that leads there.

A token must be for this server: `auth.audience` is then its URL, https://api.example.com/mcp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plainloop.agent.errors import AgentError
from plainloop.server.http.endpoint import AppContext
from plainloop.server.observe.logs import ROUTE_KEY
from plainloop.server.protocols.json_rpc import tell_error
from plainloop.server.settings import AuthSettings

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
PATH: Final = "/mcp"


def list_open_routes(app: AppContext) -> Sequence[Route]:
    """List the routes that serve our OAuth metadata.

    The metadata names our authorization server. Empty if the server needs no tokens.
    """
    if app.auth.is_local:
        return ()
    auth = app.settings.get_table(AuthSettings)

    async def tell(request: Request) -> Response:
        request.scope[ROUTE_KEY] = WELL_KNOWN
        base = str(request.base_url).rstrip("/")
        return JSONResponse(build_metadata(auth, base), headers={"cache-control": "max-age=3600"})

    return [Route(path, tell) for path in (WELL_KNOWN, WELL_KNOWN + PATH)]


def build_metadata(auth: AuthSettings, base: str) -> dict[str, Any]:
    """Build the OAuth protected-resource metadata, which names our authorization server.

    base: the URL at which the request arrived.
    """
    issuers = [auth.issuer] if auth.issuer and _is_url(auth.issuer) else []
    return {
        "resource": auth.audience if auth.audience and _is_url(auth.audience) else base + PATH,
        "authorization_servers": issuers,
        "bearer_methods_supported": ["header"],
        "resource_name": "plainloop",
    }


def make_teller(app: AppContext) -> Callable[[AgentError], Response]:
    """Make an error handler whose 401 responses link to the OAuth metadata.

    They have no link if `audience`, our public URL, is not set.
    """
    audience = app.settings.get_table(AuthSettings).audience or ""
    if not _is_url(audience):
        return tell_error
    parts = urlsplit(audience)
    where = f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path.rstrip('/')}"

    def tell(error: AgentError) -> Response:
        answer = tell_error(error)
        if answer.status_code == 401:
            answer.headers["www-authenticate"] = f'Bearer resource_metadata="{where}"'
        return answer

    return tell


def _is_url(text: str) -> bool:
    return text.startswith(("https://", "http://"))
