"""Pages for people beside the console: each is one answer, with nothing from elsewhere, and what it
may do is told to the browser by its content security policy.
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

from ...agent.base.pages.pages import make_pages
from ..http.endpoint import ROUTE_KEY
from .docs import render_docs

_PAGES: Final = make_pages(Path(__file__).parent)
_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "connect-src 'self'"
)


def list_page_routes(document: dict[str, Any], notice: str | None) -> list[Route]:
    """`/docs`; the contract as JSON. They hold no data, so they ask for no token. `/usage`, which
    was a page of its own, leads into the console.

    notice: what whoever reads must know about the answers: that no language model gives them.
    """
    docs = render_docs(_PAGES, document, notice)
    # Only the scripts and the styles that are in the page, told by their hashes.
    policy = _POLICY
    for source, tag in (("script-src", "script"), ("style-src", "style")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", docs, re.DOTALL)
        policy += f"; {source} " + " ".join(f"'{_hash(text)}'" for text in inside)
    return [
        _make_route("/openapi.json", orjson.dumps(document), "application/json", _POLICY),
        _make_route("/docs", docs.encode(), "text/html", policy),
        Route("/usage", lead_to_usage),
    ]


async def lead_to_usage(request: Request) -> Response:
    request.scope[ROUTE_KEY] = "/usage"
    return RedirectResponse("/#/usage")


def _make_route(path: str, body: bytes, media_type: str, policy: str) -> Route:
    async def show(request: Request) -> Response:
        request.scope[ROUTE_KEY] = path
        headers = {"content-security-policy": policy}
        kind = HTMLResponse if media_type == "text/html" else Response
        return kind(body, headers=headers, media_type=media_type)

    return Route(path, show)


def _hash(script: str) -> str:
    """
    >>> _hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
