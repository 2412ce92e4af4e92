"""Pages for people beside the console: each is one answer, with nothing from elsewhere, and what it
may do is told to the browser by its content security policy.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ...agent.base.pages.pages import make_pages
from ..observe.logs import ROUTE_KEY
from .docs import render_docs

_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "connect-src 'self'"
)


def list_page_routes(describe: Callable[[], dict[str, Any]], notice: str | None) -> list[Route]:
    """List the routes of `/docs`, `/usage` and the OpenAPI document.
    They contain no data and need no token.

    describe: gives the contract. It is asked when somebody first asks for either, in a thread:
    both together are more work than all else of a start, and most replicas are never asked.
    notice: what whoever reads must know about the answers: that no language model gives them.
    """

    @cache
    def make() -> dict[str, tuple[bytes, str, str]]:
        document = describe()
        docs = render_docs(make_pages(Path(__file__).parent), document, notice)
        # Only the scripts and the styles that are in the page, told by their hashes.
        policy = _POLICY
        for source, tag in (("script-src", "script"), ("style-src", "style")):
            inside = re.findall(rf"<{tag}>(.*?)</{tag}>", docs, re.DOTALL)
            policy += f"; {source} " + " ".join(f"'{_hash(text)}'" for text in inside)
        return {
            "/openapi.json": (orjson.dumps(document), "application/json", _POLICY),
            "/docs": (docs.encode(), "text/html", policy),
        }

    async def show(request: Request) -> Response:
        path = request.scope[ROUTE_KEY] = request.scope["path"]
        body, media_type, policy = (await asyncio.to_thread(make))[path]
        return Response(body, headers={"content-security-policy": policy}, media_type=media_type)

    return [Route("/openapi.json", show), Route("/docs", show), Route("/usage", lead_to_usage)]


async def lead_to_usage(request: Request) -> Response:
    request.scope[ROUTE_KEY] = "/usage"
    # Kept for links and bookmarks: the page is a screen of the console now.
    return RedirectResponse("/#/usage")


def _hash(script: str) -> str:
    """
    >>> _hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
