"""Pages for people: each is one answer, with nothing from elsewhere, and what it may do is told to
the browser by its content security policy.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ..http.endpoint import ROUTE_KEY
from .docs import render_docs

_USAGE: Final = Path(__file__).parent / "usage.html"
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


def list_page_routes(document: dict[str, Any], notice: str | None) -> list[Route]:
    """`/docs` and `/usage`; the contract as JSON. They hold no data, so they ask for no token.

    notice: what whoever reads must know about the answers: that no language model gives them.
    """
    usage = _USAGE.read_text("utf-8")
    scripts = "".join(f" '{_hash(script)}'" for script in _find_scripts(usage))
    usage_policy = f"{_POLICY}; connect-src 'self'; script-src{scripts}"
    return [
        Route("/", _redirect_to_docs),
        _make_route("/openapi.json", orjson.dumps(document), "application/json", _POLICY),
        _make_route("/docs", render_docs(document, notice).encode(), "text/html", _POLICY),
        _make_route("/usage", usage.encode(), "text/html", usage_policy),
    ]


def _make_route(path: str, body: bytes, media_type: str, policy: str) -> Route:
    async def show(request: Request) -> Response:
        request.scope[ROUTE_KEY] = path
        headers = {"content-security-policy": policy}
        kind = HTMLResponse if media_type == "text/html" else Response
        return kind(body, headers=headers, media_type=media_type)

    return Route(path, show)


async def _redirect_to_docs(request: Request) -> Response:
    request.scope[ROUTE_KEY] = "/"
    return RedirectResponse("/docs")


def _find_scripts(page: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


def _hash(script: str) -> str:
    """
    >>> _hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
