"""The console's files, as they lie in `static/`, and what a browser may do with them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...agent.core.spec import Pack
from ..http.endpoint import ROUTE_KEY

STATIC: Final = Path(__file__).parent / "static"
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Model output is hostile: no script but ours, no HTML made of text, nothing from elsewhere.
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",  # asked each time, sent when it has changed
    "vary": "accept-encoding",
}


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    packed: bytes
    kind: str
    tag: str


def list_console_routes(packs: Iterable[Pack]) -> list[Route]:
    """`/` and the files it needs, the packs' pages with them. They hold no data, so they ask for no
    token.
    """
    files = {path.name: _read(path) for path in STATIC.iterdir() if path.suffix in _KINDS}
    for pack in packs:
        files |= {f"{pack.name}/{path.name}": _read(path) for path in list_screens(pack)}

    async def show_page(request: Request) -> Response:
        request.scope[ROUTE_KEY] = "/"
        return _answer(files["index.html"], request)

    async def show_file(request: Request) -> Response:
        request.scope[ROUTE_KEY] = "/console/{name:path}"
        file = files.get(request.path_params["name"])
        return Response(status_code=404) if file is None else _answer(file, request)

    return [Route("/", show_page), Route("/console/{name:path}", show_file)]


def list_screens(pack: Pack) -> list[Path]:
    """The modules of the pack's own pages."""
    return [] if pack.screens is None else sorted(pack.screens.glob("*.js"))


def _read(path: Path) -> _File:
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return _File(content, gzip.compress(content, 9, mtime=0), _KINDS[path.suffix], tag)


def _answer(file: _File, request: Request) -> Response:
    headers = {**_HEADERS, "etag": file.tag}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.packed, headers=headers, media_type=file.kind)
    return Response(file.content, headers=headers, media_type=file.kind)
